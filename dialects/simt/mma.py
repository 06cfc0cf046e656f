"""Products of small matrices that the threads of a warp compute together (matrix instructions).

    %d = simt.mma %a, %b, %c : vector<8xf16>, vector<4xf16>, vector<4xf32>
    %d = simt.mma %a, %b, %c {lhs_unsigned} : vector<16xi8>, vector<8xi8>, vector<4xi32>
    %d = simt.mma %a, %b, %c {unit = "mfma"} : vector<4xf16>, vector<4xf16>, vector<4xf32>

A warp is 32 consecutive threads of a block.  Each thread holds a part of each matrix in registers,
a *fragment*: element ``r`` of the fragment of thread ``lane`` of the warp is the matrix element at
row and column ``place(lane, r)``.

The property ``unit`` selects the instructions: those of NVIDIA's GPUs by default, or those of
AMD's: ``mfma``, whose warps have 64 threads, or ``wmma``, where two threads hold each operand
element.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import StringAttr, UnitAttr, VectorType, bf16, f16, f32, i8, i32
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

from ...support.blocks import enclosing
from ...support.diagnostics import TypeMismatch
from .. import loop
from .launch import launch_of

WARP = 32
"""The number of threads of a warp."""


@dataclass(frozen=True)
class Fragment:
    """The distribution of a matrix over the registers of the threads of a warp.

    rows, columns: the shape of the matrix.  threads: the number of threads of a warp.  copies: the
    number of threads that hold each element.
    place: a function that takes a thread's number in its warp (lane) and the number of a register,
    and returns the row and column of the matrix element in this register.
    """

    rows: int
    columns: int
    place: Callable[[int, int], tuple[int, int]]
    threads: int = WARP
    copies: int = 1

    @property
    def registers(self) -> int:
        """The number of elements that each thread holds."""
        return self.rows * self.columns * self.copies // self.threads

    def places(self) -> list[list[tuple[int, int]]]:
        """Return the row and column of the element in each register: a list per lane."""
        return [
            [self.place(lane, r) for r in range(self.registers)] for lane in range(self.threads)
        ]


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
"""The fragments of the PTX instruction shape m16n8k16 for floats.

Source: PTX ISA 8.8, section 9.7.14.5.8, floating point types.
"""

LHS_TF32, RHS_TF32 = (
    Fragment(16, 8, lambda lane, r: (lane // 4 + r % 2 * 8, lane % 4 + r // 2 * 4)),
    Fragment(8, 8, lambda lane, r: (lane % 4 + r * 4, lane // 4)),
)
"""The operand fragments of the PTX instruction shape m16n8k8 for tf32.

Source: PTX ISA 8.8, section 9.7.14.5.6, type tf32.
"""

LHS_BYTES, RHS_BYTES = Fragment(16, 32, _place_lhs_bytes), Fragment(32, 8, _place_rhs_bytes)
"""The operand fragments of the PTX instruction shape m16n8k32 for bytes.

Source: PTX ISA 8.8, section 9.7.14.5.10, 8-bit integers.
"""


@dataclass(frozen=True)
class MmaShape:
    """The fragments of a matrix instruction, and the element type of its accumulators.

    lhs, rhs, out: how the threads hold the operands, and the accumulators and result.  sums: the
    element type of the accumulators.  has_signs: whether integer operands may be unsigned.
    """

    lhs: Fragment
    rhs: Fragment
    sums: Attribute
    out: Fragment = OUT
    has_signs: bool = False

    def types(self, element: Attribute) -> list[VectorType]:
        """Return the types of both operands, the accumulators and the result."""
        sums = VectorType(self.sums, [self.out.registers])
        operands = (VectorType(element, [f.registers]) for f in (self.lhs, self.rhs))
        return [*operands, sums, sums]


SHAPES: Mapping[Attribute, MmaShape] = {
    f16: MmaShape(LHS, RHS, f32),
    bf16: MmaShape(LHS, RHS, f32),
    f32: MmaShape(LHS_TF32, RHS_TF32, f32),
    i8: MmaShape(LHS_BYTES, RHS_BYTES, i32, has_signs=True),
}
"""The matrix instructions of NVIDIA's GPUs, by the element type of the operands."""

MMA, MFMA, WMMA = "mma", "mfma", "wmma"
"""The names of the matrix units of NVIDIA's GPUs, of AMD's CDNA GPUs, and of AMD's RDNA 3 GPUs."""


def _mfma(steps: int, sums: Attribute) -> MmaShape:
    """Return the fragments of mfma instructions for a 16 x 16 result.

    steps: the extent of the contraction.  sums: the element type of the accumulators.
    """
    part = steps // 4

    def lhs(lane: int, r: int) -> tuple[int, int]:
        return lane % 16, lane // 16 * part + r

    def rhs(lane: int, r: int) -> tuple[int, int]:
        return lane // 16 * part + r, lane % 16

    def out(lane: int, r: int) -> tuple[int, int]:
        return lane // 16 * 4 + r, lane % 16

    fragments = Fragment(16, steps, lhs, 64), Fragment(steps, 16, rhs, 64)
    return MmaShape(*fragments, sums, Fragment(16, 16, out, 64))


def _wmma(sums: Attribute, *, has_signs: bool = False) -> MmaShape:
    """Return the fragments of wmma for a 16 x 16 result and a contraction over 16 elements.

    sums: the element type of the accumulators.  has_signs: whether operands may be unsigned.
    """

    def out(lane: int, r: int) -> tuple[int, int]:
        return r * 2 + lane // 16, lane % 16

    lhs = Fragment(16, 16, lambda lane, r: (lane % 16, r), copies=2)
    rhs = Fragment(16, 16, lambda lane, r: (r, lane % 16), copies=2)
    return MmaShape(lhs, rhs, sums, Fragment(16, 16, out), has_signs)


UNITS: Mapping[str, Mapping[Attribute, MmaShape]] = {
    MMA: SHAPES,
    MFMA: {f16: _mfma(16, f32), bf16: _mfma(16, f32), i8: _mfma(32, i32)},
    WMMA: {f16: _wmma(f32), bf16: _wmma(f32), i8: _wmma(i32, has_signs=True)},
}
"""The instructions of each matrix unit.

Source: AMD, CDNA3 Instruction Set Architecture, section 7.1.4; RDNA3 Instruction Set Architecture,
section 7.9.
"""


@irdl_op_definition
class MmaOp(IRDLOperation):
    """Product of two matrices, added to a third matrix, by all threads of a warp.

    unit: the kind of matrix instruction; absent for NVIDIA's.
    lhs_unsigned, rhs_unsigned: the bytes of this operand are unsigned.
    Shapes and arithmetic, by unit and element type:

        NVIDIA  f16, bf16  16x16 by 16x8; exact products, summed in f32 in the order of the hardware
            NVIDIA  f32        16x8 by 8x8; operands are rounded to tf32 (10 bits of fraction), to
        nearest,
                           ties away from zero
        NVIDIA  i8         16x32 by 32x8; sums are i32 and wrap
        AMD                16x16 by 16x16; for bytes of mfma, which are signed, 16x32 by 32x16

    Errors: TypeMismatch for fragments of other types, for a block whose number of threads is not a
    multiple of a warp, or for an op that not all threads of a warp reach: in a branch, or in a loop
    that is bound to threads.
    """

    name = "simt.mma"
    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    acc = operand_def(VectorType)
    unit = opt_prop_def(StringAttr)
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
    def shape(self) -> MmaShape:
        """The fragments and the accumulator type of the instruction."""
        return UNITS[self.unit_name][self.element_type]

    @property
    def unit_name(self) -> str:
        """The name of the matrix unit: MMA, MFMA or WMMA."""
        return MMA if self.unit is None else self.unit.data

    @property
    def element_type(self) -> Attribute:
        """The element type of the operands."""
        assert isinstance(self.lhs.type, VectorType)
        return self.lhs.type.element_type

    def verify_(self) -> None:
        element, shapes = self.element_type, UNITS.get(self.unit_name, SHAPES)
        got = [self.lhs.type, self.rhs.type, self.acc.type, self.res.type]
        known = element if element in shapes else f16
        shape = shapes[known]
        wanted = shape.types(known)
        has_signs = self.lhs_unsigned is not None or self.rhs_unsigned is not None
        if got != wanted or self.unit_name not in UNITS or (has_signs and not shape.has_signs):
            raise TypeMismatch(
                "the matrix instruction takes no such fragments",
                expected=", ".join(map(str, wanted)),
                got=", ".join(map(str, got)),
                hint="give each thread its part of each matrix",
            ).at(self)
        verify_reached_together(self, shape.out.threads)


def verify_reached_together(op: Operation, warp: int = WARP) -> None:
    """Raise TypeMismatch unless all threads of a warp reach an op together.

    warp: the number of threads of a warp.
    """
    launch = launch_of(op)
    if launch is not None and launch.threads % warp:
        raise TypeMismatch(
            "the threads of the block are no whole warps",
            expected=f"a multiple of {warp}",
            got=launch.threads,
            hint=f"bind a loop of {warp} iterations to threadIdx.x",
        ).at(op)
    for around in enclosing(op):
        is_thread = isinstance(around, loop.ForOp) and around.thread is not None
        if isinstance(around, loop.IfOp) or is_thread:
            raise TypeMismatch(
                "not all threads of the warp reach the matrix instruction",
                expected="the body of the kernel or a serial loop",
                got=around.name,
                hint="move it out of the branch",
            ).at(op)
