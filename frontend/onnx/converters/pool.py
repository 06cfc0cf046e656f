"""Convert pooling over windows, and over all spatial axes."""

from __future__ import annotations

from ....dialects.graph import MaxPoolIndicesOp, PoolOp
from ....dialects.shape import Dim, dims_of, type_of
from ....dialects.te.scalars import lowest
from ....dialects.window_sizes import window_reach
from ..builder import Builder, Tensor
from ..node import Converter, Node, OpConverter
from .conv import padded_to_same, window

ONE = Dim.const(1)


def pool(kind: str) -> Converter:
    """Return the converter of a pooling operator.

    kind: "max" for maxima, "avg" for means, "lp" for p-norms.
    """

    def convert(node: Node, b: Builder) -> Tensor | tuple[Tensor, ...]:
        if node.wants(1):
            return _max_pool_indices(node, b)
        x, kernel = node[0], node.ints("kernel_shape")
        counts_pads = bool(node.integer("count_include_pad", 0))
        outside = lowest(x.dtype) if kind == "max" else 0
        padded, shape = padded_to_same(node, b, x, kernel, outside)

        def pooled(x: Tensor, *, counts_pads: bool) -> Tensor:
            op = PoolOp(
                b.ssa(x),
                kind=kind,
                kernel=kernel,
                **shape,
                ceil=bool(node.integer("ceil_mode", 0)),
                count_pad=counts_pads,
                p=node.integer("p", 2),
            )
            _note_size(node, b, op)
            return b.emit(op)

        if padded is x or kind != "avg" or counts_pads:
            return pooled(padded, counts_pads=counts_pads)
        # The mean of the real elements is the mean that includes the zeros of the padding, divided
        # by the fraction of real elements.
        ones = b.broadcast_to(b.scalar(1, x.dtype), (ONE, ONE, *x.dims[2:]))
        share = pooled(padded_to_same(node, b, ones, kernel, 0)[0], counts_pads=True)
        return b.apply("div", pooled(padded, counts_pads=True), share)

    return convert


def _note_size(node: Node, b: Builder, op: PoolOp | MaxPoolIndicesOp) -> None:
    """Record a pooling node as disputed if its last window starts beyond the input.

    The standard's text and runtimes omit this window, but ``onnx.shape_inference`` counts it. In a
    model with a disputed node, outputs that have other sizes than the file declares cause only a
    warning.
    """
    own = dims_of(type_of(op.results[0]))[2:]
    reach = [window_reach(k, d) for k, d in zip(op.kernel, op.dilations, strict=True)]
    rank = len(own)
    for axis, (size, extent, stride) in enumerate(zip(own, reach, op.strides, strict=True)):
        padded = node[0].dims[2 + axis] + op.pads[axis] + op.pads[rank + axis]
        if op.ceil and size != (padded - extent).ceildiv(stride) + 1:
            b.disputed.append(f"{node.op_type} at loc({node.name!r})")
            return


def _max_pool_indices(node: Node, b: Builder) -> tuple[Tensor, ...]:
    kernel = node.ints("kernel_shape")
    shape = window(node, node[0].dims[2:], kernel)
    op = MaxPoolIndicesOp(
        b.ssa(node[0]),
        kernel=kernel,
        **shape,
        ceil=bool(node.integer("ceil_mode", 0)),
        column_major=bool(node.integer("storage_order", 0)),
    )
    _note_size(node, b, op)
    return b.emit(op), Tensor.of_ssa(op.indices)


def _spatial(x: Tensor) -> range:
    return range(2, x.rank)


def global_average_pool(node: Node, b: Builder) -> Tensor:
    """Compute the mean over the spatial axes."""
    return b.mean(node[0], _spatial(node[0]))


def global_max_pool(node: Node, b: Builder) -> Tensor:
    """Compute the maximum over the spatial axes."""
    return b.reduce(node[0], "max", _spatial(node[0]))


def global_lp_pool(node: Node, b: Builder) -> Tensor:
    """Compute the p-norm over the spatial axes."""
    p = float(node.integer("p", 2))
    powers = b.apply("pow", b.apply("abs", node[0]), p)
    return b.apply("pow", b.reduce(powers, "sum", _spatial(node[0])), 1 / p)


CONVERTERS = (
    OpConverter("MaxPool", pool("max")),
    OpConverter("AveragePool", pool("avg")),
    OpConverter("LpPool", pool("lp")),
    OpConverter("GlobalAveragePool", global_average_pool),
    OpConverter("GlobalMaxPool", global_max_pool),
    OpConverter("GlobalLpPool", global_lp_pool),
)
