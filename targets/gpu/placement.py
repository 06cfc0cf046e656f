"""The addresses of the buffers of a call, in the memory that its program holds on a device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.dtypes import buffer_bytes
from ...dialects.packed import AllocOp, ConstantOp, host_ops
from ...lowering.arena import aligned
from .open_device import OpenDevice
from .plan_memory import BUFFER_ALIGNMENT_BYTES


def place_arguments(opened: OpenDevice, types: Sequence[MemRefType]) -> list[int]:
    """Return the addresses of the arguments of a call."""
    offsets = [0]
    for type_ in types:
        offsets.append(offsets[-1] + aligned(buffer_bytes(type_) or 1, BUFFER_ALIGNMENT_BYTES))
    start = opened.arguments.room(offsets[-1])
    return [start + offset for offset in offsets[:-1]]


def place_buffers(opened: OpenDevice, main: FuncOp) -> dict[SSAValue, int]:
    """Return the addresses of the buffers of main, whose sizes are numbers, and its weights."""
    offsets: dict[SSAValue, int] = {}
    ends = [1]
    for op in host_ops(main.body.block):
        if isinstance(op, AllocOp):
            offsets[op.res] = at = _offset(op, offsets)
            ends.append(at + buffer_bytes(op.res.type))
    start = opened.arena.room(max(ends))
    found = {value: start + offset for value, offset in offsets.items()}
    constants = (op for op in host_ops(main.body.block) if isinstance(op, ConstantOp))
    return {**found, **{op.res: opened.weights[op.value].address for op in constants}}


def _offset(op: AllocOp, known: Mapping[SSAValue, int]) -> int:
    """Return the offset of a buffer of a planned main whose sizes are numbers."""
    if not op.below:
        assert op.offset is not None, "main has a memory plan"
        return op.offset.value.data
    return max(
        known[value] + aligned(buffer_bytes(cast(MemRefType, value.type)), BUFFER_ALIGNMENT_BYTES)
        for value in op.below
    )
