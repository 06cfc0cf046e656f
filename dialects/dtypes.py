"""Element types: their kind, their width, and the numpy dtype that holds their values.

Signedness lives at the graph level: ``i8`` is signed, ``ui8`` unsigned, ``i1`` is bool.
Narrow floats and integers below 8 bits take one byte per element in numpy (ml_dtypes).
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import prod

import ml_dtypes
import numpy as np
from xdsl.dialects import builtin
from xdsl.dialects.builtin import (
    IndexType,
    IntegerType,
    MemRefType,
    Signedness,
    TensorType,
    f32,
    i1,
)
from xdsl.ir import Attribute

from ..support.diagnostics import TypeMismatch
from .shape import Extent, dims_of, element_count, extent_of

ATTRIBUTES_BY_NAME: dict[str, Attribute] = {
    "float64": builtin.f64,
    "float32": builtin.f32,
    "float16": builtin.f16,
    "bfloat16": builtin.bf16,
    "float8_e4m3fn": builtin.Float8E4M3FNType(),
    "float8_e4m3fnuz": builtin.Float8E4M3FNUZType(),
    "float8_e4m3": builtin.Float8E4M3Type(),
    "float8_e3m4": builtin.Float8E3M4Type(),
    "float8_e5m2": builtin.Float8E5M2Type(),
    "float8_e5m2fnuz": builtin.Float8E5M2FNUZType(),
    "float8_e8m0fnu": builtin.Float8E8M0FNUType(),
    "float6_e2m3fn": builtin.Float6E2M3FNType(),
    "float6_e3m2fn": builtin.Float6E3M2FNType(),
    "float4_e2m1fn": builtin.Float4E2M1FNType(),
    "bool": i1,
    **{f"int{n}": IntegerType(n) for n in (2, 4, 8, 16, 32, 64)},
    **{f"uint{n}": IntegerType(n, Signedness.UNSIGNED) for n in (2, 4, 8, 16, 32, 64)},
    "complex64": builtin.ComplexType(builtin.f32),
    "complex128": builtin.ComplexType(builtin.f64),
}
"""Element types by the name of the numpy (or ml_dtypes) dtype that holds them."""


@cache
def _dtypes() -> dict[Attribute, np.dtype[np.generic]]:
    def dtype(name: str) -> np.dtype[np.generic]:
        return np.dtype(getattr(ml_dtypes, name, name))

    return {attr: dtype(name) for name, attr in ATTRIBUTES_BY_NAME.items()}


@lru_cache(maxsize=256)
def numpy_dtype(element_type: Attribute) -> np.dtype[np.generic]:
    """Return the numpy dtype that holds values of an element type; int64 for ``index``.

    Errors: TypeMismatch if numpy has no dtype for the element type.
    """
    if isinstance(element_type, IndexType):
        return np.dtype(np.int64)
    if isinstance(element_type, IntegerType) and element_type.signedness.data is Signedness.SIGNED:
        return numpy_dtype(IntegerType(element_type.width.data))
    dtype = _dtypes().get(element_type)
    if dtype is None:
        raise TypeMismatch(
            "element type has no numpy dtype",
            expected=", ".join(map(str, ATTRIBUTES_BY_NAME.values())),
            got=element_type,
            hint="insert graph.cast to one of these types",
        )
    return dtype


def element_type(dtype: np.dtype[np.generic]) -> Attribute:
    """Return the element type of a numpy dtype.

    Errors: TypeMismatch if no element type corresponds to the dtype (strings, objects, records).
    """
    attr = ATTRIBUTES_BY_NAME.get(dtype.name)
    if attr is None:
        raise TypeMismatch(
            "numpy dtype has no element type",
            expected=", ".join(ATTRIBUTES_BY_NAME),
            got=dtype,
            hint="convert the array with astype",
        )
    return attr


def is_float(element_type: Attribute) -> bool:
    """Return whether the element type is a real floating-point type."""
    return isinstance(element_type, builtin._FloatType)  # pyright: ignore[reportPrivateUsage]


def is_bool(element_type: Attribute) -> bool:
    """Return whether the element type is ``i1``."""
    return element_type == i1


def is_integer(element_type: Attribute) -> bool:
    """Return whether the element type is an integer wider than one bit."""
    return isinstance(element_type, IntegerType) and element_type.width.data > 1


def is_unsigned(element_type: Attribute) -> bool:
    """Return whether the element type is a ``uiN``."""
    return (
        isinstance(element_type, IntegerType)
        and element_type.signedness.data is Signedness.UNSIGNED
    )


def is_sub_byte(element_type: Attribute) -> bool:
    """Return whether the element type is an integer of 2 to 7 bits."""
    return is_integer(element_type) and bit_width(element_type) < 8


def is_number(element_type: Attribute) -> bool:
    """Return whether arithmetic is defined on the element type: floats and integers, not bool."""
    return is_float(element_type) or is_integer(element_type)


def bit_width(element_type: Attribute) -> int:
    """Return the number of bits of one value; 64 for ``index``."""
    match element_type:
        case IndexType():
            return 64
        case IntegerType():
            return element_type.width.data
        case builtin.ComplexType():
            return 2 * bit_width(element_type.element_type)
        case builtin.FixedBitwidthType():
            return element_type.bitwidth
        case _:
            raise TypeMismatch(
                "the type has no bit width",
                expected="an element type",
                got=element_type,
                hint="use a float, integer or index type",
            )


def storage_bytes(element_type: Attribute) -> int:
    """Return the number of bytes that one element takes in memory; 1 for ``i1`` and ``i4``."""
    return -(-bit_width(element_type) // 8)


def buffer_bytes(type_: MemRefType | TensorType) -> int:
    """Return the number of bytes of a tensor or memref of static shape."""
    return prod(type_.get_shape()) * storage_bytes(type_.get_element_type())


def buffer_size(type_: MemRefType | TensorType) -> Extent:
    """Return the number of bytes of a tensor or memref, symbolic if its shape is dynamic."""
    count = element_count(dims_of(type_))
    return extent_of(count * storage_bytes(type_.get_element_type()))


def compute_type(element_type: Attribute) -> Attribute:
    """Return the type in which an operation on this element type computes.

    It is f32 for narrow floats, an 8-bit integer of the same signedness for narrower integers, and
    otherwise the element type itself.
    """
    if is_sub_byte(element_type):
        sign = Signedness.UNSIGNED if is_unsigned(element_type) else Signedness.SIGNLESS
        return IntegerType(8, sign)
    return f32 if is_float(element_type) and bit_width(element_type) < 32 else element_type


def accumulator_type(element_type: Attribute) -> Attribute:
    """Return the type that accumulates products.

    It is i32 for integers below 32 bits, and otherwise the element type itself.
    """
    narrow = is_integer(element_type) and bit_width(element_type) < 32
    return builtin.i32 if narrow else element_type
