"""Convert reads at computed positions: the Gather operators, and OneHot by comparison.

Each converter whose indices may be out of range calls `check_indices` before the op that reads or
writes. OneHot accepts indices that are out of range.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import i64

from ....dialects.dtypes import is_float
from ....dialects.graph import CheckIndicesOp, GatherElementsOp, GatherNdOp, GatherOp
from ....dialects.shape import Dim, normalize_axis
from ....interp.indices import find_outside
from ....support.diagnostics import ModelError
from ....support.size_names import depends_on_data
from ..builder import Builder, Tensor, size_array
from ..node import Node, OpConverter, static
from ..sizes.equal_sizes import check_elements

MAX_PLACE = 200
"""Maximum length of node names in messages of compiled code; longer names are truncated."""


def gather(node: Node, b: Builder) -> Tensor:
    """Gather slices of an axis by index; negative indices count from the end."""
    x, axis = node[0], node.axis("axis", 0, node[0].rank)
    check_indices(node, b, node[1], x.dims[axis : axis + 1])
    indices = from_the_front(b, node[1], x.dims[axis])
    return b.emit(GatherOp(b.ssa(x), b.ssa(indices), axis))


def gather_elements(node: Node, b: Builder) -> Tensor:
    """Gather one element per index along an axis; negative indices count from the end."""
    x, axis = node[0], node.axis("axis", 0, node[0].rank)
    check_indices(node, b, node[1], x.dims[axis : axis + 1])
    check_other_axes(node, b, axis)
    return elements(b, x, from_the_front(b, node[1], x.dims[axis]), axis)


def elements(b: Builder, x: Tensor, indices: Tensor, axis: int) -> Tensor:
    """Gather elements along an axis by non-negative indices, one for each element of the result.

    The position of an element along the other axes is that of its index in ``indices``.
    """
    return b.emit(GatherElementsOp(b.ssa(x), b.ssa(indices), axis))


def gather_nd(node: Node, b: Builder) -> Tensor:
    """Gather slices by index tuples; negative indices count from the end."""
    x, indices, batch = node[0], node[1], node.integer("batch_dims", 0)
    count = static(indices.dims[-1], "the last size of indices")
    sizes = x.dims[batch : batch + count]
    check_indices(node, b, indices, sizes)
    indices = from_the_front(b, indices, *sizes)
    return b.emit(GatherNdOp(b.ssa(x), b.ssa(indices), batch))


def reverse_sequence(node: Node, b: Builder) -> Tensor:
    """Reverse the first ``sequence_lens[b]`` elements of the time axis of each batch entry b.

    Later elements keep their positions.
    """
    x, lengths = node[0], b.cast(node[1], i64)
    time = normalize_axis(node.integer("time_axis", 0), x.rank)
    batch = normalize_axis(node.integer("batch_axis", 1), x.rank)
    check_indices(node, b, lengths, [x.dims[time] + 1], wraps=False)
    step = b.iota(x.dims, time)
    length = b.broadcast_to(lengths, x.dims, batch)
    mirrored = b.apply("sub", b.apply("sub", length, step), 1)
    return elements(b, x, b.select(b.apply("lt", step, length), mirrored, step), time)


def check_indices(
    node: Node, b: Builder, indices: Tensor, sizes: Sequence[Dim], *, wraps: bool = True
) -> None:
    """Check that indices are in range: constant indices at import, others at run time.

    sizes: one size for all elements of ``indices``, or one per element of their last axis.  wraps:
    whether negative indices count from the end.
    Errors: ModelError for a constant index that is out of range.
    """
    if Dim.const(0) in indices.dims or not sizes:
        return
    sizes = sizes[:1] if len(set(sizes)) == 1 else sizes
    known, numbers = indices.values(), [size.value for size in sizes if size.value is not None]
    place = f"{node.op_type} at loc({node.name[:MAX_PLACE]!r})"
    if known is not None and len(numbers) == len(sizes):
        wrong = find_outside(known, numbers, wraps=wraps)
        if wrong is not None:
            raise wrong.error(place, ModelError, "correct the constant that holds the indices")
        return
    b.emit_all(CheckIndicesOp(b.ssa(indices), sizes, place, wraps=wraps))


def check_other_axes(node: Node, b: Builder, axis: int) -> None:
    """Check that the indices are not longer than the data along any other axis than ``axis``.

    The indices are input 1 of the node, the data is input 0.
    """
    for other, (size, count) in enumerate(zip(node[0].dims, node[1].dims, strict=False)):
        if other != axis:
            check_fits(node, b, count, size, other)


def check_fits(node: Node, b: Builder, count: Dim, size: Dim, axis: int) -> None:
    """Check that an axis of ``size`` elements has at least ``count`` elements.

    The entry function checks sizes of inputs; an appended op checks data-dependent sizes. If both
    are numbers, nothing is checked here.
    axis: the number of the axis, for messages.
    """
    room = size - count
    if any(map(depends_on_data, room.symbols())):
        check_indices(node, b, Tensor.of_sizes(size_array([count])), [size + 1], wraps=False)
    elif room.value is None:
        check_elements(room, axis, b.facts, 0)


def from_the_front(b: Builder, indices: Tensor, *sizes: Dim) -> Tensor:
    """Convert negative indices, which count from the end of an axis, to positions from 0.

    sizes: the size of the axis, or one size for each element of the last axis of ``indices``.
    """
    known = indices.values()
    if not sizes or (known is not None and (known >= 0).all()):
        return indices
    numbers = [size.value for size in sizes if size.value is not None]
    if known is not None and len(numbers) == len(sizes):
        array, length = known.astype("int64"), numbers if len(numbers) > 1 else numbers[0]
        return Tensor.of_array(np.array(array + np.array(length) * (array < 0), known.dtype))
    lengths = Tensor.of_sizes(size_array(sizes, min(len(sizes) - 1, 1)))
    shifted = b.apply("add", indices, b.cast(lengths, indices.dtype))
    return b.select(b.apply("lt", indices, 0), shifted, indices)


def one_hot(node: Node, b: Builder) -> Tensor:
    """Return the on value where the position on a new axis is the index, else the off value."""
    depth = _depth(node)
    indices = b.cast(node[0], i64)
    axis = node.axis("axis", -1, indices.rank + 1)
    dims = (*indices.dims[:axis], depth, *indices.dims[axis:])
    ones = (*indices.dims[:axis], Dim.const(1), *indices.dims[axis:])
    column = b.reshape(from_the_front(b, indices, depth), ones)
    values = node[2]
    off, on = (b.reshape(b.slice(values, 0, i, 1), ()) for i in range(2))
    return b.select(one_hot_mask(b, column, dims, axis), on, off)


def _depth(node: Node) -> Dim:
    """Return the size of OneHot's new axis, a float or an integer in the node's input 1."""
    if is_float(node[1].dtype):
        return Dim.const(int(node.number_at(1, "depth")))
    sizes = node.sizes_at(1, "depth")
    if not sizes:
        raise ModelError("depth needs one number", got=node[1].dims)
    return sizes[0]


def one_hot_mask(b: Builder, indices: Tensor, dims: Sequence[Dim], axis: int) -> Tensor:
    """Return a mask that is true where the position along an axis equals the index.

    indices: has size 1 on this axis.  dims: the shape of the result.
    """
    return b.apply("eq", b.iota(dims, axis, indices.dtype), indices)


CONVERTERS = (
    OpConverter("Gather", gather),
    OpConverter("GatherElements", gather_elements, since=11),
    OpConverter("GatherND", gather_nd, since=11),
    OpConverter("ReverseSequence", reverse_sequence, since=10),
    OpConverter("OneHot", one_hot, since=9),
)
