"""Bounds of index expressions over axes and sizes.

X[i - 2 * (i floordiv 2)]  reads  X[0] and X[1]
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from ..support.affine import INFINITY, Index, Key, Range, RangeOf
from ..support.bounds import Rank, Uppers
from .shape import Dim, Extent, SizeBounds, size_index


class AxisBounds(SizeBounds):
    """Bounds of index expressions whose variables (keys) are axes, sizes, and other SSA values.

    extent_of: a function that returns the extent of an axis, or None if the key is no axis.
    ranges: a function that returns the integer range of a key that is not a size.
    """

    def __init__(self, extent_of: Callable[[Hashable], Extent | None], ranges: RangeOf) -> None:
        super().__init__(INFINITY)
        self._extent_of, self._ranges = extent_of, ranges

    def range_of(self, key: Key) -> Range:
        """Return the integer range of a key; an end that depends on a symbolic size is INFINITY."""
        return super().range_of(key) if isinstance(key, Dim) else self._ranges(key)

    def rank(self, key: Key) -> Rank:
        """Return the rank of a key: a proof eliminates the keys of highest rank first.

        The order is: axes, then other keys, then sizes.
        """
        if isinstance(key, Dim):
            return super().rank(key)
        return int(self._extent_of(key) is not None), 0, str(key)

    def uppers_of_key(self, key: Key, factor: int, rest: Index) -> Uppers:
        """Compute upper bounds of ``key * factor + rest`` that do not contain the key.

        A generator of the protocol `Uppers`: it yields expressions, receives an upper bound of
        each, and returns the list of bounds. For an axis, the bound is the value of the expression
        at the first position of the axis (negative factor) or at its last position (positive
        factor).
        """
        if isinstance(key, Dim):
            return super().uppers_of_key(key, factor, rest)
        return self._uppers_of_axis(key, factor, rest)

    def _uppers_of_axis(self, key: Key, factor: int, rest: Index) -> Uppers:
        extent = self._extent_of(key)
        if extent is None:
            return [(yield rest) + self._ranges(key)[factor > 0] * factor]
        last = size_index(Dim.of(extent)) - 1
        return [(yield (rest + last * factor if factor > 0 else rest))]
