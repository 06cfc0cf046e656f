"""Convert reductions over axes and over windows.

A reducer that is one known op becomes a graph.reduce, a graph.pool or a graph.cumulative; the
reducer of an argmax becomes a graph.arg_reduce. For any other reducer, a graph.scan along the
reduced axes applies the reducer's ops to whole tensors. StableHLO leaves the order of a reduction
to the implementation.
Source: StableHLO specification.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce as fold
from math import prod

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness, i1

from ...dialects.dtypes import is_bool, is_float
from ...dialects.graph import ArgReduceOp, CumulativeOp, PoolOp, ScanOp
from ...dialects.shape import Dim, element_count, tensor_type
from ...dialects.te.reductions import identity_of
from ...support.diagnostics import UnsupportedOp
from ..onnx.builder import Builder, Tensor
from .definitions import Dense, OpDef, RegionDef
from .move import ONE, broadcast, padded, strided
from .node import Converter, StablehloNode

REDUCERS = {
    "stablehlo.add": "sum",
    "stablehlo.multiply": "prod",
    "stablehlo.maximum": "max",
    "stablehlo.minimum": "min",
    "stablehlo.and": "min",
    "stablehlo.or": "max",
}
"""Kinds of reductions, by the op that combines two elements; "and" and "or" only for booleans."""
_COMBINE = {"sum": "add", "prod": "mul", "max": "max", "min": "min"}
_BYTE = IntegerType(8, Signedness.UNSIGNED)


def only_op(region: RegionDef) -> OpDef | None:
    """Return the only op of a region, if the region's two arguments are its operands; else None."""
    if len(region.ops) != 2 or len(region.arguments) != 2:
        return None
    op, end = region.ops
    names = [name for name, _ in region.arguments]
    is_applied = sorted(op.operands) == sorted(names) and end.operands == op.results
    return op if is_applied else None


def kind_of(region: RegionDef, *, is_of_bools: bool) -> str | None:
    """Return the reduction, such as "sum", that a region on two elements performs, or None.

    is_of_bools: whether the elements are booleans.
    """
    op = only_op(region)
    kind = None if op is None else REDUCERS.get(op.name)
    if op is not None and op.name in ("stablehlo.and", "stablehlo.or"):
        return kind if is_of_bools else None
    if is_of_bools and kind is not None:
        return {"sum": "max", "prod": "min"}.get(kind, kind)
    return kind


def combined(b: Builder, kind: str, x: Tensor, init: Tensor) -> Tensor:
    """Combine the result of a reduction with the initial value, unless that is the identity.

    kind: the reduction, such as "sum".  x: the result without the initial value.
    """
    known = init.values()
    if known is not None and known.item() == identity_of(kind, x.dtype):
        return x
    if is_bool(x.dtype):
        return b.apply("or" if kind == "max" else "and", x, init)
    return b.apply(_COMBINE[kind], x, init)


def reduce_(node: StablehloNode, b: Builder) -> Sequence[Tensor]:
    """Reduce one or several tensors over axes."""
    axes, region = node.ints("dimensions"), node.region()
    count = len(node.inputs) // 2
    xs, inits = node.inputs[:count], node.inputs[count:]
    if count == 1:
        kind = kind_of(region, is_of_bools=is_bool(xs[0].dtype))
        if kind is not None:
            return [combined(b, kind, _reduced(b, xs[0], kind, axes), inits[0])]
    if count == 2 and len(axes) == 1:
        found = _argument_kind(region)
        if found is not None and _is_numbered(node, axes[0]):
            return _argument(b, node, found, axes[0])
    return _scanned(node, b, xs, inits, axes)


def _reduced(b: Builder, x: Tensor, kind: str, axes: Sequence[int]) -> Tensor:
    if is_bool(x.dtype):
        return b.cast(b.reduce(b.cast(x, _BYTE), kind, axes, keep=False), i1)
    return b.reduce(x, kind, axes, keep=False)


def _argument_kind(region: RegionDef) -> str | None:
    """Return "max" or "min" if a region computes an argmax or argmin of two elements, else None.

    The region's arguments are the value and position of one element, then of the other element. The
    region selects the larger or smaller value, and the first of two equal values. jax writes
    ``value > other or value != value, or equal and position < other``.
    """
    made = {name: op for op in region.ops for name in op.results}
    if len(region.arguments) != 4 or len(region.returned) != 2:
        return None
    (value, position, other, place), returned = [n for n, _ in region.arguments], region.returned
    chosen = [made.get(name) for name in returned]
    pairs = ((value, other), (position, place))
    for op, pair in zip(chosen, pairs, strict=True):
        if op is None or op.name != "stablehlo.select" or op.operands[1:] != pair:
            return None
    directions = {
        (op.attributes.get("comparison_direction"), op.operands)
        for op in region.ops
        if op.name == "stablehlo.compare"
    }
    shown = {(getattr(word, "text", ""), operands) for word, operands in directions}
    ties = {("EQ", (value, other)), ("LT", (position, place))}
    nans = {("NE", (value, value))}
    for kind, direction in (("max", "GT"), ("min", "LT")):
        needed = {(direction, (value, other)), *ties}
        if needed <= shown <= needed | nans:
            return kind
    return None


def _is_numbered(node: StablehloNode, axis: int) -> bool:
    op = node.definition_of(node.op.operands[1])
    while op is not None and op.name == "stablehlo.broadcast_in_dim":
        places = op.attributes.get("broadcast_dimensions", ())
        places = tuple(places.array.tolist()) if isinstance(places, Dense) else places
        if not isinstance(places, tuple) or axis not in places:
            return False
        axis = places.index(axis)
        op = node.definition_of(op.operands[0])
    return (
        op is not None
        and op.name == "stablehlo.iota"
        and op.attributes.get("iota_dimension") == axis
    )


def _argument(b: Builder, node: StablehloNode, kind: str, axis: int) -> list[Tensor]:
    x, positions = node[0], node[1]
    value = b.reduce(x, kind, (axis,), keep=False)
    place = b.emit(ArgReduceOp(b.ssa(x), kind=kind, axis=axis))
    return [combined(b, kind, value, node[2]), b.cast(place, positions.dtype)]


def _scanned(
    node: StablehloNode,
    b: Builder,
    xs: Sequence[Tensor],
    inits: Sequence[Tensor],
    axes: Sequence[int],
) -> Sequence[Tensor]:
    """Reduce with any reducer, by a graph.scan.

    Step t combines the accumulators with the elements at position t of the flattened reduced axes,
    for all other axes at once: the ops of the reducer are converted to ops on whole tensors.
    """
    rest = [axis for axis in range(xs[0].rank) if axis not in axes]
    dims = [xs[0].dims[axis] for axis in rest]
    steps = element_count([xs[0].dims[axis] for axis in axes])
    over = [b.reshape(b.transpose(x, (*axes, *rest)), (steps, *dims)) for x in xs]
    first = [broadcast(b, x, dims, ()) for x in inits]
    types = [tensor_type(x.dtype, dims) for x in xs]
    inner = b.region([*types, *types])
    made = node.lifted(node.region(), inner, inner.arguments())
    results = [broadcast(inner, x, dims, ()) if x.rank != len(dims) else x for x in made]
    region = inner.yields(*results)
    operands = [b.ssa(x) for x in first], [b.ssa(x) for x in over]
    return b.emit_all(ScanOp(steps, *operands, region))


@dataclass(frozen=True)
class _ReductionWindow:
    """The window of a reduction; each field has one number per axis.

    low, high: the pads at the low and at the high end.
    """

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]

    def moves(self, axis: int) -> bool:
        """Return whether the windows along an axis differ from the single elements of the axis.

        They differ by their size, their stride or their padding.
        """
        parts = self.sizes[axis] - 1, self.strides[axis] - 1, self.low[axis], self.high[axis]
        return any(parts)

    def runs_over(self, axis: int, size: Dim) -> str | None:
        """Return the direction of a cumulative reduction along an axis, or None.

        The direction is "forward" if the windows are all prefixes of the axis, as in a cumulative
        sum, "backward" if they are all its suffixes, and None in all other cases.
        size: the size of the axis.
        """
        count = size.value
        if count is None or self.sizes[axis] != count or count < 2:
            return None
        if self.strides[axis] != 1 or self.dilations[axis] != 1:
            return None
        ends = self.low[axis], self.high[axis]
        return {(count - 1, 0): "forward", (0, count - 1): "backward"}.get(ends)


def reduce_window(node: StablehloNode, b: Builder) -> Sequence[Tensor]:
    """Reduce windows; the padding has no influence on the results."""
    count = len(node.inputs) // 2
    xs, inits = list(node.inputs[:count]), node.inputs[count:]
    rank = xs[0].rank
    ones, none = (1,) * rank, (0,) * rank
    spread, pads = node.ints("base_dilations", ones), node.ints("padding", (0,) * 2 * rank)
    kind = kind_of(node.region(), is_of_bools=is_bool(xs[0].dtype)) if count == 1 else None
    if any(n != 1 for n in spread) or min(pads, default=0) < 0 or (any(pads) and kind is None):
        # XLA ignores elements outside of x, so for a known reduction the padding is its identity,
        # whatever the initial value is.
        dtype = xs[0].dtype
        outside = inits if kind is None else [b.scalar(identity_of(kind, dtype), dtype)]
        interior = [n - 1 for n in spread]
        xs = [
            padded(b, x, value, pads[::2], pads[1::2], interior)
            for x, value in zip(xs, outside, strict=True)
        ]
        pads = (0,) * 2 * rank
    window = _ReductionWindow(
        node.ints("window_dimensions"),
        node.ints("window_strides", ones),
        node.ints("window_dilations", ones),
        pads[::2] or none,
        pads[1::2] or none,
    )
    if kind is not None:
        return [combined(b, kind, _windowed(b, xs[0], kind, window), inits[0])]
    return _lifted_windows(node, b, xs, window)


def _lifted_windows(
    node: StablehloNode, b: Builder, xs: Sequence[Tensor], window: _ReductionWindow
) -> Sequence[Tensor]:
    """Reduce windows with any reducer.

    For each position in the window, the ops of the reducer, converted to ops on whole tensors,
    combine the accumulators of all windows with the elements at this position.
    Before: the window has no padding.
    """
    total: list[Tensor] | None = None
    for parts in zip(*(_taps(b, x, window) for x in xs), strict=True):
        if total is None:
            inits = node.inputs[len(xs) :]
            total = [broadcast(b, init, parts[0].dims, ()) for init in inits]
        total = node.lifted(node.region(), b, [*total, *parts])
    assert total is not None, "a window has elements"
    return total


def _windowed(b: Builder, x: Tensor, kind: str, window: _ReductionWindow) -> Tensor:
    axes = [axis for axis in range(x.rank) if window.moves(axis)]
    if not axes:
        return x
    if is_bool(x.dtype):
        return b.cast(_windowed(b, b.cast(x, _BYTE), kind, window), i1)
    way = window.runs_over(axes[0], x.dims[axes[0]]) if len(axes) == 1 else None
    if way is not None:
        op = CumulativeOp(b.ssa(x), kind=kind, axis=axes[0], reverse=way == "backward")
        return b.emit(op)
    if kind == "prod" or (kind == "min" and not is_float(x.dtype)):
        return _by_taps(b, x, kind, window)
    if kind == "min":
        return b.apply("neg", _pooled(b, b.apply("neg", x), "max", window, axes))
    return _pooled(b, x, kind, window, axes)


def _pooled(
    b: Builder, x: Tensor, kind: str, window: _ReductionWindow, axes: Sequence[int]
) -> Tensor:
    """Reduce windows by a graph.pool.

    axes: the axes with a window; the other axes become the batch and channel axes of the pool.
    """
    rest = [axis for axis in range(x.rank) if axis not in axes]
    perm = [*rest, *axes]
    moved = b.transpose(x, perm)
    spatial = [x.dims[axis] for axis in axes]
    batch = [x.dims[axis] for axis in rest]
    lead = batch[:1] or [ONE]
    shape = [element_count(lead), element_count(batch[1:]), *spatial]
    pooled = b.emit(
        PoolOp(
            b.ssa(b.reshape(moved, shape)),
            kind=kind,
            kernel=[window.sizes[axis] for axis in axes],
            strides=[window.strides[axis] for axis in axes],
            dilations=[window.dilations[axis] for axis in axes],
            pads=[*(window.low[axis] for axis in axes), *(window.high[axis] for axis in axes)],
        )
    )
    out = b.reshape(pooled, [*batch, *pooled.dims[2:]])
    return b.transpose(out, sorted(range(len(perm)), key=perm.__getitem__))


MAX_TAPS = 256
"""Maximum number of elements in a window whose elements are combined one after the other."""


def _taps(b: Builder, x: Tensor, window: _ReductionWindow) -> Iterator[Tensor]:
    """Yield, for each position in the window, the elements of all windows at this position.

    Before: the window has no padding.
    Errors: UnsupportedOp for more than `MAX_TAPS` positions.
    """
    if prod(window.sizes) > MAX_TAPS:
        raise UnsupportedOp(
            "the window is too large for this reduction",
            expected=f"at most {MAX_TAPS} elements",
            got=prod(window.sizes),
        )
    reach = [d * (k - 1) + 1 for d, k in zip(window.dilations, window.sizes, strict=True)]
    sizes = [
        ((dim - n) // stride + 1).max(0)
        for dim, n, stride in zip(x.dims, reach, window.strides, strict=True)
    ]
    for tap in np.ndindex(*window.sizes):
        starts = [n * d for n, d in zip(tap, window.dilations, strict=True)]
        yield strided(b, x, starts, sizes, window.strides)


def _by_taps(b: Builder, x: Tensor, kind: str, window: _ReductionWindow) -> Tensor:
    value = b.scalar(identity_of(kind, x.dtype), x.dtype)
    x = padded(b, x, value, window.low, window.high, [0] * x.rank)
    return fold(lambda lhs, rhs: b.apply(_COMBINE[kind], lhs, rhs), _taps(b, x, window))


def map_(node: StablehloNode, b: Builder) -> Tensor:
    """Apply a region to all elements of tensors of the same shape."""
    (result,) = node.lifted(node.region(), b, node.inputs)
    return broadcast(b, result, node[0].dims, ()) if result.rank != node[0].rank else result


CONVERTERS: dict[str, Converter] = {
    "stablehlo.map": map_,
    "stablehlo.reduce": reduce_,
    "stablehlo.reduce_window": reduce_window,
}
