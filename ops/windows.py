"""Convolutions and pools of one to three spatial axes, adaptive pools, resizing, sampling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..frontend.te.tensor import Tensor
from ..support.diagnostics import TypeMismatch
from .arrangement import stack
from .converted import converted
from .table import TensorLike, call

Sizes = int | Sequence[int]
"""One number for all spatial axes, or one number per axis."""


def per_axis(what: str, value: Sizes, rank: int) -> tuple[int, ...]:
    """Return one number per spatial axis.

    Errors: TypeMismatch for another count of numbers; ``what`` names them.
    """
    numbers = (value,) * rank if isinstance(value, int) else tuple(value)
    if len(numbers) != rank:
        counts = ("a list of one", "two", "three")
        raise TypeMismatch(f"{what} is one number or {counts[rank - 1]}", got=value)
    return numbers


def conv1d(
    x: TensorLike,
    w: TensorLike,
    b: TensorLike | None = None,
    *,
    strides: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Cross-correlate x (N, C, W) with w (O, C/groups, K), and add b (O).

    padding: the number of zeros on each side.
    """
    return convolution(1, x, w, b, strides, padding, dilation, groups)


def conv2d(
    x: TensorLike,
    w: TensorLike,
    b: TensorLike | None = None,
    *,
    strides: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Cross-correlate x (N, C, H, W) with w (O, C/groups, K, L), and add b (O).

    strides, padding, dilation: one number for both dimensions, or a pair (H, W); the padding is the
    number of zeros on each side.
    """
    return convolution(2, x, w, b, strides, padding, dilation, groups)


def conv3d(
    x: TensorLike,
    w: TensorLike,
    b: TensorLike | None = None,
    *,
    strides: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Cross-correlate x (N, C, D, H, W) with w (O, C/groups, J, K, L), and add b (O).

    padding: the number of zeros on each side.
    """
    return convolution(3, x, w, b, strides, padding, dilation, groups)


def convolution(
    rank: int,
    x: TensorLike,
    w: TensorLike,
    b: TensorLike | None,
    strides: Sizes,
    padding: Sizes,
    dilation: Sizes,
    groups: int,
) -> Tensor:
    """Return the convolution over ``rank`` spatial axes."""
    return call(
        "conv", x, w, b, strides=per_axis("strides", strides, rank),
        pads=per_axis("padding", padding, rank) * 2, groups=groups,
        dilations=per_axis("dilation", dilation, rank),
    )  # fmt: skip


def transposed_conv(
    x: TensorLike,
    w: TensorLike,
    b: TensorLike | None = None,
    *,
    strides: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Return the adjoint of a convolution of one to three axes, plus b (O).

    padding: the elements cropped on each side; output_padding: the elements added at the end.
    Shapes: x (N, C, X…), w (C, O/groups, K…); the result (N, O, Y…), in which Y is (X - 1) · stride
    + (K - 1) · dilation + 1 - 2 · padding + output_padding.
    """
    rank = x.ndim - 2
    low = per_axis("padding", padding, rank)
    more = per_axis("output_padding", output_padding, rank)
    high = tuple(p - m for p, m in zip(low, more, strict=True))
    return call(
        "conv_transpose", x, w, b, strides=per_axis("strides", strides, rank), pads=(*low, *high),
        dilations=per_axis("dilation", dilation, rank), groups=groups,
    )  # fmt: skip


def deformable_conv2d(
    x: Tensor,
    offset: Tensor,
    w: Tensor,
    mask: Tensor | None = None,
    b: Tensor | None = None,
    *,
    strides: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
    offset_groups: int = 1,
) -> Tensor:
    """Convolve images, each tap of whose window is moved by an offset and interpolated.

    Shapes: x (N, C, H, W), w (O, C/groups, K, L), offset (N, offset_groups · K · L · 2, Y, X) of
    pairs (y, x), mask (N, offset_groups · K · L, Y, X), b (O); the result (N, O, Y, X).
    """
    return converted(
        "deformable_conv2d", "DeformConv", x, w, offset, b, mask,
        strides=per_axis("strides", strides, 2), pads=per_axis("padding", padding, 2) * 2,
        dilations=per_axis("dilation", dilation, 2), group=groups, offset_group=offset_groups,
    )  # fmt: skip


def max_pool(
    x: Tensor, kernel: Sizes, *, strides: Sizes | None = None, padding: Sizes = 0,
    dilation: Sizes = 1, ceil: bool = False,
) -> Tensor:  # fmt: skip
    """Return the largest element of each window of x (N, C, X…), over one to three axes.

    strides: by default, the sizes of the kernel.  ceil: whether a last, partial window counts.
    Padding elements never are the largest element.
    """
    return pooled("max", x, kernel, strides, padding, dilation, ceil=ceil)


def avg_pool(
    x: Tensor, kernel: Sizes, *, strides: Sizes | None = None, padding: Sizes = 0,
    dilation: Sizes = 1, ceil: bool = False, count_pad: bool = False,
) -> Tensor:  # fmt: skip
    """Return the mean of each window of x (N, C, X…), over one to three axes.

    strides: by default, the sizes of the kernel.  ceil: whether a last, partial window counts.
    count_pad: whether the padding's zeros count as elements of a window.
    """
    return pooled("avg", x, kernel, strides, padding, dilation, ceil=ceil, count_pad=count_pad)


def pooled(
    kind: str, x: Tensor, kernel: Sizes, strides: Sizes | None, padding: Sizes,
    dilation: Sizes = 1, *, ceil: bool = False, count_pad: bool = False,
) -> Tensor:  # fmt: skip
    """Return the pool of a kind, "max" or "avg", over all axes after the channels."""
    rank = x.ndim - 2
    window = per_axis("kernel", kernel, rank)
    steps = window if strides is None else per_axis("strides", strides, rank)
    return call(
        "pool", x, kind=kind, kernel=window, strides=steps,
        dilations=per_axis("dilation", dilation, rank), ceil=ceil,
        pads=per_axis("padding", padding, rank) * 2, count_pad=count_pad,
    )  # fmt: skip


def adaptive_avg_pool(x: Tensor, size: Sizes) -> Tensor:
    """Return the means of nearly equal, adjacent windows of x (N, C, X…).

    size: the number of windows per axis. Window i of n along an axis of X elements starts at
    position floor(i · X / n) and ends before ceil((i + 1) · X / n).
    Errors: TypeMismatch for symbolic spatial sizes.
    """
    for axis, bounds in enumerate(_adaptive_bounds("adaptive_avg_pool", x, size), 2):
        weights = np.zeros((len(bounds), x.shape[axis]), x.dtype)
        for row, (start, end) in enumerate(bounds):
            weights[row, start:end] = 1 / (end - start)
        order = [*(n for n in range(x.ndim) if n != axis), axis]
        made = call("matmul", call("transpose", x, order), weights, transpose_rhs=True)
        x = call("transpose", made, [order.index(n) for n in range(x.ndim)])
    return x


def adaptive_max_pool(x: Tensor, size: Sizes) -> Tensor:
    """Return the largest elements of the windows of `adaptive_avg_pool`."""
    for axis, bounds in enumerate(_adaptive_bounds("adaptive_max_pool", x, size), 2):
        widest = max(end - start for start, end in bounds)
        places = [[min(start + n, end - 1) for n in range(widest)] for start, end in bounds]
        read = call("gather", x, np.array(places, np.int64), axis)
        x = call("reduce", read, kind="max", axes=[axis + 1])
    return x


def _adaptive_bounds(name: str, x: Tensor, size: Sizes) -> list[list[tuple[int, int]]]:
    counts = per_axis("size", size, x.ndim - 2)
    if not all(isinstance(have, int) for have in x.shape[2:]):
        raise TypeMismatch(f"ops.{name}: spatial sizes are numbers", got=repr(x))
    return [
        [(n * have // count, -(-(n + 1) * have // count)) for n in range(count)]
        for have, count in zip(x.shape[2:], counts, strict=True)
    ]


def resize(
    x: Tensor,
    size: Sizes,
    *,
    method: str = "linear",
    coordinates: str = "half_pixel",
    nearest: str = "round_prefer_floor",
    cubic_a: float = -0.75,
    antialias: bool = False,
) -> Tensor:
    """Resize x (N, C, X…), of one to three spatial axes, to other spatial sizes.

    method: "nearest", "linear" or "cubic".  coordinates: "half_pixel", "align_corners",
    "asymmetric" or "pytorch_half_pixel".  nearest: "round_prefer_floor", "round_prefer_ceil",
    "floor" or "ceil".
    cubic_a: the parameter of the cubic kernel.  antialias: filter when the size becomes smaller.
    Errors: UnsupportedOp for another method or coordinates.
    Source: ONNX Resize-19.
    """
    rank = x.ndim - 2
    return converted(
        "resize", "Resize", x, None, None, np.array(per_axis("size", size, rank), np.int64),
        mode=method, coordinate_transformation_mode=coordinates, nearest_mode=nearest,
        cubic_coeff_a=cubic_a, antialias=int(antialias), axes=tuple(range(2, x.ndim)),
    )  # fmt: skip


def affine_grid(theta: Tensor, size: Sequence[int], *, align: bool = False) -> Tensor:
    """Return positions for `grid_sample`, which an affine map takes from those of the result.

    align: whether -1 and 1 are the centers of the first and last elements, not their outer edges.
    Shapes: theta (N, 2, 3), size (H, W); the result (N, H, W, 2); or theta (N, 3, 4), size
    (D, H, W); the result (N, D, H, W, 3).
    """
    shape = np.array([theta.shape[0], 1, *size], np.int64)
    return converted("affine_grid", "AffineGrid", theta, shape, align_corners=int(align))


def dilation2d(
    x: Tensor, w: Tensor, *, strides: Sizes = 1, padding: Sizes = 0, dilation: Sizes = 1
) -> Tensor:
    """Return the morphological dilation: the maximum over a window of ``x + w``, per channel.

    Shapes: x (N, C, H, W), w (C, K, L); the result (N, C, Y, X). Padding elements are the smallest
    number.
    """
    (sy, sx), (py, px), (dy, dx) = (
        per_axis(what, value, 2) for what, value in (
            ("strides", strides), ("padding", padding), ("dilation", dilation))
    )  # fmt: skip
    n, c, (k, m) = x.shape[0], x.shape[1], w.shape[1:]
    padded = call("pad", x, [0, 0, py, px], [0, 0, py, px], "constant", float("-inf"))
    height = (padded.shape[2] - (k - 1) * dy - 1) // sy + 1
    width = (padded.shape[3] - (m - 1) * dx - 1) // sx + 1
    made: Any = None
    for i in range(k):
        for j in range(m):
            start, size = [0, 0, i * dy, j * dx], [n, c, height, width]
            tap = call("slice", padded, start, size, [1, 1, sy, sx])
            weight = call("slice", w, [0, i, j], [c, 1, 1], [1, 1, 1])
            moved = call("add", tap, weight)
            made = moved if made is None else call("max", made, moved)
    return made


def correlation(
    x: Tensor, y: Tensor, *, displacement: int, kernel: int = 1, stride: int = 1,
    step: int = 1, padding: int = 0, multiply: bool = True,
) -> Tensor:  # fmt: skip
    """Compare patches of two images: a result channel per displacement of the patch in y.

    The result is the mean over the channels and the patch of the products, or without ``multiply``
    of the absolute differences.
    displacement: the largest one, in pixels; step: between displacements.  kernel: the size of the
    patch, an odd number.  stride: between patches.
    Shapes: x, y (N, C, H, W); the result (N, D · D, Y, X) with D = 2 · (displacement // step) + 1.
    Errors: TypeMismatch for an even kernel.
    Source: Dosovitskiy et al., FlowNet (ICCV 2015).
    """
    if kernel % 2 == 0:
        raise TypeMismatch(
            "ops.correlation: the kernel is even", expected="an odd size", got=kernel
        )
    n, c, h, w = x.shape
    border = displacement + kernel // 2
    height, width = (-(-(size + 2 * padding - 2 * border) // stride) for size in (h, w))
    inside = [n, c, (height - 1) * stride + kernel, (width - 1) * stride + kernel]
    images = [call("pad", z, [0, 0, padding, padding], [0, 0, padding, padding]) for z in (x, y)]
    reach = displacement // step
    own = call("slice", images[0], [0, 0, displacement, displacement], inside, [1] * 4)
    planes: list[Tensor] = []
    for dy in range(-reach * step, reach * step + 1, step):
        for dx in range(-reach * step, reach * step + 1, step):
            start = [0, 0, displacement + dy, displacement + dx]
            other = call("slice", images[1], start, inside, [1] * 4)
            pairs = call("mul", own, other) if multiply else call("abs", call("sub", own, other))
            planes.append(call("reduce", pairs, kind="sum", axes=[1]))
    window = {"kernel": (kernel, kernel), "strides": (stride, stride), "dilations": (1, 1)}
    total = call("pool", stack(planes, 1), kind="sum", pads=(0,) * 4, **window)
    return call("div", total, float(kernel * kernel * c))


def bitserial_dense(x: Tensor, w: Tensor, *, bits: int = 1, unipolar: bool = True) -> Tensor:
    """Return ``x @ w.T`` as int32, for weights of few bits.

    bits: the bits of a weight.  unipolar: whether each bit of a weight stands for -1 or 1 instead
    of 0 or 1.
    Shapes: x (…, K) and w (N, K) of integers of at most 8 bits; the result (…, N).
    """
    weights = _signed_bits(w, bits) if unipolar else call("cast", w, "int32")
    return call("matmul", call("cast", x, "int32"), weights, transpose_rhs=True)


def bitserial_conv2d(
    x: Tensor, w: Tensor, *, bits: int = 1, unipolar: bool = True, strides: Sizes = 1,
    padding: Sizes = 0,
) -> Tensor:  # fmt: skip
    """Cross-correlate images with weights of few bits, as int32; bits, unipolar: `bitserial_dense`.

    Shapes: as `conv2d`, without groups.
    """
    weights = _signed_bits(w, bits) if unipolar else call("cast", w, "int32")
    return convolution(2, call("cast", x, "int32"), weights, None, strides, padding, 1, 1)


def _signed_bits(w: Tensor, bits: int) -> Tensor:
    """Return the integers whose bits b are read as 2 b - 1."""
    return call("sub", call("mul", call("cast", w, "int32"), 2), 2**bits - 1)


__all__ = [
    "adaptive_avg_pool", "adaptive_max_pool", "affine_grid", "avg_pool", "bitserial_conv2d",
    "bitserial_dense", "conv1d", "conv2d", "conv3d", "correlation", "deformable_conv2d",
    "dilation2d", "max_pool", "resize", "transposed_conv",
]  # fmt: skip
