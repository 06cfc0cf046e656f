"""Vulkan by its loader, called with ctypes: the structures and functions that devices need.

In: libvulkan.so.1, with any driver. Out: `Api`, which calls Vulkan's functions by name; a result
other than success is a `DeviceError` that names the function and the result. `struct` makes the
class of a structure from the ctypes of the fields that follow sType and pNext.

Source: Khronos, Vulkan 1.2 Specification, and its vulkan_core.h for numbers and layouts.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
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
)
from functools import cache
from typing import Any, ClassVar, cast

from ..errors import DeviceError

LIBRARY = "libvulkan.so.1"
VERSION = 1 << 22 | 2 << 12
"""Vulkan 1.2, which has the addresses of buffers."""

_RESULTS = {
    -1: "VK_ERROR_OUT_OF_HOST_MEMORY", -2: "VK_ERROR_OUT_OF_DEVICE_MEMORY",
    -3: "VK_ERROR_INITIALIZATION_FAILED", -4: "VK_ERROR_DEVICE_LOST",
    -7: "VK_ERROR_EXTENSION_NOT_PRESENT", -8: "VK_ERROR_FEATURE_NOT_PRESENT",
    -9: "VK_ERROR_INCOMPATIBLE_DRIVER", -13: "VK_ERROR_UNKNOWN",
}  # fmt: skip
OUT_OF_MEMORY = (-1, -2)

# Flags and numbers of vulkan_core.h.
COMPUTE_QUEUE, SHADER_STAGE, COMPUTE_POINT = 2, 0x20, 1
DEVICE_LOCAL, HOST_VISIBLE, HOST_COHERENT = 1, 2, 4
COPY_SOURCE, COPY_TARGET, STORAGE, ADDRESSED = 1, 2, 0x20, 0x20000
ADDRESS_MEMORY = 2
STAGE_TRANSFER, STAGE_COMPUTE, STAGE_HOST = 0x1000, 0x800, 0x4000
MEMORY_READ, MEMORY_WRITE = 0x8000, 0x10000
RESET_COMMANDS, ONE_SUBMIT = 2, 1


class Struct(ctypes.Structure):
    """A structure of Vulkan that begins with its type and a pointer to a further structure.

    number: the type, a number of VkStructureType.
    """

    number: ClassVar[int]

    def __init__(self, **fields: Any) -> None:
        super().__init__(sType=self.number, **fields)


def struct(name: str, number: int, /, **fields: Any) -> type[Struct]:
    """Return the class of a structure of Vulkan.

    number: its type, a number of VkStructureType.  fields: the ctypes of the fields after sType and
    pNext, by name.
    """
    rows = [("sType", c_int32), ("pNext", c_void_p), *fields.items()]
    return type(name, (Struct,), {"_fields_": rows, "number": number})


ApplicationInfo = struct(
    "ApplicationInfo", 0, name=c_char_p, version=c_uint32, engine=c_char_p,
    engine_version=c_uint32, api_version=c_uint32,
)  # fmt: skip
InstanceInfo = struct(
    "InstanceInfo", 1, flags=c_uint32, application=c_void_p, layer_count=c_uint32,
    layers=c_void_p, extension_count=c_uint32, extensions=c_void_p,
)  # fmt: skip
QueueInfo = struct(
    "QueueInfo", 2, flags=c_uint32, family=c_uint32, count=c_uint32, priorities=POINTER(c_float)
)
DeviceInfo = struct(
    "DeviceInfo", 3, flags=c_uint32, queue_count=c_uint32, queues=c_void_p, layer_count=c_uint32,
    layers=c_void_p, extension_count=c_uint32, extensions=c_void_p, features=c_void_p,
)  # fmt: skip
SubmitInfo = struct(
    "SubmitInfo", 4, wait_count=c_uint32, waits=c_void_p, stages=c_void_p, count=c_uint32,
    commands=POINTER(c_void_p), signal_count=c_uint32, signals=c_void_p,
)  # fmt: skip
MemoryInfo = struct("MemoryInfo", 5, size_bytes=c_uint64, kind=c_uint32)
MemoryFlags = struct("MemoryFlags", 1000060000, flags=c_uint32, devices=c_uint32)
BufferInfo = struct(
    "BufferInfo", 12, flags=c_uint32, size_bytes=c_uint64, usage=c_uint32, sharing=c_int32,
    family_count=c_uint32, families=c_void_p,
)  # fmt: skip
AddressInfo = struct("AddressInfo", 1000244001, buffer=c_uint64)
ShaderInfo = struct("ShaderInfo", 16, flags=c_uint32, size_bytes=c_size_t, code=c_char_p)
StageInfo = struct(
    "StageInfo", 18, flags=c_uint32, stage=c_uint32, shader=c_uint64, name=c_char_p,
    constants=c_void_p,
)  # fmt: skip
PipelineInfo = struct(
    "PipelineInfo", 29, flags=c_uint32, stage=StageInfo, layout=c_uint64, base=c_uint64,
    base_index=c_int32,
)  # fmt: skip
LayoutInfo = struct(
    "LayoutInfo", 30, flags=c_uint32, set_count=c_uint32, sets=c_void_p, range_count=c_uint32,
    ranges=c_void_p,
)  # fmt: skip
PoolInfo = struct("PoolInfo", 39, flags=c_uint32, family=c_uint32)
CommandsInfo = struct("CommandsInfo", 40, pool=c_uint64, level=c_int32, count=c_uint32)
BeginInfo = struct("BeginInfo", 42, flags=c_uint32, inheritance=c_void_p)
Barrier = struct("Barrier", 46, before=c_uint32, after=c_uint32)

_BASE_FEATURES = 55
Features = struct("Features", 1000059000, rows=c_uint32 * _BASE_FEATURES)
Features11 = struct("Features11", 49, rows=c_uint32 * 12)
Features12 = struct("Features12", 51, rows=c_uint32 * 47)
FEATURES = {
    "shaderFloat64": (0, 39), "shaderInt64": (0, 40), "shaderInt16": (0, 41),
    "storageBuffer16BitAccess": (1, 0), "storageBuffer8BitAccess": (2, 2), "shaderInt8": (2, 8),
    "bufferDeviceAddress": (2, 38),
}  # fmt: skip
"""The features that kernels can require: the structure of each (the three above), and its row."""


class PushRange(ctypes.Structure):
    """The ctypes layout of ``VkPushConstantRange``."""

    _fields_: ClassVar = [("stages", c_uint32), ("offset", c_uint32), ("size_bytes", c_uint32)]


class Copy(ctypes.Structure):
    """The ctypes layout of ``VkBufferCopy``."""

    _fields_: ClassVar = [("source", c_uint64), ("target", c_uint64), ("size_bytes", c_uint64)]


class Requirements(ctypes.Structure):
    """The ctypes layout of ``VkMemoryRequirements``."""

    _fields_: ClassVar = [("size_bytes", c_uint64), ("alignment", c_uint64), ("kinds", c_uint32)]


class QueueFamily(ctypes.Structure):
    """The ctypes layout of ``VkQueueFamilyProperties``."""

    _fields_: ClassVar = [("flags", c_uint32), ("count", c_uint32), ("rest", c_uint32 * 4)]


class MemoryProperties(ctypes.Structure):
    """The ctypes layout of ``VkPhysicalDeviceMemoryProperties``.

    A row of ``kinds`` holds flags and the number of a heap; a row of ``heaps`` holds size and
    flags.
    """

    _fields_: ClassVar = [
        ("kind_count", c_uint32),
        ("kinds", c_uint32 * 2 * 32),
        ("heap_count", c_uint32),
        ("heaps", c_uint64 * 2 * 16),
    ]


class Properties(ctypes.Structure):
    """The ctypes layout of ``VkPhysicalDeviceProperties``."""

    _fields_: ClassVar = [
        ("version", c_uint32),
        ("driver", c_uint32),
        ("vendor", c_uint32),
        ("device", c_uint32),
        ("kind", c_int32),
        ("name", ctypes.c_char * 256),
        ("cache", ctypes.c_uint8 * 16),
        ("limits", c_uint64 * 63),
        ("sparse", c_uint32 * 5),
    ]

    def limit(self, position: int) -> int:
        """Return a limit that is a 32-bit number.

        position: the offset of the limit in VkPhysicalDeviceLimits, in bytes.
        """
        return c_uint32.from_buffer(self.limits, position).value


SHARED_BYTES, BLOCKS, BLOCK_THREADS = 216, 220, 232
"""The positions in VkPhysicalDeviceLimits of maxComputeSharedMemorySize, maxComputeWorkGroupCount
(along x, y and z) and maxComputeWorkGroupInvocations, in bytes."""


class Api:
    """The functions of Vulkan's loader library, called by name.

    Errors: OSError on a machine without the library.
    """

    def __init__(self) -> None:
        self._library = ctypes.CDLL(LIBRARY)

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function that returns a VkResult; handles are passed as c_void_p or c_uint64.

        Errors: MemoryError, or DeviceError for any other result than success.
        """
        result = getattr(self._library, name)(*arguments)
        if result in OUT_OF_MEMORY:
            raise MemoryError(f"{name}: {_RESULTS[result]}")
        if result:
            raise DeviceError(
                f"a function of Vulkan fails: {name}",
                got=_RESULTS.get(result, str(result)),
                hint="see the device's attributes; VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "
                "explains errors",
            )

    def run(self, name: str, *arguments: Any) -> None:
        """Call a function that returns nothing."""
        function = getattr(self._library, name)
        function.restype = None
        function(*arguments)

    def made(self, name: str, owner: c_void_p, info: Struct) -> c_uint64:
        """Call a function that creates an object; return a handle of the object.

        name: the name of the function.  owner: the device that owns the object.  info: the
        structure that describes the object.
        """
        handle = c_uint64()
        self.call(name, owner, byref(info), None, byref(handle))
        return handle

    def address(self, device: c_void_p, buffer: c_uint64) -> int:
        """Return the device address of a buffer."""
        function = self._library.vkGetBufferDeviceAddress
        function.restype = c_uint64
        return function(device, byref(AddressInfo(buffer=buffer.value)))

    def listed(self, name: str, owner: Any, kind: type[Any]) -> Sequence[Any]:
        """Return the items that an enumerating function of Vulkan lists.

        The function is called twice, as Vulkan requires: for the number of items, then for the
        items.

        name: the name of the function.  owner: its first argument.  kind: the ctypes type of an
        item.
        """
        count = c_uint32()
        function = getattr(self._library, name)
        function(owner, byref(count), None)
        items: Any = (cast(Any, kind) * count.value)()
        function(owner, byref(count), items)
        return list(items)


@cache
def api() -> Api | None:
    """Return the functions of Vulkan, or None on a machine without the loader library."""
    try:
        return Api()
    except OSError:
        return None


@cache
def instance() -> c_void_p | None:
    """Return this process's instance of Vulkan, or None on a machine without a driver."""
    vulkan = api()
    if vulkan is None:
        return None
    application = ApplicationInfo(api_version=VERSION)
    info = InstanceInfo(application=ctypes.addressof(application))
    handle = c_void_p()
    try:
        vulkan.call("vkCreateInstance", byref(info), None, byref(handle))
    except DeviceError:
        return None
    return handle


@cache
def physical_devices() -> Sequence[c_void_p]:
    """Return the devices of all drivers that can run our kernels: GPUs first, processors last."""
    vulkan, owner = api(), instance()
    if vulkan is None or owner is None:
        return ()
    handles = vulkan.listed("vkEnumeratePhysicalDevices", owner, c_void_p)
    found = [c_void_p(handle) for handle in handles]
    usable = [device for device in found if properties(device).version >= VERSION]
    usable = [device for device in usable if "bufferDeviceAddress" in features(device)]
    return sorted(usable, key=lambda device: _RANK.get(properties(device).kind, 3))


_RANK = {2: 0, 1: 1, 3: 2}
"""The order of discrete GPUs, integrated and virtual ones, by VkPhysicalDeviceType."""


def properties(device: c_void_p) -> Properties:
    """Return the properties of a device."""
    vulkan, found = api(), Properties()
    assert vulkan is not None, "a device has a driver"
    vulkan.run("vkGetPhysicalDeviceProperties", device, byref(found))
    return found


def feature_rows() -> tuple[Struct, Struct, Struct]:
    """Return new structures for the features of a device, all off.

    These are the features of Vulkan 1.0, 1.1 and 1.2. Each structure points at the next, so that a
    function which takes the first one reads or fills all three.
    """
    third = Features12()
    second = Features11(pNext=ctypes.addressof(third))
    return Features(pNext=ctypes.addressof(second)), second, third


def features(device: c_void_p) -> Sequence[str]:
    """Return the names in `FEATURES` that a device supports."""
    vulkan, rows = api(), feature_rows()
    assert vulkan is not None, "a device has a driver"
    vulkan.run("vkGetPhysicalDeviceFeatures2", device, byref(rows[0]))
    return [name for name, (number, row) in FEATURES.items() if rows[number].rows[row]]
