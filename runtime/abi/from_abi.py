"""Values of the packed-function ABI as Python values: arguments of callbacks, results of calls.

In: a value, borrowed for a call or owned. Out: the Python value that runtime/abi/values.py lists
for it. Objects that Python made are returned as the same objects; the Python form of other objects
holds a reference to them.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterable, Sequence
from ctypes import addressof
from typing import Any

from .constants import (
    DTYPE_NAMES,
    OBJECT_KINDS,
    BytesObject,
    ByteSpan,
    DLTensor,
    OpaqueObject,
    SequenceObject,
    ShapeObject,
    TensorObject,
    TypeIndex,
    Value,
)
from .device import Device
from .dltensor import LENT, array_of
from .ndarray import NDArray, numpy_dtype
from .objects import object_table, span_bytes
from .values import Shape

FunctionReader = Callable[[int], object]
"""A function that returns the PackedFunc of an object, and takes ownership of a reference to it."""


def load(value: Value, where: str, read_function: FunctionReader, *, owned: bool) -> Any:
    """Convert a value of the ABI to a Python value.

    where: the name of the value in messages.  read_function: makes the Python form of a function
    object at an address.
    owned: True for a result, whose reference the caller owns; else an argument, borrowed for the
    call.
    Errors: TypeError for a kind without a Python form.
    """
    kind, payload = value.type_index, value.payload
    match kind:
        case TypeIndex.NONE:
            return None
        case TypeIndex.BOOL:
            return bool(payload.integer)
        case TypeIndex.INT:
            return int(payload.integer)
        case TypeIndex.FLOAT:
            return float(payload.number)
        case TypeIndex.OPAQUE_PTR:
            return ctypes.c_void_p(payload.pointer)
        case TypeIndex.DATA_TYPE:
            return numpy_dtype(DTYPE_NAMES[payload.dtype.code, payload.dtype.bits])
        case TypeIndex.DEVICE:
            return Device(payload.device.kind, payload.device.index)
        case TypeIndex.TENSOR_PTR if (lent := LENT.tensors.get(payload.pointer)) is not None:
            return lent
        case TypeIndex.TENSOR_PTR if not owned:  # any other returned tensor has no owner
            return NDArray(array_of(DLTensor.from_address(payload.pointer), where))
        case _ if kind in OBJECT_KINDS:
            return _load_object(value, where, read_function, owned=owned)
        case _:
            data = _load_bytes(value, where)
            return data.decode() if kind in (TypeIndex.SMALL_STR, TypeIndex.RAW_STR) else data


def borrowed_arrays(values: Iterable[Value], loaded: Sequence[object]) -> dict[int, NDArray]:
    """Return the arguments that are arrays on memory of the caller, valid only during the call.

    The result maps the position of each such argument to its array.

    values: all arguments in the ABI's form.  loaded: the same arguments as Python values.
    """
    return {
        position: array
        for position, (value, array) in enumerate(zip(values, loaded, strict=True))
        if value.type_index == TypeIndex.TENSOR_PTR
        and value.payload.pointer not in LENT.tensors
        and isinstance(array, NDArray)
    }


def _load_bytes(value: Value, where: str) -> bytes:
    payload = value.payload
    match value.type_index:
        case TypeIndex.SMALL_STR | TypeIndex.SMALL_BYTES:
            return ctypes.string_at(addressof(payload), value.padding)
        case TypeIndex.RAW_STR:
            return ctypes.string_at(payload.pointer)
        case TypeIndex.BYTES_PTR:
            return span_bytes(ByteSpan.from_address(payload.pointer))
        case _:
            raise _unknown_kind(value, where)


def _unknown_kind(value: Value, where: str) -> TypeError:
    return TypeError(
        f"{where} is a value of type index {value.type_index}, which Python has no form for\n"
        "    hint: pass numbers, text, bytes, tensors, functions, or lists of them"
    )


def _load_object(value: Value, where: str, read_function: FunctionReader, *, owned: bool) -> Any:
    address, table = int(value.payload.pointer), object_table()
    if not owned:
        table.retain(address)
    if (origin := table.origin(address)) is not None:
        table.release(address)
        return origin
    if value.type_index == TypeIndex.FUNCTION:
        return read_function(address)
    if value.type_index == TypeIndex.TENSOR:
        return _load_tensor(address, where)
    try:
        return _load_copied(value, address, where, read_function)
    finally:
        table.release(address)


def _load_copied(value: Value, address: int, where: str, read_function: FunctionReader) -> Any:
    match value.type_index:
        case TypeIndex.STR:
            return span_bytes(BytesObject.from_address(address)).decode()
        case TypeIndex.BYTES:
            return span_bytes(BytesObject.from_address(address))
        case TypeIndex.SHAPE:
            made = ShapeObject.from_address(address)
            return Shape((ctypes.c_int64 * made.size).from_address(made.data or 0))
        case TypeIndex.OPAQUE_PYTHON:
            handle = OpaqueObject.from_address(address).handle
            return ctypes.cast(handle, ctypes.py_object).value
        case TypeIndex.ARRAY | TypeIndex.LIST:
            made = SequenceObject.from_address(address)
            elements = (Value * made.size).from_address(made.data or 0)
            loaded = [
                load(element, f"{where}[{index}]", read_function, owned=False)
                for index, element in enumerate(elements)
            ]
            return loaded if value.type_index == TypeIndex.LIST else tuple(loaded)
        case _:
            raise _unknown_kind(value, where)


def _load_tensor(address: int, where: str) -> NDArray:
    """Return an array on the memory of a tensor object; take over one reference to the object."""
    array = array_of(TensorObject.from_address(address).tensor, where)
    owner = array if array.base is None else array.base
    weakref.finalize(_holder(owner), object_table().release, address)
    return NDArray(array)


def _holder(owner: object) -> object:
    """Return the object that owns a tensor's memory, which all arrays on the memory keep alive.

    owner: the base of such an array, maybe a memoryview of the object.
    """
    return owner.obj if isinstance(owner, memoryview) else owner
