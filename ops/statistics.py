"""Reductions and normalizations composed of graph-dialect operators."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod as product

from ..frontend.te.tensor import Tensor
from .arrangement import axes_of, axis_of
from .table import Operand, TensorLike, call

Axes = int | Sequence[int] | None
"""An axis, several axes, or None for all axes."""


def sum(x: Tensor, axis: Axes = None, *, keep: bool = False) -> Tensor:
    """Return the sum along axes (default: all).

    keep: keep the summed axes, with size 1.
    """
    return call("reduce", x, kind="sum", axes=axes_of(x, axis), keep=keep)


def mean(x: Tensor, axis: Axes = None, *, keep: bool = False) -> Tensor:
    """Return the mean along axes (default: all).

    keep: keep the reduced axes, with size 1.
    """
    count = product(x.shape[each] for each in axes_of(x, axis))
    return call("div", sum(x, axis, keep=keep), count)


def prod(x: Tensor, axis: Axes = None, *, keep: bool = False) -> Tensor:
    """Return the product along axes (default: all).

    keep: keep the reduced axes, with size 1.
    """
    return call("reduce", x, kind="prod", axes=axes_of(x, axis), keep=keep)


def all(x: Tensor, axis: Axes = None, *, keep: bool = False) -> Tensor:
    """Return whether all elements along axes (default: all) are not 0.

    keep: keep the reduced axes, with size 1.
    """
    return call("not_", any(call("eq", x, 0), axis, keep=keep))


def any(x: Tensor, axis: Axes = None, *, keep: bool = False) -> Tensor:
    """Return whether an element along axes (default: all) is not 0.

    keep: keep the reduced axes, with size 1.
    """
    found = call("cast", call("not_", call("eq", x, 0)), "uint8")
    largest = call("reduce", found, kind="max", axes=axes_of(x, axis), keep=keep)
    return call("eq", largest, 1)


def variance(x: Tensor, axis: Axes = None, *, keep: bool = False) -> Tensor:
    """Return the mean of the squared distances from the mean along axes (default: all).

    keep: keep the reduced axes, with size 1.
    """
    rest = call("sub", x, mean(x, axis, keep=True))
    return mean(call("mul", rest, rest), axis, keep=keep)


def std(x: Tensor, axis: Axes = None, *, keep: bool = False) -> Tensor:
    """Return the square root of the variance along axes (default: all).

    keep: keep the reduced axes, with size 1.
    """
    return call("sqrt", variance(x, axis, keep=keep))


def logsumexp(x: Tensor, axis: Axes = None, *, keep: bool = False) -> Tensor:
    """Return ``log(sum(exp(x)))`` along axes (default: all); large elements do not overflow.

    keep: keep the reduced axes, with size 1.
    """
    axes = axes_of(x, axis)
    high = call("reduce", x, kind="max", axes=axes, keep=True)
    total = sum(call("exp", call("sub", x, high)), axes, keep=True)
    made = call("add", call("log", total), high)
    sizes = [size for n, size in enumerate(x.shape) if n not in axes]
    return made if keep else call("reshape", made, sizes)


def cumsum(x: Tensor, axis: int = 0) -> Tensor:
    """Return the running sum along an axis."""
    return call("cumulative", x, kind="sum", axis=axis_of(x, axis))


def cumprod(x: Tensor, axis: int = 0) -> Tensor:
    """Return the running product along an axis."""
    return call("cumulative", x, kind="prod", axis=axis_of(x, axis))


def batch_norm(
    x: Tensor,
    mean: TensorLike,
    variance: TensorLike,
    scale: TensorLike | None = None,
    bias: TensorLike | None = None,
    *,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize channels by given statistics, multiply by scale, and add bias.

    Shapes: x (N, C, …); mean, variance, scale, bias (C).
    """
    made = call("sub", x, _of_channels(x, mean))
    made = call("div", made, call("sqrt", call("add", _of_channels(x, variance), eps)))
    return _scaled(made, scale, bias)


def group_norm(
    x: Tensor,
    groups: int,
    scale: TensorLike | None = None,
    bias: TensorLike | None = None,
    *,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize groups of channels of each image to mean 0 and variance 1.

    Shapes: x (N, C, …), in which C is a multiple of groups; scale, bias (C).
    """
    shape = list(x.shape)
    parts = call("reshape", x, [shape[0], groups, shape[1] // groups * product(shape[2:])])
    made = call("normalize", parts, axes=[2], eps=eps)[0]
    return _scaled(call("reshape", made, shape), scale, bias)


def instance_norm(
    x: Tensor,
    scale: TensorLike | None = None,
    bias: TensorLike | None = None,
    *,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize each channel of each image to mean 0 and variance 1.

    Shapes: x (N, C, …); scale, bias (C).
    """
    made = call("normalize", x, axes=list(range(2, x.ndim)), eps=eps)[0]
    return _scaled(made, scale, bias)


def l2_normalize(x: Tensor, axis: Axes = -1, *, eps: float = 1e-12) -> Tensor:
    """Divide by the square root of the sum of squares along axes, or of eps if it is larger."""
    total = sum(call("mul", x, x), axis, keep=True)
    return call("div", x, call("sqrt", call("max", total, eps)))


def global_avg_pool2d(x: Tensor) -> Tensor:
    """Return the mean of each channel of x (N, C, H, W), as (N, C, 1, 1)."""
    return mean(x, (2, 3), keep=True)


def global_max_pool2d(x: Tensor) -> Tensor:
    """Return the largest element of each channel of x (N, C, H, W), as (N, C, 1, 1)."""
    return call("reduce", x, kind="max", axes=[2, 3], keep=True)


def _of_channels(x: Tensor, values: TensorLike) -> Operand:
    return call("reshape", values, [x.shape[1], *[1] * (x.ndim - 2)])


def _scaled(x: Tensor, scale: TensorLike | None, bias: TensorLike | None) -> Tensor:
    made = x if scale is None else call("mul", x, _of_channels(x, scale))
    return made if bias is None else call("add", made, _of_channels(x, bias))


__all__ = [
    "all", "any", "batch_norm", "cumprod", "cumsum", "global_avg_pool2d", "global_max_pool2d",
    "group_norm", "instance_norm", "l2_normalize", "logsumexp", "mean", "prod", "std", "sum",
    "variance",
]  # fmt: skip
