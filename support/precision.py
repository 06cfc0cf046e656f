"""The precision mode that the user chooses and passes read.

parse_precision("strict") is Precision.STRICT
"""

from __future__ import annotations

from enum import StrEnum

from .diagnostics import TilewrightError

STRICT_MATH = "tw.strict_math"
"""Attribute of a kernel function that computes its f32 math functions in f64 and rounds once."""


class Precision(StrEnum):
    """The mode. default: use faster algorithms with a documented, larger error; strict: never."""

    DEFAULT = "default"
    STRICT = "strict"


def parse_precision(text: str) -> Precision:
    """Return the precision with a name.

    Errors: TilewrightError for an unknown name.
    """
    try:
        return Precision(text)
    except ValueError as err:
        raise TilewrightError(
            "unknown precision", expected=", ".join(map(repr, map(str, Precision))), got=repr(text)
        ) from err
