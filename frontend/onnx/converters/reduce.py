"""Convert reductions, argmin and argmax, cumulative sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import IntegerType, Signedness, i1

from ....dialects.dtypes import is_float
from ....dialects.graph import ArgReduceOp, CumulativeOp
from ....dialects.shape import normalize_axis
from ..builder import Builder, Tensor
from ..node import Converter, Node, OpConverter
from ..sizes.equal_sizes import check_elements
from .move import axes_input

Axes = Sequence[int]
Rule = Callable[[Builder, Tensor, Axes, bool], Tensor]


def _reduction(rule: Rule, since_input: int = 18) -> Converter:
    def convert(node: Node, b: Builder) -> Tensor:
        x, axes = node[0], axes_input(node, since_input) or ()
        if not axes and not node.integer("noop_with_empty_axes", 0):
            axes = range(x.rank)
        axes = [normalize_axis(axis, x.rank) for axis in axes]
        return rule(b, x, axes, bool(node.integer("keepdims", 1)))

    return convert


def _plain(kind: str) -> Rule:
    def rule(b: Builder, x: Tensor, axes: Axes, keep: bool) -> Tensor:
        if x.dtype != i1:
            return b.reduce(x, kind, axes, keep=keep)
        bits = b.cast(x, IntegerType(8, Signedness.UNSIGNED))
        return b.cast(b.reduce(bits, kind, axes, keep=keep), i1)

    return rule


def mean(b: Builder, x: Tensor, axes: Axes, keep: bool) -> Tensor:
    """Compute the arithmetic mean over axes; ``keep`` keeps these axes with size 1."""
    return b.mean(x, axes, keep=keep)


def l1(b: Builder, x: Tensor, axes: Axes, keep: bool) -> Tensor:
    """Compute the sum of absolute values over axes."""
    return b.reduce(b.apply("abs", x), "sum", axes, keep=keep)


def sum_square(b: Builder, x: Tensor, axes: Axes, keep: bool) -> Tensor:
    """Compute the sum of squares over axes."""
    return b.reduce(b.apply("mul", x, x), "sum", axes, keep=keep)


def l2(b: Builder, x: Tensor, axes: Axes, keep: bool) -> Tensor:
    """Compute the square root of the sum of squares over axes."""
    wide = x if is_float(x.dtype) else b.widen(x)
    return b.cast(b.apply("sqrt", sum_square(b, wide, axes, keep)), x.dtype)


def log_sum(b: Builder, x: Tensor, axes: Axes, keep: bool) -> Tensor:
    """Compute the logarithm of the sum over axes."""
    wide = x if is_float(x.dtype) else b.widen(x)
    return b.cast(b.apply("log", b.reduce(wide, "sum", axes, keep=keep)), x.dtype)


def log_sum_exp(b: Builder, x: Tensor, axes: Axes, keep: bool) -> Tensor:
    """Compute the logarithm of the sum of exponentials over axes.

    A finite maximum is subtracted first, so that no exponential overflows.
    """
    wide = x if is_float(x.dtype) else b.widen(x)
    top = b.reduce(wide, "max", axes)
    infinite = b.apply("eq", b.apply("abs", top), float("inf"))
    shift = b.select(infinite, 0.0, top)
    powers = b.apply("exp", b.apply("sub", wide, shift))
    total = b.apply("add", b.apply("log", b.reduce(powers, "sum", axes)), shift)
    if not keep:
        total = b.reshape(total, [d for i, d in enumerate(x.dims) if i not in axes])
    return b.cast(total, x.dtype)


def _arg_reduce(kind: str) -> Converter:
    def convert(node: Node, b: Builder) -> Tensor:
        axis = node.axis("axis", 0, node[0].rank)
        check_elements(node[0].dims[axis], axis, b.facts)
        op = ArgReduceOp(
            b.ssa(node[0]),
            kind=kind,
            axis=axis,
            keep=bool(node.integer("keepdims", 1)),
            last=bool(node.integer("select_last_index", 0)),
        )
        return b.emit(op)

    return convert


def _cumulative(kind: str) -> Converter:
    def convert(node: Node, b: Builder) -> Tensor:
        (axis,) = node.ints_at(1, "axis") or (0,)
        op = CumulativeOp(
            b.ssa(node[0]),
            kind=kind,
            axis=normalize_axis(axis, node[0].rank),
            exclusive=bool(node.integer("exclusive", 0)),
            reverse=bool(node.integer("reverse", 0)),
        )
        return b.emit(op)

    return convert


CONVERTERS = (
    OpConverter("ReduceSum", _reduction(_plain("sum"), 13)),
    OpConverter("ReduceProd", _reduction(_plain("prod"))),
    OpConverter("ReduceMax", _reduction(_plain("max"))),
    OpConverter("ReduceMin", _reduction(_plain("min"))),
    OpConverter("ReduceMean", _reduction(mean)),
    OpConverter("ReduceL1", _reduction(l1)),
    OpConverter("ReduceL2", _reduction(l2)),
    OpConverter("ReduceSumSquare", _reduction(sum_square)),
    OpConverter("ReduceLogSum", _reduction(log_sum)),
    OpConverter("ReduceLogSumExp", _reduction(log_sum_exp)),
    OpConverter("ArgMax", _arg_reduce("max")),
    OpConverter("ArgMin", _arg_reduce("min")),
    OpConverter("CumSum", _cumulative("sum"), since=11),
    OpConverter("CumProd", _cumulative("prod"), since=26),
)
