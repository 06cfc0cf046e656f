"""Spans: the range (first, end) of positions, per dimension, that a clipped output writes.

An end may be a symbolic size.  As an attribute, spans are a dense array of integers, or #te.dims if
an end is symbolic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i64

from ..support.affine import Range
from .shape import MOST, Dim, DimsAttr, Extent, extent_of

Span: TypeAlias = tuple[int, Extent]
"""The first position, and the exclusive end."""


def spans_attr(spans: Sequence[Span]) -> DenseArrayBase[IntegerType] | DimsAttr:
    """Return the attribute that holds a list of spans."""
    numbers = [n for span in spans for n in span]
    if any(isinstance(n, Dim) for n in numbers):
        return DimsAttr.of(numbers)
    return DenseArrayBase.from_list(i64, cast("list[int]", numbers))


def spans_of(attr: DenseArrayBase[IntegerType] | DimsAttr) -> tuple[Span, ...]:
    """Return the list of spans that an attribute of `spans_attr` holds."""
    if isinstance(attr, DimsAttr):
        numbers = [extent_of(dim) for dim in attr.data]
    else:
        numbers = list(cast("Sequence[int]", attr.get_values()))
    firsts = cast("list[int]", numbers[::2])
    return tuple(zip(firsts, numbers[1::2], strict=True))


def ranges_of(spans: Sequence[Span]) -> tuple[Range, ...]:
    """Return ranges of integers that contain the spans for all values of symbolic sizes."""
    return tuple((first, MOST if isinstance(end, Dim) else end) for first, end in spans)


__all__ = ["Span", "ranges_of", "spans_attr", "spans_of"]
