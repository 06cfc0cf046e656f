"""Rewrites of loops and accesses that schedule steps share with passes of lower levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects.builtin import AffineMapAttr, DenseArrayBase, i32
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.loop import AccessOp, ForOp, IfOp, IndexOp, LoadOp, encode_indices
from ...support.affine import Index, Range
from ...support.blocks import take_body


def set_bounds(loop: ForOp, lower: Sequence[Index], upper: Sequence[Index]) -> None:
    """Replace the bounds of a loop, in place.

    lower, upper: the largest of the lower and the least of the upper bounds applies.
    """
    syms, map_ = encode_indices([*lower, *upper])
    results = map_.data.results
    inits = list(loop.inits)
    loop.operands = [*inits, *syms]
    loop.properties["lower"] = AffineMapAttr(AffineMap(len(syms), 0, results[: len(lower)]))
    loop.properties["upper"] = AffineMapAttr(AffineMap(len(syms), 0, results[len(lower) :]))
    loop.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [len(inits), len(syms)])


def set_indices(
    op: AccessOp | IndexOp, indices: Sequence[Index], buffer: SSAValue | None = None
) -> None:
    """Replace the indices of an access in place, and its buffer if ``buffer`` is given."""
    access = cast(LoadOp, op)
    kept = list(access.operands[: len(access.operands) - len(access.syms)])
    if buffer is not None:
        kept[kept.index(access.mem)] = buffer
    syms, access.properties["map"] = encode_indices(indices)
    access.operands = [*kept, *syms]


def drop_implied_bounds(loop: ForOp, range_of_index: Callable[[Index], Range]) -> None:
    """Drop bounds of a loop that another bound implies, such as 0 in max(0, %i * 4 - 1) if %i >= 1.

    range_of_index: returns the range of an expression over variables of the loops around.
    """
    lows, highs = loop.bounds()
    if len(lows) + len(highs) == 2:
        return
    few_lows = _binding(lows, 1, range_of_index)
    few_highs = _binding(highs, -1, range_of_index)
    if len(few_lows) + len(few_highs) < len(lows) + len(highs):
        set_bounds(loop, few_lows, few_highs)


def _binding(
    bounds: Sequence[Index], sign: int, range_of_index: Callable[[Index], Range]
) -> list[Index]:
    def exceeds(first: Index, second: Index) -> bool:
        """Return whether ``first`` is always at least ``second``, or with sign -1, at most."""
        return range_of_index((first - second) * sign)[0] >= 0

    kept: list[Index] = []
    for bound in bounds:
        kept = [k for k in kept if not exceeds(bound, k)]
        if not any(exceeds(k, bound) for k in kept):
            kept.append(bound)
    return kept


def replace_by_body(op: ForOp | IfOp) -> list[Operation]:
    """Move the ops of a body in front of a loop or branch, erase it, and return the ops.

    Before: the results of the op have no users, and only the moved ops use arguments of its body.
    """
    body = take_body(op.body.block)
    Rewriter.insert_op(body, InsertPoint.before(op))
    Rewriter.erase_op(op)
    return body
