"""Places of buffers in one arena: offsets of known sizes, and a stacking order for any sizes.

In: the size and live range of each buffer.  Out: an offset per buffer; or for each buffer the
buffers directly below it, so that it begins at the largest of their ends.  Two buffers with
overlapping live ranges are ordered, directly or through others, so they are disjoint for all sizes.
The order is that of the offsets at some sample of sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..dialects.loop import ALIGNMENT_BYTES

_SAMPLES = (4, 64, 1024)
"""Values of the symbols at which orders are compared."""
_MOST_SINGLE = 4
"""Most symbols for which samples with one large symbol are added."""


@dataclass(frozen=True)
class Life:
    """A buffer's size and live range: the positions of its first and last use."""

    size_bytes: int
    first: int
    last: int

    def overlaps(self, other: Life) -> bool:
        """Return True if both buffers are live at some op."""
        return self.first <= other.last and other.first <= self.last


def assign_offsets(
    lives: Sequence[Life], alignment: int = ALIGNMENT_BYTES
) -> tuple[list[int], int]:
    """Return an offset per buffer and the arena's size: largest first, into the tightest gap.

    alignment: divides all offsets.
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


def _best_gap(taken: Sequence[tuple[int, int]], size: int) -> int:
    """Return the start of the smallest gap that holds ``size`` bytes, else the overall end."""
    best, slack, end = -1, 0, 0
    for start, stop in taken:
        gap = start - end
        if gap >= size and (best < 0 or gap - size < slack):
            best, slack = end, gap - size
        end = max(end, stop)
    return best if best >= 0 else end


def aligned(size: int, alignment: int = ALIGNMENT_BYTES) -> int:
    """Return the size rounded up to the arena's alignment."""
    return -(-size // alignment) * alignment


def sample_sizes(names: Sequence[str]) -> list[dict[str, int]]:
    """Return values of symbols at which a stacking order should need little memory."""
    low, _, high = _SAMPLES
    samples = [dict.fromkeys(names, value) for value in _SAMPLES]
    if 1 < len(names) <= _MOST_SINGLE:
        samples += [{**dict.fromkeys(names, low), name: high} for name in names]
    return samples


def stack(samples: Sequence[Sequence[Life]]) -> dict[int, list[int]]:
    """Return the buffers from the lowest to the highest, each with those directly below it.

    samples: the buffers with their sizes at each sample.  The result is the order of the offsets at
    one sample; its arena is at most a small factor larger than the best one at all samples.
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
    """Return the size of the arena of a stacking order."""
    ends: dict[int, int] = {}
    for position, below in order.items():
        start = max((ends[other] for other in below), default=0)
        ends[position] = start + aligned(lives[position].size_bytes)
    return max(ends.values(), default=0)


def _order(lives: Sequence[Life], offsets: Sequence[int]) -> dict[int, list[int]]:
    """Return the stacking order of offsets, without edges that follow from others."""
    found: dict[int, list[int]] = {}
    under: dict[int, set[int]] = {}
    for i in sorted(range(len(lives)), key=lambda i: (offsets[i], i)):
        direct: list[int] = []
        reached: set[int] = set()
        # Higher buffers first: they reach the lower ones below them.
        for j in reversed(found):
            if lives[i].overlaps(lives[j]) and j not in reached:
                direct.append(j)
                reached |= {j} | under[j]
        found[i], under[i] = direct, reached
    return found
