"""Exported modules of GPUs: a shared object that runs in any process, or data for Python.

In: an artifact. Out: a library for the target's host. If main can be compiled for the host
(compiled/main.py), the library has the functions of a library for CPUs, and the driver of the
device is all that it needs. Otherwise it has no functions, but the `DeviceCode` (the kernels, main
as printed IR, and the model's parts for other targets) as a constant, and its loader needs the
package `tilewright`, which runs main. The weights are in the library or in a file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from ...codegen.linker import Blob, link
from ...codegen.llvm import Machine, compile_ir
from ...runtime.abi.constants import (
    SYMBOL_DEVICE_CODE,
    SYMBOL_DEVICE_LIBRARY,
)
from ...runtime.errors import ArgumentError
from ..backend import Artifact, Export, ExportedFile, SavedModule
from ..library.formats import FORMATS, ExportedModel, tar_archive
from ..library.shared_object import ExportedWeights, describing_blobs, signed
from .code import DeviceCode
from .compiled.main import HostProgram


def exported(artifact: Artifact, export: Export) -> Sequence[ExportedFile]:
    """Return the files of an artifact: first the weights file, unless weights are inside.

    Errors: ArgumentError for a format whose files have functions, if main cannot be compiled.
    """
    program, path = HostProgram.of(artifact), PurePath(export.file)
    reason = program.refusal
    if reason and path.suffix != ".so":
        raise ArgumentError(
            f"a file {path.suffix} calls main without Python, but {reason}",
            got=export.file,
            hint="export a .so, and load it with tilewright.load_module",
        )
    if reason:
        return _data(artifact, export)
    if path.suffix == ".tar":  # the weights are a member
        inner = replace(export, file=f"{path.stem}.so", is_embedded=False)
        return tar_archive(_model(program, inner), export.file)
    model = _model(program, export)
    return [*model.held.files, *FORMATS[path.suffix](model)]


def _model(host: HostProgram, export: Export) -> ExportedModel:
    """Return the contents of a library whose main function is machine code."""
    program = host.compiled()
    held = ExportedWeights.of(program.weights, export)
    described = {**json.loads(program.entry.manifest()), "device_kernels": program.symbols}
    manifest = {**described, **held.facts, **export.facts}
    own = (SYMBOL_DEVICE_LIBRARY, *program.entry.own_symbols)
    return ExportedModel(
        export.file,
        program.objects,
        own,
        manifest,
        held,
        (),
        imports=export.imports,
        constants=program.blobs,
    )


def _data(artifact: Artifact, export: Export) -> Sequence[ExportedFile]:
    """Return the files of a library that contains the program as data, and no functions."""
    held = ExportedWeights.of(memoryview(artifact.weights).cast("B"), export)
    program = json.loads(DeviceCode.decoded(artifact.code).host)
    manifest = json.loads(program["manifest"])
    manifest |= {"weights_bytes": held.weights.nbytes, **held.facts, **export.facts}
    blobs = [
        *describing_blobs(manifest, held, export.imports),
        Blob(SYMBOL_DEVICE_CODE, bytes(artifact.code)),
    ]
    empty = compile_ir("", Machine(program["triple"])).data
    code = link([empty], blobs=blobs, has_build_id=True)
    return [*held.files, ExportedFile(export.file, (signed(code, export.file),))]


def with_parts(artifact: Artifact, parts: Mapping[str, SavedModule]) -> Artifact:
    """Return an artifact whose code holds the programs for other targets that main calls."""
    code = replace(DeviceCode.decoded(artifact.code), parts=parts)
    return replace(artifact, code=code.encoded())


__all__ = ["exported", "with_parts"]
