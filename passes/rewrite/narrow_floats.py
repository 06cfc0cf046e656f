"""Remove roundings to floats of 16 bits, and conversions of them, from regions of computes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...analysis.bodies import before_rounding, before_widening
from .compose import copy_body, finish_body


def keep_f32(block: Block) -> None:
    """Use numbers of f32 where a block uses them rounded to 16 bits and widened again."""
    for op in list(block.ops):
        rounded = before_widening(op.results[0]).owner if op.results else None
        if isinstance(rounded, arith.TruncFOp) and rounded.input.type == op.results[0].type:
            op.results[0].replace_all_uses_with(rounded.input)
            for each in (op, rounded):
                if not each.results[0].uses:
                    _erase(each)


def of_f32(region: Region, types: Sequence[Attribute]) -> Region:
    """Return a region whose arguments, and whose result if it was rounded, are f32.

    types: those of the arguments.
    """
    block = Block(arg_types=types)
    finish_body(block, copy_unrounded(block, region.block))
    drop_widening(block)
    keep_f32(block)
    return Region(block)


def copy_unrounded(target: Block, source: Block) -> list[SSAValue]:
    """Append the ops of a block over the target's arguments; return the results before rounding."""
    return [before_rounding(value) for value in copy_body(target, source, target.args)]


def drop_widening(block: Block) -> None:
    """Remove conversions of values that have the wider type by now."""
    for op in list(block.ops):
        if isinstance(op, arith.ExtFOp) and op.input.type == op.result.type:
            op.result.replace_all_uses_with(op.input)
            _erase(op)


def _erase(op: Operation) -> None:
    op.detach()
    op.erase()


__all__ = ["copy_unrounded", "drop_widening", "keep_f32", "of_f32"]
