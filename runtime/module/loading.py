"""Code of compiled models in this process: loading a library and filling its pointer slots.

    loaded = load_code(code, weights, pool=process_pool(make_pool_code))
    module = Module.of(loaded)

In: the bytes of a shared object and of its weights. The loader checks that the processor can run
the code. Then it stores pointers in the library's slots: to the weights, to the function that
receives errors, to the worker pool, and to the functions of this process that the model calls.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..abi.constants import (
    SYMBOL_DEFAULT_THREADS,
    SYMBOL_EXTERNS,
    SYMBOL_MANIFEST,
    SYMBOL_POOL,
    SYMBOL_RAISE,
    SYMBOL_WEIGHTS,
    WEIGHT_ALIGNMENT_BYTES,
)
from ..abi.fast_call import FastCalls
from ..abi.library import Library, LoadError, Symbols
from ..abi.ndarray import Array, address_reader, empty_array
from ..abi.packed import PackedFunc
from ..abi.registry import get_global_func
from ..abi.threads import ThreadPool, check_threads, process_pool
from ..call.device_calls import DeviceCalls
from ..errors import ArgumentError, UnknownFunction, error_channel
from ..file.elf_reader import Image
from ..file.manifest import Manifest
from ..host import available_threads, cpu_flags, request_tiles
from ..measure.profile import Recording

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from .functions import ModuleFunctions


def no_process_code() -> bytes:
    """Raise the error for a module that was loaded without a worker pool but needs its code.

    Errors: LoadError.
    """
    raise LoadError(
        "the process has no code of sessions and executors",
        expected="a worker pool, which contains the code",
        got="a module that was loaded without a pool",
        hint="pass pool=process_pool(…) to Module.load_bytes",
    )


@dataclass(frozen=True)
class LoadedCode:
    """Code in this process that a `Module` calls.

    threads: the default number of threads of a call.  alive: objects that must live as long as the
    code.  weights: the bytes of the weights in memory.  calls: makes calls from Python without
    ctypes, if not None.  device_calls: runs the module on arrays of its device, if not None.
    recorder: records times of runs, if the library does not.  modules: modules that belong to the
    code, which become imported modules.  handle: the first argument of the code's functions.
    allocates: whether calls always ask for the memory of outputs.
    process_code: returns the bytes of the library with the worker pool, sessions and executors,
    which `process_pool` loads once per process.
    """

    library: Symbols
    manifest: Manifest
    threads: int
    alive: object = None
    weights: Array | None = None
    calls: FastCalls | None = None
    device_calls: DeviceCalls | None = None
    recorder: Recording | None = None
    modules: tuple[ModuleFunctions, ...] = ()
    handle: int | None = None
    allocates: bool = False
    process_code: Callable[[], bytes] = no_process_code


@dataclass
class HeldCode:
    """Objects that must stay alive as long as a function of a module's code may run.

    alive: objects that the code uses.  weights: the memory that the code reads, which another
    module may share.  device_calls, process_code: as in `LoadedCode`.  retired: replaced weights
    that calls in other threads may still read.
    """

    alive: object
    weights: Array | None
    device_calls: DeviceCalls | None = None
    process_code: Callable[[], bytes] = no_process_code
    retired: list[Array] = field(default_factory=list[Array])

    def replace_weights(self, weights: Array, *, is_running: bool) -> None:
        """Hold new weights, and drop the old weights unless a running call may read them.

        is_running: whether a call of the module runs. The old weights then stay alive until a later
        replacement finds no running call.

        Before: calls that begin now read the new weights.
        """
        if not is_running:
            self.retired.clear()
        elif self.weights is not None:
            self.retired.append(self.weights)
        self.weights = weights


def load_code(
    code: bytes,
    weights: ReadableBuffer | None = None,
    *,
    pool: ThreadPool | None = None,
    threads: int | None = None,
) -> LoadedCode:
    """Load the shared object of a compiled model into this process.

    code: the bytes of the shared object.  weights: the bytes of all weights, as compiled.  pool:
    the worker pool; None: calls run serially.  threads: the default number of threads of a call;
    None: as many as this process may use.

    Errors: those of `Module.load_bytes`.
    """
    library = Library(code)
    manifest = Manifest.parse(library.text(SYMBOL_MANIFEST))
    check_processor(manifest)
    return bind_code(library, manifest, weights, pool=pool, threads=threads)


class UnloadedLibrary:
    """A library in place of code that this machine cannot run: each look-up raises an error.

    refusal: makes the error, which says why this machine cannot run the code.
    """

    def __init__(self, refusal: Callable[[], LoadError]) -> None:
        self._refusal = refusal

    def address(self, symbol: str) -> int:
        """Raise the error that says why the code cannot run, in place of an address.

        Errors: LoadError.
        """
        raise self._refusal()

    def text(self, symbol: str) -> str:
        """Raise the error that says why the code cannot run, in place of a text.

        Errors: LoadError.
        """
        raise self._refusal()

    def process_code(self) -> bytes:
        """Raise the error that says why the code cannot run; used as `LoadedCode.process_code`.

        Errors: LoadError.
        """
        raise self._refusal()


def load_if_possible(
    code: bytes,
    weights: ReadableBuffer | None,
    *,
    process_code: Callable[[], bytes],
    threads: int | None,
) -> LoadedCode:
    """Load code as `load_code` does, if this machine can run the code.

    Otherwise return code whose calls raise an error. Its module still has an interface, printed IR
    and exports.

    code, weights, threads: as for `load_code`.  process_code: as in `LoadedCode`, for code that
    this machine can run.
    """
    image = Image(code)
    manifest = Manifest.parse(image.text(SYMBOL_MANIFEST))
    try:
        image.check_machine()
        check_processor(manifest)
    except LoadError as err:
        got = err.got if manifest.target in str(err.got) else f"{err.got} ({manifest.target})"
        refusal = partial(
            LoadError,
            f"{manifest.name}: this machine cannot run the code of the module",
            expected=err.expected,
            got=got,
            hint="export_library, or tw compile MODEL --target TARGET -o m.so, writes it for a "
            'machine that can; target="native" compiles for this one',
        )
        blob, library = weights_blob(weights, manifest.weights_bytes), UnloadedLibrary(refusal)
        return LoadedCode(
            library, manifest, threads=1, weights=blob, process_code=library.process_code
        )
    pool = process_pool(process_code)
    loaded = bind_code(Library(code), manifest, weights, pool=pool, threads=threads)
    return replace(loaded, process_code=process_code)


def bind_code(
    library: Library,
    manifest: Manifest,
    weights: ReadableBuffer | None,
    *,
    pool: ThreadPool | None,
    threads: int | None,
    functions: Mapping[str, PackedFunc] = {},
) -> LoadedCode:
    """Fill the pointer slots of a loaded library: weights, errors, worker pool, called functions.

    manifest: the manifest of the library.  weights, pool, threads: as for `load_code`.  functions:
    by name, the functions that the module calls and that are no global functions.

    Errors: those of `Module.load_bytes`.
    """
    blob = weights_blob(weights, manifest.weights_bytes)
    library.store_pointer(SYMBOL_WEIGHTS, address_reader()(blob))
    channel = error_channel()
    library.store_pointer(SYMBOL_RAISE, channel.address)
    check_threads(threads)
    wanted = 1
    if pool is not None:
        wanted = min(threads or available_threads(), manifest.max_threads)
        library.store_pointer(SYMBOL_POOL, pool.run_address)
    library.store_int32(SYMBOL_DEFAULT_THREADS, wanted)
    externs = _fill_externs(library, manifest, functions)
    alive = (channel, pool, externs)
    return LoadedCode(library, manifest, wanted, alive, blob, None if pool is None else pool.calls)


class PythonLibrary:
    """A library of Python functions: the code of programs whose main function Python executes."""

    def __init__(self, name: str, functions: Mapping[str, Callable[..., object]]) -> None:
        """Make a library of functions.

        name: the name of the program in messages.  functions: Python functions by symbol.
        """
        self._functions = {
            symbol: PackedFunc.of_python(function, name, keeps_arrays=False)
            for symbol, function in functions.items()
        }

    def address(self, symbol: str) -> int:
        """Return the address of the C function that calls the Python function ``symbol``."""
        return self._functions[symbol].code[0]

    def text(self, symbol: str) -> str:
        """Return an empty text: Python functions raise exceptions and store no error text."""
        return ""


def registered_functions(
    manifest: Manifest, but: Collection[str] = frozenset()
) -> dict[str, PackedFunc]:
    """Return the global functions that a module calls, by name, as they are registered now.

    but: names of functions that the module itself contains, to leave out.

    Errors: LoadError for a function that is not registered.
    """
    try:
        return {name: get_global_func(name) for name in manifest.externs if name not in but}
    except UnknownFunction as err:
        near = f"{err.hint} " if err.hint.startswith("did you mean") else ""
        raise LoadError(
            f"{manifest.name} calls a function that is not there",
            got=err.rule,
            hint=f"{near}call tilewright.register_func before you load the module",
        ) from err


def _fill_externs(
    library: Library, manifest: Manifest, own: Mapping[str, PackedFunc]
) -> list[PackedFunc]:
    found = {**registered_functions(manifest, but=own), **own}
    functions = [found[name] for name in manifest.externs]
    for number, function in enumerate(functions):
        slots = (ctypes.c_void_p * 2).from_address(library.address(SYMBOL_EXTERNS) + 16 * number)
        slots[0], slots[1] = function.code
    return functions


def share_weights(library: Symbols, other: Symbols, weights: Array | None, name: str) -> None:
    """Make a library read weights that another library has loaded.

    library: the library that reads them from now on.  other: the library that has loaded them.
    weights: the weights of ``other`` in memory.  name: the module's name in messages.

    Errors: ArgumentError if the code of the libraries differs, as the layout of weights then
    differs.
    """
    if not (
        isinstance(library, Library)
        and isinstance(other, Library)
        and (library.code, library.number) == (other.code, other.number)
        and weights is not None
    ):
        raise ArgumentError(
            f"{name} cannot share the weights of another module",
            expected="a module with the same code",
            got="a module with other code, whose weights have another layout",
            hint="compile both from the same model, with the same target and options",
        )
    library.store_pointer(SYMBOL_WEIGHTS, address_reader()(weights))


def check_processor(manifest: Manifest) -> None:
    """Raise an error for code that this machine's processor cannot run; it would kill the process.

    For code that uses AMX, request the tile registers from the operating system.

    Errors: LoadError that names missing features, or if the system refuses the registers.
    """
    if missing := sorted({*manifest.cpu_flags} - cpu_flags()):
        raise LoadError(
            f"{manifest.name}: this machine cannot run the code of the module",
            expected=f"a processor with {', '.join(missing)}",
            got=f"one without them; the target is {manifest.target}",
            hint='compile the model on this machine with target="native", or for its processor',
        )
    if refusal := request_tiles(manifest.cpu_flags):
        raise LoadError(
            f"{manifest.name}: the kernel refuses the tile registers (AMX) that the code needs",
            expected="arch_prctl(ARCH_REQ_XCOMP_PERM, 18) of Linux 5.16 or newer",
            got=refusal,
            hint=f"compile the model without them: {manifest.target} with -mattr=-amx-tile",
        )


def weights_blob(weights: ReadableBuffer | None, size_bytes: int) -> Array:
    """Return weights as bytes aligned to 64 bytes; copy them only if they are not aligned.

    size_bytes: the size of the weights that the module was compiled with.

    Errors: LoadError for fewer bytes.
    """
    given: Array = np.frombuffer(memoryview(b"" if weights is None else weights), np.uint8)
    if len(given) < size_bytes:
        raise LoadError(
            "the weights do not belong to this module",
            expected=f"at least {size_bytes} bytes",
            got=f"{len(given)} bytes",
            hint="pass the weights that were saved with the module",
        )
    if size_bytes == 0 or address_reader()(given) % WEIGHT_ALIGNMENT_BYTES == 0:
        return given
    copy = empty_array(given.shape, given.dtype)
    copy[:] = given
    return copy
