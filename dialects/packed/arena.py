"""Assign buffers to an arena, one memory block for all of them.

Input: the size and live range of each buffer.  Output: for static sizes, an offset per buffer and
the size of the arena.  For symbolic sizes, a *stacking order*: the list of buffers directly below
each buffer, which starts at the largest of their ends.  Two buffers with overlapping live ranges
are ordered, directly or through others, so they are disjoint for all sizes.  The order is the order
of the offsets at one of several sample sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..loop import ALIGNMENT_BYTES

_SAMPLES = (4, 64, 1024)
"""Sample values of the symbolic sizes, at which stacking orders are compared."""
_MOST_SINGLE = 4
"""Up to this number of symbols, also sample assignments in which only one symbol is large."""


@dataclass(frozen=True)
class Life:
    """The size of a buffer in bytes, and its live range from its first to its last use.

    Uses are numbered in program order.
    """

    size_bytes: int
    first: int
    last: int

    def overlaps(self, other: Life) -> bool:
        """Return whether the live ranges of two buffers overlap."""
        return self.first <= other.last and other.first <= self.last


def assign_offsets(
    lives: Sequence[Life], alignment: int = ALIGNMENT_BYTES
) -> tuple[list[int], int]:
    """Return an offset for each buffer, and the size of the arena.

    The largest buffers are placed first, each into the smallest sufficient gap between buffers that
    are live at the same time.
    alignment: a divisor of all offsets.
    Cost: quadratic in the number of buffers.
    """
    order = sorted(range(len(lives)), key=lambda i: (-lives[i].size_bytes, lives[i].first, i))
    offsets = [0] * len(lives)
    placed: list[int] = []
    for i in order:
        taken = sorted(
            (offsets[j], offsets[j] + aligned(lives[j].size_bytes, alignment))
            for j in placed
            if lives[j].overlaps(lives[i])
        )
        offsets[i] = _best_gap(taken, aligned(lives[i].size_bytes, alignment))
        placed.append(i)
    ends = [o + aligned(life.size_bytes, alignment) for o, life in zip(offsets, lives, strict=True)]
    return offsets, max(ends, default=0)


def _best_gap(sorted_ranges: Sequence[tuple[int, int]], size: int) -> int:
    best, slack, end = -1, 0, 0
    for start, stop in sorted_ranges:
        gap = start - end
        if gap >= size and (best < 0 or gap - size < slack):
            best, slack = end, gap - size
        end = max(end, stop)
    return best if best >= 0 else end  # without a gap: after all ranges


def aligned(size: int, alignment: int = ALIGNMENT_BYTES) -> int:
    """Return a size rounded up to a multiple of ``alignment``."""
    return -(-size // alignment) * alignment


def sample_sizes(names: Sequence[str]) -> list[dict[str, int]]:
    """Return assignments of values to symbols, at which stacking orders are compared.

    names: the symbols. Some assignments give all symbols one common value; in others, one symbol is
    large and the others are small.
    """
    low, _, high = _SAMPLES
    samples = [dict.fromkeys(names, value) for value in _SAMPLES]
    if 1 < len(names) <= _MOST_SINGLE:
        samples += [{**dict.fromkeys(names, low), name: high} for name in names]
    return samples


def stack(samples: Sequence[Sequence[Life]]) -> dict[int, list[int]]:
    """Return a stacking order: for each buffer, the buffers directly below it in the arena.

    Buffers are given by their numbers, the lowest buffer first.
    samples: for each assignment of values to the symbols, the buffers with their sizes.  The order
    is the order of the offsets at one sample, chosen so that the arena is at most a small factor
    larger than the best arena at every sample.
    """
    plans = [assign_offsets(lives) for lives in samples]
    best: dict[int, list[int]] = {}
    least = float("inf")
    for lives, (offsets, _) in zip(samples, plans, strict=True):
        order = _order(lives, offsets)
        needed = (stacked_bytes(order, other) for other in samples)
        worst = max(n / max(size, 1) for n, (_, size) in zip(needed, plans, strict=True))
        if worst < least:
            best, least = order, worst
    return best


def stacked_bytes(order: Mapping[int, Sequence[int]], lives: Sequence[Life]) -> int:
    """Return the size in bytes of the arena in which buffers are stacked in this order.

    order: the result of `stack`.  lives: the buffers.
    """
    ends: dict[int, int] = {}
    for position, below in order.items():
        start = max((ends[other] for other in below), default=0)
        ends[position] = start + aligned(lives[position].size_bytes)
    return max(ends.values(), default=0)


def _order(lives: Sequence[Life], offsets: Sequence[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    under: dict[int, set[int]] = {}
    for i in sorted(range(len(lives)), key=lambda i: (offsets[i], i)):
        direct: list[int] = []
        reached: set[int] = set()
        # Higher buffers first, because a higher buffer reaches the buffers below it.
        for j in reversed(found):
            if lives[i].overlaps(lives[j]) and j not in reached:
                direct.append(j)
                reached |= {j} | under[j]
        found[i], under[i] = direct, reached
    return found
