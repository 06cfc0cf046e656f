"""Reference semantics of convolutions: one matrix product per position in the kernel window."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from ...dialects.graph import ConvOp, ConvTransposeOp, DeformColumnsOp, FoldOp
from ..scalar import Array, accumulator, rounded, widened
from .context import Evaluator, Sizes, result_dtype, result_shape
from .matmul import contract


def window_positions(
    x: Array,
    kernel: Sequence[int],
    out: Sequence[int],
    *,
    strides: Sequence[int],
    dilations: Sequence[int],
) -> Iterator[tuple[tuple[int, ...], Array]]:
    """Yield, for each position k in the kernel window, the elements that k reads for all outputs.

    x: the padded input (N, C, X…).  kernel: the shape of the window.  out: the spatial shape of the
    output.
    Each result is a pair (k, elements): k has one index per spatial dimension; the elements have
    the shape (N, C, out…).
    """
    for position in itertools.product(*map(range, kernel)):
        window = [
            slice(k * dilation, k * dilation + (count - 1) * stride + 1, stride)
            if count
            else slice(0)
            for k, dilation, count, stride in zip(position, dilations, out, strides, strict=True)
        ]
        yield position, x[(..., *window)]


def conv(op: ConvOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.conv on the arrays of its operands; return the result."""
    x, w = args[:2]
    rank, groups = x.ndim - 2, op.groups
    pads = list(zip(op.pads[:rank], op.pads[rank:], strict=True))
    padded = np.pad(x, [(0, 0), (0, 0), *pads], constant_values=op.pad_value)
    out = [
        (padded.shape[2 + i] - (w.shape[2 + i] - 1) * op.dilations[i] - 1) // op.strides[i] + 1
        for i in range(rank)
    ]
    batch, channels, outputs = x.shape[0], x.shape[1], w.shape[0]
    weights = w.reshape(groups, outputs // groups, *w.shape[1:])
    total: Array = accumulator(
        np.zeros((batch, groups, outputs // groups, math.prod(out)), x.dtype)
    )
    for position, window in window_positions(
        padded, w.shape[2:], out, strides=op.strides, dilations=op.dilations
    ):
        columns = window.reshape(batch, groups, channels // groups, math.prod(out))
        total = total + contract(weights[(..., *position)], columns)
    total = total.reshape(batch, outputs, *out)
    if len(args) == 3:
        total = total + accumulator(args[2]).reshape(-1, *(1,) * rank)
    return (rounded(total, result_dtype(op.out)),)


def conv_transpose(op: ConvTransposeOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.conv_transpose: add the kernel scaled by each element of x, then crop."""
    x, w = args[:2]
    rank, groups = x.ndim - 2, op.groups
    batch, channels, outputs = x.shape[0], x.shape[1], w.shape[1] * groups
    reach = [
        (x.shape[2 + i] - 1) * op.strides[i] + (w.shape[2 + i] - 1) * op.dilations[i] + 1
        for i in range(rank)
    ]
    columns = x.reshape(batch, groups, channels // groups, math.prod(x.shape[2:]))
    weights = w.reshape(groups, channels // groups, *w.shape[1:])
    total: Array = accumulator(np.zeros((batch, outputs, *reach), x.dtype))
    for position, window in window_positions(
        total, w.shape[2:], x.shape[2:], strides=op.strides, dilations=op.dilations
    ):
        taps = weights[(..., *position)].swapaxes(1, 2)
        window += contract(taps, columns).reshape(window.shape)
    total = _cropped(total, op.pads[:rank], result_shape(op.out, sizes)[2:])
    if len(args) == 3:
        total = total + accumulator(args[2]).reshape(-1, *(1,) * rank)
    return (rounded(total, result_dtype(op.out)),)


def _cropped(x: Array, first: Sequence[int], out: Sequence[int]) -> Array:
    """Return the window of x that starts at ``first`` in the last dimensions; 0 outside of x."""
    size = x.shape[x.ndim - len(out) :]
    before = [max(-f, 0) for f in first]
    after = [max(f + n - m, 0) for f, n, m in zip(first, out, size, strict=True)]
    padded = np.pad(x, [(0, 0), (0, 0), *zip(before, after, strict=True)])
    parts = zip(first, before, out, strict=True)
    return padded[(..., *(slice(f + b, f + b + n) for f, b, n in parts))]


def deform_columns(op: DeformColumnsOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.deform_columns: one bilinear sample per channel, tap and position."""
    x, offset = args[:2]
    batch, channels = x.shape[:2]
    (kh, kw), (oh, ow) = op.kernel, result_shape(op.out, sizes)[2:]
    grouped = (batch, op.offset_groups, kh, kw)
    moved = widened(offset.reshape(*grouped, 2, oh, ow))
    coordinates: list[Array] = []
    for i, (taps, count) in enumerate(((kh, oh), (kw, ow))):
        start = np.arange(count) * op.strides[i] - op.pads[i]
        base = np.arange(taps)[:, None] * op.dilations[i] + start
        at = base.reshape(taps, 1, count, 1) if i == 0 else base.reshape(1, taps, 1, count)
        coordinates.append(moved[:, :, :, :, i] + at.astype(moved.dtype))
    split = x.reshape(batch, op.offset_groups, channels // op.offset_groups, *x.shape[2:])
    samples: Array = accumulator(np.zeros((*split.shape[:3], kh, kw, oh, ow), x.dtype))
    for n, g in np.ndindex(*split.shape[:2]):
        samples[n, g] = linear_samples(accumulator(split[n, g]), [c[n, g] for c in coordinates])
    if len(args) == 3:
        samples = samples * accumulator(args[2]).reshape(*grouped, oh, ow)[:, :, None]
    return (rounded(samples.reshape(batch, channels * kh * kw, oh, ow), result_dtype(op.out)),)


def linear_samples(x: Array, coordinates: Sequence[Array]) -> Array:
    """Interpolate x (C, X…) linearly, with 0 outside; the result is (C, shape of coordinates)."""
    total: Array = np.zeros((x.shape[0], *coordinates[0].shape), x.dtype)
    floors = [np.floor(c) for c in coordinates]
    for corner in itertools.product((0, 1), repeat=len(coordinates)):
        weight: Array = np.ones((), x.dtype)
        inside: Array = np.ones((), bool)
        index: list[Array] = []
        for step, at, floor, size in zip(corner, coordinates, floors, x.shape[1:], strict=True):
            fraction = at - floor
            weight = weight * (fraction if step else 1 - fraction)
            position = floor + step
            inside = inside & (position >= 0) & (position < size)
            index.append(np.clip(position, 0, size - 1).astype(np.int64))
        total += np.where(inside, x[(slice(None), *index)] * weight, 0)
    return total


def fold(op: FoldOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.fold: add the column elements of each tap at their positions in the image."""
    (x,) = args
    rank = len(op.image)
    kernel, windows = x.shape[2 : 2 + rank], x.shape[2 + rank :]
    padded = [op.pads[i] + op.image[i] + op.pads[rank + i] for i in range(rank)]
    total: Array = accumulator(np.zeros((*x.shape[:2], *padded), x.dtype))
    for position, window in window_positions(
        total, kernel, windows, strides=op.strides, dilations=op.dilations
    ):
        window += x[(slice(None), slice(None), *position)]
    image = _cropped(total, op.pads[:rank], op.image)
    return (rounded(image, result_dtype(op.out)),)


EVALUATORS: dict[type, Evaluator] = {
    ConvOp: conv,
    ConvTransposeOp: conv_transpose,
    DeformColumnsOp: deform_columns,
    FoldOp: fold,
}
