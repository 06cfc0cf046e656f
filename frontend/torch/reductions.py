"""Convert reductions, cumulative reductions, positions of extremes and sorting of ATen."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import f32, i1, i8, i64

from ...dialects.graph import ArgReduceOp, CumulativeOp, TopKOp
from ...dialects.shape import Dim, element_count
from ...support.diagnostics import UnsupportedOp
from ..onnx.builder import Tensor
from ..onnx.converters.reduce import log_sum_exp as onnx_log_sum_exp
from .aten import AtenBuilder, Converter

Axes = "int | Sequence[int] | None"


def reduced(b: AtenBuilder, x: Tensor, kind: str, axes: Any, keep: bool) -> Tensor:
    """Reduce x over axes; the elements of the result have the type of the node's result.

    kind: the reduction, such as "sum".  axes: None means all.  keep: whether reduced axes stay,
    with size 1.
    """
    if x.rank == 0:
        return b.tensor(x, b.out.dtype)
    return b.reduce(b.tensor(x, b.out.dtype), kind, b.axes(axes, x.rank), keep=keep)


def _reduction(kind: str) -> Converter:
    return lambda b, x, axes=None, keep=False: reduced(b, x, kind, axes, keep)


def mean(b: AtenBuilder, x: Tensor, axes: Any = None, keep: bool = False) -> Tensor:
    """Compute the mean over axes; ``keep`` keeps the reduced axes with size 1."""
    return _mean(b, b.tensor(x, b.out.dtype), b.axes(axes, x.rank), keep)


def _mean(b: AtenBuilder, x: Tensor, axes: list[int], keep: bool) -> Tensor:
    if not axes:
        return x
    wide = b.widen(x)
    return b.cast(b.mean(wide, axes, keep=keep), x.dtype)


def _truth(kind: str) -> Converter:
    def convert(b: AtenBuilder, x: Tensor, axes: Any = None, keep: bool = False) -> Tensor:
        numbers = b.cast(b.cast(x, i1), f32)
        if x.rank:
            numbers = b.reduce(numbers, kind, b.axes(axes, x.rank), keep=keep)
        return b.cast(numbers, b.out.dtype)

    return convert


def variance(b: AtenBuilder, x: Tensor, axes: Any = None, *, keep: bool) -> Tensor:
    """Compute the variance over axes; ``keep`` keeps the reduced axes with size 1.

    The sum of squares is divided by the number of elements minus the node's keyword argument
    ``correction``, which is 1 by default.
    """
    correction = b.options.get("correction")
    axes = b.axes(axes, x.rank)
    centered = b.apply("sub", x, b.mean(x, axes))
    total = b.reduce(b.apply("mul", centered, centered), "sum", axes, keep=keep)
    count = b.size(element_count([x.dims[axis] for axis in axes]), x.dtype)
    lost = 1.0 if correction is None else float(correction)
    return b.apply("div", total, b.apply("max", b.apply("sub", count, lost), 0.0))


def _statistic(*, root: bool, with_mean: bool) -> Converter:
    def convert(b: AtenBuilder, x: Tensor, axes: Any = None) -> Any:
        keep = bool(b.options.get("keepdim", False))
        wide = b.widen(x)
        spread = variance(b, wide, axes, keep=keep)
        spread = b.cast(b.apply("sqrt", spread) if root else spread, x.dtype)
        if not with_mean:
            return spread
        return spread, b.cast(b.mean(wide, b.axes(axes, x.rank), keep=keep), x.dtype)

    return convert


def _extreme(kind: str) -> Converter:
    def convert(b: AtenBuilder, x: Tensor, axis: int | None = None, keep: bool = False) -> Any:
        if axis is None or x.rank == 0:
            value = reduced(b, x, kind, None, keep)
            zero = b.broadcast_to(b.scalar(0, i64), value.dims)
            return value if axis is None else (value, zero)
        axis = b.axis(axis, x.rank)
        x = b.cast(x, i8) if x.dtype == i1 else x
        value = b.cast(b.reduce(x, kind, [axis], keep=keep), b.out.dtype)
        at = b.emit(ArgReduceOp(b.ssa(x), kind=kind, axis=axis, keep=keep)) if b.wants(1) else None
        return value, at

    return convert


def _position(kind: str) -> Converter:
    def convert(b: AtenBuilder, x: Tensor, axis: int | None = None, keep: bool = False) -> Tensor:
        if axis is None or x.rank == 0:
            x, axis = b.reshape(x, (element_count(x.dims),)), 0
            at = b.emit(ArgReduceOp(b.ssa(x), kind=kind, axis=0, keep=False))
            return b.reshape(at, b.out.dims)
        axis = b.axis(axis, x.rank)
        return b.emit(ArgReduceOp(b.ssa(x), kind=kind, axis=axis, keep=keep))

    return convert


def _cumulative(kind: str) -> Converter:
    def convert(b: AtenBuilder, x: Tensor, axis: int) -> Tensor:
        x = b.tensor(x, b.out.dtype)
        if x.rank == 0:
            return x
        return b.emit(CumulativeOp(b.ssa(x), kind=kind, axis=b.axis(axis, x.rank)))

    return convert


def top_k(
    b: AtenBuilder, x: Tensor, count: Any, axis: int = -1, largest: bool = True, *_: Any
) -> list[Tensor]:
    """Return the ``count`` largest or smallest elements along an axis, and their positions.

    Both results are in the order of the elements.
    """
    if x.rank == 0:
        return [x, b.scalar(0, i64)]
    axis = b.axis(axis, x.rank)
    return b.emit_all(TopKOp(b.ssa(x), b.out.dims[axis], axis, largest=largest))


def sort(b: AtenBuilder, x: Tensor, axis: int = -1, descending: bool = False) -> list[Tensor]:
    """Sort along an axis and return the elements and their positions; the sort is always stable."""
    b.options.get("stable")
    axis, descending = b.options.get("dim", axis), b.options.get("descending", descending)
    if x.rank == 0:
        return [x, b.scalar(0, i64)]
    axis = b.axis(axis, x.rank)
    return b.emit_all(TopKOp(b.ssa(x), x.dims[axis], axis, largest=bool(descending)))


def log_sum_exp(b: AtenBuilder, x: Tensor, axes: Any, keep: bool = False) -> Tensor:
    """Compute the logarithm of the sum of exponentials.

    The largest element is subtracted from all elements first, so that no exponential overflows.
    """
    return b.reshape(onnx_log_sum_exp(b, x, b.axes(axes, x.rank), keep), b.out.dims)


def norm(
    b: AtenBuilder, x: Tensor, order: float = 2, axes: Any = None, keep: bool = False, *_: Any
) -> Tensor:
    """Compute the p-norm over axes for p = ``order``, such as 1, 2 or inf."""
    return _norm(b, b.tensor(x, b.out.dtype), order, b.axes(axes, x.rank), keep=keep)


def _norm(b: AtenBuilder, x: Tensor, order: float, axes: list[int], *, keep: bool) -> Tensor:
    if order == 2:
        return b.apply("sqrt", b.reduce(b.apply("mul", x, x), "sum", axes, keep=keep))
    size = b.apply("abs", x)
    if order == float("inf"):
        return b.reduce(size, "max", axes, keep=keep)
    if order == 1:
        return b.reduce(size, "sum", axes, keep=keep)
    total = b.reduce(b.apply("pow", size, float(order)), "sum", axes, keep=keep)
    return b.apply("pow", total, 1 / float(order))


def _distance(b: AtenBuilder, x: Tensor, y: Tensor, order: float) -> Tensor:
    difference, axes = b.apply("sub", x, y), [max(x.rank, y.rank) - 1]
    if order == 0:
        is_other = b.apply("not", b.apply("eq", difference, 0.0))
        return b.reduce(b.cast(is_other, x.dtype), "sum", axes, keep=False)
    return _norm(b, difference, order, axes, keep=False)


def pair_distances(
    b: AtenBuilder, x: Tensor, y: Tensor, order: float, _mode: int | None = None
) -> Tensor:
    """Compute the distance between each row of x and each row of y.

    order: the p of the norm that measures distances.
    """
    one = Dim.const(1)
    rows = b.reshape(x, (*x.dims[:-1], one, x.dims[-1]))
    columns = b.reshape(y, (*y.dims[:-2], one, *y.dims[-2:]))
    return _distance(b, rows, columns, order)


def own_distances(b: AtenBuilder, x: Tensor, order: float = 2) -> Tensor:
    """Compute the distance between each row of a matrix and each later row, as a vector.

    order: the p of the norm that measures distances.
    """
    count = x.dims[0].value
    if count is None:
        raise UnsupportedOp("distances of a dynamic number of rows", got=str(x.dims))
    pairs = np.triu_indices(count, 1)
    first, second = (b.onnx("Gather", x, Tensor.of_array(n), axis=0)[0] for n in pairs)
    return _distance(b, first, second, order)


CONVERTERS: dict[str, Converter] = {
    "sum": _reduction("sum"),
    "prod": _reduction("prod"),
    "amax": _reduction("max"),
    "amin": _reduction("min"),
    "mean": mean,
    "any": _truth("max"),
    "all": _truth("min"),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "argmax": _position("max"),
    "argmin": _position("min"),
    "cumsum": _cumulative("sum"),
    "cumprod": _cumulative("prod"),
    "var.correction": _statistic(root=False, with_mean=False),
    "std.correction": _statistic(root=True, with_mean=False),
    "var_mean.correction": _statistic(root=False, with_mean=True),
    "topk": top_k,
    "sort": sort,
    "logsumexp": log_sum_exp,
    "linalg_vector_norm": norm,
    "_cdist_forward": pair_distances,
    "_pdist_forward": own_distances,
}
"""Converters by operator name; names of single overloads have the overload's name appended."""
