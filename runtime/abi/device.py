"""Devices: their names, and the interface that allocates and copies their memory.

    device("cpu", 0)                    a device by kind and number; cpu(0) is the same
    register_device("npu", api)         a package adds a kind: it implements `DeviceAPI`
    device("npu", 0).exist              whether this process can use the device

In: a kind and a number. Out: a `Device`, which is a plain value even if the device does not exist,
and the `DeviceAPI` of its kind, if this process has one. ndarray.py makes arrays on devices.
"""

from __future__ import annotations

import os
import platform
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from operator import index
from types import MappingProxyType
from typing import Any, ClassVar

from ..errors import ArgumentError
from ..host import available_threads
from ..spelling import SuggestsNames, nearest, suggests_arguments
from .constants import DeviceType

EXTENSION_KIND = 12
"""The number that DLPack reserves for kinds of devices which it does not list."""


@suggests_arguments
@dataclass(frozen=True)
class Device(SuggestsNames):
    """A device: DLPack's number of its kind, and its index among the devices of this kind."""

    kind: int = DeviceType.CPU
    index: int = 0

    def __post_init__(self) -> None:
        """Convert the kind and the index to Python integers, and check them.

        Errors: ArgumentError for a value that is no integer, and for a negative index.
        """
        for name in ("kind", "index"):
            given = getattr(self, name)
            if type(given) is not int:
                object.__setattr__(self, name, _number(given, name))
        if self.index < 0:
            raise _no_device(self.index, "index")

    def __str__(self) -> str:
        return f"{_name_of(self.kind)}:{self.index}"

    @property
    def exist(self) -> bool:
        """Return whether this process can use the device."""
        found = _devices().of(self.kind)
        return found is not None and 0 <= self.index < found.count()

    @property
    def attributes(self) -> Mapping[str, int | str]:
        """Return properties of the device, such as its memory and its number of threads.

        Errors: ArgumentError if the device does not exist.
        """
        return self.checked().attributes(self.index)

    @property
    def attrs(self) -> Mapping[str, int | str]:
        """Return the properties of the device; another name of `attributes`."""
        return self.attributes

    def sync(self) -> None:
        """Wait until the device has done all queued work.

        Errors: ArgumentError if the device does not exist.
        """
        self.checked().sync(self.index)

    @property
    def api(self) -> DeviceAPI:
        """Return the `DeviceAPI` of this device's kind, for a device other than the host.

        Errors: ArgumentError if the device does not exist.
        """
        found = self.checked()
        assert isinstance(found, DeviceAPI), f"{self} has memory of its own"
        return found

    def checked(self) -> DeviceKind:
        """Return the `DeviceKind` of this device, if the device exists.

        Errors: ArgumentError if the device does not exist.
        """
        found = _devices().of(self.kind)
        count = found.count() if found is not None else 0
        if found is not None and 0 <= self.index < count:
            return found
        here = ", ".join(f"{_name_of(n)} ({k.count()})" for n, k in _devices().kinds.items())
        hint = "import the package that registers the kind with register_device"
        if found is None and self.kind in DeviceType.__members__.values():
            hint = f"no driver for {_name_of(self.kind)} is part of this package; {hint}"
        if found is None and self.kind == DeviceType.METAL:
            hint = (
                "this package writes kernels for metal and does not run them: tw compile MODEL "
                "--target metal -o m.metal writes their code for a program of yours"
            )
        if found is not None:
            hint = f"use a number below {count}" if count else found.needs
        raise ArgumentError(
            f"device {self} does not exist here",
            expected=f"a kind of this process, with its number of devices: {here}",
            got=self,
            hint=hint,
        )


def _number(given: Any, name: str) -> int:
    try:
        return index(given)
    except TypeError as err:
        raise _no_device(given, name) from err


def _no_device(got: object, name: str) -> ArgumentError:
    return ArgumentError(
        f"a device has no such {name}",
        expected="a whole number of at least 0",
        got=repr(got),
        hint='use cpu(0), or a kind by its name: device("cuda", 0)',
    )


class DeviceKind(ABC, SuggestsNames):
    """The devices of one kind in this process, such as all GPUs that CUDA's driver finds.

    In all methods ``index`` is the position of a device among the devices of the kind.
    """

    needs = "install the driver of the device"
    """What to install on a machine without devices of the kind, as a hint in errors."""

    @abstractmethod
    def count(self) -> int:
        """Return how many devices of the kind this process can use."""

    @abstractmethod
    def attributes(self, index: int) -> Mapping[str, int | str]:
        """Return properties of a device."""

    @abstractmethod
    def sync(self, index: int) -> None:
        """Wait until a device has done all queued work."""


class DeviceAPI(DeviceKind):
    """A kind of device with its own memory; a package implements it for `register_device`.

    Addresses belong to the address space of the device: the host never dereferences them.
    Operations on one device, including launches of kernels, take effect in the order of the calls.
    Functions that read or write host memory return when they have done so; all others may return
    earlier.
    """

    lends_memory: ClassVar[bool] = False
    """Whether the memory of the device can be exchanged with other libraries by DLPack."""
    dlpack_kind: ClassVar[int] = EXTENSION_KIND
    """DLPack's number of the kind, if an entry point of a package registers the kind."""
    default_stream: ClassVar[int] = 1
    """DLPack's number of the stream of a consumer that passes no stream."""

    def stream(self, index: int) -> int | None:
        """Return the stream of this device, to pass as ``stream`` to a producer's ``__dlpack__``.

        The producer makes the stream wait for its own work.  None: the device has no streams.
        """
        return None

    def publish(self, index: int, stream: int) -> None:
        """Make another library's stream wait for all work that is queued on the device now.

        The other library may then read arrays of this device.

        stream: the number of the other library's stream, in DLPack's encoding.
        """
        self.sync(index)

    def lend(self, index: int, address: int) -> tuple[int, int]:
        """Return DLPack's description of the memory at a device address.

        The result has a pointer or handle, and the byte offset of the address from it. `borrow` is
        the inverse function.
        """
        return address, 0

    def borrow(self, index: int, data: int, offset_bytes: int, size_bytes: int) -> int:
        """Return the device address of memory that another library describes; inverse of `lend`.

        data, offset_bytes: DLPack's description of the memory: a pointer or handle, and an offset.
        size_bytes: the size of the memory.

        Errors: BufferError for memory that this process cannot address.
        """
        return data + offset_bytes

    @abstractmethod
    def allocate(self, index: int, size_bytes: int) -> int:
        """Return the address of new memory, aligned to 64 bytes.

        Errors: MemoryError.
        """

    @abstractmethod
    def free(self, index: int, address: int) -> None:
        """Free memory as soon as all queued work that uses the memory has finished."""

    @abstractmethod
    def write(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Copy bytes from the host address ``host`` to the device address ``address``."""

    @abstractmethod
    def read(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Copy bytes from the device address ``address`` to the host address ``host``."""

    @abstractmethod
    def copy(self, index: int, target: int, source: int, size_bytes: int) -> None:
        """Copy bytes from ``source`` to ``target``, two addresses of the same device."""


class _HostDevice(DeviceKind):
    """The processors of this machine: one device, whose memory numpy allocates and reads."""

    def count(self) -> int:
        return 1

    def attributes(self, index: int) -> Mapping[str, int | str]:
        return {
            "name": platform.machine(),
            "threads": available_threads(),
            "memory_bytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        }

    def sync(self, index: int) -> None:
        """Return at once: calls on the host are done when they return."""


class _Devices:
    """The kinds of devices of this process, and the names of kinds that DLPack does not list."""

    def __init__(self) -> None:
        self.kinds: dict[int, DeviceKind] = {DeviceType.CPU: _HostDevice()}
        self.names = {int(kind): kind.name.lower() for kind in DeviceType}
        self.lock = threading.Lock()

    def of(self, kind: int) -> DeviceKind | None:
        """Return the `DeviceKind` of a DLPack device type, or None if this process has none.

        The first use of a kind in `_BUILT_IN` loads its module and looks for a driver.
        """
        if kind in _BUILT_IN and kind not in self.kinds:
            home, name = _BUILT_IN[kind]
            made: DeviceKind = getattr(import_module(home, __package__), name)()
            self.kinds.setdefault(kind, made)
        return self.kinds.get(kind)


_BUILT_IN: Mapping[int, tuple[str, str]] = MappingProxyType(
    {
        DeviceType.CUDA: ("..device.gpu_driver_devices", "CudaDevices"),
        DeviceType.OPENCL: ("..device.opencl_devices", "OpenCLDevices"),
        DeviceType.ROCM: ("..device.gpu_driver_devices", "RocmDevices"),
        DeviceType.VULKAN: ("..device.vulkan_devices", "VulkanDevices"),
        DeviceType.WEBGPU: ("..device.webgpu_devices", "WebGPUDevices"),
    }
)
"""The module and the class that implement each kind of device of the runtime."""


@cache
def _devices() -> _Devices:
    return _Devices()


def register_device(name: str, api: DeviceAPI, *, kind: int = EXTENSION_KIND) -> None:
    """Add a kind of device to this process; a second registration of a kind replaces the first.

    name: the name of the kind for `device`.  api: allocates and copies the memory of its devices.
    kind: DLPack's number of the kind.

    Errors: ArgumentError for a value that is no DeviceAPI, and for a name or number that another
    kind has.
    """
    if not isinstance(api, DeviceAPI):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(
            f"{name} is registered with a value that is no DeviceAPI",
            got=type(api).__name__,
            hint="derive its class from tilewright.DeviceAPI",
        )
    devices = _devices()
    with devices.lock:
        named = next((n for n, known in devices.names.items() if known == name), kind)
        if devices.names.get(kind, name) != name or named != kind or kind == DeviceType.CPU:
            taken = ", ".join(f"{known} ({number})" for number, known in devices.names.items())
            raise ArgumentError(
                f"device kind {name} ({kind}) has the name or the number of another kind",
                expected=f"none of {taken}",
                hint="choose another name, and another number of at least 12",
            )
        devices.names[kind], devices.kinds[kind] = name, api


def unregister_device(kind: int) -> None:
    """Remove a kind of device that `register_device` has added, if it is there."""
    devices = _devices()
    with devices.lock:
        devices.kinds.pop(kind, None)
        devices.names.pop(kind, None)


def _name_of(kind: int) -> str:
    return _devices().names.get(kind, f"kind {int(kind)}")


_GROUP = "tilewright.devices"
_TARGET_KINDS = {"llvm": "cpu", "interpreter": "cpu"}
"""The kind of device for each target whose name differs from that of the device."""


def _installed(name: str) -> DeviceAPI | None:
    from importlib.metadata import entry_points  # late: takes 20 ms

    for point in entry_points(group=_GROUP, name=name):
        return point.load()()
    return None


def device(kind: str, index: int = 0) -> Device:
    """Return a device by the name of its kind or of a target; it need not exist in this process.

    A name that this package does not know may be an entry point of the group `tilewright.devices`:
    a function without arguments, or class, that makes the `DeviceAPI` of the kind.

    Errors: ArgumentError for an unknown name.

    >>> print(tilewright.device("cuda", 1))
    cuda:1
    """
    numbers = {known: number for number, known in _devices().names.items()}
    name = _TARGET_KINDS.get(str(kind), str(kind))
    if name not in numbers and (api := _installed(name)) is not None:
        register_device(name, api, kind=api.dlpack_kind)
        return Device(api.dlpack_kind, index)
    if name not in numbers:
        near = nearest(name, numbers, 1)
        raise ArgumentError(
            f"no kind of device is named {kind!r}",
            expected=", ".join(numbers),
            hint=f"did you mean {near[0]}?" if near else "import the package that registers it",
        )
    return Device(numbers[name], index)


def cpu(index: int = 0) -> Device:
    """Return the device for the processors of this machine; the only index is 0."""
    return Device(DeviceType.CPU, index)


def cuda(index: int = 0) -> Device:
    """Return a GPU of NVIDIA; it need not exist here."""
    return Device(DeviceType.CUDA, index)


def opencl(index: int = 0) -> Device:
    """Return a device of the OpenCL drivers; it need not exist here."""
    return Device(DeviceType.OPENCL, index)


def rocm(index: int = 0) -> Device:
    """Return a GPU of AMD; it need not exist here."""
    return Device(DeviceType.ROCM, index)


def vulkan(index: int = 0) -> Device:
    """Return a device of a Vulkan driver; it need not exist here."""
    return Device(DeviceType.VULKAN, index)


def webgpu(index: int = 0) -> Device:
    """Return an adapter of WebGPU; it need not exist here."""
    return Device(DeviceType.WEBGPU, index)
