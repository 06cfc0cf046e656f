"""Compiled models as files: libraries and objects for processes without this compiler.

In: an `Export`, and an artifact, whose `objects` are an archive of its code, of the worker pool
and of the code that finds weights (runtime/native/weights.c). Out: the files, as byte strings. The
objects are linked again with constants that describe the export (targets/shared_object.py). An
object for C programs (.o, .a) defines the names that its header (c_header.py) declares.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from ....codegen.archive import static_library
from ....codegen.linker import Blob, link
from ....codegen.relocatable import combine
from ....codegen.x86_features import needed_features
from ....runtime.abi.constants import (
    MODULE_SYMBOLS,
    PROCESS_SYMBOLS,
    SYMBOL_LOAD_WEIGHTS,
    SYMBOL_MANIFEST,
    SYMBOL_STEPS,
)
from ....runtime.file.archive import Member, archive, archived
from ....runtime.file.elf_reader import Image
from ....runtime.file.manifest import Manifest
from ....runtime.file.module_json import graph_json
from ...backend import Artifact, Export, ExportedFile
from ...shared_object import WEIGHTS_SUFFIX, ExportedWeights, describing_blobs, signed
from .c_header import c_header, c_names, c_prefix
from .executor_code import object_parts
from .program_code import program_parts
from .session_code import SessionCode


def exported(artifact: Artifact, export: Export) -> Sequence[ExportedFile]:
    """Return the files of an exported model: first the weights file, if it has one.

    Before: the suffix of the file is .tar or a key of `FORMATS`.
    """
    path = PurePath(export.file)
    if path.suffix == ".tar":  # the weights are a member
        inner = replace(export, file=f"{path.stem}.so", is_embedded=False)
        return _tar(model_of(artifact, inner), export.file)
    model = model_of(artifact, export)
    return [*model.held.files, *program_text(artifact, path), *FORMATS[path.suffix](model)]


def program_text(artifact: Artifact, path: PurePath) -> list[ExportedFile]:
    """Return the file with the printed program, if line tables refer to one."""
    text = artifact.program_text.encode()
    return [ExportedFile(f"{path.stem}.mlir", (text,))] if text else []


def portable_code(artifact: Artifact) -> bytes:
    """Return the shared object of an artifact, with the CPU features that its code uses.

    The manifest in an artifact names all features of the target, which is enough for running it on
    this machine.  The changed manifest keeps its length: spaces replace the names of unused
    features.
    """
    code = bytearray(artifact.code)
    image = Image(memoryview(code))
    flags = json.loads(image.text(SYMBOL_MANIFEST))["cpu_flags"]
    before = f'"cpu_flags": {json.dumps(flags)}'
    after = f'"cpu_flags": {json.dumps(needed_features(_objects(artifact), flags))}'
    at = code.index(before.encode(), image.offset_of(SYMBOL_MANIFEST))
    code[at : at + len(before)] = after.ljust(len(before)).encode()
    return bytes(code)


def _objects(artifact: Artifact) -> list[bytes]:
    return [bytes(each) for each in archived(memoryview(artifact.objects), "the objects")]


@dataclass(frozen=True)
class Model:
    """A compiled model with all that the files of its formats (.so, .o, .tar, …) are made from.

    own: the symbols that its shared object exports in addition to `MODULE_SYMBOLS`.  kernels: the
    names of the kernels and of the model's nodes that each computes, for profilers and debuggers.
    steps: the steps whose times the program records, as JSON; empty without profiling.
    ranks: the rank of each argument of several programs, -1 if it depends on the program.
    shared: symbols that several objects define; all code uses the first definition.
    imports: see `Export`.
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

    @property
    def parsed(self) -> Manifest:
        """The manifest in the form in which the runtime reads it."""
        return Manifest.parse(json.dumps(self.manifest))

    @property
    def blobs(self) -> list[Blob]:
        """The constants from which the code reads the description of the export."""
        return [
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
        """The code for sessions, which hold the states of the model."""
        return SessionCode.of(self.manifest)

    @property
    def exports(self) -> Sequence[str]:
        """The symbols of the model that its shared object exports."""
        names = (*MODULE_SYMBOLS, SYMBOL_LOAD_WEIGHTS, *self.sessions.symbols, *self.own)
        return [*dict.fromkeys(names)]

    @property
    def prefix(self) -> str:
        """The prefix of the names in C, from the name of the file."""
        return c_prefix(self.file)


def model_of(artifact: Artifact, export: Export) -> Model:
    """Return the parts from which the files of an artifact are made."""
    held = ExportedWeights.of(memoryview(artifact.weights).cast("B"), export)
    image = Image(bytes(artifact.code))
    manifest = json.loads(image.text(SYMBOL_MANIFEST)) | held.facts
    objects = _objects(artifact)
    manifest["cpu_flags"] = needed_features(objects, manifest["cpu_flags"])
    kernels = [(kernel.name, kernel.nodes) for kernel in artifact.kernels]
    described = (*MODULE_SYMBOLS, SYMBOL_STEPS)
    own = [name for name in image.symbols if name not in described]
    steps = image.text(SYMBOL_STEPS) if SYMBOL_STEPS in image.symbols else ""
    facts = manifest | export.facts
    return Model(export.file, objects, own, facts, held, kernels, steps, imports=export.imports)


def _shared_object(model: Model) -> list[ExportedFile]:
    sessions = model.sessions
    exports = dict.fromkeys((*model.exports, *PROCESS_SYMBOLS))
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


def _object(model: Model) -> list[ExportedFile]:
    """Return a C header, and a relocatable object that defines the names of the header."""
    return [_header(model), ExportedFile(model.file, (_combined(model),))]


def _archive(model: Model) -> list[ExportedFile]:
    """Return a C header, and a static library of the object."""
    names = c_names(model.prefix, model.parsed, has_states=bool(model.sessions.states))
    library = static_library(_combined(model), "model.o", [*names.values()])
    return [_header(model), ExportedFile(model.file, (library,))]


def _combined(model: Model) -> bytes:
    names = c_names(model.prefix, model.parsed, has_states=bool(model.sessions.states))
    parts, count = object_parts(model.parsed, model.exports)
    objects, blobs = (*model.objects, *model.sessions.objects, *parts), [*model.blobs, count]
    return combine(objects, blobs=blobs, exports=names, shared=model.shared, kernels=model.kernels)


def _header(model: Model) -> ExportedFile:
    weights_file = model.manifest["weights_file"]
    text = c_header(
        model.prefix, model.file, model.parsed, weights_file, model.sessions.states, model.ranks
    )
    return ExportedFile(PurePath(model.file).with_suffix(".h").name, (text.encode(),))


def _program(model: Model) -> list[ExportedFile]:
    """Return a static executable that runs the model on .npy files.

    Errors: ArgumentError for a model that calls functions of its process.
    """
    objects, tables = program_parts(model.objects, model.parsed)
    blobs = (*model.blobs, *tables)
    code = link(objects, blobs=blobs, exports=(), start="_start", kernels=model.kernels)
    return [ExportedFile(model.file, (code,), is_program=True)]


def _tar(model: Model, file: str) -> list[ExportedFile]:
    """Return an archive of the shared object, the graph and the weights."""
    (library,) = _shared_object(model)
    stem = PurePath(file).stem
    graph = Member(f"{stem}.json", (graph_json(model.manifest).encode(),))
    params = Member(
        model.held.file or f"{stem}{WEIGHTS_SUFFIX}", (model.held.start, model.held.weights)
    )
    return [ExportedFile(file, (*archive(Member(library.name, library.parts), graph, params),))]


FORMATS: Mapping[str, Callable[[Model], list[ExportedFile]]] = {
    ".so": _shared_object,
    ".o": _object,
    ".a": _archive,
    "": _program,
}
"""The function that makes the files of each format, the main file last, by suffix."""
