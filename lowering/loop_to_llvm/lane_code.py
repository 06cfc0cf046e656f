"""The interface by which arithmetic and math functions emit scalar and vector instructions.

arithmetic.py, narrow.py, integers.py and the math_*.py files emit code only by these methods.
text.py implements them in LLVM IR and lowering/simt_to_c/ in C, so both compute the same bits.
lowering/simt_to_wgsl/ implements them in WGSL and lowering/simt_to_spirv/ in SPIR-V, whose floats
are less exact. Operands and results are printed operands, such as ``%t3``, of the type that the
call names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from .types import LlvmType


class LaneCode(ABC):
    """An interface to code under construction, in any language.

    A method that appends an instruction returns the printed operand of its result.
    """

    @property
    @abstractmethod
    def has_rounding(self) -> bool:
        """Return whether one instruction rounds a float to an integral float."""

    @property
    @abstractmethod
    def converts_half(self) -> bool:
        """Return whether the language has conversions between f16 and f32."""

    @property
    def converts_bfloat(self) -> bool:
        """Return whether the language has conversions between bf16 and f32."""
        return False

    @property
    def approximates(self) -> bool:
        """Return whether `approximate` exists in the language, and its errors are permitted."""
        return False

    def approximate(self, function: str, type_: LlvmType, x: str) -> str:
        """Append an approximate function of f32, which is one instruction.

        function: ``exp2`` (error 2 ulp), ``exp2_of_normals`` (2 ulp; results below 2^-126 are 0),
        or ``reciprocal`` (1 ulp; the reciprocal of a subnormal number is infinite, and subnormal
        results are 0).
        """
        raise NotImplementedError(function)

    @property
    def keeps_sums(self) -> bool:
        """Return whether ``(a + b) - b`` is computed with two roundings.

        If not, a compiler of the language may simplify the expression to a.
        """
        return True

    @property
    def has_f64(self) -> bool:
        """Return whether the language has instructions on f64."""
        return True

    @property
    @abstractmethod
    def fuses_products(self) -> bool:
        """Return whether `fma` rounds only once."""

    @property
    @abstractmethod
    def rounds_to_integer(self) -> bool:
        """Return whether one instruction rounds an f32 and converts it to i32."""

    @abstractmethod
    def round_to_integer(self, x: str, source: LlvmType, target: LlvmType) -> str:
        """Append a conversion of a float to the nearest integer.

        x: the float, whose nearest integer must be in the range of ``target``.
        """

    @abstractmethod
    def binary(self, opcode: str, type_: LlvmType, lhs: str, rhs: str) -> str:
        """Append an instruction with two operands.

        opcode: the name of the instruction in LLVM, such as ``fadd`` or ``icmp slt``.
        """

    @abstractmethod
    def cast(self, opcode: str, x: str, source: LlvmType, target: LlvmType) -> str:
        """Append a conversion; if both types are the same, append nothing.

        opcode: the name of the conversion in LLVM, such as ``fptosi``.
        """

    @abstractmethod
    def select(
        self, condition: str, type_: LlvmType, lhs: str, rhs: str, *, mask: LlvmType | None = None
    ) -> str:
        """Append a select per lane: lhs where a condition holds, else rhs.

        mask: the type of the condition; None for one bool per lane.  A scalar bool selects whole
        vectors.
        """

    @abstractmethod
    def neg(self, type_: LlvmType, x: str) -> str:
        """Append a negation of a float."""

    @abstractmethod
    def fma(self, type_: LlvmType, a: str, b: str, c: str) -> str:
        """Append a * b + c, with one rounding if `fuses_products`."""

    @abstractmethod
    def intrinsic(self, name: str, type_: LlvmType, *operands: str) -> str:
        """Append a call of an intrinsic of LLVM, such as ``sqrt``.

        type_: the type of the result and of all operands.
        """

    @abstractmethod
    def repeat(
        self,
        type_: LlvmType,
        values: Sequence[str],
        condition: Callable[[list[str]], str],
        step: Callable[[list[str]], list[str]],
    ) -> list[str]:
        """Append a loop that replaces values as long as a condition holds in some lane.

        values: the initial values, all of type ``type_``.
        condition: appends the condition on the current values, a bool per lane.
        step: appends the next values, for all lanes.
        Returns the final values.
        """

    @abstractmethod
    def reduce_mask(self, kind: str, type_: LlvmType, x: str) -> str:
        """Append the conjunction or the disjunction of all lanes of a vector of i1.

        kind: ``and`` or ``or``.
        """

    @abstractmethod
    def splat(self, type_: LlvmType, x: str) -> str:
        """Append a broadcast of a scalar to a vector type."""

    @abstractmethod
    def pack(self, type_: LlvmType, scalars: Sequence[str]) -> str:
        """Append the construction of a vector from one scalar per lane."""

    @abstractmethod
    def extract(self, type_: LlvmType, x: str, lane: int) -> str:
        """Append the extraction of one lane of a vector.

        type_: the type of the vector.
        """

    @abstractmethod
    def part(self, type_: LlvmType, x: str, start: int, count: int) -> str:
        """Append the extraction of ``count`` adjacent lanes of a vector, from lane ``start`` on.

        type_: the type of the vector.
        """

    @abstractmethod
    def shuffle(self, type_: LlvmType, a: str, b: str, lanes: Sequence[int]) -> str:
        """Append a vector of lanes that are chosen from a and b.

        lanes: the number of each chosen lane; the lanes of b are numbered after those of a.
        """

    @abstractmethod
    def from_half(self, source: LlvmType, x: str) -> str:
        """Append a conversion of f16 values, whose bits are in integers, to f32.

        source: the type of x.
        """

    def from_bfloat(self, source: LlvmType, x: str) -> str:
        """Append a conversion of bf16 values, whose bits are in integers, to f32.

        source: the type of x.
        """
        raise NotImplementedError(source.format)

    def to_bfloat(self, target: LlvmType, x: str) -> str:
        """Append a conversion of f32 to bf16 values, whose bits are in integers.

        target: the type of the result.
        """
        raise NotImplementedError(target.format)

    @abstractmethod
    def to_half(self, target: LlvmType, x: str) -> str:
        """Append a conversion of f32 to f16 values, whose bits are in integers.

        target: the type of the result.
        """
