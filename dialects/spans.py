"""Spans: the range (first, end) of positions, per dimension, that a clipped output writes.

An end may be a symbolic size.  As an attribute, spans are a dense array of integers, or #te.dims if
an end is symbolic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

from ..support.affine import Range
from .shape import MOST, Dim, Extent
from .size_lists import SizesAttr, sizes_attr, sizes_of

Span: TypeAlias = tuple[int, Extent]
"""The first position, and the exclusive end."""


def spans_attr(spans: Sequence[Span]) -> SizesAttr:
    """Return the attribute that holds a list of spans."""
    return sizes_attr([size for span in spans for size in span])


def spans_of(attr: SizesAttr) -> tuple[Span, ...]:
    """Return the list of spans that an attribute of `spans_attr` holds."""
    sizes = sizes_of(attr)
    return tuple(zip(cast("tuple[int, ...]", sizes[::2]), sizes[1::2], strict=True))


def ranges_of(spans: Sequence[Span]) -> tuple[Range, ...]:
    """Return ranges of integers that contain the spans for all values of symbolic sizes."""
    return tuple((first, MOST if isinstance(end, Dim) else end) for first, end in spans)
