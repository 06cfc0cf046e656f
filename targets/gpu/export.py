"""Exported modules of GPUs: a shared object with the code of a program as data.

In: an artifact. Out: a library for the target's host, without functions. Its constants are the
manifest, the `DeviceCode` (PTX or source, and the model's parts for other targets), and the
weights, unless they are in a file. The loader needs the package `tilewright`, which runs main, and
the driver of the device.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...codegen.linker import Blob, link
from ...codegen.llvm import Machine, compile_ir
from ...runtime.abi.constants import SYMBOL_DEVICE_CODE
from ..backend import Artifact, Export, ExportedFile, SavedModule
from ..shared_object import ExportedWeights, describing_blobs, signed
from .code import DeviceCode


def exported(artifact: Artifact, export: Export) -> Sequence[ExportedFile]:
    """Return the library of an artifact; before it, the weights file, unless weights are inside."""
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
