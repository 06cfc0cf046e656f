"""Convert gathers, scatters, and slices with dynamic start indices.

An index out of range is no error: StableHLO clamps the start of a slice that is read, so that the
slice lies inside the tensor, and XLA drops an update whose window does not lie inside.

    indexed axes   axes with a dynamic start, along which the slice is shorter than the tensor
    whole axes     all other axes: the start of the slice along them is always 0

A gather permutes the operand to batch, indexed and whole axes, and gathers slices by index; if a
slice has several elements along an indexed axis, there is an index for each of them.
Source: StableHLO specification; XLA's expansion of scatters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from xdsl.dialects.builtin import i32, i64

from ...dialects.graph import GatherNdOp, GatherOp, ScatterNdOp, UpdateSliceOp
from ...dialects.shape import Dim
from ...support.diagnostics import ModelError, UnsupportedOp
from ..onnx.builder import Builder, Tensor
from .definitions import RegionDef
from .move import ONE, ZERO, broadcast, strided
from .node import Converter, StablehloNode
from .reduce import only_op

_SCATTERS = {
    "stablehlo.add": "add",
    "stablehlo.multiply": "mul",
    "stablehlo.maximum": "max",
    "stablehlo.minimum": "min",
}


def _indices(b: Builder, x: Tensor) -> Tensor:
    return x if x.dtype in (i32, i64) else b.cast(x, i64)


@dataclass(frozen=True)
class _IndexVectors:
    """How index vectors select slices of an operand, as in StableHLO's dimension numbers.

    batch: batching axes of the operand, which correspond to the axes ``index_batch`` of the
    indices.
    starts: for each element of an index vector, the operand axis along which the element is a start
    index.  sizes: the sizes of the slice.
    dropped: axes of the slice, of size 1, that the result lacks.  offsets: axes of the result that
    are axes of the slice.  vector: the axis of the indices along which the elements of an index
    vector lie.
    """

    batch: tuple[int, ...]
    index_batch: tuple[int, ...]
    starts: tuple[int, ...]
    sizes: tuple[Dim, ...]
    dropped: tuple[int, ...]
    offsets: tuple[int, ...]
    vector: int

    def indexed(self, dims: Sequence[Dim]) -> list[int]:
        """Return the axes with a dynamic start, along which the slice is shorter than the operand.

        dims: the shape of the operand.
        """
        return [axis for axis in self.starts if self.sizes[axis] != dims[axis]]

    def kept(self) -> list[int]:
        """Return the axes of the slice that remain in the result, in order."""
        return [n for n in range(len(self.sizes)) if n not in (*self.dropped, *self.batch)]


def _vectors(b: Builder, indices: Tensor, window: _IndexVectors) -> tuple[Tensor, list[int]]:
    """Permute the indices of a gather or scatter, so that index vectors lie along the last axis.

    The batch axes come first.  Return the permuted indices, and the order of their other axes: for
    each of them, its number among the axes of the op's indices, without the axis of the index
    vectors.
    """
    vector = window.vector
    if vector == indices.rank:
        indices = b.reshape(indices, (*indices.dims, ONE))
    others = [axis for axis in range(indices.rank) if axis != vector]
    rest = [axis for axis in others if axis not in window.index_batch]
    order = [*window.index_batch, *rest]
    moved = b.transpose(indices, (*order, vector))
    return _indices(b, moved), [others.index(axis) for axis in order]


def _grid(
    b: Builder, vectors: Tensor, window: _IndexVectors, dims: Sequence[Dim], *, is_clamped: bool
) -> Tensor:
    """Return an index vector for each gathered element of the indexed axes.

    Along an indexed axis on which slices have several elements, the vectors get an additional axis,
    with the start plus 0, 1, ….
    vectors: the index vectors, along the last axis.  dims: the shape of the operand.  is_clamped:
    whether starts are clamped so that slices lie inside the operand; otherwise the index vectors of
    slices that do not lie inside become -1.
    """
    indexed = window.indexed(dims)
    longer = [axis for axis in indexed if axis in window.kept()]
    lead = list(vectors.dims[:-1])
    shape = [*lead, *(window.sizes[axis] for axis in longer)]
    columns: list[Tensor] = []
    inside: list[Tensor] = []
    for axis in window.starts:
        place = window.starts.index(axis)
        start = b.reshape(b.slice(vectors, vectors.rank - 1, place, 1), lead)
        most = dims[axis] - window.sizes[axis]
        limit = b.size(most, start.dtype)
        if not is_clamped:
            inside += [b.apply("le", 0, start), b.apply("le", start, limit)]
        if axis not in indexed:
            continue
        if is_clamped:
            start = b.apply("min", b.apply("max", start, 0), limit)
        column = broadcast(b, start, shape, range(len(lead)))
        if axis in longer:
            steps = b.iota(shape, len(lead) + longer.index(axis), start.dtype)
            column = b.apply("add", column, steps)
        columns.append(b.reshape(column, (*shape, ONE)))
    found = b.concat(columns, len(shape))
    if not inside:
        return found
    valid = reduce(lambda x, y: b.apply("and", x, y), inside)
    return b.select(broadcast(b, valid, found.dims, range(len(lead))), found, -1)


def gather(node: StablehloNode, b: Builder) -> Tensor:
    """Gather slices of static sizes at dynamic start indices."""
    return _gathered(node, b, [Dim.const(n) for n in node.ints("slice_sizes")])


def dynamic_gather(node: StablehloNode, b: Builder) -> Tensor:
    """Gather slices at dynamic start indices; the sizes of the slices are an operand."""
    return _gathered(node, b, node.sizes_at(2, "the size of the slices"))


def _gathered(node: StablehloNode, b: Builder, sizes: Sequence[Dim]) -> Tensor:
    name = "dimension_numbers"
    window = _IndexVectors(
        batch=node.part(name, "operand_batching_dims"),
        index_batch=node.part(name, "start_indices_batching_dims"),
        starts=node.part(name, "start_index_map"),
        sizes=tuple(sizes),
        dropped=node.part(name, "collapsed_slice_dims"),
        offsets=node.part(name, "offset_dims"),
        vector=_single(node.part(name, "index_vector_dim")),
    )
    x = _cut(b, node[0], window)
    indexed = window.indexed(x.dims)
    if not indexed and not window.batch:
        return _repeated(b, x, node[1], window)
    whole = [n for n in range(x.rank) if n not in (*indexed, *window.batch)]
    vectors, order = _vectors(b, node[1], window)
    longer = [axis for axis in indexed if axis in window.kept()]
    if not indexed:
        raise UnsupportedOp("a gather by batch axes alone is not supported")
    grid = _grid(b, vectors, window, x.dims, is_clamped=True)
    if len(indexed) == 1 and not window.batch:
        moved = b.transpose(x, (*indexed, *whole))
        out = b.emit(GatherOp(b.ssa(moved), b.ssa(b.reshape(grid, grid.dims[:-1])), 0))
    else:
        moved = b.transpose(x, (*window.batch, *indexed, *whole))
        out = b.emit(GatherNdOp(b.ssa(moved), b.ssa(grid), len(window.batch)))
    # The result has the axes of the indices in `order`, then `longer`, then `whole` ones.
    kept = window.kept()
    present = [*longer, *whole]
    count = len(order)
    dims = [*out.dims[:count]]
    dims += [out.dims[count + n] for n, axis in enumerate(present) if axis in kept]
    out = b.reshape(out, dims)
    present = [axis for axis in present if axis in kept]
    return _placed(b, out, order, present, window)


def _cut(b: Builder, x: Tensor, window: _IndexVectors) -> Tensor:
    sizes = [
        dim if axis in (*window.starts, *window.batch) else window.sizes[axis]
        for axis, dim in enumerate(x.dims)
    ]
    return strided(b, x, [ZERO] * x.rank, sizes)


def _repeated(b: Builder, x: Tensor, indices: Tensor, window: _IndexVectors) -> Tensor:
    lead = [dim for n, dim in enumerate(indices.dims) if n != window.vector]
    kept = window.kept()
    x = b.reshape(x, [x.dims[axis] for axis in kept])
    dims = [*lead, *x.dims]
    out = broadcast(b, x, dims, range(len(lead), len(dims)))
    return _placed(b, out, list(range(len(lead))), kept, window)


def _placed(
    b: Builder, x: Tensor, order: Sequence[int], present: Sequence[int], window: _IndexVectors
) -> Tensor:
    """Permute the axes of a gather's result from (index axes, slice axes) to the op's order.

    An index axis runs over index vectors, a slice axis over the elements of a slice.
    order: for each index axis of x, its number among the axes of the op's indices.  present: for
    each slice axis of x, the axis of the operand.
    """
    rank = len(order) + len(present)
    lead = [n for n in range(rank) if n not in window.offsets]
    kept = window.kept()
    sources: dict[int, int] = {lead[axis]: n for n, axis in enumerate(order)}
    for n, axis in enumerate(present):
        sources[window.offsets[kept.index(axis)]] = len(order) + n
    return b.transpose(x, [sources[n] for n in range(rank)])


def _single(numbers: Sequence[int]) -> int:
    return numbers[0] if numbers else 0


def scatter_kind(region: RegionDef) -> str:
    """Return the reduction with which a scatter combines an old element and an update.

    It is "none" if the update replaces the element.  region: the region of the scatter.
    Errors: UnsupportedOp for another combination.
    """
    if len(region.ops) == 1 and region.returned == (region.arguments[-1][0],):
        return "none"
    op = only_op(region)
    kind = None if op is None else _SCATTERS.get(op.name)
    if kind is None:
        raise UnsupportedOp(
            "a scatter with this update is not supported",
            expected="replace, add, multiply, maximum or minimum",
            got=", ".join(each.name for each in region.ops[:-1]) or "keep",
        )
    return kind


def scatter(node: StablehloNode, b: Builder) -> Tensor:
    """Replace slices at dynamic start indices, or combine them with updates."""
    if len(node.inputs) != 3:
        raise UnsupportedOp("a scatter of several tensors is not supported")
    x, updates, name = node[0], node[2], "scatter_dimension_numbers"
    kind = scatter_kind(node.region())
    batch, inserted = (
        node.part(name, "input_batching_dims"),
        node.part(name, "inserted_window_dims"),
    )
    offsets = node.part(name, "update_window_dims")
    kept = [n for n in range(x.rank) if n not in (*inserted, *batch)]
    sizes = [ONE] * x.rank
    for axis, place in zip(kept, offsets, strict=True):
        sizes[axis] = updates.dims[place]
    starts = node.part(name, "scatter_dims_to_operand_dims")
    window = _IndexVectors(
        batch=batch,
        index_batch=node.part(name, "scatter_indices_batching_dims"),
        starts=starts,
        sizes=tuple(sizes),
        dropped=inserted,
        offsets=offsets,
        vector=_single(node.part(name, "index_vector_dim")),
    )
    return _scattered(b, x, node[1], updates, window, kind)


def _scattered(
    b: Builder, x: Tensor, indices: Tensor, updates: Tensor, window: _IndexVectors, kind: str
) -> Tensor:
    """Append the ops of a scatter; return its result.

    The position along each batch axis becomes an additional index. An axis of which the updates
    cover only the first elements gets the index 0.
    kind: how an update is combined with the old element.
    """
    vectors, order = _vectors(b, indices, window)
    if window.batch:
        columns = [
            b.reshape(b.iota(vectors.dims[:-1], n, vectors.dtype), (*vectors.dims[:-1], ONE))
            for n in range(len(window.batch))
        ]
        vectors = b.concat([vectors, *columns], vectors.rank - 1)
    short = [
        n
        for n in range(x.rank)
        if n not in (*window.starts, *window.batch) and window.sizes[n] != x.dims[n]
    ]
    zeros = b.broadcast_to(b.scalar(0, vectors.dtype), (*vectors.dims[:-1], Dim.const(len(short))))
    vectors = b.concat([vectors, zeros], vectors.rank - 1) if short else vectors
    starts = (*window.starts, *window.batch, *short)
    dropped = (*window.dropped, *window.batch)
    full = _IndexVectors((), (), starts, window.sizes, dropped, window.offsets, window.vector)
    indexed = full.indexed(x.dims)
    if not indexed:
        raise UnsupportedOp("a scatter that replaces all of a tensor is not supported")
    whole = [n for n in range(x.rank) if n not in indexed]
    longer = [axis for axis in indexed if axis in full.kept()]
    grid = _grid(b, vectors, full, x.dims, is_clamped=False)
    # The updates get the axes of the indices in `order`, then `longer`, then `whole` ones.
    kept = window.kept()
    lead = [n for n in range(updates.rank) if n not in window.offsets]
    present = [axis for axis in (*longer, *whole) if axis in kept]
    sources = [lead[n] for n in order] + [window.offsets[kept.index(axis)] for axis in present]
    updates = b.transpose(updates, sources)
    dims = [*updates.dims[: len(order)], *(window.sizes[axis] for axis in (*longer, *whole))]
    updates = b.reshape(updates, dims)
    perm = [*indexed, *whole]
    moved = b.transpose(x, perm)
    out = b.emit(ScatterNdOp(b.ssa(moved), b.ssa(grid), b.ssa(updates), kind))
    return b.transpose(out, sorted(range(len(perm)), key=perm.__getitem__))


def clamped_start(b: Builder, start: Tensor, most: Dim) -> Tensor:
    """Clamp the start of a slice to the range 0 to ``most``, so that the slice lies inside."""
    start = _indices(b, start)
    known = start.values()
    if known is not None and most.value is not None:
        return b.scalar(min(max(int(known.item()), 0), most.value), start.dtype)
    return b.apply("min", b.apply("max", start, 0), b.size(most, start.dtype))


def _sliced(b: Builder, x: Tensor, axis: int, start: Tensor, size: Dim) -> Tensor:
    """Take ``size`` elements of an axis from a start that is clamped."""
    if size == x.dims[axis]:
        return x
    start = clamped_start(b, start, x.dims[axis] - size)
    known = start.values()
    if known is not None:
        return b.slice(x, axis, int(known.item()), size)
    positions = b.apply("add", b.iota((size,), 0, start.dtype), start)
    return b.emit(GatherOp(b.ssa(x), b.ssa(positions), axis))


def dynamic_slice(node: StablehloNode, b: Builder) -> Tensor:
    """Take a slice of static sizes at dynamic start indices."""
    x, sizes = node[0], [Dim.const(n) for n in node.ints("slice_sizes")]
    if len(sizes) != x.rank or len(node.inputs) != x.rank + 1:
        raise ModelError("one size and one start per axis are needed", got=len(sizes))
    for axis, size in enumerate(sizes):
        x = _sliced(b, x, axis, node[axis + 1], size)
    return x


def real_dynamic_slice(node: StablehloNode, b: Builder) -> Tensor:
    """Take a slice whose starts, limits and strides are operands.

    Either starts and limits are sizes known at import, or the starts are dynamic and each limit is
    the sum of a start and a size.
    """
    x, steps = node[0], [dim.value for dim in node.sizes_at(3, "a step of the slice")]
    if None in steps:
        raise UnsupportedOp("a step of the slice depends on an unbound size")
    starts, limits = node[1].sizes, node[2].sizes
    if starts is not None and limits is not None:
        sizes = [
            (end - start).ceildiv(step).max(0)
            for start, end, step in zip(starts, limits, node.sizes_at(3, "a step"), strict=True)
        ]
        return strided(b, x, list(starts), sizes, [step or 1 for step in steps])
    sizes = _distance(node)
    if any(step != 1 for step in steps):
        raise UnsupportedOp("a slice whose start is data has steps")
    for axis, size in enumerate(sizes):
        x = _sliced(b, x, axis, b.reshape(b.slice(node[1], 0, axis, 1), ()), size)
    return x


def _distance(node: StablehloNode) -> list[Dim]:
    """Return the sizes of a slice whose limits are computed as starts plus sizes.

    Errors: UnsupportedOp if limits are computed in another way, or the sizes are unknown at import.
    """
    limit, start = node.definition_of(node.op.operands[2]), node.op.operands[1]
    if limit is not None and limit.name == "stablehlo.add" and start in limit.operands:
        other = limit.operands[1 if limit.operands[0] == start else 0]
        sizes = node.value_of(other).sizes
        if sizes is not None:
            return list(sizes.reshape(-1))
    raise UnsupportedOp("the size of a slice depends on run-time data")


def dynamic_update_slice(node: StablehloNode, b: Builder) -> Tensor:
    """Replace a slice at dynamic start indices."""
    x, updates = node[0], node[1]
    axes = [n for n in range(x.rank) if updates.dims[n] != x.dims[n]]
    starts = [clamped_start(b, node[n + 2], x.dims[n] - updates.dims[n]) for n in axes]
    if not axes:
        return updates
    if len(axes) == 1:
        known = starts[0].values()
        if known is not None:
            return _replaced(b, x, updates, axes[0], int(known.item()))
        lead = [b.reshape(each, (ONE, *each.dims)) for each in (x, updates)]
        first = b.reshape(starts[0], (ONE,))
        out = b.emit(UpdateSliceOp(b.ssa(lead[0]), b.ssa(lead[1]), b.ssa(first), axes[0] + 1))
        return b.reshape(out, x.dims)
    starts = [b.reshape(b.cast(each, i64), (ONE,)) for each in starts]
    window = _IndexVectors((), (), tuple(axes), updates.dims, (), tuple(range(x.rank)), 0)
    return _scattered(b, x, b.concat(starts, 0), updates, window, "none")


def _replaced(b: Builder, x: Tensor, updates: Tensor, axis: int, start: int) -> Tensor:
    end = updates.dims[axis] + start
    parts = [b.slice(x, axis, 0, start)] if start else []
    parts.append(updates)
    if end != x.dims[axis]:
        parts.append(b.slice(x, axis, end, x.dims[axis] - end))
    return b.concat(parts, axis)


def torch_index_select(node: StablehloNode, b: Builder) -> Tensor:
    """Gather the slices of an axis at indices, without batch axes."""
    if node.integer("batch_dims", 0):
        raise UnsupportedOp("batch axes of torch_index_select are not supported")
    x, axis = node[0], node.integer("dim")
    start = clamped_start(b, node[1], x.dims[axis] - 1)
    return b.emit(GatherOp(b.ssa(x), b.ssa(start), axis))


CONVERTERS: dict[str, Converter] = {
    "stablehlo.dynamic_gather": dynamic_gather,
    "stablehlo.dynamic_slice": dynamic_slice,
    "stablehlo.dynamic_update_slice": dynamic_update_slice,
    "stablehlo.gather": gather,
    "stablehlo.real_dynamic_slice": real_dynamic_slice,
    "stablehlo.scatter": scatter,
    "stablehlo.torch_index_select": torch_index_select,
}
