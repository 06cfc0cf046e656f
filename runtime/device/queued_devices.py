"""Devices from drivers that have no queue: each device gets a queue, and handles of its objects.

In: one `Processor` per device, whose methods take effect before they return, such as the calls of a
vendor's driver. Out: the `KernelAPI` of the devices: copies and launches are queued, and a thread
per device runs them in order; the next call that waits raises the first error of the queue.

    tilewright.register_device("toy", QueuedDevices([MyProcessor()]))
"""

from __future__ import annotations

import ctypes
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import count, pairwise
from typing import Any

from ..errors import DeviceError
from .kernels import Argument, KernelAPI, Launch


class Processor(ABC):
    """One device, as the driver of its vendor offers it.

    The thread of the queue calls the methods in order, except for `allocate` and `load`, which the
    thread of the user calls.
    """

    @abstractmethod
    def attributes(self) -> Mapping[str, int | str]:
        """Return properties of the device."""

    @abstractmethod
    def allocate(self, size_bytes: int) -> int:
        """Return the address of new memory, aligned to 64 bytes.

        Errors: MemoryError.
        """

    @abstractmethod
    def free(self, address: int) -> None:
        """Free memory."""

    @abstractmethod
    def write(self, address: int, data: bytes) -> None:
        """Copy bytes of the host to a device address."""

    @abstractmethod
    def read(self, address: int, size_bytes: int) -> bytes:
        """Return the bytes at a device address."""

    @abstractmethod
    def load(self, code: bytes) -> Mapping[str, Any]:
        """Load a program; return its kernels by name, as objects that `launch` takes.

        Errors: DeviceError for code that the device cannot load.
        """

    @abstractmethod
    def launch(self, kernel: Any, size: Launch, arguments: Sequence[Any]) -> None:
        """Run a kernel that `load` returned.

        arguments: device addresses and numbers, as Python's int and float.
        """

    def count_parameters(self, kernel: Any) -> int | None:
        """Return the number of arguments of a kernel, or None if the driver does not know it."""
        return None

    def finish(self) -> None:
        """Wait until the device has done the work of earlier calls; the default does nothing."""
        return

    def copy(self, target: int, source: int, size_bytes: int) -> None:
        """Copy bytes between two device addresses; the default copies by way of the host."""
        self.write(target, self.read(source, size_bytes))


class WorkQueue:
    """A queue of functions that a separate thread calls in order."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._error: Exception | None = None
        threading.Thread(target=self._run, daemon=True).start()

    def add(self, work: Callable[[], object]) -> None:
        """Queue work and return."""
        self._work.put(work)

    def wait(self) -> None:
        """Wait until all queued work is done; raise the first error of the work."""
        done = threading.Event()
        self._work.put(done.set)
        done.wait()
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _run(self) -> None:
        while True:
            work = self._work.get()
            try:
                work()
            except Exception as err:  # the next `wait` raises it
                self._error = self._error or err


class QueuedDevices(KernelAPI):
    """A kind of device, made of `Processor`s that have no queues.

    This class adds a queue per device, and the handles of programs, kernels and events.

    processors: one per device.  queues: the queue of each device.
    """

    def __init__(self, processors: Sequence[Processor]) -> None:
        self.processors = tuple(processors)
        self.queues = [WorkQueue() for _ in processors]
        self._numbers = count(1)
        self._programs: dict[int, Mapping[str, int]] = {}
        self._kernels: dict[int, Any] = {}
        self._events: dict[int, float] = {}

    def count(self) -> int:
        return len(self.processors)

    def attributes(self, index: int) -> Mapping[str, int | str]:
        return self.processors[index].attributes()

    def sync(self, index: int) -> None:
        self.queues[index].add(self.processors[index].finish)
        self.queues[index].wait()

    def allocate(self, index: int, size_bytes: int) -> int:
        return self.processors[index].allocate(size_bytes)

    def free(self, index: int, address: int) -> None:
        self.queues[index].add(lambda: self.processors[index].free(address))

    def write(self, index: int, address: int, host: int, size_bytes: int) -> None:
        data = ctypes.string_at(host, size_bytes)
        self.queues[index].add(lambda: self.processors[index].write(address, data))

    def read(self, index: int, address: int, host: int, size_bytes: int) -> None:
        self.queues[index].wait()
        ctypes.memmove(host, self.processors[index].read(address, size_bytes), size_bytes)

    def copy(self, index: int, target: int, source: int, size_bytes: int) -> None:
        self.queues[index].add(lambda: self.processors[index].copy(target, source, size_bytes))

    def load(self, index: int, code: bytes) -> int:
        kernels = self.processors[index].load(code)
        handles = {name: next(self._numbers) for name in kernels}
        self._kernels |= {handles[name]: kernel for name, kernel in kernels.items()}
        self._programs[program := next(self._numbers)] = handles
        return program

    def unload(self, index: int, program: int) -> None:
        handles = self._programs.pop(program).values()
        self.queues[index].add(lambda: [self._kernels.pop(handle) for handle in handles])

    def kernel(self, index: int, program: int, name: str) -> int:
        if name not in self._programs[program]:
            raise DeviceError(
                f"the program has no kernel {name!r}",
                expected=", ".join(self._programs[program]) or "none",
                got=name,
                hint="the names are those of the mapping that Processor.load returns",
            )
        return self._programs[program][name]

    def count_parameters(self, index: int, kernel: int) -> int | None:
        return self.processors[index].count_parameters(self._kernels[kernel])

    def record(self, index: int) -> int:
        event = next(self._numbers)
        self.queues[index].add(self.processors[index].finish)
        self.queues[index].add(lambda: self._events.update({event: time.perf_counter()}))
        return event

    def take_times(self, index: int, events: Sequence[int]) -> list[float]:
        self.sync(index)
        times = [self._events.pop(event) for event in events]
        return [last - first for first, last in pairwise(times)]

    def launch(self, index: int, kernel: int, size: Launch, arguments: Sequence[Argument]) -> None:
        found, values = self._kernels[kernel], [argument.value for argument in arguments]
        self.queues[index].add(lambda: self.processors[index].launch(found, size, values))
