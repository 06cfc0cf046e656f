"""Lower the index checks of main: scan a buffer, and report the first index out of range.

    packed.check_indices %x below [3000] wraps of "Gather 'words'" : memref<1x9xi64>
==>
    @tw_check_0 = internal constant %check { place, shape, … }
    %status = call i32 @tw_check_i64(ptr %x, ptr @tw_check_0, ptr %sizes)

A loop compares eight elements at a time with their range, as unsigned integers. After an index out
of range it checks single elements, to find the first such index in column order. The runtime
function ``tw_fail_index`` (entry.c) reports that element as an IndexError.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Protocol, cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ...dialects.packed import CheckIndicesOp
from ...dialects.shape import Extent, dims_of, element_count, extent_of, symbols_of


class Emitter(Protocol):
    """The interface of the emitter of main's LLVM IR that index checks use."""

    lines: list[str]

    def emit(self, instruction: str) -> str:
        """Append an instruction and return the name of its result."""
        ...

    def name(self, value: SSAValue) -> str:
        """Return the name of a value in LLVM."""
        ...

    def size(self, extent: Extent) -> str:
        """Return the LLVM value of a size."""
        ...

    def sizes(self, sizes: Sequence[Extent]) -> str:
        """Return a pointer to consecutive sizes in the table of sizes."""
        ...

    def end_if(self, condition: str, status: str) -> None:
        """Emit a return of ``status`` from main if a condition holds."""
        ...


class Checks:
    """The index checks of main: their constant descriptions, and the functions that run them."""

    def __init__(self) -> None:
        self._globals: list[str] = []
        self._types: set[str] = set()
        self._has_sized = False

    def call(self, op: CheckIndicesOp, emitter: Emitter) -> None:
        """Emit the call of a check, and a return from main if the check fails."""
        type_ = cast("MemRefType", op.x.type)
        count = extent_of(element_count(dims_of(type_)))
        if count == 0:
            return
        sizes = _distinct(op)
        number, element = self.describe(op)
        check, bounds = f"@tw_check_{number}", f"@tw_check_sizes_{number}"
        if symbols_of(type_):
            check = self._sized(number, emitter.sizes(dims_of(type_)), emitter.size(count), emitter)
        if op.bounds is not None:
            bounds = emitter.name(op.bounds)
        elif len(_static(sizes)) < len(sizes):
            bounds = emitter.sizes(sizes)
        status = emitter.emit(
            f"call i32 @tw_check_{element}(ptr {emitter.name(op.x)}, ptr {check}, ptr {bounds})"
        )
        emitter.end_if(emitter.emit(f"icmp ne i32 {status}, 0"), status)

    def _sized(self, number: int, shape: str, count: str, emitter: Emitter) -> str:
        """Emit a copy of a description with the dynamic shape and count; return its address."""
        self._has_sized = True
        fields = emitter.emit(f"load %check, ptr @tw_check_{number}, align 8")
        for position, value in ((1, f"ptr {shape}"), (3, f"i64 {count}")):
            fields = emitter.emit(f"insertvalue %check {fields}, {value}, {position}")
        emitter.lines.append(f" store %check {fields}, ptr %check, align 8")
        return "%check"

    def allocations(self) -> list[str]:
        """Return the alloca instructions that checks need at the start of main."""
        return [" %check = alloca %check, align 8"] if self._has_sized else []

    def describe(self, op: CheckIndicesOp) -> tuple[int, str]:
        """Add the constant description of a check; return its number and its element type.

        Dynamic sizes are left out of the description.
        """
        type_ = cast("MemRefType", op.x.type)
        shape, element = type_.get_shape(), str(type_.get_element_type())
        number = len(self._globals) // 4
        sizes = _distinct(op)
        place = op.place.encode() + b"\0"
        text = "".join(f"\\{byte:02X}" for byte in place)
        fields = (
            f"ptr @tw_check_place_{number}", f"ptr @tw_check_shape_{number}", f"i64 {len(shape)}",
            f"i64 {prod(shape)}", f"i64 {len(sizes)}", f"i64 {-1 if op.wraps else 0}",
        )  # fmt: skip
        self._globals += [
            f'@tw_check_place_{number} = internal constant [{len(place)} x i8] c"{text}"',
            _integers(f"@tw_check_shape_{number}", shape),
            _integers(f"@tw_check_sizes_{number}", _static(sizes)),
            f"@tw_check_{number} = internal constant %check {{ {', '.join(fields)} }}",
        ]
        self._types.add(element)
        return number, element

    def definitions(self) -> list[str]:
        """Return the global definitions that precede main."""
        if not self._globals:
            return []
        scans = [_SCAN.format(type=name, extend=_EXTENSION[name]) for name in sorted(self._types)]
        return [_DECLARATIONS, *self._globals, *scans]


def _distinct(op: CheckIndicesOp) -> tuple[Extent, ...]:
    """Return the bounds of a check, or a single bound if all are equal."""
    return op.sizes[:1] if op.bounds is None and len(set(op.sizes)) == 1 else op.sizes


def _static(sizes: Sequence[Extent]) -> tuple[int, ...]:
    return tuple(size for size in sizes if isinstance(size, int))


def _integers(name: str, numbers: Sequence[int]) -> str:
    elements = ", ".join(f"i64 {n}" for n in numbers)
    return f"{name} = internal constant [{len(numbers)} x i64] [{elements}]"


_EXTENSION = {"i64": "bitcast", "i32": "sext"}
"""The LLVM op that extends an element to i64."""

_DECLARATIONS = """
%check = type { ptr, ptr, i64, i64, i64, i64 }  ; place, shape, rank, elements, columns, -1: wraps
declare hidden i32 @tw_fail_index(ptr, i64, i64, i64, i64)"""

_SCAN = """
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
