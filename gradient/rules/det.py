"""The gradient of a determinant: that of an elimination with complete pivoting, in graph ops.

%y = graph.det %x
→
graph.scan: each step chooses the pivot, the largest element of the remaining rows and columns,
multiplies the product by it, and subtracts the pivot's row from the others

The walk differentiates the scan. A pivot of 0 occurs only if all remaining elements are 0. So the
first derivative is also exact for singular matrices, where ``det(x) inverse(x)`` does not exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from xdsl.dialects.builtin import i64
from xdsl.ir import Block, Region, SSAValue

from ...dialects.graph import (
    ArgReduceOp,
    BroadcastOp,
    CastOp,
    CumulativeOp,
    DetOp,
    ScanOp,
    YieldOp,
)
from ...dialects.shape import Dim, dims_of, element_count, tensor_type, type_of
from ..builder import GradientBuilder
from ..rule import Cotangents, RegionGradient, Reverse, only


def det(op: DetOp, gs: Cotangents, reverse: Reverse) -> None:
    """Add the cotangent of a batch of matrices, for that of their determinants.

    gs: the cotangents of the results of ``op``.
    reverse: the walk, which collects the added cotangents.
    """

    def build(b: GradientBuilder) -> SSAValue:
        return b.in_wide_type(op.x, partial(_determinants, b))

    reverse.through(build, only(gs))


def _determinants(b: GradientBuilder, x: SSAValue) -> SSAValue:
    """Append ops that compute the determinants of x; return these."""
    element, (*batch, size, _) = type_of(x).element_type, dims_of(type_of(x))
    count, one = element_count(batch), Dim.const(1)
    matrices = b.reshape(x, [count, size, size])
    rows = b.number(1, tensor_type(element, [count, size, one]))
    columns = b.number(1, tensor_type(element, [count, one, size]))
    product = b.number(1, tensor_type(element, [count, one, one]))
    inits = [product, matrices, rows, columns]
    made = b.append(ScanOp(size, inits, [], _step([v.type for v in inits])))
    return b.reshape(made.results[0], batch)


def _step(types: Sequence[object]) -> Region:
    """Return the region of a step of the elimination.

    It carries the product of the pivots, the matrices, in which the rows and columns of earlier
    pivots are 0, and the masks of the remaining rows and columns, which are 1 there.
    """
    block = Block(arg_types=types)  # pyright: ignore[reportArgumentType]
    product, x, rows, columns = block.args
    b = GradientBuilder(block)
    here = _pivots(x, b.mul(b.spread(rows, x), b.spread(columns, x)), b)
    row, column = b.sum(here, [2], keep=True), b.sum(here, [1], keep=True)
    pivot = b.sum(b.mul(here, x), [1, 2], keep=True)
    head = b.select(b.elementwise("eq", pivot, 0), b.number(1, pivot.type), pivot)
    across = b.sum(b.mul(x, b.spread(row, x)), [1], keep=True)
    down = b.div(b.sum(b.mul(x, b.spread(column, x)), [2], keep=True), b.spread(head, rows))
    rest = b.sub(x, b.mul(b.spread(down, x), b.spread(across, x)))
    rows_left, columns_left = b.sub(rows, row), b.sub(columns, column)
    left = b.mul(b.spread(rows_left, x), b.spread(columns_left, x))
    sign = b.mul(_sign(rows, row, 1, b), _sign(columns, column, 2, b))
    signed = b.mul(b.mul(product, pivot), sign)
    b.append(YieldOp([signed, b.mul(rest, left), rows_left, columns_left]))
    return Region(block)


def _pivots(x: SSAValue, left: SSAValue, b: GradientBuilder) -> SSAValue:
    """Return tensors that are 1 at the pivot of each matrix in x, and 0 elsewhere.

    left: 1 at the elements in the remaining rows and columns, 0 elsewhere.
    """
    count, size, _ = dims_of(type_of(x))
    is_gone = b.elementwise("eq", left, 0)
    lengths = b.select(is_gone, b.number(-1, x.type), b.elementwise("abs", x))
    flat = b.reshape(lengths, [count, size * size])
    chosen = b.value(ArgReduceOp(flat, kind="max", axis=1, keep=True))
    numbers = _numbers(dims_of(type_of(flat)), b)
    hits = b.elementwise("eq", numbers, b.spread(chosen, numbers))
    return b.reshape(b.value(CastOp(hits, type_of(x).element_type)), [count, size, size])


def _numbers(dims: Sequence[Dim], b: GradientBuilder) -> SSAValue:
    """Return a tensor of i64 in which each element is its position along the last axis."""
    ones = b.number(1, tensor_type(i64, dims[-1:]))
    line = b.value(CumulativeOp(ones, kind="sum", axis=0, exclusive=True))
    return b.value(BroadcastOp(line, list(dims), [len(dims) - 1]))


def _sign(left: SSAValue, chosen: SSAValue, axis: int, b: GradientBuilder) -> SSAValue:
    """Return -1 if a pivot has an odd number of remaining rows (or columns) before it, else 1.

    left: 1 at the remaining rows.  chosen: 1 at the row of the pivot.  axis: the axis of the rows.
    """
    after = b.value(CumulativeOp(chosen, kind="sum", axis=axis, reverse=True, exclusive=True))
    before = b.sum(b.mul(left, after), [axis], keep=True)
    odd = b.sub(before, b.mul(b.elementwise("floor", b.mul(before, 0.5)), 2))
    return b.sub(1, b.mul(odd, 2))


REGION_GRADIENTS: dict[type, RegionGradient] = {DetOp: det}
"""The gradient of determinants."""
