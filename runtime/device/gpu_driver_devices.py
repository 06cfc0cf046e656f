"""GPUs of NVIDIA and AMD: memory, copies, modules of machine code and launches, by their drivers.

    x = nd.array(data, device("cuda", 0))
    KernelProgram(device("cuda"), ptx, ["add"])["add"](x, y, grid=…, block=…)
    KernelProgram(device("rocm"), code_object, ["add"])["add"](x, y, grid=…, block=…)

Addresses are those of the driver. All work of a device is in the primary context, which other
libraries of the process use, too, so memory is exchanged without copies. The first stream of a
device runs all copies and kernels in the order of the calls, unless a thread uses another stream
(streams.py). No stream waits for CUDA's default stream.
"""

from __future__ import annotations

import ctypes
import threading
from abc import abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import c_void_p
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

from ..errors import DeviceError
from .cuda import cuda
from .gpu_driver import NON_BLOCKING, RELAXED, UNTIMED, GpuDriver
from .hip import hip
from .kernels import Argument, GraphAPI, Launch
from .streams import StreamAPI, StreamPool


class _ContextState:
    """The state of one device: its primary context and its streams.

    capture_stream: captures the work of a graph; one capture at a time uses it.
    """

    def __init__(self, driver: GpuDriver, index: int) -> None:
        self.handle = driver.number("device", index)
        self.context = driver.context(self.handle)
        self.lock = threading.Lock()
        with driver.current(self.context):
            self.streams = StreamPool(driver.handle("stream", NON_BLOCKING))
            self.capture_stream = driver.handle("stream", NON_BLOCKING)


class GpuDriverDevices(GraphAPI, StreamAPI):
    """All devices of one driver on this machine.

    kernels_are: what a kernel is in the code of a module, for messages.
    """

    lends_memory = True
    kernels_are: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self._devices: dict[int, _ContextState] = {}
        self._lock = threading.Lock()

    @staticmethod
    @abstractmethod
    def find_driver() -> GpuDriver | None:
        """Return the driver; None on a machine without it, or without a GPU."""

    @cached_property
    def _found(self) -> GpuDriver | None:
        return self.find_driver()

    @property
    def _driver(self) -> GpuDriver:
        assert self._found is not None, "callers have checked that the device exists"
        return self._found

    def _device(self, index: int) -> _ContextState:
        with self._lock:
            if index not in self._devices:
                self._devices[index] = _ContextState(self._driver, index)
            return self._devices[index]

    @contextmanager
    def _use(self, index: int) -> Generator[_ContextState]:
        device = self._device(index)
        with self._driver.current(device.context):
            yield device

    @property
    def driver_library(self) -> int:
        """The handle of the opened library of the driver."""
        return self._driver.library_handle

    def count(self) -> int:
        """Return the number of devices that the driver finds."""
        return 0 if self._found is None else self._found.number("count")

    def attributes(self, index: int) -> Mapping[str, int | str]:
        """Return name, architecture, driver version and limits of a device."""
        handle = self._device(index).handle
        return {
            "name": self._driver.device_name(handle),
            "memory_bytes": self._driver.memory_bytes(handle),
            **self._driver.facts(handle),
        }

    def allocate(self, index: int, size_bytes: int) -> int:
        """Return the address of new memory; the driver aligns it to 256 bytes."""
        with self._use(index):
            return self._driver.allocate(size_bytes)

    def free(self, index: int, address: int) -> None:
        """Free memory; the driver first waits for all work of the device."""
        with self._use(index):
            self._driver.call("free", address)

    def write(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Copy host memory to the device after all queued work; wait for the copy."""
        self._wait_for_copy("write", index, address, host, size_bytes)

    def read(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Copy memory of the device to the host after all queued work; wait for the copy."""
        self._wait_for_copy("read", index, host, address, size_bytes)

    def _wait_for_copy(
        self, function: str, index: int, target: int, source: int, size_bytes: int
    ) -> None:
        if size_bytes:
            with self._use(index):
                stream = self.current_stream(index)
                self._driver.call(function, target, source, size_bytes, stream)
                self._driver.call("wait_stream", stream)

    def copy(self, index: int, target: int, source: int, size_bytes: int) -> None:
        """Queue a copy within the device."""
        if size_bytes and target != source:
            with self._use(index):
                arguments = (target, source, size_bytes, self.current_stream(index))
                self._driver.call("copy", *arguments)

    def sync(self, index: int) -> None:
        """Wait until all queued work of all streams has ended."""
        with self._use(index) as device:
            self._sync(device)

    def _sync(self, device: _ContextState) -> None:
        for stream in tuple(device.streams.all):
            self._driver.call("wait_stream", stream)

    def stream(self, index: int) -> int:
        """Return the driver's handle of the stream that this thread uses on a device."""
        return self.current_stream(index)

    def pool(self, index: int) -> StreamPool:
        """Return the streams of a device."""
        return self._device(index).streams

    def new_stream(self, index: int) -> int:
        """Return a new stream, which does not wait for the default stream."""
        with self._use(index):
            return self._driver.handle("stream", NON_BLOCKING)

    def sync_stream(self, index: int, stream: int) -> None:
        """Wait until all work of a stream has ended."""
        with self._use(index):
            self._driver.call("wait_stream", stream)

    def wait_for(self, index: int, stream: int, event: int) -> None:
        """Let later work of a stream wait for an event."""
        with self._use(index):
            self._driver.call("wait_for_event", stream, event, 0)

    def sync_event(self, index: int, event: int) -> None:
        """Wait until an event has taken place."""
        with self._use(index):
            self._driver.call("wait_event", event)

    def elapsed_s(self, index: int, first: int, last: int) -> float:
        """Return the seconds between two events."""
        with self._use(index):
            return self._driver.elapsed_s(first, last)

    def drop_event(self, index: int, event: int) -> None:
        """Free an event."""
        with self._use(index):
            self._driver.call("destroy_event", event)

    def publish(self, index: int, stream: int) -> None:
        """Make another library's stream wait for the queued work; the host does not wait."""
        with self._use(index):
            event = self._driver.handle("event", UNTIMED)
            self._driver.call("record", event, self.current_stream(index))
            self._driver.call("wait_for_event", stream, event, 0)
            self._driver.call("destroy_event", event)

    def load(self, index: int, code: bytes) -> int:
        """Load the code of kernels; return a handle of the driver's module."""
        with self._use(index):
            return self._driver.load(code)

    def unload(self, index: int, program: int) -> None:
        """Wait until all queued work has ended, then unload a module of the driver.

        program: the handle of the module, from `load`.
        """
        with self._use(index) as device:
            self._sync(device)
            self._driver.call("unload", program)

    def kernel(self, index: int, program: int, name: str) -> int:
        """Return a handle of the kernel with a name.

        program: the handle of the driver's module, from `load`.
        """
        with self._use(index):
            try:
                return self._driver.handle("kernel", program, name.encode())
            except DeviceError as err:
                raise DeviceError(
                    f"a program has no kernel {name}",
                    got=err.got,
                    hint=f"pass the name of {self.kernels_are}",
                ) from err

    def count_parameters(self, index: int, kernel: int) -> int | None:
        """Return the number of parameters of a kernel; None if the driver is too old."""
        with self._use(index):
            return self._driver.count_parameters(kernel)

    def record(self, index: int) -> int:
        """Record an event in the stream that this thread uses, and return the event."""
        with self._use(index):
            event = self._driver.handle("event", 0)
            self._driver.call("record", event, self.current_stream(index))
            return event

    def take_times(self, index: int, events: Sequence[int]) -> list[float]:
        """Wait for the last event; return the seconds between consecutive ones; free all."""
        with self._use(index):
            self._driver.call("wait_event", events[-1])
            times_s = [self._driver.elapsed_s(*pair) for pair in pairwise(events)]
            for event in events:
                self._driver.call("destroy_event", event)
            return times_s

    def launch(self, index: int, kernel: int, size: Launch, arguments: Sequence[Argument]) -> None:
        """Queue a launch of a kernel."""
        places = (c_void_p * max(1, len(arguments)))(*map(ctypes.addressof, arguments))
        with self._use(index):
            if size.shared_bytes:
                self._driver.allow_shared(kernel, size.shared_bytes)
            sizes = (*size.grid, *size.block, size.shared_bytes)
            stream = self.current_stream(index)
            self._driver.call("launch", kernel, *sizes, stream, places, None)

    def capture(self, index: int, queue: Callable[[], object]) -> int:
        """Return a graph of the work that ``queue`` queues, captured on a separate stream.

        The capture has the mode relaxed, because other threads, and finalizers in this thread, may
        call the driver during the capture.
        """
        with self._use(index) as device, device.lock:
            stream = device.capture_stream
            self._driver.call("begin_capture", stream, RELAXED)
            self.enter_stream(index, stream)
            try:
                queue()
            finally:
                self.leave_stream(index)
                graph = c_void_p()
                self._driver.call("end_capture", stream, ctypes.byref(graph))
            made = self._driver.handle("instantiate", graph, 0)
            self._driver.call("destroy_graph", graph)
            return made

    def launch_graph(self, index: int, graph: int) -> None:
        """Queue the work of a graph in the stream that this thread uses."""
        with self._use(index):
            self._driver.call("launch_graph", graph, self.current_stream(index))

    def drop_graph(self, index: int, graph: int) -> None:
        """Wait until all queued work has ended, then free a graph."""
        with self._use(index) as device:
            self._sync(device)
            self._driver.call("drop_graph", graph)


class CudaDevices(GpuDriverDevices):
    """All CUDA devices of this machine; modules are PTX, or machine code of the device."""

    needs = "install the driver of NVIDIA's GPUs; nvidia-smi lists the devices that it finds"
    kernels_are = "an .entry of the PTX"

    @staticmethod
    def find_driver() -> GpuDriver | None:
        """Return CUDA's driver, or None."""
        return cuda()


class RocmDevices(GpuDriverDevices):
    """All GPUs of AMD on this machine that ROCm supports; modules are code objects."""

    needs = "install ROCm 6 or later; rocminfo lists the devices that it finds"
    kernels_are = "a kernel of the code object"
    default_stream = 0

    @staticmethod
    def find_driver() -> GpuDriver | None:
        """Return HIP's driver, or None."""
        return hip()
