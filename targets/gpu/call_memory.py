"""The addresses of a call's buffers, in the memory that its program holds on a device.

At each packed.bind, main learns the sizes of more buffers, and a new stage begins.  The buffers and
arguments of a stage lie in a memory block of their own, so the buffers of earlier stages keep their
addresses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.dtypes import buffer_bytes
from ...dialects.packed import AllocOp, ConstantOp, host_ops
from ...dialects.packed.arena import aligned
from ...dialects.shape import symbols_of
from ...runtime.abi.ndarray import DeviceArray
from ...runtime.call.device_calls import Placed
from .open_device import OpenDevice
from .plan_memory import BUFFER_ALIGNMENT_BYTES


class CallMemory:
    """The device memory of one call of the main function.

    addresses: the device address of each weight, argument and buffer, once all of its sizes are
    known. arrays: the values of the first arguments.  An array that is on the device already keeps
    its memory; the other arguments get memory here.
    """

    def __init__(self, opened: OpenDevice, main: FuncOp, arrays: Sequence[Placed]) -> None:
        self._opened, self._main, self._stage = opened, main, 0
        constants = (op for op in host_ops(main.body.block) if isinstance(op, ConstantOp))
        weights = {op.res: opened.weights[op.value].address for op in constants}
        placed = {
            argument: array.address
            for argument, array in zip(main.body.block.args, arrays, strict=False)
            if isinstance(array, DeviceArray)
        }
        self.addresses: dict[SSAValue, int] = {**weights, **placed}
        self.begin_stage()

    def begin_stage(self) -> None:
        """Allocate the buffers and arguments all of whose sizes have become known in this stage."""
        offsets: dict[SSAValue, int] = {}
        end = 0
        for argument in self._main.body.block.args:
            if self._is_new(argument):
                offsets[argument] = end
                end += aligned(_bytes(argument) or 1, BUFFER_ALIGNMENT_BYTES)
        buffers = self._offsets()
        offsets.update({value: end + offset for value, offset in buffers.items()})
        end += max((at + _bytes(value) for value, at in buffers.items()), default=0)
        if offsets:
            start = self._opened.stage(self._stage).room(max(end, 1))
            self.addresses.update({value: start + at for value, at in offsets.items()})
        self._stage += 1

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
    """Return the offset of a buffer, in a main function with a memory plan.

    known: the offsets of earlier buffers.
    """
    if not op.below:
        assert op.offset is not None, "main has a memory plan"
        return op.offset.value.data
    return max(known[v] + aligned(_bytes(v), BUFFER_ALIGNMENT_BYTES) for v in op.below)
