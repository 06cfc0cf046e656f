"""The regions of a call: its weights, its arguments, and the arenas of its buffers.

    weights | arguments of main | arena of the first stage | arena of the next stage | …

At each packed.bind, main learns the sizes of more buffers, and a new stage begins.  The buffers and
arguments of a stage lie in a memory block of their own, so the buffers of earlier stages keep their
addresses.  `runtime/device/launch_list.py` describes regions and addresses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

from ...dialects.dtypes import buffer_bytes
from ...dialects.packed import AllocOp, ConstantOp, host_ops
from ...dialects.packed.arena import aligned
from ...dialects.shape import symbols_of
from ...dialects.weights import WeightAttr
from ...runtime.abi.ndarray import DeviceArray
from ...runtime.call.device_calls import Placed
from ...runtime.device.launch_list import BufferAddress
from .plan_memory import BUFFER_ALIGNMENT_BYTES


class DeviceBlock(Protocol):
    """A block of device memory."""

    @property
    def address(self) -> int:
        """The device address."""
        ...


class ProgramMemory(Protocol):
    """The device memory of a program; see `OpenDevice`."""

    def weight(self, value: WeightAttr) -> int:
        """Return the device address of a weight."""
        ...

    def room(self, stage: int, size_bytes: int) -> int:
        """Return the address of the memory of a stage, grown to at least ``size_bytes``."""
        ...

    def block(self, size_bytes: int) -> DeviceBlock:
        """Return new memory, which lives as long as the returned block."""
        ...


class CallMemory:
    """The device memory of one call of the main function.

    inputs: the number of inputs, which are the first arguments.  arrays: the values of the first
    arguments.  An array that is already on the device stays there; the other arguments get memory
    here.
    weights: the constants of main, one region each.
    addresses: the address of each weight, argument and buffer, once all of its sizes are known.
    starts: the device address of each region.  sizes_bytes: the size of each region.
    """

    def __init__(
        self, memory: ProgramMemory, main: FuncOp, inputs: int, arrays: Sequence[Placed] = ()
    ) -> None:
        self._memory, self._main, self._inputs, self._stage = memory, main, inputs, 0
        self._scratch: dict[tuple[int, int], tuple[DeviceBlock, BufferAddress]] = {}
        constants = [op for op in host_ops(main.body.block) if isinstance(op, ConstantOp)]
        self.weights = list(dict.fromkeys(op.value for op in constants))
        numbers = {weight: number for number, weight in enumerate(self.weights)}
        self.starts = [memory.weight(weight) for weight in self.weights]
        self.sizes_bytes = [weight.stored.nbytes for weight in self.weights]
        self.addresses: dict[SSAValue, BufferAddress] = {
            op.res: BufferAddress(numbers[op.value], 0) for op in constants
        }
        self.starts += [0] * len(main.body.block.args)
        self.sizes_bytes += [0] * len(main.body.block.args)
        for argument, array in zip(main.body.block.args, arrays, strict=False):
            if isinstance(array, DeviceArray):
                self._add_argument(argument, array.address)
        self.begin_stage()

    def start(self, value: SSAValue) -> int:
        """Return the device address at which a weight, an argument or a buffer starts."""
        return self.place(self.addresses[value])

    def place(self, address: BufferAddress) -> int:
        """Return the device address of a region's start plus an offset in it."""
        return self.starts[address.region] + address.offset

    def is_input(self, address: BufferAddress) -> bool:
        """Return whether an address is in the region of an input."""
        return 0 <= address.region - len(self.weights) < self._inputs

    def scratch(self, number: int, size_bytes: int) -> BufferAddress:
        """Return memory for a copy of an argument of a launch; later launches use the same memory.

        number: the number of the argument.
        """
        key = (number, size_bytes)
        if key not in self._scratch:
            block = self._memory.block(size_bytes)
            self._scratch[key] = (block, self._new_region(block.address, size_bytes))
        return self._scratch[key][1]

    def _new_region(self, start: int, size_bytes: int) -> BufferAddress:
        self.starts.append(start)
        self.sizes_bytes.append(size_bytes)
        return BufferAddress(len(self.starts) - 1, 0)

    def begin_stage(self) -> None:
        """Allocate the buffers and arguments whose sizes have all become known in this stage."""
        arguments: dict[BlockArgument, int] = {}
        end = 0
        for argument in self._main.body.block.args:
            if self._is_new(argument):
                arguments[argument] = end
                end += aligned(_bytes(argument) or 1, BUFFER_ALIGNMENT_BYTES)
        buffers = self._offsets()
        size_bytes = max((at + _bytes(value) for value, at in buffers.items()), default=0)
        if arguments or buffers:
            start = self._memory.room(self._stage, max(end + size_bytes, 1))
            for argument, offset in arguments.items():
                self._add_argument(argument, start + offset)
            arena = self._new_region(start + end, size_bytes)
            self.addresses.update({value: arena.plus(at) for value, at in buffers.items()})
        self._stage += 1

    def _add_argument(self, argument: BlockArgument, start: int) -> None:
        region = len(self.weights) + argument.index
        self.starts[region], self.sizes_bytes[region] = start, _bytes(argument)
        self.addresses[argument] = BufferAddress(region, 0)

    def _is_new(self, value: SSAValue) -> bool:
        return value not in self.addresses and not symbols_of(value.type)

    def _offsets(self) -> dict[SSAValue, int]:
        """Return the offset of each new buffer in the arena of the stage."""
        found: dict[SSAValue, int] = {}
        for op in host_ops(self._main.body.block):
            if isinstance(op, AllocOp) and not op.is_host and self._is_new(op.res):
                found[op.res] = _offset(op, found)
        return found


def _bytes(value: SSAValue) -> int:
    return buffer_bytes(cast(MemRefType, value.type))


def _offset(op: AllocOp, known: Mapping[SSAValue, int]) -> int:
    """Return the offset of a buffer in the arena of its stage, by the memory plan of main.

    known: the offsets of the buffers below it in the arena.
    """
    if not op.below:
        assert op.offset is not None, "main has a memory plan"
        return op.offset.value.data
    return max(known[v] + aligned(_bytes(v), BUFFER_ALIGNMENT_BYTES) for v in op.below)
