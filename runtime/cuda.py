"""The driver functions of CUDA, called with ctypes.

In: libcuda, which comes with the driver of NVIDIA's GPUs. Out: `Cuda`, whose methods are the
functions that cuda_devices.py needs; a status other than success is a `DeviceError` that names the
function and the status. CUDA 11 suffices.
"""

from __future__ import annotations

import ctypes
from collections.abc import Generator
from contextlib import contextmanager
from ctypes import (
    POINTER,
    byref,
    c_char_p,
    c_float,
    c_int32,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
    create_string_buffer,
)
from functools import cache
from typing import Any

from .errors import DeviceError

_LIBRARY = "libcuda.so.1"

# Numbers of facts about a device.
DEVICE_BLOCK_SIZE, DEVICE_SHARED_BYTES, DEVICE_UNITS = 1, 8, 16
DEVICE_MAJOR, DEVICE_MINOR = 75, 76
NON_BLOCKING, UNTIMED = 1, 2
_OUT_OF_MEMORY = 2
_ERROR_LOG, _ERROR_LOG_BYTES = 5, 6
_LOG_BYTES = 1 << 14
_MAX_DYNAMIC_SHARED = 8
_WRONG_ARCHITECTURE = (209, 222)

_Handle = POINTER(c_void_p)
_Number = POINTER(c_int32)
# Parameters of each function; all return a status.
_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "cuInit": (c_uint32,),
    "cuDriverGetVersion": (_Number,),
    "cuGetErrorName": (c_int32, POINTER(c_char_p)),
    "cuDeviceGetCount": (_Number,),
    "cuDeviceGet": (_Number, c_int32),
    "cuDeviceGetName": (c_char_p, c_int32, c_int32),
    "cuDeviceGetAttribute": (_Number, c_int32, c_int32),
    "cuDeviceTotalMem_v2": (POINTER(c_size_t), c_int32),
    "cuDevicePrimaryCtxRetain": (_Handle, c_int32),
    "cuCtxPushCurrent_v2": (c_void_p,),
    "cuCtxPopCurrent_v2": (_Handle,),
    "cuStreamCreate": (_Handle, c_uint32),
    "cuStreamSynchronize": (c_void_p,),
    "cuStreamWaitEvent": (c_void_p, c_void_p, c_uint32),
    "cuEventCreate": (_Handle, c_uint32),
    "cuEventRecord": (c_void_p, c_void_p),
    "cuEventSynchronize": (c_void_p,),
    "cuEventElapsedTime": (POINTER(c_float), c_void_p, c_void_p),
    "cuEventDestroy_v2": (c_void_p,),
    "cuMemAlloc_v2": (POINTER(c_uint64), c_size_t),
    "cuMemFree_v2": (c_uint64,),
    "cuMemcpyHtoDAsync_v2": (c_uint64, c_void_p, c_size_t, c_void_p),
    "cuMemcpyDtoHAsync_v2": (c_void_p, c_uint64, c_size_t, c_void_p),
    "cuMemcpyDtoDAsync_v2": (c_uint64, c_uint64, c_size_t, c_void_p),
    "cuModuleLoadDataEx": (_Handle, c_void_p, c_uint32, _Number, _Handle),
    "cuModuleUnload": (c_void_p,),
    "cuModuleGetFunction": (_Handle, c_void_p, c_char_p),
    "cuFuncSetAttribute": (c_void_p, c_int32, c_int32),
    "cuLaunchKernel": (
        c_void_p, *((c_uint32,) * 6), c_uint32, c_void_p, _Handle, _Handle,
    ),
}  # fmt: skip
_PARAMETER_SIZE = "cuFuncGetParamInfo"
"""A function of CUDA 12.4: offset and size of a parameter."""


class Cuda:
    """The functions of one driver; handles are those of CUDA, as integers."""

    def __init__(self, library: ctypes.CDLL) -> None:
        for name, parameters in _SIGNATURES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = c_int32, parameters
        self._library = library

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function.

        Errors: DeviceError; MemoryError if there is no room.
        """
        self._check(name, getattr(self._library, name)(*arguments))

    def handle(self, name: str, *arguments: Any) -> int:
        """Call a function that writes a handle to its first argument; return it."""
        made = c_void_p()
        self.call(name, byref(made), *arguments)
        return made.value or 0

    def number(self, name: str, *arguments: Any) -> int:
        """Call a function that writes a number to its first argument; return it."""
        found = c_int32()
        self.call(name, byref(found), *arguments)
        return found.value

    @contextmanager
    def current(self, context: int) -> Generator[None]:
        """Use a context in this thread, and the one before it again afterwards."""
        self.call("cuCtxPushCurrent_v2", context)
        try:
            yield
        finally:
            self.call("cuCtxPopCurrent_v2", byref(c_void_p()))

    def name(self, device: int) -> str:
        """Return the name of a device."""
        room = create_string_buffer(256)
        self.call("cuDeviceGetName", room, len(room), device)
        return room.value.decode(errors="replace")

    def memory_bytes(self, device: int) -> int:
        """Return the size of the memory of a device."""
        size = c_size_t()
        self.call("cuDeviceTotalMem_v2", byref(size), device)
        return size.value

    def allocate(self, size_bytes: int) -> int:
        """Return the address of new memory of the current context.

        Errors: MemoryError.
        """
        address = c_uint64()
        self.call("cuMemAlloc_v2", byref(address), size_bytes)
        return address.value

    def load(self, code: bytes) -> int:
        """Return a module of PTX or of machine code.

        Errors: DeviceError with the messages of the driver's compiler.
        """
        module, log = c_void_p(), create_string_buffer(_LOG_BYTES)
        # The driver takes a number in the place of a pointer.
        names = (c_int32 * 2)(_ERROR_LOG, _ERROR_LOG_BYTES)
        values = (c_void_p * 2)(ctypes.addressof(log), _LOG_BYTES)
        status = self._library.cuModuleLoadDataEx(byref(module), code + b"\0", 2, names, values)
        if status:
            hint = "print the code with get_source('ptx')"
            if status in _WRONG_ARCHITECTURE:
                hint = "compile for the attribute arch of the device: target='cuda -arch=…'"
            raise DeviceError(
                "the driver refuses the code of the kernels",
                expected="PTX that the device and its driver support",
                got=log.value.decode(errors="replace").strip() or self._status(status),
                hint=hint,
            )
        return module.value or 0

    def allow_shared(self, kernel: int, size_bytes: int) -> None:
        """Let the launches of a kernel have some shared memory beyond its static buffers."""
        self.call("cuFuncSetAttribute", kernel, _MAX_DYNAMIC_SHARED, size_bytes)

    def elapsed_s(self, first: int, last: int) -> float:
        """Return the seconds between two events."""
        time_ms = c_float()
        self.call("cuEventElapsedTime", byref(time_ms), first, last)
        return 1e-3 * time_ms.value

    def count_parameters(self, kernel: int) -> int | None:
        """Return the number of parameters of a kernel; None before CUDA 12.4."""
        found = getattr(self._library, _PARAMETER_SIZE, None)
        if found is None:
            return None
        found.restype = c_int32
        found.argtypes = (c_void_p, c_size_t, POINTER(c_size_t), POINTER(c_size_t))
        count = 0
        while not found(kernel, count, byref(c_size_t()), byref(c_size_t())):
            count += 1
        return count

    def _check(self, function: str, status: int) -> None:
        if not status:
            return
        got = self._status(status)
        if status == _OUT_OF_MEMORY:
            raise MemoryError(f"{function} finds no memory of the device: {got}")
        raise DeviceError(
            f"{function} fails", got=got, hint="see the status in CUDA's documentation"
        )

    def _status(self, status: int) -> str:
        name = c_char_p()
        self._library.cuGetErrorName(status, byref(name))
        return f"{(name.value or b'an unknown status').decode()} ({status})"


@cache
def cuda() -> Cuda | None:
    """Return the functions of the driver; None on a machine without driver or GPU."""
    try:
        found = Cuda(ctypes.CDLL(_LIBRARY))
        found.call("cuInit", 0)
    except (OSError, AttributeError, DeviceError):
        return None
    return found


__all__ = [
    "DEVICE_BLOCK_SIZE",
    "DEVICE_MAJOR",
    "DEVICE_MINOR",
    "DEVICE_SHARED_BYTES",
    "DEVICE_UNITS",
    "NON_BLOCKING",
    "UNTIMED",
    "Cuda",
    "cuda",
]
