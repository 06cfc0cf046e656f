"""Measured limits of the machine: multiply-adds of a core, and bytes read from memory.

Each is a loop of its own, the reference for GFLOP/s and for GB/s.
"""

from __future__ import annotations

import ctypes
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from ...codegen.linker import link
from ...codegen.llvm import Machine, compile_ir
from ...runtime.profile import Roofline
from ...support.target import Target

_SYMBOL = "fma_peak"
_READ_SYMBOL = "read_peak"
# Number of streams that are read at once, vectors per step, and prefetch distance.
_STREAMS = 4
_VECTORS = 2
_AHEAD_BYTES = 4096
# Each thread reads memory larger than the caches, in loops of about a millisecond: the scheduler
# of a busy machine interrupts longer loops.
_READ_BYTES = 128 << 20
_READS = 8
_ROUNDS = 10
# Two of the target's registers hold the factors; LLVM keeps one more.
_RESERVED_REGISTERS = 3


class PeakLoop:
    """A loop of multiply-adds in registers, on as many independent sums as fit.

    flops: f32 operations of one call; a multiply-add counts as two.
    """

    name = "peak"

    def __init__(self, target: Target | None = None, *, steps: int = 200_000) -> None:
        machine = Target.host() if target is None else target
        sums, lanes = machine.vector_registers - _RESERVED_REGISTERS, machine.lanes(32)
        self._call = _loaded(fma_loop(sums=sums, lanes=lanes), _SYMBOL, machine)
        self._call.argtypes, self._call.restype = [ctypes.c_void_p, ctypes.c_int64], None
        self._out = (ctypes.c_float * lanes)()
        self._steps = steps
        self.flops = 2 * sums * lanes * steps

    def __call__(self) -> None:
        """Run the loop once."""
        self._call(ctypes.addressof(self._out), self._steps)


class ReadLoop:
    """A loop that only reads memory: the bytes of an array, several parts of it at once.

    bytes: read by one call.  sums: the totals of the last call, as a vector.
    """

    name = "read"

    def __init__(self, array: np.ndarray, target: Target | None = None) -> None:
        machine = Target.host() if target is None else target
        lanes = machine.lanes(32)
        step_bytes = 4 * lanes * _VECTORS
        self._array = array
        self._part_bytes = array.nbytes // _STREAMS // step_bytes * step_bytes
        self._call = _loaded(read_loop(lanes=lanes), _READ_SYMBOL, machine)
        self._call.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
        self._call.restype = None
        self.sums = (ctypes.c_float * lanes)()
        self.bytes = _STREAMS * self._part_bytes

    def __call__(self) -> None:
        """Read the array once."""
        self._call(ctypes.addressof(self.sums), self._array.ctypes.data, self._part_bytes)


def measured_roofline(target: Target | None = None, *, threads: int) -> Roofline:
    """Measure the limits of some threads; each short loop counts with its fastest round.

    flops: of one thread, times the threads.  bandwidth: the sum of the threads, which read parts of
    their own at once.
    """
    parts = [np.ones(_READ_BYTES // 4, np.float32) for _ in range(threads)]
    reads = [[ReadLoop(x, target) for x in np.array_split(part, _READS)] for part in parts]
    with ThreadPoolExecutor(threads) as pool:
        bandwidth = sum(pool.map(_bandwidth, reads))
    return Roofline(threads * fma_peak(target, rounds=_ROUNDS), bandwidth)


def _bandwidth(reads: Sequence[ReadLoop]) -> float:
    """Return the most bytes per second; a loop evicts the data of the others from the caches."""
    speeds: list[float] = []
    for read in [*reads] * _ROUNDS:
        start_s = time.perf_counter()
        read()
        speeds.append(read.bytes / (time.perf_counter() - start_s))
    return max(speeds)


def _loaded(text: str, symbol: str, target: Target) -> Any:
    """Compile LLVM IR unchanged and return its function."""
    image = link([compile_ir(text, Machine.of(target)).data], exports=[symbol])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "loop.so"
        path.write_bytes(image)
        return ctypes.CDLL(str(path))[symbol]


def fma_peak(target: Target | None = None, *, rounds: int = 10, steps: int = 200_000) -> float:
    """Return the f32 operations per second of one thread: the best of several rounds."""
    loop = PeakLoop(target, steps=steps)
    times_s: list[float] = []
    for _ in range(rounds):
        start_s = time.perf_counter()
        loop()
        times_s.append(time.perf_counter() - start_s)
    return loop.flops / min(times_s)


def fma_loop(*, sums: int, lanes: int) -> str:
    """Return LLVM IR of a loop that does one multiply-add on each of ``sums`` vectors."""
    vector = f"<{lanes} x float>"
    fma = f"@llvm.fma.v{lanes}f32"
    each = range(sums)
    ones = f"<{', '.join(['float 1.0'] * lanes)}>"
    phis = [f"  %a{i} = phi {vector} [ %x, %entry ], [ %b{i}, %loop ]" for i in each]
    steps = [
        f"  %b{i} = call {vector} {fma}({vector} %a{i}, {vector} %x, {vector} %y)" for i in each
    ]
    # Use all sums, so that LLVM removes none.
    totals = [
        f"  %t{i} = fadd {vector} {f'%t{i - 1}' if i > 1 else '%b0'}, %b{i}" for i in each if i
    ]
    lines = [
        f"declare {vector} {fma}({vector}, {vector}, {vector})",
        f"define void @{_SYMBOL}(ptr %out, i64 %steps) {{",
        "entry:",
        f"  %x = load {vector}, ptr %out, align 4",
        f"  %y = fadd {vector} %x, {ones}",
        "  br label %loop",
        "loop:",
        "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
        *phis,
        *steps,
        "  %next = add i64 %i, 1",
        "  %more = icmp slt i64 %next, %steps",
        "  br i1 %more, label %loop, label %done",
        "done:",
        *totals,
        f"  store {vector} %t{sums - 1}, ptr %out, align 4",
        "  ret void",
        "}",
    ]
    return "\n".join(lines)


def read_loop(*, lanes: int) -> str:
    """Return LLVM IR that sums the vectors of several consecutive parts of an array."""
    vector = f"<{lanes} x float>"
    size = 4 * lanes
    places = [(part, at) for part in range(_STREAMS) for at in range(_VECTORS)]
    bases = [
        line
        for part in range(_STREAMS)
        for line in (
            f"  %o{part} = mul i64 %bytes, {part}",
            f"  %p{part} = getelementptr i8, ptr %data, i64 %o{part}",
        )
    ]
    steps: list[str] = []
    for part in range(_STREAMS):
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
        f"define void @{_READ_SYMBOL}(ptr %out, ptr %data, i64 %bytes) {{",
        "entry:",
        *bases,
        "  br label %loop",
        "loop:",
        "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
        *(f"  %s{i} = phi {vector} [ zeroinitializer, %entry ], [ %t{i}, %loop ]" for i in each),
        *steps,
        f"  %next = add i64 %i, {_VECTORS * size}",
        "  %more = icmp slt i64 %next, %bytes",
        "  br i1 %more, label %loop, label %done",
        "done:",
        *totals,
        f"  store {vector} %r{len(places) - 1}, ptr %out, align 4",
        "  ret void",
        "}",
    ]
    return "\n".join(lines)
