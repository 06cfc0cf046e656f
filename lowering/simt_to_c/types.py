"""Types of values in C, and their constants; see source_text.py for vectors."""

from __future__ import annotations

from collections.abc import Mapping
from math import isinf, isnan
from typing import ClassVar

import numpy as np

from ..lane_lists import LaneType


class CType(LaneType):
    """A scalar or vector type whose constants are printed as C.

    suffixes: the suffix of integer constants, by LLVM's name of their type; other integers have
    ``u``.
    """

    __slots__ = ()
    suffixes: ClassVar[Mapping[str, str]] = {"i32": "u", "i64": "ul"}

    def scalar_const(self, value: float) -> str:
        if self.is_float:
            return _float_text(value, self.bits)
        number = super().scalar_const(value)
        if self.format == "i1":
            return number
        return f"{int(number) % (1 << self.bits)}{self.suffixes.get(self.element, 'u')}"


def c_type(format_: str, lanes: int = 1) -> CType:
    """Return the C type of values with this format (such as f32) and number of lanes."""
    return CType.made(format_, lanes)


def _float_text(value: float, bits: int) -> str:
    """Return the shortest decimal constant of C that rounds to a value.

    bits: 32 for f32, 64 for f64.
    """
    number = np.float32(value) if bits == 32 else np.float64(value)
    if isnan(number):
        return "NAN"
    if isinf(number):
        return "INFINITY" if number > 0 else "(-INFINITY)"
    text = repr(float(number)) if bits == 64 else str(number)
    text += "" if "." in text or "e" in text else ".0"
    text += "f" if bits == 32 else ""
    return f"({text})" if text.startswith("-") else text
