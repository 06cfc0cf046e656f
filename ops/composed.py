"""Operators composed of graph-dialect operators; this file defines no element formulas."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..frontend.te.tensor import Tensor
from ..support.diagnostics import TypeMismatch
from .arrangement import axis_of
from .statistics import mean, sum
from .table import Operand, TensorLike, call

Pair = int | Sequence[int]
"""One number for both spatial dimensions, or one number per dimension."""


def _pair(what: str, value: Pair) -> tuple[int, int]:
    both = (value, value) if isinstance(value, int) else tuple(value)
    if len(both) != 2:
        raise TypeMismatch(f"{what} is one number or two", got=value)
    return both


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


def conv2d(
    x: TensorLike,
    w: TensorLike,
    b: TensorLike | None = None,
    *,
    strides: Pair = 1,
    padding: Pair = 0,
    dilation: Pair = 1,
    groups: int = 1,
) -> Tensor:
    """Cross-correlate x (N, C, H, W) with w (O, C/groups, K, L), and add b (O).

    strides, padding, dilation: one number for both dimensions, or a pair (H, W); the padding is the
    number of zeros on each side.
    """
    pads = _pair("padding", padding)
    return call(
        "conv", x, w, b, strides=_pair("strides", strides), pads=pads * 2, groups=groups,
        dilations=_pair("dilation", dilation),
    )  # fmt: skip


def max_pool2d(
    x: Tensor, kernel: Pair, *, strides: Pair | None = None, padding: Pair = 0
) -> Tensor:
    """Return the largest element of each window of x (N, C, H, W).

    kernel, strides, padding: one number for both dimensions, or a pair (H, W). By default, strides
    are the kernel's sizes. Padding elements never are the largest element.
    """
    return _pool("max", x, kernel, strides, padding, count_pad=False)


def avg_pool2d(
    x: Tensor,
    kernel: Pair,
    *,
    strides: Pair | None = None,
    padding: Pair = 0,
    count_pad: bool = False,
) -> Tensor:
    """Return the mean of each window of x (N, C, H, W).

    kernel, strides, padding: one number for both dimensions, or a pair (H, W). By default, strides
    are the kernel's sizes.
    count_pad: whether the padding's zeros count as elements of a window.
    """
    return _pool("avg", x, kernel, strides, padding, count_pad=count_pad)


def _pool(
    kind: str, x: Tensor, kernel: Pair, strides: Pair | None, padding: Pair, *, count_pad: bool
) -> Tensor:
    window = _pair("kernel", kernel)
    steps = window if strides is None else _pair("strides", strides)
    return call(
        "pool", x, kind=kind, kernel=window, strides=steps, dilations=(1, 1),
        pads=_pair("padding", padding) * 2, count_pad=count_pad,
    )  # fmt: skip


def cross_entropy(logits: Tensor, labels: TensorLike) -> Tensor:
    """Return the mean of ``-log_softmax(logits)`` at the labels.

    Shapes: logits (…, C), labels (…) of integers from 0 to C - 1.
    """
    classes = call("iota", [logits.shape[-1]], 0, "int64")
    wanted = call("reshape", call("cast", labels, "int64"), [*logits.shape[:-1], 1])
    found = call("eq", wanted, classes)
    chosen = call("select", found, call("log_softmax", logits, axis=-1), 0)
    return call("neg", call("div", sum(chosen), prod(logits.shape[:-1])))


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
    "argmax", "argmin", "attention", "avg_pool2d", "binary_cross_entropy", "conv2d",
    "cross_entropy", "dense", "flatten", "gelu", "greater", "greater_equal", "layer_norm",
    "max_pool2d", "mean_squared_error", "not_equal", "relu", "rms_norm", "rsqrt", "silu",
]  # fmt: skip
