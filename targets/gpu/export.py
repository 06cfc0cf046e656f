"""Exported modules of GPUs: libraries with the functions of a library for CPUs.

In: an artifact. Out: a library for the target's host. For CUDA and ROCm, the driver of the device
is all that it needs. The devices of other kinds are driven by Python
(runtime/module/device_code.py), so their files are only shared objects, which the package
`tilewright-runtime` loads. The weights are in the library or in a file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from ...codegen.linker import Blob
from ...runtime.abi.constants import SYMBOL_DEVICE_PARTS
from ...runtime.errors import ArgumentError
from ...runtime.module.device_parts import encoded_parts
from ..backend import Artifact, Export, ExportedFile, SavedModule
from ..library.formats import FORMATS, ExportedModel, tar_archive
from ..library.objects import library_objects
from ..library.shared_object import ExportedWeights
from .code import DeviceCode
from .host_program import PARTS, SYMBOLS, kernels_blob, symbols_of


def exported(artifact: Artifact, export: Export) -> Sequence[ExportedFile]:
    """Return the files of an artifact: first the weights file, unless weights are inside.

    Errors: ArgumentError for a format other than .so, if main calls parts of the model for other
    targets, which only Python loads.
    """
    code, path = DeviceCode.decoded(artifact.code), PurePath(export.file)
    if code.parts and path.suffix != ".so":
        raise ArgumentError(
            f"a file {path.suffix} calls main without Python, but main calls parts of the model "
            "for other targets",
            got=export.file,
            hint="export a .so, and load it with tilewright.load_module",
        )
    weights = memoryview(artifact.weights).cast("B")
    if path.suffix == ".tar":  # the weights are a member
        inner = replace(export, file=f"{path.stem}.so", is_embedded=False)
        return tar_archive(_model(code, weights, inner), export.file)
    model = _model(code, weights, export)
    return [*model.held.files, *FORMATS[path.suffix](model)]


def _model(code: DeviceCode, weights: memoryview, export: Export) -> ExportedModel:
    fields, held = code.fields, ExportedWeights.of(weights, export)
    kernels = symbols_of(code.kernels())
    described = {**json.loads(fields["manifest"]), "device_kernels": kernels}
    blobs, own = [kernels_blob(code)], [*SYMBOLS, *fields["symbols"]]
    if code.parts:
        blobs.append(Blob(SYMBOL_DEVICE_PARTS, code.parts))
        own.append(SYMBOL_DEVICE_PARTS)
    return ExportedModel(
        export.file,
        library_objects(fields["texts"], PARTS, fields["triple"]),
        own,
        {**described, **held.facts, **export.facts},
        held,
        (),
        imports=export.imports,
        constants=blobs,
        triple=fields["triple"],
    )


def with_parts(artifact: Artifact, parts: Mapping[str, SavedModule]) -> Artifact:
    """Return an artifact whose code holds the programs for other targets that main calls."""
    code = replace(DeviceCode.decoded(artifact.code), parts=encoded_parts(parts))
    return replace(artifact, code=code.encoded())
