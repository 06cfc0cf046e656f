"""The thread pool: one per process, shared by every loaded module.

Its code is a shared object that the compiler makes and passes in as bytes; modules that are loaded
without a pool run serially.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from operator import index
from typing import SupportsIndex, cast

from .abi import SYMBOL_POOL_RESET, SYMBOL_POOL_RUN
from .errors import ArgumentError
from .fast_call import FastCalls
from .library import Library


class ThreadPool:
    """A loaded pool; `run_address` goes into a module's pool slot.

    calls: the calls from Python, which its library holds too, or None; see runtime/fast_call.py.

        int32 run(void (*fn)(args, int64 task, int64 worker), args, int64 tasks, int32 threads)

    The first launch that needs a thread starts it. A forked child starts with none.
    """

    def __init__(self, data: bytes) -> None:
        self.library = Library(data, "tilewright-pool")
        self.run_address = self.library.address(SYMBOL_POOL_RUN)
        self.calls = FastCalls.of(self.library)
        self._reset = ctypes.CFUNCTYPE(None)(self.library.address(SYMBOL_POOL_RESET))
        os.register_at_fork(after_in_child=self._reset)


class _Process:
    """State that exists once per process."""

    pool: ThreadPool | None = None
    lock = threading.Lock()


def process_pool(code: Callable[[], bytes]) -> ThreadPool:
    """Return this process's pool; the first call builds its code and loads it.

    Errors: LoadError if the bytes cannot be loaded.
    """
    with _Process.lock:
        if _Process.pool is None:
            _Process.pool = ThreadPool(code())
        return _Process.pool


def loaded_pool() -> ThreadPool | None:
    """Return this process's pool, if there is one already."""
    return _Process.pool


def check_threads(threads: object) -> None:
    """Reject a value that is neither None nor a number of threads.

    Errors: ArgumentError.
    """
    if threads is None or (type(threads) is int and threads > 0):
        return
    is_whole = isinstance(threads, SupportsIndex) and not isinstance(threads, bool)
    if not is_whole or index(cast(SupportsIndex, threads)) < 1:
        raise ArgumentError(
            "threads is not a number of threads",
            expected="a whole number from 1 on, or None",
            got=repr(threads),
            hint="pass threads=1, or None for all cores",
        )
