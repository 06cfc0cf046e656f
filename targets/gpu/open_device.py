"""The state of a program on a device: its kernels, its weights, and the memory of its calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ...dialects.dtypes import numpy_dtype
from ...dialects.packed import ConstantOp, host_ops
from ...dialects.weights import WeightAttr
from ...interp.indices import check_indices
from ...machines.gpu import GpuLimits, Grid
from ...runtime.abi.device import Device
from ...runtime.abi.ndarray import Array, DeviceArray
from ...runtime.device.kernels import kernel_api
from ...runtime.device.launch_list import IndexCheck, Step, StepQueue
from .code import KernelFacts


class DeviceMemory:
    """A block of device memory that can grow; its contents are lost when it grows."""

    def __init__(self, device: Device) -> None:
        self._block = DeviceArray((1,), np.dtype(np.uint8), device)

    @property
    def address(self) -> int:
        """The address of the block, which changes when the block grows."""
        return self._block.address

    def room(self, size_bytes: int) -> int:
        """Return the address of the block, grown to at least ``size_bytes``."""
        if size_bytes > self._block.size:
            self._block = _new_block(size_bytes, self._block.device)
        return self.address


def _new_block(size_bytes: int, device: Device) -> DeviceArray:
    return DeviceArray((size_bytes,), np.dtype(np.uint8), device)


class OpenDevice:
    """A program on its device.

    code: the kernels in the form that the driver takes.  queue: queues launches of kernels, and
    copies.
    Errors: ArgumentError if the device is absent, DeviceError if its driver refuses the kernels.
    """

    def __init__(
        self,
        device: Device,
        code: bytes,
        kernels: Mapping[str, KernelFacts],
        main: FuncOp,
        limits: GpuLimits,
    ) -> None:
        self.device, self.facts, self._limits = device, kernels, limits
        self._api = kernel_api(device)
        symbols = [facts.symbol for facts in kernels.values()]
        self.queue = StepQueue(device, code, symbols)
        self._stages: list[DeviceMemory] = []
        constants = (op for op in host_ops(main.body.block) if isinstance(op, ConstantOp))
        self._weights = {op.value: self._uploaded(op.value.stored) for op in constants}

    def weight(self, value: WeightAttr) -> int:
        """Return the device address of a weight."""
        return self._weights[value].address

    def room(self, stage: int, size_bytes: int) -> int:
        """Return the address of the memory of a stage, grown to at least ``size_bytes``.

        stage: the number of the stage; each packed.bind of a call begins the next stage.
        """
        while stage >= len(self._stages):
            self._stages.append(DeviceMemory(self.device))
        return self._stages[stage].room(size_bytes)

    def block(self, size_bytes: int) -> DeviceArray:
        """Allocate device memory, which lives as long as the returned array."""
        return _new_block(size_bytes, self.device)

    @property
    def places(self) -> tuple[int, ...]:
        """The addresses of the memory of all stages, which change if a stage's memory grows."""
        return tuple(stage.address for stage in self._stages)

    def grid_of(self, kernel: str, sizes: Mapping[str, int]) -> Grid:
        """Return the grid for a launch of a kernel; see `KernelFacts.launched`."""
        return self.facts[kernel].launched(kernel, sizes, self._limits)

    @property
    def alignment_bytes(self) -> int:
        """The alignment of each buffer argument of a kernel."""
        return self._api.alignment_bytes

    def _uploaded(self, array: Array) -> DeviceArray:
        made = self.block(array.nbytes)
        self.write(made.address, np.ascontiguousarray(array))
        return made

    def record(self) -> int:
        """Record an event after the queued work and return it."""
        return self._api.record(self.device.index)

    def take_times(self, events: Sequence[int]) -> list[float]:
        """Return the seconds between consecutive events, and release the events."""
        return self._api.take_times(self.device.index, events)

    def write(self, address: int, array: Array) -> None:
        """Copy a contiguous array to the device."""
        self._api.write(self.device.index, address, array.ctypes.data, array.nbytes)

    def read(self, address: int, array: Array) -> None:
        """Copy from the device to a contiguous array, after all queued work."""
        self._api.read(self.device.index, address, array.ctypes.data, array.nbytes)

    def queue_step(self, step: Step, starts: Sequence[int]) -> None:
        """Queue a step of the program.

        starts: the device address of each region of the program's memory.
        """
        self.queue.bound(step, starts)()

    def check(self, check: IndexCheck, starts: Sequence[int]) -> None:
        """Read the indices in a tensor on the device, and check them.

        starts: the device address of each region of the program's memory.
        Errors: IndexOutside for an index out of range.
        """
        indices = np.empty(check.shape, check.dtype)
        self.read(starts[check.x.region] + check.x.offset, indices)
        check_indices(check.place, indices, check.sizes, wraps=check.wraps)

    def buffer(self, address: int, type_: Attribute) -> Array:
        """Copy a buffer of the device to the host, and return it as an array."""
        assert isinstance(type_, MemRefType), "main is in buffer form"
        array = np.empty(type_.get_shape(), numpy_dtype(type_.element_type))
        self.read(address, array)
        return array
