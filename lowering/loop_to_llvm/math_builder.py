"""The builder of math functions: operations on one float type, its integers and its masks.

Each method appends instructions and returns the printed operand of the result.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

from .lane_code import LaneCode
from .types import LlvmType

MANTISSA_BITS = {32: 23, 64: 52}
BIAS = {32: 127, 64: 1023}
_LARGE = 2.0**126
"""The reciprocals of larger numbers are subnormal."""


class MathBuilder:
    """A builder of operations on floats of one type, f32 or f64, lane by lane."""

    __slots__ = ("bits", "integer", "mantissa_bits", "text", "type")

    def __init__(self, text: LaneCode, type_: LlvmType) -> None:
        assert type_.is_float, f"math is computed in f32 or f64, not {type_.format}"
        self.text, self.type = text, type_
        self.integer = type_.integer
        self.bits = type_.bits
        self.mantissa_bits = MANTISSA_BITS[type_.bits]

    def const(self, value: float) -> str:
        """Return a constant with this value in every lane."""
        return self.type.const(value)

    def add(self, a: str, b: str) -> str:
        """Emit a + b."""
        return self.text.binary("fadd", self.type, a, b)

    def sub(self, a: str, b: str) -> str:
        """Emit a - b."""
        return self.text.binary("fsub", self.type, a, b)

    def mul(self, a: str, b: str) -> str:
        """Emit a * b."""
        return self.text.binary("fmul", self.type, a, b)

    @property
    def approximates(self) -> bool:
        """Whether approximate instructions for functions of this float type can be used."""
        return self.bits == 32 and self.text.approximates

    def div(self, a: str, b: str) -> str:
        """Emit a / b.

        Error: 0.5 ulp.  With approximate instructions: 1 ulp, or 2 ulp for a subnormal quotient; a
        subnormal b counts as 0.
        """
        if not self.approximates:
            return self.text.binary("fdiv", self.type, a, b)
        scale = self.select(
            self.compare("ogt", self.abs(b), self.const(_LARGE)), self.const(2.0**-6), self.const(1)
        )
        divisor = self.mul(b, scale)
        inverse = self.text.approximate("reciprocal", self.type, divisor)
        quotient = self.mul(a, inverse)
        rest = self.fma(self.neg(quotient), divisor, a)
        better = self.fma(rest, inverse, quotient)
        is_finite = self.compare("olt", self.abs(rest), self.const(math.inf))
        return self.mul(self.select(is_finite, better, quotient), scale)

    def neg(self, a: str) -> str:
        """Emit -a."""
        return self.text.neg(self.type, a)

    def fma(self, a: str, b: str, c: str) -> str:
        """Emit a * b + c, which is rounded twice if the target has no FMA."""
        return self.text.fma(self.type, a, b, c)

    def abs(self, a: str) -> str:
        """Emit |a|."""
        return self.text.intrinsic("fabs", self.type, a)

    def copysign(self, magnitude: str, sign: str) -> str:
        """Emit the magnitude of one value with the sign of another."""
        return self.text.intrinsic("copysign", self.type, magnitude, sign)

    def sqrt(self, a: str) -> str:
        """Emit the square root."""
        return self.text.intrinsic("sqrt", self.type, a)

    def compare(self, predicate: str, a: str, b: str) -> str:
        """Emit a comparison of floats; its predicate is that of LLVM's fcmp, such as ``olt``."""
        return self.text.binary(f"fcmp {predicate}", self.type, a, b)

    def select(self, condition: str, a: str, b: str) -> str:
        """Emit a where a condition holds, else b."""
        return self.text.select(condition, self.type, a, b)

    def logic(self, opcode: str, a: str, b: str) -> str:
        """Emit an operation of LLVM on two conditions: and, or, or xor."""
        return self.text.binary(opcode, self.type.mask, a, b)

    def int_op(self, opcode: str, a: str, b: int | str) -> str:
        """Emit an integer instruction of LLVM on bit patterns.

        b: a printed operand, or an integer constant.
        """
        operand = b if isinstance(b, str) else self.integer.const(b)
        return self.text.binary(opcode, self.integer, a, operand)

    def int_compare(self, predicate: str, a: str, b: int) -> str:
        """Emit a comparison of bit patterns with a constant.

        predicate: the predicate of LLVM's icmp, such as ``slt``.
        """
        return self.text.binary(f"icmp {predicate}", self.integer, a, self.integer.const(b))

    def to_bits(self, a: str) -> str:
        """Emit the bit pattern of a float."""
        return self.text.cast("bitcast", a, self.type, self.integer)

    def from_bits(self, a: str) -> str:
        """Emit the float of a bit pattern."""
        return self.text.cast("bitcast", a, self.integer, self.type)

    def at_most(self, a: str, limit: float) -> str:
        """Emit min(a, limit) in one instruction.

        If a is NaN, the result is NaN.  The limit must not be 0.
        """
        bound = self.const(limit)
        return self.select(self.compare("olt", bound, a), bound, a)

    def at_least(self, a: str, limit: float) -> str:
        """Emit max(a, limit) in one instruction.

        If a is NaN, the result is NaN.  The limit must not be 0.
        """
        bound = self.const(limit)
        return self.select(self.compare("ogt", bound, a), bound, a)

    def polynomial(self, x: str, coefficients: Sequence[float]) -> str:
        """Emit a polynomial of x by Horner's rule.

        coefficients: the constant term first.
        """
        out = self.const(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            out = self.fma(out, x, self.const(coefficient))
        return out

    def widened(self) -> MathBuilder:
        """Return the f64 builder with the same number of lanes."""
        return MathBuilder(self.text, self.type.of("f64"))


def bit_pattern(value: float, bits: int) -> int:
    """Return the bits of a value as an integer.

    bits: the width of the float type to which the value is rounded first: 32 or 64.
    """
    if bits == 32:
        return struct.unpack("<i", struct.pack("<f", value))[0]
    return struct.unpack("<q", struct.pack("<d", value))[0]
