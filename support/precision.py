"""The precision mode, which the user chooses and passes read.

parse_precision("strict") is Precision.STRICT
"""

from __future__ import annotations

from enum import StrEnum

from .diagnostics import TilewrightError

STRICT_MATH = "tw.strict_math"
"""Attribute of a kernel function whose f32 math functions are computed in f64 and rounded."""


class Precision(StrEnum):
    """The precision mode, which decides the allowed errors and the types of products.

    DEFAULT: faster algorithms with a documented, larger error are allowed.  STRICT: such algorithms
    are not allowed.
    BF16: operands of f32 matrix products are rounded to bf16 where that is faster.  BF16_FORCED:
    operands of all f32 matrix products are rounded to bf16.
    TF32: operands of f32 matrix products are rounded to 10 bits of fraction, for matrix
    instructions of GPUs.
    """

    DEFAULT = "default"
    STRICT = "strict"
    BF16 = "bf16"
    BF16_FORCED = "bf16-forced"
    TF32 = "tf32"

    @property
    def rounds_products(self) -> bool:
        """Whether f32 operands of matrix products may be rounded to bf16."""
        return self in (Precision.BF16, Precision.BF16_FORCED)


def parse_precision(text: str) -> Precision:
    """Return the precision mode with a name such as ``bf16``.

    Errors: TilewrightError for an unknown name.
    """
    try:
        return Precision(text)
    except ValueError as err:
        raise TilewrightError(
            "unknown precision", expected=", ".join(map(repr, map(str, Precision))), got=repr(text)
        ) from err
