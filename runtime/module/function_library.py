"""Libraries of packed functions that another compiler, or hand-written C code, provides.

    m = load_module("vecadd.so")
    m.vecadd(a, b, c)

In: a shared object that exports functions ``__tvm_ffi_NAME`` of the packed-function ABI, such as a
library of TVM or of C code. It has no manifest, so the signatures of its functions are unknown.
Out: a module of these functions. The system loads the file itself, with the libraries next to it,
and the code stays loaded.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from functools import cached_property, partial
from os import PathLike
from pathlib import Path

from ..abi.constants import FUNCTION_PREFIX
from ..abi.library import Library, LoadError
from ..abi.packed import PackedFunc
from ..file.elf_reader import Image
from ..file.sections import Sections
from . import exported
from .exported import ExportedModule
from .exported_files import mapped
from .functions import FunctionTable, ModuleFunctions
from .programs import ProgramSet

_OURS = ("__tw_", "tw_set_host")
"""Prefixes of the symbols of exported modules, and of libraries with the C runtime."""


class FunctionLibrary(ModuleFunctions):
    """A module of packed functions without a manifest.

    Errors: LoadError if the system cannot load the file.
    """

    def __init__(self, path: str, names: Sequence[str]) -> None:
        self.name = Path(path).stem
        self._library = _FileLibrary(path)
        self._names = sorted(names)

    @property
    def kind(self) -> str:
        """The text ``library`` as the kind of target, since the target of the code is unknown."""
        return "library"

    def get_source(self, kind: str = "") -> str:
        """Raise an error, because the module has no source.

        Errors: LookupError.
        """
        raise LookupError(
            f"{self.name} has no text of kind {kind!r}: its library has no manifest\n"
            "    hint: read the source that the library was made of"
        )

    @cached_property
    def functions(self) -> FunctionTable:
        """The functions of the library."""
        makers = {name: partial(self._function, name) for name in self._names}
        return FunctionTable(self.name, makers, self._library)

    def _function(self, name: str) -> PackedFunc:
        return PackedFunc.of_library(self._library, FUNCTION_PREFIX + name, name)

    def __repr__(self) -> str:
        return f"<FunctionLibrary {self.name}: {', '.join(self._names)}>"


class _FileLibrary(Library):
    """A library that the system loads from its file; it is never unloaded."""

    def __init__(self, path: str) -> None:
        self.name, self.code = path, b""
        self._held: dict[int, object] = {}
        try:
            self._dll = ctypes.CDLL(path)
        except OSError as err:
            needs_host = "TVMFFI" in str(err)
            hint = "import tvm_ffi first, which has these symbols" if needs_host else ""
            raise LoadError(f"cannot load {path}", got=err, hint=hint) from err


def function_library(path: str | PathLike[str]) -> FunctionLibrary | None:
    """Return the module of a library of packed functions, or None for any other file.

    Errors: LoadError if the system cannot load the library, OSError if the file cannot be read.
    """
    where = os.fspath(Path(path).resolve())
    try:
        data = mapped(Path(where))
        names = () if Image(data, where).has_build_id else Sections(data, where).exported
    except LoadError:
        return None
    reserved = f"{FUNCTION_PREFIX}_"
    own = [n for n in names if n.startswith(FUNCTION_PREFIX) and not n.startswith(reserved)]
    if not own or any(name.startswith(_OURS) for name in names):
        return None
    return FunctionLibrary(where, [name.removeprefix(FUNCTION_PREFIX) for name in own])


def load_module(
    path: str | PathLike[str],
    *,
    threads: int | None = None,
    verify: bool = False,
    trusted: Sequence[object] | None = None,
) -> ExportedModule | ProgramSet | FunctionLibrary:
    """Load a module that `export_library` has written, a shared object or an archive.

    A shared object of packed functions without a manifest, such as a library of TVM or of C code,
    is loaded as a `FunctionLibrary`; its bytes cannot be checked.

    threads: default of a call; None means as many as this process may use.  verify: read and check
    all bytes of the files, not only those of the code.  trusted: public keys (PEM: a path, text or
    bytes), of which one must have signed the file; then all bytes are read and checked.
    Errors: LoadError for a file that no trusted key has signed, damaged or missing files, files of
    different exports, another version of the ABI, a processor without the features that the code
    needs, or a global function that is not registered; OSError if the library itself cannot be
    read.

    >>> files = tilewright.compile("model.onnx").export_library("model.so")
    >>> module = tilewright.load_module("model.so", threads=1)
    >>> module.run({"x": np.ones((1, 4), np.float32)})[0].shape
    (1, 3)
    """
    try:
        return exported.load_module(path, threads=threads, verify=verify, trusted=trusted)
    except LoadError:
        plain = None if verify or trusted is not None else function_library(path)
        if plain is None:
            raise
        return plain
