"""Types of values in WGSL, and their constants.

Vectors are lists of lanes, as in source_text.py.  Integers of at most 32 bits are ``u32`` with
zeros in the unused upper bits; integers of 64 bits are ``vec2<u32>``.  f16, bf16 and smaller floats
are integers with their bits.
"""

from __future__ import annotations

from math import isinf, isnan

import numpy as np

from ...support.diagnostics import LoweringError
from ..lane_lists import LaneType
from ..loop_to_llvm.types import LlvmType
from .long import LONG

NAN, INFINITE = "nan_bits", "infinity_bits"
"""Variables with bits that WGSL refuses in constant expressions."""


class WgslType(LaneType):
    """A scalar or vector type whose constants are written in WGSL."""

    __slots__ = ()

    def scalar_const(self, value: float) -> str:
        if self.format == "f32":
            return _float_text(value)
        type_name(self)
        number = super().scalar_const(value)
        if self.format == "i1":
            return number
        bits = int(number) % (1 << self.bits)
        if self.bits == 64:
            return f"vec2<u32>({bits % (1 << 32)}u, {bits >> 32}u)"
        return f"{bits}u"


def wgsl_type(format_: str, lanes: int = 1) -> WgslType:
    """Return the WGSL type of values with this format (such as f32) and number of lanes."""
    return WgslType.made(format_, lanes)


def type_name(type_: LlvmType) -> str:
    """Return the WGSL name of the type of one lane.

    Errors: LoweringError for a type that WGSL does not have.
    """
    if type_.format == "f32":
        return "f32"
    if type_.format == "i1":
        return "bool"
    if type_.format == "i64":
        return LONG
    if type_.bits > 32:
        raise LoweringError(
            "WGSL has no such type",
            expected="f32, integers, or floats of at most 16 bits",
            got=type_.format,
            hint="convert the values to f32",
        )
    return "u32"


def _float_text(value: float) -> str:
    """Return the shortest decimal constant that rounds to this f32."""
    number = np.float32(value)
    if isnan(number):
        return f"bitcast<f32>({NAN})"
    if isinf(number):
        text = f"bitcast<f32>({INFINITE})"
        return text if number > 0 else f"(-{text})"
    text = f"{number}f"
    return f"({text})" if text.startswith("-") else text
