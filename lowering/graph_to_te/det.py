"""Determinants: LU decomposition with partial pivoting, one matrix at a time."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ...dialects.graph import DetOp
from ...dialects.shape import type_of
from ...dialects.te.loops_builder import LoopsBuilder, row_major_places
from ...dialects.te.scalars import wide_type
from ...support.affine import variable
from .builder import Builder, Rule, element_of, numbers_of, sizes_of

TASK_STEPS = 8192
"""Approximate number of multiply-adds per task."""


def lower_det(op: DetOp, builder: Builder) -> SSAValue:
    """Multiply the pivots; each exchange of rows negates the product."""
    *batch, size = numbers_of(sizes_of(op.x)[:-1], "sizes of matrices")
    element = element_of(op.x)
    if not size:
        return builder.full(type_of(op.out), 1)
    loops = LoopsBuilder("det", [builder.value(op.x)], [TensorType(element, batch)])
    source, out = loops.buffers
    with loops.rows(prod(batch), max(1, TASK_STEPS // size**3)) as row:
        places = row_major_places(row, batch)
        matrix = loops.local(wide_type(element), size, size)
        with loops.loop(0, size) as i, loops.loop(0, size) as j:
            loops.put(loops.widen(loops.get(source, *places, i, j)), matrix, i, j)
        value = _eliminate(loops, matrix, size)
        loops.put(loops.cast(value, wide_type(element), element), out, *places)
    return builder.append(loops.build()).results[0]


def _eliminate(loops: LoopsBuilder, matrix: SSAValue, size: int) -> SSAValue:
    """Make a matrix upper triangular, column by column; return its determinant."""
    one = loops.constant(1, loops.get_type(matrix))
    with loops.fold(0, size, one) as columns:
        k, (product,) = columns.index, columns.carried
        pivot = _largest_in_column(loops, matrix, k, size)
        with loops.loop(k, size) as j:
            upper, lower = loops.get(matrix, k, j), loops.get(matrix, pivot, j)
            loops.put(lower, matrix, k, j)
            loops.put(loops.select(loops.compare("eq", pivot, k), lower, upper), matrix, pivot, j)
        head = loops.get(matrix, k, k)
        with (
            loops.when(loops.compare("ne", head, loops.like(0, head))),
            loops.loop(variable(k) + 1, size) as i,
        ):
            factor = loops.div(loops.get(matrix, i, k), head)
            with loops.loop(variable(k) + 1, size) as j:
                change = loops.mul(factor, loops.get(matrix, k, j))
                loops.put(loops.sub(loops.get(matrix, i, j), change), matrix, i, j)
        signed = loops.select(loops.compare("eq", pivot, k), head, loops.neg(head))
        columns.next(loops.mul(product, signed))
    return columns.results[0]


def _largest_in_column(loops: LoopsBuilder, matrix: SSAValue, k: SSAValue, size: int) -> SSAValue:
    """Return the row at or below the diagonal with the largest magnitude in column k."""
    with loops.fold(k, size, loops.abs(loops.get(matrix, k, k)), k) as rows:
        best, at = rows.carried
        length = loops.abs(loops.get(matrix, rows.index, k))
        larger = loops.compare("gt", length, best)
        rows.next(loops.select(larger, length, best), loops.select(larger, rows.index, at))
    return rows.results[1]


RULES: dict[type, Rule] = {DetOp: lower_det}
