"""Lower the concats of main to tasks, one per operand, that copy the operand's rows.

    packed.concat %a, %b along 1 to %y : memref<2x5xf32> of memref<2x2xf32>, memref<2x3xf32>
==>
    @tw_concat_0 = internal constant [6 x i64] [2, 20, 0, 8, 8, 12]
    @tw_concat_task(ptr %args, i64 %task, i64 %worker)    %args: %y, @tw_concat_0, %a, %b

With symbolic sizes, the table is a part of the table of sizes (size_table.py). The table has the
number of rows and the number of bytes from one row of the result to the next, then for each operand
its byte offset in a row of the result and its number of bytes per row.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import cast

from xdsl.dialects.builtin import MemRefType

from ...dialects.dtypes import buffer_size, storage_bytes
from ...dialects.packed import ConcatOp
from ...dialects.shape import Dim, Extent, element_count, extent_of

SHARED_BYTES = 1024
"""Fewest bytes per operand, on average, for which threads share a concat."""


class Concats:
    """The constant tables of the concats of main.

    are_used: whether main has a concat.
    """

    def __init__(self) -> None:
        self._tables: list[str] = []
        self.are_used = False

    def table(self, fields: Sequence[int]) -> str:
        """Add a table of static sizes, and return its symbol."""
        name = f"@tw_concat_{len(self._tables)}"
        numbers = ", ".join(f"i64 {n}" for n in fields)
        self._tables.append(f"{name} = internal constant [{len(fields)} x i64] [{numbers}]")
        return name

    def definitions(self) -> list[str]:
        """Return the global definitions that precede main."""
        return [*self._tables, _TASK] if self.are_used else []


def table_of(op: ConcatOp) -> list[Extent]:
    """Return the fields of a concat's table as sizes; the concat is on buffers."""
    element = storage_bytes(cast(MemRefType, op.xs[0].type).element_type)
    bytes_ = [element_count(shape[op.axis :]) * element for shape in op.shapes]
    starts = accumulate(bytes_, initial=Dim.const(0))
    rows = element_count(op.shapes[0][: op.axis])
    fields = [rows, sum(bytes_, Dim.const(0)), *chain(*zip(starts, bytes_, strict=False))]
    return [extent_of(field) for field in fields]


def tasks_of(op: ConcatOp) -> Extent:
    """Return the number of tasks of a concat: one per operand, or none if there are no rows."""
    return extent_of(element_count(op.shapes[0][: op.axis]).min(1) * len(op.xs))


def is_shared(op: ConcatOp) -> bool:
    """Return whether a concat moves enough bytes for several threads, or may do so at run time."""
    assert op.target is not None, "main is bufferized"
    size = buffer_size(cast(MemRefType, op.target.type))
    return not isinstance(size, int) or size >= SHARED_BYTES * len(op.xs)


_TASK = """
define internal void @tw_concat_task(ptr %args, i64 %task, i64 %worker) nounwind {
entry:
 %out = load ptr, ptr %args, align 8
 %table_at = getelementptr ptr, ptr %args, i64 1
 %table = load ptr, ptr %table_at, align 8
 %position = add i64 %task, 2
 %x_at = getelementptr ptr, ptr %args, i64 %position
 %x = load ptr, ptr %x_at, align 8
 %rows = load i64, ptr %table, align 8
 %pitch_at = getelementptr i64, ptr %table, i64 1
 %pitch = load i64, ptr %pitch_at, align 8
 %entry_at = getelementptr { i64, i64 }, ptr %table, i64 %task
 %start_at = getelementptr i64, ptr %entry_at, i64 2
 %start = load i64, ptr %start_at, align 8
 %bytes_at = getelementptr i64, ptr %entry_at, i64 3
 %bytes = load i64, ptr %bytes_at, align 8
 %first = getelementptr i8, ptr %out, i64 %start
 br label %each
each:
 %row = phi i64 [0, %entry], [%next, %each]
 %from = mul i64 %row, %bytes
 %source = getelementptr i8, ptr %x, i64 %from
 %to = mul i64 %row, %pitch
 %target = getelementptr i8, ptr %first, i64 %to
 call void @llvm.memcpy.p0.p0.i64(ptr %target, ptr %source, i64 %bytes, i1 0)
 %next = add nuw i64 %row, 1
 %more = icmp ult i64 %next, %rows
 br i1 %more, label %each, label %done
done:
 ret void
}
"""
