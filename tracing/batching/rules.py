"""The rules of graph ops for a batch: axes move by one, or the batch joins the images.

Each function appends an op for a batch to the builder of the walk, and returns the results; None if
the te definition of the op should be used.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects.graph import (
    ArgReduceOp,
    BroadcastOp,
    ConcatOp,
    ConvOp,
    ConvTransposeOp,
    CumulativeOp,
    GatherElementsOp,
    GatherNdOp,
    GatherOp,
    HoldOp,
    LogSoftmaxOp,
    LrnOp,
    MatmulOp,
    NormalizeOp,
    PadOp,
    PoolOp,
    ReduceOp,
    ReshapeOp,
    ScatterElementsOp,
    SelectOp,
    SliceOp,
    SoftmaxOp,
    StopGradientOp,
    TopKOp,
    TransposeOp,
)
from ...dialects.graph.base import int_array, int_attr
from ...dialects.shape import Dim, DimsAttr, dims_of, element_count, tensor_type, type_of
from .walk import BatchWalk, Rule


def same(op: Operation, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append an op without axes among its properties, with a batch in all operands."""
    return walk.again(op, [walk.batched(x) for x in op.operands])


def on_axis(op: Operation, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append an op along one axis that all its operands have.

    The batch comes first, so the number of the axis grows by 1.
    """
    axis = int_attr(op.axis + 1)  # pyright: ignore[reportAttributeAccessIssue]
    return walk.again(op, [walk.batched(x) for x in op.operands], {"axis": axis})


def on_axes(op: ReduceOp | NormalizeOp, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append an op along several axes of its operand.

    The batch comes first, so the numbers of the axes grow by 1.
    """
    return walk.again(op, [walk.value(op.x)], {"axes": int_array([n + 1 for n in op.axes])})


def broadcast(op: BroadcastOp, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append a broadcast that keeps the batch."""
    axes = int_array([0, *(n + 1 for n in op.axes)])
    return walk.again(op, [walk.value(op.x)], {"axes": axes})


def reshape(op: ReshapeOp, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append a reshape that keeps the batch and reshapes each of its elements."""
    dims = [walk.size, *dims_of(type_of(op.out))]
    return [walk.builder.reshape(walk.value(op.x), dims)]


def transpose(op: TransposeOp, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append a transpose that keeps the batch first."""
    return [walk.builder.transpose(walk.value(op.x), [0, *(n + 1 for n in op.perm)])]


def slice_(op: SliceOp, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append a slice that keeps the batch and slices each of its elements."""
    starts, steps = DimsAttr.of([Dim.const(0), *op.starts]), int_array([1, *op.steps])
    return walk.again(op, [walk.value(op.x)], {"starts": starts, "steps": steps})


def pad(op: PadOp, walk: BatchWalk) -> Sequence[SSAValue] | None:
    """Append a pad that keeps the batch and pads each of its elements."""
    low, high = int_array([0, *op.low]), int_array([0, *op.high])
    return walk.again(op, [walk.batched(x) for x in op.operands], {"low": low, "high": high})


def matmul(op: MatmulOp, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append a matrix product for each element of the batch.

    If only the left operand has a batch, and the right one is a matrix, one product multiplies the
    rows of all elements.
    """
    if walk.has(op.lhs) and not walk.has(op.rhs) and len(dims_of(type_of(op.rhs))) == 2:
        return walk.again(op, [walk.value(op.lhs), walk.value(op.rhs)])
    lhs, rhs = walk.batched(op.lhs), walk.batched(op.rhs)
    sizes, own = dims_of(type_of(lhs)), dims_of(type_of(rhs))
    if len(own) < len(sizes):
        ones = [Dim.const(1)] * (len(sizes) - len(own))
        rhs = walk.builder.reshape(rhs, [walk.size, *ones, *own[1:]])
        full = [*sizes[:-2], *own[-2:]]
        rhs = walk.builder.value(BroadcastOp(rhs, full, range(len(full))))
    return walk.again(op, [lhs, rhs])


def merged(op: Operation, walk: BatchWalk) -> Sequence[SSAValue] | None:
    """Append an op on images; the batch is merged with the batch dimension of the images.

    Two reshapes merge and split the dimension. Return None if another operand than the first, the
    images, has a batch.
    """
    x, *rest = op.operands
    if any(map(walk.has, rest)):
        return None
    dims = dims_of(type_of(x))
    images = element_count([walk.size, dims[0]])
    given = walk.builder.reshape(walk.value(x), [images, *dims[1:]])
    out = type_of(op.results[0])
    made = type(op).create(
        operands=[given, *map(walk.value, rest)],
        result_types=[tensor_type(out.element_type, [images, *dims_of(out)[1:]])],
        properties=dict(op.properties),
    )
    result = walk.builder.value(made)
    return [walk.builder.reshape(result, [walk.size, *dims_of(out)])]


def gather(op: GatherOp, walk: BatchWalk) -> Sequence[SSAValue] | None:
    """Append a gather along axis 0 from a table that has no batch; the indices have one.

    Return None if the table has a batch, or for another axis.
    """
    if walk.has(op.x) or op.axis != 0:
        return None
    return walk.again(op, [walk.value(op.x), walk.value(op.indices)])


def gather_nd(op: GatherNdOp, walk: BatchWalk) -> Sequence[SSAValue]:
    """Append a gather in which the batch is one more leading axis of both operands."""
    batch_dims = int_attr(op.batch_dims + 1)
    return walk.again(op, [walk.batched(x) for x in op.operands], {"batch_dims": batch_dims})


RULES: dict[type, Rule] = {
    **dict.fromkeys((SelectOp, HoldOp, StopGradientOp), same),
    **dict.fromkeys(
        (
            ArgReduceOp, ConcatOp, CumulativeOp, GatherElementsOp, LogSoftmaxOp, ScatterElementsOp,
            SoftmaxOp, TopKOp,
        ),
        on_axis,
    ),
    **dict.fromkeys((ReduceOp, NormalizeOp), on_axes),
    **dict.fromkeys((ConvOp, ConvTransposeOp, LrnOp, PoolOp), merged),
    BroadcastOp: broadcast,
    ReshapeOp: reshape,
    TransposeOp: transpose,
    SliceOp: slice_,
    PadOp: pad,
    MatmulOp: matmul,
    GatherOp: gather,
    GatherNdOp: gather_nd,
}  # fmt: skip
"""The rules, by class."""
