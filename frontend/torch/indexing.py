"""Convert reads and writes of ATen at computed positions.

As in torch, a call with an index out of range raises IndexError, and negative indices count from
the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import i1, i64

from ...dialects.graph import CumulativeOp
from ...dialects.shape import Dim, element_count
from ...support.diagnostics import UnsupportedOp
from ..onnx.builder import Tensor
from .aten import AtenBuilder, Converter, Scalar


def embedding(b: AtenBuilder, table: Tensor, indices: Tensor, *_: Any) -> Tensor:
    """Return the rows of a table at indices."""
    return b.onnx("Gather", table, indices, axis=0)[0]


def index_select(b: AtenBuilder, x: Tensor, axis: int, indices: Tensor) -> Tensor:
    """Return the slices of a tensor at indices along an axis."""
    if x.rank == 0:
        return b.broadcast_to(x, b.out.dims)
    return b.onnx("Gather", x, indices, axis=b.axis(axis, x.rank))[0]


def gather(b: AtenBuilder, x: Tensor, axis: int, indices: Tensor, *_: Any) -> Tensor:
    """Gather one element of x for each index, as torch.gather does.

    An index is a position along ``axis``; along the other axes, the element's position is the
    position of the index in ``indices``.
    """
    if x.rank == 0:
        return x
    return b.onnx("GatherElements", x, indices, axis=b.axis(axis, x.rank))[0]


def _scatter(reduction: str) -> Converter:
    def convert(b: AtenBuilder, x: Tensor, axis: int, indices: Tensor, source: Scalar) -> Tensor:
        if isinstance(source, Tensor):
            source = _cut(b, source, indices.dims)
        updates = b.broadcast_to(b.tensor(source, x.dtype), indices.dims)
        axis = b.axis(axis, x.rank)
        return b.onnx("ScatterElements", x, indices, updates, axis=axis, reduction=reduction)[0]

    return convert


def _cut(b: AtenBuilder, x: Tensor, dims: Sequence[Dim]) -> Tensor:
    for axis, (size, wanted) in enumerate(zip(x.dims, dims, strict=True)):
        x = x if size == wanted else b.slice(x, axis, 0, wanted)
    return x


def scatter_reduce(
    b: AtenBuilder,
    x: Tensor,
    axis: int,
    indices: Tensor,
    source: Tensor,
    kind: str,
    include_self: bool = True,
) -> Tensor:
    """Combine elements of x with source elements, at positions that indices give along an axis.

    kind: "sum", "prod", "amax" or "amin".  include_self: whether the old elements of x take part in
    the reduction; only true is supported.
    Errors: UnsupportedOp for another kind of reduction, or a false ``include_self``.
    """
    known = {"sum": "add", "prod": "mul", "amax": "max", "amin": "min"}
    if kind not in known or not b.options.get("include_self", include_self):
        raise UnsupportedOp("a reduction of scattered elements", got=kind)
    return _scatter(known[kind])(b, x, axis, indices, source)  # pyright: ignore


def _positions(
    b: AtenBuilder, x: Tensor, indices: Sequence[Tensor | None]
) -> tuple[list[int], Tensor]:
    """Return the axes of x that have an index tensor, and all index tensors as one tensor.

    The index tensors are broadcast. The last axis of the tensor holds their elements at one
    position.
    Errors: UnsupportedOp for a boolean mask as index.
    """
    axes = [axis for axis, index in enumerate(indices) if index is not None]
    given = [index for index in indices if index is not None]
    if any(index.dtype == i1 for index in given):
        raise UnsupportedOp("a mask as index: the number of its elements depends on data")
    given = b.broadcast(*(b.cast(index, i64) for index in given))
    columns = [b.reshape(index, (*index.dims, Dim.const(1))) for index in given]
    return axes, b.concat(columns, columns[0].rank - 1)


def index(b: AtenBuilder, x: Tensor, indices: Sequence[Tensor | None]) -> Tensor:
    """Gather elements by index tensors, which are broadcast.

    indices: for each axis of x, its index tensor, or None for an axis that is kept whole.
    """
    given = [i for i in indices if i is not None]
    if len(given) == 1 and given[0].dtype != i1:
        return index_select(b, x, indices.index(given[0]), given[0])
    axes, positions = _positions(b, x, indices)
    rest = [axis for axis in range(x.rank) if axis not in axes]
    out = b.onnx("GatherND", b.transpose(x, [*axes, *rest]), positions)[0]
    if axes[-1] - axes[0] != len(axes) - 1:
        return out
    # The axes of adjacent indices stay at their place.
    count = positions.rank - 1
    before = [count + n for n in range(axes[0])]
    after = [count + n for n in range(axes[0], len(rest))]
    return b.transpose(out, [*before, *range(count), *after])


def index_put(
    b: AtenBuilder,
    x: Tensor,
    indices: Sequence[Tensor | None],
    values: Tensor,
    accumulate: bool = False,
) -> Tensor:
    """Replace elements at the positions of index tensors, or with ``accumulate`` add to them.

    indices: for each axis of x, its index tensor, or None for all positions.  A boolean mask is
    supported as the only index if ``values`` is a scalar.
    """
    given = [i for i in indices if i is not None]
    if len(given) == 1 and given[0].dtype == i1 and values.rank == 0 and not accumulate:
        mask = b.broadcast_to(given[0], x.dims, indices.index(given[0]))
        return b.select(mask, b.cast(values, x.dtype), x)
    axes, positions = _positions(b, x, indices)
    rest = [axis for axis in range(x.rank) if axis not in axes]
    order = [*axes, *rest]
    moved = b.transpose(x, order)
    batch = positions.dims[:-1]
    dims = (*batch, *(x.dims[axis] for axis in rest))
    is_adjacent = axes[-1] - axes[0] == len(axes) - 1
    if is_adjacent and axes[0]:
        first = axes[0]
        torch_dims = (*dims[len(batch) :][:first], *batch, *dims[len(batch) :][first:])
        values = b.broadcast_to(values, torch_dims)
        count = len(batch)
        front = [first + n for n in range(count)]
        values = b.transpose(values, [*front, *range(first), *range(first + count, len(dims))])
    updates = b.broadcast_to(b.cast(values, x.dtype), dims)
    reduction = "add" if accumulate else "none"
    out = b.onnx("ScatterND", moved, positions, updates, reduction=reduction)[0]
    return b.transpose(out, [order.index(axis) for axis in range(x.rank)])


def masked_scatter(b: AtenBuilder, x: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Replace the elements at which a mask is true by consecutive elements of ``source``."""
    dims = b.out.dims
    mask, x = b.broadcast_to(mask, dims), b.broadcast_to(x, dims)
    count = (element_count(dims),)
    numbers = b.cast(b.reshape(mask, count), i64)
    number = b.emit(CumulativeOp(b.ssa(numbers), kind="sum", axis=0))
    at = b.apply("max", b.apply("sub", number, 1), 0)
    values = b.onnx("Gather", b.reshape(source, (element_count(source.dims),)), at, axis=0)[0]
    return b.select(mask, b.reshape(values, dims), x)


def embedding_bag(
    b: AtenBuilder,
    table: Tensor,
    indices: Tensor,
    offsets: Tensor,
    _by_frequency: bool = False,
    mode: int = 0,
    _sparse: bool = False,
    factors: Tensor | None = None,
    _has_end: bool = False,
    padding: int = -1,
) -> tuple[Tensor | None, ...]:
    """Reduce the rows of a table by bags, which are consecutive ranges of the indices.

    offsets: the position of each bag's first index.  mode: 0 is the sum, 1 the mean, 2 the maximum.
    factors: a weight per index.  padding: the index whose rows are omitted, or -1.
    Results: one row per bag, and None for the three results that only the gradient reads.
    """
    bags, size = b.out.dims[0], indices.dims[0]
    one = Dim.const(1)
    starts = b.cast(b.slice(offsets, 0, 0, bags), i64)
    # The number of offsets up to each index, which is the number of its bag.
    marks = b.broadcast_to(b.scalar(0, i64), (size + one,))
    ones = b.broadcast_to(b.scalar(1, i64), starts.dims)
    marks = b.onnx("ScatterElements", marks, starts, ones, axis=0, reduction="add")[0]
    bag = b.emit(CumulativeOp(b.ssa(b.slice(marks, 0, 0, size)), kind="sum", axis=0))
    bag = b.reshape(b.apply("sub", bag, 1), (size, one))
    rows = b.onnx("Gather", table, indices, axis=0)[0]
    if factors is not None:
        rows = b.apply("mul", rows, b.reshape(factors, (size, one)))
    ones = b.broadcast_to(b.scalar(1.0, table.dtype), (size, one))
    if padding >= 0:
        is_used = b.reshape(b.apply("not", b.apply("eq", indices, padding)), (size, one))
        rows = b.select(is_used, rows, float("-inf") if mode == 2 else 0.0)
        ones = b.cast(is_used, table.dtype)

    def gathered(values: Tensor, start: float, reduction: str) -> Tensor:
        begun = b.broadcast_to(b.scalar(start, table.dtype), (bags, values.dims[1]))
        return b.onnx("ScatterND", begun, bag, values, reduction=reduction)[0]

    count = gathered(ones, 0.0, "add")
    if mode == 2:
        highest = gathered(rows, float("-inf"), "max")
        out = b.select(b.apply("eq", count, 0.0), 0.0, highest)
    else:
        out = gathered(rows, 0.0, "add")
        out = b.apply("div", out, b.apply("max", count, 1.0)) if mode == 1 else out
    return out, None, None, None


CONVERTERS: dict[str, Converter] = {
    "embedding": embedding,
    "index_select": index_select,
    "gather": gather,
    "scatter.src": _scatter("none"),
    "scatter.value": _scatter("none"),
    "scatter_add": _scatter("add"),
    "scatter_reduce": scatter_reduce,
    "masked_scatter": masked_scatter,
    "_embedding_bag": embedding_bag,
    "_embedding_bag_forward_only": embedding_bag,
    "index": index,
    "_unsafe_index": index,
    "index_put": index_put,
    "_unsafe_index_put": index_put,
}
"""Converters by operator name; names of single overloads have the overload's name appended."""
