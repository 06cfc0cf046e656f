"""Constants and digests that every shared object of an exported model contains.

In: the manifest of a program, its weights, and an `Export`. Out: the constants by which the runtime
finds and checks the weights, and the digests of the file. The digest of the weights is in the
header of the weights file, so a library refuses the file of another model. The digest of the rest
of the library is written into the manifest last, and the build ID into its note
(runtime/file/elf_reader.py).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...codegen.linker import Blob
from ...runtime.abi.constants import (
    SYMBOL_IMPORTS,
    SYMBOL_MANIFEST,
    SYMBOL_WEIGHTS_HEADER,
    WEIGHT_ALIGNMENT_BYTES,
)
from ...runtime.file.elf_reader import BUILD_ID_BYTES, Image, image_digest, rest_digest
from ...runtime.file.safetensors import header
from ..backend import Export, ExportedFile

WEIGHTS_SUFFIX = ".safetensors"
# Replaced by the digest of the bytes that the build ID does not cover.
_REST = "rest" * 16


@dataclass(frozen=True)
class ExportedWeights:
    """The weights of an export.

    weights: their values as bytes.  file: name of the weights file; empty if the weights are in the
    library.  digest: the SHA-256 of the weights.  start: the header of the weights file, in the
    format of safetensors.
    """

    weights: memoryview
    file: str
    digest: str
    start: bytes

    @staticmethod
    def of(weights: memoryview, export: Export) -> ExportedWeights:
        """Return the weights of an export, with the name of their file and their digest."""
        has_file = bool(weights.nbytes) and not export.is_embedded
        digest = hashlib.sha256(weights).hexdigest() if weights.nbytes else ""
        # The digest in the name keeps the weights of two exports to one path apart.
        file = f"{export.file}.{digest[:16]}{WEIGHTS_SUFFIX}" if has_file else ""
        tensors = {"weights": ("U8", (weights.nbytes,), weights.nbytes)}
        start = header(tensors, {"format": "tilewright", "sha256": digest})
        return ExportedWeights(weights, file, digest, start)

    @property
    def facts(self) -> Mapping[str, Any]:
        """The manifest's entries for the weights.

        The entry for the digest of the library's other bytes has a placeholder, because that digest
        is computed last.
        """
        digest = self.digest
        return {"weights_file": self.file, "weights_sha256": digest, "rest_sha256": _REST}

    @property
    def files(self) -> list[ExportedFile]:
        """A list with the file of the weights; empty if the weights are in the library."""
        return [ExportedFile(self.file, (self.start, self.weights))] if self.file else []


def describing_blobs(
    manifest: Mapping[str, Any], held: ExportedWeights, imports: bytes
) -> list[Blob]:
    """Return the constants that describe an exported model to its loader.

    manifest: the description of the program.  held: the weights.  imports: the modules that the
    model imports, as bytes; empty if there are none.
    """
    # After the weights, because the segment must start with the weights.
    imported = [Blob(SYMBOL_IMPORTS, imports, is_apart=True)] if imports else []
    data = held.weights if held.weights.nbytes and not held.file else b"\0"
    return [
        Blob(SYMBOL_MANIFEST, json.dumps(manifest).encode() + b"\0"),
        Blob(SYMBOL_WEIGHTS_HEADER, held.start),
        Blob("tw_weights_file", held.file.encode() + b"\0", is_exported=False),
        Blob("tw_weights_data", data, WEIGHT_ALIGNMENT_BYTES, is_exported=False,
             is_apart=len(data) > 1),
        *imported,
    ]  # fmt: skip


def signed(code: bytes, name: str) -> bytearray:
    """Write the digest and the build ID of a library into its bytes; return the bytes.

    code: the library, with placeholders.  name: its name, for error messages.
    """
    made = bytearray(code)
    image = Image(memoryview(made), name)
    before = f'"rest_sha256": "{_REST}"'.encode()
    at = made.index(before, image.offset_of(SYMBOL_MANIFEST))
    made[at : at + len(before)] = before.replace(_REST.encode(), rest_digest(image).encode())
    at = image.build_id_at
    made[at : at + BUILD_ID_BYTES] = image_digest(image)
    return made
