"""Types of values in C, and their constants; see source_text.py for vectors."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import isinf, isnan
from typing import ClassVar, Self, cast

import numpy as np

from ..loop_to_llvm.types import LlvmType
from ..source_text import joined


class CType(LlvmType):
    """A scalar or vector type whose constants are printed as C.

    suffixes: the suffix of an integer constant by LLVM's name of its type; ``u`` for all others.
    """

    __slots__ = ()
    suffixes: ClassVar[Mapping[str, str]] = {"i32": "u", "i64": "ul"}

    @classmethod
    def made(cls, format_: str, lanes: int = 1) -> Self:
        """Return the type with this format and number of lanes; equal types are the same object."""
        return cast(Self, _made(cls, format_, lanes))

    def of(self, format_: str) -> Self:
        return self.made(format_, self.lanes)

    def with_lanes(self, lanes: int) -> Self:
        return self.made(self.format, lanes)

    @property
    def mask(self) -> Self:
        return self.made("i1", self.lanes)

    @property
    def integer(self) -> Self:
        return self.made(f"i{self.bits}", self.lanes)

    @property
    def scalar(self) -> Self:
        return self.made(self.format)

    def const(self, value: float) -> str:
        return joined([self.scalar_const(value)] * self.lanes)

    def scalar_const(self, value: float) -> str:
        if self.is_float:
            return _float_text(value, self.bits)
        number = super().scalar_const(value)
        if self.format == "i1":
            return number
        return f"{int(number) % (1 << self.bits)}{self.suffixes.get(self.element, 'u')}"

    def lane_constants(self, values: list[float]) -> str:
        return joined([self.scalar_const(value) for value in values])

    def first_lanes(self, count: int) -> str:
        return joined([str(lane < count).lower() for lane in range(self.lanes)])


@cache
def _made(class_: type[CType], format_: str, lanes: int) -> CType:
    return class_(format_, lanes)


c_type = CType.made


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
