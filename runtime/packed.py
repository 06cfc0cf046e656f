"""Packed functions: calling a compiled function with Python values.

    None bool int float str bytes       passed by value (text and bytes for the length of the call)
    numpy arrays, NDArray, DLPack       passed as tensors on the caller's memory, never copied

A packed function returns None, a bool, an int, a float, or a string that the module owns.
"""

from __future__ import annotations

import ctypes
from ctypes import addressof
from typing import Any

import numpy as np

from .abi import DTYPES, DeviceType, PackedCFunction, Tensor, TypeIndex, Value
from .errors import ArgumentError, error_channel
from .library import Library
from .ndarray import Array, NDArray, address_reader, from_dlpack

_INT64 = range(-(1 << 63), 1 << 63)


class _Bytes(ctypes.Structure):
    """Bytes with their length, as a packed function receives them."""

    _fields_ = (("data", ctypes.c_char_p), ("size", ctypes.c_size_t))


class PackedFunc:
    """A function of a loaded module, called by the packed-function ABI.

    Errors: ArgumentError for a value that cannot be passed, or that the function refuses;
    KernelError or MemoryError if it fails.
    """

    def __init__(self, library: Library, symbol: str, name: str) -> None:
        self.name = name
        self._library = library
        self._function = PackedCFunction(library.address(symbol))

    def __repr__(self) -> str:
        return f"<PackedFunc {self.name}>"

    def __call__(self, *arguments: object) -> bool | int | float | str | None:
        values = (Value * max(1, len(arguments)))()
        # Also holds the memory of arguments until the result has been read.
        alive = [
            _store(values[index], argument, f"{self.name}: argument {index}")
            for index, argument in enumerate(arguments)
        ]
        result = Value()
        channel = error_channel()
        channel.clear()
        status = self._function(None, addressof(values), len(arguments), addressof(result))
        if status:
            raise channel.take(f"{self.name} failed with status {status}")
        loaded = _loaded(result, self.name)
        del alive
        return loaded


def _store(value: Value, argument: object, where: str) -> object:
    """Write a Python value into an argument; return what must stay alive during the call."""
    match argument:
        case None:
            value.type_index = TypeIndex.NONE
        case bool():
            value.type_index, value.payload.integer = TypeIndex.BOOL, int(argument)
        case int():
            if argument not in _INT64:
                raise ArgumentError(f"{where} does not fit 64 bits", got=argument)
            value.type_index, value.payload.integer = TypeIndex.INT, argument
        case float():
            value.type_index, value.payload.number = TypeIndex.FLOAT, argument
        case str():
            return _store_text(value, argument.encode(), where)
        case bytes():
            block = _Bytes(argument, len(argument))
            value.type_index, value.payload.pointer = TypeIndex.BYTES_PTR, addressof(block)
            return block
        case _:
            return _store_array(value, argument, where)
    return argument


def _store_text(value: Value, text: bytes, where: str) -> object:
    if b"\0" in text:
        raise ArgumentError(f"{where} is a string with a null character", got=text)
    if len(text) < 8:
        value.type_index, value.padding = TypeIndex.SMALL_STR, len(text)
        value.payload.text = text
        return text
    buffer = ctypes.create_string_buffer(text)
    value.type_index, value.payload.pointer = TypeIndex.RAW_STR, addressof(buffer)
    return buffer


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
            raise ArgumentError(f"{where} refuses to be read by DLPack", got=err) from err
    if hasattr(argument, "__array__"):
        return np.asarray(argument)
    raise ArgumentError(
        f"{where} is not an array",
        expected="a numpy array, an NDArray, or a tensor with __dlpack__",
        got=type(argument).__name__,
    )


def tensor_of(array: Array, where: str) -> tuple[Tensor, object]:
    """Return a DLTensor on an array's memory, and what must stay alive with it.

    Errors: ArgumentError for a data type without a DLPack code, or foreign byte order.
    """
    name = array.dtype.name
    if name not in DTYPES or not array.dtype.isnative:
        raise ArgumentError(f"{where} has a data type that cannot be passed", got=array.dtype)
    if any(stride % array.itemsize for stride in array.strides):
        raise ArgumentError(f"{where} has strides that are no multiple of its elements")
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


def _loaded(value: Value, name: str) -> bool | int | float | str | None:
    """Return a result as a Python value.

    Errors: TypeError for a kind that packed functions of this project never return.
    """
    match value.type_index:
        case TypeIndex.NONE:
            return None
        case TypeIndex.BOOL:
            return bool(value.payload.integer)
        case TypeIndex.INT:
            return int(value.payload.integer)
        case TypeIndex.FLOAT:
            return float(value.payload.number)
        case TypeIndex.SMALL_STR:
            return bytes(value.payload.text)[: value.padding].decode()
        case TypeIndex.RAW_STR:
            return ctypes.string_at(value.payload.pointer).decode()
        case _:
            raise TypeError(f"{name} returned a value of type index {value.type_index}")
