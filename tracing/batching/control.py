"""Control flow for a batch: conditions that differ between elements become selects.

graph.if      if the condition is equal for all elements: an if; else both branches, and selects
graph.scan    a scan, with a batch in all carried values
graph.loop    a loop while an element continues; elements that have ended keep their values
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import Block, Region, SSAValue

from ...dialects.graph import (
    AndOp,
    BroadcastOp,
    CastOp,
    CheckpointOp,
    CustomGradientOp,
    IfOp,
    LoopOp,
    ReduceOp,
    ScanOp,
    YieldOp,
)
from ...dialects.graph.control import element_of_stack
from ...dialects.shape import dims_of, type_of
from ...gradient.builder import GradientBuilder
from ...support.diagnostics import UnsupportedOp
from .walk import BatchWalk, Rule


def _mask(condition: SSAValue, like: SSAValue, builder: GradientBuilder) -> SSAValue:
    """Broadcast a condition, one bool per element of the batch, to the shape of ``like``."""
    dims = dims_of(type_of(like))
    rows = builder.reshape(condition, dims[:1])
    return builder.value(BroadcastOp(rows, dims, [0])) if len(dims) > 1 else rows


def _region(
    region: Region,
    walk: BatchWalk,
    block: Block | None = None,
    having: Sequence[SSAValue] | None = None,
) -> Region:
    """Return a copy of a region that computes a batch: its results all have a batch.

    walk: the walk over the ops around the region.
    block: the block to fill, with one argument for each argument of the region; None: a new block,
    whose arguments all have a batch.
    having: the arguments of the region that have a batch in ``block``; None: all.
    """
    arguments = region.block.args
    made = Block(arg_types=[walk.type_of(a) for a in arguments]) if block is None else block
    inner = walk.inner(made, arguments, arguments if having is None else having)
    yields = inner.run(list(region.block.ops))
    made.add_op(YieldOp([inner.batched(v) for v in yields]))
    return Region(made)


def if_(op: IfOp, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append an if for a batch; both branches and selects, if the condition has a batch."""
    if not walk.has(op.condition):
        branches = [_region(region, walk) for region in (op.then, op.otherwise)]
        return walk.builder.append(IfOp(walk.value(op.condition), *branches)).results
    both: list[list[SSAValue]] = []
    for region in (op.then, op.otherwise):
        yields = walk.run(list(region.block.ops))
        both.append([walk.batched(v) for v in yields])
    condition, b = walk.value(op.condition), walk.builder
    return [b.select(_mask(condition, x, b), x, y) for x, y in zip(*both, strict=True)]


def scan(op: ScanOp, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append a scan for a batch, whose carried values all have a batch.

    The values that it reads, and its stacks, have the steps as first dimension, then the batch.
    """
    if op.symbol is not None:
        raise UnsupportedOp("vmap knows no scan whose sizes depend on the iteration").at(op)
    count, b = len(op.inits), walk.builder
    over = [_exchanged(walk.value(x), b) if walk.has(x) else walk.value(x) for x in op.over]
    inits = [walk.batched(x) for x in op.inits]
    elements = [element_of_stack(type_of(x)) for x in over]
    block = Block(arg_types=[*(x.type for x in inits), *elements])
    arguments = op.body.block.args
    having = [a for a, x in zip(arguments[count:], op.over, strict=True) if walk.has(x)]
    body = _region(op.body, walk, block, [*arguments[:count], *having])
    made = b.append(ScanOp(op.steps, inits, over, body, reverse=op.reverse)).results
    return [*made[:count], *(_exchanged(x, b) for x in made[count:])]


def _exchanged(x: SSAValue, builder: GradientBuilder) -> SSAValue:
    rank = len(dims_of(type_of(x)))
    return builder.transpose(x, [1, 0, *range(2, rank)])


def loop(op: LoopOp, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append a loop for a batch, which runs while an element continues.

    Errors: UnsupportedOp for a trip count that differs between elements.
    """
    if op.trip is not None and walk.has(op.trip):
        raise UnsupportedOp("vmap knows no loop whose trip count differs between elements").at(op)
    b, trip = walk.builder, None if op.trip is None else walk.value(op.trip)
    inits = [walk.batched(x) for x in op.inits]
    goes_on = None if op.condition is None else walk.batched(op.condition)
    flags = [] if goes_on is None else [goes_on]
    number, *carried = op.body.block.args
    block = Block(arg_types=[number.type, *(x.type for x in (*flags, *inits))])
    # The block also carries which elements continue, for which the region has no argument.
    old = Block(arg_types=[x.type for x in flags]).args
    inner = walk.inner(block, [number, *old, *carried], carried)
    yields = [inner.batched(v) for v in inner.run(list(op.body.block.ops))]
    if goes_on is None:
        block.add_op(YieldOp(yields))
        return b.append(LoopOp(trip, None, inits, Region(block))).results
    within, active = inner.builder, block.args[1]
    chosen = [
        within.select(_mask(active, new, within), new, before)
        for new, before in zip(yields[1:], block.args[2:], strict=True)
    ]
    more = within.value(AndOp(active, yields[0]))
    block.add_op(YieldOp([_any(more, within), more, *chosen]))
    made = b.append(LoopOp(trip, _any(goes_on, b), [goes_on, *inits], Region(block)))
    return made.results[1:]


def _any(flags: SSAValue, builder: GradientBuilder) -> SSAValue:
    """Return whether any flag of the batch is true, as a tensor of rank 0."""
    numbers = builder.value(CastOp(flags, i32))
    axes = range(len(dims_of(type_of(flags))))
    most = builder.value(ReduceOp(numbers, kind="max", axes=[*axes]))
    return builder.value(CastOp(most, type_of(flags).element_type))


def checkpoint(op: CheckpointOp, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append a checkpoint for a batch, whose operands all have a batch."""
    xs = [walk.batched(x) for x in op.xs]
    return walk.builder.append(CheckpointOp(xs, _region(op.body, walk))).results


def custom_gradient(op: CustomGradientOp, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append an op with a custom gradient for a batch, whose operands all have a batch."""
    xs, others = ([walk.batched(x) for x in values] for values in (op.xs, op.others))
    regions = [_region(region, walk) for region in (op.body, op.backward)]
    return walk.builder.append(CustomGradientOp(xs, others, *regions)).results


RULES: dict[type, Rule] = {
    IfOp: if_,
    ScanOp: scan,
    LoopOp: loop,
    CheckpointOp: checkpoint,
    CustomGradientOp: custom_gradient,
}
"""The rules, by class."""
