"""Arrays as DLTensors, and DLTensors as arrays, always on the same memory.

In: a numpy array, an NDArray or any tensor with ``__dlpack__``, or a DLTensor of a caller. Out: the
DLTensor or the array on the same memory, with the object that must stay alive with it.
runtime/abi/values.py passes DLTensors to packed functions; runtime/abi/from_abi.py reads DLTensors.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .capsules import dense_tensor, sizes_in
from .constants import DTYPE_NAMES, DTYPES, DeviceType, DLTensor
from .device import Device
from .ndarray import CPU, Array, DeviceArray, NDArray, address_reader, from_dlpack, numpy_dtype
from .producers import in_memory
from .read_only import is_read_only


class Lent(threading.local):
    """The arrays that running calls of this thread pass to compiled code.

    tensors: the arrays by the address of their DLTensor. If the compiled code passes a DLTensor on
    to a Python function, the function gets the array itself.
    """

    def __init__(self) -> None:
        self.tensors: dict[int, NDArray] = {}


_OF_PRODUCERS = (AttributeError, BufferError, LookupError, RuntimeError, TypeError, ValueError)
"""The exceptions that DLPack's methods raise for a tensor that they cannot export."""
LENT = Lent()
"""The arrays passed in running calls: a callback receives the same array for its DLTensor."""


def as_array(argument: Any, where: str) -> Array:
    """Return an argument as a numpy array on the same memory.

    where: the name of the argument in messages.

    Errors: ArgumentError if the argument is no array, is not in CPU memory, or has memory that does
    not contain its elements.
    """
    if isinstance(argument, NDArray) and not isinstance(argument, DeviceArray):
        return argument.numpy()
    plain = in_memory(argument, where)
    if isinstance(argument, np.ndarray):
        return np.asarray(plain)
    if hasattr(argument, "__dlpack__"):
        device = device_of(plain, where)
        if device.kind != DeviceType.CPU:
            raise ArgumentError(
                f"{where} is not in CPU memory",
                expected=f"an array on {CPU}",
                got=f"an array on {device}",
                hint="copy it to the CPU first, as x.numpy() does",
            )
        try:
            return from_dlpack(argument, where)
        except ArgumentError:
            raise
        except _OF_PRODUCERS as err:
            raise _not_exported(where, err) from err
    if hasattr(argument, "__array__"):
        return np.asarray(argument)
    raise ArgumentError(
        f"{where} is not an array",
        expected="a numpy array, an NDArray, or a tensor with __dlpack__",
        got=type(argument).__name__,
        hint="convert with numpy.asarray",
    )


def device_of(argument: Any, where: str) -> Device:
    """Return the device of another library's tensor, as its ``__dlpack_device__`` reports it.

    where: the name of the tensor in messages.

    Errors: ArgumentError if the library does not report a device.
    """
    try:
        return Device(*argument.__dlpack_device__())
    except _OF_PRODUCERS as err:
        raise _not_exported(where, err) from err


def _not_exported(where: str, err: Exception) -> ArgumentError:
    return ArgumentError(
        f"{where} cannot be exported with DLPack",
        expected="a tensor that lends its memory",
        got=str(err) or type(err).__name__,
        hint="convert it to a numpy array first",
    )


def tensor_of(array: Array, where: str) -> tuple[DLTensor, object]:
    """Return a DLTensor on an array's memory, and the object that must stay alive with it.

    where: the name of the array in messages.

    Errors: ArgumentError for a data type that DLPack lacks, for the byte order of another machine,
    and for strides that are not multiples of the element size.
    """
    if any(stride % array.itemsize for stride in array.strides):
        raise ArgumentError(
            f"{where} has strides that are not multiples of the element size",
            expected=f"multiples of {array.itemsize} bytes",
            got=array.strides,
            hint="copy with numpy.ascontiguousarray",
        )
    steps = [stride // array.itemsize for stride in array.strides]
    return _dense_tensor(address_reader()(array), array, steps, where)


def _dense_tensor(
    address: int, array: Array | DeviceArray, steps: Sequence[int], where: str
) -> tuple[DLTensor, object]:
    """Return a DLTensor for an array, and the object that the caller must keep alive with it.

    address: the address of the first element.  steps: the strides, in elements.  where: the name of
    the array in messages.

    Errors: ArgumentError for a data type that DLPack lacks, and for the byte order of another
    machine.
    """
    name = array.dtype.name
    if name not in DTYPES or not array.dtype.isnative:
        raise ArgumentError(
            f"{where} has a data type that cannot be passed",
            expected="a type of numpy or ml_dtypes, in the byte order of this machine",
            got=array.dtype,
            hint="convert with astype to a type of numpy or ml_dtypes",
        )
    return dense_tensor(address, array.shape, steps, name)


def array_of(tensor: DLTensor, where: str) -> Array:
    """Return a numpy array on a DLTensor's memory, which is valid as long as the tensor.

    where: the name of the tensor in messages.

    Errors: ArgumentError for memory of another device than the CPU, or an unknown data type.
    """
    code = (tensor.dtype.code, tensor.dtype.bits)
    if tensor.device.kind != DeviceType.CPU or tensor.dtype.lanes != 1 or code not in DTYPE_NAMES:
        got = f"device type {tensor.device.kind}, data type {code} x {tensor.dtype.lanes}"
        raise ArgumentError(
            f"{where} is a tensor that numpy cannot read",
            expected=f"one lane of a known data type, on {CPU}",
            got=got,
            hint="copy it to a dense CPU tensor first",
        )
    dtype = numpy_dtype(DTYPE_NAMES[code])
    shape, steps = sizes_in(tensor)
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
