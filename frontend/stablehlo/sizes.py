"""Evaluate ops on sizes of dynamic shapes at import.

jax computes the sizes of dynamic shapes by ops: get_dimension_size, arithmetic, concatenate. If the
operands of such an op are expressions of named sizes, the result is, too, and no op is built.
Source: StableHLO specification, Dynamism.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...dialects.dtypes import is_integer
from ...dialects.shape import Dim
from ..onnx.builder import MAX_SIZES, Sizes, Tensor
from ..onnx.sizes.symbolic import ARITHMETIC, FOLDS, UnknownSizeError, map_sizes
from .node import StablehloNode


def computed_sizes(node: StablehloNode) -> Tensor | None:
    """Return the result of an op on known sizes if at least one of them is symbolic.

    Return None for any other op, and if no expression of sizes is the result.
    """
    decided = _decided(node)
    if decided is not None:
        return decided
    rule = _RULES.get(node.op.name.removeprefix("stablehlo."))
    inputs = node.inputs
    if rule is None or not inputs or any(x.sizes is None for x in inputs):
        return None
    if all(x.values() is not None for x in inputs) or node.type.dtype is None:
        return None
    try:
        made = rule(node)
    except UnknownSizeError:
        return None
    if made.size > MAX_SIZES or made.ndim > 1:
        return None
    return Tensor.of_sizes(made, node.type.dtype)


def _decided(node: StablehloNode) -> Tensor | None:
    """Return the result of an "and" or a select if one known scalar operand determines it.

    A false operand determines the "and", a known condition the select. Return None for other ops
    and operands.
    """
    if node.op.name == "stablehlo.and":
        known = ((x, x.values()) for x in node.inputs if x.rank == 0)
        return next((x for x, value in known if value is not None and not value.item()), None)
    if node.op.name == "stablehlo.select" and node[0].rank == 0:
        value = node[0].values()
        return None if value is None else node[1 if value.item() else 2]
    return None


def _sign(x: Dim) -> Dim:
    if x.value is not None:
        return Dim.const((x.value > 0) - (x.value < 0))
    least = x.lower_bound()
    if least is None or least < 1:
        raise UnknownSizeError
    return Dim.const(1)


def _operands(node: StablehloNode) -> list[Sizes]:
    return [x.sizes for x in node.inputs if x.sizes is not None]


def _elementwise(node: StablehloNode) -> Sizes:
    name = node.op.name.removeprefix("stablehlo.")
    return map_sizes(_SAME[name], *_operands(node))


def _remainder(node: StablehloNode) -> Sizes:
    lhs, rhs = _operands(node)
    least = [dim.lower_bound() for dim in (*lhs.reshape(-1), *rhs.reshape(-1))]
    if any(bound is None or bound < 0 for bound in least):
        raise UnknownSizeError
    return map_sizes(ARITHMETIC["Mod"], lhs, rhs)


def _convert(node: StablehloNode) -> Sizes:
    assert node.type.dtype is not None, "the type is checked"
    if not is_integer(node.type.dtype):
        raise UnknownSizeError
    return _operands(node)[0]


def _broadcast(node: StablehloNode) -> Sizes:
    (x,) = _operands(node)
    if x.size != 1 or len(node.type.dims) != 1:
        raise UnknownSizeError
    return np.repeat(x.reshape(-1), node.type.dims[0] or 0)


def _slice(node: StablehloNode) -> Sizes:
    (start,), (limit,) = node.ints("start_indices"), node.ints("limit_indices")
    (step,) = node.ints("strides", (1,))
    return _operands(node)[0][start:limit:step]


_SAME: dict[str, Callable[..., Dim]] = {
    "add": ARITHMETIC["Add"],
    "subtract": ARITHMETIC["Sub"],
    "multiply": ARITHMETIC["Mul"],
    "divide": ARITHMETIC["Div"],
    "sign": _sign,
    "negate": ARITHMETIC["Neg"],
    "and": ARITHMETIC["And"],
    "or": ARITHMETIC["Or"],
    "not": ARITHMETIC["Not"],
    "select": ARITHMETIC["Where"],
    "maximum": FOLDS["Max"],
    "minimum": FOLDS["Min"],
    "clamp": lambda low, x, high: x.max(low).min(high),
}
_COMPARISONS: dict[str, Callable[[Dim, Dim], Dim]] = {
    "EQ": ARITHMETIC["Equal"],
    "NE": lambda x, y: Dim.const(1) - ARITHMETIC["Equal"](x, y),
    "LT": ARITHMETIC["Less"],
    "LE": ARITHMETIC["LessOrEqual"],
    "GT": ARITHMETIC["Greater"],
    "GE": ARITHMETIC["GreaterOrEqual"],
}
_RULES: dict[str, Callable[[StablehloNode], Sizes]] = {
    **dict.fromkeys(_SAME, _elementwise),
    "broadcast_in_dim": _broadcast,
    "compare": lambda node: map_sizes(
        _COMPARISONS[node.word("comparison_direction")], *_operands(node)
    ),
    "concatenate": lambda node: np.concatenate(_operands(node)),
    "convert": _convert,
    "remainder": _remainder,
    "reshape": lambda node: _operands(node)[0].reshape([size or 0 for size in node.type.dims]),
    "slice": _slice,
}
