"""Lower determinants to LU decompositions with partial pivoting, one matrix at a time.

A matrix of constant size is copied to a local buffer. Matrices of a symbolic size are copied to a
second result of the te.loops, because a local buffer must have a constant size.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ...dialects.graph import DetOp
from ...dialects.shape import Dim, Extent, dims_of, likely, tensor_type, type_of
from ...dialects.te.loops_builder import LoopsBuilder, Place
from ...dialects.te.scalars import wide_type
from ...support.affine import variable
from .builder import Rule, TeBuilder, element_of, sizes_of

TASK_STEPS = 8192
"""Approximate number of multiply-adds per task."""


@dataclass(frozen=True)
class _Matrix:
    """A square matrix in a buffer.

    outer: the positions in the outer dimensions of the buffer.  size: the number of rows.
    """

    loops: LoopsBuilder
    buffer: SSAValue
    outer: Sequence[Place]
    size: Extent

    def get(self, row: Place, column: Place) -> SSAValue:
        return self.loops.get(self.buffer, *self.outer, row, column)

    def put(self, value: SSAValue, row: Place, column: Place) -> None:
        """Store ``value`` as an element of the matrix."""
        self.loops.put(value, self.buffer, *self.outer, row, column)


def lower_det(op: DetOp, builder: TeBuilder) -> SSAValue:
    """Lower to te.loops that multiply the pivots; each exchange of rows negates the product."""
    *batch, size = sizes_of(op.x)[:-1]
    if not size:
        return builder.full(type_of(op.out), 1)
    element, dims = element_of(op.x), dims_of(type_of(op.x))
    wide, is_dynamic = wide_type(element), isinstance(size, Dim)
    results = [tensor_type(element, dims[:-2])]
    results += [tensor_type(wide, dims)] if is_dynamic else []
    loops = LoopsBuilder("det", [builder.value(op.x)], results)
    source, out, *copies = loops.buffers
    with loops.points(batch, max(1, TASK_STEPS // max(1, likely(size)) ** 3)) as places:
        if isinstance(size, int):
            matrix = _Matrix(loops, loops.local(wide, size, size), (), size)
        else:
            matrix = _Matrix(loops, copies[0], places, size)
        with _unless_empty(matrix, out, places):
            with loops.loop(0, loops.end(size)) as i, loops.loop(0, loops.end(size)) as j:
                matrix.put(loops.widen(loops.get(source, *places, i, j)), i, j)
            value = _eliminate(matrix)
            loops.put(loops.cast(value, wide, element), out, *places)
    return builder.append(loops.build()).results[0]


@contextmanager
def _unless_empty(matrix: _Matrix, out: SSAValue, places: Sequence[Place]) -> Generator[None]:
    """Emit the ops of the ``with`` block under the condition that the matrix is not empty.

    Otherwise, the determinant of an empty matrix, 1, is stored in ``out`` at ``places``.
    """
    loops, size = matrix.loops, matrix.size
    if Dim.of(size).is_at_least(1):
        yield
        return
    loops.put(loops.constant(1, loops.get_type(out)), out, *places)
    with loops.when(loops.compare("ge", loops.size(size), loops.size(1))):
        yield


def _eliminate(matrix: _Matrix) -> SSAValue:
    """Emit the elimination that makes a matrix upper triangular; return the determinant."""
    loops, end = matrix.loops, matrix.loops.end(matrix.size)
    one = loops.constant(1, loops.get_type(matrix.buffer))
    with loops.fold(0, end, one) as columns:
        k, (product,) = columns.index, columns.carried
        pivot = _largest_in_column(matrix, k)
        with loops.loop(k, end) as j:
            upper, lower = matrix.get(k, j), matrix.get(pivot, j)
            matrix.put(lower, k, j)
            matrix.put(loops.select(loops.compare("eq", pivot, k), lower, upper), pivot, j)
        head = matrix.get(k, k)
        with (
            loops.when(loops.compare("ne", head, loops.like(0, head))),
            loops.loop(variable(k) + 1, end) as i,
        ):
            factor = loops.div(matrix.get(i, k), head)
            with loops.loop(variable(k) + 1, end) as j:
                change = loops.mul(factor, matrix.get(k, j))
                matrix.put(loops.sub(matrix.get(i, j), change), i, j)
        signed = loops.select(loops.compare("eq", pivot, k), head, loops.neg(head))
        columns.next(loops.mul(product, signed))
    return columns.results[0]


def _largest_in_column(matrix: _Matrix, k: SSAValue) -> SSAValue:
    """Return the row at or below row k with the largest magnitude in column k."""
    loops = matrix.loops
    with loops.fold(k, loops.end(matrix.size), loops.abs(matrix.get(k, k)), k) as rows:
        best, at = rows.carried
        length = loops.abs(matrix.get(rows.index, k))
        larger = loops.compare("gt", length, best)
        rows.next(loops.select(larger, length, best), loops.select(larger, rows.index, at))
    row = rows.results[1]
    return row if isinstance(matrix.size, int) else loops.inside(row, matrix.size)


RULES: dict[type, Rule] = {DetOp: lower_det}
