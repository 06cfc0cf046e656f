"""Object files compiled from LLVM IR, cached by the content of the IR."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache as memoized

from ..runtime.abi.constants import PROCESS_SYMBOLS
from ..support.cache import DiskCache, content_key
from .compile_pool import CompilePool
from .linker import link
from .llvm import Machine, version
from .prelude import (
    PASSES,
    bindings_source,
    executor_source,
    pool_source,
    program_sources,
    python_source,
    session_source,
    start_object,
    timer_source,
    trace_source,
    weights_source,
)
from .worker import CompileOptions


@dataclass(frozen=True)
class _Begun:
    """A requested object: its key, and its bytes if the cache contained them."""

    key: str
    data: bytes | None


class CachedObjects:
    """The objects of LLVM IR modules, in order: from the cache, or compiled by a pool."""

    def __init__(self, pool: CompilePool, options: CompileOptions, cache: DiskCache | None) -> None:
        self._pool, self._options, self._cache = pool, options, cache
        self._begun: list[_Begun] = []

    def add(self, text: str, label: str) -> None:
        """Read the object of an LLVM IR module from the cache, or queue it for compilation."""
        key = object_key(text, self._options)
        data = None if self._cache is None else self._cache.read(key)
        if data is None:
            self._pool.add(text, label)
        self._begun.append(_Begun(key, data))

    def objects(self) -> Iterator[bytes]:
        """Yield the object file of each module, in order.

        Errors: CodegenError if LLVM refuses a module.
        """
        made = self._pool.objects()
        for begun in self._begun:
            if begun.data is not None:
                yield begun.data
                continue
            data = next(made)
            if self._cache is not None:
                self._cache.write(begun.key, data)
            yield data


def object_key(text: str, options: CompileOptions) -> str:
    """Return the cache key of the object of an LLVM IR module."""
    passes = repr((options.passes, options.opt_level))
    return content_key(text, repr(options.machine), passes, version())


def cached_object(text: str, options: CompileOptions, cache: DiskCache | None) -> bytes:
    """Return the object of an LLVM IR module from the cache; if missing, compile and store it."""
    key = object_key(text, options)
    data = None if cache is None else cache.read(key)
    if data is None:
        data = options.compile(text)
        if cache is not None:
            cache.write(key, data)
    return data


@dataclass(frozen=True)
class SharedObjects:
    """The objects that are the same for all models of a target.

    pool: the worker threads.  weights: the code that finds weights.  python: calls from Python.
    timer: measures times of calls.  trace: records the steps of profiled programs.
    """

    pool: bytes
    weights: bytes
    python: bytes
    timer: bytes
    trace: bytes


def pool_object(triple: str, cache: DiskCache | None) -> bytes:
    """Return the library that a process loads once: worker pool, calls from Python, timer."""
    shared = shared_objects(triple, cache)
    return link([shared.pool, shared.python, shared.timer], exports=PROCESS_SYMBOLS)


@memoized
def program_objects(triple: str, cache: DiskCache | None) -> tuple[bytes, ...]:
    """Return the objects that turn a model into a static program."""
    machine, options = _machine(triple), CompileOptions(Machine(triple), PASSES)
    made = (cached_object(text, options, cache) for text in program_sources(machine))
    return *made, start_object(machine)


@memoized
def session_object(triple: str, cache: DiskCache | None) -> bytes:
    """Return the object that implements the sessions of a model with states."""
    return _part_object(session_source, triple, cache)


@memoized
def executor_object(triple: str, cache: DiskCache | None) -> bytes:
    """Return the object that implements the executors of a model."""
    return _part_object(executor_source, triple, cache)


@memoized
def bindings_object(triple: str, cache: DiskCache | None) -> bytes:
    """Return the object whose code chooses one of several programs of a model."""
    return _part_object(bindings_source, triple, cache)


@memoized
def shared_objects(triple: str, cache: DiskCache | None) -> SharedObjects:
    """Return the objects that all models of a target share."""
    parts = (pool_source, weights_source, python_source, timer_source, trace_source)
    return SharedObjects(*(_part_object(source, triple, cache) for source in parts))


def _part_object(source: Callable[[str], str], triple: str, cache: DiskCache | None) -> bytes:
    """Return the object of a part of the prelude; source: returns its text for a machine."""
    options = CompileOptions(Machine(triple), PASSES)
    return cached_object(source(_machine(triple)), options, cache)


def _machine(triple: str) -> str:
    return triple.partition("-")[0]
