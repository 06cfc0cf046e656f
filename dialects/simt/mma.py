"""Products of small matrices that the threads of a warp compute together.

    %d = simt.mma %a, %b, %c : vector<8xf16>, vector<4xf16>, vector<4xf32>

A warp is 32 consecutive threads of a block.  Each thread has a part of each matrix, a *fragment*:
element ``r`` of thread ``lane`` of the warp is the element ``place(lane, r)`` of the matrix.

    %d = simt.mma %a, %b, %c {lhs_unsigned} : vector<16xi8>, vector<8xi8>, vector<4xi32>
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import UnitAttr, VectorType, bf16, f16, f32, i8, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
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


def _place_lhs_bytes(lane: int, r: int) -> tuple[int, int]:
    return lane // 4 + r // 4 % 2 * 8, lane % 4 * 4 + r % 4 + r // 8 * 16


def _place_rhs_bytes(lane: int, r: int) -> tuple[int, int]:
    return lane % 4 * 4 + r % 4 + r // 4 * 16, lane // 4


LHS, RHS, OUT = (
    Fragment(16, 16, _place_lhs),
    Fragment(16, 8, _place_rhs),
    Fragment(16, 8, _place_out),
)
"""The fragments of m16n8k16.  Source: PTX ISA 8.8, section 9.7.14.5.8, floating point types."""

LHS_TF32, RHS_TF32 = (
    Fragment(16, 8, lambda lane, r: (lane // 4 + r % 2 * 8, lane % 4 + r // 2 * 4)),
    Fragment(8, 8, lambda lane, r: (lane % 4 + r * 4, lane // 4)),
)
"""The operands of m16n8k8.  Source: PTX ISA 8.8, section 9.7.14.5.6, type tf32."""

LHS_BYTES, RHS_BYTES = Fragment(16, 32, _place_lhs_bytes), Fragment(32, 8, _place_rhs_bytes)
"""The operands of m16n8k32.  Source: PTX ISA 8.8, section 9.7.14.5.10, 8-bit integers."""


@dataclass(frozen=True)
class Shape:
    """The fragments of an instruction, and the type of its sums."""

    lhs: Fragment
    rhs: Fragment
    sums: Attribute

    def types(self, element: Attribute) -> list[VectorType]:
        """Return the types of both operands, the sums and the result."""
        sums = VectorType(self.sums, [OUT.registers])
        operands = (VectorType(element, [f.registers]) for f in (self.lhs, self.rhs))
        return [*operands, sums, sums]


SHAPES: Mapping[Attribute, Shape] = {
    f16: Shape(LHS, RHS, f32),
    bf16: Shape(LHS, RHS, f32),
    f32: Shape(LHS_TF32, RHS_TF32, f32),
    i8: Shape(LHS_BYTES, RHS_BYTES, i32),
}
"""The instructions, by the type of the elements of the operands."""


@irdl_op_definition
class MmaOp(IRDLOperation):
    """Multiply two matrices and add a third one.

    f16, bf16: 16x16 by 16x8.  Products are exact, sums are f32; their order is that of the
    hardware.  f32: 16x8 by 8x8.  Each operand is rounded to tf32, which has 10 bits of the
    fraction: to nearest, ties away from zero.  i8: 16x32 by 32x8.  Sums are i32 and wrap;
    lhs_unsigned, rhs_unsigned: the bytes of an operand are unsigned.
    Errors: TypeMismatch for fragments of other types, a block whose threads are no whole warps, or
    an op that not all threads of a warp reach: in a branch or a loop bound to threads.
    """

    name = "simt.mma"
    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    acc = operand_def(VectorType)
    lhs_unsigned = opt_prop_def(UnitAttr)
    rhs_unsigned = opt_prop_def(UnitAttr)
    res = result_def(VectorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs) `,` type($rhs) `,` type($acc) "
        "`->` type($res)"
    )

    @property
    def shape(self) -> Shape:
        """The fragments of the instruction."""
        return SHAPES[self.element_type]

    @property
    def element_type(self) -> Attribute:
        """The type of the elements of the operands."""
        assert isinstance(self.lhs.type, VectorType)
        return self.lhs.type.element_type

    def verify_(self) -> None:
        element = self.element_type
        got = [self.lhs.type, self.rhs.type, self.acc.type, self.res.type]
        wanted = SHAPES.get(element, SHAPES[f16]).types(element if element in SHAPES else f16)
        has_signs = self.lhs_unsigned is not None or self.rhs_unsigned is not None
        if got != wanted or (has_signs and element != i8):
            raise TypeMismatch(
                "the matrix instruction takes no such fragments",
                expected=", ".join(map(str, wanted)),
                got=", ".join(map(str, got)),
                hint="give each thread its part of each matrix",
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


__all__ = [
    "LHS", "LHS_BYTES", "LHS_TF32", "OUT", "RHS", "RHS_BYTES", "RHS_TF32", "SHAPES", "WARP",
    "Fragment", "MmaOp", "Shape", "verify_reached_together",
]  # fmt: skip
