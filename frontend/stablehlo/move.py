"""Convert ops that create and move elements: constants, shapes, slices, pads.

Source: StableHLO specification.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...dialects.dtypes import is_bool
from ...dialects.graph import BroadcastOp, PadOp, SliceOp
from ...dialects.shape import Dim
from ...support.diagnostics import ModelError, UnsupportedOp
from ..onnx.builder import Builder, Tensor, size_array
from .definitions import Dense
from .node import Converter, StablehloNode

ZERO, ONE = Dim.const(0), Dim.const(1)


def constant(node: StablehloNode, b: Builder) -> Tensor:
    """Return a constant; a splat becomes a broadcast scalar."""
    value = node.op.attributes.get("value")
    if not isinstance(value, Dense):
        raise ModelError("the value of a constant is missing", expected="dense<…> : tensor<…>")
    if not value.is_splat:
        return Tensor.of_array(value.array)
    return broadcast(b, Tensor.of_array(value.array), dims_of_type(node), ())


def dims_of_type(node: StablehloNode) -> list[Dim]:
    """Return the sizes of an op's first result, which must be static.

    Errors: ModelError if a size is dynamic.
    """
    if None in node.type.dims:
        raise ModelError(
            "the sizes of the result are not static",
            expected="sizes without ?",
            got=node.type.text,
            hint="the op with dynamic sizes has the prefix dynamic_",
        )
    return [Dim.const(size or 0) for size in node.type.dims]


def broadcast(b: Builder, x: Tensor, dims: Sequence[Dim], axes: Sequence[int]) -> Tensor:
    """Broadcast a tensor to the shape ``dims``; axis n of x becomes axis ``axes[n]``.

    If no element is repeated, a reshape is built instead, so that every broadcast op repeats
    elements.
    """
    axes = list(axes)
    if axes != sorted(axes):
        order = sorted(range(len(axes)), key=axes.__getitem__)
        x, axes = b.transpose(x, order), [axes[n] for n in order]
    if len(axes) != x.rank:
        raise ModelError("one dimension per axis is needed", expected=x.rank, got=tuple(axes))
    placed = {axis: x.dims[n] for n, axis in enumerate(axes)}
    if all(dim == placed.get(axis, ONE) for axis, dim in enumerate(dims)):
        return b.reshape(x, dims)
    kept = [axis for axis in axes if placed[axis] != ONE or dims[axis] == ONE]
    x = b.reshape(x, [placed[axis] for axis in kept])
    return b.emit(BroadcastOp(b.ssa(x), tuple(dims), tuple(kept)))


def broadcast_in_dim(node: StablehloNode, b: Builder) -> Tensor:
    """Broadcast axis n of the operand to axis ``broadcast_dimensions[n]`` of the result."""
    if node.is_lifted:
        return _lifted(node)
    return broadcast(b, node[0], dims_of_type(node), node.ints("broadcast_dimensions", ()))


def _lifted(node: StablehloNode) -> Tensor:
    """Return the operand of an op in a lifted region, where the op only reshapes one element.

    A lifted region is a region on single elements that is converted to ops on whole tensors.
    Errors: UnsupportedOp if the op's result is no single element.
    """
    if node.type.dims:
        raise UnsupportedOp("it makes a tensor of an element", got=node.type.text)
    return node[0]


def leading_broadcast(node: StablehloNode, b: Builder) -> Tensor:
    """Broadcast a tensor to a shape with new leading axes."""
    x, sizes = node[0], node.ints("broadcast_sizes")
    dims = (*map(Dim.const, sizes), *x.dims)
    return broadcast(b, x, dims, range(len(sizes), len(dims)))


def dynamic_broadcast(node: StablehloNode, b: Builder) -> Tensor:
    """Broadcast a tensor to sizes that are an operand."""
    dims = node.sizes_at(1, "the shape of the result")
    return broadcast(b, node[0], dims, node.ints("broadcast_dimensions", ()))


def reshape(node: StablehloNode, b: Builder) -> Tensor:
    """Reshape a tensor to the sizes of the op's result."""
    return _lifted(node) if node.is_lifted else b.reshape(node[0], dims_of_type(node))


def dynamic_reshape(node: StablehloNode, b: Builder) -> Tensor:
    """Reshape a tensor to sizes that are an operand."""
    return b.reshape(node[0], node.sizes_at(1, "the shape of the result"))


def transpose(node: StablehloNode, b: Builder) -> Tensor:
    """Permute axes; the attribute lists the axis of the operand for each axis of the result."""
    return b.transpose(node[0], node.ints("permutation"))


def iota(node: StablehloNode, b: Builder) -> Tensor:
    """Return a tensor in which each element is its position along an axis."""
    return _iota(node, b, dims_of_type(node))


def dynamic_iota(node: StablehloNode, b: Builder) -> Tensor:
    """Return a tensor in which each element is its position along an axis.

    The sizes are an operand.
    """
    return _iota(node, b, node.sizes_at(0, "the shape of the result"))


def _iota(node: StablehloNode, b: Builder, dims: Sequence[Dim]) -> Tensor:
    assert node.type.dtype is not None, "the type is checked"
    if is_bool(node.type.dtype):
        return b.cast(b.iota(dims, node.integer("iota_dimension")), node.type.dtype)
    return b.iota(dims, node.integer("iota_dimension"), node.type.dtype)


def strided(
    b: Builder,
    x: Tensor,
    starts: Sequence[Dim | int],
    sizes: Sequence[Dim | int],
    steps: Sequence[int] | None = None,
) -> Tensor:
    """Slice a tensor by start, size and step of each axis, unless the slice is all of it."""
    steps = steps or [1] * x.rank
    if tuple(map(Dim.of, sizes)) == x.dims and all(step == 1 for step in steps):
        return x
    return b.emit(SliceOp(b.ssa(x), list(starts), list(sizes), list(steps)))


def slice_(node: StablehloNode, b: Builder) -> Tensor:
    """Slice each axis by start, limit and stride."""
    starts, limits = node.ints("start_indices"), node.ints("limit_indices")
    steps = node.ints("strides", (1,) * len(starts))
    sizes = [
        -(-(end - start) // step) for start, end, step in zip(starts, limits, steps, strict=True)
    ]
    return strided(b, node[0], starts, sizes, steps)


def reverse(node: StablehloNode, b: Builder) -> Tensor:
    """Reverse the order of elements along axes."""
    return b.reverse(node[0], node.ints("dimensions"))


def concatenate(node: StablehloNode, b: Builder) -> Tensor:
    """Concatenate along an axis."""
    return b.concat(list(node.inputs), node.integer("dimension"))


def pad(node: StablehloNode, b: Builder) -> Tensor:
    """Add elements at both ends of each axis and between elements; negative numbers crop ends."""
    names = "edge_padding_low", "edge_padding_high", "interior_padding"
    low, high, interior = (node.ints(name) for name in names)
    return padded(b, node[0], node[1], low, high, interior)


def dynamic_pad(node: StablehloNode, b: Builder) -> Tensor:
    """Add elements at both ends of each axis and between elements; operands give the numbers."""
    numbers = [[dim.value for dim in node.sizes_at(n, "the padding")] for n in (2, 3, 4)]
    if any(None in each for each in numbers):
        raise UnsupportedOp("the padding depends on an unbound size (bind it by shapes=)")
    low, high, interior = ([n or 0 for n in each] for each in numbers)
    return padded(b, node[0], node[1], low, high, interior)


def padded(
    b: Builder,
    x: Tensor,
    value: Tensor,
    low: Sequence[int],
    high: Sequence[int],
    interior: Sequence[int],
) -> Tensor:
    """Pad a tensor with elements of one value.

    value: a tensor of rank 0.  low, high: the numbers of elements to add at both ends of each axis;
    negative numbers crop.  interior: the numbers of elements to add between adjacent elements.
    """
    for axis, count in enumerate(interior):
        if count:
            x = _spread(b, x, value, axis, count)
    starts = [max(-n, 0) for n in low]
    sizes = [dim - max(-a, 0) - max(-z, 0) for dim, a, z in zip(x.dims, low, high, strict=True)]
    x = strided(b, x, starts, sizes)
    return _extended(b, x, value, [max(n, 0) for n in low], [max(n, 0) for n in high])


def _spread(b: Builder, x: Tensor, value: Tensor, axis: int, count: int) -> Tensor:
    size = x.dims[axis]
    apart = b.reshape(x, (*x.dims[: axis + 1], ONE, *x.dims[axis + 1 :]))
    ends = [0] * apart.rank
    ends[axis + 1] = count
    apart = _extended(b, apart, value, [0] * apart.rank, ends)
    joined = b.reshape(apart, (*x.dims[:axis], size * (count + 1), *x.dims[axis + 1 :]))
    sizes = [*joined.dims]
    sizes[axis] = (size * (count + 1) - count).max(0)
    return strided(b, joined, [0] * x.rank, sizes)


def _extended(
    b: Builder, x: Tensor, value: Tensor, low: Sequence[int], high: Sequence[int]
) -> Tensor:
    if not any((*low, *high)):
        return x
    known = value.values()
    if known is not None and not is_bool(x.dtype):
        return b.emit(PadOp(b.ssa(x), low, high, "constant", known.item()))
    for axis, (before, after) in enumerate(zip(low, high, strict=True)):
        parts = [x]
        for count, place in ((before, 0), (after, 2)):
            if count:
                dims = [*x.dims]
                dims[axis] = Dim.const(count)
                parts.insert(place, broadcast(b, value, dims, ()))
        x = b.concat(parts, axis)
    return x


def dimension_size(node: StablehloNode, b: Builder) -> Tensor:
    """Return the size of an axis."""
    del b
    assert node.type.dtype is not None, "the type is checked"
    return Tensor.of_sizes(
        size_array([node[0].dims[node.integer("dimension")]], 0), node.type.dtype
    )


def device_number(node: StablehloNode, b: Builder) -> Tensor:
    """Return the number of the device, which is always 0."""
    del node, b
    return Tensor.of_array(np.array(0, np.uint32))


CONVERTERS: dict[str, Converter] = {
    "stablehlo.broadcast": leading_broadcast,
    "stablehlo.broadcast_in_dim": broadcast_in_dim,
    "stablehlo.concatenate": concatenate,
    "stablehlo.constant": constant,
    "stablehlo.dynamic_broadcast_in_dim": dynamic_broadcast,
    "stablehlo.dynamic_iota": dynamic_iota,
    "stablehlo.dynamic_pad": dynamic_pad,
    "stablehlo.dynamic_reshape": dynamic_reshape,
    "stablehlo.get_dimension_size": dimension_size,
    "stablehlo.iota": iota,
    "stablehlo.pad": pad,
    "stablehlo.partition_id": device_number,
    "stablehlo.replica_id": device_number,
    "stablehlo.reshape": reshape,
    "stablehlo.reverse": reverse,
    "stablehlo.slice": slice_,
    "stablehlo.transpose": transpose,
}
