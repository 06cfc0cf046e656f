"""Convert operators that move elements: reshape, transpose, slice, repeat, pad."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from ....dialects.equal_shapes import broadcast_dims
from ....dialects.graph import PadOp, SliceOp
from ....dialects.shape import MOST, Call, Dim, element_count, normalize_axis
from ....support.diagnostics import ModelError, UnequalSizes
from ..builder import Builder, Tensor
from ..node import Node, OpConverter, static
from ..sizes.computed_sizes import sizes_at
from ..sizes.equal_sizes import NO_FACTS, SizeFacts, check_elements

# A slice bound of at least this means "to the end"; exporters write about INT32_MAX or INT64_MAX.
FAR = 2**31 - 2
ONE = Dim.const(1)


def reshape_target(dims: Sequence[Dim], target: Sequence[Dim], *, allow_zero: bool) -> list[Dim]:
    """Return the sizes of a reshaped tensor.

    dims: the sizes of the input.  target: the requested sizes; -1 stands for the size that follows
    from the number of elements, and 0 for the input's size on the same axis; with ``allow_zero``, 0
    is the size 0.
    """
    out = list(target)
    for axis, dim in enumerate(out):
        if dim.value == 0 and not allow_zero:
            if axis >= len(dims):
                raise ModelError("shape copies a size that the input lacks", got=f"axis {axis}")
            out[axis] = dims[axis]
    free = [axis for axis, dim in enumerate(out) if dim.value == -1]
    if len(free) > 1:
        raise ModelError("shape leaves more than one size open", got=[str(d) for d in target])
    for axis in free:
        rest = element_count(dim for i, dim in enumerate(out) if i != axis)
        out[axis] = Dim.const(0) if rest.value == 0 else element_count(dims) // rest
    return out


def reshape(node: Node, b: Builder) -> Tensor:
    """Reshape to a shape known at import."""
    target = node.sizes_at(1, "shape") or []
    allow_zero = bool(node.integer("allowzero", 0))
    return b.reshape(node[0], reshape_target(node[0].dims, target, allow_zero=allow_zero))


def flatten(node: Node, b: Builder) -> Tensor:
    """Reshape to a matrix: its rows are the axes before ``axis``, its columns the rest."""
    x, axis = node[0], node.integer("axis", 1)
    if not -x.rank <= axis <= x.rank:
        raise ModelError(
            "axis is out of range", expected=f"{-x.rank}..{x.rank}", got=axis, hint="correct it"
        )
    axis = axis + x.rank if axis < 0 else axis
    return b.reshape(x, (element_count(x.dims[:axis]), element_count(x.dims[axis:])))


def squeezed(dims: Sequence[Dim], axes: Sequence[int] | None) -> list[Dim]:
    """Return the sizes without the sizes of ``axes``; without ``axes``, drop all sizes of 1."""
    if not axes:
        return [dim for dim in dims if dim != ONE]
    drop = {normalize_axis(axis, len(dims)) for axis in axes}
    return [dim for axis, dim in enumerate(dims) if axis not in drop]


def unsqueezed(dims: Sequence[Dim], axes: Sequence[int]) -> list[Dim]:
    """Return sizes with axes of size 1 inserted.

    axes: the positions of the inserted axes in the result; negative ones count from the end.
    """
    out = list(dims)
    positions = sorted({normalize_axis(axis, len(dims) + len(axes)) for axis in axes})
    if len(positions) < len(axes):
        raise ModelError("an axis is given twice", got=tuple(axes), hint="list each axis once")
    for axis in positions:
        out.insert(axis, ONE)
    return out


def axes_input(node: Node, since_input: int = 13) -> Sequence[int] | None:
    """Return the axes in an attribute or, since opset ``since_input``, in the second input.

    Return None if the node gives no axes.
    """
    if node.opset >= since_input:
        return node.ints_at(1, "axes")
    return node.ints("axes") if node.has("axes") else None


def squeeze(node: Node, b: Builder) -> Tensor:
    """Drop axes of size 1."""
    return b.reshape(node[0], squeezed(node[0].dims, axes_input(node)))


def unsqueeze(node: Node, b: Builder) -> Tensor:
    """Insert axes of size 1."""
    return b.reshape(node[0], unsqueezed(node[0].dims, axes_input(node) or ()))


def transpose(node: Node, b: Builder) -> Tensor:
    """Permute the axes; without ``perm``, reverse their order."""
    return b.transpose(node[0], node.ints("perm", tuple(reversed(range(node[0].rank)))))


def expand(node: Node, b: Builder) -> Tensor:
    """Broadcast to a shape; where the shape has size 1, the result has the input's size."""
    x = node[0]
    return b.broadcast_to(x, broadcast_dims(x.dims, sizes_at(node, b, 1, "shape") or []))


def tiled(b: Builder, x: Tensor, repeats: Sequence[Dim]) -> Tensor:
    """Repeat a tensor along each axis, ``repeats`` times."""
    pairs = list(zip(repeats, x.dims, strict=True))
    ones = b.reshape(x, list(chain.from_iterable((ONE, dim) for dim in x.dims)))
    repeated = b.broadcast_to(ones, list(chain.from_iterable(pairs)))
    return b.reshape(repeated, [count * dim for count, dim in pairs])


def tile(node: Node, b: Builder) -> Tensor:
    """Repeat the input along each axis, as often as input 1 says."""
    x, repeats = node[0], node.sizes_at(1, "repeats") or []
    if len(repeats) != x.rank:
        raise ModelError("repeats has a wrong length", expected=x.rank, got=len(repeats))
    return tiled(b, x, repeats)


def concat(node: Node, b: Builder) -> Tensor:
    """Concatenate along an axis."""
    return b.concat(node.present(), node.axis("axis", None, node[0].rank))


def slice_range(
    dim: Dim, start: Dim, end: Dim, step: int, facts: SizeFacts = NO_FACTS
) -> tuple[Dim, Dim]:
    """Return the first index and the length of ``start:end:step`` on an axis of size ``dim``.

    facts: the known limits of sizes, which simplify expressions of symbolic sizes.
    """
    if step == 0:
        raise ModelError("step of a slice is zero")
    high = dim if step > 0 else dim - 1
    first = _clamped(start, dim, Dim.const(0), high, facts)
    last = _clamped(end, dim, Dim.const(0 if step > 0 else -1), high, facts)
    span = last - first if step > 0 else first - last
    if facts.trips and step > 0 and last == dim and start.is_at_least(0):
        span = dim - start  # differs from the span only if both are 0 or less
    count = (span + abs(step) - 1).quotient(abs(step))
    return first, facts.max(count, Dim.const(0))


def _clamped(bound: Dim, dim: Dim, low: Dim, high: Dim, facts: SizeFacts) -> Dim:
    if bound.value is not None and bound.value >= FAR:
        return high
    if bound.value is not None and bound.value <= -FAR:
        return facts.min(low, high)
    below, above = facts.lower_bound(-bound), facts.lower_bound(bound)
    if below is not None and below > 0:
        bound = dim + bound
    elif above is None or above < 0:
        bound = bound + (-bound).max(0).min(1) * dim
    return high if bound == high else facts.min(facts.max(bound, low), high)


def _slice(b: Builder, x: Tensor, axes: Sequence[int], ranges: Sequence[Sequence[Dim]]) -> Tensor:
    """Slice a tensor along some axes.

    ranges: the starts, the ends and the steps, each as a list with one element per axis.
    """
    counts = [len(axes), *map(len, ranges)]
    if len(set(counts)) > 1:
        raise ModelError(
            "axes, starts, ends and steps of a slice differ in number",
            got=", ".join(map(str, counts)),
            hint="give one of each per axis",
        )
    starts: list[Dim] = [Dim.const(0)] * x.rank
    sizes, steps = list(x.dims), [1] * x.rank
    for axis, start, end, step in zip(axes, *ranges, strict=True):
        axis = normalize_axis(axis, x.rank)
        steps[axis] = max(-MOST, min(static(step, "step of a slice"), MOST))  # no axis is longer
        starts[axis], sizes[axis] = slice_range(x.dims[axis], start, end, steps[axis], b.facts)
    if sizes == list(x.dims) and all(step == 1 for step in steps):
        return x
    return b.emit(SliceOp(b.ssa(x), starts, sizes, steps))


def slice_attributes(node: Node, b: Builder) -> Tensor:
    """Slice by attributes (opset < 10)."""
    starts, ends = (list(map(Dim.of, node.ints(name))) for name in ("starts", "ends"))
    axes = node.ints("axes", tuple(range(len(starts))))
    return _slice(b, node[0], axes, (starts, ends, [ONE] * len(starts)))


def slice_inputs(node: Node, b: Builder) -> Tensor:
    """Slice by inputs known at import."""
    starts, ends = node.sizes_at(1, "starts") or [], node.sizes_at(2, "ends") or []
    axes = node.ints_at(3, "axes")
    steps = node.sizes_at(4, "steps") or [ONE] * len(starts)
    return _slice(b, node[0], range(len(starts)) if axes is None else axes, (starts, ends, steps))


def split(node: Node, b: Builder) -> tuple[Tensor, ...]:
    """Split along an axis into parts of given sizes, or into equal parts and a smaller last one."""
    x, axis = node[0], node.axis("axis", 0, node[0].rank)
    count, dim = len(node.definition.outputs), x.dims[axis]
    if node.opset >= 13:
        sizes = node.sizes_at(1, "split")
    else:
        sizes = [Dim.of(s) for s in node.ints("split")] if node.has("split") else None
    if sizes is None:
        part = dim.ceildiv(count)
        sizes = [part] * (count - 1) + [dim - part * (count - 1)]
    total = sum(sizes, Dim.const(0))
    wanted, got = f"{count} sizes that add up to {dim}", ", ".join(map(str, sizes))
    hint = "give one size per output, or none for equal parts"
    rule = "parts of a split do not make up the axis"
    if len(sizes) != count or total.exceeds(dim) or dim.exceeds(total):
        raise ModelError(rule, expected=wanted, got=got, hint=hint)
    if total != dim:
        raise UnequalSizes(rule, expected=wanted, got=got, hint=hint, sizes=[(total, dim)])
    return tuple(b.split(x, axis, sizes))


def pad_attributes(node: Node, b: Builder) -> Tensor:
    """Pad by attributes (opset < 11)."""
    return _pad(node, b, list(map(Dim.of, node.ints("pads"))), None, node.number("value", 0.0))


def pad_inputs(node: Node, b: Builder) -> Tensor:
    """Pad by inputs known at import; the pads may be symbolic sizes."""
    value = node.values_at(2, "pad value")
    number = 0 if value is None or not value.size else value.reshape(-1)[0].item()
    return _pad(node, b, node.sizes_at(1, "pads") or [], node.ints_at(3, "axes"), number)


def _pad(
    node: Node, b: Builder, pads: Sequence[Dim], axes: Sequence[int] | None, value: float
) -> Tensor:
    x, mode = node[0], node.text("mode", "constant")
    axes = range(x.rank) if axes is None else [normalize_axis(axis, x.rank) for axis in axes]
    if len(pads) != 2 * len(axes):
        raise ModelError("pads has a wrong length", expected=2 * len(axes), got=len(pads))
    numbers = [_number_of(pad, mode) for pad in pads]
    low, high = [0] * x.rank, [0] * x.rank
    for i, axis in enumerate(axes):
        low[axis], high[axis] = numbers[i], numbers[i + len(axes)]
    x = _padded(node, b, x, low, high, value)
    dynamic_pads = [Dim.const(0) if pad.value is not None else pad for pad in pads]
    for i, axis in enumerate(axes):
        x = _padded_by_sizes(b, x, axis, (dynamic_pads[i], dynamic_pads[i + len(axes)]), value)
    return x


def _number_of(pad: Dim, mode: str) -> int:
    """Return a pad as an integer; 0 for a symbolic pad in mode "constant".

    Errors: NeedsBinding for a symbolic pad in another mode.
    """
    is_size = pad.value is None and mode == "constant"
    return 0 if is_size else static(pad, "pads")


def _padded_by_sizes(
    b: Builder, x: Tensor, axis: int, ends: tuple[Dim, Dim], value: float
) -> Tensor:
    """Pad both ends of an axis with a constant; a negative pad crops.

    ends: the pads at the low and at the high end, which may be symbolic sizes.
    """
    cuts = [(-pad).max(0) for pad in ends]
    if cuts != [Dim.const(0)] * 2:
        kept = x.dims[axis] - cuts[0] - cuts[1]
        check_elements(kept, axis, b.facts, least=0)
        x = b.slice(x, axis, cuts[0], kept)
    first, last = (_to_multiple(pad + cut) for pad, cut in zip(ends, cuts, strict=True))
    return b.padded(x, axis, first, last, value)


def _to_multiple(pad: Dim) -> Dim:
    """Rewrite the pad ``mod(n, 2)`` as ``2 * floordiv(n + 1, 2) - n``; return other pads unchanged.

    Then ``n`` plus the pad is visibly a multiple of 2.  For a larger divisor, no rewrite is needed,
    because a pad ``mod(-n, divisor)`` is already stored in this form.
    """
    match pad.terms:
        case (((Call("mod", lhs, rhs),), 1),) if (lhs + lhs) % rhs == Dim.const(0):
            return lhs.ceildiv(rhs) * rhs - lhs
        case _:
            return pad


def _padded(
    node: Node, b: Builder, x: Tensor, low: Sequence[int], high: Sequence[int], value: float
) -> Tensor:
    mode = node.text("mode", "constant")
    x = cropped(b, x, low, high)
    low, high = ([max(p, 0) for p in ends] for ends in (low, high))
    if not any(low) and not any(high):
        return x
    for axis in range(x.rank):
        if mode != "constant" and (low[axis] or high[axis]):
            check_elements(x.dims[axis], axis, b.facts)
    return b.emit(PadOp(b.ssa(x), low, high, mode, value))


def cropped(b: Builder, x: Tensor, low: Sequence[int], high: Sequence[int]) -> Tensor:
    """Crop a tensor at each end of an axis where the pad is negative.

    low, high: the pads before and after the elements of each axis.
    """
    for axis, (before, after) in enumerate(zip(low, high, strict=True)):
        cut = max(-before, 0), max(-after, 0)
        if any(cut):
            x = b.slice(x, axis, cut[0], x.dims[axis] - sum(cut))
    return x


def center_crop_pad(node: Node, b: Builder) -> Tensor:
    """Crop each axis around its center, or pad it with zeros, to the size in the second input."""
    x, sizes = node[0], node.ints_at(1, "shape") or []
    axes = node.ints("axes", tuple(range(x.rank)))
    for axis, size in zip(axes, sizes, strict=True):
        axis = normalize_axis(axis, x.rank)
        excess = static(x.dims[axis], "CenterCropPad") - size
        if excess > 0:
            x = b.slice(x, axis, excess // 2, size)
        elif excess < 0:
            low, high = [0] * x.rank, [0] * x.rank
            low[axis], high[axis] = -excess // 2, -excess - (-excess // 2)
            x = b.emit(PadOp(b.ssa(x), low, high, "constant", 0))
    return x


def depth_to_space(node: Node, b: Builder) -> Tensor:
    """Move channels into spatial blocks.

    The position in a block is the outer (mode DCR) or the inner (mode CRD) part of the channel
    axis.
    """
    (batch, channels, height, width), block = node.ranked(0, 4).dims, node.integer("blocksize")
    depth = channels // (block * block)
    if node.text("mode", "DCR") == "DCR":
        parts = b.reshape(node[0], (batch, block, block, depth, height, width))
        parts = b.transpose(parts, (0, 3, 4, 1, 5, 2))
    else:
        parts = b.reshape(node[0], (batch, depth, block, block, height, width))
        parts = b.transpose(parts, (0, 1, 4, 2, 5, 3))
    return b.reshape(parts, (batch, depth, height * block, width * block))


def space_to_depth(node: Node, b: Builder) -> Tensor:
    """Move spatial blocks into channels.

    The position in a block becomes the outer (mode DCR) or the inner (mode CRD) part of the channel
    axis.
    """
    (batch, channels, height, width), block = node.ranked(0, 4).dims, node.integer("blocksize")
    rows, columns = height // block, width // block
    parts = b.reshape(node[0], (batch, channels, rows, block, columns, block))
    outer = node.text("mode", "DCR") == "DCR"
    parts = b.transpose(parts, (0, 3, 5, 1, 2, 4) if outer else (0, 1, 3, 5, 2, 4))
    return b.reshape(parts, (batch, channels * block * block, rows, columns))


def trilu(node: Node, b: Builder) -> Tensor:
    """Set the elements outside of the upper or lower triangle of matrices to zero.

    Input 1 shifts the diagonal.
    """
    x, k = node[0], node.get(1)
    plane = x.dims[-2:]
    row, column = (b.iota(plane, axis) for axis in range(2))
    diagonal = row if k is None else b.apply("add", row, b.reshape(k, ()))
    upper = bool(node.integer("upper", 1))
    keep = b.apply("le", *((diagonal, column) if upper else (column, diagonal)))
    return b.select(keep, x, 0)


CONVERTERS = (
    OpConverter("Reshape", reshape),
    OpConverter("Flatten", flatten),
    OpConverter("Squeeze", squeeze),
    OpConverter("Unsqueeze", unsqueeze),
    OpConverter("Transpose", transpose),
    OpConverter("Expand", expand, since=8),
    OpConverter("Tile", tile),
    OpConverter("Concat", concat),
    OpConverter("Slice", slice_attributes, until=9),
    OpConverter("Slice", slice_inputs, since=10),
    OpConverter("Split", split),
    OpConverter("Pad", pad_attributes, until=10),
    OpConverter("Pad", pad_inputs, since=11),
    OpConverter("CenterCropPad", center_crop_pad, since=18),
    OpConverter("DepthToSpace", depth_to_space),
    OpConverter("SpaceToDepth", space_to_depth),
    OpConverter("Trilu", trilu, since=14),
)
