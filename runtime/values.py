"""Python values as values of the packed-function ABI, and back.

None bool int float                 by value; numpy scalars as Python's
str bytes                           by reference for the length of the call, or owned (results)
numpy arrays, NDArray, DLPack       tensors on the same memory, never copied
np.dtype, Device, ctypes.c_void_p   data type, device, opaque pointer
functions                           function objects that call back into Python
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from ctypes import addressof
from math import prod
from typing import Any, Protocol, cast

import numpy as np

from .abi import (
    DTYPE_NAMES,
    DTYPES,
    BytesObject,
    DeviceType,
    Tensor,
    TensorObject,
    TypeIndex,
    Value,
)
from .errors import ArgumentError
from .ndarray import Array, Device, NDArray, address_reader, from_dlpack, numpy_dtype
from .objects import object_table
from .read_only import is_read_only

_INT64 = range(-(1 << 63), 1 << 63)
_SMALL_BYTES = 7
_KINDS = (
    "None, bool, int, float, str, bytes, an array, a dtype, a Device, a ctypes.c_void_p, a function"
)


class HasFunctionObject(Protocol):
    """The interface that lets a packed function be passed as a value."""

    def object_address(self) -> int:
        """Return the address of a function object that lives as long as this one."""
        ...


FunctionMaker = Callable[[Any, str], HasFunctionObject]
FunctionReader = Callable[[int], object]


class _Bytes(ctypes.Structure):
    """Bytes with their length, as a packed function receives them."""

    _fields_ = (("data", ctypes.c_char_p), ("size", ctypes.c_size_t))


def store(value: Value, argument: object, where: str, make: FunctionMaker) -> object:
    """Write a Python value into an argument; return the object to keep alive during the call.

    make: wraps a Python function.
    Errors: ArgumentError for a value that cannot be passed.
    """
    if _store_scalar(value, argument, where):
        return argument
    match argument:
        case str():
            return _store_text(value, argument.encode(), where)
        case bytes():
            block = _Bytes(argument, len(argument))
            value.type_index, value.payload.pointer = TypeIndex.BYTES_PTR, addressof(block)
            return block
        case list() | tuple() | dict() | set() | complex():
            raise _refused(argument, where)
        case _ if callable(argument):
            function = make(argument, where)
            value.type_index = TypeIndex.FUNCTION
            value.payload.pointer = function.object_address()
            return function
        case _:
            return _store_array(value, argument, where)


def store_result(value: Value, result: object, where: str, make: FunctionMaker) -> None:
    """Write the result of a Python function; the receiver owns it.

    Errors: ArgumentError for a value that cannot be returned.
    """
    if _store_scalar(value, result, where):
        return
    table = object_table()
    match result:
        case str() | bytes():
            data = result.encode() if isinstance(result, str) else result
            _store_owned_bytes(value, data, is_text=isinstance(result, str))
        case list() | tuple() | dict() | set() | complex():
            raise _refused(result, where)
        case _ if callable(result):
            function = make(result, where)
            value.type_index = TypeIndex.FUNCTION
            value.payload.pointer = function.object_address()
            table.retain(value.payload.pointer)
        case _:
            array = as_array(result, where)
            # The receiver owns the result, and may write to it.
            array = array if array.flags.writeable else array.copy()
            tensor, alive = tensor_of(array, where)
            made = TensorObject(tensor=tensor)
            value.type_index = TypeIndex.TENSOR
            value.payload.pointer = table.make(made, TypeIndex.TENSOR, array, tensor, alive)


def _store_scalar(value: Value, argument: object, where: str) -> bool:
    """Write a value if it fits in 16 bytes; return whether it did."""
    if isinstance(argument, np.generic) and not isinstance(argument, (np.void, np.complexfloating)):
        argument = argument.item() if argument.dtype.isbuiltin == 1 else float(cast(Any, argument))
    match argument:
        case None:
            value.type_index = TypeIndex.NONE
        case bool():
            value.type_index, value.payload.integer = TypeIndex.BOOL, int(argument)
        case int():
            if argument not in _INT64:
                raise ArgumentError(
                    f"{where} does not fit 64 bits",
                    got=argument,
                    hint="pass an integer from -2^63 to 2^63 - 1",
                )
            value.type_index, value.payload.integer = TypeIndex.INT, argument
        case float():
            value.type_index, value.payload.number = TypeIndex.FLOAT, argument
        case np.dtype():
            _store_dtype(value, argument, where)
        case type() if issubclass(argument, np.generic):
            _store_dtype(value, np.dtype(argument), where)
        case Device():
            value.type_index = TypeIndex.DEVICE
            value.payload.device.kind, value.payload.device.index = argument.kind, argument.index
        case ctypes.c_void_p():
            value.type_index, value.payload.pointer = TypeIndex.OPAQUE_PTR, argument.value
        case _:
            return False
    return True


def _refused(argument: object, where: str) -> ArgumentError:
    hint = "pass the elements one by one, or as an array"
    return ArgumentError(
        f"{where} cannot be passed", expected=_KINDS, got=type(argument).__name__, hint=hint
    )


def _store_dtype(value: Value, dtype: np.dtype[Any], where: str) -> None:
    if dtype.name not in DTYPES:
        raise ArgumentError(
            f"{where} is a data type that cannot be passed",
            got=dtype,
            hint="convert with astype to a type of numpy or ml_dtypes",
        )
    value.type_index = TypeIndex.DATA_TYPE
    value.payload.dtype.code, value.payload.dtype.bits = DTYPES[dtype.name]
    value.payload.dtype.lanes = 1


def _store_text(value: Value, text: bytes, where: str) -> object:
    if b"\0" in text:
        raise ArgumentError(
            f"{where} is a string with a null character", got=text, hint="remove the null character"
        )
    if len(text) <= _SMALL_BYTES:
        value.type_index, value.padding = TypeIndex.SMALL_STR, len(text)
        value.payload.text = text
        return text
    buffer = ctypes.create_string_buffer(text)
    value.type_index, value.payload.pointer = TypeIndex.RAW_STR, addressof(buffer)
    return buffer


def _store_owned_bytes(value: Value, data: bytes, *, is_text: bool) -> None:
    if len(data) <= _SMALL_BYTES:
        value.type_index = TypeIndex.SMALL_STR if is_text else TypeIndex.SMALL_BYTES
        value.padding = len(data)
        ctypes.memmove(addressof(value.payload), data, len(data))
        return
    kind = TypeIndex.STR if is_text else TypeIndex.BYTES
    buffer = ctypes.create_string_buffer(data)
    made = BytesObject(data=addressof(buffer), size=len(data))
    value.type_index, value.payload.pointer = kind, object_table().make(made, kind, buffer)


def _store_array(value: Value, argument: Any, where: str) -> object:
    array = as_array(argument, where)
    tensor, alive = tensor_of(array, where)
    value.type_index, value.payload.pointer = TypeIndex.TENSOR_PTR, addressof(tensor)
    return tensor, alive, array


def as_array(argument: Any, where: str) -> Array:
    """Return an argument as a numpy array on the same memory.

    Errors: ArgumentError if it is no array, or not in CPU memory.
    """
    if isinstance(argument, np.ndarray):
        return np.asarray(argument)
    if isinstance(argument, NDArray):
        return argument.numpy()
    if hasattr(argument, "__dlpack__"):
        device, _ = argument.__dlpack_device__()
        if device != DeviceType.CPU:
            raise ArgumentError(
                f"{where} is not in CPU memory",
                got=f"DLPack device type {device}",
                hint="copy it to the CPU first",
            )
        try:
            return from_dlpack(argument)
        except (BufferError, RuntimeError, TypeError) as err:
            raise ArgumentError(
                f"{where} cannot be exported with DLPack",
                got=err,
                hint="convert it to a numpy array first",
            ) from err
    if hasattr(argument, "__array__"):
        return np.asarray(argument)
    raise ArgumentError(
        f"{where} is not an array",
        expected="a numpy array, an NDArray, or a tensor with __dlpack__",
        got=type(argument).__name__,
        hint="convert with numpy.asarray",
    )


def tensor_of(array: Array, where: str) -> tuple[Tensor, object]:
    """Return a DLTensor on an array's memory, and the object that must stay alive with it.

    Errors: ArgumentError for a data type without a DLPack code, or foreign byte order.
    """
    name = array.dtype.name
    if name not in DTYPES or not array.dtype.isnative:
        raise ArgumentError(
            f"{where} has a data type that cannot be passed",
            got=array.dtype,
            hint="convert with astype to a type of numpy or ml_dtypes",
        )
    if any(stride % array.itemsize for stride in array.strides):
        raise ArgumentError(
            f"{where} has strides that are not multiples of the element size",
            hint="copy with numpy.ascontiguousarray",
        )
    rank = array.ndim
    strides = (stride // array.itemsize for stride in array.strides)
    sizes = (ctypes.c_int64 * (2 * rank))(*array.shape, *strides)
    tensor = Tensor()
    tensor.data = address_reader()(array)
    tensor.device.kind = DeviceType.CPU
    tensor.ndim = rank
    tensor.dtype.code, tensor.dtype.bits = DTYPES[name]
    tensor.dtype.lanes = 1
    tensor.shape = addressof(sizes)
    tensor.strides = addressof(sizes) + 8 * rank
    return tensor, sizes


def array_of(tensor: Tensor, where: str) -> Array:
    """Return a numpy array on a DLTensor's memory, valid as long as the tensor.

    Errors: ArgumentError for memory that is not the CPU's, or an unknown data type.
    """
    code = (tensor.dtype.code, tensor.dtype.bits)
    if tensor.device.kind != DeviceType.CPU or tensor.dtype.lanes != 1 or code not in DTYPE_NAMES:
        got = f"device type {tensor.device.kind}, data type {code} x {tensor.dtype.lanes}"
        raise ArgumentError(
            f"{where} is a tensor that numpy cannot read",
            got=got,
            hint="copy it to a dense CPU tensor first",
        )
    dtype, rank = numpy_dtype(DTYPE_NAMES[code]), tensor.ndim
    shape = tuple((ctypes.c_int64 * rank).from_address(tensor.shape)) if rank else ()
    steps = _strides(tensor, shape)
    if 0 in shape:
        return np.empty(shape, dtype)
    reach = [(size - 1) * step * dtype.itemsize for size, step in zip(shape, steps, strict=True)]
    low, high = sum(min(0, r) for r in reach), sum(max(0, r) for r in reach) + dtype.itemsize
    start = (tensor.data or 0) + tensor.byte_offset
    memory = (ctypes.c_char * (high - low)).from_address(start + low)
    strides = [step * dtype.itemsize for step in steps]
    array: Array = np.ndarray(shape, dtype, memoryview(memory), -low, strides)
    array.flags.writeable = not is_read_only(start + low, start + high - 1)
    return array


def _strides(tensor: Tensor, shape: tuple[int, ...]) -> list[int]:
    if tensor.strides:
        return list((ctypes.c_int64 * len(shape)).from_address(tensor.strides))
    return [prod(shape[axis + 1 :]) for axis in range(len(shape))]


def load(value: Value, where: str, read_function: FunctionReader, *, owned: bool) -> Any:
    """Convert a value to a Python value.

    owned: a result, whose reference is ours; else an argument, borrowed for the call.
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
            return Device(DeviceType(payload.device.kind), payload.device.index)
        case TypeIndex.TENSOR_PTR if not owned:  # a returned tensor has no owner
            return NDArray(array_of(Tensor.from_address(payload.pointer), where))
        case TypeIndex.TENSOR | TypeIndex.FUNCTION:
            return _load_object(value, where, read_function, owned=owned)
        case _:
            data = _load_bytes(value, where, owned=owned)
            is_text = kind in (TypeIndex.SMALL_STR, TypeIndex.RAW_STR, TypeIndex.STR)
            return data.decode() if is_text else data


def _load_bytes(value: Value, where: str, *, owned: bool) -> bytes:
    payload = value.payload
    match value.type_index:
        case TypeIndex.SMALL_STR | TypeIndex.SMALL_BYTES:
            return ctypes.string_at(addressof(payload), value.padding)
        case TypeIndex.RAW_STR:
            return ctypes.string_at(payload.pointer)
        case TypeIndex.BYTES_PTR:
            block = _Bytes.from_address(payload.pointer)
            pointer = ctypes.c_void_p.from_address(payload.pointer).value or 0
            return ctypes.string_at(pointer, block.size)
        case TypeIndex.STR | TypeIndex.BYTES:
            made = BytesObject.from_address(payload.pointer)
            data = ctypes.string_at(made.data or 0, made.size)
            if owned:
                object_table().release(payload.pointer)
            return data
        case _:
            raise TypeError(
                f"{where} is a value of type index {value.type_index}\n"
                f"    expected: {_KINDS}\n    hint: return one of these"
            )


def _load_object(value: Value, where: str, read_function: FunctionReader, *, owned: bool) -> Any:
    """Wrap a tensor or function object; the wrapper holds a reference to it."""
    address, table = int(value.payload.pointer), object_table()
    if not owned:
        table.retain(address)
    if value.type_index == TypeIndex.FUNCTION:
        return read_function(address)
    array = array_of(TensorObject.from_address(address).tensor, where)
    owner = array if array.base is None else array.base
    weakref.finalize(_holder(owner), table.release, address)
    return NDArray(array)


def _holder(owner: object) -> object:
    """Return the object that all views of a tensor's memory keep alive."""
    return owner.obj if isinstance(owner, memoryview) else owner
