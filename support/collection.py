"""Cyclic garbage collection: pause it while IR is built, and free memory afterwards."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Protocol


@contextmanager
def paused_collection() -> Generator[None]:
    """Disable cycle collection in a block or, as a decorator, in a function.

    IR is full of reference cycles, so each full collection walks all of it, repeatedly while it
    grows: a fifth of the compile time.  Later collections free the garbage of this period.
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
    """A function cached by functools."""

    def cache_clear(self) -> None:
        """Forget all results."""


def free_memory(caches: Iterable[Cache] = ()) -> None:
    """Clear caches, collect garbage and, where possible, return free memory to the system.

    caches: caches of small objects; one live small object can pin a megabyte of free memory.
    Cost: a walk over all live objects, about 0.1 s.
    """
    for cached in caches:
        cached.cache_clear()
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
