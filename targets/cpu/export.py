"""Compiled models as files: libraries that processes load without this compiler.

In: an `Export`, and an artifact, whose `objects` are an archive of its code, of the worker pool
and of the code that finds weights (runtime/native/weights.c). Out: the files, as byte strings. The
objects are linked again with three more constants: the manifest with the facts of the export, the
name of the weight file, and the header that this file must have. The header contains the SHA-256 of
the weights, so a library refuses the file of another model. Then the digest of the rest of the file
is written into the manifest, and the build ID into its note; runtime/image.py defines both.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import PurePath

from ...codegen.archive import members
from ...codegen.linker import Blob, link
from ...runtime.abi import (
    MODULE_SYMBOLS,
    POOL_SYMBOLS,
    SYMBOL_LOAD_WEIGHTS,
    SYMBOL_MANIFEST,
    SYMBOL_WEIGHTS_HEADER,
    WEIGHT_ALIGNMENT_BYTES,
)
from ...runtime.image import BUILD_ID_BYTES, Image, image_digest, rest_digest
from ...support.safetensors import header
from ..backend import Artifact, Export, ExportedFile

_EXPORTS = (*POOL_SYMBOLS, SYMBOL_LOAD_WEIGHTS)
_WEIGHTS_SUFFIX = ".safetensors"
# Replaced by the digest of the bytes that the build ID does not cover.
_REST = "rest" * 16


def shared_object(artifact: Artifact, export: Export) -> Sequence[ExportedFile]:
    """Return the file of the weights, unless they are embedded, and the shared object."""
    weights = memoryview(artifact.weights).cast("B")
    has_file = bool(weights.nbytes) and not export.is_embedded
    weights_file = PurePath(export.file).stem + _WEIGHTS_SUFFIX if has_file else ""
    key = hashlib.sha256(weights).hexdigest() if weights.nbytes else ""
    start = header("weights", weights.nbytes, {"format": "tilewright", "sha256": key})
    image = Image(bytes(artifact.code))
    manifest = json.loads(image.text(SYMBOL_MANIFEST))
    manifest |= {"weights_file": weights_file, "weights_sha256": key, "rest_sha256": _REST}
    manifest |= export.facts
    blobs = (
        Blob(SYMBOL_MANIFEST, json.dumps(manifest).encode() + b"\0"),
        Blob(SYMBOL_WEIGHTS_HEADER, start),
        Blob("tw_weights_file", weights_file.encode() + b"\0", is_exported=False),
        _weights_blob(b"\0" if has_file or not weights.nbytes else weights),
    )
    own = [name for name in image.symbols if name not in MODULE_SYMBOLS]
    code = link(
        members(bytes(artifact.objects)),
        blobs=blobs,
        exports=(*MODULE_SYMBOLS, *_EXPORTS, *own),
        has_build_id=True,
    )
    files = [ExportedFile(export.file, (_signed(code, export.file),))]
    if has_file:
        files.insert(0, ExportedFile(weights_file, (start, weights)))
    return files


def _signed(code: bytes, name: str) -> bytearray:
    """Return a library with its digests."""
    made = bytearray(code)
    image = Image(memoryview(made), name)
    before = f'"rest_sha256": "{_REST}"'.encode()
    at = made.index(before, image.offset_of(SYMBOL_MANIFEST))
    made[at : at + len(before)] = before.replace(_REST.encode(), rest_digest(image).encode())
    at = image.build_id_at
    made[at : at + BUILD_ID_BYTES] = image_digest(image)
    return made


def _weights_blob(data: bytes | memoryview) -> Blob:
    return Blob(
        "tw_weights_data", data, WEIGHT_ALIGNMENT_BYTES, is_exported=False, is_apart=len(data) > 1
    )
