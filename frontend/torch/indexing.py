"""Convert reads and writes of ATen at computed positions.

An index out of range is an IndexError of the call, as in torch; negative ones count from the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import i1, i64

from ...dialects.shape import Dim
from ...support.diagnostics import UnsupportedOp
from ..onnx.builder import Tensor
from .aten import AtenBuilder, Converter, Scalar


def embedding(b: AtenBuilder, table: Tensor, indices: Tensor, *_: Any) -> Tensor:
    """Take rows of a table."""
    return b.onnx("Gather", table, indices, axis=0)[0]


def index_select(b: AtenBuilder, x: Tensor, axis: int, indices: Tensor) -> Tensor:
    """Take positions of an axis."""
    return b.onnx("Gather", x, indices, axis=b.axis(axis, x.rank))[0]


def gather(b: AtenBuilder, x: Tensor, axis: int, indices: Tensor, *_: Any) -> Tensor:
    """Take one element of an axis per element of the result."""
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
    """Return the first elements of each axis: torch reads as many as there are indices."""
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
    """Combine elements with those at the positions of an axis."""
    known = {"sum": "add", "prod": "mul", "amax": "max", "amin": "min"}
    if kind not in known or not b.options.get("include_self", include_self):
        raise UnsupportedOp("a reduction of scattered elements", got=kind)
    return _scatter(known[kind])(b, x, axis, indices, source)  # pyright: ignore


def _positions(
    b: AtenBuilder, x: Tensor, indices: Sequence[Tensor | None]
) -> tuple[list[int], Tensor]:
    """Return the indexed axes, and tuples of indices along a last axis."""
    axes = [axis for axis, index in enumerate(indices) if index is not None]
    given = [index for index in indices if index is not None]
    if any(index.dtype == i1 for index in given):
        raise UnsupportedOp("a mask as index: the number of its elements depends on data")
    given = b.broadcast(*(b.cast(index, i64) for index in given))
    columns = [b.reshape(index, (*index.dims, Dim.const(1))) for index in given]
    return axes, b.concat(columns, columns[0].rank - 1)


def index(b: AtenBuilder, x: Tensor, indices: Sequence[Tensor | None]) -> Tensor:
    """Take elements by index tensors, which broadcast; axes without one are taken whole."""
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
    """Replace elements at index tensors, or add to them; a mask chooses by place."""
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


CONVERTERS: dict[str, Converter] = {
    "embedding": embedding,
    "index_select": index_select,
    "gather": gather,
    "scatter.src": _scatter("none"),
    "scatter.value": _scatter("none"),
    "scatter_add": _scatter("add"),
    "scatter_reduce": scatter_reduce,
    "index": index,
    "_unsafe_index": index,
    "index_put": index_put,
    "_unsafe_index_put": index_put,
}
"""Converters by operator, with an overload where only that one is meant."""
