"""Handlers of loop.load, loop.store and loop.alloc: one access per lane.

A lane of a padded load is read only if it lies inside the buffer:

    OpSelectionMerge %b9 None
    OpBranchConditional %t7 %b8 %b9
    %b8 = OpLabel
    %t10 = OpLoad %f32 %t9 Aligned 4
    OpBranch %b9
    %b9 = OpLabel
    %t11 = OpPhi %f32 %t10 %b8 %c_f32_0 %entry
"""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects.builtin import IntegerAttr

from ...dialects import loop
from ...dialects.shape import static_shape
from ..lane_lists import lanes_of
from ..loop_to_llvm.op_emitter import Handlers
from ..loop_to_llvm.types import memory_type
from .emitter import SpirvEmitter
from .types import spirv_type


def emit_load(e: SpirvEmitter, op: loop.LoadOp) -> None:
    """Emit loop.load in all its forms, one element per lane."""
    e.define_loaded(op, [_load_lane(e, op, offset) for offset in e.offsets(op)])


def _load_lane(e: SpirvEmitter, op: loop.LoadOp, offset: int) -> str:
    """Append the load of one element; return its value.

    In a padded load, an element outside of the buffer has the padding value.
    offset: the distance of the element from the position of the access.
    """
    _, type_ = e.elements[op.mem]
    if op.pad is None:
        return _read(e, op, offset)
    pad = type_.scalar_const(cast("IntegerAttr", op.pad).value.data)
    inside = e.pad_conditions(op, offset)
    if inside is None:
        return pad
    if not inside:
        return _read(e, op, offset)
    condition, before = e.all_of(inside), e.label
    after = e.skip_unless(condition)
    value, end = _read(e, op, offset), e.label
    e.jump(after)
    e.start(after)
    return e.emit(type_.lane, f"OpPhi {value} {end} {pad} {before}")


def _read(e: SpirvEmitter, op: loop.LoadOp, offset: int) -> str:
    _, type_ = e.elements[op.mem]
    return e.emit(type_.lane, f"OpLoad {e.element_of(op, offset)}{_aligned(e, op)}")


def _aligned(e: SpirvEmitter, op: loop.LoadOp | loop.StoreOp) -> str:
    """Return the operands of a load or store that state its alignment, with a space before them.

    The result is empty for an access to shared or private memory.
    """
    class_, type_ = e.elements[op.mem]
    return f" Aligned {type_.bits // 8}" if class_ == "psb" else ""


def emit_store(e: SpirvEmitter, op: loop.StoreOp) -> None:
    """Emit loop.store in all its forms, one element per lane."""
    type_ = e.type_of(op.value)
    stored = e.cast("zext", e.values[op.value], type_, type_.held)
    inside = e.clip_conditions(op)
    after = e.skip_unless(e.all_of(inside)) if inside else ""
    for offset, value in zip(e.offsets(op), lanes_of(stored), strict=False):
        pointer = e.element_of(op, offset)
        e.lines.append(f"OpStore {pointer} {value}{_aligned(e, op)}")
    if after:
        e.jump(after)
        e.start(after)


def emit_alloc(e: SpirvEmitter, op: loop.AllocOp) -> None:
    """Emit loop.alloc as an array that the block shares, or an array of one thread."""
    held = spirv_type(memory_type(op.res.type).format).held
    count = max(1, prod(static_shape(op.res.type)))
    class_ = "shared" if op.scope.data == "shared" else "private"
    array = f"arr_{held.lane[1:]}_{count}"
    name = e.name("m")
    if class_ == "shared":
        e.own[name[1:]] = f"OpVariable %ptr_shared_{array} Workgroup"
        e.shared.append(name)
        e.shared_bytes += count * held.bits // 8
    else:
        e.variables.append(f"{name} = OpVariable %ptr_private_{array} Function")
    e.values[op.res], e.elements[op.res] = name, (class_, held)


HANDLERS: Handlers = {
    loop.LoadOp: emit_load,
    loop.StoreOp: emit_store,
    loop.AllocOp: emit_alloc,
}
