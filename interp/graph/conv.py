"""Reference semantics of convolutions: one matrix product per position of the kernel."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from ...dialects.graph import ConvOp, ConvTransposeOp
from ..scalar import Array, accumulator, rounded
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
    """Yield each kernel position with the elements of padded x that it meets, of shape ``out``."""
    for position in itertools.product(*map(range, kernel)):
        window = [
            slice(k * dilation, k * dilation + (count - 1) * stride + 1, stride)
            if count
            else slice(0)
            for k, dilation, count, stride in zip(position, dilations, out, strides, strict=True)
        ]
        yield position, x[(..., *window)]


def conv(op: ConvOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.conv."""
    x, w = args[:2]
    rank, groups = x.ndim - 2, op.groups
    pads = list(zip(op.pads[:rank], op.pads[rank:], strict=True))
    padded = np.pad(x, [(0, 0), (0, 0), *pads])
    out = [
        (padded.shape[2 + i] - (w.shape[2 + i] - 1) * op.dilations[i] - 1) // op.strides[i] + 1
        for i in range(rank)
    ]
    batch, channels, outputs = x.shape[0], x.shape[1], w.shape[0]
    weights = w.reshape(groups, outputs // groups, *w.shape[1:])
    total: Array = accumulator(
        np.zeros((batch, groups, outputs // groups, math.prod(out)), x.dtype)
    )
    for position, met in window_positions(
        padded, w.shape[2:], out, strides=op.strides, dilations=op.dilations
    ):
        columns = met.reshape(batch, groups, channels // groups, -1)
        total = total + contract(weights[(..., *position)], columns)
    total = total.reshape(batch, outputs, *out)
    if len(args) == 3:
        total = total + accumulator(args[2]).reshape(-1, *(1,) * rank)
    return (rounded(total, result_dtype(op.out)),)


def conv_transpose(op: ConvTransposeOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.conv_transpose: add every element's multiple of the kernel, then crop."""
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
    for position, met in window_positions(
        total, w.shape[2:], x.shape[2:], strides=op.strides, dilations=op.dilations
    ):
        taps = weights[(..., *position)].swapaxes(1, 2)
        met += contract(taps, columns).reshape(met.shape)
    total = _cropped(total, op.pads[:rank], result_shape(op.out, sizes)[2:])
    if len(args) == 3:
        total = total + accumulator(args[2]).reshape(-1, *(1,) * rank)
    return (rounded(total, result_dtype(op.out)),)


def _cropped(x: Array, first: Sequence[int], out: Sequence[int]) -> Array:
    """Return the part of x that starts at ``first`` in its last dimensions, 0 outside of x."""
    size = x.shape[x.ndim - len(out) :]
    before = [max(-f, 0) for f in first]
    after = [max(f + n - m, 0) for f, n, m in zip(first, out, size, strict=True)]
    padded = np.pad(x, [(0, 0), (0, 0), *zip(before, after, strict=True)])
    parts = zip(first, before, out, strict=True)
    return padded[(..., *(slice(f + b, f + b + n) for f, b, n in parts))]


EVALUATORS: dict[type, Evaluator] = {ConvOp: conv, ConvTransposeOp: conv_transpose}
