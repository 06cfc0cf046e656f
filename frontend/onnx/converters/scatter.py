"""Convert writes at computed positions: the Scatter operators, cache updates, MaxUnpool."""

from __future__ import annotations

from xdsl.dialects.builtin import i64

from ....dialects.graph import PadOp, ScatterElementsOp, ScatterNdOp, UpdateSliceOp
from ....dialects.shape import Dim, element_count
from ....support.diagnostics import UnsupportedOp
from ..builder import Builder, Tensor
from ..node import Node, OpConverter, static
from .index import check_fits, check_indices, check_other_axes, from_the_front


def _kind(node: Node) -> str:
    return node.text("reduction", "none")


def scatter_elements(node: Node, b: Builder) -> Tensor:
    """Replace or combine one element per index along an axis.

    Negative indices count from the end.
    """
    x, axis = node[0], node.axis("axis", 0, node[0].rank)
    check_indices(node, b, node[1], x.dims[axis : axis + 1])
    check_other_axes(node, b, axis)
    indices = from_the_front(b, node[1], x.dims[axis])
    op = ScatterElementsOp(b.ssa(x), b.ssa(indices), b.ssa(node[2]), axis, _kind(node))
    return b.emit(op)


def scatter_nd(node: Node, b: Builder) -> Tensor:
    """Replace or combine slices at index tuples.

    Negative indices count from the end of the axis.
    """
    x, indices = node[0], node[1]
    count = static(indices.dims[-1], "the last size of indices")
    check_indices(node, b, indices, x.dims[:count])
    indices = from_the_front(b, indices, *x.dims[:count])
    return b.emit(ScatterNdOp(b.ssa(x), b.ssa(indices), b.ssa(node[2]), _kind(node)))


def tensor_scatter(node: Node, b: Builder) -> Tensor:
    """Replace a part of a cache along an axis, at a start position per batch entry."""
    x, axis = node[0], node.axis("axis", -2, node[0].rank)
    mode = node.text("mode", "linear")
    if mode not in ("linear", "circular"):
        raise UnsupportedOp("unknown mode of TensorScatter", got=mode)
    starts = node.get(2) or b.broadcast_to(b.scalar(0, i64), x.dims[:1])
    circular = mode == "circular"
    if circular:
        check_fits(node, b, node[1].dims[axis], x.dims[axis], axis)
    else:
        places = x.dims[axis] - node[1].dims[axis] + 1
        check_indices(node, b, starts, [places], wraps=False)
    return b.emit(UpdateSliceOp(b.ssa(x), b.ssa(node[1]), b.ssa(starts), axis, circular=circular))


def max_unpool(node: Node, b: Builder) -> Tensor:
    """Write each element to the position from which a max pool took it; other elements are 0.

    The positions refer to the flattened result, whose shape follows from the node's attributes; the
    input ``output_shape`` crops or pads this result.
    """
    x, indices = node[0], node[1]
    dims = _unpooled(node, x)
    count = element_count(x.dims)
    zeros = b.broadcast_to(b.scalar(0, x.dtype), (element_count(dims),))
    check_indices(node, b, indices, zeros.dims, wraps=False)
    numbers = b.reshape(indices, (count, Dim.const(1)))
    flat = b.reshape(x, (count,))
    made = b.emit(ScatterNdOp(b.ssa(zeros), b.ssa(numbers), b.ssa(flat)))
    made = b.reshape(made, dims)
    wanted = node.ints_at(2, "output_shape")
    return made if wanted is None else _fitted(b, made, wanted)


def _unpooled(node: Node, x: Tensor) -> list[Dim]:
    kernel = node.ints("kernel_shape")
    rank = len(kernel)
    strides, pads = node.ints("strides", (1,) * rank), node.ints("pads", (0,) * 2 * rank)
    spatial = [
        (size - 1) * stride + (width - low - high)
        for size, stride, width, low, high in zip(
            x.dims[2:], strides, kernel, pads[:rank], pads[rank:], strict=True
        )
    ]
    return [*x.dims[:2], *spatial]


def _fitted(b: Builder, x: Tensor, wanted: list[int]) -> Tensor:
    have = [static(dim, "the size of MaxUnpool's result") for dim in x.dims]
    for axis, (size, target) in enumerate(zip(have, wanted, strict=True)):
        if target < size:
            x = b.slice(x, axis, 0, target)
    more = [max(target - size, 0) for size, target in zip(have, wanted, strict=True)]
    if not any(more):
        return x
    return b.emit(PadOp(b.ssa(x), [0] * x.rank, more))


CONVERTERS = (
    OpConverter("Scatter", scatter_elements, since=9, until=10),
    OpConverter("ScatterElements", scatter_elements, since=11),
    OpConverter("ScatterND", scatter_nd, since=11),
    OpConverter("TensorScatter", tensor_scatter, since=24),
    OpConverter("MaxUnpool", max_unpool, since=9),
)
