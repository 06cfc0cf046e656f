"""Compiled models as files: libraries and objects for processes without this compiler.

In: an `Export`, and an artifact, whose `objects` are an archive of its code, of the worker pool
and of the code that finds weights (runtime/native/weights.c). Out: the files, as byte strings, in
the formats of targets/library/, or as a static program.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from ....codegen.linker import link
from ....codegen.x86_features import needed_features
from ....runtime.abi.constants import MODULE_SYMBOLS, SYMBOL_MANIFEST, SYMBOL_STEPS
from ....runtime.file.archive import archived
from ....runtime.file.elf_reader import Image
from ...backend import Artifact, Export, ExportedFile
from ...library.formats import FORMATS as LIBRARY_FORMATS
from ...library.formats import ExportedModel, tar_archive
from ...library.shared_object import ExportedWeights
from .program_code import program_parts


def exported(artifact: Artifact, export: Export) -> Sequence[ExportedFile]:
    """Return the files of an exported model: first the weights file, if the model has one.

    Before: the suffix of ``export.file`` is ``.tar`` or a key of `FORMATS`.
    """
    path = PurePath(export.file)
    if path.suffix == ".tar":  # the weights are a member
        inner = replace(export, file=f"{path.stem}.so", is_embedded=False)
        return tar_archive(model_of(artifact, inner), export.file)
    model = model_of(artifact, export)
    return [*model.held.files, *program_text(artifact, path), *FORMATS[path.suffix](model)]


def program_text(artifact: Artifact, path: PurePath) -> list[ExportedFile]:
    """Return the printed program to which line tables refer, as a file; [] without them.

    path: the name of the exported file.
    """
    text = artifact.program_text.encode()
    return [ExportedFile(f"{path.stem}.mlir", (text,))] if text else []


def portable_code(artifact: Artifact) -> bytes:
    """Return the shared object of an artifact, for use on other machines.

    Its manifest names only the CPU features that the code uses.  The manifest in an artifact names
    all features of the target, which is enough for this machine.  The changed manifest has the same
    length: spaces replace the names of unused features.
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


def model_of(artifact: Artifact, export: Export) -> ExportedModel:
    """Return the parts from which the files of an exported artifact are made."""
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
    return ExportedModel(
        export.file, objects, own, facts, held, kernels, steps, imports=export.imports
    )


def _program(model: ExportedModel) -> list[ExportedFile]:
    """Return a static executable that runs the model on .npy files.

    Errors: ArgumentError for a model that calls functions of its process.
    """
    objects, tables = program_parts(model.objects, model.parsed)
    blobs = (*model.blobs, *tables)
    code = link(objects, blobs=blobs, exports=(), start="_start", kernels=model.kernels)
    return [ExportedFile(model.file, (code,), is_program=True)]


FORMATS: Mapping[str, Callable[[ExportedModel], list[ExportedFile]]] = {
    **LIBRARY_FORMATS,
    "": _program,
}
"""The function that makes the files of each format, the main file last, by suffix."""
