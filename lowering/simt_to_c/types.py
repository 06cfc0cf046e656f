"""Types of values in C, and their constants; see source_text.py for vectors."""

from __future__ import annotations

from functools import cache
from math import isinf, isnan

import numpy as np

from ..loop_to_llvm.types import LlvmType
from ..source_text import joined

_SUFFIXES = {"i32": "u", "i64": "ul"}


class CType(LlvmType):
    """A scalar or vector type whose constants are printed as C."""

    __slots__ = ()

    def of(self, format_: str) -> CType:
        return c_type(format_, self.lanes)

    def with_lanes(self, lanes: int) -> CType:
        return c_type(self.format, lanes)

    @property
    def mask(self) -> CType:
        return c_type("i1", self.lanes)

    @property
    def integer(self) -> CType:
        return c_type(f"i{self.bits}", self.lanes)

    @property
    def scalar(self) -> CType:
        return c_type(self.format)

    def const(self, value: float) -> str:
        return joined([self.scalar_const(value)] * self.lanes)

    def scalar_const(self, value: float) -> str:
        if self.is_float:
            return _float_text(value, self.bits)
        number = super().scalar_const(value)
        if self.format == "i1":
            return number
        return _SUFFIXES.get(self.element, "u").join([str(int(number) % (1 << self.bits)), ""])

    def lane_constants(self, values: list[float]) -> str:
        return joined([self.scalar_const(value) for value in values])

    def first_lanes(self, count: int) -> str:
        return joined([str(lane < count).lower() for lane in range(self.lanes)])


@cache
def c_type(format_: str, lanes: int = 1) -> CType:
    """Return the type with this format and number of lanes; equal types are the same object."""
    return CType(format_, lanes)


def _float_text(value: float, bits: int) -> str:
    """Return the shortest decimal constant that rounds to a value."""
    number = np.float32(value) if bits == 32 else np.float64(value)
    if isnan(number):
        return "NAN"
    if isinf(number):
        return "INFINITY" if number > 0 else "(-INFINITY)"
    text = repr(float(number)) if bits == 64 else str(number)
    text += "" if "." in text or "e" in text else ".0"
    text += "f" if bits == 32 else ""
    return f"({text})" if text.startswith("-") else text
