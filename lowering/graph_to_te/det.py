"""Determinants: LU decomposition with partial pivoting, one matrix at a time."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ...dialects.graph import DetOp
from ...dialects.shape import type_of
from ...dialects.te.nest_builder import Nest, row_major_places
from ...dialects.te.scalars import wide_type
from ...support.affine import variable
from .builder import Builder, Rule, element_of, shape_of

TASK_STEPS = 8192
"""Approximate number of multiply-adds per task."""


def lower_det(op: DetOp, builder: Builder) -> SSAValue:
    """Multiply the pivots; each exchange of rows negates the product."""
    *batch, size = shape_of(op.x)[:-1]
    element = element_of(op.x)
    if not size:
        return builder.full(type_of(op.out), 1)
    nest = Nest("det", [builder.value(op.x)], [TensorType(element, batch)])
    source, out = nest.buffers
    with nest.rows(prod(batch), max(1, TASK_STEPS // size**3)) as row:
        places = row_major_places(row, batch)
        matrix = nest.local(wide_type(element), size, size)
        with nest.loop(0, size) as i, nest.loop(0, size) as j:
            nest.put(nest.widen(nest.get(source, *places, i, j)), matrix, i, j)
        value = _eliminate(nest, matrix, size)
        nest.put(nest.cast(value, wide_type(element), element), out, *places)
    return builder.append(nest.build()).results[0]


def _eliminate(nest: Nest, matrix: SSAValue, size: int) -> SSAValue:
    """Make a matrix upper triangular, column by column; return its determinant."""
    one = nest.constant(1, nest.get_type(matrix))
    with nest.fold(0, size, one) as columns:
        k, (product,) = columns.index, columns.carried
        pivot = _largest_in_column(nest, matrix, k, size)
        with nest.loop(k, size) as j:
            upper, lower = nest.get(matrix, k, j), nest.get(matrix, pivot, j)
            nest.put(lower, matrix, k, j)
            nest.put(nest.select(nest.compare("eq", pivot, k), lower, upper), matrix, pivot, j)
        head = nest.get(matrix, k, k)
        with (
            nest.when(nest.compare("ne", head, nest.like(0, head))),
            nest.loop(variable(k) + 1, size) as i,
        ):
            factor = nest.div(nest.get(matrix, i, k), head)
            with nest.loop(variable(k) + 1, size) as j:
                change = nest.mul(factor, nest.get(matrix, k, j))
                nest.put(nest.sub(nest.get(matrix, i, j), change), matrix, i, j)
        signed = nest.select(nest.compare("eq", pivot, k), head, nest.neg(head))
        columns.next(nest.mul(product, signed))
    return columns.results[0]


def _largest_in_column(nest: Nest, matrix: SSAValue, k: SSAValue, size: int) -> SSAValue:
    """Return the row at or below the diagonal with the largest magnitude in column k."""
    with nest.fold(k, size, nest.abs(nest.get(matrix, k, k)), k) as rows:
        best, at = rows.carried
        length = nest.abs(nest.get(matrix, rows.index, k))
        larger = nest.compare("gt", length, best)
        rows.next(nest.select(larger, length, best), nest.select(larger, rows.index, at))
    return rows.results[1]


RULES: dict[type, Rule] = {DetOp: lower_det}
