"""Cyclic garbage collection: pause it while IR is built, and free memory afterwards."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Protocol


@contextmanager
def paused_collection() -> Generator[None]:
    """Disable Python's cyclic garbage collector in a ``with`` block or in a decorated function.

    IR contains many reference cycles, and each full collection visits all of them: without the
    pause, collections take a fifth of the compile time.  Later collections free the garbage of this
    period.
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
    """The protocol of functions with a cache, as functools makes them."""

    def cache_clear(self) -> None:
        """Delete all entries of the cache."""


def free_memory(caches: Iterable[Cache] = ()) -> None:
    """Clear caches, collect garbage and, where possible, return free memory to the system.

    caches: caches of small objects, which are cleared because one live small object can block the
    release of a megabyte.
    Cost: a visit of all live objects, about 0.1 s.
    """
    for cached in caches:
        cached.cache_clear()
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
