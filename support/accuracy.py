"""The largest errors of all operators, by element type: data for tests, validation and docs.

    FUNCTIONS["tanh"].f32       3.0: ulp of the exact result
    FLOAT_EPSILONS              84: error of a sum, in epsilons of the sum of its absolute terms

A *unit in the last place* (ulp) of a result is the distance between adjacent numbers of its type at
its magnitude.  The bounds of f32 and f64 hold for CPUs; a GPU whose instructions approximate has
its own bound.  f16 and bf16 are computed in f32 and rounded once.  With ``precision="strict"``, a
function of f32 is computed in f64 and rounded once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

ROUNDED_ULP = 0.5
"""The error of one rounding to nearest."""

TWICE_ROUNDED_ULP = 0.51
"""The error of a value that is computed in a wider type and rounded: f16, bf16, and strict f32."""

FLOAT_EPSILONS = 84
"""The largest error of a sum of f32 or f64, in epsilons of the sum of its absolute terms: 1e-5 for
f32.  Validation accepts the same error of a result, relative to the norm of the result."""

NARROW_EPSILONS = 8
"""The same for types of at most 16 bits, whose sums are accumulated in a wider type."""

WINOGRAD_ERROR = 2e-6
"""The largest relative L2 error of a convolution by Winograd's algorithm with tiles of 4x4."""

NETWORK_ERROR = 1e-5
"""The largest relative L2 error of a network of f32, including algorithms with a larger error than
a sum, such as Winograd's.  ``precision="strict"`` excludes these algorithms."""

FLUSHED_BELOW = 2.0**-125
"""Where a function of f32 flushes, its results below this number may be 0."""


@dataclass(frozen=True)
class Accuracy:
    """The largest error of a function, in ulp.

    f32, f64: the largest error of a result of this type.  approximated: the largest error of f32 on
    GPUs with approximate instructions; None: as on CPUs.  largest: the errors are guaranteed for
    operands up to this absolute value.  flushes: whether results below `FLUSHED_BELOW` may be 0.
    is_composed: whether the function is made of other operators, so that strict math does not round
    it once.  note: a remark for the table in the documentation.
    """

    f32: float
    f64: float
    approximated: float | None = None
    largest: float = float("inf")
    flushes: bool = False
    is_composed: bool = False
    note: str = ""

    def ulp(self, dtype: str, *, strict: bool = False) -> float:
        """Return the bound for an element type.

        dtype: float16, bfloat16, float32 or float64.  strict: whether the precision is ``strict``.
        """
        if dtype == "float64":
            return self.f64
        is_rounded = strict and self.f32 > ROUNDED_ULP and not self.is_composed
        is_wide = dtype != "float32" or is_rounded
        return TWICE_ROUNDED_ULP if is_wide else self.f32


ROUNDED = Accuracy(ROUNDED_ULP, ROUNDED_ULP)
"""The accuracy of an operation of IEEE 754, and of a value that is only copied or compared."""

_ANGLE_NOTE = "beyond, the absolute error is about 2e-16 times the operand"
_HALF = 1.7e38  # half of the largest f32
_HALF_NOTE = "inf for more than half of the largest float"

FUNCTIONS: Mapping[str, Accuracy] = {
    "exp": Accuracy(1.5, 1.5, 4.5),
    "exp2": Accuracy(1.5, 1.5, 4.5),
    "expm1": Accuracy(2.5, 2.5),
    "log": Accuracy(1.0, 1.0),
    "log2": Accuracy(2.0, 2.0),
    "log10": Accuracy(2.5, 3.0),
    "log1p": Accuracy(2.0, 2.0),
    "tanh": Accuracy(3.0, 3.0, 4.5),
    "sinh": Accuracy(3.0, 3.0, 4.5),
    "cosh": Accuracy(2.5, 2.5, 4.5),
    "erf": Accuracy(3.0, 4.0, 3.5),
    "sin": Accuracy(1.5, 2.5, largest=1e6, note=_ANGLE_NOTE),
    "cos": Accuracy(1.5, 2.5, largest=1e6, note=_ANGLE_NOTE),
    "tan": Accuracy(3.5, 4.0, largest=1e6, note=_ANGLE_NOTE),
    "asin": Accuracy(4.0, 4.0),
    "acos": Accuracy(4.0, 4.0),
    "atan": Accuracy(2.5, 2.5),
    "asinh": Accuracy(3.5, 3.5, largest=_HALF, note=_HALF_NOTE),
    "acosh": Accuracy(3.5, 3.5, largest=_HALF, note=_HALF_NOTE),
    "atanh": Accuracy(3.5, 3.5),
    "sigmoid": Accuracy(3.0, 3.0, 4.5, flushes=True, is_composed=True),
    "pow": Accuracy(1.0, 2.0, note="of f64: 2 + 2 times the absolute value of y log x"),
    "atan2": Accuracy(4.0, 4.0),
    "sqrt": ROUNDED,
    "rsqrt": Accuracy(1.5, 1.5, 2.5),
    "div": Accuracy(ROUNDED_ULP, ROUNDED_ULP, 1.0, note="2 ulp of subnormal results on GPUs"),
    **dict.fromkeys(
        ("abs", "neg", "sign", "ceil", "floor", "round_even", "add", "sub", "mul", "mod", "fmod",
         "max", "min"),
        ROUNDED,
    ),
}  # fmt: skip
"""The elementwise operators, and functions that others are made of."""
