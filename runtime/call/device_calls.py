"""Calls of a module with arrays of its device: arguments and results stay in device memory.

In: the arguments of a call; at least one is an array, or another library's tensor, on a device.
Out: results as `DeviceArray`s, as soon as the work is queued. Inputs may also be host arrays, which
are copied; outputs that the caller passes must be on the device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from ..abi.constants import DeviceType
from ..abi.device import Device
from ..abi.dltensor import device_of
from ..abi.ndarray import Array, DeviceArray, NDArray
from .arguments import Argument
from .output_buffers import CheckedShape

Placed: TypeAlias = "Array | DeviceArray"
"""An argument: on the host, or on the device of the call."""


class DeviceCalls:
    """Calls of a module with arrays of a device: their checks, and the function that runs them.

    kind: DLPack's number of the kind of device.  run: takes the device and an array for each
    argument of the signature, and runs the program.
    """

    def __init__(self, kind: int, run: Callable[[Device, Sequence[Placed]], None]) -> None:
        self._kind, self._run = kind, run

    def takes(self, arrays: Sequence[object]) -> bool:
        """Return whether one of the arguments is in the memory of a device other than the host."""
        return any(_kind_of(array) != DeviceType.CPU for array in arrays)

    def placed(self, value: Any, argument: Argument) -> Placed:
        """Return the value of an argument as an array, on the device or in host memory.

        An array on the device is not copied. A value in host memory becomes a numpy array.

        Errors: ArgumentError for memory of another kind of device, and for other objects.
        """
        if _kind_of(value) == DeviceType.CPU:
            return argument.array_of(value)
        made = value
        if not isinstance(value, DeviceArray):
            argument.check_gradients(value)
            made = NDArray.from_dlpack(value)
        if made.device.kind != self._kind or not isinstance(made, DeviceArray):
            kind = Device(self._kind)
            raise argument.refused("is on another kind of device", made.device, expected=kind)
        return made

    def run(
        self,
        arguments: Sequence[Argument],
        placed: Sequence[Placed],
        rows: Sequence[CheckedShape],
    ) -> list[NDArray]:
        """Run the program; allocate and return the outputs that the caller did not pass.

        arguments: all arguments of the signature.  placed: the arrays that the caller passed, as
        results of `placed`: the inputs, or the inputs and the outputs.  rows: the required shape
        and dtype of each argument.

        Errors: ArgumentError for arguments that do not fit, or are on several devices.
        """
        device = _device_of(arguments, placed)
        pairs = zip(arguments, placed, rows, strict=False)
        checked = [_checked(*pair) for pair in pairs]
        made = [DeviceArray(row.shape, row.dtype, device) for row in rows[len(placed) :]]
        self._run(device, [*checked, *made])
        return list[NDArray](made)


def _kind_of(value: Any) -> int:
    if type(value) is np.ndarray or not hasattr(value, "__dlpack_device__"):
        return DeviceType.CPU
    return device_of(value, "an argument").kind


def _device_of(arguments: Sequence[Argument], placed: Sequence[Placed]) -> Device:
    device: Device | None = None
    for argument, value in zip(arguments, placed, strict=False):
        if not isinstance(value, DeviceArray):
            continue
        if device not in (None, value.device):
            raise argument.refused(
                "is on another device than the arguments before",
                value.device,
                "copy it with x.copyto(device)",
                expected=device,
            )
        device = value.device
    assert device is not None, "the call has an argument on a device"
    return device


def _checked(argument: Argument, value: Placed, row: CheckedShape) -> Placed:
    if not isinstance(value, DeviceArray):
        if argument.is_input:
            return argument.converted(value, row)
        hint = "allocate it with nd.empty(shape, dtype, device), or pass no outputs"
        raise argument.refused("is filled on the host by a call on a device", "a host array", hint)
    got = f"{value.dtype}[{', '.join(map(str, value.shape))}]"
    if value.dtype != row.dtype:
        raise argument.refused("has the wrong dtype", got, "convert it before it is copied")
    if value.shape != row.shape:
        raise argument.refused("has the wrong shape", got, "pass this shape")
    return value
