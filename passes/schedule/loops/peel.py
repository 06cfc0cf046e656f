"""sched.peel: peel the first and the last iterations of a loop into separate loops."""

from __future__ import annotations

from itertools import pairwise

from xdsl.ir import Operation

from ....dialects.loop import ForOp
from ....support.affine import constant
from ...rewrite.loops import set_bounds
from ..engine.placement import block_of
from ..engine.step import Handles, Step


def peel(step: Step) -> Handles:
    """Peel the first and the last iterations of a loop into separate loops.

        loop.for %w = 0 to 9 { .. }
        %p = sched.peel %w {front = 1, back = 1}
    ==>
        loop.for %w = 0 to 1 { .. }   loop.for %w = 1 to 8 { .. }   loop.for %w = 8 to 9 { .. }

    The bodies do not change, but in the narrower ranges, fewer padded reads can leave their
    operand. Handles to computes and loops inside also hold the copies.
    front, back: the numbers of iterations to peel at the start and at the end.
    Handles: all loops.
    Before: the bounds are constant.
    Errors: ScheduleError otherwise; if nothing is peeled.
    """
    front, back = step.number("front", 0), step.number("back", 0)
    if front < 0 or back < 0 or front + back == 0:
        raise step.error(
            "iterations to peel are counted", expected="front or back of at least 1",
            got=f"front = {front}, back = {back}",
        )  # fmt: skip
    out: list[Operation] = []
    for loop in step.loops():
        bounds = loop.static_bounds
        if bounds is None:
            raise step.error("the loop's bounds are not constant", hint="fuse without a halo")
        out += _peel(step, loop, cuts(*bounds, front, back))
    return [out]


def cuts(low: int, high: int, front: int, back: int) -> list[int]:
    """Return the bounds of the loops into which peeling divides ``low`` to ``high``, in order.

    front, back: the numbers of iterations that are peeled at the start and at the end.
    """
    first = range(low, min(low + front, high) + 1)
    last = range(max(high - back, low), high + 1)
    return sorted({low, *first, *last})


def _peel(step: Step, loop: ForOp, at: list[int]) -> list[ForOp]:
    pieces: list[ForOp] = []
    for low, high in pairwise(at):
        piece = loop
        if high != at[-1]:
            piece = loop.clone()
            block_of(loop).insert_op_before(piece, loop)
            step.record_copy(loop, piece)
        set_bounds(piece, [constant(low)], [constant(high)])
        pieces.append(piece)
    return pieces
