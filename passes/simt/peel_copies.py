"""simt-peel-copies: peel the last iterations of a pipelined loop, which copy nothing.

    loop.for %k = 0 to 64 {                          loop.for %k = 0 to 62 {
      simt.async_wait 1                                simt.async_wait 1
      simt.barrier shared                              simt.barrier shared
      loop.for %f = %k + 2 to min(64, %k + 3) {        %a = simt.mma ..
        simt.async_copy { .. } }                ==>    loop.for %f = %k + 2 to %k + 3 {
      simt.async_commit                                  simt.async_copy { .. } }
      %a = simt.mma ..                                 simt.async_commit
      %b = simt.mma .. }                               %b = simt.mma .. }
                                                     loop.for %k = 62 to 64 { .. without the copy }

The body of the first loop is one basic block, so the assembler can schedule copies, loads and
multiply-adds together.  The copies of each operand are placed between the multiply-adds: a copy at
the start of an iteration would delay all of them.

If only the last copied step reaches beyond the end of an operand, the iteration that copies it is
peeled, too.  The first loop then needs no check of positions.

Before: simt-async-copies ran.  After: no pipelined loop of static bounds has copies that depend on
a condition.
Exact: the same operations on the same values.  A copy writes another tile than its iteration reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.math import FmaOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.bounds.loop_ranges import LoopRanges
from ...dialects.loop import ForOp
from ...dialects.shape import dims_of
from ...dialects.simt import AsyncCommitOp, AsyncCopyOp, AsyncWaitOp, MmaOp, WarpgroupMmaOp
from ...support.affine import Index, constant, variable
from .branch_single_trips import has_single_trip
from .kernels import mapped_kernels

_LEAST_TURNS = 8
"""The fewest iterations of a loop without whose checks more code pays."""


@dataclass(frozen=True)
class PeelCopies(ModulePass):
    """Peel the iterations without copies in all mapped kernels of a module."""

    name = "simt-peel-copies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in mapped_kernels(op):
            peel_copies(function)


def peel_copies(function: FuncOp) -> None:
    """Peel the iterations without copies of the pipelined loops of one kernel."""
    waits = [op for op in function.walk() if isinstance(op, AsyncWaitOp)]
    for op in dict.fromkeys(wait.parent_op() for wait in waits):
        if isinstance(op, ForOp):
            fills = [each for each in op.body.block.ops if _is_fill(each)]
            distance = _distance(op, fills)
            if distance is not None:
                _peel(op, fills, distance)


def _is_fill(op: Operation) -> bool:
    """Return whether an op is a loop of at most one iteration around copies."""
    is_single = isinstance(op, ForOp) and has_single_trip(op)
    return is_single and any(isinstance(o, AsyncCopyOp) for o in op.walk())


def _distance(loop: ForOp, fills: Sequence[Operation]) -> int | None:
    """Return how many iterations ahead the copies of a loop are; None if the distances differ.

    Also None for a loop whose bounds are not constant, or that has too few iterations.
    fills: the loops of at most one iteration around the copies.
    """
    bounds = loop.static_bounds
    if bounds is None or loop.results or not fills:
        return None
    distances = {_ahead(loop, op, bounds[1]) for op in fills if isinstance(op, ForOp)}
    (first, *others) = distances
    is_long = first is not None and 0 < first < bounds[1] - bounds[0]
    return first if is_long and not others else None


def _ahead(loop: ForOp, fill: ForOp, end: int) -> int | None:
    """Return how many iterations before their use the copies of ``fill`` start.

    fill: a loop of at most one iteration around copies.  end: the end of ``loop``.
    Returns None if this distance varies, or if the guard of the fill is not the end of ``loop``.
    """
    (low,), highs = fill.bounds()
    distance = low - variable(loop.variable)
    if not distance.is_constant or set(highs) != {constant(end), low + 1}:
        return None
    return distance.const


def _peel(loop: ForOp, fills: Sequence[Operation], distance: int) -> None:
    bounds = loop.static_bounds
    assert bounds is not None, "a loop of static bounds"
    rest = loop.clone()
    for fill in [op for op in rest.body.block.ops if _is_fill(op)]:
        Rewriter.erase_op(fill)
    Rewriter.insert_op(rest, InsertPoint.after(loop))
    last = constant(bounds[1] - distance)
    _bounded(rest, [last], [constant(bounds[1])])
    main = _bounded(loop, [constant(bounds[0])], [last])
    _spread(main, [_unguarded(op) for op in fills])
    if last.const - bounds[0] >= _LEAST_TURNS:
        _peel_ragged_copy(main, bounds[0], last.const)


def _peel_ragged_copy(main: ForOp, first: int, end: int) -> None:
    """Peel the last iteration of a loop if the copies of the other ones need fewer checks.

    first, end: the bounds of the loop.
    """
    count, rest = _checks(main), main.clone()
    shorter = _bounded(main, [constant(first)], [constant(end - 1)])
    if _checks(shorter) < count:
        Rewriter.insert_op(rest, InsertPoint.after(shorter))
        _bounded(rest, [constant(end - 1)], [constant(end)])
    else:
        _bounded(shorter, [constant(first)], [constant(end)])


def _checks(main: ForOp) -> int:
    """Return the number of positions of a loop's copies that may be outside of their buffers."""
    ranges, count = LoopRanges(), 0
    for op in main.walk():
        if isinstance(op, ForOp):
            ranges.enter(op)
        if isinstance(op, AsyncCopyOp) and op.load.pad is not None:
            for index, dim in zip(op.load.indices(), dims_of(op.load.mem.type), strict=True):
                low, high = ranges.range_of_index(ranges.expand(index))
                count += low < 0 or dim.value is None or high >= dim.value
    return count


def _unguarded(fill: Operation) -> Operation:
    """Return a loop around copies without its guard, so that it has exactly one iteration."""
    assert isinstance(fill, ForOp), "a fill is a loop"
    (low,), _ = fill.bounds()
    return _bounded(fill, [low], [low + 1])


def _bounded(loop: ForOp, lows: Sequence[Index], highs: Sequence[Index]) -> ForOp:
    """Replace a loop by one with other bounds and the same body; return the new loop."""
    made = ForOp.make(lows, highs, loop.detach_region(loop.body), ())
    made.properties = {**loop.properties, **made.properties}
    made.location = loop.location
    Rewriter.insert_op(made, InsertPoint.before(loop))
    Rewriter.erase_op(loop)
    return made


def _spread(loop: ForOp, fills: Sequence[Operation]) -> None:
    """Move the copies of a loop's body between its multiply-adds, at equal distances.

    Instructions of a warpgroup run while their threads continue, so the copies move behind them.
    fills: the loops of at most one iteration around the copies.
    """
    body = loop.body.block
    products = [op for op in body.ops if isinstance(op, WarpgroupMmaOp)]
    uses = [op for op in body.ops if isinstance(op, MmaOp | FmaOp)]
    commits = [op for op in body.ops if isinstance(op, AsyncCommitOp)]
    if len(commits) != 1 or (not products and len(uses) <= len(fills)):
        return
    for number, fill in enumerate(fills, 1):
        fill.detach()
        if products:
            body.insert_op_after(fill, fills[number - 2] if number > 1 else products[-1])
        else:
            body.insert_op_before(fill, uses[number * len(uses) // (len(fills) + 1)])
    commits[0].detach()
    body.insert_op_after(commits[0], fills[-1])
