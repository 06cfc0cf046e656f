"""The precision mode that the user chooses and passes read.

parse_precision("strict") is Precision.STRICT
"""

from __future__ import annotations

from enum import StrEnum

from .diagnostics import TilewrightError

STRICT_MATH = "tw.strict_math"
"""Attribute of a kernel function that computes its f32 math functions in f64 and rounds once."""


class Precision(StrEnum):
    """The mode.

    default: use faster algorithms with a documented, larger error; strict: never.  bf16: products
    of f32 round their operands to bf16 where that is faster; bf16-forced: also where it is not.
    tf32: they round them to 10 bits of the fraction, for matrix instructions of GPUs.
    """

    DEFAULT = "default"
    STRICT = "strict"
    BF16 = "bf16"
    BF16_FORCED = "bf16-forced"
    TF32 = "tf32"

    @property
    def rounds_products(self) -> bool:
        """True if products of f32 may round their operands to bf16."""
        return self in (Precision.BF16, Precision.BF16_FORCED)


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
