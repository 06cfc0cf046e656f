"""The instructions on scalars and vectors that arithmetic and math functions are made of.

arithmetic.py, narrow.py, integers.py and the math_*.py files emit code with these methods only.
text.py implements them as LLVM IR, lowering/simt_to_c/ as C: so both compute the same bits.
lowering/simt_to_wgsl/ implements them as WGSL, whose floats are less exact.
Operands and results are operand texts, of the type that the call states.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from .types import LlvmType


class LaneCode(ABC):
    """Code under construction."""

    @property
    @abstractmethod
    def has_rounding(self) -> bool:
        """Return whether floats are rounded to integral floats by one instruction."""

    @property
    @abstractmethod
    def converts_half(self) -> bool:
        """Return whether there are instructions between f16 and f32."""

    @property
    def keeps_sums(self) -> bool:
        """Return whether (a + b) - b is rounded twice; WGSL lets a compiler make it a."""
        return True

    @property
    def has_f64(self) -> bool:
        """Return whether there are instructions on f64."""
        return True

    @property
    @abstractmethod
    def fuses_products(self) -> bool:
        """Return whether ``fma`` rounds once."""

    @property
    @abstractmethod
    def rounds_to_integer(self) -> bool:
        """Return whether one instruction rounds an f32 and converts it to i32."""

    @abstractmethod
    def round_to_integer(self, x: str, source: LlvmType, target: LlvmType) -> str:
        """Append a conversion of a float to the nearest integer, which is in range."""

    @abstractmethod
    def binary(self, opcode: str, type_: LlvmType, lhs: str, rhs: str) -> str:
        """Append a two-operand instruction, named as LLVM does: fadd, ashr, icmp slt, fcmp ogt."""

    @abstractmethod
    def cast(self, opcode: str, x: str, source: LlvmType, target: LlvmType) -> str:
        """Append a conversion, named as LLVM does; none between equal types."""

    @abstractmethod
    def select(
        self, condition: str, type_: LlvmType, lhs: str, rhs: str, *, mask: LlvmType | None = None
    ) -> str:
        """Append a lane-wise select; mask: type of the condition, i1 selects whole vectors."""

    @abstractmethod
    def neg(self, type_: LlvmType, x: str) -> str:
        """Append a negation of a float."""

    @abstractmethod
    def fma(self, type_: LlvmType, a: str, b: str, c: str) -> str:
        """Append a * b + c, fused if the target has FMA."""

    @abstractmethod
    def intrinsic(self, name: str, type_: LlvmType, *operands: str) -> str:
        """Append a call of an intrinsic of LLVM whose operands have the result type."""

    @abstractmethod
    def repeat(
        self,
        type_: LlvmType,
        values: Sequence[str],
        condition: Callable[[list[str]], str],
        step: Callable[[list[str]], list[str]],
    ) -> list[str]:
        """Append a loop that replaces the values while a lane of their condition holds.

        condition: emits a mask of the current values.  step: emits the next values, of all lanes.
        """

    @abstractmethod
    def reduce_mask(self, kind: str, type_: LlvmType, x: str) -> str:
        """Append ``and`` or ``or`` of all lanes of a vector of i1."""

    @abstractmethod
    def splat(self, type_: LlvmType, x: str) -> str:
        """Append a broadcast of a scalar."""

    @abstractmethod
    def pack(self, type_: LlvmType, scalars: Sequence[str]) -> str:
        """Append insertions that make a vector of scalars."""

    @abstractmethod
    def extract(self, type_: LlvmType, x: str, lane: int) -> str:
        """Append a read of one lane."""

    @abstractmethod
    def part(self, type_: LlvmType, x: str, start: int, count: int) -> str:
        """Append a shuffle that keeps ``count`` lanes of one vector."""

    @abstractmethod
    def shuffle(self, type_: LlvmType, a: str, b: str, lanes: Sequence[int]) -> str:
        """Append a shuffle of two vectors; lane numbers of b start after the lanes of a."""

    @abstractmethod
    def from_half(self, source: LlvmType, x: str) -> str:
        """Append a conversion of f16, held as integers, to f32."""

    @abstractmethod
    def to_half(self, target: LlvmType, x: str) -> str:
        """Append a conversion of f32 to f16, held as integers."""
