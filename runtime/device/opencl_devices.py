"""OpenCL devices: memory, copies, programs and launches, by any OpenCL driver of the machine.

    x = nd.array(data, device("opencl", 0))
    KernelProgram(device("opencl"), source, ["add"])["add"](x, y, grid=…, block=…)

OpenCL identifies memory by handles of buffers, `DeviceAPI` by addresses; addresses.py maps an
address to its buffer. A launch passes a buffer or, for an offset other than 0, a sub-buffer. A
command queue of the device runs all commands in the order of the calls, unless a thread uses
another queue (streams.py). Kernels are built without fast math, and without contraction of separate
multiplications and additions.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Mapping, Sequence
from ctypes import byref, c_void_p
from functools import cached_property
from itertools import pairwise

from ..abi.addresses import Addresses
from ..errors import DeviceError
from . import opencl as cl
from .kernels import Argument, Launch
from .opencl import OpenCL, opencl
from .streams import StreamAPI, StreamPool


class _ClBuffer:
    """A buffer, and the sub-buffers that launches have used, by their offsets."""

    def __init__(self, handle: int, size_bytes: int) -> None:
        self.handle, self.size_bytes = handle, size_bytes
        self.parts: dict[int, int] = {}


class _OpenClState:
    """The state of one device: queues, buffers by address, addresses by handle, kernels by program.

    lock: held while a launch sets the arguments of a kernel and is queued, because OpenCL stores
    arguments in the kernel object.
    """

    def __init__(self, functions: OpenCL, handle: int) -> None:
        self.handle = handle
        self.context = functions.create_context(handle)
        self.queues = StreamPool(functions.create_queue(self.context, handle))
        self.buffers = Addresses[_ClBuffer]()
        self.addresses: dict[int, int] = {}
        self.programs: dict[int, list[int]] = {}
        self.lock = threading.RLock()
        self._functions = functions

    def part(self, address: int) -> int:
        """Return a handle of the memory that starts at an address: a buffer or a sub-buffer."""
        buffer, offset = self.buffers.at(address)
        if not offset:
            return buffer.handle
        if offset not in buffer.parts:
            room = buffer.size_bytes - offset
            buffer.parts[offset] = self._functions.create_part(buffer.handle, offset, room)
        return buffer.parts[offset]


class OpenCLDevices(StreamAPI):
    """All devices of the OpenCL drivers of this machine: GPUs first, processors last."""

    shared_is_parameter = True
    lends_memory = True
    alignment_bytes = 512
    needs = "install an OpenCL driver; pip install 'tilewright[opencl]' brings one for processors"

    @cached_property
    def _functions(self) -> OpenCL | None:
        return opencl()

    @cached_property
    def _devices(self) -> list[_OpenClState]:
        found = self._functions
        return [] if found is None else [_OpenClState(found, handle) for handle in found.devices()]

    @property
    def _cl(self) -> OpenCL:
        assert self._functions is not None, "callers have checked that the device exists"
        return self._functions

    def count(self) -> int:
        """Return the number of devices of all drivers."""
        return len(self._devices)

    def attributes(self, index: int) -> Mapping[str, int | str]:
        """Return name, driver, and the limits of memory and launches."""
        handle = self._devices[index].handle
        numbers = {
            "units": cl.DEVICE_UNITS,
            "memory_bytes": cl.DEVICE_MEMORY_BYTES,
            "shared_bytes": cl.DEVICE_SHARED_BYTES,
            "threads_per_block": cl.DEVICE_BLOCK_SIZE,
        }
        return {
            "name": self._cl.text(handle, cl.DEVICE_NAME),
            "version": self._cl.text(handle, cl.DEVICE_VERSION),
            "extensions": self._cl.text(handle, cl.DEVICE_EXTENSIONS),
            "alignment_bytes": self._cl.number(handle, cl.DEVICE_ALIGNMENT_BITS) // 8,
            **{name: self._cl.number(handle, fact) for name, fact in numbers.items()},
        }

    def allocate(self, index: int, size_bytes: int) -> int:
        """Return the address of a new buffer."""
        device = self._devices[index]
        handle = self._cl.create("clCreateBuffer", device.context, 1, size_bytes, None)
        address = device.addresses[handle] = device.buffers.add(_ClBuffer(handle, size_bytes))
        return address

    def free(self, index: int, address: int) -> None:
        """Release a buffer; the driver frees it after all queued work that uses it."""
        device = self._devices[index]
        buffer = device.buffers.remove(address)
        del device.addresses[buffer.handle]
        for handle in (*buffer.parts.values(), buffer.handle):
            self._cl.call("clReleaseMemObject", handle)

    def lend(self, index: int, address: int) -> tuple[int, int]:
        """Return the handle of the buffer at an address, and the byte offset of the address."""
        buffer, offset = self._devices[index].buffers.at(address)
        return buffer.handle, offset

    def borrow(self, index: int, data: int, offset_bytes: int, size_bytes: int) -> int:
        """Return the device address of a part of a buffer that this process has allocated.

        data: the handle of the buffer.

        Errors: BufferError for any other buffer, because commands can only use buffers of their own
        context, and each library has its own context.
        """
        device = self._devices[index]
        address = device.addresses.get(data)
        room = 0 if address is None else device.buffers.at(address)[0].size_bytes - offset_bytes
        if address is None or not 0 <= size_bytes <= room:
            raise BufferError(
                "a tensor is in no buffer of this process's OpenCL context\n"
                "    hint: copy it to the host, and nd.array(x, device) copies it to the device"
            )
        return address + offset_bytes

    def write(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Copy host memory to a buffer after all queued work."""
        if size_bytes:
            device = self._devices[index]
            buffer, offset = device.buffers.at(address)
            self._cl.write(self.current_stream(index), buffer.handle, offset, host, size_bytes)

    def read(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Copy a buffer to host memory after all queued work."""
        if size_bytes:
            device = self._devices[index]
            buffer, offset = device.buffers.at(address)
            self._cl.read(self.current_stream(index), buffer.handle, offset, host, size_bytes)

    def copy(self, index: int, target: int, source: int, size_bytes: int) -> None:
        """Queue a copy between buffers, or within one buffer."""
        if size_bytes and target != source:
            device = self._devices[index]
            (into, start), (out, end) = device.buffers.at(target), device.buffers.at(source)
            queue = self.current_stream(index)
            arguments = (queue, out.handle, into.handle, end, start, size_bytes)
            self._cl.call("clEnqueueCopyBuffer", *arguments, 0, None, None)

    def sync(self, index: int) -> None:
        """Wait until all queued work of all queues has ended."""
        for queue in tuple(self._devices[index].queues.all):
            self._cl.call("clFinish", queue)

    def pool(self, index: int) -> StreamPool:
        """Return the queues of a device."""
        return self._devices[index].queues

    def new_stream(self, index: int) -> int:
        """Return a new queue."""
        device = self._devices[index]
        return self._cl.create_queue(device.context, device.handle)

    def sync_stream(self, index: int, stream: int) -> None:
        """Wait until all commands of a queue have ended."""
        self._cl.call("clFinish", stream)

    def wait_for(self, index: int, stream: int, event: int) -> None:
        """Let later commands of a queue wait for an event."""
        self._cl.wait_for(stream, event)

    def sync_event(self, index: int, event: int) -> None:
        """Wait until an event has taken place."""
        self._cl.wait_event(event)

    def elapsed_s(self, index: int, first: int, last: int) -> float:
        """Return the seconds between two events."""
        return 1e-9 * (self._cl.end_ns(last) - self._cl.end_ns(first))

    def drop_event(self, index: int, event: int) -> None:
        """Release an event."""
        self._cl.call("clReleaseEvent", event)

    def load(self, index: int, code: bytes) -> int:
        """Compile OpenCL C source; return a handle of the program."""
        device = self._devices[index]
        rounds = self._cl.number(device.handle, cl.DEVICE_F32) & cl.F32_ROUNDS_DIVISIONS
        options = "-cl-std=CL1.2" + " -cl-fp32-correctly-rounded-divide-sqrt" * bool(rounds)
        program = self._cl.build(device.context, device.handle, code.decode(), options)
        device.programs[program] = []
        return program

    def unload(self, index: int, program: int) -> None:
        """Release a program and its kernels; the driver frees them after all queued work."""
        device = self._devices[index]
        for kernel in device.programs.pop(program):
            self._cl.call("clReleaseKernel", kernel)
        self._cl.call("clReleaseProgram", program)

    def kernel(self, index: int, program: int, name: str) -> int:
        """Return a handle of the kernel with a name in a program."""
        device = self._devices[index]
        try:
            made = self._cl.create("clCreateKernel", program, name.encode())
        except DeviceError as err:
            raise DeviceError(
                f"a program has no kernel {name}",
                got=err.got,
                hint="pass the name of a __kernel function of the source",
            ) from err
        device.programs[program].append(made)
        return made

    def count_parameters(self, index: int, kernel: int) -> int:
        """Return the number of parameters of a kernel."""
        return self._cl.count_arguments(kernel)

    def record(self, index: int) -> int:
        """Queue a marker, a command that does nothing, and return its event."""
        return self._cl.mark(self.current_stream(index))

    def take_times(self, index: int, events: Sequence[int]) -> list[float]:
        """Wait for the queue; return the seconds between the ends of consecutive markers.

        events: the events of the markers, which are freed.
        """
        self.sync(index)
        ends = [self._cl.end_ns(event) for event in events]
        for event in events:
            self._cl.call("clReleaseEvent", event)
        return [1e-9 * (last - first) for first, last in pairwise(ends)]

    def launch(self, index: int, kernel: int, size: Launch, arguments: Sequence[Argument]) -> None:
        """Queue a launch of a kernel."""
        device = self._devices[index]
        with device.lock:
            for number, argument in enumerate(arguments):
                self._pass(device, kernel, number, argument)
            if size.shared_bytes:
                self._cl.call("clSetKernelArg", kernel, len(arguments), size.shared_bytes, None)
            self._cl.enqueue(self.current_stream(index), kernel, size.grid, size.block)

    def _pass(self, device: _OpenClState, kernel: int, number: int, argument: Argument) -> None:
        if isinstance(argument, c_void_p):
            argument = c_void_p(device.part(argument.value) if argument.value else None)
        size = ctypes.sizeof(argument)
        self._cl.call("clSetKernelArg", kernel, number, size, byref(argument))
