"""Convert operators with data-dependent shapes: NonZero, Compress, Unique, NonMaxSuppression.

If the operands are known at import, the op is evaluated at import, so that the sizes are numbers.
"""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.ir import Block, SSAValue
from xdsl.traits import is_side_effect_free

from ....dialects.graph import BindingOp, GatherOp, NmsOp, NonZeroOp, UniqueOp
from ....dialects.shape import element_count, normalize_axis
from ....interp.graph import evaluate_op
from ....support.diagnostics import ModelError
from ..builder import Builder, Tensor
from ..node import Node, OpConverter
from .index import check_fits

SHARED_DEPTH = 4
"""Number of producing operators that are compared to find masks that are computed equally."""


def non_zero(node: Node, b: Builder) -> Tensor:
    """Return the positions of the nonzero elements: a row per dimension, a column per element."""
    return positions(node[0], b)


def positions(x: Tensor, b: Builder) -> Tensor:
    """Return the positions of the nonzero elements: a row per dimension, a column per element.

    A second mask that is computed in the same way reuses the op of the first, and therefore its
    data-dependent size.
    """
    found = b.data_size()
    key = _computation(b.ssa(x), SHARED_DEPTH)
    if key not in b.positions:
        b.positions[key] = _emit(NonZeroOp(b.ssa(x), *found), b, x)[0]
    return b.positions[key]


def _computation(x: SSAValue, depth: int) -> Hashable:
    """Return a key of the ops that compute a value; values with equal keys have equal elements.

    depth: the largest number of successive ops, counted backward from ``x``, that the key
    describes. A value beyond these ops equals only itself.
    """
    op = x.owner
    if depth == 0 or isinstance(op, Block) or op.regions or not is_side_effect_free(op):
        return x
    operands = tuple(_computation(operand, depth - 1) for operand in op.operands)
    return type(op), op.results.index(x), frozenset(op.properties.items()), operands


def _emit(op: BindingOp, b: Builder, *operands: Tensor) -> tuple[Tensor, ...]:
    """Append an op and return its results.

    If all operands are known at import, evaluate the op instead, so that the sizes are known, too.
    """
    arrays = [x.values() for x in operands]
    known = [array for array in arrays if array is not None]
    if len(known) == len(arrays):
        results = evaluate_op(op, known)
        op.drop_all_references()
        return tuple(map(Tensor.of_array, results))
    b.emit(op)
    return tuple(map(Tensor.of_ssa, op.results))


def compress(node: Node, b: Builder) -> Tensor:
    """Select the slices along an axis (by default the elements) for which the condition holds."""
    x, condition = node[0], node[1]
    if condition.rank != 1:
        raise ModelError("condition is not of rank 1", got=f"rank {condition.rank}")
    axis = 0
    if node.has("axis"):
        axis = node.axis("axis", None, x.rank)
    else:
        x = b.reshape(x, (element_count(x.dims),))
    length, size = condition.dims[0], x.dims[axis]
    if length.exceeds(size):
        raise ModelError(
            "condition is longer than the axis", expected=f"at most {size}", got=length
        )
    check_fits(node, b, length, size, axis)
    rows = positions(condition, b)
    indices = b.reshape(rows, (rows.dims[1],))
    return b.emit(GatherOp(b.ssa(x), b.ssa(indices), axis))


def unique(node: Node, b: Builder) -> tuple[Tensor, ...]:
    """Return the unique elements or slices of a tensor, and where they occur.

    Results: the unique elements; the first position of each; for each element of the input, its
    position among the unique ones; how often each unique element occurs.
    """
    x = node[0]
    axis = normalize_axis(node.integer("axis"), x.rank) if node.has("axis") else None
    unsorted = not node.integer("sorted", 1)
    return _emit(UniqueOp(b.ssa(x), *b.data_size(), axis=axis, unsorted=unsorted), b, x)


def non_max_suppression(node: Node, b: Builder) -> Tensor:
    """Select boxes per batch and class; the limit and both thresholds must be known at import."""
    limits = node.ints_at(2, "the largest number of boxes") or [0]
    overlap = node.number_at(3, "the threshold of overlap") if node.get(3) is not None else 0.0
    above = node.number_at(4, "the threshold of scores") if node.get(4) is not None else None
    op = NmsOp(
        b.ssa(node[0]),
        b.ssa(node[1]),
        *b.data_size(),
        limit=max(limits[0], 0),
        iou=overlap,
        above=above,
        center=bool(node.integer("center_point_box", 0)),
    )
    return _emit(op, b, node[0], node[1])[0]


CONVERTERS = (
    OpConverter("NonZero", non_zero, since=9),
    OpConverter("Compress", compress, since=9),
    OpConverter("Unique", unique, since=11),
    OpConverter("NonMaxSuppression", non_max_suppression, since=10),
)
