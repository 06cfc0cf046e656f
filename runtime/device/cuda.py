"""The driver of CUDA, called with ctypes.

In: libcuda, which comes with the driver of NVIDIA's GPUs. Out: `Cuda`, with the functions of
gpu_driver.py and those that only CUDA has. It needs CUDA 11.4.
"""

from __future__ import annotations

import ctypes
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from ctypes import POINTER, byref, c_int32, c_size_t, c_uint32, c_void_p, create_string_buffer
from functools import cache

from ..errors import DeviceError
from .gpu_driver import CUDA, HANDLE, NUMBER, GpuDriver

_LIBRARY = "libcuda.so.1"

# The numbers of device attributes.
_MAJOR, _MINOR = 75, 76
_ERROR_LOG, _ERROR_LOG_BYTES = 5, 6
_LOG_BYTES = 1 << 14
_MAX_DYNAMIC_SHARED = 8
_WRONG_ARCHITECTURE = (209, 222)
_PARAMETER_SIZE = "cuFuncGetParamInfo"
"""A function of CUDA 12.4: offset and size of a parameter."""


class Cuda(GpuDriver):
    """The functions of CUDA's driver; a context is the primary context of a device."""

    column, manual = CUDA, "CUDA's"
    limits = {"units": 16, "shared_bytes": 8, "threads_per_block": 1, "cache_bytes": 38}
    own = {
        "cuDevicePrimaryCtxRetain": (HANDLE, c_int32),
        "cuCtxPushCurrent_v2": (c_void_p,),
        "cuCtxPopCurrent_v2": (HANDLE,),
        "cuModuleLoadDataEx": (HANDLE, c_void_p, c_uint32, NUMBER, HANDLE),
        "cuFuncSetAttribute": (c_void_p, c_int32, c_int32),
    }

    def context(self, device: int) -> int:
        """Return the primary context of a device."""
        return self.handle("cuDevicePrimaryCtxRetain", device)

    @contextmanager
    def current(self, context: int) -> Generator[None]:
        """Make a context current in this thread inside a ``with`` block.

        context: a result of `context`.
        """
        self.call("cuCtxPushCurrent_v2", context)
        try:
            yield
        finally:
            self.call("cuCtxPopCurrent_v2", byref(c_void_p()))

    def release(self, device: int) -> Mapping[str, str]:
        """Return the version of the driver and the architecture of a device, by attribute name."""
        version = self.number("version")
        major, minor = (self.number("fact", n, device) for n in (_MAJOR, _MINOR))
        return {
            "version": f"CUDA {version // 1000}.{version % 1000 // 10}",
            "arch": f"sm_{major}{minor}",
        }

    def load(self, code: bytes) -> int:
        """Load PTX or machine code; return a handle of the driver's module.

        Errors: DeviceError with the messages of the driver's compiler.
        """
        module, log = c_void_p(), create_string_buffer(_LOG_BYTES)
        # The driver takes an integer option as the value of a pointer.
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
                got=log.value.decode(errors="replace").strip() or self.status(status),
                hint=hint,
            )
        return module.value or 0

    def allow_shared(self, kernel: int, size_bytes: int) -> None:
        """Permit launches of a kernel with up to ``size_bytes`` of dynamic shared memory."""
        self.call("cuFuncSetAttribute", kernel, _MAX_DYNAMIC_SHARED, size_bytes)

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


@cache
def cuda() -> Cuda | None:
    """Return CUDA's driver, initialized, or None on a machine without driver or GPU."""
    try:
        found = Cuda(ctypes.CDLL(_LIBRARY))
        found.call("init", 0)
    except (OSError, AttributeError, DeviceError):
        return None
    return found
