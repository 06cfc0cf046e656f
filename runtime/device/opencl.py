"""The C functions of OpenCL, called with ctypes.

In: the loader library of the system, or the one inside the package pyopencl, with any driver. Out:
`OpenCL`, whose methods are the functions that opencl_devices.py needs; a status other than success
is a `DeviceError` that names the function and the status. It needs OpenCL 1.2.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from ctypes import POINTER, byref, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..errors import DeviceError

_STATUS = {
    -1: "DEVICE_NOT_FOUND", -2: "DEVICE_NOT_AVAILABLE", -4: "MEM_OBJECT_ALLOCATION_FAILURE",
    -5: "OUT_OF_RESOURCES", -6: "OUT_OF_HOST_MEMORY", -11: "BUILD_PROGRAM_FAILURE",
    -13: "MISALIGNED_SUB_BUFFER_OFFSET", -30: "INVALID_VALUE", -38: "INVALID_MEM_OBJECT",
    -44: "INVALID_PROGRAM", -45: "INVALID_PROGRAM_EXECUTABLE", -46: "INVALID_KERNEL_NAME",
    -48: "INVALID_KERNEL", -49: "INVALID_ARG_INDEX", -50: "INVALID_ARG_VALUE",
    -51: "INVALID_ARG_SIZE", -52: "INVALID_KERNEL_ARGS", -53: "INVALID_WORK_DIMENSION",
    -54: "INVALID_WORK_GROUP_SIZE", -55: "INVALID_WORK_ITEM_SIZE", -61: "INVALID_BUFFER_SIZE",
    -63: "INVALID_GLOBAL_WORK_SIZE", -1001: "PLATFORM_NOT_FOUND",
}  # fmt: skip
_OUT_OF_MEMORY = (-4, -5, -6, -61)
_BUILD_FAILED = -11

# Names of the values that clGet…Info returns.
DEVICE_TYPE, DEVICE_NAME, DEVICE_VERSION = 0x1000, 0x102B, 0x102F
DEVICE_UNITS, DEVICE_BLOCK_SIZE = 0x1002, 0x1004
DEVICE_ALIGNMENT_BITS, DEVICE_F32 = 0x1019, 0x101B
DEVICE_MEMORY_BYTES, DEVICE_SHARED_BYTES, DEVICE_EXTENSIONS = 0x101F, 0x1023, 0x1030
_PROGRAM_LOG, _KERNEL_ARGUMENTS = 0x1183, 0x1191
_TIMED, _COMMAND_END = 2, 0x1283
_ALL_DEVICES, _REGION, _TRUE = 0xFFFFFFFF, 0x1220, 1
# Rank of a device by its type: GPUs, accelerators, then processors.
_RANK = {4: 0, 8: 1}
F32_ROUNDS_DIVISIONS = 1 << 7

_Handles = POINTER(c_void_p)
_Sizes = POINTER(c_size_t)
_Status = POINTER(c_int32)
# Result and parameters of each function.
_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "clGetPlatformIDs": (c_int32, c_uint32, _Handles, POINTER(c_uint32)),
    "clGetDeviceIDs": (c_int32, c_void_p, c_uint64, c_uint32, _Handles, POINTER(c_uint32)),
    "clGetDeviceInfo": (c_int32, c_void_p, c_uint32, c_size_t, c_void_p, _Sizes),
    "clCreateContext": (c_void_p, c_void_p, c_uint32, _Handles, c_void_p, c_void_p, _Status),
    "clCreateCommandQueue": (c_void_p, c_void_p, c_void_p, c_uint64, _Status),
    "clCreateBuffer": (c_void_p, c_void_p, c_uint64, c_size_t, c_void_p, _Status),
    "clCreateSubBuffer": (c_void_p, c_void_p, c_uint64, c_uint32, _Sizes, _Status),
    "clReleaseMemObject": (c_int32, c_void_p),
    "clEnqueueWriteBuffer": (
        c_int32, c_void_p, c_void_p, c_uint32, c_size_t, c_size_t, c_void_p, c_uint32, c_void_p,
        c_void_p,
    ),
    "clEnqueueReadBuffer": (
        c_int32, c_void_p, c_void_p, c_uint32, c_size_t, c_size_t, c_void_p, c_uint32, c_void_p,
        c_void_p,
    ),
    "clEnqueueCopyBuffer": (
        c_int32, c_void_p, c_void_p, c_void_p, c_size_t, c_size_t, c_size_t, c_uint32, c_void_p,
        c_void_p,
    ),
    "clFinish": (c_int32, c_void_p),
    "clFlush": (c_int32, c_void_p),
    "clEnqueueBarrierWithWaitList": (c_int32, c_void_p, c_uint32, _Handles, _Handles),
    "clWaitForEvents": (c_int32, c_uint32, _Handles),
    "clEnqueueMarkerWithWaitList": (c_int32, c_void_p, c_uint32, _Handles, _Handles),
    "clGetEventProfilingInfo": (c_int32, c_void_p, c_uint32, c_size_t, c_void_p, _Sizes),
    "clReleaseEvent": (c_int32, c_void_p),
    "clCreateProgramWithSource": (
        c_void_p, c_void_p, c_uint32, POINTER(c_char_p), _Sizes, _Status,
    ),
    "clBuildProgram": (c_int32, c_void_p, c_uint32, _Handles, c_char_p, c_void_p, c_void_p),
    "clGetProgramBuildInfo": (
        c_int32, c_void_p, c_void_p, c_uint32, c_size_t, c_void_p, _Sizes,
    ),
    "clReleaseProgram": (c_int32, c_void_p),
    "clCreateKernel": (c_void_p, c_void_p, c_char_p, _Status),
    "clGetKernelInfo": (c_int32, c_void_p, c_uint32, c_size_t, c_void_p, _Sizes),
    "clReleaseKernel": (c_int32, c_void_p),
    "clSetKernelArg": (c_int32, c_void_p, c_uint32, c_size_t, c_void_p),
    "clEnqueueNDRangeKernel": (
        c_int32, c_void_p, c_void_p, c_uint32, _Sizes, _Sizes, _Sizes, c_uint32, c_void_p, c_void_p,
    ),
}  # fmt: skip


class OpenCL:
    """The functions of one loader library; handles are those of OpenCL, as integers.

    library: the loaded library, in which the constructor declares the functions.
    """

    def __init__(self, library: ctypes.CDLL) -> None:
        for name, (result, *parameters) in _SIGNATURES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, parameters
        self._library = library

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function of OpenCL, by its C name, that returns a status.

        Errors: DeviceError for a status other than success; MemoryError if the device has too
        little memory.
        """
        _check(name, getattr(self._library, name)(*arguments))

    def create(self, name: str, *arguments: Any) -> int:
        """Call a function, by its C name, that makes an object; return the new handle.

        Errors: as `call`.
        """
        status = c_int32()
        made = getattr(self._library, name)(*arguments, byref(status))
        _check(name, status.value)
        return int(made)

    def devices(self) -> list[int]:
        """Return all devices of all drivers: GPUs, accelerators, then processors."""
        found = [device for platform in self._platforms() for device in self._devices_of(platform)]
        return sorted(found, key=lambda device: _RANK.get(self.number(device, DEVICE_TYPE), 2))

    def _platforms(self) -> Sequence[int]:
        count = c_uint32()
        if self._library.clGetPlatformIDs(0, None, byref(count)):
            return []
        handles = (c_void_p * count.value)()
        self.call("clGetPlatformIDs", count, handles, None)
        return [handle for handle in handles if handle]

    def _devices_of(self, platform: int) -> Sequence[int]:
        count = c_uint32()
        if self._library.clGetDeviceIDs(platform, _ALL_DEVICES, 0, None, byref(count)):
            return []
        handles = (c_void_p * count.value)()
        self.call("clGetDeviceIDs", platform, _ALL_DEVICES, count, handles, None)
        return [handle for handle in handles if handle]

    def number(self, device: int, fact: int) -> int:
        """Return a property of a device that is a number.

        fact: the constant of the property, CL_DEVICE_….
        """
        return int.from_bytes(self._info("clGetDeviceInfo", device, fact), "little")

    def text(self, device: int, fact: int) -> str:
        """Return a property of a device that is a string.

        fact: the constant of the property, CL_DEVICE_….
        """
        return _text(self._info("clGetDeviceInfo", device, fact))

    def count_arguments(self, kernel: int) -> int:
        """Return the number of parameters of a kernel."""
        return int.from_bytes(self._info("clGetKernelInfo", kernel, _KERNEL_ARGUMENTS), "little")

    def _info(self, function: str, *arguments: Any) -> bytes:
        size = c_size_t()
        self.call(function, *arguments, 0, None, byref(size))
        room = ctypes.create_string_buffer(size.value)
        self.call(function, *arguments, size, room, None)
        return room.raw

    def create_context(self, device: int) -> int:
        """Return a new context of a device."""
        return self.create("clCreateContext", None, 1, byref(c_void_p(device)), None, None)

    def create_queue(self, context: int, device: int) -> int:
        """Return a new queue of a context, which runs commands in their order and times them."""
        return self.create("clCreateCommandQueue", context, device, _TIMED)

    def create_part(self, buffer: int, offset: int, size_bytes: int) -> int:
        """Return a handle of a sub-buffer, a range of another buffer.

        offset: the first byte of the range.
        """
        region = (c_size_t * 2)(offset, size_bytes)
        return self.create("clCreateSubBuffer", buffer, 0, _REGION, region)

    def write(self, queue: int, buffer: int, offset: int, host: int, size_bytes: int) -> None:
        """Copy host memory to a buffer, by a queue; return when the host memory has been read.

        offset: the first byte in the buffer.  host: the host address.
        """
        arguments = (queue, buffer, _TRUE, offset, size_bytes, host, 0, None, None)
        self.call("clEnqueueWriteBuffer", *arguments)

    def read(self, queue: int, buffer: int, offset: int, host: int, size_bytes: int) -> None:
        """Copy a buffer to host memory, by a queue; return when the host memory is written.

        offset: the first byte in the buffer.  host: the host address.
        """
        arguments = (queue, buffer, _TRUE, offset, size_bytes, host, 0, None, None)
        self.call("clEnqueueReadBuffer", *arguments)

    def mark(self, queue: int) -> int:
        """Queue a marker, a command that does nothing; return its event.

        Other queues can wait for the event, because the driver starts the commands before it.
        """
        event = c_void_p()
        self.call("clEnqueueMarkerWithWaitList", queue, 0, None, byref(event))
        self.call("clFlush", queue)
        return event.value or 0

    def wait_for(self, queue: int, event: int) -> None:
        """Let later commands of a queue wait for an event; the host does not wait."""
        self.call("clEnqueueBarrierWithWaitList", queue, 1, byref(c_void_p(event)), None)

    def wait_event(self, event: int) -> None:
        """Wait until the command of an event has ended."""
        self.call("clWaitForEvents", 1, byref(c_void_p(event)))

    def end_ns(self, event: int) -> int:
        """Return the device time when the command of an event ended, in nanoseconds.

        Before: all commands of the queue have ended.
        """
        time_ns = c_uint64()
        arguments = (event, _COMMAND_END, ctypes.sizeof(time_ns), byref(time_ns), None)
        self.call("clGetEventProfilingInfo", *arguments)
        return time_ns.value

    def build(self, context: int, device: int, source: str, options: str) -> int:
        """Compile a program for a device; return its handle.

        context: the context that the program belongs to.  source: OpenCL C.  options: the
        command-line options of OpenCL's compiler.

        Errors: DeviceError with the messages of the driver's compiler.
        """
        text = source.encode()
        arguments = (1, byref(c_char_p(text)), byref(c_size_t(len(text))))
        program = self.create("clCreateProgramWithSource", context, *arguments)
        arguments = (1, byref(c_void_p(device)), options.encode(), None, None)
        status = self._library.clBuildProgram(program, *arguments)
        if status == _BUILD_FAILED:
            log = _text(self._info("clGetProgramBuildInfo", program, device, _PROGRAM_LOG))
            self.call("clReleaseProgram", program)
            raise DeviceError(
                "the driver refuses the source of the kernels",
                expected="OpenCL C that the device supports",
                got=log.strip() or "no message of the driver",
                hint="print the source with get_source('opencl')",
            )
        _check("clBuildProgram", status)
        return program

    def enqueue(self, queue: int, kernel: int, grid: Sequence[int], block: Sequence[int]) -> None:
        """Queue a launch of a kernel, whose arguments are set.

        grid: the number of blocks along x, y and z.  block: the threads of a block.
        """
        threads = [blocks * size for blocks, size in zip(grid, block, strict=True)]
        rank = len(threads)
        sizes = ((c_size_t * rank)(*threads), (c_size_t * rank)(*block))
        self.call("clEnqueueNDRangeKernel", queue, kernel, rank, None, *sizes, 0, None, None)


def _text(data: bytes) -> str:
    return data.split(b"\0")[0].decode(errors="replace")


def _check(function: str, status: int) -> None:
    if not status:
        return
    got = f"CL_{_STATUS.get(status, 'status')} ({status})"
    if status in _OUT_OF_MEMORY:
        raise MemoryError(f"the device has no room: {function} returned {got}")
    raise DeviceError(
        f"the OpenCL driver refuses a call of {function}",
        got=got,
        hint="compare the sizes of the launch or copy with device.attributes",
    )


@cache
def opencl() -> OpenCL | None:
    """Return the first loader library that finds a device, or None if none does."""
    for name in _loaders():
        try:
            found = OpenCL(ctypes.CDLL(name))
        except (OSError, AttributeError):
            continue
        if found.devices():
            return found
    return None


def _loaders() -> Iterator[str]:
    yield "libOpenCL.so.1"
    if find_spec("pyopencl") is None:
        return
    # The loader in the package faults unless the package has set the path of its drivers.
    home = import_module("pyopencl").__file__ or ""
    yield from map(str, sorted(Path(home).parent.glob(".libs/libOpenCL*")))
