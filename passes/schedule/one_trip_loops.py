"""Inline one-trip serial loops, which tile and peel make so that no handle is empty."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.rewriter import Rewriter

from ...dialects.loop import ForOp
from ...dialects.te import ComputeOp, KernelOp, LoopsOp
from ...dialects.te.view import loop_variable_range
from ...support.affine import Index, Key, constant
from ...support.blocks import enclosing
from ..rewrite.loops import drop_implied_bounds, replace_by_body, set_bounds
from .engine.placement import loops_in, users


def inline_one_trip_loops(kernel: KernelOp) -> None:
    """Replace one-trip serial loops by their bodies, and erase loops that never run.

        loop.for %i = 2 to 3 { te.compute .. ins(%A[%i * 6 + m, k] : ..) .. }
    ==>
        te.compute .. ins(%A[m + 12, k] : ..) ..

    Parallel, bound and annotated loops stay, because they describe the kernel's tasks; only their
    variable becomes a constant. Loops in a te.loops do not change.
    """
    for op in loops_in(kernel):
        if op.parent is None or any(isinstance(parent, LoopsOp) for parent in enclosing(op)):
            continue
        drop_implied_bounds(op, lambda index: index.range(loop_variable_range))
        bounds = op.static_bounds
        if bounds is None or op.inits:
            continue
        low, high = bounds
        if high <= low:
            Rewriter.erase_op(op)
        elif high == low + 1:
            _fix_position(op, low)
            if not (op.is_parallel or op.thread or op.annotations):
                replace_by_body(op)


def _fix_position(loop: ForOp, position: int) -> None:
    """Replace the variable of a loop by the constant ``position`` in all ops that use it."""
    values: dict[Key, Index] = {loop.variable: constant(position)}
    for user in users(loop.variable):
        if isinstance(user, ForOp):
            lows, highs = user.bounds()
            set_bounds(user, _substitute(lows, values), _substitute(highs, values))
        else:
            assert isinstance(user, ComputeOp), f"{user.name} uses a loop variable"
            user.update(user.view().substitute(values))


def _substitute(bounds: Sequence[Index], values: dict[Key, Index]) -> list[Index]:
    return [e.substitute(values, loop_variable_range) for e in bounds]
