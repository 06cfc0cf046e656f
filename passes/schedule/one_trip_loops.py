"""Inline one-trip serial loops, which tile and peel make so that no handle is empty."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ...dialects.loop import ForOp, YieldOp
from ...dialects.te import ComputeOp, KernelOp, LoopsOp
from ...dialects.te.view import loop_variable_range
from ...support.affine import Index, Key, constant
from .engine.placement import block_of, loops_in, set_bounds, users


def inline_one_trip_loops(kernel: KernelOp) -> None:
    """Replace one-trip serial loops by their bodies, and erase loops that never run.

        loop.for %i = 2 to 3 { te.compute .. ins(%A[%i * 6 + m, k] : ..) .. }
    ==>
        te.compute .. ins(%A[m + 12, k] : ..) ..

    Parallel, bound and annotated loops stay, because they describe the kernel's tasks; only their
    variable becomes a constant. Loops in a te.loops do not change.
    """
    for op in loops_in(kernel):
        if op.parent is None or _is_in_nest(op):
            continue
        _simplify_bounds(op)
        bounds = op.static_bounds
        if bounds is None or op.inits:
            continue
        low, high = bounds
        if high <= low:
            op.detach()
            op.erase()
        elif high == low + 1:
            _fix_position(op, low)
            if not (op.is_parallel or op.thread or op.annotations):
                _move_body_out(op)


def _is_in_nest(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, LoopsOp):
        parent = parent.parent_op()
    return parent is not None


def _fix_position(loop: ForOp, position: int) -> None:
    """Replace the variable of a loop by the constant ``position`` in all ops of the loop."""
    values: dict[Key, Index] = {loop.variable: constant(position)}
    for user in users(loop.variable):
        if isinstance(user, ForOp):
            lows, highs = user.bounds()
            set_bounds(user, _substitute(lows, values), _substitute(highs, values))
        else:
            assert isinstance(user, ComputeOp), f"{user.name} uses a loop variable"
            user.update(user.view().substitute(values))


def _move_body_out(loop: ForOp) -> None:
    block = block_of(loop)
    for op in list(loop.body.block.ops):
        if not isinstance(op, YieldOp):
            op.detach()
            block.insert_op_before(op, loop)
    loop.detach()
    loop.erase()


def _substitute(bounds: Sequence[Index], values: dict[Key, Index]) -> list[Index]:
    return [e.substitute(values, loop_variable_range) for e in bounds]


def _simplify_bounds(loop: ForOp) -> None:
    """Drop bounds that another bound implies, such as 0 in max(0, %i * 4 - 1) if %i >= 1."""
    lows, highs = loop.bounds()
    if len(lows) + len(highs) == 2:
        return
    few_lows = _binding(lows, sign=1)
    few_highs = _binding(highs, sign=-1)
    if len(few_lows) + len(few_highs) < len(lows) + len(highs):
        set_bounds(loop, few_lows, few_highs)


def _binding(bounds: Sequence[Index], *, sign: int) -> list[Index]:
    kept: list[Index] = []
    for bound in bounds:
        kept = [k for k in kept if not _exceeds(bound, k, sign)]
        if not any(_exceeds(k, bound, sign) for k in kept):
            kept.append(bound)
    return kept


def _exceeds(first: Index, second: Index, sign: int) -> bool:
    """Return whether one bound is always at least (sign 1) or at most (sign -1) another bound."""
    low, _ = ((first - second) * sign).range(loop_variable_range)
    return low >= 0
