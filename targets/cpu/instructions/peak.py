"""The loops that measure the limits of the machine (runtime/measure/roofline.py), in machine code.

One loop measures GFLOP/s, the other GB/s. A file that is exported for profiling contains both.
"""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ....codegen.linker import link
from ....codegen.objects import cached_object
from ....codegen.worker import CompileOptions
from ....machines.target import Target
from ....runtime.abi.constants import (
    LOOP_SYMBOLS,
    SYMBOL_COMPUTE_LOOP,
    SYMBOL_LOOP_SIZES,
    SYMBOL_READ_LOOP,
)
from ....runtime.measure.roofline import STREAMS, VECTORS, LimitLoops
from ....support.cache import DiskCache, user_cache

_AHEAD_BYTES = 4096
# Two of the target's vector registers hold the factors; LLVM uses one more.
_RESERVED_REGISTERS = 3


def loops_object(target: Target, cache: DiskCache | None) -> bytes:
    """Return an object file with the loops that measure GFLOP/s and GB/s.

    The file also contains the numbers of accumulators and lanes of the first loop, as a constant.
    """
    sums, lanes = target.vector_registers - _RESERVED_REGISTERS, target.lanes(32)
    sizes = f"@{SYMBOL_LOOP_SIZES} = constant [2 x i32] [i32 {sums}, i32 {lanes}]"
    text = "\n".join([fma_loop(sums=sums, lanes=lanes), read_loop(lanes=lanes), sizes, ""])
    return cached_object(text, CompileOptions.of(target), cache)


def loop_library(code: bytes, symbols: Sequence[str]) -> ctypes.CDLL:
    """Link an object file with loops to a shared library, and load the library.

    code: the object file.  symbols: the functions and data to export.
    """
    image = link([code], exports=symbols)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "loop.so"
        path.write_bytes(image)
        return ctypes.CDLL(str(path))


@cache
def limit_loops(target: Target | None = None) -> LimitLoops:
    """Return the loops for a target, by default for this machine, loaded into this process."""
    code = loops_object(target or Target.native(), user_cache())
    library = loop_library(code, LOOP_SYMBOLS)
    compute, read = (
        ctypes.cast(library[name], ctypes.c_void_p).value or 0 for name in LOOP_SYMBOLS[:2]
    )
    sums, lanes = (ctypes.c_int32 * 2).in_dll(library, SYMBOL_LOOP_SIZES)
    return LimitLoops.at(compute, read, sums, lanes, library)


def fma_loop(*, sums: int, lanes: int) -> str:
    """Return LLVM IR of a loop that does a multiply-add on each of ``sums`` accumulator vectors."""
    vector = f"<{lanes} x float>"
    ones = f"<{', '.join(['float 1.0'] * lanes)}>"
    operands = [
        f"  %x = load {vector}, ptr %memory, align 4",
        f"  %y = fadd {vector} %x, {ones}",
    ]
    function = f"llvm.fma.v{lanes}f32"
    return instruction_loop(SYMBOL_COMPUTE_LOOP, function, (vector, vector), operands, sums)


def instruction_loop(
    symbol: str, function: str, types: tuple[str, str], operands: Sequence[str], sums: int
) -> str:
    """Return LLVM IR of a loop that calls an instruction on independent accumulators in registers.

        void symbol(void *memory, int64_t steps)

    function: the LLVM function; its arguments are an accumulator, %x and %y.  types: the type of an
    accumulator, and the type of %x and %y.  operands: lines of LLVM IR that define %x and %y.
    sums: the number of accumulators.
    """
    vector, operand = types
    each = range(sums)
    add, call = "fadd" if "float" in vector else "add", f"call {vector} @{function}"
    lines = [
        f"declare {vector} @{function}({vector}, {operand}, {operand})",
        f"define void @{symbol}(ptr %memory, i64 %steps) {{",
        "entry:",
        *operands,
        "  br label %loop",
        "loop:",
        "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
        *(f"  %a{i} = phi {vector} [ zeroinitializer, %entry ], [ %b{i}, %loop ]" for i in each),
        *(f"  %b{i} = {call}({vector} %a{i}, {operand} %x, {operand} %y)" for i in each),
        "  %next = add i64 %i, 1",
        "  %more = icmp slt i64 %next, %steps",
        "  br i1 %more, label %loop, label %done",
        "done:",
        # Use all sums, so that LLVM removes none.
        *(f"  %t{i} = {add} {vector} {f'%t{i - 1}' if i > 1 else '%b0'}, %b{i}" for i in each if i),
        f"  store {vector} %t{sums - 1}, ptr %memory, align 1",
        "  ret void",
        "}",
    ]
    return "\n".join([*lines, ""])


def read_loop(*, lanes: int) -> str:
    """Return LLVM IR that sums an array, and reads several consecutive parts of it in turns."""
    vector = f"<{lanes} x float>"
    size = 4 * lanes
    places = [(part, at) for part in range(STREAMS) for at in range(VECTORS)]
    bases = [
        line
        for part in range(STREAMS)
        for line in (
            f"  %o{part} = mul i64 %bytes, {part}",
            f"  %p{part} = getelementptr i8, ptr %data, i64 %o{part}",
        )
    ]
    steps: list[str] = []
    for part in range(STREAMS):
        steps += [
            f"  %q{part} = getelementptr i8, ptr %p{part}, i64 %i",
            f"  %f{part} = getelementptr i8, ptr %q{part}, i64 {_AHEAD_BYTES}",
            f"  call void @llvm.prefetch.p0(ptr %f{part}, i32 0, i32 2, i32 1)",
        ]
    for index, (part, at) in enumerate(places):
        steps += [
            f"  %a{index} = getelementptr i8, ptr %q{part}, i64 {at * size}",
            f"  %v{index} = load {vector}, ptr %a{index}, align 4",
            f"  %t{index} = fadd {vector} %s{index}, %v{index}",
        ]
    each = range(len(places))
    totals = [
        f"  %r{i} = fadd {vector} {f'%r{i - 1}' if i > 1 else '%t0'}, %t{i}" for i in each if i
    ]
    lines = [
        "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
        f"define void @{SYMBOL_READ_LOOP}(ptr %out, ptr %data, i64 %bytes) {{",
        "entry:",
        *bases,
        "  br label %loop",
        "loop:",
        "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
        *(f"  %s{i} = phi {vector} [ zeroinitializer, %entry ], [ %t{i}, %loop ]" for i in each),
        *steps,
        f"  %next = add i64 %i, {VECTORS * size}",
        "  %more = icmp slt i64 %next, %bytes",
        "  br i1 %more, label %loop, label %done",
        "done:",
        *totals,
        f"  store {vector} %r{len(places) - 1}, ptr %out, align 4",
        "  ret void",
        "}",
    ]
    return "\n".join(lines)
