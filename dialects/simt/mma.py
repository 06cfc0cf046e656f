"""Products of small matrices that the threads of a warp compute together.

    %d = simt.mma %a, %b, %c : vector<8xf16>, vector<4xf16>, vector<4xf32>

A warp is 32 consecutive threads of a block.  Each thread has a part of each matrix, a *fragment*:
element ``r`` of thread ``lane`` of the warp is the element ``place(lane, r)`` of the matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import BFloat16Type, Float16Type, VectorType, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch
from .. import loop
from .launch import launch_of

WARP = 32
"""Threads of a warp."""


@dataclass(frozen=True)
class Fragment:
    """How the threads of a warp hold a matrix: ``registers`` elements each."""

    rows: int
    columns: int
    place: Callable[[int, int], tuple[int, int]]

    @property
    def registers(self) -> int:
        """The number of elements of a thread."""
        return self.rows * self.columns // WARP

    def places(self) -> list[list[tuple[int, int]]]:
        """Return row and column of each element, by thread of the warp."""
        return [[self.place(lane, r) for r in range(self.registers)] for lane in range(WARP)]


def _place_lhs(lane: int, r: int) -> tuple[int, int]:
    return lane // 4 + r // 2 % 2 * 8, lane % 4 * 2 + r % 2 + r // 4 * 8


def _place_rhs(lane: int, r: int) -> tuple[int, int]:
    return lane % 4 * 2 + r % 2 + r // 2 * 8, lane // 4


def _place_out(lane: int, r: int) -> tuple[int, int]:
    return lane // 4 + r // 2 * 8, lane % 4 * 2 + r % 2


LHS, RHS, OUT = (
    Fragment(16, 16, _place_lhs),
    Fragment(16, 8, _place_rhs),
    Fragment(16, 8, _place_out),
)
"""The fragments of m16n8k16.  Source: PTX ISA 8.8, section 9.7.14.5.8, floating point types."""


@irdl_op_definition
class MmaOp(IRDLOperation):
    """Multiply a 16x16 by a 16x8 matrix of f16 or bf16, and add a 16x8 matrix of f32.

    Products are exact, sums are f32; their order is that of the hardware.
    Errors: TypeMismatch for fragments of other types, a block whose threads are no whole warps, or
    an op that not all threads of a warp reach: in a branch or a loop bound to threads.
    """

    name = "simt.mma"
    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    acc = operand_def(VectorType)
    res = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = (
        "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs) `,` type($rhs) `,` type($acc) "
        "`->` type($res)"
    )

    def verify_(self) -> None:
        assert isinstance(self.lhs.type, VectorType)
        element = self.lhs.type.element_type
        if not isinstance(element, Float16Type | BFloat16Type):
            element = Float16Type()
        sums = VectorType(f32, [OUT.registers])
        wanted = [
            VectorType(element, [LHS.registers]),
            VectorType(element, [RHS.registers]),
            sums,
            sums,
        ]
        got = [self.lhs.type, self.rhs.type, self.acc.type, self.res.type]
        if got != wanted:
            raise TypeMismatch(
                "the matrix instruction takes no such fragments",
                expected=", ".join(map(str, wanted)),
                got=", ".join(map(str, got)),
                hint="give each thread its part of 16x16, 16x8 and 16x8 matrices",
            ).at(self)
        verify_reached_together(self)


def verify_reached_together(op: Operation) -> None:
    """Raise TypeMismatch unless all threads of a warp reach an op together."""
    launch = launch_of(op)
    if launch is not None and launch.threads % WARP:
        raise TypeMismatch(
            "the threads of the block are no whole warps",
            expected=f"a multiple of {WARP}",
            got=launch.threads,
            hint="bind a loop of 32 iterations to threadIdx.x",
        ).at(op)
    around = op.parent_op()
    while around is not None and not isinstance(around, FuncOp):
        is_thread = isinstance(around, loop.ForOp) and around.thread is not None
        if isinstance(around, loop.IfOp) or is_thread:
            raise TypeMismatch(
                "not all threads of the warp reach the matrix instruction",
                expected="the body of the kernel or a serial loop",
                got=around.name,
                hint="move it out of the branch",
            ).at(op)
        around = around.parent_op()


__all__ = ["LHS", "OUT", "RHS", "WARP", "Fragment", "MmaOp", "verify_reached_together"]
