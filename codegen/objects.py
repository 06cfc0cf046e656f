"""Object files compiled from LLVM IR, cached by the content of the IR."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache as memoized

from ..machines.target import Target
from ..runtime.abi.constants import PROCESS_SYMBOLS
from ..support.cache import DiskCache, content_key, user_cache
from .compile_pool import CompilePool
from .isolated import compile_anywhere
from .linker import link
from .llvm import Machine, version
from .prelude import PASSES, part_source, start_object
from .worker import CompileOptions


class CachedObjects:
    """The objects of several LLVM IR modules, read from a cache or compiled by a pool.

    Objects have the order in which their modules were added.
    """

    def __init__(self, pool: CompilePool, options: CompileOptions, cache: DiskCache | None) -> None:
        self._pool, self._options, self._cache = pool, options, cache
        # The cache key of each requested object, and its bytes if they were in the cache.
        self._begun: list[tuple[str, bytes | None]] = []

    def add(self, text: str, label: str) -> None:
        """Look up the object of an LLVM IR module in the cache; if it is missing, queue the module.

        label: the part of the program that the module contains, for error messages.
        """
        key = object_key(text, self._options)
        data = None if self._cache is None else self._cache.read(key)
        if data is None:
            self._pool.add(text, label)
        self._begun.append((key, data))

    def objects(self) -> Iterator[bytes]:
        """Yield the object file of each module, in order.

        Errors: CodegenError if LLVM refuses a module.
        """
        made = self._pool.objects()
        for key, known in self._begun:
            data = next(made) if known is None else known
            if known is None and self._cache is not None:
                self._cache.write(key, data)
            yield data


def object_key(text: str, options: CompileOptions) -> str:
    """Return the cache key of an object: a digest of LLVM IR, options and LLVM's version."""
    passes = repr((options.passes, options.opt_level, *options.llvm_options))
    return content_key(text, repr(options.machine), passes, version())


def cached_object(text: str, options: CompileOptions, cache: DiskCache | None) -> bytes:
    """Return the object file of an LLVM IR module, from the cache or newly compiled.

    cache: where objects are stored; None compiles without a cache.
    """
    key = object_key(text, options)
    data = None if cache is None else cache.read(key)
    if data is None:
        data = compile_anywhere(text, options)
        if cache is not None:
            cache.write(key, data)
    return data


PROCESS_PARTS = ("pool", "python", "timer", "tensors", "repack", "session", "executor")
"""The parts of the prelude that are loaded once per process, not once per model."""


def pool_object(triple: str, cache: DiskCache | None) -> bytes:
    """Return the shared library with the parts that a process loads once, such as the worker pool.

    triple: the LLVM triple of the system.
    cache: where objects are stored; None compiles without a cache.
    """
    return link(part_objects(PROCESS_PARTS, triple, cache), exports=PROCESS_SYMBOLS)


def process_code() -> bytes:
    """Return the same shared library as `pool_object`, for the processor of this process."""
    return pool_object(Target("llvm").triple, user_cache())


@memoized
def program_objects(triple: str, cache: DiskCache | None) -> tuple[bytes, ...]:
    """Return the object files that turn an exported model into a static program for Linux.

    triple: the LLVM triple of the system.
    cache: where objects are stored; None compiles without a cache.
    """
    made = part_objects(("program", "bare", "print"), triple, cache)
    return *made, start_object(triple.partition("-")[0])


@memoized
def shared_objects(triple: str, cache: DiskCache | None) -> tuple[bytes, ...]:
    """Return the object files that a library with several models contains once.

    triple: the LLVM triple of the system.
    cache: where objects are stored; None compiles without a cache.
    """
    return part_objects((*PROCESS_PARTS, "weights"), triple, cache)


@memoized
def part_objects(parts: Sequence[str], triple: str, cache: DiskCache | None) -> tuple[bytes, ...]:
    """Return the object files of some parts of the prelude, which are the same for all models.

    parts: the names of the parts, see prelude/__init__.py.
    triple: the LLVM triple of the system.
    cache: where objects are stored; None compiles without a cache.
    """
    machine, options = triple.partition("-")[0], CompileOptions(Machine(triple), PASSES)
    with CompilePool(options, max_workers=0, expected=len(parts)) as pool:
        made = CachedObjects(pool, options, cache)
        for part in parts:
            made.add(part_source(part, machine), part)
        return tuple(made.objects())
