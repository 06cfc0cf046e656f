"""Read tensors of an ONNX file as numpy arrays, and check the bounds of external data."""

from __future__ import annotations

from math import prod
from pathlib import Path

import numpy as np
from onnx import TensorProto, numpy_helper
from onnx.helper import tensor_dtype_to_np_dtype

from ....support.diagnostics import ModelError, UnsupportedOp
from .external import map_bytes

MAX_RANK = 32
# Element types packed several to a byte in raw data; numpy holds one per byte.
_PACKED_BITS = {"UINT4": 4, "INT4": 4, "FLOAT4E2M1": 4, "UINT2": 2, "INT2": 2} | {
    "FLOAT6E2M3": 6,
    "FLOAT6E3M2": 6,
}
_REWRITE = "export the model again, or rewrite the tensor with onnx.numpy_helper.from_array"


def numpy_type(code: int, where: str = "attribute") -> np.dtype:
    """Return the numpy dtype for an ONNX element type code.

    where: a name for the tensor in messages.
    Errors: ModelError for an unknown code.
    """
    try:
        return np.dtype(tensor_dtype_to_np_dtype(code))
    except (KeyError, TypeError, ValueError) as err:
        raise ModelError(
            f"{where} has an unknown element type",
            expected="a code of onnx.TensorProto.DataType",
            got=code,
            hint="export the model with a newer onnx, or correct the code",
        ) from err


def type_code(name: str) -> int | None:
    """Return the code for the standard's name of an element type, such as FLOAT, or None."""
    return dict(TensorProto.DataType.items()).get(name)


def array_of(tensor: TensorProto, folder: Path | None, where: str) -> np.ndarray:
    """Return a tensor's values as an array, without a copy for raw or external data.

    folder: the model's folder, for external data.  where: a name for the tensor in messages.
    Errors: ModelError if type, shape and data contradict each other.
    """
    shape, dtype = tuple(tensor.dims), numpy_type(tensor.data_type, where)
    if any(size < 0 for size in shape) or len(shape) > MAX_RANK:
        raise ModelError(
            f"{where} has an impossible shape",
            expected=f"at most {MAX_RANK} sizes, none negative",
            got=shape if len(shape) <= MAX_RANK else f"{len(shape)} sizes",
            hint=_REWRITE,
        )
    if tensor.data_type == TensorProto.STRING:
        return _strings(tensor, shape, where)
    if tensor.HasField("segment"):
        raise UnsupportedOp(f"{where} is stored in segments", hint=_REWRITE)
    if tensor.data_location == TensorProto.EXTERNAL:
        return _plain(_external(tensor, dtype, folder, where))
    if tensor.HasField("raw_data"):
        _check_length(tensor, len(tensor.raw_data), dtype, where)
    try:
        return _plain(numpy_helper.to_array(tensor))
    except (ValueError, TypeError, OverflowError, IndexError) as err:
        raise ModelError(
            f"{where} has a wrong number of values for its shape",
            expected=f"shape {shape} of {dtype}",
            hint=_REWRITE,
        ) from err


def _strings(tensor: TensorProto, shape: tuple[int, ...], where: str) -> np.ndarray:
    if len(tensor.string_data) != prod(shape):
        raise ModelError(
            f"{where} has a wrong number of values for its shape",
            expected=f"shape {shape} of strings",
            got=len(tensor.string_data),
            hint=_REWRITE,
        )
    made = np.empty(len(tensor.string_data), object)
    made[:] = [each.decode("utf-8", "replace") for each in tensor.string_data]
    return made.reshape(shape)


def _plain(array: np.ndarray) -> np.ndarray:
    """Replace nonzero bytes of a bool array by 1, so that each byte is 0 or 1."""
    return np.asarray(array.view(np.uint8) != 0) if array.dtype == np.bool_ else array


def _external(tensor: TensorProto, dtype: np.dtype, folder: Path | None, where: str) -> np.ndarray:
    entries = {e.key: e.value for e in tensor.external_data}
    try:
        offset = int(entries.get("offset", 0))
        length = int(entries.get("length", _byte_count(tensor, dtype)))
    except ValueError as err:
        raise ModelError(
            f"{where} has a malformed offset or length",
            expected="decimal numbers",
            got={key: entries[key][:40] for key in ("offset", "length") if key in entries},
            hint="save the model again with onnx.save(…, save_as_external_data=True)",
        ) from err
    _check_length(tensor, length, dtype, where)
    try:
        data = map_bytes(folder, entries.get("location", ""), offset, length)
    except ModelError as err:
        raise err.named(where) from None
    if _type_name(tensor) in _PACKED_BITS:
        plain = TensorProto(data_type=tensor.data_type, dims=tensor.dims, raw_data=data.tobytes())
        return numpy_helper.to_array(plain)
    return np.require(data.view(dtype).reshape(tuple(tensor.dims)), requirements="A")


def _type_name(tensor: TensorProto) -> str:
    return TensorProto.DataType.Name(tensor.data_type)


def _byte_count(tensor: TensorProto, dtype: np.dtype) -> int:
    bits = _PACKED_BITS.get(_type_name(tensor), dtype.itemsize * 8)
    return (prod(tensor.dims) * bits + 7) // 8


def _check_length(tensor: TensorProto, length: int, dtype: np.dtype, where: str) -> None:
    expected = _byte_count(tensor, dtype)
    if length != expected:
        raise ModelError(
            f"{where} has a wrong number of values for its shape",
            expected=f"{expected} bytes for shape {tuple(tensor.dims)} of {dtype}",
            got=f"{length} bytes",
            hint=_REWRITE,
        )
