"""The ops of the op cases in torch: functions of an op and torch tensors that return its results.

Pads of torch are equal on both sides; other pads become explicit ones, of -inf for maxima.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import torch
from torch.nn import functional

from tilewright.dialects import graph
from tilewright.dialects.shape import static_shape, type_of

Tensor: TypeAlias = Any
TorchFunction: TypeAlias = Callable[..., Tensor]
"""Takes an op and tensors of its operands; returns its results, or the only one."""

OTHER_NAMES = {
    "round_even": "round",
    "mod": "remainder",
    "max": "maximum",
    "min": "minimum",
    "neg": "neg",
}


def _elementwise(name: str) -> TorchFunction:
    function = getattr(torch, OTHER_NAMES.get(name, name))
    return lambda _op, *xs: function(*xs)


def _matmul(op: graph.MatmulOp, x: Tensor, y: Tensor) -> Tensor:
    return (x.mT if op.transpose_lhs else x) @ (y.mT if op.transpose_rhs else y)


def _padded(x: Tensor, low: Any, high: Any, **options: Any) -> Tensor:
    """Pad or cut the last axes of x."""
    pairs = zip(reversed(low), reversed(high), strict=True)
    return functional.pad(x, [int(p) for pair in pairs for p in pair], **options)


def _split(pads: Any) -> tuple[list[int], list[int]]:
    """Return the low and the high pads."""
    return list(pads[: len(pads) // 2]), list(pads[len(pads) // 2 :])


def _conv(op: graph.ConvOp, x: Tensor, w: Tensor, b: Tensor | None = None) -> Tensor:
    function = getattr(functional, f"conv{x.ndim - 2}d")
    options = {"stride": op.strides, "dilation": op.dilations, "groups": op.groups}
    return function(_padded(x, *_split(op.pads)), w, b, **options)


def _conv_transpose(
    op: graph.ConvTransposeOp, x: Tensor, w: Tensor, b: Tensor | None = None
) -> Tensor:
    function = getattr(functional, f"conv_transpose{x.ndim - 2}d")
    y = function(x, w, None, stride=op.strides, dilation=op.dilations, groups=op.groups)
    low, high = _split(op.pads)
    y = _padded(y, [-p for p in low], [-p for p in high])
    return y if b is None else y + b.reshape(-1, *[1] * (x.ndim - 2))


def _windows(op: Any, x: Tensor, pad: float) -> Tensor:
    """Return the windows of a pool; the axes of the kernel come last, as one."""
    low, high = _split(op.pads)
    if op.ceil:  # The last windows may leave the padded image.
        high = [p + s for p, s in zip(high, op.strides, strict=True)]
    x = _padded(x, low, high, value=pad)
    rank, out = len(op.kernel), static_shape(type_of(op.out))
    for axis in range(rank):
        reach = (op.kernel[axis] - 1) * op.dilations[axis] + 1
        x = x.unfold(2 + axis, reach, op.strides[axis])[..., :: op.dilations[axis]]
        x = x.narrow(2 + axis, 0, out[2 + axis])
    return x.flatten(-rank)


def _pool(op: graph.PoolOp, x: Tensor) -> Tensor:
    if op.kind == "max":
        return _windows(op, x, -torch.inf).max(-1).values
    windows = _windows(op, x, 0)
    if op.kind == "lp":
        return (windows.abs() ** op.p).sum(-1) ** (1 / op.p)
    if op.kind == "avg":
        return windows.sum(-1) / (
            windows.shape[-1] if op.count_pad else _windows(op, torch.ones_like(x), 0).sum(-1)
        )
    return windows.sum(-1)


def _reduce(op: graph.ReduceOp, x: Tensor) -> Tensor:
    if op.kind == "prod":
        for axis in sorted(op.axes, reverse=True):
            x = x.prod(axis)
        return x
    function = {"sum": torch.sum, "max": torch.amax, "min": torch.amin}[op.kind]
    return function(x, tuple(op.axes), op.keep) if op.axes else x


def _normalize(op: graph.NormalizeOp, x: Tensor) -> tuple[Tensor, ...]:
    axes = tuple(op.axes)
    mean = x.mean(axes, keepdim=True) if op.center else 0 * x.sum(axes, keepdim=True)
    inverse = 1 / torch.sqrt(((x - mean) ** 2).mean(axes, keepdim=True) + op.eps)
    return (x - mean) * inverse, mean, inverse


def _lrn(op: graph.LrnOp, x: Tensor) -> Tensor:
    # functional.local_response_norm places an even window one channel lower than ONNX.
    squares = _padded(x**2, [(op.size - 1) // 2, 0, 0], [op.size // 2, 0, 0])
    total = squares.unfold(1, op.size, 1).sum(-1)
    return x / (op.bias + op.alpha / op.size * total) ** op.beta


def _broadcast(op: graph.BroadcastOp, x: Tensor) -> Tensor:
    shape = static_shape(type_of(op.out))
    places = [x.shape[op.axes.index(n)] if n in op.axes else 1 for n in range(len(shape))]
    return x.reshape(places).expand(shape)


def _slice(op: graph.SliceOp, x: Tensor) -> Tensor:
    for axis, (start, size, step) in enumerate(zip(op.starts, op.sizes, op.steps, strict=True)):
        first = start.value
        assert first is not None, "the starts of op cases are numbers"
        x = x.index_select(axis, first + step * torch.arange(size.value or 0))
    return x


def _pad(op: graph.PadOp, x: Tensor) -> Tensor:
    axes = [
        np.pad(np.arange(size), (low, high), op.mode)  # pyright: ignore
        for size, low, high in zip(x.shape, op.low, op.high, strict=True)
    ]
    return x[np.ix_(*axes)]


def _gather(op: graph.GatherOp, x: Tensor, indices: Tensor) -> Tensor:
    found = x.index_select(op.axis, indices.flatten())
    return found.unflatten(op.axis, indices.shape)


def _gather_nd(op: graph.GatherNdOp, x: Tensor, indices: Tensor) -> Tensor:
    if op.batch_dims:
        pairs = zip(x, indices, strict=True)
        return torch.stack([part[tuple(at.long().unbind(-1))] for part, at in pairs])
    places = tuple(indices.long().unbind(-1))
    return x[places] if places else x.expand(*indices.shape[:-1], *x.shape)


def _scatter_elements(op: graph.ScatterElementsOp, x: Tensor, at: Tensor, u: Tensor) -> Tensor:
    size = x.shape[op.axis]
    inside = (at >= 0) & (at < size)
    places = torch.where(inside, at, size).long()  # Dropped elements go into one more row.
    longer = torch.cat([x, torch.zeros_like(x.narrow(op.axis, 0, 1))], op.axis)
    if op.kind == "none":  # torch leaves the order of duplicates open: later elements win.
        for n in range(u.shape[op.axis]):
            part = [each.narrow(op.axis, n, 1) for each in (places, u)]
            longer = longer.scatter(op.axis, *part)
    else:
        kind = {"add": "sum", "mul": "prod", "max": "amax", "min": "amin"}[op.kind]
        longer = longer.scatter_reduce(op.axis, places, u, kind)
    return longer.narrow(op.axis, 0, size)


def _scatter_nd(op: graph.ScatterNdOp, x: Tensor, at: Tensor, u: Tensor) -> Tensor:
    return x.index_put(tuple(at.unbind(-1)), u, accumulate=op.kind == "add")


def _grid_sample(op: graph.GridSampleOp, x: Tensor, grid: Tensor) -> Tensor:
    mode = {"linear": "bilinear", "cubic": "bicubic"}.get(op.mode, op.mode)
    return functional.grid_sample(x, grid, mode, op.padding, op.align)


def _fold(op: graph.FoldOp, x: Tensor) -> Tensor:
    low, high = _split(op.pads)
    image = tuple(sum(each) for each in zip(op.image, low, high, strict=True))
    kernel = x.shape[2:4]
    x = x.reshape(x.shape[0], -1, x.shape[4] * x.shape[5])
    y = functional.fold(x, image, kernel, op.dilations, 0, op.strides)
    return _padded(y, [-p for p in low], [-p for p in high])


def _top_k(op: graph.TopKOp, x: Tensor) -> Tensor:
    k = static_shape(type_of(op.values))[op.axis]
    return x.sort(dim=op.axis, descending=op.largest, stable=True).values.narrow(op.axis, 0, k)


def _resample(
    op: graph.ResampleOp, x: Tensor, indices: Tensor, weights: Tensor | None = None
) -> Tensor:
    if op.step is not None:
        rows = torch.arange(static_shape(type_of(op.out))[op.axis])
        at, turn = rows % len(indices), rows // len(indices)
        indices = (indices[at] + turn[:, None] * op.step).clamp(0, x.shape[op.axis] - 1)
        weights = None if weights is None else weights[at]
    taken = x.index_select(op.axis, indices.flatten()).unflatten(op.axis, indices.shape)
    if weights is not None:
        taken = taken * weights.reshape(*weights.shape, *[1] * (x.ndim - op.axis - 1))
    return taken.sum(op.axis + 1)


def _dequantize(
    op: graph.DequantizeOp, x: Tensor, scale: Tensor, zero: Tensor | None = None
) -> Tensor:
    return (x.double() - (0 if zero is None else zero.double())) * scale


TORCH: Mapping[type, TorchFunction] = {
    **{
        op: _elementwise(name)
        for name, op in graph.ELEMENTWISE.items()
        if hasattr(torch, OTHER_NAMES.get(name, name)) and op.KIND in ("float", "number", "any")
    },
    graph.AppendOp: lambda _op, *xs: torch.cat(xs),
    graph.BroadcastOp: _broadcast,
    graph.CastOp: lambda _op, x: x,
    graph.ConcatOp: lambda op, *xs: torch.cat(xs, op.axis),
    graph.ConvOp: _conv,
    graph.ConvTransposeOp: _conv_transpose,
    graph.CumulativeOp: lambda op, x: x.cumsum(op.axis),
    graph.DequantizeOp: _dequantize,
    graph.DetOp: lambda _op, x: torch.linalg.det(x),
    graph.FoldOp: _fold,
    graph.GatherElementsOp: lambda op, x, at: x.gather(op.axis, at),
    graph.GatherNdOp: _gather_nd,
    graph.GatherOp: _gather,
    graph.GridSampleOp: _grid_sample,
    graph.LogSoftmaxOp: lambda op, x: x.log_softmax(op.axis),
    graph.LrnOp: _lrn,
    graph.MatmulOp: _matmul,
    graph.MaxPoolIndicesOp: lambda op, x: _windows(op, x, -torch.inf).max(-1).values,
    graph.NormalizeOp: _normalize,
    graph.PadOp: _pad,
    graph.PoolOp: _pool,
    graph.ReduceOp: _reduce,
    graph.ResampleOp: _resample,
    graph.ReshapeOp: lambda op, x: x.reshape(static_shape(type_of(op.out))),
    graph.ScatterElementsOp: _scatter_elements,
    graph.ScatterNdOp: _scatter_nd,
    graph.SelectOp: lambda _op, c, x, y: torch.where(c, x, y),
    graph.SliceOp: _slice,
    graph.SoftmaxOp: lambda op, x: x.softmax(op.axis),
    graph.TopKOp: _top_k,
    graph.TransposeOp: lambda op, x: x.permute(*op.perm),
}
"""The ops that torch has, or that a few of its functions express."""
