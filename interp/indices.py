"""Reference semantics of index checks, shared by the interpreters of all levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..support.diagnostics import IndexOutside, TilewrightError
from .scalar import Array


@dataclass(frozen=True)
class Outside:
    """An index that is out of range; valid indices are low..size-1.

    value: the index.  at: its position in the tensor of indices.
    """

    low: int
    size: int
    value: int
    at: tuple[int, ...]

    def error(self, place: str, kind: type[TilewrightError], hint: str = "") -> TilewrightError:
        """Return the error about this index.

        place: names the operator that uses the index.  kind: the class of the error.
        """
        return kind(
            "an index is out of range",
            expected=f"{self.low}..{self.size - 1}" if self.size else "no index into an empty axis",
            got=f"{self.value} at {list(self.at)} of the indices",
            hint=hint,
            where=place,
        )


def find_outside(x: Array, sizes: Sequence[int], *, wraps: bool) -> Outside | None:
    """Return the first index that is out of range, or None if all are in range.

    x: the tensor of indices.  sizes: one size for all elements, or one size per element of the last
    axis (column).  wraps: whether negative indices, down to -size, count from the end.
    With several sizes, column 0 is searched first, then column 1, and so on; each in row-major
    order.
    """
    for column, size in enumerate(sizes):
        part = x if len(sizes) == 1 else x[..., column]
        low = -size if wraps else 0
        wrong = np.argwhere((part < low) | (part >= size))
        if len(wrong):
            at = (*wrong[0].tolist(), *([column] if len(sizes) > 1 else []))
            return Outside(low, size, int(x[at]), at)
    return None


def check_indices(
    place: str,
    x: Array,
    sizes: Sequence[int],
    *,
    wraps: bool,
    kind: type[TilewrightError] = IndexOutside,
) -> None:
    """Raise an error if an index is out of range.

    place: names the operator that uses the indices, for the error.  x: the tensor of indices.
    kind: the class of the error.
    sizes: one size for all elements, or one size per element of the last axis.  wraps: whether
    negative indices, down to -size, count from the end.
    """
    wrong = find_outside(x, sizes, wraps=wraps)
    if wrong is not None:
        raise wrong.error(place, kind)
