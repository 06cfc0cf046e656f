"""Lower the concats of main: one task copies the rows of one operand.

    packed.concat %a, %b along 1 to %y : memref<2x5xf32> of memref<2x2xf32>, memref<2x3xf32>
==>
    @tw_concat_0 = internal constant [6 x i64] [2, 20, 0, 8, 8, 12]
    @tw_concat_task(ptr %args, i64 %task, i64 %worker)    %args: %y, @tw_concat_0, %a, %b

The table holds the number of rows and the bytes from one row of the result to the next, then per
operand its first byte in a row of the result and its bytes per row.
"""

from __future__ import annotations

from itertools import accumulate, chain
from math import prod
from typing import cast

from xdsl.dialects.builtin import MemRefType

from ..dialects.dtypes import buffer_bytes
from ..dialects.packed import ConcatOp

SHARED_BYTES = 1024
"""Fewest bytes per operand, on average, for which threads share a concat."""


class Concats:
    """The concats of one main function: their tables."""

    def __init__(self) -> None:
        self._tables: list[str] = []

    def table(self, op: ConcatOp) -> str:
        """Add the table of a concat in buffer form; return its symbol."""
        shapes = op.shapes
        rows = prod(shapes[0][: op.axis])
        bytes_ = [buffer_bytes(cast(MemRefType, x.type)) // rows for x in op.xs]
        starts = accumulate(bytes_, initial=0)
        fields = [rows, sum(bytes_), *chain(*zip(starts, bytes_, strict=False))]
        name = f"@tw_concat_{len(self._tables)}"
        numbers = ", ".join(f"i64 {n}" for n in fields)
        self._tables.append(f"{name} = internal constant [{len(fields)} x i64] [{numbers}]")
        return name

    def is_shared(self, op: ConcatOp) -> bool:
        """Return whether a concat moves enough bytes for several threads."""
        assert op.target is not None, "main is bufferized"
        return buffer_bytes(cast(MemRefType, op.target.type)) >= SHARED_BYTES * len(op.xs)

    def definitions(self) -> list[str]:
        """Return the definitions that precede the function."""
        return [*self._tables, _TASK] if self._tables else []


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
