"""Lower control flow to the host program: packed.if and packed.loop with te ops in their regions.

    %h, %ys = graph.scan <12> carry(%h0 = %init) over(%x = %xs : tensor<12x4xf32>) { … }
==>
    %h, %ys = packed.loop %t to 12 carry(%h0 = %init) { %x = packed.slice %xs[%t] … }
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Block, SSAValue

from ...dialects import packed
from ...dialects.graph import IfOp, LoopOp, ScanOp, WhileOp, YieldOp
from ...dialects.graph.control import ITERATION
from ...dialects.packed.control import make_loop_body
from ...dialects.shape import extent_of
from ...dialects.te.build import ComputeResult, compute, read
from ...dialects.te.compute import ComputeOp
from ...dialects.te.scalars import Scalars
from ...support.affine import variable
from ...support.blocks import terminator
from ...support.diagnostics import UnsupportedOp
from .builder import Rule, TeBuilder, sizes_of, te_type
from .data.data_rules import require_numbers, sizes_value


def lower_yield(op: YieldOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower to a packed.yield of the te values."""
    builder.append(packed.YieldOp([builder.value(v) for v in op.values]))
    return ()


def lower_if(op: IfOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower to a packed.if, whose regions are the lowered branches."""
    then, otherwise = (builder.region(r.block, (), Block()) for r in (op.then, op.otherwise))
    return builder.append(packed.IfOp(builder.value(op.condition), then, otherwise)).results


def lower_loop(op: LoopOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower to a packed.loop.

    A packed.number at the start of its region stores the iteration number in a tensor, as the
    region of the graph op expects.
    """
    inits = [builder.value(v) for v in op.inits]
    block = make_loop_body([v.type for v in inits])
    number, *carried = block.args
    counted = packed.NumberOp(number)
    block.add_op(counted)
    body = builder.region(op.body.block, [counted.results[0], *carried], block)
    trip = None if op.trip is None else builder.value(op.trip)
    condition = None if op.condition is None else builder.value(op.condition)
    return builder.append(packed.LoopOp(trip, condition, inits, body)).results


def lower_scan(op: ScanOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower to a packed.loop, whose iteration t first takes slice t of each scanned operand."""
    steps = extent_of(op.steps)
    inits = [builder.value(v) for v in op.inits]
    block = make_loop_body([te_type(a.type) for a in op.body.block.args[: len(inits)]])
    number, *carried = block.args
    place = builder.size(steps) - 1 - variable(number) if op.reverse else variable(number)
    parts = [packed.SliceOp(builder.value(v), place) for v in op.over]
    block.add_ops(parts)
    body = builder.region(op.body.block, [*carried, *(p.res for p in parts)], block)
    loop = packed.LoopOp(steps, None, inits, body, reverse=op.reverse, symbol=op.symbol)
    return builder.append(loop).results


def lower_dynamic_scan(op: ScanOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower a scan with a data-dependent number of steps to a packed.loop with a condition.

    The stacked results have room for the largest number of steps. Each iteration yields, as its
    first value, whether another iteration follows.
    Errors: UnsupportedOp for a reverse scan, and if an axis other than the scanned one has a
    data-dependent size.
    """
    for x in op.inits:
        require_numbers(op, builder, x, range(len(sizes_of(x))))
    for x in op.over:
        require_numbers(op, builder, x, range(1, len(sizes_of(x))))
    if op.reverse:
        raise UnsupportedOp("a reverse scan has a data-dependent number of steps", got=op.steps)
    count = sizes_value([op.steps], builder)
    steps = extent_of(builder.data.most(op.steps))
    inits = [builder.value(v) for v in op.inits]
    block = make_loop_body([v.type for v in inits])
    number, *carried = block.args
    counted = packed.NumberOp(number)
    parts = [packed.SliceOp(builder.value(v), variable(number)) for v in op.over]
    block.add_ops([counted, *parts])
    body = builder.region(op.body.block, [*carried, *(p.res for p in parts)], block)
    yielded = terminator(block, packed.YieldOp)
    following = _is_below(counted.results[0], 1, count)
    block.insert_ops_before(
        [following, packed.YieldOp([*following.results, *yielded.values])], yielded
    )
    block.erase_op(yielded)
    zero = builder.constant(np.zeros((), np.int64))
    first = builder.append(_is_below(zero, 0, count)).results[0]
    return builder.append(packed.LoopOp(steps, first, inits, body)).results


def lower_while(op: WhileOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower to a packed.loop that counts its iterations; the count becomes a size after the loop.

    The stacked results are allocated for the largest number of iterations; after the loop, views of
    their first elements have the real size.
    Errors: UnsupportedOp in a region of control flow, where no size can be bound.
    """
    if op.symbol in builder.data.largest:
        raise UnsupportedOp("a loop that a condition ends binds its trip count in main only")
    inits = [builder.value(v) for v in op.inits]
    zero = builder.constant(np.zeros((), np.int64))
    block = make_loop_body([te_type(ITERATION), *(te_type(a.type) for a in op.body.block.args)])
    number, _, *carried = block.args
    counted = packed.NumberOp(number)
    block.add_op(counted)
    body = builder.region(op.body.block, carried, block)
    yielded = terminator(block, packed.YieldOp)
    more = _next_number(counted.results[0])
    goes_on, *given = yielded.values
    block.insert_ops_before([more, packed.YieldOp([goes_on, *more.results, *given])], yielded)
    block.erase_op(yielded)
    first = builder.value(op.condition)
    steps = extent_of(op.bound)
    made = packed.LoopOp(steps, first, [zero, *inits], body, symbol=op.number)
    count, *values = builder.append(made).results
    builder.bind(op.symbol, count)
    types = [te_type(result.type) for result in op.results[1:]]
    pairs = zip(values, types, strict=True)
    return [count, *(builder.append(packed.ViewOp(v, t)).results[0] for v, t in pairs)]


def _next_number(number: SSAValue) -> ComputeOp:
    """Return an op that adds 1 to an integer tensor of rank 0."""

    def body(s: Scalars, number: SSAValue) -> SSAValue:
        return s.add(number, s.constant(1, i64))

    return compute("next_number", {}, [read(number, ())], [ComputeResult((), i64)], body)


def _is_below(number: SSAValue, more: int, count: SSAValue) -> ComputeOp:
    """Return an op that computes ``number + more < count`` as a tensor<i1>.

    number: an i64 tensor of rank 0.  count: a tensor<1xi64>.
    """

    def body(s: Scalars, number: SSAValue, count: SSAValue) -> SSAValue:
        return s.compare("lt", s.add(number, s.constant(more, i64)), count)

    inputs = [read(number, ()), read(count, (0,))]
    return compute("is_below", {}, inputs, [ComputeResult((), i1)], body)


def lower_extern(op: packed.ExternOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower to a packed.extern that calls the same function on te values."""
    types = [te_type(result.type) for result in op.res]
    arguments = [builder.value(value) for value in op.arguments]
    made = packed.ExternOp(op.function_name, arguments, op.pattern.data, op.dtype_names, types)
    builder.append(made)
    return made.res


RULES: dict[type, Rule] = {
    YieldOp: lower_yield,
    IfOp: lower_if,
    LoopOp: lower_loop,
    ScanOp: lower_scan,
    WhileOp: lower_while,
}

DATA_RULES: dict[type, Rule] = {ScanOp: lower_dynamic_scan}
"""The lowering of ops with a data-dependent size in an operand or result."""

SUB_BYTE_OPS: tuple[type, ...] = (*RULES,)
"""Ops that move or convert integers narrower than 8 bits."""
