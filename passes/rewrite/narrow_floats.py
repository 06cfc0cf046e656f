"""Remove roundings to 16-bit floats, and the conversions back to f32, from regions of computes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...analysis.patterns.bodies import before_rounding, before_widening, is_narrow
from .compose import copy_body, finish_body


def keep_f32(block: Block) -> None:
    """Replace each value that a block rounds to 16 bits and widens again by the f32 value."""
    for op in list(block.ops):
        rounded = before_widening(op.results[0]).owner if op.results else None
        if isinstance(rounded, arith.TruncFOp) and rounded.input.type == op.results[0].type:
            op.results[0].replace_all_uses_with(rounded.input)
            for each in (op, rounded):
                if not each.results[0].uses:
                    Rewriter.erase_op(each)


def of_f32(region: Region, types: Sequence[Attribute]) -> Region:
    """Return a copy of a region with other argument types and without roundings to 16-bit floats.

    Results that the region rounds to 16 bits are returned in f32.
    types: the types of the arguments, in order.
    """
    block = Block(arg_types=types)
    finish_body(block, copy_unrounded(block, region.block))
    drop_widening(block)
    keep_f32(block)
    return Region(block)


def copy_unrounded(target: Block, source: Block) -> list[SSAValue]:
    """Append copies of the ops of ``source`` to ``target``; return the yielded values unrounded.

    The arguments of ``target`` replace those of ``source``.
    """
    return [before_rounding(value) for value in copy_body(target, source, target.args)]


def widened(block: Block, value: SSAValue, type_: Attribute = f32) -> SSAValue:
    """Append a conversion to ``type_`` for a 16-bit float; other values are returned unchanged."""
    if not is_narrow(value.type):
        return value
    wide = arith.ExtFOp(value, type_)  # pyright: ignore[reportArgumentType]
    block.add_op(wide)
    return wide.result


def drop_widening(block: Block) -> None:
    """Remove float extensions whose operand already has the wider type."""
    for op in list(block.ops):
        if isinstance(op, arith.ExtFOp) and op.input.type == op.result.type:
            op.result.replace_all_uses_with(op.input)
            Rewriter.erase_op(op)
