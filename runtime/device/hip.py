"""The driver of HIP, called with ctypes.

In: libamdhip64, which comes with ROCm and with PyTorch for ROCm. Out: `Hip`, with the functions of
gpu_driver.py and those that only HIP has. It needs ROCm 6 or later.
"""

from __future__ import annotations

import ctypes
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from ctypes import byref, c_char_p, c_int32, c_void_p, create_string_buffer
from functools import cache

from ..errors import DeviceError
from .gpu_driver import HANDLE, HIP, NUMBER, GpuDriver

_LIBRARIES = ("libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
              "/opt/rocm/lib/libamdhip64.so")  # fmt: skip
"""The names of the library; only development packages install the first one."""

_PROPERTIES = "hipGetDevicePropertiesR0600"
_PROPERTIES_BYTES, _ARCHITECTURE_BYTE = 4096, 1160
"""Bytes to allocate for hipDeviceProp_tR0600 (1472 bytes), and the offset of its gcnArchName."""


class Hip(GpuDriver):
    """The functions of HIP's driver; the handle of a context is the number of its device."""

    column, manual = HIP, "HIP's"
    # Source: hip_runtime_api.h of ROCm 6, hipDeviceAttribute_t.
    limits = {"units": 63, "shared_bytes": 74, "threads_per_block": 56}
    own = {
        "hipGetDevice": (NUMBER,),
        "hipSetDevice": (c_int32,),
        _PROPERTIES: (c_char_p, c_int32),
        "hipModuleLoadData": (HANDLE, c_void_p),
    }

    def context(self, device: int) -> int:
        """Return the number of the device, which stands for its context."""
        return device

    @contextmanager
    def current(self, context: int) -> Generator[None]:
        """Make a device current in this thread inside a ``with`` block."""
        before = self.number("hipGetDevice")
        self.call("hipSetDevice", context)
        try:
            yield
        finally:
            self.call("hipSetDevice", before)

    def release(self, device: int) -> Mapping[str, str]:
        """Return the version of the driver and the architecture of a device, by attribute name."""
        version = self.number("version")
        room = create_string_buffer(_PROPERTIES_BYTES)
        self.call(_PROPERTIES, room, device)
        name = room.raw[_ARCHITECTURE_BYTE:].split(b"\0")[0].decode(errors="replace")
        # The name may end with features, such as gfx942:sramecc+:xnack-.
        return {
            "version": f"HIP {version // 10**7}.{version // 10**5 % 100}",
            "arch": name.partition(":")[0],
        }

    def load(self, code: bytes) -> int:
        """Load a code object; return a handle of the driver's module.

        Errors: DeviceError with the status.
        """
        module = c_void_p()
        status = self._library.hipModuleLoadData(byref(module), code)
        if status:
            raise DeviceError(
                "the driver refuses the code of the kernels",
                expected="a code object for the processor of the device",
                got=self.status(status),
                hint="compile for the attribute arch of the device: target='rocm -mcpu=…'",
            )
        return module.value or 0

    def allow_shared(self, kernel: int, size_bytes: int) -> None:
        """Do nothing: a launch may always use all shared memory of the device."""

    def count_parameters(self, kernel: int) -> int | None:
        """Return None, because HIP does not report the number of parameters."""
        return None


@cache
def hip() -> Hip | None:
    """Return the first library that finds a GPU, initialized, or None if none does."""
    for name in _LIBRARIES:
        try:
            found = Hip(ctypes.CDLL(name))
            found.call("init", 0)
            found.number("count")
        except (OSError, AttributeError, DeviceError):
            continue
        return found
    return None
