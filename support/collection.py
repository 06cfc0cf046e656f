"""Cyclic garbage: not collected while much is built and little dropped; freed afterwards."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Protocol


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


class Cache(Protocol):
    """A cached function: what functools makes."""

    def cache_clear(self) -> None:
        """Forget all results."""


def free_memory(caches: Iterable[Cache] = ()) -> None:
    """Forget, collect what was dropped, give free memory back to the system where that is possible.

    caches: those that hold small objects: one that stays keeps a megabyte of its neighbours'.
    Cost: a walk over everything that is alive, about 0.1 s.
    """
    for cached in caches:
        cached.cache_clear()
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
