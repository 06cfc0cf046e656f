"""How exact results shall be: a choice of the user that passes ask for.

parse_precision("strict") is Precision.STRICT
"""

from __future__ import annotations

from enum import StrEnum

from .diagnostics import TilewrightError

STRICT_MATH = "tw.strict_math"
"""The attribute of a kernel function whose functions of f32 are computed in f64, rounded once."""


class Precision(StrEnum):
    """default: algorithms with a documented, larger error where they are faster; strict: none."""

    DEFAULT = "default"
    STRICT = "strict"


def parse_precision(text: str) -> Precision:
    """Return the precision of a name.

    Errors: TilewrightError for another name.
    """
    try:
        return Precision(text)
    except ValueError as err:
        raise TilewrightError(
            "unknown precision", expected=", ".join(map(repr, map(str, Precision))), got=repr(text)
        ) from err
