"""Operators composed of graph-dialect operators; this file defines no element formulas."""

from __future__ import annotations

from math import prod

from ..frontend.te.tensor import Tensor
from ..support.diagnostics import TypeMismatch
from .arrangement import axis_of, expand_dims
from .statistics import mean, sum
from .table import Operand, TensorLike, call
from .windows import Sizes, avg_pool, max_pool


def relu(x: Tensor) -> Tensor:
    """Return ``max(x, 0)``."""
    return call("max", x, 0)


def rsqrt(x: Tensor) -> Tensor:
    """Return ``1 / sqrt(x)``."""
    return call("div", 1.0, call("sqrt", x))


def silu(x: Tensor) -> Tensor:
    """Return ``x * sigmoid(x)``."""
    return call("mul", x, call("sigmoid", x))


def gelu(x: Tensor) -> Tensor:
    """Return ``x * (1 + erf(x / sqrt(2))) / 2``."""
    grown = call("add", call("erf", call("mul", x, 0.5**0.5)), 1.0)
    return call("mul", call("mul", x, 0.5), grown)


def greater(lhs: Operand, rhs: Operand) -> Tensor:
    """Return ``lhs > rhs``."""
    return call("lt", rhs, lhs)


def greater_equal(lhs: Operand, rhs: Operand) -> Tensor:
    """Return ``lhs >= rhs``."""
    return call("le", rhs, lhs)


def not_equal(lhs: Operand, rhs: Operand) -> Tensor:
    """Return ``lhs != rhs``."""
    return call("not_", call("eq", lhs, rhs))


def argmax(x: Tensor, axis: int = -1, *, keep: bool = False) -> Tensor:
    """Return the first position of the largest element along an axis, as int64.

    keep: keep the axis, with size 1.
    """
    return call("arg_reduce", x, kind="max", axis=axis_of(x, axis), keep=keep)


def argmin(x: Tensor, axis: int = -1, *, keep: bool = False) -> Tensor:
    """Return the first position of the smallest element along an axis, as int64.

    keep: keep the axis, with size 1.
    """
    return call("arg_reduce", x, kind="min", axis=axis_of(x, axis), keep=keep)


def flatten(x: Tensor) -> Tensor:
    """Return x with all dimensions after the first merged into one."""
    return call("reshape", x, [x.shape[0], prod(x.shape[1:])])


def dense(x: TensorLike, w: TensorLike, b: Operand | None = None) -> Tensor:
    """Return ``x @ w.T + b`` for x (…, I), w (O, I), b (O)."""
    made = call("matmul", x, w, transpose_rhs=True)
    return made if b is None else call("add", made, b)


def max_pool2d(
    x: Tensor, kernel: Sizes, *, strides: Sizes | None = None, padding: Sizes = 0
) -> Tensor:
    """Return the largest element of each window of x (N, C, H, W).

    kernel, strides, padding: one number for both dimensions, or a pair (H, W). By default, strides
    are the kernel's sizes. Padding elements never are the largest element.
    """
    return max_pool(x, kernel, strides=strides, padding=padding)


def avg_pool2d(
    x: Tensor,
    kernel: Sizes,
    *,
    strides: Sizes | None = None,
    padding: Sizes = 0,
    count_pad: bool = False,
) -> Tensor:
    """Return the mean of each window of x (N, C, H, W).

    kernel, strides, padding: one number for both dimensions, or a pair (H, W). By default, strides
    are the kernel's sizes.
    count_pad: whether the padding's zeros count as elements of a window.
    """
    return avg_pool(x, kernel, strides=strides, padding=padding, count_pad=count_pad)


def cross_entropy(logits: Tensor, labels: TensorLike) -> Tensor:
    """Return the mean of ``-log_softmax(logits)`` at the labels.

    Shapes: logits (…, C), labels (…) of integers from 0 to C - 1.
    """
    classes = call("iota", [logits.shape[-1]], 0, "int64")
    wanted = call("reshape", call("cast", labels, "int64"), [*logits.shape[:-1], 1])
    found = call("eq", wanted, classes)
    chosen = call("select", found, call("log_softmax", logits, axis=-1), 0)
    return call("neg", call("div", sum(chosen), prod(logits.shape[:-1])))


def nll_loss(chances: Tensor, labels: TensorLike, weights: TensorLike | None = None) -> Tensor:
    """Return the mean of the negated log-probabilities at the labels, weighted by class.

    weights: a factor per class; the mean is divided by the sum of those of the labels.
    Shapes: chances (N, C, …) of log-probabilities, labels (N, …) of integers from 0 to C - 1,
    weights (C).
    """
    places = expand_dims(call("cast", labels, "int64"), 1)
    found = call("neg", call("gather_elements", chances, places, 1))
    if weights is None:
        return mean(found)
    factors = call("gather", weights, places, 0)
    return call("div", sum(call("mul", found, factors)), sum(factors))


def bias_add(x: Tensor, b: TensorLike, axis: int = 1) -> Tensor:
    """Return x plus a number per position along an axis."""
    shape = [1] * x.ndim
    shape[axis_of(x, axis)] = x.shape[axis_of(x, axis)]
    return call("add", x, call("reshape", b, shape))


def tensordot(x: Tensor, y: Tensor, axes: int = 2) -> Tensor:
    """Sum the products over the last axes of x and the first axes of y.

    Shapes: x (I, K), y (K, J) in which K stands for ``axes`` axes; the result (I, J).
    """
    outer, inner = list(x.shape[: x.ndim - axes]), list(y.shape[axes:])
    shared = prod(y.shape[:axes])
    lhs = call("reshape", x, [prod(outer), shared])
    made = call("matmul", lhs, call("reshape", y, [shared, prod(inner)]))
    return call("reshape", made, [*outer, *inner])


def binary_cross_entropy(logits: Tensor, targets: Operand) -> Tensor:
    """Return the mean of ``-t log(sigmoid(x)) - (1 - t) log(1 - sigmoid(x))``, for targets t.

    Large logits do not overflow.
    """
    tail = call("log1p", call("exp", call("neg", call("abs", logits))))
    linear = call("sub", relu(logits), call("mul", logits, targets))
    return mean(call("add", linear, tail))


def mean_squared_error(x: Tensor, targets: Operand) -> Tensor:
    """Return the mean of ``(x - targets) ** 2``."""
    rest = call("sub", x, targets)
    return mean(call("mul", rest, rest))


def layer_norm(
    x: Tensor, scale: Operand | None = None, bias: Operand | None = None, *, eps: float = 1e-5
) -> Tensor:
    """Normalize to mean 0 and variance 1 along the last axis; multiply by scale, add bias."""
    made = call("normalize", x, axes=[x.ndim - 1], eps=eps)[0]
    made = made if scale is None else call("mul", made, scale)
    return made if bias is None else call("add", made, bias)


def rms_norm(x: Tensor, scale: Operand | None = None, *, eps: float = 1e-5) -> Tensor:
    """Normalize to mean square 1 along the last axis; multiply by scale."""
    made = call("normalize", x, axes=[x.ndim - 1], eps=eps, center=False)[0]
    return made if scale is None else call("mul", made, scale)


def attention(
    q: Tensor,
    k: TensorLike,
    v: TensorLike,
    mask: Operand | None = None,
    *,
    scale: float | None = None,
) -> Tensor:
    """Return ``softmax(q @ k.T * scale + mask) @ v`` per batch and head.

    Shapes: q (B, H, S, D), k (B, H, T, D), v (B, H, T, E), mask broadcasts to (B, H, S, T).
    scale: 1 / sqrt(D) by default.
    """
    factor = _scale(q) if scale is None else scale
    scores = call("mul", call("matmul", q, k, transpose_rhs=True), factor)
    scores = scores if mask is None else call("add", scores, mask)
    return call("matmul", call("softmax", scores, axis=scores.ndim - 1), v)


def _scale(q: Tensor) -> float:
    depth = q.shape[-1]
    if not isinstance(depth, int):
        raise TypeMismatch("ops.attention: the depth of a head is a number", got=repr(q),
                           hint="pass scale=")  # fmt: skip
    return depth**-0.5


__all__ = [
    "argmax", "argmin", "attention", "avg_pool2d", "bias_add", "binary_cross_entropy",
    "cross_entropy", "dense", "flatten", "gelu", "greater", "greater_equal", "layer_norm",
    "max_pool2d", "mean_squared_error", "nll_loss", "not_equal", "relu", "rms_norm", "rsqrt",
    "silu", "tensordot",
]  # fmt: skip
