"""The tables of the concats of main: one task per operand copies the operand's rows.

    packed.concat %a, %b along 1 to %y : memref<2x5xf32> of memref<2x2xf32>, memref<2x3xf32>
==>
    table [2, 20, 0, 8, 8, 12], arguments y, table, a, b, and two tasks of `CONCAT` (printer.py)

The table has the number of rows and the number of bytes from one row of the result to the next,
then for each operand its byte offset in a row of the result and its number of bytes per row.  With
symbolic sizes, the table is a part of the table of sizes (size_table.py).
"""

from __future__ import annotations

from itertools import accumulate, chain
from typing import cast

from xdsl.dialects.builtin import MemRefType

from ...dialects.dtypes import buffer_size, storage_bytes
from ...dialects.packed import ConcatOp
from ...dialects.shape import Dim, Extent, element_count, extent_of

SHARED_BYTES = 1024
"""Fewest bytes per operand, on average, for which threads share a concat."""


def table_of(op: ConcatOp) -> list[Extent]:
    """Return the numbers that describe a concat to the function that copies its operands.

    First the number of rows and the bytes from one row of the result to the next; then, for each
    operand, its byte offset in a row of the result and its bytes per row.

    Before: the concat is bufferized.
    """
    element = storage_bytes(cast(MemRefType, op.xs[0].type).element_type)
    bytes_ = [element_count(shape[op.axis :]) * element for shape in op.shapes]
    starts = accumulate(bytes_, initial=Dim.const(0))
    rows = element_count(op.shapes[0][: op.axis])
    fields = [rows, sum(bytes_, Dim.const(0)), *chain(*zip(starts, bytes_, strict=False))]
    return [extent_of(field) for field in fields]


def tasks_of(op: ConcatOp) -> Extent:
    """Return the number of tasks of a concat: one per operand, or 0 if the result has no rows."""
    return extent_of(element_count(op.shapes[0][: op.axis]).min(1) * len(op.xs))


def is_shared(op: ConcatOp) -> bool:
    """Return whether several threads should share the tasks of a concat.

    This is so if the concat moves, or may move, enough bytes.
    """
    assert op.target is not None, "main is bufferized"
    size = buffer_size(cast(MemRefType, op.target.type))
    return not isinstance(size, int) or size >= SHARED_BYTES * len(op.xs)
