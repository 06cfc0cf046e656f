"""The worker pool: one per process, shared by all loaded modules.

The code of the pool is part of every exported library, or a shared object that the compiler makes
and passes in as bytes. Modules that are loaded in a process without a pool run serially.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from operator import index
from typing import SupportsIndex, TypeAlias, cast

from ..errors import ArgumentError, error_channel
from .constants import SYMBOL_POOL, SYMBOL_POOL_RESET, SYMBOL_POOL_RUN
from .fast_call import FastCalls
from .library import Library, Symbols


class ThreadPool:
    """The worker pool of a loaded library.

    A thread is started by the first parallel loop that needs it. After a fork, the child process
    has no threads and starts new ones.

    library: the library, which is never unloaded.  run_address: the address of the C function that
    runs a parallel loop, which each module stores; ``int32 run(void (*fn)(args, int64 task, int64
    worker), args, int64 tasks, int32 threads)``.  calls: the fast calls from Python, whose code is
    in the same library (fast_call.py), or None.
    """

    def __init__(self, library: Library) -> None:
        self.library = library
        self.run_address = self.library.address(SYMBOL_POOL_RUN)
        self.calls = FastCalls.of(self.library)
        self._reset = ctypes.CFUNCTYPE(None)(self.library.address(SYMBOL_POOL_RESET))
        os.register_at_fork(after_in_child=self._reset)


Task: TypeAlias = Callable[[int, int], None]
"""A function that runs a task; arguments: the numbers of the task and of the worker."""
ParallelFor: TypeAlias = Callable[[Task, int, int], object]
"""A function that calls ``run(task, worker)`` for every task, and returns when all calls have.

In: ``run``, the number of tasks and of threads.  worker is in 0..threads-1, and no two calls with
the same worker overlap.  A call of ``run`` releases the GIL.
"""


class HostPool:
    """A user's Python function that runs parallel loops in place of this process's pool."""

    def __init__(self, parallel_for: ParallelFor) -> None:
        running = self._running = set[object]()

        def launched(code: int, args: int, tasks: int, threads: int) -> int:
            running.add(loop := object())
            try:
                return _launched(parallel_for, code, args, tasks, threads)
            finally:
                running.remove(loop)

        callback = self._callback = _POOL(launched)
        # ctypes.cast would make the callback part of a cycle of references.
        self.run_address = ctypes.c_void_p.from_address(ctypes.addressof(callback)).value or 0

    @property
    def is_running(self) -> bool:
        """Whether a parallel loop is running; until it ends, the C callback must not be freed."""
        return bool(self._running)


def set_pool(library: Library, name: str, parallel_for: ParallelFor | None) -> None:
    """Set the function that runs the parallel loops of a library; None: this process's pool.

    name: the name of the module, for messages.
    Errors: ArgumentError while the previous ``parallel_for`` function runs a parallel loop.
    """
    held = library.held(SYMBOL_POOL)
    if isinstance(held, HostPool) and held.is_running:
        raise ArgumentError(
            f"{name}: a call of the module runs its parallel loop",
            hint="set another function between calls",
        )
    pool = loaded_pool() if parallel_for is None else HostPool(parallel_for)
    library.store_pointer(SYMBOL_POOL, 0 if pool is None else pool.run_address, alive=pool)


_TASK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
_POOL = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32
)


def _launched(parallel_for: ParallelFor, code: int, args: int, tasks: int, threads: int) -> int:
    """Run a parallel loop by the user's function; return 0, or -1 after an exception.

    code: the address of the loop's body, a C function.  args: the first argument of the body.
    tasks: the number of iterations.  threads: the number of threads that the call may use.
    """
    run = _TASK(code)
    try:
        parallel_for(lambda task, worker: run(args, task, worker), tasks, threads)
    # The boundary to C: the outer call re-raises any exception, even an interrupt.
    except BaseException as err:
        error_channel().put(err)
        return -1
    return 0


class _Process:
    """The libraries that are loaded once per process.

    pool: the worker pool, once one is loaded.  rest: a library with the functions that the pool's
    library lacks (`process_library`), once one is needed.
    """

    pool: ThreadPool | None = None
    rest: Library | None = None
    lock = threading.Lock()


def process_pool(code: Callable[[], bytes], loaded: Library | None = None) -> ThreadPool:
    """Return this process's pool; the first call makes it.

    code: returns the bytes of the pool's shared object.  loaded: a loaded library with the code of
    the pool, used in place of these bytes; None: there is none.

    Errors: LoadError if the bytes cannot be loaded.
    """
    with _Process.lock:
        if _Process.pool is None:
            library = Library(code(), "tilewright-pool") if loaded is None else loaded.permanent()
            _Process.pool = ThreadPool(library)
        return _Process.pool


def process_library(symbol: str, code: Callable[[], bytes]) -> Library:
    """Return a library that exports a function of which a process needs only one copy.

    This is the pool's library if it has the function. But the pool comes from the first library
    that the process loads, which may be an exported one without the function; then the bytes that
    ``code`` returns are loaded. The returned library is never unloaded, because objects outlive
    modules.

    symbol: the function.  code: returns the bytes of a library with the function.

    Errors: LoadError if the bytes cannot be loaded.
    """
    pool = process_pool(code).library
    if pool.find(symbol):
        return pool
    with _Process.lock:
        if _Process.rest is None:
            _Process.rest = Library(code(), "tilewright-process")
        return _Process.rest


def loaded_pool() -> ThreadPool | None:
    """Return this process's pool, or None if no pool has been loaded."""
    return _Process.pool


def library_with(symbol: str, code: Symbols) -> Library | None:
    """Return the library that exports a symbol: the module's, or else the worker pool's.

    Return None if neither exports the symbol.

    code: the code of the module.
    """
    pool = loaded_pool()
    for each in (code, None if pool is None else pool.library):
        if isinstance(each, Library) and each.find(symbol):
            return each
    return None


def check_threads(threads: object) -> None:
    """Raise an error for a value that is neither None nor a number of threads.

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
