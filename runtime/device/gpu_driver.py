"""The functions that the drivers of NVIDIA's and AMD's GPUs have in common, called with ctypes.

In: the library of a driver. Out: `GpuDriver`, whose methods are the functions that
gpu_driver_devices.py needs; a status other than success is a `DeviceError` that names the function
and the status. cuda.py and hip.py add what only one of the drivers has.
"""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
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
from typing import Any, ClassVar, TypeAlias

from ..errors import DeviceError

NON_BLOCKING, UNTIMED, RELAXED = 1, 2, 2
"""Flags of streams, events and captures, the same numbers for both drivers."""
_OUT_OF_MEMORY = 2

Parameters: TypeAlias = tuple[Any, ...]
"""The ctypes of the parameters of a driver function; its result is a status."""
HANDLE = POINTER(c_void_p)
NUMBER = POINTER(c_int32)
# Names of each function for CUDA and for HIP, and its parameters.
_FUNCTIONS: dict[str, tuple[tuple[str, str], Parameters]] = {
    "init": (("cuInit", "hipInit"), (c_uint32,)),
    "version": (("cuDriverGetVersion", "hipDriverGetVersion"), (NUMBER,)),
    "error_name": (("cuGetErrorName", "hipDrvGetErrorName"), (c_int32, POINTER(c_char_p))),
    "count": (("cuDeviceGetCount", "hipGetDeviceCount"), (NUMBER,)),
    "device": (("cuDeviceGet", "hipDeviceGet"), (NUMBER, c_int32)),
    "device_name": (("cuDeviceGetName", "hipDeviceGetName"), (c_char_p, c_int32, c_int32)),
    "fact": (("cuDeviceGetAttribute", "hipDeviceGetAttribute"), (NUMBER, c_int32, c_int32)),
    "memory": (("cuDeviceTotalMem_v2", "hipDeviceTotalMem"), (POINTER(c_size_t), c_int32)),
    "stream": (("cuStreamCreate", "hipStreamCreateWithFlags"), (HANDLE, c_uint32)),
    "wait_stream": (("cuStreamSynchronize", "hipStreamSynchronize"), (c_void_p,)),
    "wait_for_event": (
        ("cuStreamWaitEvent", "hipStreamWaitEvent"), (c_void_p, c_void_p, c_uint32),
    ),
    "event": (("cuEventCreate", "hipEventCreateWithFlags"), (HANDLE, c_uint32)),
    "record": (("cuEventRecord", "hipEventRecord"), (c_void_p, c_void_p)),
    "wait_event": (("cuEventSynchronize", "hipEventSynchronize"), (c_void_p,)),
    "elapsed": (
        ("cuEventElapsedTime", "hipEventElapsedTime"), (POINTER(c_float), c_void_p, c_void_p),
    ),
    "destroy_event": (("cuEventDestroy_v2", "hipEventDestroy"), (c_void_p,)),
    "allocate": (("cuMemAlloc_v2", "hipMalloc"), (POINTER(c_uint64), c_size_t)),
    "free": (("cuMemFree_v2", "hipFree"), (c_uint64,)),
    "write": (
        ("cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync"), (c_uint64, c_void_p, c_size_t, c_void_p),
    ),
    "read": (
        ("cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync"), (c_void_p, c_uint64, c_size_t, c_void_p),
    ),
    "copy": (
        ("cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync"), (c_uint64, c_uint64, c_size_t, c_void_p),
    ),
    "unload": (("cuModuleUnload", "hipModuleUnload"), (c_void_p,)),
    "kernel": (("cuModuleGetFunction", "hipModuleGetFunction"), (HANDLE, c_void_p, c_char_p)),
    "launch": (
        ("cuLaunchKernel", "hipModuleLaunchKernel"),
        (c_void_p, *((c_uint32,) * 7), c_void_p, HANDLE, HANDLE),
    ),
    "begin_capture": (("cuStreamBeginCapture_v2", "hipStreamBeginCapture"), (c_void_p, c_uint32)),
    "end_capture": (("cuStreamEndCapture", "hipStreamEndCapture"), (c_void_p, HANDLE)),
    "instantiate": (
        ("cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags"),
        (HANDLE, c_void_p, c_uint64),
    ),
    "launch_graph": (("cuGraphLaunch", "hipGraphLaunch"), (c_void_p, c_void_p)),
    "destroy_graph": (("cuGraphDestroy", "hipGraphDestroy"), (c_void_p,)),
    "drop_graph": (("cuGraphExecDestroy", "hipGraphExecDestroy"), (c_void_p,)),
}  # fmt: skip
CUDA, HIP = 0, 1
"""The columns of the table of names."""


class GpuDriver(ABC):
    """The functions of one driver; handles are integers that the driver returned.

    column: the column of ``_FUNCTIONS`` with the C names of this driver's functions.
    own: the parameter types of functions that only this driver has, by C name.
    manual: the product whose documentation lists the statuses, for messages.
    limits: the driver's number of each limit that `facts` reports.
    """

    column: ClassVar[int]
    own: ClassVar[Mapping[str, Parameters]]
    manual: ClassVar[str]
    limits: ClassVar[Mapping[str, int]]

    def __init__(self, library: ctypes.CDLL) -> None:
        names = {word: row[0][self.column] for word, row in _FUNCTIONS.items()}
        parameters = {names[word]: row[1] for word, row in _FUNCTIONS.items()}
        for name, types in {**parameters, **self.own}.items():
            function = getattr(library, name)
            function.restype, function.argtypes = c_int32, types
        self._library, self._names = library, {**names, **{name: name for name in self.own}}

    @property
    def library_handle(self) -> int:
        """The handle of the opened library."""
        return self._library._handle

    @abstractmethod
    def context(self, device: int) -> int:
        """Return a handle of the device's context that other libraries of the process use, too."""

    @abstractmethod
    def current(self, context: int) -> AbstractContextManager[None]:
        """Make a context current in this thread inside a ``with`` block.

        context: a result of `context`.
        """

    @abstractmethod
    def release(self, device: int) -> Mapping[str, str]:
        """Return the version of the driver and the architecture of a device, by attribute name."""

    def facts(self, device: int) -> Mapping[str, int | str]:
        """Return version and architecture of a device, and the limits of its launches."""
        limits = {name: self.number("fact", n, device) for name, n in self.limits.items()}
        return {**self.release(device), **limits}

    @abstractmethod
    def load(self, code: bytes) -> int:
        """Load the code of kernels; return a handle of the driver's module.

        Errors: DeviceError with the message of the driver.
        """

    @abstractmethod
    def allow_shared(self, kernel: int, size_bytes: int) -> None:
        """Permit launches of a kernel with up to ``size_bytes`` of dynamic shared memory."""

    @abstractmethod
    def count_parameters(self, kernel: int) -> int | None:
        """Return the number of parameters of a kernel, or None if the driver cannot report it."""

    def call(self, word: str, *arguments: Any) -> None:
        """Call a function of the driver.

        word: the key of the function in ``_FUNCTIONS`` or in ``own``.

        Errors: DeviceError for any status except success; MemoryError if the device has too little
        memory.
        """
        name = self._names[word]
        status = getattr(self._library, name)(*arguments)
        if not status:
            return
        got = self.status(status)
        if status == _OUT_OF_MEMORY:
            raise MemoryError(f"{name} finds no memory of the device: {got}")
        raise DeviceError(
            f"{name} fails", got=got, hint=f"see the status in {self.manual} documentation"
        )

    def handle(self, word: str, *arguments: Any) -> int:
        """Call a function whose first parameter is the address of a new handle; return the handle.

        word, arguments: as for `call`; the arguments start at the second one.
        """
        made = c_void_p()
        self.call(word, byref(made), *arguments)
        return made.value or 0

    def number(self, word: str, *arguments: Any) -> int:
        """Call a function whose first parameter is the address of a result; return this number.

        word, arguments: as for `call`; the arguments start at the second one.
        """
        found = c_int32()
        self.call(word, byref(found), *arguments)
        return found.value

    def device_name(self, device: int) -> str:
        """Return the name of a device."""
        room = create_string_buffer(256)
        self.call("device_name", room, len(room), device)
        return room.value.decode(errors="replace")

    def memory_bytes(self, device: int) -> int:
        """Return the size of the memory of a device."""
        size = c_size_t()
        self.call("memory", byref(size), device)
        return size.value

    def allocate(self, size_bytes: int) -> int:
        """Return the address of new memory of the current context.

        Errors: MemoryError.
        """
        address = c_uint64()
        self.call("allocate", byref(address), size_bytes)
        return address.value

    def elapsed_s(self, first: int, last: int) -> float:
        """Return the seconds on the device from the event ``first`` to the event ``last``."""
        time_ms = c_float()
        self.call("elapsed", byref(time_ms), first, last)
        return 1e-3 * time_ms.value

    def status(self, number: int) -> str:
        """Return the text for a status that a function of the driver returned: name and number."""
        name = c_char_p()
        getattr(self._library, self._names["error_name"])(number, byref(name))
        return f"{(name.value or b'an unknown status').decode()} ({number})"
