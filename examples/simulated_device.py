"""A kind of device as a package of its own: it simulates accelerators in this process.

    import simulated_device
    npu = simulated_device.register()           # tilewright.device("npu", 0)
    x = tilewright.nd.array(data, npu)
    simulated_device.launch(mod["vecadd"], x, y, z)
    z.numpy()

It behaves as real devices do. Addresses are its own: the host faults when it reads one. Memory is
undefined when it is new, and a use after `free` is an error. Copies and kernels are queued and run
in order in another thread; `read` and `sync` wait for them and raise their errors.
"""

from __future__ import annotations

import ctypes
import threading
from bisect import bisect_right
from collections.abc import Callable, Mapping
from math import prod

import numpy as np

import tilewright
from tilewright.runtime.device.queued_devices import WorkQueue

NAME = "npu"
# No address of a process has this bit, so that the host faults if it follows a pointer.
POISON = 1 << 62
ALIGNMENT_BYTES = 64
NEW, FREED = 0xCD, 0xDD


class Memory:
    """The memory of one device: blocks by address."""

    def __init__(self, size_bytes: int) -> None:
        self.size_bytes, self.used_bytes = size_bytes, 0
        self._blocks: dict[int, np.ndarray] = {}
        self._next = POISON
        self._lock = threading.Lock()

    def allocate(self, size_bytes: int) -> int:
        """Return the address of a new block."""
        with self._lock:
            if self.used_bytes + size_bytes > self.size_bytes:
                raise MemoryError(f"{size_bytes} bytes do not fit in the memory of the device")
            room = np.full(size_bytes + ALIGNMENT_BYTES, NEW, np.uint8)
            start = -room.ctypes.data % ALIGNMENT_BYTES
            address = self._next
            self._blocks[address] = room[start : start + size_bytes]
            # Blocks are apart, and no address is used twice.
            self._next += (size_bytes // ALIGNMENT_BYTES + 2) * ALIGNMENT_BYTES
            self.used_bytes += size_bytes
            return address

    def free(self, address: int) -> None:
        """Free the block at an address."""
        with self._lock:
            block = self._blocks.pop(address)
            block[...] = FREED
            self.used_bytes -= block.nbytes

    def at(self, address: int, size_bytes: int) -> np.ndarray:
        """Return the bytes at an address, for code that runs on the device."""
        with self._lock:
            starts = list(self._blocks)
            place = bisect_right(starts, address) - 1
            start = starts[place] if place >= 0 else 0
            block = self._blocks.get(start)
        if block is None or address + size_bytes > start + block.nbytes:
            raise RuntimeError(f"the device has no {size_bytes} bytes at {address:#x}")
        return block[address - start : address - start + size_bytes]

    def array(self, address: int, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """Return the elements at an address, for code that runs on the device."""
        return self.at(address, prod(shape) * dtype.itemsize).view(dtype).reshape(shape)


class SimulatedDevices(tilewright.DeviceAPI):
    """Several devices, each with a memory and a queue."""

    def __init__(self, devices: int = 2, size_bytes: int = 64 << 20) -> None:
        self.memories = [Memory(size_bytes) for _ in range(devices)]
        self.queues = [WorkQueue() for _ in range(devices)]

    def count(self) -> int:
        """Return the number of devices."""
        return len(self.memories)

    def attributes(self, index: int) -> Mapping[str, int | str]:
        """Return the size of the device's memory, and the number of bytes in use."""
        memory = self.memories[index]
        return {
            "name": "simulated",
            "threads": 1,
            "memory_bytes": memory.size_bytes,
            "used_bytes": memory.used_bytes,
        }

    def allocate(self, index: int, size_bytes: int) -> int:
        """Return the address of new memory."""
        return self.memories[index].allocate(size_bytes)

    def free(self, index: int, address: int) -> None:
        """Free memory after all queued work is done."""
        self.queues[index].add(lambda: self.memories[index].free(address))

    def write(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Queue a copy from the host; the data is read from host memory at once."""
        data = np.frombuffer(ctypes.string_at(host, size_bytes), np.uint8)
        memory = self.memories[index]
        self.queues[index].add(lambda: np.copyto(memory.at(address, size_bytes), data))

    def read(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Copy to the host after all queued work is done."""
        self.queues[index].wait()
        block = self.memories[index].at(address, size_bytes)
        ctypes.memmove(host, block.ctypes.data, size_bytes)

    def copy(self, index: int, target: int, source: int, size_bytes: int) -> None:
        """Queue a copy within the device."""
        memory = self.memories[index]
        self.queues[index].add(
            lambda: np.copyto(memory.at(target, size_bytes), memory.at(source, size_bytes))
        )

    def sync(self, index: int) -> None:
        """Wait until all queued work is done."""
        self.queues[index].wait()


def register(devices: int = 2, size_bytes: int = 64 << 20) -> tilewright.Device:
    """Register the device kind in this process; return its first device."""
    tilewright.register_device(NAME, SimulatedDevices(devices, size_bytes))
    return tilewright.device(NAME, 0)


def launch(kernel: Callable[..., object], *arrays: tilewright.DeviceArray) -> None:
    """Queue a kernel call on arrays of one device, and return before the kernel has finished."""
    device = arrays[0].device
    assert all(array.device == device for array in arrays), "arrays of one device"
    api = device.api
    assert isinstance(api, SimulatedDevices), "a simulated device"
    memory = api.memories[device.index]
    api.queues[device.index].add(
        lambda: kernel(*(memory.array(x.address, x.shape, x.dtype) for x in arrays))
    )
