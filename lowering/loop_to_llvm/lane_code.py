"""The interface for emitting scalar and vector instructions, for arithmetic and math functions.

arithmetic.py, narrow.py, integers.py and the math_*.py files emit code only by these methods.
text.py implements them in LLVM IR and lowering/simt_to_c/ in C, so both compute the same bits.
lowering/simt_to_wgsl/ implements them in WGSL, whose floats are less exact.
Operands and results are printed operands, such as ``%t3``, of the type that the call names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from .types import LlvmType


class LaneCode(ABC):
    """Code under construction; most methods append an instruction and return its result."""

    @property
    @abstractmethod
    def has_rounding(self) -> bool:
        """Return whether one instruction rounds floats to integral floats."""

    @property
    @abstractmethod
    def converts_half(self) -> bool:
        """Return whether there are instructions between f16 and f32."""

    @property
    def converts_bfloat(self) -> bool:
        """Return whether there are instructions between bf16 and f32."""
        return False

    @property
    def approximates(self) -> bool:
        """Return whether `approximate` has instructions on f32, and the precision allows them."""
        return False

    def approximate(self, function: str, type_: LlvmType, x: str) -> str:
        """Append an approximation of a function of f32, with the accuracy of an instruction.

        function: ``exp2`` (error 2 ulp), ``exp2_of_normals`` (2 ulp; results below 2^-126 are 0),
        or ``reciprocal`` (1 ulp; the reciprocal of a subnormal number is infinite, and subnormal
        results are 0).
        """
        raise NotImplementedError(function)

    @property
    def keeps_sums(self) -> bool:
        """Return whether (a + b) - b is computed with two roundings, and never simplified to a.

        Compilers of WGSL may simplify it.
        """
        return True

    @property
    def has_f64(self) -> bool:
        """Return whether the language has instructions on f64."""
        return True

    @property
    @abstractmethod
    def fuses_products(self) -> bool:
        """Return whether ``fma`` rounds only once."""

    @property
    @abstractmethod
    def rounds_to_integer(self) -> bool:
        """Return whether one instruction rounds an f32 and converts it to i32."""

    @abstractmethod
    def round_to_integer(self, x: str, source: LlvmType, target: LlvmType) -> str:
        """Append a conversion of a float to the nearest integer, which must be in range."""

    @abstractmethod
    def binary(self, opcode: str, type_: LlvmType, lhs: str, rhs: str) -> str:
        """Append an instruction with two operands.

        opcode: the name of the instruction in LLVM, such as ``fadd`` or ``icmp slt``.
        """

    @abstractmethod
    def cast(self, opcode: str, x: str, source: LlvmType, target: LlvmType) -> str:
        """Append a conversion; between equal types, append nothing.

        opcode: the name of the conversion in LLVM, such as ``fptosi``.
        """

    @abstractmethod
    def select(
        self, condition: str, type_: LlvmType, lhs: str, rhs: str, *, mask: LlvmType | None = None
    ) -> str:
        """Append a lane-wise select.

        mask: the type of the condition; a scalar i1 selects whole vectors.
        """

    @abstractmethod
    def neg(self, type_: LlvmType, x: str) -> str:
        """Append a negation of a float."""

    @abstractmethod
    def fma(self, type_: LlvmType, a: str, b: str, c: str) -> str:
        """Append a * b + c, fused if the target has FMA."""

    @abstractmethod
    def intrinsic(self, name: str, type_: LlvmType, *operands: str) -> str:
        """Append a call of an LLVM intrinsic whose operands have the result type."""

    @abstractmethod
    def repeat(
        self,
        type_: LlvmType,
        values: Sequence[str],
        condition: Callable[[list[str]], str],
        step: Callable[[list[str]], list[str]],
    ) -> list[str]:
        """Append a loop that replaces values, for as long as a condition holds in some lane.

        values: the initial values.  condition: emits the mask of the current values.  step: emits
        the next values in all lanes.
        """

    @abstractmethod
    def reduce_mask(self, kind: str, type_: LlvmType, x: str) -> str:
        """Append the ``and`` or ``or`` of all lanes of a vector of i1."""

    @abstractmethod
    def splat(self, type_: LlvmType, x: str) -> str:
        """Append a broadcast of a scalar."""

    @abstractmethod
    def pack(self, type_: LlvmType, scalars: Sequence[str]) -> str:
        """Append instructions that make a vector of scalars."""

    @abstractmethod
    def extract(self, type_: LlvmType, x: str, lane: int) -> str:
        """Append a read of one lane."""

    @abstractmethod
    def part(self, type_: LlvmType, x: str, start: int, count: int) -> str:
        """Append a shuffle that extracts ``count`` adjacent lanes of one vector."""

    @abstractmethod
    def shuffle(self, type_: LlvmType, a: str, b: str, lanes: Sequence[int]) -> str:
        """Append a shuffle of two vectors; the lanes of b are numbered after the lanes of a."""

    @abstractmethod
    def from_half(self, source: LlvmType, x: str) -> str:
        """Append a conversion to f32 of f16 values, which are held as integers."""

    def from_bfloat(self, source: LlvmType, x: str) -> str:
        """Append a conversion to f32 of bf16 values, which are held as integers."""
        raise NotImplementedError(source.format)

    def to_bfloat(self, target: LlvmType, x: str) -> str:
        """Append a conversion of f32 to bf16 values, which are held as integers."""
        raise NotImplementedError(target.format)

    @abstractmethod
    def to_half(self, target: LlvmType, x: str) -> str:
        """Append a conversion of f32 to f16 values, which are held as integers."""
