"""Kernels of devices: loading their code, and launching them.

    program = KernelProgram(device("opencl"), source)
    program["add"](x, y, z, grid=(4, 1, 1), block=(64, 1, 1))

In: the code of kernels in a form that the device loads, arrays of the device, and sizes. Out: a
launch in the device's queue, in the order of the calls. A kind of device that runs kernels
implements `KernelAPI`, such as opencl_devices.py and gpu_driver_devices.py.
"""

from __future__ import annotations

import ctypes
import struct
import weakref
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, TypeAlias

from ..abi.device import Device, DeviceAPI
from ..abi.ndarray import DeviceArray
from ..errors import ArgumentError, DeviceError
from ..spelling import SuggestsNames

Size: TypeAlias = tuple[int, int, int]
"""Sizes along x, y and z."""
Argument: TypeAlias = Any
"""A ctypes scalar: a device address as c_void_p, or a number of the parameter's type."""


class DeviceAddress(ctypes.c_void_p):
    """A device address that a launch passes, and the size of the array at this address.

    size_bytes: None if the size is not known.
    """

    size_bytes: int | None = None

    @classmethod
    def of(cls, address: int, size_bytes: int) -> DeviceAddress:
        """Return the launch argument for an array at a device address."""
        made = cls(address)
        made.size_bytes = size_bytes
        return made


@dataclass(frozen=True)
class Launch:
    """The sizes of a launch: grid in blocks, block in threads, dynamic shared memory."""

    grid: Size
    block: Size
    shared_bytes: int = 0


_MOST_BLOCKS = 65535


def folded(grid: Size, *, folds: bool) -> Size:
    """Return a grid for a launch, with at most 65535 blocks along each dimension.

    Many drivers have this limit. A larger grid along x becomes rows of blocks along x and y, if the
    kernel allows it.

    folds: whether the kernel computes its block index from x and y.

    Errors: DeviceError for a grid with too many blocks along a dimension.
    """
    x, y, z = grid
    if max(grid) <= _MOST_BLOCKS:
        return grid
    rows = -(-x // _MOST_BLOCKS)
    if not folds or (y, z) != (1, 1) or rows > _MOST_BLOCKS:
        raise DeviceError(
            "a launch has too many blocks",
            expected=f"at most {_MOST_BLOCKS} along a dimension",
            got=grid,
            hint="run on smaller arrays, or give each thread several elements",
        )
    return _MOST_BLOCKS, rows, 1


def check_block(launch: Launch, block: tuple[int, ...], option: str) -> None:
    """Check that the block of a launch has the size that the code of its kernel declares.

    block: the threads per block that the kernel declares; empty if it declares none.  option: the
    part of the code that declares them, for messages.
    Errors: DeviceError for another block size, and for dynamic shared memory.
    """
    if launch.shared_bytes or launch.block != (block or launch.block):
        raise DeviceError(
            "a launch has other sizes than its kernel states",
            expected=f"a block of {block}, and no shared memory beyond that of the kernel",
            got=f"{launch.block}, and {launch.shared_bytes} bytes",
            hint=f"pass {option}",
        )


_FORMATS = {"i32": "<i", "u32": "<I", "f32": "<f"}
_MOST_NUMBER = (1 << 31) - (1 << 16)
"""The largest integer argument: kernels may add less than a block size to it without overflow of
i32."""


def number_bytes(type_: str, value: float) -> bytes:
    """Return a number argument of a launch as bytes, in a field of 32 bits.

    type_: i32, u32 or f32.
    Errors: DeviceError for a number that does not fit its field.
    """
    if type_ not in _FORMATS or (type_ == "i32" and abs(value) >= _MOST_NUMBER):
        raise DeviceError(
            "a number of a launch does not fit its field",
            expected=f"less than {_MOST_NUMBER}, in a field of {', '.join(_FORMATS)}",
            got=f"{value} for {type_}",
            hint="run on smaller arrays",
        )
    return struct.pack(_FORMATS[type_], value)


class KernelAPI(DeviceAPI):
    """A kind of device that runs kernels.

    shared_is_parameter: whether a kernel takes the `shared_bytes` of its launch as last parameter.
    alignment_bytes: the required alignment of arrays that a launch passes.
    """

    shared_is_parameter: ClassVar[bool] = False
    alignment_bytes: ClassVar[int] = 16

    @abstractmethod
    def load(self, index: int, code: bytes) -> int:
        """Load code in the format of the kind of device; return a handle of the program.

        Errors: DeviceError if the driver refuses the code.
        """

    @abstractmethod
    def unload(self, index: int, program: int) -> None:
        """Free a program as soon as all queued work that uses the program has ended."""

    @abstractmethod
    def kernel(self, index: int, program: int, name: str) -> int:
        """Return a handle of the kernel with a name; it is valid as long as its program.

        Errors: DeviceError if the program has no kernel of the name.
        """

    @abstractmethod
    def count_parameters(self, index: int, kernel: int) -> int | None:
        """Return the number of parameters of a kernel, or None if the driver does not know it."""

    @abstractmethod
    def record(self, index: int) -> int:
        """Queue an event that takes place when all work queued so far has ended, and return it."""

    @abstractmethod
    def take_times(self, index: int, events: Sequence[int]) -> list[float]:
        """Return the seconds between consecutive events, and free the events.

        events: results of `record`, in order.
        """

    @abstractmethod
    def launch(self, index: int, kernel: int, size: Launch, arguments: Sequence[Argument]) -> None:
        """Queue a launch of a kernel; the arguments are read before the method returns.

        kernel: a handle, from `kernel`.  size: the grid, of at least one block, the block and the
        shared memory.  arguments: a DeviceAddress for each array, and ctypes scalars.

        Errors: DeviceError if the driver refuses the sizes or the arguments.
        """


class GraphAPI(KernelAPI):
    """A kind of device that can record work as a graph, which one driver call queues again."""

    @abstractmethod
    def capture(self, index: int, queue: Callable[[], object]) -> int:
        """Return a graph of the launches and copies that ``queue`` queues, without running them.

        queue: calls only `launch` and `copy` of this device, in this thread.
        """

    @abstractmethod
    def launch_graph(self, index: int, graph: int) -> None:
        """Queue the work of a graph."""

    @abstractmethod
    def drop_graph(self, index: int, graph: int) -> None:
        """Free a graph as soon as its queued work has ended."""


class Graph:
    """Recorded work on a device, which can be queued again with the same addresses.

    The graph is freed with this object.

    queue: the function whose launches and copies are recorded; see `GraphAPI.capture`.
    """

    def __init__(self, device: Device, api: GraphAPI, queue: Callable[[], object]) -> None:
        self._device, self._api = device, api
        self._graph = api.capture(device.index, queue)
        weakref.finalize(self, api.drop_graph, device.index, self._graph).atexit = False

    def launch(self) -> None:
        """Queue the recorded work."""
        self._api.launch_graph(self._device.index, self._graph)


def kernel_api(device: Device) -> KernelAPI:
    """Return the `KernelAPI` of a device's kind.

    Errors: ArgumentError if the device is absent or runs no kernels.
    """
    api = device.api
    if not isinstance(api, KernelAPI):
        raise ArgumentError(
            f"device {device} runs no kernels",
            expected="a kind of device that implements KernelAPI",
            got=type(api).__name__,
            hint="use device('opencl')",
        )
    return api


class KernelProgram(Mapping[str, "Kernel"], SuggestsNames):
    """The kernels of one code, loaded on a device; a mapping from names to kernels.

    code: the kernels in the form that the driver takes.  names: the names of the kernels.

    Errors: ArgumentError if the device is absent or runs no kernels; DeviceError for code that the
    driver refuses.
    """

    def __init__(self, device: Device, code: bytes | str, names: Sequence[str]) -> None:
        api = kernel_api(device)
        data = code.encode() if isinstance(code, str) else code
        self.device = device
        self._program = api.load(device.index, data)
        weakref.finalize(self, api.unload, device.index, self._program).atexit = False
        handles = {name: api.kernel(device.index, self._program, name) for name in names}
        self._kernels = {n: Kernel(self, api, n, handle) for n, handle in handles.items()}

    def __getitem__(self, name: str) -> Kernel:
        return self._kernels[name]

    def __iter__(self) -> Any:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)


def _queue_nothing() -> None: ...


class Kernel:
    """A kernel of a program; a call queues a launch and returns."""

    def __init__(self, program: KernelProgram, api: KernelAPI, name: str, handle: int) -> None:
        self.name = name
        self._program, self._api, self._handle = program, api, handle
        self._parameters = api.count_parameters(program.device.index, handle)

    def __call__(
        self, *arguments: DeviceArray | Argument, grid: Size, block: Size, shared_bytes: int = 0
    ) -> None:
        """Queue a launch and return; the parameters are those of `bound`."""
        self.bound(*arguments, grid=grid, block=block, shared_bytes=shared_bytes)()

    def bound(
        self, *arguments: DeviceArray | Argument, grid: Size, block: Size, shared_bytes: int = 0
    ) -> Callable[[], None]:
        """Check the arguments of a launch; return a function that queues the launch.

        The caller keeps the arrays alive until the queued work has ended.

        arguments: arrays of the program's device, and ctypes scalars.  grid: blocks along x, y and
        z. block: threads per block along x, y and z.  shared_bytes: dynamic shared memory.

        Errors: ArgumentError for an array of another device, and for any other value; DeviceError
        for another number of arguments than the kernel takes.
        """
        passed = [self._passed(argument, number) for number, argument in enumerate(arguments)]
        self._check_count(len(passed), has_shared=shared_bytes > 0)
        if not all(grid):
            return _queue_nothing
        launch = Launch(grid, block, shared_bytes)
        return partial(self._launch, launch, passed)

    def _launch(self, launch: Launch, passed: Sequence[Argument]) -> None:
        self._api.launch(self._program.device.index, self._handle, launch, passed)

    def _check_count(self, count: int, *, has_shared: bool) -> None:
        if self._parameters is None:
            return
        expected = self._parameters - (has_shared and self._api.shared_is_parameter)
        if expected != count:
            raise DeviceError(
                "a launch passes another number of arguments than its kernel takes",
                expected=expected,
                got=count,
                hint="pass one argument per parameter, without that for shared_bytes",
            )

    def _passed(self, argument: DeviceArray | Argument, number: int) -> Argument:
        device = self._program.device
        if isinstance(argument, DeviceArray) and argument.device == device:
            return DeviceAddress.of(argument.address, argument.size * argument.dtype.itemsize)
        if isinstance(argument, ctypes._SimpleCData):  # pyright: ignore[reportPrivateUsage]
            return argument
        raise ArgumentError(
            f"argument {number} of kernel {self.name} cannot be passed to {device}",
            expected=f"an array on {device}, or a number such as ctypes.c_int32(4)",
            got=getattr(argument, "device", type(argument).__name__),
            hint=f"nd.array(x, device) copies an array to {device}",
        )
