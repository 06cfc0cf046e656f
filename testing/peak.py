"""The multiply-add peak of one core, measured: what GFLOP/s are to be compared with."""

from __future__ import annotations

import ctypes
import tempfile
import time
from pathlib import Path

from ..codegen.linker import link
from ..codegen.llvm import Machine, compile_ir
from ..support.target import Target

_SYMBOL = "fma_peak"
# Of the target's registers, two hold the factors; LLVM is left one more.
_RESERVED_REGISTERS = 3


class PeakLoop:
    """A loop that only multiplies and adds, in registers, on as many independent sums as fit.

    flops: f32 operations of one call; a multiply-add counts as two.
    """

    name = "peak"

    def __init__(self, target: Target | None = None, *, steps: int = 200_000) -> None:
        machine = Target.host() if target is None else target
        sums, lanes = machine.vector_registers - _RESERVED_REGISTERS, machine.lanes(32)
        text = fma_loop(sums=sums, lanes=lanes)
        words = Machine(machine.triple, cpu=machine.cpu, features=machine.attribute_string)
        image = link([compile_ir(text, words).data], exports=[_SYMBOL])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "peak.so"
            path.write_bytes(image)
            self._call = ctypes.CDLL(str(path))[_SYMBOL]
        self._call.argtypes, self._call.restype = [ctypes.c_void_p, ctypes.c_int64], None
        self._out = (ctypes.c_float * lanes)()
        self._steps = steps
        self.flops = 2 * sums * lanes * steps

    def __call__(self) -> None:
        """Run the loop once."""
        self._call(ctypes.addressof(self._out), self._steps)


def fma_peak(target: Target | None = None, *, rounds: int = 10, steps: int = 200_000) -> float:
    """Return the f32 operations per second of one thread: the best of some rounds."""
    loop = PeakLoop(target, steps=steps)
    times_s: list[float] = []
    for _ in range(rounds):
        start_s = time.perf_counter()
        loop()
        times_s.append(time.perf_counter() - start_s)
    return loop.flops / min(times_s)


def fma_loop(*, sums: int, lanes: int) -> str:
    """Return LLVM IR of a loop that does one multiply-add on each of some vectors."""
    vector = f"<{lanes} x float>"
    fma = f"@llvm.fma.v{lanes}f32"
    each = range(sums)
    ones = f"<{', '.join(['float 1.0'] * lanes)}>"
    phis = [f"  %a{i} = phi {vector} [ %x, %entry ], [ %b{i}, %loop ]" for i in each]
    steps = [
        f"  %b{i} = call {vector} {fma}({vector} %a{i}, {vector} %x, {vector} %y)" for i in each
    ]
    # All sums are used, so that none is left out.
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
