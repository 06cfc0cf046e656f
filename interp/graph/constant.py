"""Reference semantics of constants."""

from __future__ import annotations

from ...dialects.graph import ConstantOp
from ..scalar import Array
from .context import Evaluator, Sizes


def constant(op: ConstantOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.constant; return the array that the op holds."""
    return (op.value.stored,)


EVALUATORS: dict[type, Evaluator] = {ConstantOp: constant}
