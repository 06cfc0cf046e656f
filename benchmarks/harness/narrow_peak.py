"""The peaks of dot products of bytes and of bf16 numbers: loops of one instruction in registers."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tilewright.codegen.objects import cached_object
from tilewright.codegen.worker import CompileOptions
from tilewright.machines.target import Target
from tilewright.support.cache import user_cache
from tilewright.targets.cpu.instructions.peak import instruction_loop, loop_library

SYMBOL = "narrow_loop"
STEPS = 50_000
SUMS, LANES = 24, 16


@dataclass(frozen=True)
class Instruction:
    """An instruction that adds dot products of a few terms to 16 accumulators.

    vectors: the LLVM types of the accumulators and of the operands.  terms: the terms of a dot
    product.
    """

    function: str
    feature: str
    vectors: tuple[str, str]
    terms: int


VPDPBUSD = Instruction("llvm.x86.avx512.vpdpbusd.512", "avx512vnni", ("<16 x i32>", "<64 x i8>"), 4)
VDPBF16PS = Instruction(
    "llvm.x86.avx512bf16.dpbf16ps.512", "avx512bf16", ("<16 x float>", "<32 x bfloat>"), 2
)


class NarrowPeak:
    """A loop of one instruction on independent accumulators.

    operations: the number of operations of one call; each product counts as two.
    """

    def __init__(self, instruction: Instruction, target: Target | None = None) -> None:
        target = target or Target.native()
        assert target.has(instruction.feature), instruction.feature
        options = CompileOptions.of(target)
        code = cached_object(_loop(instruction), options, user_cache())
        self._library = loop_library(code, (SYMBOL,))
        address = ctypes.cast(self._library[SYMBOL], ctypes.c_void_p).value or 0
        types = (ctypes.c_void_p, ctypes.c_int64)
        self._run: Callable[..., Any] = ctypes.CFUNCTYPE(None, *types)(address)
        self._vectors = ctypes.create_string_buffer(256)
        self.operations = 2 * SUMS * LANES * instruction.terms * STEPS

    def __call__(self) -> None:
        """Run the loop once."""
        self._run(ctypes.addressof(self._vectors), STEPS)


def _loop(instruction: Instruction) -> str:
    """Return LLVM IR of the loop."""
    operand = instruction.vectors[1]
    operands = [
        f"  %x = load {operand}, ptr %memory, align 1",
        "  %next_one = getelementptr i8, ptr %memory, i64 64",
        f"  %y = load {operand}, ptr %next_one, align 1",
    ]
    return instruction_loop(SYMBOL, instruction.function, instruction.vectors, operands, SUMS)
