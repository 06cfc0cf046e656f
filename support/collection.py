"""Cyclic garbage collection, paused while much is built and little is dropped."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def paused_collection() -> Generator[None]:
    """Collect no cycles in a block or, as a decorator, in a function.

    IR refers to itself everywhere, so each full collection walks all of it, again and again while
    it grows: a fifth of the time of a compilation.  What was dropped meanwhile is collected later.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
