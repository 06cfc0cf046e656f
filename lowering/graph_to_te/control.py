"""Lower control flow to the host program: packed.if and packed.loop with te ops in their regions.

    %h, %ys = graph.scan <12> carry(%h0 = %init) over(%x = %xs : tensor<12x4xf32>) { … }
==>
    %h, %ys = packed.loop %t to 12 carry(%h0 = %init) { %x = packed.slice %xs[%t] … }
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, SSAValue

from ...dialects import packed
from ...dialects.graph import IfOp, LoopOp, ScanOp, YieldOp
from ...dialects.packed.control import make_loop_body
from ...dialects.shape import extent_of
from ...support.affine import variable
from .builder import Builder, Rule


def lower_yield(op: YieldOp, builder: Builder) -> Sequence[SSAValue]:
    """End the region."""
    builder.append(packed.YieldOp([builder.value(v) for v in op.values]))
    return ()


def lower_if(op: IfOp, builder: Builder) -> Sequence[SSAValue]:
    """Translate both branches."""
    then, otherwise = (builder.region(r.block, (), Block()) for r in (op.then, op.otherwise))
    return builder.append(packed.IfOp(builder.value(op.condition), then, otherwise)).results


def lower_loop(op: LoopOp, builder: Builder) -> Sequence[SSAValue]:
    """Translate the body; packed.number makes a tensor of the iteration number at its start."""
    inits = [builder.value(v) for v in op.inits]
    block = make_loop_body([v.type for v in inits])
    number, *carried = block.args
    counted = packed.NumberOp(number)
    block.add_op(counted)
    body = builder.region(op.body.block, [counted.results[0], *carried], block)
    trip = None if op.trip is None else builder.value(op.trip)
    condition = None if op.condition is None else builder.value(op.condition)
    return builder.append(packed.LoopOp(trip, condition, inits, body)).results


def lower_scan(op: ScanOp, builder: Builder) -> Sequence[SSAValue]:
    """Translate the body; step t first takes slice t of each scanned operand."""
    steps = extent_of(op.steps)
    inits = [builder.value(v) for v in op.inits]
    block = make_loop_body([v.type for v in inits])
    number, *carried = block.args
    place = builder.size(steps) - 1 - variable(number) if op.reverse else variable(number)
    parts = [packed.SliceOp(builder.value(v), place) for v in op.over]
    block.add_ops(parts)
    body = builder.region(op.body.block, [*carried, *(p.res for p in parts)], block)
    return builder.append(packed.LoopOp(steps, None, inits, body, reverse=op.reverse)).results


RULES: dict[type, Rule] = {
    YieldOp: lower_yield,
    IfOp: lower_if,
    LoopOp: lower_loop,
    ScanOp: lower_scan,
}

SUB_BYTE_OPS: tuple[type, ...] = (*RULES,)
"""Ops that move or convert integers narrower than 8 bits."""
