"""Bundle: a file of named byte strings (parts), verified on every read.

    magic | length of the head | head (JSON) | digest of both | parts, each at a multiple of 4096

The file is read into private memory, for which numpy requests huge pages, and is not mapped. A
mapped file has 4 KiB pages, on which decoding with a language model, which reads every weight once,
takes 1.25 times as long. A mapped file could also change or shrink while it is in use.

The head contains the JSON values of the writer, and the size and checksum of each part. Checksums
are computed at the speed of memory. They detect accidents (lost, zeroed, moved or flipped bits and
blocks), but do not protect against forged files.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import numpy as np

ALIGNMENT_BYTES = 4096
"""Alignment of each part, in the file and in memory."""

_MAGIC = b"twbundle"
_LENGTH_BYTES = 8
_DIGEST_BYTES = 16
# The checksum is computed from the sums of groups of this many words (one page).
_ROW_WORDS = 512
_ROW_BYTES = 8 * _ROW_WORDS

Buffer: TypeAlias = "bytes | memoryview"


class DamagedError(Exception):
    """The error for a file that is not an intact bundle; the message states the reason."""


@dataclass(frozen=True)
class Bundle:
    """The contents of a bundle file: a JSON object, and read-only views of its parts by name."""

    metadata: Mapping[str, Any]
    parts: Mapping[str, memoryview]


@dataclass(frozen=True)
class BundleLayout:
    """The contents and the layout of a bundle that is not written yet.

    head: the bytes before the parts.  offsets: the position of each part in the file, in bytes.
    """

    head: bytes
    offsets: Mapping[str, int]
    parts: Mapping[str, Buffer]

    @property
    def size_bytes(self) -> int:
        """The size of the file."""
        ends = (at + len(self.parts[name]) for name, at in self.offsets.items())
        return max(ends, default=len(self.head))

    def write(self, file: BinaryIO) -> None:
        """Write the bundle to a file."""
        file.write(self.head)
        at = len(self.head)
        for name, offset in self.offsets.items():
            file.write(bytes(offset - at))
            file.write(self.parts[name])
            at = offset + len(self.parts[name])


def lay_out(metadata: Mapping[str, Any], parts: Mapping[str, Buffer]) -> BundleLayout:
    """Compute the layout of a bundle that contains a JSON object and parts.

    metadata: the JSON object.  parts: the byte strings by name.
    """
    sizes = {name: [len(data), checksum(data)] for name, data in parts.items()}
    text = json.dumps({"metadata": metadata, "parts": sizes}).encode()
    head = _MAGIC + len(text).to_bytes(_LENGTH_BYTES, "little") + text
    head += _digest(head)
    return BundleLayout(
        head, _offsets(len(head), {n: len(data) for n, data in parts.items()}), parts
    )


def read_bundle(path: Path) -> Bundle:
    """Return the contents of a bundle after verifying its digest and checksums.

    Errors: DamagedError if the file is not a bundle or is corrupted; OSError.
    """
    data = _read_aligned(path)
    start = len(_MAGIC) + _LENGTH_BYTES
    end = start + int.from_bytes(data[len(_MAGIC) : start], "little")
    said = data[end : end + _DIGEST_BYTES].tobytes()
    if data[: len(_MAGIC)].tobytes() != _MAGIC or said != _digest(data[:end]):
        raise DamagedError("the head does not match its digest")
    head = json.loads(data[start:end].tobytes())
    sizes: dict[str, list[Any]] = head["parts"]
    parts: dict[str, memoryview] = {}
    offsets = _offsets(end + _DIGEST_BYTES, {name: size for name, (size, _) in sizes.items()})
    for name, (size, expected) in sizes.items():
        parts[name] = data[offsets[name] : offsets[name] + size]
        if len(parts[name]) != size or checksum(parts[name]) != expected:
            raise DamagedError(f"part {name!r} does not match its checksum")
    return Bundle(head["metadata"], parts)


def checksum(data: Buffer) -> str:
    """Return hex digits that change if bytes are lost, moved or altered by accident.

    Cost: one pass over memory, 17 GB/s.
    """
    rows = len(data) // _ROW_BYTES
    digest = hashlib.blake2b(len(data).to_bytes(8, "little"), digest_size=_DIGEST_BYTES)
    if rows:
        words = np.frombuffer(data, np.uint64, rows * _ROW_WORDS).reshape(rows, _ROW_WORDS)
        digest.update(np.add.reduce(words, axis=1).tobytes())
    digest.update(data[rows * _ROW_BYTES :])
    return digest.hexdigest()


def _read_aligned(path: Path) -> memoryview:
    """Read a file into memory that is aligned for vector loads; return a read-only view of it."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        raw = np.empty(size + ALIGNMENT_BYTES, np.uint8)
        start = -raw.ctypes.data % ALIGNMENT_BYTES
        data = raw.data[start : start + size]
        return data[: file.readinto(data)].toreadonly()


def _offsets(head_bytes: int, sizes: Mapping[str, int]) -> dict[str, int]:
    """Return the offset of each part of a bundle file, in bytes, by name.

    head_bytes: the size of the head.  sizes: the size of each part.
    """
    offsets: dict[str, int] = {}
    at = head_bytes
    for name, size in sizes.items():
        offsets[name] = -(-at // ALIGNMENT_BYTES) * ALIGNMENT_BYTES
        at = offsets[name] + size
    return offsets


def _digest(data: Buffer) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES).digest()
