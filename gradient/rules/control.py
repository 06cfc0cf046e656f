"""Gradients of control flow: a branch is differentiated; a scan runs back over its steps.

    graph.if      →  an if whose branches compute the forward ops again, then their cotangents
    graph.scan    →  the scan also stacks the carried values before each step, the results of its
                     products, and the rows that it gathers from carried values (the tape); a second
                     scan, in reverse order, computes the rest of each step again, and then its
                     cotangents

graph-simplify drops the stacks that the second scan does not read.

A graph.loop with a constant limit is rewritten to a scan first.  If it has a condition, too, each
step of the scan is a graph.if.

In all functions here, ``gs`` are the cotangents of the results of the original op.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from ...dialects.graph import (
    AddOp,
    ConcatOp,
    ConstantOp,
    ConvOp,
    CustomGradientOp,
    GatherOp,
    IfOp,
    LoopOp,
    MatmulOp,
    NegOp,
    ReshapeOp,
    ScanOp,
    SliceOp,
    SubOp,
    TransposeOp,
    YieldOp,
)
from ...dialects.shape import dims_of, element_count, tensor_type, type_of
from ...dialects.weights import WeightAttr
from ...support.blocks import terminator
from ...support.diagnostics import NoGradient
from ..builder import GradientBuilder
from ..rule import Cotangents, RegionGradient, Reverse, is_differentiable
from ..step_sums import behind_branches, stacked_values, step_sum


def _free_floats(regions: Sequence[Region]) -> list[SSAValue]:
    """Return the float tensors that some regions use but do not define, without repetition."""
    used = (
        value
        for region in regions
        for op in region.walk()
        for value in op.operands
        if not region.is_ancestor(value.owner)
    )
    return list(dict.fromkeys(filter(is_differentiable, used)))


def if_(op: IfOp, gs: Cotangents, reverse: Reverse) -> None:
    """Add the cotangents of the values that the branches of a graph.if use.

    gs: the cotangents of the results of ``op``.
    reverse: the walk, which collects the added cotangents.
    """
    outer = list(filter(reverse.wanted, _free_floats([op.then, op.otherwise])))

    def branch(region: Region) -> Region:
        block = Block()
        yields = GradientBuilder(block).inline(region.block, [])
        walk = reverse.inner(block, [(y, g) for y, g in zip(yields, gs, strict=True) if g])
        walk.builder.append(YieldOp([walk.of(v) for v in outer]))
        return Region(block)

    if outer:
        made = reverse.builder.append(IfOp(op.condition, branch(op.then), branch(op.otherwise)))
        for value, g in zip(outer, made.results, strict=True):
            reverse.add(value, g)


@dataclass
class _Tape:
    """The forward scan of a gradient, which also keeps what the reverse scan reads (the tape).

    scan: the new scan, which replaced the original op.
    before: for each carried value, the stack of its values before each step.
    computed: the stacks of the values of `_kept_values`.
    body: a copy of the region of the original op, which also takes an element of each of these
    stacks, and uses it in the place of the value.
    """

    scan: ScanOp
    before: Sequence[SSAValue]
    computed: Sequence[SSAValue]
    body: Region


def _taped(op: ScanOp) -> _Tape:
    """Replace a scan by one that also stacks what the reverse scan reads."""
    body, again = op.body.clone(), op.body.clone()
    count = len(op.inits)
    for value in _kept_values(again.block, count):
        _use_stored(value, again.block.insert_arg(value.type, len(again.block.args)))
    kept = _kept_values(body.block, count)
    _also_yield(body.block, *body.block.args[:count])
    for value in kept:
        _also_yield(body.block, _exported(value, body.block))
    taped = ScanOp(op.steps, list(op.inits), list(op.over), body, reverse=op.reverse)
    _replace(op, taped)
    stacks = taped.results[len(op.results) :]
    return _Tape(taped, stacks[:count], stacks[count:], again)


def _kept_values(block: Block, count: int) -> list[OpResult]:
    """Return the values computed in the region of a scan that the tape stacks.

    count: the number of carried values.
    """
    return [*_products(block), *_rows(block.args[:count], block)]


def _rows(carried: Sequence[SSAValue], block: Block) -> list[OpResult]:
    """Return the results of gathers from carried values, also in branches, that are smaller.

    The gradient of a gather does not read the gathered tensor.  So a carried table or stack of
    frames, of which a step reads some rows, needs no place on the tape.
    """
    return [
        op.out
        for op in block.walk()
        if isinstance(op, GatherOp)
        and op.x in carried
        and all(isinstance(around, IfOp) for around in _around(op, block))
        and _size(op.out) < _size(op.x)
    ]


def _size(value: SSAValue) -> int:
    """Return the number of elements of a tensor; 0 for a symbolic shape."""
    return element_count(dims_of(type_of(value))).value or 0


def _around(op: Operation, block: Block) -> Iterator[Operation]:
    """Yield the ops around an op of the nested regions of a block, from the inside out."""
    while (home := op.parent_block()) is not block:
        around = None if home is None else home.parent_op()
        assert around is not None, "the op is inside of the block"
        yield (op := around)


def _also_yield(block: Block, *values: SSAValue) -> None:
    """Append values to those that the region of a block yields."""
    last = terminator(block, YieldOp)
    block.insert_op_before(YieldOp([*last.values, *values]), last)
    block.erase_op(last)


def _exported(value: OpResult, block: Block) -> SSAValue:
    """Return a value of nested branches as a value of ``block``: zeros if it is not computed."""
    for op in list(_around(value.op, block)):
        assert isinstance(op, IfOp), "only branches contain the value"
        for region in (op.then, op.otherwise):
            home = GradientBuilder(region.block, region.block.last_op)
            is_home = region.block is value.owner.parent
            _also_yield(region.block, value if is_home else home.zeros(value))
        made = IfOp(op.condition, *(op.detach_region(r) for r in (op.then, op.otherwise)))
        _replace(op, made)
        op.detach()
        op.erase()
        value = made.results[-1]
    return value


def _use_stored(value: OpResult, stored: SSAValue) -> None:
    """Use a stored copy of a value in the place of the value, whose gradient stays.

    The marker, a graph.custom_gradient, yields the copy and passes its cotangent to the value.
    """
    block = value.op.parent
    assert block is not None, "the op stands in a block"
    home = GradientBuilder(block, value.op.next_op)
    body = Block(arg_types=[value.type, stored.type])
    body.add_op(YieldOp([body.args[1]]))
    backward = Block(arg_types=[value.type] * 4)
    backward.add_op(YieldOp([backward.args[-1]] if is_differentiable(value) else []))
    marker = CustomGradientOp([value], [stored], Region(body), Region(backward))
    home.append(marker)
    value.replace_uses_with_if(marker.results[0], lambda use: use.operation is not marker)


def _inline_stored(stored: Sequence[SSAValue]) -> None:
    """Replace the results of the markers of `_use_stored` by the stored values."""
    for value in stored:
        for marker in [use.operation for use in value.uses]:
            assert isinstance(marker, CustomGradientOp), "only markers read the tape"
            marker.results[0].replace_all_uses_with(value)


_LINEAR = (AddOp, SubOp, NegOp, SliceOp, ReshapeOp, TransposeOp, ConcatOp, YieldOp)
"""Ops whose gradients do not read their operands."""


def _products(block: Block) -> list[OpResult]:
    """Return the results of products in a region that its gradient reads; the tape stacks these.

    If the only user of a product is an addition, the sum is returned in its place, because one
    kernel computes both.
    """
    found: dict[OpResult, None] = {}
    for op in block.ops:
        if isinstance(op, MatmulOp | ConvOp):
            value: OpResult = op.results[0]
            while isinstance(user := _only_user(value), AddOp):
                value = user.results[0]
            if _is_read(value):
                found[value] = None
    return list(found)


def _only_user(value: SSAValue) -> Operation | None:
    users = {use.operation for use in value.uses}
    return users.pop() if len(users) == 1 else None


def _is_read(value: SSAValue) -> bool:
    """Return whether the gradient of a region reads a value.

    The gradient of a linear op, such as an addition, does not read the op's operands. So the value
    is read if one of its users is not linear, or if the result of a linear user is read.
    """
    users = [use.operation for use in value.uses]
    return any(not isinstance(op, _LINEAR) or any(map(_is_read, op.results)) for op in users)


def _replace(op: Operation, new: Operation) -> None:
    """Insert a new op before another one, whose results the first results of the new op replace."""
    block = op.parent
    assert block is not None, "the op stands in a block"
    block.insert_op_before(new, op)
    for old, made in zip(op.results, new.results, strict=False):
        made.name_hint = old.name_hint
        old.replace_all_uses_with(made)


def scan(op: ScanOp, gs: Cotangents, reverse: Reverse) -> None:
    """Add the cotangents of a scan's operands, and of values from outside that its region uses.

    gs: the cotangents of the results of ``op``.
    reverse: the walk, which collects the added cotangents.
    Errors: NoGradient for a scan whose sizes depend on the iteration.
    """
    if op.symbol is not None:
        raise NoGradient(
            "a scan whose sizes depend on the iteration has no gradient",
            got=f"symbol {op.symbol}",
            hint="give the carried values one size, with padding",
        ).at(op)
    outer = _free_floats([op.body])
    tape = _taped(op)
    _reverse_scan(tape, gs, outer, reverse)


def _reverse_scan(tape: _Tape, gs: Cotangents, outer: Sequence[SSAValue], reverse: Reverse) -> None:
    """Append the scan in reverse order, and add the cotangents that it computes.

    This scan carries the cotangents of the original scan's carried values. The cotangent of a value
    in ``outer`` is a sum over the steps. Either the scan carries this sum, too, or it is computed
    from stacks after the scan (step_sums.py).
    tape: the forward scan, with the stacks that the reverse scan reads.
    gs: the cotangents of the results of the original scan.
    outer: the float values from outside that the region uses.
    """
    op, count = tape.scan, len(tape.scan.inits)
    carried = [n for n in range(count) if is_differentiable(op.inits[n])]
    read = [n for n in range(len(op.over)) if is_differentiable(op.over[n])]
    stacked = [(n, g) for n, g in enumerate(gs[count:]) if g is not None]
    b = reverse.builder
    inits = [gs[n] or b.zeros(op.inits[n]) for n in carried]
    over = [*op.over, *tape.before, *tape.computed, *(g for _, g in stacked)]
    block = Block(arg_types=[*(v.type for v in inits), *map(_element, over)])
    heads, rest = block.args[: len(carried)], list(block.args[len(carried) :])
    stacks = dict(zip(rest, over, strict=True))
    elements, before = rest[: len(op.over)], rest[len(op.over) : len(op.over) + count]
    stored = rest[len(op.over) + count :][: len(tape.computed)]
    parts = rest[len(op.over) + count + len(stored) :]
    given = [*before, *elements, *stored]
    yields = GradientBuilder(block).inline(tape.body.block, given)
    seeds = [(yields[n], g) for n, g in zip(carried, heads, strict=True)]
    seeds += [(yields[count + n], g) for (n, _), g in zip(stacked, parts, strict=True)]
    walk = reverse.inner(block, seeds, constants=stored)
    _inline_stored(stored)
    sums = _outer_sums(walk, outer, block, len(carried))
    slopes = [walk.of(elements[n]) for n in read]
    missing = [x for x in sums.stacked if x not in stacks and x not in slopes]
    totals = [walk.builder.add(a, walk.of(v)) for v, a in sums.carried.items()]
    nexts = [walk.of(before[n]) for n in carried]
    walk.builder.append(YieldOp([*nexts, *totals, *slopes, *missing]))
    inits += [b.zeros(v) for v in sums.carried]
    made = b.append(ScanOp(op.steps, inits, over, Region(block), reverse=not op.reverse))
    values = [*(op.inits[n] for n in carried), *sums.carried, *(op.over[n] for n in read)]
    for value, g in zip(values, made.results, strict=False):
        reverse.add(value, g)
    stacks |= dict(zip([*slopes, *missing], made.results[len(nexts) + len(totals) :], strict=True))
    for value, part in sums.later.items():
        reverse.add(value, step_sum(part, stacks, b))


@dataclass
class _OuterSums:
    """How the reverse scan sums the cotangents of outer values over its steps.

    An outer value is a float tensor from outside of the scan that its region uses. Each is in
    ``carried`` or in ``later``.
    carried: for an outer value, the argument of the region that carries its sum from step to step.
    later: for an outer value, its cotangent in one step; the sum is computed from stacks after the
    scan.
    stacked: the values in the region that must be stacked for these sums, as keys.
    """

    carried: dict[SSAValue, SSAValue]
    later: dict[SSAValue, SSAValue]
    stacked: dict[SSAValue, None]


def _outer_sums(walk: Reverse, outer: Sequence[SSAValue], block: Block, first: int) -> _OuterSums:
    """Choose for each outer value how to sum its cotangent over the steps of the reverse scan.

    For each carried sum, the block gets an argument.
    walk: the finished walk over the region, which has the cotangents in one step.
    outer: the float values from outside that the region uses.
    block: the block of the reverse scan.
    first: the index of the first new argument.
    """
    sums = _OuterSums({}, {}, {})
    moved: dict[SSAValue, SSAValue] = {}
    for value in outer:
        part = behind_branches(walk.of(value), block, moved)
        found = stacked_values(part, block)
        if found is None:
            place = first + len(sums.carried)
            sums.carried[value] = block.insert_arg(value.type, place)
        else:
            sums.later[value] = part
            sums.stacked |= dict.fromkeys(found)
    return sums


def _element(stack: SSAValue) -> TensorType:
    type_ = type_of(stack)
    return tensor_type(type_.element_type, dims_of(type_)[1:])


def loop(op: LoopOp, gs: Cotangents, reverse: Reverse) -> None:
    """Add the cotangents of a loop with a constant limit, after rewriting it to a scan.

    gs: the cotangents of the results of ``op``.
    reverse: the walk, which collects the added cotangents.
    Errors: NoGradient for a loop without a limit, or with a computed one.
    """
    trip = None if op.trip is None else op.trip.owner
    if not isinstance(trip, ConstantOp):
        raise NoGradient(
            "a loop without a constant limit of its iterations has no gradient",
            got="no limit" if op.trip is None else "a computed trip count",
            hint="give the loop a constant trip count (an upper limit, if it has a condition), or "
            "the function of a recursion tw.total_calls (tail recursion: tw.most_calls)",
        ).at(op)
    count = int(np.asarray(trip.value.stored).reshape(()))
    numbers = ConstantOp(WeightAttr.of(np.arange(count, dtype=np.int64)))
    home = op.parent
    assert home is not None, "the op stands in a block"
    home.insert_op_before(numbers, op)
    body = _counted_body(op) if op.condition is None else _guarded_body(op)
    given = [] if op.condition is None else [op.condition]
    made = ScanOp(count, [*op.inits, *given], [numbers.results[0]], body)
    _replace(op, made)
    scan(made, [*gs, *(None for _ in given)], reverse)


def _counted_body(op: LoopOp) -> Region:
    """Return the region of a loop without a condition as that of a scan.

    Its arguments are the carried values, and the iteration number.
    """
    number, *carried = op.body.block.args
    block = Block(arg_types=[*(v.type for v in carried), number.type])
    builder = GradientBuilder(block)
    builder.append(YieldOp(builder.inline(op.body.block, [block.args[-1], *block.args[:-1]])))
    return Region(block)


def _guarded_body(op: LoopOp) -> Region:
    """Return the region of a scan that computes an iteration only while the condition holds.

    Its arguments are the carried values, the condition, and the iteration number.  After the last
    iteration of the loop, the steps of the scan return the carried values unchanged.
    """
    assert op.condition is not None, "the loop has a condition"
    number, *carried = op.body.block.args
    block = Block(arg_types=[*(v.type for v in carried), op.condition.type, number.type])
    *values, goes_on, step = block.args
    then, otherwise = Block(), Block()
    builder = GradientBuilder(then)
    more, *made = builder.inline(op.body.block, [step, *values])
    builder.append(YieldOp([*made, more]))
    otherwise.add_op(YieldOp([*values, goes_on]))
    chosen = IfOp(goes_on, Region(then), Region(otherwise))
    block.add_ops([chosen, YieldOp(chosen.results)])
    return Region(block)


REGION_GRADIENTS: dict[type, RegionGradient] = {IfOp: if_, ScanOp: scan, LoopOp: loop}
"""The gradients of control flow, by class."""
