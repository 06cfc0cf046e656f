"""The files of a compiled library: .so, .o and .a with a C header, .tar.

In: an `ExportedModel`: the objects of a program whose functions are those of
runtime/native/entry.c, and its description. Out: the files, as byte strings. The objects are
linked with constants that describe the export (shared_object.py). An object for C programs (.o, .a)
defines the names that its header (c_header.py) declares. The program may run on a CPU, or its main
may queue work on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ...codegen.archive import static_library
from ...codegen.linker import Blob, link
from ...codegen.relocatable import combine
from ...runtime.abi.constants import (
    MODULE_SYMBOLS,
    PROCESS_SYMBOLS,
    SYMBOL_LOAD_WEIGHTS,
    SYMBOL_SESSION_FUNCTIONS,
    SYMBOL_STEPS,
)
from ...runtime.file.archive import ArchiveMember, archive
from ...runtime.file.manifest import Manifest
from ...runtime.file.module_json import graph_json
from ..backend import ExportedFile
from .c_header import c_header, c_names, c_prefix
from .executor_code import object_parts
from .session_code import SessionCode
from .shared_object import WEIGHTS_SUFFIX, ExportedWeights, describing_blobs, signed


@dataclass(frozen=True)
class ExportedModel:
    """A compiled model with all that the files of its formats (.so, .o, .tar, …) are made from.

    file: the name of the file.  objects: the object files of the model's code.  own: the symbols
    that its shared object exports in addition to `MODULE_SYMBOLS`.  manifest: the description of
    the model.  held: the weights.  kernels: the names of the kernels, each with the model's nodes
    that it computes, for profilers and debuggers.  steps: the steps whose times the program
    records, as JSON; empty without profiling.  ranks: the rank of each argument of several
    programs, -1 if it depends on the program.  shared: symbols that several objects define; all
    code uses the first definition.  imports: the modules that the model imports, as bytes; empty if
    there are none.  constants: those that the program's own code reads.  triple: the triple of the
    system that runs main; empty: that of the target in the manifest.
    """

    file: str
    objects: Sequence[bytes]
    own: Sequence[str]
    manifest: Mapping[str, Any]
    held: ExportedWeights
    kernels: Sequence[tuple[str, Sequence[str]]]
    steps: str = ""
    ranks: Sequence[int] = ()
    shared: Sequence[str] = ()
    imports: bytes = b""
    constants: Sequence[Blob] = ()
    triple: str = ""

    @property
    def parsed(self) -> Manifest:
        """The manifest in the form in which the runtime reads it."""
        return Manifest.of(self.manifest)

    @property
    def blobs(self) -> list[Blob]:
        """The constants that describe the export; the model's code and the runtime read them."""
        return [
            *self.constants,
            *self.sessions.blobs,
            *describing_blobs(self.manifest, self.held, self.imports),
            *self.trace_blobs,
        ]

    @property
    def trace_blobs(self) -> list[Blob]:
        """The constant that lists the steps, if the program records their times."""
        return [Blob(SYMBOL_STEPS, self.steps.encode() + b"\0")] if self.steps else []

    @property
    def sessions(self) -> SessionCode:
        """The code for sessions, that is, runs that share the states of the model."""
        return SessionCode.of(self.manifest, self.triple)

    @property
    def exports(self) -> Sequence[str]:
        """The symbols of the model that its shared object exports."""
        names = (*MODULE_SYMBOLS, SYMBOL_LOAD_WEIGHTS, *self.sessions.symbols, *self.own)
        return [*dict.fromkeys(names)]

    @property
    def prefix(self) -> str:
        """The prefix of all names in C, which follows from the name of the file."""
        return c_prefix(self.file)


def shared_object(model: ExportedModel) -> list[ExportedFile]:
    """Return the shared object of a model, as the only file of a list."""
    sessions = model.sessions
    unused = () if sessions.states else (SYMBOL_SESSION_FUNCTIONS,)
    needed = (each for each in PROCESS_SYMBOLS if each not in unused)
    exports = dict.fromkeys((*model.exports, *needed))
    objects = (*model.objects, *sessions.objects)
    code = link(
        objects,
        blobs=model.blobs,
        exports=exports,
        has_build_id=True,
        kernels=model.kernels,
        triple=sessions.platform.triple,
    )
    return [ExportedFile(model.file, (signed(code, model.file),))]


def _object(model: ExportedModel) -> list[ExportedFile]:
    return [_header(model), ExportedFile(model.file, (_combined(model),))]


def _archive(model: ExportedModel) -> list[ExportedFile]:
    names = c_names(model.prefix, model.parsed, has_states=bool(model.sessions.states))
    library = static_library(_combined(model), "model.o", [*names.values()])
    return [_header(model), ExportedFile(model.file, (library,))]


def _combined(model: ExportedModel) -> bytes:
    names = c_names(model.prefix, model.parsed, has_states=bool(model.sessions.states))
    parts, count = object_parts(model.parsed, model.exports)
    objects, blobs = (*model.objects, *model.sessions.objects, *parts), [*model.blobs, count]
    return combine(objects, blobs=blobs, exports=names, shared=model.shared, kernels=model.kernels)


def _header(model: ExportedModel) -> ExportedFile:
    weights_file = model.manifest["weights_file"]
    text = c_header(
        model.prefix, model.file, model.parsed, weights_file, model.sessions.states, model.ranks
    )
    return ExportedFile(PurePath(model.file).with_suffix(".h").name, (text.encode(),))


def tar_archive(model: ExportedModel, file: str) -> list[ExportedFile]:
    """Return an archive of shared object, graph and weights, as the only file of a list.

    file: the name of the archive.
    """
    (library,) = shared_object(model)
    stem = PurePath(file).stem
    graph = ArchiveMember(f"{stem}.json", (graph_json(model.manifest).encode(),))
    params = ArchiveMember(
        model.held.file or f"{stem}{WEIGHTS_SUFFIX}", (model.held.start, model.held.weights)
    )
    return [
        ExportedFile(file, (*archive(ArchiveMember(library.name, library.parts), graph, params),))
    ]


FORMATS: Mapping[str, Callable[[ExportedModel], list[ExportedFile]]] = {
    ".so": shared_object,
    ".o": _object,
    ".a": _archive,
}
"""The function that makes the files of each format, the main file last, by suffix."""


__all__ = ["FORMATS", "ExportedWeights", "ExportedModel", "shared_object", "tar_archive"]
