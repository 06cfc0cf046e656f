"""Drivers in Python for compiled programs: the devices that the C runtime has no driver for.

The main function of a program asks for actions on a device, which runtime/native/device.h lists:
allocate, copy, launch and so on. A `HostDriver` performs them on the devices of one kind, such as
OpenCL's or Vulkan's, by their `KernelAPI`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

import numpy as np

from ..abi.capsules import dense_tensor, row_major_steps
from ..abi.constants import (
    SYMBOL_DEVICE_FUNCTION,
    SYMBOL_MAIN_ON_STREAM,
    PackedCFunction,
    TypeIndex,
    Value,
)
from ..abi.device import Device
from ..abi.library import Library
from ..abi.ndarray import Array, DeviceArray
from ..abi.packed import PackedFunc
from ..errors import error_channel
from .kernels import DeviceAddress, KernelAPI, KernelProgram, Size, kernel_api
from .streams import StreamAPI


class Action(IntEnum):
    """An action on a device; enum tw_device_action of runtime/native/device.h."""

    OPEN = 0
    ALLOCATE = 1
    FREE = 2
    WRITE = 3
    READ = 4
    COPY = 5
    LAUNCH = 6
    WAIT = 7


Driver: TypeAlias = Callable[..., int | None]
"""A function of an action, the number of a device, and the integers of the action."""


@dataclass(frozen=True)
class Launched:
    """A launch that the main function of a program asks for.

    kernel: the position of the kernel among the program's kernels.  grid, block: blocks and threads
    per block along x, y and z.  shared_bytes: dynamic shared memory.  buffers: the address and the
    size in bytes of each array argument.  numbers: the integer arguments, which follow the arrays.
    """

    kernel: int
    grid: Size
    block: Size
    shared_bytes: int
    buffers: tuple[tuple[int, int], ...]
    numbers: tuple[int, ...]

    @staticmethod
    def of(given: Sequence[int]) -> Launched:
        """Return the launch that a LAUNCH action describes.

        given: the integers of the action, in the order of runtime/native/device.h.
        """
        kernel, a, b, c, shared_bytes, addresses, sizes, buffers, numbers, count = given
        rows = zip(_numbers(addresses, buffers), _numbers(sizes, buffers), strict=True)
        x, y, z, *rest = _numbers(numbers, count)
        return Launched(kernel, (x, y, z), (a, b, c), shared_bytes, tuple(rows), tuple(rest))


def _numbers(address: int, count: int) -> list[int]:
    return list((ctypes.c_int64 * count).from_address(address)) if count else []


def set_driver(library: Library, driver: Driver) -> None:
    """Let a Python function perform the device actions of a loaded program.

    driver: takes the action, the number of the device and the integers of the action, such as a
    `HostDriver`.

    Before: the program has made no call since it was loaded or released.
    """
    function = PackedFunc.of_python(driver, "the driver of the device", keeps_arrays=False)
    library.store_pointer(SYMBOL_DEVICE_FUNCTION, function.code[0], alive=function)


class HostDriver:
    """A function that performs the device actions of one program, on devices of one kind.

    kind: DLPack's number of the kind.  code: the kernels in the form that the devices take.
    kernels: their names in the code.
    """

    def __init__(self, kind: int, code: bytes, kernels: Sequence[str]) -> None:
        self._kind, self._code, self._symbols = kind, code, kernels
        self._programs: dict[int, tuple[KernelAPI, KernelProgram | None]] = {}

    def __call__(self, action: int, number: int, *given: int) -> int | None:
        """Perform an action on a device; return an address or, for OPEN, an alignment.

        action: an `Action`.  number: the number of the device.  given: the integers of the action,
        in the order of runtime/native/device.h.
        """
        if action == Action.OPEN:
            return self._open(number)
        api = self._programs[number][0]
        match Action(action):
            case Action.ALLOCATE:
                return api.allocate(number, *given)
            case Action.FREE:
                api.free(number, *given)
            case Action.WRITE:
                api.write(number, *given)
            case Action.READ:
                host, source, size_bytes = given
                api.read(number, source, host, size_bytes)
            case Action.COPY:
                api.copy(number, *given)
            case Action.LAUNCH:
                self._launch(number, Launched.of(given))
            case _:  # WAIT
                api.sync(number)
        return None

    def _open(self, number: int) -> int:
        place = Device(self._kind, number)
        api = kernel_api(place)
        program = KernelProgram(place, self._code, self._symbols) if self._symbols else None
        self._programs[number] = api, program
        return api.alignment_bytes

    def _launch(self, number: int, made: Launched) -> None:
        program = self._programs[number][1]
        assert program is not None, "it has kernels"
        program[self._symbols[made.kernel]](
            *(DeviceAddress.of(address, size_bytes) for address, size_bytes in made.buffers),
            *map(ctypes.c_int64, made.numbers),
            grid=made.grid,
            block=made.block,
            shared_bytes=made.shared_bytes,
        )

    def record(self, number: int) -> int:
        """Queue an event on a device, after the work that is queued now; return the event.

        number: the number of the device.
        """
        return self._programs[number][0].record(number)

    def take_times(self, number: int, events: Sequence[int]) -> list[float]:
        """Return the seconds between consecutive events of a device, and release the events.

        number: the number of the device.  events: results of `record`, in order.
        """
        return self._programs[number][0].take_times(number, events)


def call_on_addresses(
    library: Library, name: str, place: Device, arrays: Sequence[Array | DeviceArray]
) -> None:
    """Queue a call of a program's main function with arrays of a device that Python code drives.

    The call passes the addresses of the driver in this process, not those that the device lends to
    other libraries. With an array of the host among the arguments, it waits until its work has
    ended.

    name: the program's name in messages.  place: the device.

    Errors: those of the driver and of the call.
    """
    values, alive = (Value * (len(arrays) + 1))(), list[object]()
    values[0].type_index = TypeIndex.NONE
    if isinstance(place.api, StreamAPI):
        values[0].type_index = TypeIndex.OPAQUE_PTR
        values[0].payload.pointer = place.api.current_stream(place.index)
    for value, array in zip(values[1:], arrays, strict=True):
        data = array.address if isinstance(array, DeviceArray) else array.ctypes.data
        shape, dtype = tuple(array.shape), np.dtype(array.dtype).name
        tensor, held = dense_tensor(data, shape, row_major_steps(shape), dtype)
        if isinstance(array, DeviceArray):
            tensor.device.kind, tensor.device.index = array.device.kind, array.device.index
        value.type_index, value.payload.pointer = TypeIndex.TENSOR_PTR, ctypes.addressof(tensor)
        alive += (tensor, held)
    channel, result = error_channel(), Value()
    channel.clear()
    main = PackedCFunction(library.address(SYMBOL_MAIN_ON_STREAM))
    if main(None, ctypes.addressof(values), len(values), ctypes.addressof(result)):
        raise channel.take(f"{name} failed")
