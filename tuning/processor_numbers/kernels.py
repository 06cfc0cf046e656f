"""Kernels of a few instructions in a loop, whose times show the rates of a processor core.

In: a target of x86-64.  Out: LLVM IR with inline assembly, because a loop of plain IR would measure
how LLVM allocates registers.  Every kernel is a function ``name(address, bytes, repetitions)``: it
executes its instructions once for each step of ``step_bytes`` in the first ``bytes`` of a buffer,
and does so ``repetitions`` times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...codegen.linker import link
from ...codegen.llvm import Machine, compile_ir
from ...machines.target import Target
from ...runtime.abi.library import Library
from ...support.diagnostics import TargetError

LINE_BYTES = 64
"""The size of a cache line."""

WIDTHS: Mapping[int, str] = {128: "xmm", 256: "ymm", 512: "zmm"}
"""The registers of each width of vectors in bits."""

CHAIN = 64
"""The instructions of a chain in which each one waits for the one before."""

SUMS = 12
"""The sums of a kernel of multiply-adds: more than latency times ports of any processor."""

LOADS = 8
"""The loads or stores of a step."""

MIXES = ((4, 2), (4, 4), (5, 3), (6, 4))
"""Pairs of the numbers of scalar and of vector additions in a step of the kernels of issues.  The
processor executes as many of them per cycle as it can issue, if it has units for a mix."""

CHASE, TASK = "chase", "task"
"""The kernels of a chain of loads, and of parallel tasks."""


@dataclass(frozen=True)
class CoreKernel:
    """A kernel that measures a rate of the core.

    lines: the instructions of a step; $0 is the address of the step.
    step_bytes: the distance from one step to the next; 1 for kernels that need no memory.
    """

    lines: Sequence[str]
    step_bytes: int = 1

    @property
    def moves(self) -> bool:
        """Whether the kernel loads or stores."""
        return self.step_bytes > 1

    @property
    def count(self) -> int:
        """The number of instructions of a step."""
        return len(self.lines)

    def text(self, name: str) -> str:
        """Return the LLVM IR of the kernel as a function with this name."""
        registers = [f"xmm{n}" for n in range(_REGISTERS)]
        clobbers = ",".join(f"~{{{each}}}" for each in (*registers, *_SCALARS))
        # Zeros: sums of the numbers that the registers happen to hold may be denormal, and slow.
        zeros = r"\0A".join(f"vpxor %{each}, %{each}, %{each}" for each in registers)
        assembly = r"\0A".join(self.lines)
        return f"""define void @{name}(ptr %p, i64 %bytes, i64 %reps) {{
entry:
  call void asm sideeffect "{zeros}", "{clobbers}"()
  br label %outer
outer:
  %r = phi i64 [0, %entry], [%r1, %next]
  br label %loop
loop:
  %i = phi i64 [0, %outer], [%j, %loop]
  %q = getelementptr i8, ptr %p, i64 %i
  call void asm sideeffect "{assembly}", "r,~{{memory}},~{{flags}},{clobbers}"(ptr %q)
  %j = add i64 %i, {self.step_bytes}
  %c = icmp slt i64 %j, %bytes
  br i1 %c, label %loop, label %next
next:
  %r1 = add i64 %r, 1
  %d = icmp slt i64 %r1, %reps
  br i1 %d, label %outer, label %done
done:
  ret void
}}
"""


_REGISTERS = 16
"""The vector registers of AVX2."""

_SCALARS = ("rax", "rcx", "rdx", "rsi", "r8", "r9")
"""Registers of the scalar additions; kernels may overwrite them."""

_ADDITIONS = r"\0A".join(["lea 1(%rax), %rax"] * CHAIN)

_CHAINS = f"""define i64 @{CHASE}(ptr %p, i64 %steps) {{
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%j, %loop]
  %q = phi ptr [%p, %entry], [%next, %loop]
  %next = load ptr, ptr %q
  %j = add i64 %i, 1
  %c = icmp slt i64 %j, %steps
  br i1 %c, label %loop, label %done
done:
  %out = ptrtoint ptr %next to i64
  ret i64 %out
}}
define void @{TASK}(ptr %steps, i64 %task, i64 %worker) {{
entry:
  %n = ptrtoint ptr %steps to i64
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%j, %loop]
  call void asm sideeffect "{_ADDITIONS}", "~{{rax}}"()
  %j = add i64 %i, 1
  %c = icmp slt i64 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}}
"""
"""A chain of loads, each of which reads the address of the next; and a parallel task with a chain
of additions, whose number of steps is the address of its arguments."""


def core_kernels(target: Target) -> dict[str, CoreKernel]:
    """Return the kernels for a target, by name; names end in the width of their vectors in bits.

    Errors: TargetError for a target without FMA instructions of x86-64.
    """
    if target.architecture != "x86_64" or not target.has("fma"):
        raise TargetError(
            "the numbers of this processor cannot be measured",
            expected="a processor of x86-64 with AVX2 and FMA",
            got=str(target),
            hint="its row in machines/cpu_numbers.py, or the generic row, has the numbers",
        )
    widths = [bits for bits in WIDTHS if bits <= target.register_bits]
    made = {f"clock{bits}": _clock(bits) for bits in widths}
    made |= {f"fma{bits}": _sums(bits, SUMS) for bits in widths}
    widest = widths[-1]
    made["latency"] = _sums(widest, 1)
    made |= {kind: _moves(kind, widest) for kind in ("loads", "stores", "pairs")}
    made["broadcasts"] = _broadcasts(has_operands=target.has("avx512vl"))
    return made | {f"issues{n}": _mix(*mix) for n, mix in enumerate(MIXES)}


def _clock(bits: int) -> CoreKernel:
    register = WIDTHS[bits]
    return CoreKernel([f"vpaddd %{register}1, %{register}0, %{register}0"] * CHAIN)


def _sums(bits: int, count: int) -> CoreKernel:
    register = WIDTHS[bits]
    line = f"vfmadd231ps %{register}14, %{register}15, %{register}"
    repeats = CHAIN // count
    return CoreKernel([f"{line}{n}" for n in range(count)] * repeats)


def _moves(kind: str, bits: int) -> CoreKernel:
    """Return a kernel of loads, of stores, or of pairs of a store and a load."""
    register, size = WIDTHS[bits], bits // 8
    loads = [f"vmovups {n * size}($0), %{register}{n}" for n in range(LOADS)]
    stores = [f"vmovups %{register}15, {n * size}($0)" for n in range(LOADS)]
    # Each pair loads another vector than it stores, so that it does not wait for the store.
    pairs = [line for n in range(LOADS) for line in (stores[n], loads[n - LOADS // 2])]
    return CoreKernel({"loads": loads, "stores": stores, "pairs": pairs}[kind], LOADS * size)


def _broadcasts(*, has_operands: bool) -> CoreKernel:
    """Return a kernel of broadcasts.

    has_operands: whether an FMA can have a broadcast as an operand.
    """
    item = 4
    if has_operands:
        lines = [f"vfmadd231ps {n * item}($0){{1to8}}, %ymm15, %ymm{n}" for n in range(SUMS)]
    else:
        lines = [f"vbroadcastss {n * item}($0), %ymm{n}" for n in range(SUMS)]
    return CoreKernel(lines, SUMS * item)


def _mix(scalars: int, vectors: int) -> CoreKernel:
    """Return a kernel of independent additions of scalars and of vectors."""
    lines = [f"lea 1(%{name}), %{name}" for name in _SCALARS[:scalars]]
    lines += [f"vpaddd %xmm15, %xmm{n}, %xmm{n}" for n in range(vectors)]
    return CoreKernel(lines * (CHAIN // len(lines)))


def loaded(kernels: Mapping[str, CoreKernel], target: Target) -> Library:
    """Compile kernels for a target, and load them into this process."""
    texts = [_CHAINS, *(kernel.text(name) for name, kernel in kernels.items())]
    machine = Machine.of(target)
    code = compile_ir("\n".join(texts), machine)
    return Library(link([code], exports=[CHASE, TASK, *kernels]), "processor numbers")
