"""Named arrays in the layout of safetensors files.

    length of the header (8 bytes) | header (JSON, padded with spaces) | data

In: arrays by name, or the bytes of a file. Out: the parts of a file, whose data starts at a
multiple of 64 bytes, or read-only views of the bytes.

Source: the format description of the safetensors project.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np

from ..abi.ndarray import Array, numpy_dtype
from ..errors import ArgumentError

DTYPES = {
    "BOOL": "bool",
    "I8": "int8",
    "I16": "int16",
    "I32": "int32",
    "I64": "int64",
    "U8": "uint8",
    "U16": "uint16",
    "U32": "uint32",
    "U64": "uint64",
    "F16": "float16",
    "BF16": "bfloat16",
    "F32": "float32",
    "F64": "float64",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
}
"""Numpy dtypes by safetensors names; other dtypes are written with their numpy name."""

_TAGS = {name: tag for tag, name in DTYPES.items()}
DATA_ALIGNMENT_BYTES = 64


def header(
    tensors: Mapping[str, tuple[str, tuple[int, ...], int]], metadata: Mapping[str, str] | None
) -> bytes:
    """Return the first bytes of a safetensors file: the length of the header, and the header.

    tensors: dtype (a key of `DTYPES`), shape and size in bytes by name, in the order of the data.
    """
    rows: dict[str, object] = {} if metadata is None else {"__metadata__": dict(metadata)}
    offset = 0
    for name, (dtype, shape, size_bytes) in tensors.items():
        ends = [offset, offset + size_bytes]
        rows[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": ends}
        offset += size_bytes
    text = json.dumps(rows).encode()
    text += b" " * (-(8 + len(text)) % DATA_ALIGNMENT_BYTES)
    return struct.pack("<Q", len(text)) + text


def parts(arrays: Mapping[str, Array]) -> Iterator[bytes | memoryview]:
    """Yield the parts of a safetensors file that contains these arrays."""
    yield header(
        {name: (_tag(array), array.shape, array.nbytes) for name, array in arrays.items()},
        None,
    )
    for array in arrays.values():
        yield np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _tag(array: Array) -> str:
    return _TAGS.get(str(array.dtype.name), str(array.dtype.name))


def arrays_in(data: Any) -> dict[str, Array]:
    """Return the named arrays in the bytes of a safetensors file; aligned arrays are not copied.

    Errors: ArgumentError for bytes of another layout.
    """
    blob = np.frombuffer(data, np.uint8)
    try:
        (length,) = struct.unpack("<Q", blob[:8].tobytes())
        rows = cast("dict[str, dict[str, Any]]", json.loads(blob[8 : 8 + length].tobytes()))
        behind = blob[8 + length :]
        return {
            name: _array_at(behind, row) for name, row in rows.items() if name != "__metadata__"
        }
    except (ValueError, KeyError, TypeError, AttributeError, struct.error) as err:
        raise ArgumentError(
            "the bytes are not in the layout of safetensors",
            got=repr(err),
            hint="write parameters with save_params, weights of IR with tw-opt --save-weights",
        ) from err


def _array_at(data: Array, row: Mapping[str, Any]) -> Array:
    begin, end = row["data_offsets"]
    tag = str(row["dtype"])
    dtype = numpy_dtype(DTYPES.get(tag, tag))
    raw = np.asarray(data[begin:end])
    if raw.ctypes.data % max(dtype.itemsize, 1):
        raw = raw.copy()
    return raw.view(dtype).reshape(row["shape"])
