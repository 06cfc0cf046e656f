"""Emit main for a dynamic number of rows: blocks of several sizes, with one program per size.

    define hidden i32 @tw_run(ptr %data, ptr %arena, i32 %threads)

After the addresses of the arguments ``%data`` holds the number of rows.  Main splits the rows into
whole blocks, from the largest size to the smallest.  A remainder below the second smallest size is
computed by one more block of that size that overlaps earlier rows, if the call has enough rows.
The split depends on the number of rows only.  At least as many blocks as threads are tasks of one
launch, each on one thread with its own arena; fewer run one after the other on all threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, cast

from ..dialects.packed import CheckIndicesOp
from .checks_to_llvm import Checks
from .packed_to_llvm import LAUNCH, run_symbol

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType

MANY_ROWS = 1 << 31
"""Nominal size of a dynamic row dimension in a buffer type."""
BLOCK_ROWS = (1, 8, 32, 128, 512, 2048, 8192, 32768)
"""Sizes of blocks; from 8 rows on a matrix product has a full register tile."""


@dataclass(frozen=True)
class RowCheck:
    """A check of the indices in an argument, executed before any block.

    argument: its number.  op: a check of the argument's type, with ``MANY_ROWS`` if ``has_rows``.
    """

    argument: int
    op: CheckIndicesOp
    has_rows: bool


def emit_rows(
    sizes: Sequence[int],
    row_bytes: Sequence[int],
    arena_bytes: int,
    checks: Sequence[RowCheck] = (),
) -> str:
    """Return the module that defines ``tw_run``.

    sizes: sizes of blocks, ascending from 1.  row_bytes: per argument; 0 for one of fixed size.
    arena_bytes: maximum need of one block, a multiple of 64.
    """
    count = len(row_bytes)
    symbols = {n: run_symbol(str(n)) for n in sizes}
    table = ", ".join(f"{{ ptr, i64 }} {{ ptr @{symbols[n]}, i64 {n} }}" for n in sizes[::-1])
    strides = ", ".join(f"i64 {n}" for n in row_bytes)
    found = Checks()
    tests = [_check_text(found, check, n) for n, check in enumerate(checks)]
    declarations = [f"declare hidden i32 @{symbols[n]}(ptr, ptr, i32)" for n in sizes]
    return "\n".join(
        [
            "@__tw_pool = external global ptr",
            *declarations,
            LAUNCH,
            f"@sizes = internal constant [{len(sizes)} x {{ ptr, i64 }}] [{table}]",
            f"@strides = internal constant [{count} x i64] [{strides}]",
            *found.definitions(),
            _RUN.format(
                count=count,
                levels=len(sizes),
                arena=arena_bytes,
                few=len(sizes) - 2,
                checks="".join(tests),
                checked=f"%right{len(checks) - 1}" if checks else "%entry",
                wrong="".join(f", [ %status{n}, %check{n} ]" for n in range(len(checks))),
            ),
        ]
    )


def _check_text(checks: Checks, check: RowCheck, n: int) -> str:
    """Return the call of a check, for the number of rows of the call."""
    number, element = checks.describe(check.op)
    shape = cast("MemRefType", check.op.x.type).get_shape()
    elements = prod(shape[1:] if check.has_rows else shape)
    return _CHECK.format(
        n=n,
        number=number,
        element=element,
        rows="%rows" if check.has_rows else 1,
        elements=elements,
        argument=check.argument,
    )


_CHECK = """ br label %check{n}
check{n}:
 %description{n} = alloca %check, align 8
 %fields{n} = load %check, ptr @tw_check_{number}, align 8
 store %check %fields{n}, ptr %description{n}, align 8
 %elements{n} = mul i64 {rows}, {elements}
 %elements_at{n} = getelementptr %check, ptr %description{n}, i64 0, i32 3
 store i64 %elements{n}, ptr %elements_at{n}, align 8
 %indices_at{n} = getelementptr ptr, ptr %data, i64 {argument}
 %indices{n} = load ptr, ptr %indices_at{n}, align 8
 %status{n} = call i32 @tw_check_{element}(
  ptr %indices{n}, ptr %description{n}, ptr @tw_check_sizes_{number})
 %is_wrong{n} = icmp ne i32 %status{n}, 0
 br i1 %is_wrong{n}, label %fail, label %right{n}
right{n}:
"""


_RUN = """
%blocks = type {{ ptr, ptr, i64, ptr, i64 }}         ; data, arena, first row, program, rows
define internal void @block_task(ptr %blocks, i64 %task, i64 %worker) nounwind {{
 %status = call i32 @run_block(ptr %blocks, i64 %task, i64 %worker, i32 1)
 ret void
}}
define internal i32 @run_block(ptr %blocks, i64 %task, i64 %worker, i32 %threads) nounwind {{
entry:
 %addresses = alloca [{count} x ptr], align 16
 %data = load ptr, ptr %blocks, align 8
 %arena_at = getelementptr %blocks, ptr %blocks, i64 0, i32 1
 %arenas = load ptr, ptr %arena_at, align 8
 %first_at = getelementptr %blocks, ptr %blocks, i64 0, i32 2
 %first = load i64, ptr %first_at, align 8
 %program_at = getelementptr %blocks, ptr %blocks, i64 0, i32 3
 %program = load ptr, ptr %program_at, align 8
 %size_at = getelementptr %blocks, ptr %blocks, i64 0, i32 4
 %size = load i64, ptr %size_at, align 8
 %offset = mul i64 %task, %size
 %row = add i64 %first, %offset
 %own = mul i64 %worker, {arena}
 %arena = getelementptr i8, ptr %arenas, i64 %own
 br label %each
each:
 %n = phi i64 [ 0, %entry ], [ %next, %each ]
 %stride_at = getelementptr i64, ptr @strides, i64 %n
 %stride = load i64, ptr %stride_at, align 8
 %bytes = mul i64 %row, %stride
 %whole_at = getelementptr ptr, ptr %data, i64 %n
 %whole = load ptr, ptr %whole_at, align 8
 %part = getelementptr i8, ptr %whole, i64 %bytes
 %part_at = getelementptr ptr, ptr %addresses, i64 %n
 store ptr %part, ptr %part_at, align 8
 %next = add i64 %n, 1
 %more = icmp ult i64 %next, {count}
 br i1 %more, label %each, label %run
run:
 %status = call i32 %program(ptr %addresses, ptr %arena, i32 %threads)
 ret i32 %status
}}
define hidden i32 @tw_run(ptr %data, ptr %arena, i32 %threads) nounwind {{
entry:
 %blocks = alloca %blocks, align 16
 %rows_at = getelementptr ptr, ptr %data, i64 {count}
 %rows = load i64, ptr %rows_at, align 8
 store ptr %data, ptr %blocks, align 8
 %arena_at = getelementptr %blocks, ptr %blocks, i64 0, i32 1
 store ptr %arena, ptr %arena_at, align 8
 %first_at = getelementptr %blocks, ptr %blocks, i64 0, i32 2
 %program_at = getelementptr %blocks, ptr %blocks, i64 0, i32 3
 %size_at = getelementptr %blocks, ptr %blocks, i64 0, i32 4
{checks} br label %level
level:
 %k = phi i64 [ 0, {checked} ], [ %following, %rest ]
 %done = phi i64 [ 0, {checked} ], [ %covered, %rest ]
 %more = icmp ult i64 %k, {levels}
 br i1 %more, label %look, label %finished
look:
 %at = getelementptr {{ ptr, i64 }}, ptr @sizes, i64 %k
 %program = load ptr, ptr %at, align 8
 %rows_of_block_at = getelementptr {{ ptr, i64 }}, ptr @sizes, i64 %k, i32 1
 %size = load i64, ptr %rows_of_block_at, align 8
 store ptr %program, ptr %program_at, align 8
 store i64 %size, ptr %size_at, align 8
 store i64 %done, ptr %first_at, align 8
 %left = sub i64 %rows, %done
 %tasks = udiv i64 %left, %size
 %wide_threads = sext i32 %threads to i64
 %shared = icmp sge i64 %tasks, %wide_threads
 br i1 %shared, label %some, label %one_by_one
some:
 %any_task = icmp ne i64 %tasks, 0
 br i1 %any_task, label %launch, label %after
launch:
 %status = call i32 @tw_launch(ptr @block_task, ptr %blocks, i64 %tasks, i32 %threads)
 %failed = icmp ne i32 %status, 0
 br i1 %failed, label %fail, label %after
one_by_one:
 %task = phi i64 [ 0, %look ], [ %next_task, %block ]
 %more_tasks = icmp ult i64 %task, %tasks
 br i1 %more_tasks, label %block, label %after
block:
 %block_status = call i32 @run_block(ptr %blocks, i64 %task, i64 0, i32 %threads)
 %next_task = add i64 %task, 1
 %block_failed = icmp ne i32 %block_status, 0
 br i1 %block_failed, label %fail, label %one_by_one
after:
 %computed = mul i64 %tasks, %size
 %reached = add i64 %done, %computed
 %remaining = sub i64 %rows, %reached
 %is_few = icmp eq i64 %k, {few}
 %any = icmp ne i64 %remaining, 0
 %fits = icmp uge i64 %rows, %size
 %both = and i1 %is_few, %any
 %again = and i1 %both, %fits
 br i1 %again, label %overlap, label %rest
overlap:
 %start = sub i64 %rows, %size
 store i64 %start, ptr %first_at, align 8
 %overlap_status = call i32 @run_block(ptr %blocks, i64 0, i64 0, i32 %threads)
 %overlap_failed = icmp ne i32 %overlap_status, 0
 br i1 %overlap_failed, label %fail, label %rest
rest:
 %covered = phi i64 [ %reached, %after ], [ %rows, %overlap ]
 %following = add i64 %k, 1
 br label %level
finished:
 ret i32 0
fail:
 %bad = phi i32 [ %status, %launch ], [ %block_status, %block ],
  [ %overlap_status, %overlap ]{wrong}
 ret i32 %bad
}}
"""
