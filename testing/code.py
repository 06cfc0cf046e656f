"""Code statistics of a model's kernels: computes, lines of LLVM IR, vector moves to the stack.

In: a module of graph ops and a target.  Out: a `CodeReport` of each kernel.  The numbers of
innermost computes (leaves) and of lines determine the compile time; a vector that moves to or from
the stack in a reduction loop means that a register tile does not fit.  Nothing is run, so the
target may be any machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..codegen.llvm import Machine, assembly_of
from ..dialects.te import TensorOp, kernels_of
from ..driver.passes.pipeline import run_pipeline
from ..lowering.loop_to_llvm.kernel import emit_kernel
from ..machines.target import Target
from ..passes.schedule.apply_schedule import ApplySchedule
from ..support.instruments import PassInfo, PassInstrument
from ..support.registry import new_context

_LABEL = re.compile(r"(\.L\w+):")
_JUMP = re.compile(r"\tj\w+\t(\.L\w+)")
_STACK_MOVE = re.compile(r"\tv?mov\w+\t(.*\(%rsp.*%[xyz]mm|%[xyz]mm.*\(%rsp)")
_MULTIPLY = re.compile(r"\tv?(fmadd|mulps|mulpd)")


@dataclass(frozen=True)
class CodeReport:
    """The code of one kernel.

    leaves: the number of innermost computes after scheduling.  lines: the number of lines of LLVM
    IR.  reductions: the number of innermost loops that add up products.  spills: the assembly lines
    in these loops that move a vector to or from the stack.
    """

    kernel: str
    leaves: int
    lines: int
    reductions: int
    spills: tuple[str, ...]


def code_reports(module: ModuleOp, target: Target) -> list[CodeReport]:
    """Lower an imported model to loops; return a report of every distinct kernel, in order.

    Errors: the errors of `tilewright.compile_module`.
    """
    counted = _LeafCount()
    run_pipeline(module, new_context(), target, instruments=[counted])
    leaves = counted.leaves
    kernels = [op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data in leaves]
    return [_report(kernel, leaves[kernel.sym_name.data], target) for kernel in kernels]


class _LeafCount(PassInstrument):
    """An instrument that counts the innermost computes of each kernel after it is scheduled."""

    def __init__(self) -> None:
        self.leaves: dict[str, int] = {}

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        if isinstance(info.step, ApplySchedule):
            for kernel in kernels_of(module):
                self.leaves[kernel.label] = sum(isinstance(op, TensorOp) for op in kernel.walk())


def _report(kernel: FuncOp, leaves: int, target: Target) -> CodeReport:
    text = emit_kernel(kernel, target)
    assembly = assembly_of(text, Machine.of(target))
    loops = [*filter(is_reduction, innermost_loops(assembly))]
    spills = tuple(line for loop in loops for line in stack_moves(loop))
    return CodeReport(kernel.sym_name.data, leaves, text.count("\n"), len(loops), spills)


def innermost_loops(assembly: str) -> Iterator[list[str]]:
    """Yield the lines of each innermost loop in x86 assembly, from its label to the jump back."""
    lines = assembly.splitlines()
    labels: dict[str, int] = {}
    last_loop = -1
    for number, line in enumerate(lines):
        if label := _LABEL.match(line):
            labels[label[1]] = number
        elif (jump := _JUMP.match(line)) and jump[1] in labels:
            start = labels[jump[1]]
            if start > last_loop:
                yield lines[start : number + 1]
            last_loop = max(last_loop, start)


def is_reduction(loop: list[str]) -> bool:
    """Return whether the assembly of a loop adds up the products of a contraction.

    Such a loop broadcasts numbers from memory to the lanes of a vector; a loop that computes the
    polynomial of an exp, for example, broadcasts only constants.
    """
    spread = (line for line in loop if "broadcastss" in line or "{1to" in line)
    return any(_MULTIPLY.match(line) for line in loop) and any(
        "(%rip)" not in line and "(%rsp)" not in line for line in spread
    )


def stack_moves(loop: list[str]) -> list[str]:
    """Return the assembly lines of a loop that move a vector to or from the stack."""
    return [line for line in loop if _STACK_MOVE.match(line)]
