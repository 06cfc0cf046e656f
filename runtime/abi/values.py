"""Python values as values of the packed-function ABI; runtime/abi/from_abi.py converts them back.

None bool int float                 by value; numpy scalars as Python's
str bytes                           by reference for the length of the call, or owned (results)
numpy arrays, NDArray, DLPack       tensors on the same memory, never copied
np.dtype, Device, ctypes.c_void_p   data type, device, opaque pointer
functions                           function objects that call back into Python
tuple list Shape                    sequence and shape objects with values of these kinds
any other object                    the Python object itself: modules, dicts, IR

A PackedFunc, a function, an NDArray and an object of the last kind are received back as the same
Python object; a sequence is received as an equal sequence.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from ctypes import addressof
from dataclasses import dataclass, field, replace
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, Protocol, cast

import numpy as np

from ..errors import ArgumentError
from ..spelling import SuggestsNames
from .constants import (
    DTYPES,
    BytesObject,
    ByteSpan,
    OpaqueObject,
    ShapeObject,
    TensorObject,
    TypeIndex,
    Value,
)
from .device import Device
from .dltensor import LENT, as_array, tensor_of
from .ndarray import Array, DeviceArray, NDArray
from .objects import AnyObject, new_sequence, object_table

_INT64 = range(-(1 << 63), 1 << 63)
_SMALL_BYTES = 7
_MOST_LEVELS = 64
"""The largest depth of nested sequences; their objects are made and freed recursively."""
_FUNCTION_TYPES = (FunctionType, BuiltinFunctionType, MethodType, partial)


class Shape(tuple[int, ...], SuggestsNames):
    """The sizes of a tensor, as a value of its own kind in packed functions."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Shape({list(self)})"


class HasFunctionObject(Protocol):
    """A Python object that a packed function can receive as a function."""

    def object_address(self) -> int:
        """Return the address of a function object that lives as long as this one."""
        ...


FunctionMaker = Callable[[Any, str], HasFunctionObject]


@dataclass
class Passed:
    """The objects and memory that must stay alive until a call has returned.

    arrays: the arrays that the call passes.  memory: other memory of arguments.  owned: the
    addresses of ABI objects to release.  tensors: the addresses of DLTensors to remove from
    ``LENT``.
    """

    arrays: list[Array] = field(default_factory=list[Array])
    memory: list[object] = field(default_factory=list[object])
    owned: list[int] = field(default_factory=list[int])
    tensors: list[int] = field(default_factory=list[int])

    def release(self) -> None:
        """Release the ABI objects, and forget the arrays that the call has passed."""
        for address in self.owned:
            object_table().release(address)
        for address in self.tensors:
            LENT.tensors.pop(address, None)


def store(value: Value, argument: object, where: str, make: FunctionMaker, passed: Passed) -> None:
    """Write a Python value to ``value``, an argument of a call.

    where: the name of the argument in messages.  make: wraps a Python function as a packed
    function. passed: the objects and memory that this argument needs during the call are added to
    it.

    Errors: ArgumentError for a value that cannot be passed.
    """
    if _store_scalar(value, argument, where):
        return
    match argument:
        case str():
            _store_text(value, argument.encode(), passed)
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
    """Write a Python function's result to ``value``; the receiver owns the objects in it.

    where: the name of the result in messages.  make: wraps a Python function as a packed function.
    borrowed: arrays whose memory is valid only during the call; a result on their memory is copied.

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
    """A writer of values that own a reference to their object: results, and elements of sequences.

    where: the name of the value in messages.  make: wraps a Python function as a packed function.
    arrays: a list to which the arrays of an argument are appended, and the call must not change
    these; None for a result, whose receiver may write to it.  borrowed: arrays whose memory is
    valid only during the call.  enclosing: the sequences that contain the value, outermost first.
    """

    where: str
    make: FunctionMaker
    arrays: list[Array] | None
    borrowed: Sequence[Array] = ()
    enclosing: tuple[object, ...] = ()

    def store(self, value: Value, given: object) -> None:
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
        self._check_nesting(given)
        made = new_sequence(len(given))
        kind = TypeIndex.LIST if isinstance(given, list) else TypeIndex.ARRAY
        self._made(value, kind, made)
        elements = (Value * len(given)).from_address(made.data)
        enclosing = (*self.enclosing, given)
        try:
            for index, element in enumerate(given):
                inner = replace(self, where=f"{self.where}[{index}]", enclosing=enclosing)
                inner.store(elements[index], element)
                made.size = index + 1
        except BaseException:
            object_table().release(value.payload.pointer)
            value.type_index = TypeIndex.NONE
            raise

    def _check_nesting(self, given: Sequence[object]) -> None:
        if any(each is given for each in self.enclosing):
            kind = type(given).__name__
            raise ArgumentError(
                f"{self.where} is a {kind} that contains itself",
                expected="nested sequences that end",
                hint="pass a copy without the reference to itself",
            )
        if len(self.enclosing) == _MOST_LEVELS:
            raise ArgumentError(
                f"{self.where.partition('[')[0]} is nested too deeply",
                expected=f"at most {_MOST_LEVELS} sequences inside each other",
                hint="pass a flat list, and the positions of its parts",
            )

    def _store_tensor(self, value: Value, given: object) -> None:
        if isinstance(given, DeviceArray):
            tensor, alive = given.dltensor()
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
    """Write a value that needs no heap object, and return True; else write nothing."""
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
                    expected="-2^63 to 2^63 - 1",
                    got=argument,
                    hint="pass a smaller integer, or its text",
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
            expected="a type of numpy or ml_dtypes",
            got=dtype,
            hint="convert with astype to a type of numpy or ml_dtypes",
        )
    value.type_index = TypeIndex.DATA_TYPE
    value.payload.dtype.code, value.payload.dtype.bits = DTYPES[dtype.name]
    value.payload.dtype.lanes = 1


def _store_text(value: Value, text: bytes, passed: Passed) -> None:
    if len(text) <= _SMALL_BYTES or b"\0" in text:
        _store_owned_bytes(value, text, is_text=True)
        if value.type_index == TypeIndex.STR:
            passed.owned.append(value.payload.pointer)
        return
    buffer = ctypes.create_string_buffer(text)
    value.type_index, value.payload.pointer = TypeIndex.RAW_STR, addressof(buffer)
    passed.memory.append(buffer)


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
        tensor, alive = argument.dltensor()
    else:
        array = as_array(argument, where)
        passed.arrays.append(array)
        tensor, alive = tensor_of(array, where)
        argument = argument if isinstance(argument, NDArray) else NDArray(array)
    address = addressof(tensor)
    value.type_index, value.payload.pointer = TypeIndex.TENSOR_PTR, address
    passed.memory += (tensor, alive)
    passed.tensors.append(address)
    LENT.tensors[address] = argument
