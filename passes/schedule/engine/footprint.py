"""Footprint of a loop: the part of a buffer that one iteration reads, over outer loop variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ....analysis.bounds.loop_ranges import LoopRanges
from ....dialects.loop import ForOp
from ....dialects.shape import MOST, Dim, Extent, size_index
from ....dialects.te import ComputeView
from ....support.affine import INFINITY, Atom, Index, Key, Range, constant, variable
from ....support.blocks import enclosing
from .placement import loops_in


@dataclass(frozen=True)
class Slice:
    """A range of positions along a dimension, with a constant size.

    base: the first position, an expression over variables that are defined outside of a loop.
    size: the number of positions.
    """

    base: Index
    size: int

    @staticmethod
    def whole(extent: Extent) -> Slice:
        """Return the slice of all positions of a dimension.

        A slice has a constant size, so the slice of a symbolic extent has the size MOST, the
        largest possible one.
        """
        return Slice(constant(0), extent if isinstance(extent, int) else MOST)

    @property
    def end(self) -> Index:
        """The first position after the slice."""
        return self.base + self.size

    def union(self, other: Slice, range_of: Callable[[Key], Range]) -> Slice | None:
        """Return a slice that covers both slices.

        If their distance varies, the result covers the positions of both in all iterations; None if
        these positions are unbounded.
        range_of: returns the range of a variable.
        """
        distance = other.base - self.base
        if distance.is_constant:
            base = self.base if distance.const >= 0 else other.base
            size = max(self.size, distance.const + other.size) - min(0, distance.const)
            return Slice(base, size)
        (low, high), (first, last) = self.base.range(range_of), other.base.range(range_of)
        start, end = min(low, first), max(high + self.size, last + other.size)
        if start < -INFINITY // 2 or end > INFINITY // 2:
            return None
        return Slice(constant(start), end - start)


class InnerVariables:
    """The variables of the loops inside a loop, as they vary within one of its iterations.

    keys: the variables.
    values: for a loop with varying bounds, its variable as a lower bound plus an iteration number.
    spans: the ranges of these iteration numbers.
    """

    def __init__(self, loop: ForOp) -> None:
        self.loop = loop
        self.loops = loops_in(loop)
        self.keys: set[Key] = {op.variable for op in self.loops}
        self.values: dict[Key, Index] = {}
        self.spans: dict[Key, Range] = {}
        for inner in self.loops:
            if not inner.is_static:
                self._describe(inner)

    def _describe(self, loop: ForOp) -> None:
        """Express the variable of a loop as one of its lower bounds plus an iteration number.

        This needs a lower and an upper bound with a constant difference. Otherwise, the values of
        the variable are treated as unknown.
        """
        lows, highs = loop.bounds()
        lows = [e.substitute(self.values, self._no_range) for e in lows]
        highs = [e.substitute(self.values, self._no_range) for e in highs]
        spans = [
            ((high - low).const, position, low)
            for position, low in enumerate(lows)
            for high in highs
            if (high - low).is_constant
        ]
        if not spans:
            return
        size, _, low = min(spans, key=lambda s: s[:2])
        step: Key = ("iteration", loop.variable)
        self.values[loop.variable] = low + variable(step)
        self.spans[step] = (0, max(0, size - 1))
        self.keys.add(step)

    @staticmethod
    def _no_range(_key: Key) -> Range:
        return -INFINITY, INFINITY

    def stays_inside(self, index: Index, view: ComputeView, size: int) -> bool:
        """Return whether an index of the compute ``view`` provably stays in 0..size - 1."""

        def range_of(key: Key) -> Range:
            return self.spans[key] if key in self.spans else view.range_of(key)

        low, high = index.substitute(self.values, range_of).range(range_of)
        return low >= 0 and high < size

    def slice_of(self, index: Index, view: ComputeView) -> Slice | None:
        """Return the positions that an index takes in one iteration; None if they are unbounded.

        view: the compute whose axes the index uses.
        """

        def range_of(key: Key) -> Range:
            return self.spans[key] if key in self.spans else view.range_of(key)

        # If the axis has a single point, the quotient depends only on the outer variable.
        single = {axis: constant(0) for axis, extent in view.axes.items() if extent == 1}
        index = index.substitute({**self.values, **single}, range_of)
        outer = {k: c for k, c in index.terms.items() if self._is_outer(k)}
        base = Index(outer, index.const)
        low, high = (index - base).range(range_of)
        if low < -INFINITY // 2 or high > INFINITY // 2:
            return None
        return Slice(base + low, high - low + 1)

    def is_inside(self, part: Slice, extent: Dim) -> bool:
        """Return whether the loops' bounds prove that a slice lies in 0..extent - 1."""
        ranges = LoopRanges()
        around = [op for op in enclosing(self.loop) if isinstance(op, ForOp)]
        for op in (*reversed(around), self.loop):
            ranges.enter(op)
        base = ranges.expand(part.base)
        excess = ranges.upper(base - size_index(extent)) + part.size
        return ranges.lower(base) >= 0 and excess <= 0

    def _is_outer(self, key: Key) -> bool:
        keys: Sequence[Key] = list(key.operand.variables()) if isinstance(key, Atom) else [key]
        return not any(isinstance(k, str) or k in self.keys for k in keys)
