"""CUDA devices: memory, copies, modules of PTX and launches, by the driver of NVIDIA's GPUs.

    x = nd.array(data, device("cuda", 0))
    KernelProgram(device("cuda"), ptx, ["add"])["add"](x, y, grid=…, block=…)

Addresses are those of the driver. All work of a device is in the primary context, which other
libraries of the process use, too, so memory is exchanged without copies. One stream per device runs
all copies and kernels in the order of the calls; it does not wait for the default stream.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import c_void_p
from functools import cached_property
from itertools import pairwise

from . import cuda as cu
from .cuda import Cuda, cuda
from .errors import DeviceError
from .kernels import Argument, KernelAPI, Launch


class _Device:
    """The state of one device: its primary context and its stream."""

    def __init__(self, functions: Cuda, index: int) -> None:
        self.handle = functions.number("cuDeviceGet", index)
        self.context = functions.handle("cuDevicePrimaryCtxRetain", self.handle)
        with functions.current(self.context):
            self.stream = functions.handle("cuStreamCreate", cu.NON_BLOCKING)


class CudaDevices(KernelAPI):
    """All CUDA devices of this machine."""

    needs = "install the driver of NVIDIA's GPUs; nvidia-smi lists the devices that it finds"

    def __init__(self) -> None:
        self._devices: dict[int, _Device] = {}
        self._lock = threading.Lock()

    @cached_property
    def _functions(self) -> Cuda | None:
        return cuda()

    @property
    def _cuda(self) -> Cuda:
        assert self._functions is not None, "callers have checked that the device exists"
        return self._functions

    def _device(self, index: int) -> _Device:
        """Return the state of a device; the first use makes its context."""
        with self._lock:
            if index not in self._devices:
                self._devices[index] = _Device(self._cuda, index)
            return self._devices[index]

    @contextmanager
    def _use(self, index: int) -> Generator[_Device]:
        """Make the context of a device current in this thread."""
        device = self._device(index)
        with self._cuda.current(device.context):
            yield device

    def count(self) -> int:
        """Return the number of devices that the driver finds."""
        return 0 if self._functions is None else self._functions.number("cuDeviceGetCount")

    def attributes(self, index: int) -> Mapping[str, int | str]:
        """Return name, architecture, driver, and the limits of memory and launches."""
        handle = self._device(index).handle

        def fact(number: int) -> int:
            return self._cuda.number("cuDeviceGetAttribute", number, handle)

        version = self._cuda.number("cuDriverGetVersion")
        return {
            "name": self._cuda.name(handle),
            "version": f"CUDA {version // 1000}.{version % 1000 // 10}",
            "arch": f"sm_{fact(cu.DEVICE_MAJOR)}{fact(cu.DEVICE_MINOR)}",
            "units": fact(cu.DEVICE_UNITS),
            "memory_bytes": self._cuda.memory_bytes(handle),
            "shared_bytes": fact(cu.DEVICE_SHARED_BYTES),
            "threads_per_block": fact(cu.DEVICE_BLOCK_SIZE),
        }

    def allocate(self, index: int, size_bytes: int) -> int:
        """Return the address of new memory; the driver aligns it to 256 bytes."""
        with self._use(index):
            return self._cuda.allocate(size_bytes)

    def free(self, index: int, address: int) -> None:
        """Give memory back; the driver waits for all work of the device first."""
        with self._use(index):
            self._cuda.call("cuMemFree_v2", address)

    def write(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Copy host memory to the device after the work that is queued."""
        self._wait_for_copy("cuMemcpyHtoDAsync_v2", index, address, host, size_bytes)

    def read(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Copy memory of the device to the host after the work that is queued."""
        self._wait_for_copy("cuMemcpyDtoHAsync_v2", index, host, address, size_bytes)

    def _wait_for_copy(
        self, function: str, index: int, target: int, source: int, size_bytes: int
    ) -> None:
        if size_bytes:
            with self._use(index) as device:
                self._cuda.call(function, target, source, size_bytes, device.stream)
                self._cuda.call("cuStreamSynchronize", device.stream)

    def copy(self, index: int, target: int, source: int, size_bytes: int) -> None:
        """Queue a copy within the device."""
        if size_bytes and target != source:
            with self._use(index) as device:
                arguments = (target, source, size_bytes, device.stream)
                self._cuda.call("cuMemcpyDtoDAsync_v2", *arguments)

    def sync(self, index: int) -> None:
        """Wait for the work that is queued."""
        with self._use(index) as device:
            self._cuda.call("cuStreamSynchronize", device.stream)

    lends_memory = True

    def stream(self, index: int) -> int:
        """Return the handle of the stream."""
        return self._device(index).stream

    def publish(self, index: int, stream: int) -> None:
        """Let a stream wait for an event that is recorded now; the host does not wait."""
        with self._use(index) as device:
            event = self._cuda.handle("cuEventCreate", cu.UNTIMED)
            self._cuda.call("cuEventRecord", event, device.stream)
            self._cuda.call("cuStreamWaitEvent", stream, event, 0)
            self._cuda.call("cuEventDestroy_v2", event)

    def load(self, index: int, code: bytes) -> int:
        """Return a module of PTX, or of machine code of the device."""
        with self._use(index):
            return self._cuda.load(code)

    def unload(self, index: int, program: int) -> None:
        """Unload a module when the work that is queued has been done."""
        with self._use(index) as device:
            self._cuda.call("cuStreamSynchronize", device.stream)
            self._cuda.call("cuModuleUnload", program)

    def kernel(self, index: int, program: int, name: str) -> int:
        """Return a kernel of a module."""
        with self._use(index):
            try:
                return self._cuda.handle("cuModuleGetFunction", program, name.encode())
            except DeviceError as err:
                raise DeviceError(
                    f"a program has no kernel {name}",
                    got=err.got,
                    hint="pass the name of an .entry of the PTX",
                ) from err

    def count_parameters(self, index: int, kernel: int) -> int | None:
        """Return the number of parameters of a kernel; None if the driver is too old to say."""
        with self._use(index):
            return self._cuda.count_parameters(kernel)

    def record(self, index: int) -> int:
        """Return an event in the stream."""
        with self._use(index) as device:
            event = self._cuda.handle("cuEventCreate", 0)
            self._cuda.call("cuEventRecord", event, device.stream)
            return event

    def take_times(self, index: int, events: Sequence[int]) -> list[float]:
        """Wait for the last event; return the seconds between all of them."""
        with self._use(index):
            self._cuda.call("cuEventSynchronize", events[-1])
            times_s = [self._cuda.elapsed_s(*pair) for pair in pairwise(events)]
            for event in events:
                self._cuda.call("cuEventDestroy_v2", event)
            return times_s

    def launch(self, index: int, kernel: int, size: Launch, arguments: Sequence[Argument]) -> None:
        """Queue a launch."""
        places = (c_void_p * max(1, len(arguments)))(*map(ctypes.addressof, arguments))
        with self._use(index) as device:
            if size.shared_bytes:
                self._cuda.allow_shared(kernel, size.shared_bytes)
            sizes = (*size.grid, *size.block, size.shared_bytes)
            self._cuda.call("cuLaunchKernel", kernel, *sizes, device.stream, places, None)
