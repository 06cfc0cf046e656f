"""Python values as values of the packed-function ABI, and back.

None bool int float                 by value; numpy scalars as Python's
str bytes                           by reference for the length of the call, or owned (results)
numpy arrays, NDArray, DLPack       tensors on the same memory, never copied
np.dtype, Device, ctypes.c_void_p   data type, device, opaque pointer
functions                           function objects that call back into Python
tuple list Shape                    sequence and shape objects with values of these kinds
any other object                    the Python object itself: modules, dicts, IR

A PackedFunc, a function, an NDArray and an object of the last kind come back as the same Python
object; a sequence as an equal one.
"""

from __future__ import annotations

import ctypes
import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from ctypes import addressof
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, Protocol, cast

import numpy as np

from .abi import (
    DTYPE_NAMES,
    DTYPES,
    OBJECT_KINDS,
    BytesObject,
    ByteSpan,
    DeviceType,
    OpaqueObject,
    SequenceObject,
    ShapeObject,
    Tensor,
    TensorObject,
    TypeIndex,
    Value,
)
from .device import Device
from .errors import ArgumentError
from .ndarray import Array, DeviceArray, NDArray, address_reader, from_dlpack, numpy_dtype
from .objects import AnyObject, new_sequence, object_table, span_bytes
from .read_only import is_read_only

_INT64 = range(-(1 << 63), 1 << 63)
_SMALL_BYTES = 7
_FUNCTION_TYPES = (FunctionType, BuiltinFunctionType, MethodType, partial)


class Shape(tuple[int, ...]):
    """The sizes of a tensor, as a value of its own kind in packed functions."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Shape({list(self)})"


class HasFunctionObject(Protocol):
    """The interface that lets a packed function be passed as a value."""

    def object_address(self) -> int:
        """Return the address of a function object that lives as long as this one."""
        ...


FunctionMaker = Callable[[Any, str], HasFunctionObject]
FunctionReader = Callable[[int], object]


@dataclass
class Passed:
    """What a call holds until it has returned.

    arrays: the arrays that it passes.  memory: other memory of arguments.  owned: objects to
    release.  tensors: addresses in ``_LENT`` to remove.
    """

    arrays: list[Array] = field(default_factory=list[Array])
    memory: list[object] = field(default_factory=list[object])
    owned: list[int] = field(default_factory=list[int])
    tensors: list[int] = field(default_factory=list[int])

    def release(self) -> None:
        """Drop what the call holds."""
        for address in self.owned:
            object_table().release(address)
        for address in self.tensors:
            _LENT.tensors.pop(address, None)


class _Lent(threading.local):
    """The arrays of the calls that this thread is in, by the address of their DLTensor."""

    def __init__(self) -> None:
        self.tensors: dict[int, NDArray] = {}


_LENT = _Lent()


def store(value: Value, argument: object, where: str, make: FunctionMaker, passed: Passed) -> None:
    """Write a Python value into an argument; note in ``passed`` what must live during the call.

    make: wraps a Python function.
    Errors: ArgumentError for a value that cannot be passed.
    """
    if _store_scalar(value, argument, where):
        return
    match argument:
        case str():
            passed.memory.append(_store_text(value, argument.encode(), where))
        case bytes():
            block = ByteSpan(ctypes.cast(ctypes.c_char_p(argument), ctypes.c_void_p), len(argument))
            value.type_index, value.payload.pointer = TypeIndex.BYTES_PTR, addressof(block)
            passed.memory += (block, argument)
        case _ if _is_array(argument):
            _store_array(value, argument, where, passed)
        case _:
            _Owned(where, make, passed.arrays).store(value, argument)
            passed.owned.append(value.payload.pointer)


def store_result(
    value: Value,
    result: object,
    where: str,
    make: FunctionMaker,
    borrowed: Sequence[Array] = (),
) -> None:
    """Write the result of a Python function; the receiver owns it.

    borrowed: arrays whose memory may not outlive the call.
    Errors: ArgumentError for a value that cannot be returned.
    """
    _Owned(where, make, None, borrowed).store(value, result)


def is_function(value: object) -> bool:
    """Return whether a value is passed as a function; other callables are passed as objects."""
    return isinstance(value, _FUNCTION_TYPES) or hasattr(value, "object_address")


def _is_array(value: object) -> bool:
    kind = type(value)
    if kind is np.ndarray or kind is NDArray:
        return True
    return not isinstance(value, type) and (
        hasattr(kind, "__dlpack__") or hasattr(kind, "__array__")
    )


@dataclass(frozen=True)
class _Owned:
    """Writes values that hold a reference to their object: results, and elements of sequences.

    arrays: receives the arrays of arguments, which the call keeps as they are; None for results,
    whose receiver may write to them.  borrowed: arrays whose memory may not outlive the call.
    """

    where: str
    make: FunctionMaker
    arrays: list[Array] | None
    borrowed: Sequence[Array] = ()

    def store(self, value: Value, given: object) -> None:
        """Write a value; its object has one reference.

        Errors: ArgumentError for a value that cannot be passed.
        """
        if _store_scalar(value, given, self.where):
            return
        match given:
            case str():
                _store_owned_bytes(value, given.encode(), is_text=True)
            case bytes():
                _store_owned_bytes(value, given, is_text=False)
            case Shape():
                sizes = (ctypes.c_int64 * len(given))(*given)
                made = ShapeObject(data=addressof(sizes), size=len(given))
                self._made(value, TypeIndex.SHAPE, made, sizes)
            case tuple() | list():
                self._store_sequence(value, cast("Sequence[object]", given))
            case _ if is_function(given):
                function = self.make(given, self.where)
                value.type_index = TypeIndex.FUNCTION
                value.payload.pointer = function.object_address()
                object_table().retain(value.payload.pointer)
            case _ if _is_array(given):
                self._store_tensor(value, given)
            case _:
                opaque = OpaqueObject(handle=id(given))
                self._made(value, TypeIndex.OPAQUE_PYTHON, opaque, given)

    def _made(
        self,
        value: Value,
        kind: TypeIndex,
        made: AnyObject,
        *alive: object,
        origin: Callable[[], object] | None = None,
    ) -> None:
        address = object_table().make(made, kind, *alive, origin=origin)
        value.type_index, value.payload.pointer = kind, address

    def _store_sequence(self, value: Value, given: Sequence[object]) -> None:
        made = new_sequence(len(given))
        kind = TypeIndex.LIST if isinstance(given, list) else TypeIndex.ARRAY
        self._made(value, kind, made)
        elements = (Value * len(given)).from_address(made.data)
        try:
            for index, element in enumerate(given):
                replace(self, where=f"{self.where}[{index}]").store(elements[index], element)
                made.size = index + 1
        except BaseException:
            object_table().release(value.payload.pointer)
            value.type_index = TypeIndex.NONE
            raise

    def _store_tensor(self, value: Value, given: object) -> None:
        if isinstance(given, DeviceArray):
            tensor, alive = _device_tensor(given, self.where)
            made, origin = TensorObject(tensor=tensor), lambda: given
            self._made(value, TypeIndex.TENSOR, made, tensor, alive, origin=origin)
            return
        array = as_array(given, self.where)
        if self.arrays is not None:
            self.arrays.append(array)
        elif not array.flags.writeable or any(np.may_share_memory(array, b) for b in self.borrowed):
            array, given = array.copy(), None
        tensor, alive = tensor_of(array, self.where)
        origin = (lambda: given) if isinstance(given, NDArray) else None
        made = TensorObject(tensor=tensor)
        self._made(value, TypeIndex.TENSOR, made, array, tensor, alive, origin=origin)


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


def _store_array(value: Value, argument: Any, where: str, passed: Passed) -> None:
    if isinstance(argument, DeviceArray):
        tensor, alive = _device_tensor(argument, where)
    else:
        array = as_array(argument, where)
        passed.arrays.append(array)
        tensor, alive = tensor_of(array, where)
        argument = argument if isinstance(argument, NDArray) else NDArray(array)
    address = addressof(tensor)
    value.type_index, value.payload.pointer = TypeIndex.TENSOR_PTR, address
    passed.memory += (tensor, alive)
    passed.tensors.append(address)
    _LENT.tensors[address] = argument


def _device_tensor(array: DeviceArray, where: str) -> tuple[Tensor, object]:
    """Return a DLTensor on the memory of a device, and the object that must stay alive with it."""
    steps = [prod(array.shape[axis + 1 :]) for axis in range(array.ndim)]
    tensor, alive = _dense_tensor(array.address, array, steps, where)
    tensor.device.kind, tensor.device.index = array.device.kind, array.device.index
    return tensor, alive


def as_array(argument: Any, where: str) -> Array:
    """Return an argument as a numpy array on the same memory.

    Errors: ArgumentError if it is no array, or not in CPU memory.
    """
    if isinstance(argument, np.ndarray):
        return np.asarray(argument)
    if isinstance(argument, NDArray) and not isinstance(argument, DeviceArray):
        return argument.numpy()
    if hasattr(argument, "__dlpack__"):
        device, index = argument.__dlpack_device__()
        if device != DeviceType.CPU:
            raise ArgumentError(
                f"{where} is not in CPU memory",
                got=f"an array on {Device(device, index)}",
                hint="copy it to the CPU first, as x.numpy() does",
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
    if any(stride % array.itemsize for stride in array.strides):
        raise ArgumentError(
            f"{where} has strides that are not multiples of the element size",
            hint="copy with numpy.ascontiguousarray",
        )
    steps = [stride // array.itemsize for stride in array.strides]
    return _dense_tensor(address_reader()(array), array, steps, where)


def _dense_tensor(
    address: int, array: Array | DeviceArray, steps: Sequence[int], where: str
) -> tuple[Tensor, object]:
    """Return a DLTensor of an array at an address; steps: of its dimensions, in elements."""
    name = array.dtype.name
    if name not in DTYPES or not array.dtype.isnative:
        raise ArgumentError(
            f"{where} has a data type that cannot be passed",
            got=array.dtype,
            hint="convert with astype to a type of numpy or ml_dtypes",
        )
    rank = array.ndim
    sizes = (ctypes.c_int64 * (2 * rank))(*array.shape, *steps)
    tensor = Tensor()
    tensor.data = address
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
            return Device(payload.device.kind, payload.device.index)
        case TypeIndex.TENSOR_PTR if (lent := _LENT.tensors.get(payload.pointer)) is not None:
            return lent
        case TypeIndex.TENSOR_PTR if not owned:  # any other returned tensor has no owner
            return NDArray(array_of(Tensor.from_address(payload.pointer), where))
        case _ if kind in OBJECT_KINDS:
            return _load_object(value, where, read_function, owned=owned)
        case _:
            data = _load_bytes(value, where)
            return data.decode() if kind in (TypeIndex.SMALL_STR, TypeIndex.RAW_STR) else data


def borrowed_arrays(values: Iterable[Value], loaded: Sequence[object]) -> list[Array]:
    """Return the arrays among loaded arguments whose memory may not outlive the call."""
    return [
        array.numpy()
        for value, array in zip(values, loaded, strict=True)
        if value.type_index == TypeIndex.TENSOR_PTR
        and value.payload.pointer not in _LENT.tensors
        and isinstance(array, NDArray)
    ]


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
    """Return the Python form of an object; functions and tensors hold a reference to it."""
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
    """Return the Python form of an object that is copied, or stands for a Python object.

    Errors: TypeError for any other kind.
    """
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
    """Return an array on the memory of a tensor object; take over a reference to it."""
    array = array_of(TensorObject.from_address(address).tensor, where)
    owner = array if array.base is None else array.base
    weakref.finalize(_holder(owner), object_table().release, address)
    return NDArray(array)


def _holder(owner: object) -> object:
    """Return the object that all views of a tensor's memory keep alive."""
    return owner.obj if isinstance(owner, memoryview) else owner
