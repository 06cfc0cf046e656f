"""Comparison of interpreter results before and after a transformation of the program.

Integers must be bitwise equal; floats may differ by the rounding errors of another summation order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from ..dialects.dtypes import element_type, is_float
from ..support.accuracy import FLOAT_EPSILONS, NARROW_EPSILONS
from ..support.diagnostics import TilewrightError

Array: TypeAlias = NDArray[Any]


def expect_close(got: Array, expected: Array, what: str) -> None:
    """Check that an array is close to a reference: integers are equal, floats within a bound.

    Floats are accepted if the L2 norm of the difference is at most `relative_bound` times the norm
    of the reference, or if the difference of each element e is at most this bound times 1 + |e|.
    NaN and infinities must be at the same positions.
    what: names the array in the error.
    Errors: TilewrightError if the arrays differ.
    """
    if not _is_float(expected.dtype):
        expect_equal(got, expected, what)
        return
    _expect_type(got, expected, what)
    if np.array_equal(got, expected):
        return
    a, b, same = got.astype(np.float64), expected.astype(np.float64), True
    if not np.all(finite := np.isfinite(b)):
        # Infinities must be equal; NaN must be at the same positions.
        same = np.array_equal(a[~finite], b[~finite], equal_nan=True)
        a, b = a[finite], b[finite]
    difference, b = np.abs(a - b), np.abs(b)
    bound = relative_bound(expected.dtype)
    close = np.linalg.norm(difference) <= bound * np.linalg.norm(b)
    if same and (close or bool(np.all(difference <= bound * (1 + b)))):
        return
    raise _changed(got, expected, what, lambda x, y: ~np.isclose(x, y, bound, bound, True))


def expect_equal(got: Array, expected: Array, what: str) -> None:
    """Check that an array equals a reference bitwise; all NaN are equal.

    what: names the array in the error.
    Errors: TilewrightError if the arrays differ.
    """
    _expect_type(got, expected, what)
    if not np.array_equal(got, expected, equal_nan=_is_float(expected.dtype)):
        raise _changed(got, expected, what, lambda x, y: ~((x == y) | ((x != x) & (y != y))))


def relative_bound(dtype: np.dtype[Any]) -> float:
    """Return the largest relative error that `expect_close` accepts for a float type."""
    epsilons = NARROW_EPSILONS if dtype.itemsize <= 2 else FLOAT_EPSILONS
    return epsilons * float(ml_dtypes.finfo(dtype).eps)


def scaled_error(got: Array, expected: Array) -> float:
    """Return the largest difference of finite elements, relative to the largest expected one.

    Both are magnitudes; if all expected elements are 0, the difference itself is returned.
    """
    a, b = got.astype(np.float64), expected.astype(np.float64)
    both = np.isfinite(a) & np.isfinite(b)
    largest = float(np.abs(b[both]).max(initial=0))
    return float(np.abs(a[both] - b[both]).max(initial=0)) / (largest or 1.0)


def _is_float(dtype: np.dtype[Any]) -> bool:
    return is_float(element_type(dtype))


def _expect_type(got: Array, expected: Array, what: str) -> None:
    if (got.dtype, got.shape) != (expected.dtype, expected.shape):
        raise TilewrightError(
            f"{what} is of another type",
            expected=f"{expected.dtype}{list(expected.shape)}",
            got=f"{got.dtype}{list(got.shape)}",
        )


def _changed(
    got: Array, expected: Array, what: str, differs: Callable[[Array, Array], Array]
) -> TilewrightError:
    wide = _is_float(expected.dtype)
    x, y = (a.astype(np.float64) if wide else a for a in (got, expected))
    places = np.argwhere(differs(x, y))
    where = tuple(int(i) for i in places[0]) if len(places) else (0,) * got.ndim
    return TilewrightError(
        f"{what} changed",
        expected=f"{expected[where]} at {list(where)}",
        got=f"{got[where]}; {len(places)} of {got.size} elements differ",
    )
