"""Reference semantics of elementwise ops, by the table in interp/scalar.py."""

from __future__ import annotations

from ...dialects.graph import ELEMENTWISE, BitcastOp, CastOp, ElementwiseOp, SelectOp
from .. import scalar
from ..scalar import Array, apply
from .context import Evaluator, Sizes, result_dtype


def elementwise(op: ElementwiseOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate an op of the elementwise table on the arrays of its operands; return the result."""
    return (apply(op.MNEMONIC, *args),)


def select(op: SelectOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.select on the arrays of its operands; return the result."""
    return (apply("select", *args),)


def cast(op: CastOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.cast on the arrays of its operands; return the result."""
    return (scalar.cast(args[0], result_dtype(op.out), saturate=op.saturate),)


def bitcast(op: BitcastOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.bitcast on the arrays of its operands; return the result."""
    return (scalar.bitcast(args[0], result_dtype(op.out)),)


EVALUATORS: dict[type, Evaluator] = {
    **dict.fromkeys(ELEMENTWISE.values(), elementwise),
    SelectOp: select,
    CastOp: cast,
    BitcastOp: bitcast,
}
