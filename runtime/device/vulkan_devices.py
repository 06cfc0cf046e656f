"""Vulkan devices: memory, copies, programs of SPIR-V and launches, by the drivers of this machine.

    x = nd.array(data, device("vulkan", 0))
    KernelProgram(device("vulkan"), spirv, ["add"])["add"](x, y, grid=…, block=…)

`QueuedDevices` calls the methods of a `VulkanProcessor`, which records commands of Vulkan. Launches
and copies are collected in a command buffer; a read, or the end of the queue's work, submits the
buffer and waits. Copies between the host and the device pass through a buffer that both can access.
A launch writes its arguments into that buffer, and passes their address as a push constant.
"""

from __future__ import annotations

import ctypes
import struct
from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from ctypes import byref, c_float, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass
from typing import Any

from ..errors import DeviceError
from . import vulkan as vk
from .kernels import Launch, check_block, folded, number_bytes
from .queued_devices import Processor, QueuedDevices

_TRANSFER_BYTES = 1 << 22
"""The size of the buffer that host and device share."""
_MOST_COMMANDS = 256
"""The most launches and copies that are collected before a submission."""


@dataclass(frozen=True)
class _VulkanBuffer:
    """A Vulkan buffer: its handle, its memory, and its size in bytes."""

    handle: c_uint64
    memory: c_uint64
    size_bytes: int


@dataclass(frozen=True)
class SpirvKernel:
    """A kernel of a module of SPIR-V.

    formats: the format of each argument as in Python's module struct: Q for the address of an
    array, i for an integer of 32 bits.  block: the threads per block along x, y and z.  folds:
    whether the kernel reads the number of blocks, so that a grid along x may be distributed over
    two dimensions.
    """

    formats: str
    block: tuple[int, ...]
    folds: bool


@dataclass(frozen=True)
class _VulkanPipeline:
    """The pipeline of a kernel, and the description of the kernel in its module."""

    pipeline: c_uint64
    entry: SpirvKernel


class VulkanProcessor(Processor):
    """One device of a Vulkan driver; the first allocation or program opens it."""

    def __init__(self, physical: c_void_p) -> None:
        self._physical, self._is_open = physical, False
        found = vk.api()
        assert found is not None, "a device has a driver"
        self._api = found
        self._starts: list[int] = []
        self._buffers: dict[int, _VulkanBuffer] = {}
        self._count, self._used = 0, 0

    def attributes(self) -> Mapping[str, int | str]:
        found = vk.properties(self._physical)
        version = found.version
        return {
            "name": found.name.decode(),
            "version": f"Vulkan {version >> 22}.{version >> 12 & 0x3FF}",
            "extensions": " ".join(vk.features(self._physical)),
            "shared_bytes": found.limit(vk.SHARED_BYTES),
            "threads_per_block": found.limit(vk.BLOCK_THREADS),
            "blocks": found.limit(vk.BLOCKS),
        }

    # ---- the device

    def _open(self) -> None:
        """Create the logical device, its queue, a command buffer, and the buffer for transfers."""
        if self._is_open:
            return
        families = self._api.listed(
            "vkGetPhysicalDeviceQueueFamilyProperties", self._physical, vk.QueueFamily
        )
        family = next(n for n, each in enumerate(families) if each.flags & vk.COMPUTE_QUEUE)
        queue_info = vk.QueueInfo(family=family, count=1, priorities=(c_float * 1)(1.0))
        rows = vk.feature_rows()
        for name in vk.features(self._physical):
            number, row = vk.FEATURES[name]
            rows[number].rows[row] = 1
        info = vk.DeviceInfo(
            pNext=ctypes.addressof(rows[0]), queue_count=1, queues=ctypes.addressof(queue_info)
        )
        self._device, self._queue = c_void_p(), c_void_p()
        self._api.call("vkCreateDevice", self._physical, byref(info), None, byref(self._device))
        self._api.run("vkGetDeviceQueue", self._device, family, 0, byref(self._queue))
        pool = vk.PoolInfo(flags=vk.RESET_COMMANDS, family=family)
        commands = vk.CommandsInfo(
            pool=self._api.made("vkCreateCommandPool", self._device, pool).value, count=1
        )
        self._commands = c_void_p()
        self._api.call(
            "vkAllocateCommandBuffers", self._device, byref(commands), byref(self._commands)
        )
        constants = vk.PushRange(vk.SHADER_STAGE, 0, 8)
        layout = vk.LayoutInfo(range_count=1, ranges=ctypes.addressof(constants))
        self._layout = self._api.made("vkCreatePipelineLayout", self._device, layout)
        self._transfer = self._new_buffer(_TRANSFER_BYTES, vk.HOST_VISIBLE | vk.HOST_COHERENT)
        self._transfer_address = self._api.address(self._device, self._transfer.handle)
        place = c_void_p()
        self._api.call(
            "vkMapMemory", self._device, self._transfer.memory, c_uint64(0),
            c_uint64(_TRANSFER_BYTES), 0, byref(place),
        )  # fmt: skip
        self._host, self._is_open = place.value or 0, True
        self._begin()

    def _new_buffer(self, size_bytes: int, wanted: int) -> _VulkanBuffer:
        """Create a buffer in memory that has all property flags ``wanted``."""
        usage = vk.STORAGE | vk.ADDRESSED | vk.COPY_SOURCE | vk.COPY_TARGET
        info = vk.BufferInfo(size_bytes=max(4, size_bytes), usage=usage)
        handle = self._api.made("vkCreateBuffer", self._device, info)
        needs = vk.Requirements()
        self._api.run("vkGetBufferMemoryRequirements", self._device, handle, byref(needs))
        flags = vk.MemoryFlags(flags=vk.ADDRESS_MEMORY)
        memory_info = vk.MemoryInfo(
            pNext=ctypes.addressof(flags),
            size_bytes=needs.size_bytes,
            kind=self._memory_kind(needs.kinds, wanted),
        )
        try:
            memory = self._api.made("vkAllocateMemory", self._device, memory_info)
        except MemoryError:
            self._api.run("vkDestroyBuffer", self._device, handle, None)
            raise
        self._api.call("vkBindBufferMemory", self._device, handle, memory, c_uint64(0))
        return _VulkanBuffer(handle, memory, size_bytes)

    def _memory_kind(self, allowed: int, wanted: int) -> int:
        found = vk.MemoryProperties()
        self._api.run("vkGetPhysicalDeviceMemoryProperties", self._physical, byref(found))
        for number in range(found.kind_count):
            if allowed >> number & 1 and found.kinds[number][0] & wanted == wanted:
                return number
        raise DeviceError(
            "the device has no memory of the wanted kind",
            got=f"memory kinds {allowed:b}, property flags {wanted}",
            hint="use another device",
        )

    # ---- commands

    def _begin(self) -> None:
        info = vk.BeginInfo(flags=vk.ONE_SUBMIT)
        self._api.call("vkBeginCommandBuffer", self._commands, byref(info))
        self._count = self._used = 0

    def finish(self) -> None:
        """Submit the collected commands, and wait until the device has executed them."""
        if not self._is_open or not self._count:
            return
        self._api.call("vkEndCommandBuffer", self._commands)
        info = vk.SubmitInfo(count=1, commands=(c_void_p * 1)(self._commands))
        self._api.call("vkQueueSubmit", self._queue, 1, byref(info), c_uint64(0))
        self._api.call("vkQueueWaitIdle", self._queue)
        self._begin()

    def _room(self, size_bytes: int) -> int:
        """Reserve bytes in the buffer for transfers; return their offset in it.

        If the buffer or the command buffer is full, first wait until the device has executed all
        commands.
        """
        if self._used + size_bytes > _TRANSFER_BYTES or self._count >= _MOST_COMMANDS:
            self.finish()
        at, self._used = self._used, self._used + -(-size_bytes // 16) * 16
        return at

    def _ordered(self) -> None:
        """Add a barrier, so that the collected commands take effect before the next command."""
        stages = vk.STAGE_TRANSFER | vk.STAGE_COMPUTE
        both = vk.MEMORY_READ | vk.MEMORY_WRITE
        barrier = vk.Barrier(before=vk.MEMORY_WRITE, after=both)
        self._api.run(
            "vkCmdPipelineBarrier", self._commands, stages, stages | vk.STAGE_HOST, 0, 1,
            byref(barrier), 0, None, 0, None,
        )  # fmt: skip
        self._count += 1

    def _copy(self, target: tuple[c_uint64, int], source: tuple[c_uint64, int], size: int) -> None:
        region = vk.Copy(source[1], target[1], size)
        self._api.run("vkCmdCopyBuffer", self._commands, source[0], target[0], 1, byref(region))
        self._ordered()

    # ---- memory

    def allocate(self, size_bytes: int) -> int:
        self._open()
        made = self._new_buffer(size_bytes, vk.DEVICE_LOCAL)
        address = self._api.address(self._device, made.handle)
        insort(self._starts, address)
        self._buffers[address] = made
        return address

    def free(self, address: int) -> None:
        self.finish()
        buffer = self._buffers.pop(address)
        self._starts.remove(address)
        self._api.run("vkDestroyBuffer", self._device, buffer.handle, None)
        self._api.run("vkFreeMemory", self._device, buffer.memory, None)

    def _at(self, address: int) -> tuple[c_uint64, int]:
        start = self._starts[bisect_right(self._starts, address) - 1]
        return self._buffers[start].handle, address - start

    def write(self, address: int, data: bytes) -> None:
        for at in range(0, len(data), _TRANSFER_BYTES):
            part = data[at : at + _TRANSFER_BYTES]
            place = self._room(len(part))
            ctypes.memmove(self._host + place, part, len(part))
            self._copy(self._at(address + at), (self._transfer.handle, place), len(part))

    def read(self, address: int, size_bytes: int) -> bytes:
        parts: list[bytes] = []
        for at in range(0, size_bytes, _TRANSFER_BYTES):
            size = min(_TRANSFER_BYTES, size_bytes - at)
            place = self._room(size)
            self._copy((self._transfer.handle, place), self._at(address + at), size)
            self.finish()
            parts.append(ctypes.string_at(self._host + place, size))
        return b"".join(parts)

    def copy(self, target: int, source: int, size_bytes: int) -> None:
        if not size_bytes or target == source:
            return
        into, out = self._at(target), self._at(source)
        if into[0].value == out[0].value and abs(target - source) < size_bytes:
            self.write(target, self.read(source, size_bytes))
            return
        self._room(0)
        self._copy(into, out, size_bytes)

    # ---- programs

    def load(self, code: bytes) -> Mapping[str, Any]:
        self._open()
        info = vk.ShaderInfo(size_bytes=len(code), code=code)
        shader = self._api.made("vkCreateShaderModule", self._device, info)
        try:
            return {
                name: _VulkanPipeline(self._pipeline(shader, name), entry)
                for name, entry in entries_of(code).items()
            }
        finally:
            self._api.run("vkDestroyShaderModule", self._device, shader, None)

    def _pipeline(self, shader: c_uint64, name: str) -> c_uint64:
        stage = vk.StageInfo(stage=vk.SHADER_STAGE, shader=shader.value, name=name.encode())
        info = vk.PipelineInfo(stage=stage, layout=self._layout.value, base_index=-1)
        handle = c_uint64()
        self._api.call(
            "vkCreateComputePipelines", self._device, c_uint64(0), 1, byref(info), None,
            byref(handle),
        )  # fmt: skip
        return handle

    def count_parameters(self, kernel: Any) -> int:
        return len(kernel.entry.formats)

    def launch(self, kernel: Any, size: Launch, arguments: Sequence[Any]) -> None:
        entry = kernel.entry
        check_block(size, entry.block, "the LocalSize of the kernel")
        data = b"".join(
            struct.pack("<Q", value) if format_ == "Q" else number_bytes("i32", value)
            for format_, value in zip(entry.formats, arguments, strict=True)
        )
        place = self._room(len(data))
        ctypes.memmove(self._host + place, data, len(data))
        commands = self._commands
        self._api.run("vkCmdBindPipeline", commands, vk.COMPUTE_POINT, kernel.pipeline)
        address = c_uint64(self._transfer_address + place)
        self._api.run(
            "vkCmdPushConstants", commands, self._layout, vk.SHADER_STAGE, 0, 8, byref(address)
        )
        grid = folded(size.grid, folds=entry.folds)
        self._api.run("vkCmdDispatch", commands, *map(c_uint32, grid))
        self._ordered()


def entries_of(code: bytes) -> Mapping[str, SpirvKernel]:
    """Return the kernels in a module of SPIR-V by name.

    The arguments of a kernel are the members of the structure at the address in its push constants.
    """
    words = struct.unpack(f"<{len(code) // 4}I", code[: len(code) // 4 * 4])
    names: dict[int, tuple[str, Sequence[int]]] = {}
    blocks: dict[int, tuple[int, ...]] = {}
    types: dict[int, Sequence[int]] = {}
    counts: set[int] = set()
    at = 5
    while at < len(words):
        length, opcode = words[at] >> 16, words[at] & 0xFFFF
        body = words[at + 1 : at + length]
        match opcode:
            case 15:  # OpEntryPoint
                text = struct.pack(f"<{len(body) - 2}I", *body[2:])
                name, _, _ = text.partition(b"\0")
                used = len(name) // 4 + 1
                names[body[1]] = (name.decode(), body[2 + used :])
            case 16 if body[1] == 17:  # OpExecutionMode LocalSize
                blocks[body[0]] = tuple(body[2:])
            case 71 if body[1:] == (11, 24):  # OpDecorate BuiltIn NumWorkgroups
                counts.add(body[0])
            case 21 | 30 | 32:  # OpTypeInt, OpTypeStruct, OpTypePointer
                types[body[0]] = (opcode, *body[1:])
            case 59 if body[2] == 9:  # OpVariable PushConstant
                types[body[1]] = types[body[0]]
            case _:
                pass
        at += max(1, length)
    return {
        name: SpirvKernel(
            _formats(interface, types), blocks[entry], not counts.isdisjoint(interface)
        )
        for entry, (name, interface) in names.items()
    }


def _formats(interface: Sequence[int], types: Mapping[int, Sequence[int]]) -> str:
    """Return the formats of a kernel's arguments, as in `SpirvKernel`.

    interface: the variables of the kernel's entry point.  types: the operands of each instruction
    of the module that declares a type, by the number of its result.
    """
    (pointer,) = (types[variable] for variable in interface if variable in types)
    (_, argument_pointer) = types[pointer[2]]
    members = types[types[argument_pointer][2]][1:]
    return "".join("Q" if types[member][0] == 32 else "i" for member in members)


class VulkanDevices(QueuedDevices):
    """All devices of this machine that have the features which compiled kernels need.

    GPUs come first, processors last.
    """

    needs = "install a driver of Vulkan, such as the package mesa-vulkan-drivers for processors"

    def __init__(self) -> None:
        super().__init__([VulkanProcessor(device) for device in vk.physical_devices()])
