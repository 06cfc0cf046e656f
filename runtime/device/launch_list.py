"""Launch lists: the work of one call of a program on a device, as data.

    {"regions": [{"role": "weight", "size_bytes": 2048},
                 {"role": "input", "size_bytes": 32, "name": "x", "dtype": "float32", "shape": [8]},
                 {"role": "output", …}, {"role": "arena", "size_bytes": 512}],
     "kernels": ["tw_k0"],
     "checks": [{"x": [1, 0], "dtype": "int64", "shape": [4], "sizes": [8], "wraps": true, …}],
     "steps": [{"kernel": "tw_k0", "grid": [1, 1, 1], "block": [256, 1, 1], "shared_bytes": 0,
                "buffers": [[[0, 0], 2048], [[1, 0], 128]], "numbers": []},
               {"target": [2, 0], "source": [3, 0], "size_bytes": 128}]}

A region is a block of device memory, aligned as the device requires for arguments of launches.
An address is the number of a region and an offset in bytes, so a list does not depend on where a
process has its memory. The steps run in order: a launch passes the addresses of its buffers, each
with its size, and then its numbers as 64-bit integers. The checks come first: each compares the
indices in an input with the sizes of the axes that they index.

`targets/gpu/` makes the steps, and runs them by `StepQueue`. A program whose steps do not depend on
values of elements has one list for all calls, which `LoadedList` runs without the compiler.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..abi.device import Device
from ..abi.ndarray import Array, DeviceArray
from .kernels import DeviceAddress, Graph, GraphAPI, KernelProgram, Size, kernel_api


class BufferAddress(NamedTuple):
    """An address in device memory: the number of a region, and an offset in bytes."""

    region: int
    offset: int

    def plus(self, size_bytes: int) -> BufferAddress:
        """Return the address that is ``size_bytes`` bytes after this one."""
        return BufferAddress(self.region, self.offset + size_bytes)


@dataclass(frozen=True)
class LaunchStep:
    """A launch of a kernel, as a step of a list.

    kernel: its name.  grid, block: blocks and threads per block along x, y and z.  buffers: the
    address and the size in bytes of each array argument.  numbers: the integer arguments, which
    follow the arrays.  shared_bytes: dynamic shared memory.
    """

    kernel: str
    grid: Size
    block: Size
    buffers: tuple[tuple[BufferAddress, int], ...]
    numbers: tuple[int, ...] = ()
    shared_bytes: int = 0


@dataclass(frozen=True)
class CopyStep:
    """A copy within the device."""

    target: BufferAddress
    source: BufferAddress
    size_bytes: int


Step: TypeAlias = LaunchStep | CopyStep


@dataclass(frozen=True)
class IndexCheck:
    """A check, before the steps run, that the indices in an input are in range.

    x: the address of the indices.  dtype, shape: their type, and the shape of the array that holds
    them. sizes: the sizes of the indexed axes: one for all indices, or one per element of the
    array's last axis.  wraps: whether negative indices count from the end.  place: the operator
    that uses the indices, for messages.
    """

    x: BufferAddress
    dtype: str
    shape: tuple[int, ...]
    sizes: tuple[int, ...]
    wraps: bool
    place: str


@dataclass(frozen=True)
class Region:
    """A block of device memory.

    role: weight, input, output or arena.  name, dtype, shape: the fields of an input
    or output; empty for other regions.
    """

    role: str
    size_bytes: int
    name: str = ""
    dtype: str = ""
    shape: tuple[int, ...] = ()


@dataclass(frozen=True)
class LaunchList:
    """The regions, kernels, index checks and steps of a program; see the module docstring."""

    regions: tuple[Region, ...]
    kernels: tuple[str, ...]
    checks: tuple[IndexCheck, ...]
    steps: tuple[Step, ...]

    def fields(self) -> Mapping[str, Any]:
        """Return the list in the form of its JSON fields, which `of` reads."""
        return asdict(self)

    @staticmethod
    def of(fields: Mapping[str, Any]) -> LaunchList:
        """Return the list that `fields` wrote as JSON fields."""
        return LaunchList(
            tuple(map(_region, fields["regions"])),
            tuple(fields["kernels"]),
            tuple(map(_check, fields["checks"])),
            tuple(_launch(row) if "kernel" in row else _copy(row) for row in fields["steps"]),
        )


_Row: TypeAlias = Mapping[str, Any]


def _region(row: _Row) -> Region:
    shape = tuple(row["shape"])
    return Region(row["role"], row["size_bytes"], row["name"], row["dtype"], shape)


def _check(row: _Row) -> IndexCheck:
    shape, sizes = tuple(row["shape"]), tuple(row["sizes"])
    return IndexCheck(
        BufferAddress(*row["x"]), row["dtype"], shape, sizes, row["wraps"], row["place"]
    )


def _launch(row: _Row) -> LaunchStep:
    x, y, z = row["grid"]
    a, b, c = row["block"]
    buffers = tuple((BufferAddress(*at), size) for at, size in row["buffers"])
    numbers, shared_bytes = tuple(row["numbers"]), row["shared_bytes"]
    return LaunchStep(row["kernel"], (x, y, z), (a, b, c), buffers, numbers, shared_bytes)


def _copy(row: _Row) -> CopyStep:
    return CopyStep(BufferAddress(*row["target"]), BufferAddress(*row["source"]), row["size_bytes"])


class StepQueue:
    """The loaded kernels of a program on a device, for queueing the steps of its launch list.

    code: the kernels in a form that the driver takes.  kernels: their names.

    Errors: ArgumentError if the device is absent, DeviceError if its driver refuses the kernels.
    """

    def __init__(self, device: Device, code: bytes, kernels: Sequence[str]) -> None:
        self.device, self._api = device, kernel_api(device)
        self._kernels = KernelProgram(device, code, kernels) if kernels else {}

    def bound(self, step: Step, starts: Sequence[int]) -> Callable[[], None]:
        """Return a function that queues a step on the device each time it is called.

        step: a launch or a copy.  starts: the device address at which each region starts, by
        number.
        """
        if isinstance(step, CopyStep):
            target, source = (starts[at.region] + at.offset for at in (step.target, step.source))
            return partial(self._api.copy, self.device.index, target, source, step.size_bytes)
        buffers = [
            DeviceAddress.of(starts[at.region] + at.offset, size) for at, size in step.buffers
        ]
        return self._kernels[step.kernel].bound(
            *buffers,
            *map(ctypes.c_int64, step.numbers),
            grid=step.grid,
            block=step.block,
            shared_bytes=step.shared_bytes,
        )

    def captured(self, queue: Callable[[], object]) -> Graph | None:
        """Return a graph of the work that ``queue`` queues; None if the device has no graphs.

        queue: calls functions that `bound` returned.
        """
        return Graph(self.device, self._api, queue) if isinstance(self._api, GraphAPI) else None


class LoadedList:
    """A launch list on a device, with memory for its regions.

    code: the kernels in a form that the driver takes.  weights: the contents of the regions of
    weights, which are the first regions.

    Errors: as `StepQueue`; MemoryError.
    """

    def __init__(
        self, device: Device, launches: LaunchList, code: bytes, weights: Sequence[Array]
    ) -> None:
        self.launches, self._device, self._api = launches, device, kernel_api(device)
        self._queue = StepQueue(device, code, launches.kernels)
        sizes = [region.size_bytes for region in launches.regions]
        self._memory = [DeviceArray((max(1, n),), np.dtype(np.uint8), device) for n in sizes]
        for number, array in enumerate(weights):
            self.write(number, array)
        starts = [block.address for block in self._memory]
        self._steps = [self._queue.bound(step, starts) for step in launches.steps]

    def regions(self, role: str) -> dict[str, int]:
        """Return the numbers of the regions with a role, by the name of the input or output.

        role: input or output.
        """
        numbered = enumerate(self.launches.regions)
        return {region.name: number for number, region in numbered if region.role == role}

    def write(self, region: int, array: Array) -> None:
        """Copy an array to the start of a region, by the number of the region."""
        data = np.ascontiguousarray(array)
        address = self._memory[region].address
        self._api.write(self._device.index, address, data.ctypes.data, data.nbytes)

    def read(self, region: int, array: Array) -> None:
        """Copy the start of a region to a contiguous array, after all queued work.

        region: the number of the region.  array: receives as many bytes as its size.
        """
        address = self._memory[region].address
        self._api.read(self._device.index, address, array.ctypes.data, array.nbytes)

    def queue(self, calls: int = 1) -> None:
        """Queue all steps of the list, ``calls`` times in sequence."""
        for _ in range(calls):
            for step in self._steps:
                step()

    def captured(self, calls: int = 1) -> Graph | None:
        """Return a graph of the work of `queue`; None if the device has no graphs.

        calls: how often the graph contains all steps of the list.
        """
        return self._queue.captured(partial(self.queue, calls))
