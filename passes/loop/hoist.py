"""loop-hoist: move loop-invariant ops in front of their loops.

    loop.for %i = 0 to 8 {                         %a = loop.load %x[0] : memref<4xf32>, f32
      %a = loop.load %x[0] : memref<4xf32>, f32    %b = math.sqrt %a : f32
      %b = math.sqrt %a : f32                 ==>  loop.for %i = 0 to 8 {
      loop.store %b, %t[%i] .. }                     loop.store %b, %t[%i] .. }

The pass moves ops without side effects, and loads from buffers that the loop does not write.
Stores to an argument of the kernel may write every other argument, because a result can be computed
in the memory of an operand.  A load moves only if the loop runs at least once.

The emitter of machine code hoists the invariant parts of addresses, which are no ops at this level
(lowering/loop_to_llvm/emitter.py); te-to-loop places reads in front of the loops of a register tile
(lowering/te_to_loop/leaf.py).

Before: loop programs.  After: no serial loop contains an invariant op of these kinds in its own
block, except loops that are bound to threads.
Exact: the same operations on the same values.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free, is_speculatable
from xdsl.transforms.loop_invariant_code_motion import can_be_hoisted

from ...dialects.loop import AllocOp, ForOp, IfOp, LoadOp, StoreOp, YieldOp
from ...support.passes import ExactPass


@dataclass(frozen=True)
class Hoist(ExactPass):
    """Move loop-invariant ops in front of their loops, from inner to outer loops."""

    name = "loop-hoist"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loops = [inner for inner in op.walk() if isinstance(inner, ForOp)]
        for inner in reversed(loops):
            if inner.thread is None:
                _hoist(inner)


def _hoist(loop: ForOp) -> None:
    for op in list(loop.body.block.ops):
        if can_be_hoisted(op, loop.body) and _may_run_once(op, loop):
            op.detach()
            Rewriter.insert_op(op, InsertPoint.before(loop))


def _may_run_once(op: Operation, loop: ForOp) -> bool:
    """Return whether one execution of an invariant op before the loop can replace all others."""
    if not isinstance(op, LoadOp):
        return is_side_effect_free(op) and is_speculatable(op)
    bounds = loop.static_bounds
    runs = bounds is not None and bounds[0] < bounds[1]
    return runs and not loop.is_parallel and not _may_write(loop, op.mem)


def _may_write(loop: ForOp, buffer: SSAValue) -> bool:
    for op in loop.walk():
        if isinstance(op, StoreOp):
            own = isinstance(buffer.owner, AllocOp) or isinstance(op.mem.owner, AllocOp)
            if op.mem is buffer or not own:
                return True
        elif not isinstance(op, _READERS) and not is_side_effect_free(op):
            return True
    return False


_READERS = ForOp, IfOp, YieldOp, LoadOp, AllocOp
