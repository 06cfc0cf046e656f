"""Handler of simt.shuffle, which becomes NVIDIA's shfl.sync or AMD's ds_swizzle.

In waves of 32 and of 64 threads, ds_swizzle exchanges values within groups of 32 lanes; its pattern
is a constant.
"""

from __future__ import annotations

from ...dialects import simt
from ..loop_to_llvm.op_emitter import Handlers
from .dialect import DeviceEmitter

_LANES = simt.WARP - 1
_SWIZZLE_MASK = 10
"""The lowest bit of the lane mask in the pattern of ds_swizzle.  Source: AMD, RDNA3 Instruction Set
Architecture, DS_SWIZZLE_B32, bit mask mode."""


def emit_shuffle(e: DeviceEmitter, op: simt.ShuffleOp) -> None:
    """Emit simt.shuffle: a lane gets the value of the lane whose number is its own xor the mask."""
    type_, value, mask = e.type_of(op.value), e.values[op.value], op.mask.data
    if not e.dialect.swizzles:
        suffix = "f32" if type_.is_float else "i32"
        function = f"{type_.text} @llvm.nvvm.shfl.sync.bfly.{suffix}"
        e.declarations.add(f"declare {function}(i32, {type_.text}, i32, i32) convergent nounwind")
        operands = f"i32 -1, {type_.text} {value}, i32 {mask}, i32 {_LANES}"
        e.define(op.res, e.emit(f"call {function}({operands})"))
        return
    function = "i32 @llvm.amdgcn.ds.swizzle"
    e.declarations.add(f"declare {function}(i32, i32 immarg) convergent nounwind")
    word = e.emit(f"bitcast {type_.text} {value} to i32")
    pattern = mask << _SWIZZLE_MASK | _LANES
    word = e.emit(f"call {function}(i32 {word}, i32 {pattern})")
    e.define(op.res, e.emit(f"bitcast i32 {word} to {type_.text}"))


HANDLERS: Handlers = {simt.ShuffleOp: emit_shuffle}
