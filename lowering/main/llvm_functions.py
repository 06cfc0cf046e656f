"""Templates of the helper functions in LLVM IR that the printed LLVM IR of main uses.

``{pointer_bytes}`` stands for the size and alignment of an address. In the function that checks
indices, ``{type}`` stands for the type of an index, and ``{extend}`` for the instruction that
extends it to 64 bits. `LlvmPrinter` (llvm_printer.py) fills the templates in.
"""

from __future__ import annotations

LAUNCH = """
%section = type {{ ptr, ptr, i64 }}
define internal void @tw_section_task(ptr %sections, i64 %task, i64 %worker) nounwind {{
entry:
 br label %each
each:
 %number = phi i64 [0, %entry], [%next, %later]
 %rest = phi i64 [%task, %entry], [%less, %later]
 %tasks_at = getelementptr %section, ptr %sections, i64 %number, i32 2
 %tasks = load i64, ptr %tasks_at, align 8
 %mine = icmp ult i64 %rest, %tasks
 br i1 %mine, label %found, label %later
later:
 %less = sub nuw i64 %rest, %tasks
 %next = add nuw i64 %number, 1
 br label %each
found:
 %kernel_at = getelementptr %section, ptr %sections, i64 %number
 %kernel = load ptr, ptr %kernel_at, align {pointer_bytes}
 %args_at = getelementptr %section, ptr %sections, i64 %number, i32 1
 %args = load ptr, ptr %args_at, align {pointer_bytes}
 call void %kernel(ptr %args, i64 %rest, i64 %worker)
 ret void
}}
define internal void @tw_run_tasks(ptr %kernel, ptr %args, i64 %tasks) nounwind {{
entry:
 br label %each
each:
 %task = phi i64 [0, %entry], [%next, %each]
 call void %kernel(ptr %args, i64 %task, i64 0)
 %next = add nuw i64 %task, 1
 %more = icmp ult i64 %next, %tasks
 br i1 %more, label %each, label %done
done:
 ret void
}}
define internal i32 @tw_launch(ptr %kernel, ptr %args, i64 %tasks, i32 %threads) nounwind {{
entry:
 %pool = load ptr, ptr @__tw_pool, align {pointer_bytes}
 %missing = icmp eq ptr %pool, null
 %single = icmp sle i32 %threads, 1
 %inline = or i1 %missing, %single
 br i1 %inline, label %here, label %shared
here:
 call void @tw_run_tasks(ptr %kernel, ptr %args, i64 %tasks)
 ret i32 0
shared:
 %status = call i32 %pool(ptr %kernel, ptr %args, i64 %tasks, i32 %threads)
 ret i32 %status
}}
"""
"""Functions that distribute tasks among threads; every module with tasks defines them."""

LAUNCH_SIZED = """
define internal i32 @tw_launch_sized(ptr %kernel, ptr %args, i64 %tasks, i32 %threads) nounwind {
entry:
 switch i64 %tasks, label %several [ i64 0, label %none i64 1, label %one ]
one:
 call void %kernel(ptr %args, i64 0, i64 0)
 ret i32 0
none:
 ret i32 0
several:
 %status = call i32 @tw_launch(ptr %kernel, ptr %args, i64 %tasks, i32 %threads)
 ret i32 %status
}
"""
"""Distributes a symbolic number of tasks; a main with symbolic sizes needs it."""

CONCAT_TASK = """
define internal void @tw_concat_task(ptr %args, i64 %task, i64 %worker) nounwind {{
entry:
 %out = load ptr, ptr %args, align {pointer_bytes}
 %table_at = getelementptr ptr, ptr %args, i64 1
 %table = load ptr, ptr %table_at, align {pointer_bytes}
 %position = add i64 %task, 2
 %x_at = getelementptr ptr, ptr %args, i64 %position
 %x = load ptr, ptr %x_at, align {pointer_bytes}
 %rows = load i64, ptr %table, align 8
 %pitch_at = getelementptr i64, ptr %table, i64 1
 %pitch = load i64, ptr %pitch_at, align 8
 %entry_at = getelementptr {{ i64, i64 }}, ptr %table, i64 %task
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
}}
"""
"""Copies the rows of one operand of a concat; its table is described in concats.py."""

CHECK_TYPE = """
%check = type { ptr, ptr, i64, i64, i64, i64 }  ; place, shape, rank, elements, columns, -1: wraps
declare hidden i32 @tw_fail_index(ptr, i64, i64, i64, i64)"""
"""The description of a check of indices, and the function that reports a wrong index."""

SCAN = """
; Return the number of the first of %count elements, %step apart, that is outside of %low and the
; %span - 1 numbers behind it; -1 if there is none.
define internal i64 @tw_outside_{type}(ptr %data, i64 %count, i64 %step, i64 %low, i64 %span) {{
entry:
 %low_1 = insertelement <8 x i64> poison, i64 %low, i64 0
 %lows = shufflevector <8 x i64> %low_1, <8 x i64> poison, <8 x i32> zeroinitializer
 %span_1 = insertelement <8 x i64> poison, i64 %span, i64 0
 %spans = shufflevector <8 x i64> %span_1, <8 x i64> poison, <8 x i32> zeroinitializer
 %dense = icmp eq i64 %step, 1
 %whole = and i64 %count, -8
 %end = select i1 %dense, i64 %whole, i64 0
 br label %test
test:
 %n = phi i64 [ 0, %entry ], [ %later, %inside ]
 %more = icmp ult i64 %n, %end
 br i1 %more, label %eight, label %rest
eight:
 %at = getelementptr {type}, ptr %data, i64 %n
 %given = load <8 x {type}>, ptr %at, align 4
 %many = {extend} <8 x {type}> %given to <8 x i64>
 %distances = sub <8 x i64> %many, %lows
 %wrong = icmp uge <8 x i64> %distances, %spans
 %mask = bitcast <8 x i1> %wrong to i8
 %any = icmp ne i8 %mask, 0
 br i1 %any, label %rest, label %inside
inside:
 %later = add i64 %n, 8
 br label %test
rest:
 %m = phi i64 [ %n, %test ], [ %n, %eight ], [ %next, %right ]
 %left = icmp ult i64 %m, %count
 br i1 %left, label %one, label %done
one:
 %number = mul i64 %m, %step
 %one_at = getelementptr {type}, ptr %data, i64 %number
 %value = load {type}, ptr %one_at, align 4
 %long = {extend} {type} %value to i64
 %distance = sub i64 %long, %low
 %bad = icmp uge i64 %distance, %span
 br i1 %bad, label %done, label %right
right:
 %next = add i64 %m, 1
 br label %rest
done:
 %found = phi i64 [ -1, %rest ], [ %m, %one ]
 ret i64 %found
}}
; Check all columns; report the first wrong element of the first column that has one. 0 or -1.
define internal i32 @tw_check_{type}(ptr %data, ptr %check, ptr %sizes) {{
entry:
 %count_at = getelementptr %check, ptr %check, i64 0, i32 3
 %count = load i64, ptr %count_at
 %columns_at = getelementptr %check, ptr %check, i64 0, i32 4
 %columns = load i64, ptr %columns_at
 %sign_at = getelementptr %check, ptr %check, i64 0, i32 5
 %sign = load i64, ptr %sign_at
 %rows = udiv i64 %count, %columns
 br label %test
test:
 %column = phi i64 [ 0, %entry ], [ %next, %right ]
 %more = icmp ult i64 %column, %columns
 br i1 %more, label %look, label %done
look:
 %size_at = getelementptr i64, ptr %sizes, i64 %column
 %size = load i64, ptr %size_at
 %low = mul i64 %size, %sign
 %span = sub i64 %size, %low
 %first_at = getelementptr {type}, ptr %data, i64 %column
 %row = call i64 @tw_outside_{type}(ptr %first_at, i64 %rows, i64 %columns, i64 %low, i64 %span)
 %fine = icmp slt i64 %row, 0
 br i1 %fine, label %right, label %wrong
right:
 %next = add i64 %column, 1
 br label %test
wrong:
 %start = mul i64 %row, %columns
 %position = add i64 %start, %column
 %value_at = getelementptr {type}, ptr %data, i64 %position
 %value = load {type}, ptr %value_at, align 4
 %got = {extend} {type} %value to i64
 %high = sub i64 %size, 1
 %status = call i32 @tw_fail_index(ptr %check, i64 %position, i64 %got, i64 %low, i64 %high)
 ret i32 %status
done:
 ret i32 0
}}
"""
"""Checks indices: eight at a time, then single ones to find the first one out of range."""

DROP = """
%value = type {{ i32, i32, i64 }}
%tensor = type {{ ptr, i32, i32, i32, i32, ptr, ptr, i64 }}
define internal void @tw_drop(ptr %value) nounwind {{
entry:
 %kind = load i32, ptr %value, align 8
 %counted = icmp sge i32 %kind, 64
 br i1 %counted, label %object, label %done
object:
 %object_at = getelementptr %value, ptr %value, i64 0, i32 2
 %header = load ptr, ptr %object_at, align {pointer_bytes}
 %before = atomicrmw sub ptr %header, i64 1 acq_rel
 %strong = and i64 %before, 4294967295
 %last = icmp eq i64 %strong, 1
 br i1 %last, label %delete, label %done
delete:
 %delete_at = getelementptr i8, ptr %header, i64 16
 %deleter = load ptr, ptr %delete_at, align {pointer_bytes}
 %has_deleter = icmp ne ptr %deleter, null
 br i1 %has_deleter, label %call, label %done
call:
 %only = icmp eq i64 %before, 4294967297
 %flags = select i1 %only, i32 3, i32 1
 call void %deleter(ptr %header, i32 %flags)
 br i1 %only, label %done, label %weak
weak:
 %weak_before = atomicrmw sub ptr %header, i64 4294967296 acq_rel
 %last_weak = icmp ult i64 %weak_before, 8589934592
 br i1 %last_weak, label %free, label %done
free:
 call void %deleter(ptr %header, i32 2)
 br label %done
done:
 ret void
}}
"""
"""Drops the result of a function of the process, which may be a counted object."""
