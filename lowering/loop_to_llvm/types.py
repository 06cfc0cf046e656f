"""LLVM types of loop-level values, and their constants.

f16 and bf16 values are held in 16-bit integers, floats of at most 8 bits in bytes.  Every operation
on them widens to f32 first, so no code depends on target registers for these types.  An i1 is one
byte in memory.
"""

from __future__ import annotations

import struct
from functools import cache
from typing import Self

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    VectorType,
)
from xdsl.ir import Attribute

from ...support.diagnostics import LoweringError

MAX_INTEGER_BITS = 64
"""Most bits of a short vector that is repeated as one integer."""

_FLOATS: dict[type[Attribute], str] = {
    Float64Type: "f64",
    Float32Type: "f32",
    Float16Type: "f16",
    BFloat16Type: "bf16",
}
# Floats of at most 8 bits: the ml_dtypes type with the same values, one per byte.
SMALL_FLOATS = {
    "f8E4M3FN": "float8_e4m3fn", "f8E4M3FNUZ": "float8_e4m3fnuz", "f8E4M3": "float8_e4m3",
    "f8E3M4": "float8_e3m4", "f8E5M2": "float8_e5m2", "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E8M0FNU": "float8_e8m0fnu", "f6E2M3FN": "float6_e2m3fn", "f6E3M2FN": "float6_e3m2fn",
    "f4E2M1FN": "float4_e2m1fn",
}  # fmt: skip
_ELEMENTS = {
    "f64": "double",
    "f32": "float",
    "f16": "i16",
    "bf16": "i16",
    **dict.fromkeys(SMALL_FLOATS, "i8"),
}
_NARROW_DTYPES = {
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    **{name: np.dtype(getattr(ml_dtypes, held)) for name, held in SMALL_FLOATS.items()},
}
_BITS = {"f64": 64, "f32": 32, "f16": 16, "bf16": 16, **dict.fromkeys(SMALL_FLOATS, 8)}


TILE_TYPE = "x86_amx"
"""LLVM's only type of registers that hold tiles."""


class LlvmType:
    """A scalar, vector or tile type; make it by `llvm_type`.

    format: f64, f32, f16, bf16, a key of SMALL_FLOATS, or iN.
    element: LLVM's name of the type of one lane.
    text: LLVM's name of the type of the value.
    memory_element, memory_text: the same for values in memory, where i1 is i8.
    suffix: the name of the type in LLVM's intrinsics, for example ``v8f32``.
    rows: the number of rows of a tile, each with ``lanes`` lanes; 0 for a scalar or vector.
    """

    __slots__ = (
        "alignment", "bits", "element", "format", "is_float", "is_narrow", "lanes",
        "memory_element", "memory_text", "prefix", "rows", "suffix", "text",
    )  # fmt: skip

    def __init__(self, format_: str, lanes: int, rows: int = 0) -> None:
        self.format, self.lanes, self.rows = format_, lanes, rows
        self.is_float = format_ in ("f32", "f64")
        self.is_narrow = format_ in _NARROW_DTYPES
        self.bits = _BITS.get(format_) or int(format_[1:])
        self.element = _ELEMENTS.get(format_, format_)
        self.memory_element = "i8" if format_ == "i1" else self.element
        self.alignment = max(1, self.bits // 8)
        self.prefix = f"v{lanes}" if lanes > 1 else ""
        self.suffix = self.prefix + (self.element if self.is_narrow else format_)
        self.text = TILE_TYPE if rows else self._shaped(self.element)
        self.memory_text = self._shaped(self.memory_element)

    def _shaped(self, element: str) -> str:
        return f"<{self.lanes} x {element}>" if self.lanes > 1 else element

    def __repr__(self) -> str:
        return self.text

    @classmethod
    @cache
    def made(cls, format_: str, lanes: int = 1, rows: int = 0) -> Self:
        """Return the type with these parameters; equal parameters give the same object.

        format_: f64, f32, f16, bf16, a key of SMALL_FLOATS, or iN.
        rows: the number of rows of a tile; 0 for a scalar or vector.
        """
        return cls(format_, lanes, rows)

    def of(self, format_: str) -> Self:
        """Return the type with the same number of lanes and another format."""
        return self.made(format_, self.lanes)

    def with_lanes(self, lanes: int) -> Self:
        """Return the type with another number of lanes."""
        return self.made(self.format, lanes)

    @property
    def half_text(self) -> str:
        """LLVM's name of f16 values of this shape, which are otherwise held as i16."""
        return self._shaped("half")

    def first_lanes(self, count: int) -> str:
        """Return a constant mask (vector of i1) in which the first ``count`` lanes are true."""
        return "<" + ", ".join(f"i1 {int(i < count)}" for i in range(self.lanes)) + ">"

    @property
    def mask(self) -> Self:
        """The type of the results of comparisons."""
        return self.made("i1", self.lanes)

    @property
    def integer(self) -> Self:
        """The integer type of the same width, with the same number of lanes."""
        return self.made(f"i{self.bits}", self.lanes)

    @property
    def held(self) -> Self:
        """The type of the value in memory, where an i1 is a byte."""
        return self.of("i8") if self.format == "i1" else self

    @property
    def scalar(self) -> Self:
        """The type of one lane."""
        return self.made(self.format)

    def const(self, value: float) -> str:
        """Return the printed constant that has a value in every lane."""
        text = self.scalar_const(value)
        return f"splat ({self.element} {text})" if self.lanes > 1 else text

    def scalar_const(self, value: float) -> str:
        """Return the printed constant of one lane with this value."""
        if self.is_float:
            return float_text(value, self.bits)
        if self.is_narrow:
            number = np.array(value, np.float32).astype(_NARROW_DTYPES[self.format])
            return str(int(number.view(f"i{self.bits // 8}")))
        if self.format == "i1":
            return "true" if value else "false"
        return str(int(value))

    def lane_constants(self, values: list[float]) -> str:
        """Return the printed vector constant with these values, one per lane."""
        lanes = (f"{self.element} {self.scalar_const(v)}" for v in values)
        return f"<{', '.join(lanes)}>"


llvm_type = LlvmType.made


def type_of(attribute: Attribute) -> LlvmType:
    """Return the LLVM type of a scalar, vector or tile type.

    Errors: LoweringError for a type without loop-level arithmetic.
    """
    lanes, rows, element = 1, 0, attribute
    if isinstance(attribute, VectorType):
        *outer, lanes = attribute.get_shape()
        if len(outer) > 1:
            raise LoweringError("vectors have one dimension, tiles have two", got=attribute)
        rows, element = sum(outer), attribute.get_element_type()
    if isinstance(element, IndexType):
        return llvm_type("i64", lanes, rows)
    if isinstance(element, IntegerType):
        return llvm_type(f"i{element.width.data}", lanes, rows)
    format_ = _FLOATS.get(type(element)) or str(element)
    if format_ not in _BITS:
        raise LoweringError(
            "no machine code for this element type", expected=f"iN {' '.join(_BITS)}", got=element
        )
    return llvm_type(format_, lanes, rows)


def memory_type(memref: MemRefType) -> LlvmType:
    """Return the type of one element of a buffer."""
    return type_of(memref.get_element_type())


def float_text(value: float, bits: int) -> str:
    """Return an f32 or f64 constant in the notation of LLVM IR: the bits of the value as f64.

    bits: 32 or 64; for 32, the value is first rounded to f32.
    """
    if bits == 32:
        value = float(np.float32(value))
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
