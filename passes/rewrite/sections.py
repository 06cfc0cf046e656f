"""Divide an axis into blocks: blocks of one size and a remainder, or blocks of even sizes.

The extent of the axis may be symbolic. The result is a list in which each item (`Run`) is a
sequence of equal blocks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from ...dialects.shape import Dim, Extent, extent_of


@dataclass(frozen=True)
class Run:
    """A sequence of ``count`` equal blocks of an axis.

    count: the number of blocks; at most 1 if ``size`` is symbolic.
    size: the number of positions of a block.
    first: the first position of the first block.
    room: for a symbolic ``count``, the number of blocks of ``size`` that fit between ``first`` and
    the end of the axis; else None. A loop over the blocks gets ``room`` as a second upper bound,
    which proves that the positions lie inside the axis.
    """

    count: Extent
    size: Extent
    first: Extent
    room: Extent | None = None

    @property
    def bounds(self) -> list[Extent]:
        """The upper bounds of a loop over the blocks."""
        return [self.count] if self.room is None else [self.count, self.room]


def sections(
    extent: Extent,
    size: int,
    *,
    even: bool = False,
    whole: bool = False,
    rest: int = 1,
    few: int = 1,
) -> list[Run]:
    """Divide an axis into blocks; return the sequences of equal blocks, in order.

    By default, full blocks have ``size`` positions, and the remainder is one smaller block. If the
    extent is symbolic, the remainder consists of blocks of single positions.
    even: divide the axis into as few blocks of at most ``size`` positions as possible, whose sizes
    differ by at most 1.
    whole: the remainder of a symbolic extent is one block, too.
    rest: a divisor of ``size``. If it exceeds 1, the remainder of a symbolic extent has blocks of
    ``rest`` positions, the last of which overlaps the block before it. With ``even``, full blocks
    have ``size`` positions, and only the remainder is divided evenly, into blocks of at most
    ``rest``.
    few: if the extent is smaller than ``rest`` at run time, the axis is divided into blocks of at
    most ``few`` positions.
    """
    if isinstance(extent, Dim):
        if even and 1 < rest < size:
            return _sections_with_even_rest(extent, size, rest)
        if even and size > 1:
            return list(_even_sections(extent, size))
        if whole:
            return _sections_with_whole_rest(extent, size)
        if 1 < rest <= size:
            return _sections_with_rest(extent, size, rest, few)
        full = extent_of(extent // size)
        single = Run(extent_of(extent % size), 1, extent_of(Dim.of(full) * size))
        return [Run(full, size, 0), single] if single.count != 0 else [Run(full, size, 0)]
    if even:
        count = -(-extent // size)
        small, longer = divmod(extent, count)
        runs = [Run(longer, small + 1, 0), Run(count - longer, small, longer * (small + 1))]
    else:
        count, left = divmod(extent, size)
        runs = [Run(count, size, 0), Run(1 if left else 0, left, count * size)]
    return [run for run in runs if run.count]


@lru_cache(maxsize=1 << 10)
def _even_sections(extent: Dim, size: int) -> tuple[Run, ...]:
    """Return the blocks of a symbolic axis whose sizes differ by at most 1.

    extent: the extent n of the axis.
    size: the largest size of a block. There is one `Run` per size, from ``size`` down to 1; at most
    two of them, with adjacent sizes, contain blocks. The number of blocks is t = ceil(n / size), of
    which min(t, max(n - (s - 1) * t, 0)) have at least s positions.
    """
    blocks = extent.ceildiv(size)
    runs: list[Run] = []
    larger = Dim.const(0)
    for s in range(size, 0, -1):
        reaching = (extent - blocks * (s - 1)).max(0).min(blocks) if s > 1 else blocks
        first = extent_of(larger * (s + 1))
        runs.append(Run(extent_of(reaching - larger), s, first, extent_of((extent - first) // s)))
        larger = reaching
    return tuple(run for run in runs if run.count != 0)


def _sections_with_even_rest(extent: Dim, size: int, rest: int) -> list[Run]:
    """Return blocks of ``size`` positions, and divide the remainder into even blocks.

    The blocks of the remainder have at most ``rest`` positions; their sizes differ by at most 1.
    """
    whole = extent // size * size
    moved = [
        replace(run, first=extent_of(whole + Dim.of(run.first)))
        for run in _even_sections(extent - whole, rest)
    ]
    return [Run(extent_of(extent // size), size, 0), *moved]


def _sections_with_whole_rest(extent: Dim, size: int) -> list[Run]:
    """Return blocks of ``size``, then at most one block of the remaining positions."""
    first = extent // size * size
    left = extent - first
    runs = [
        Run(extent_of(extent // size), size, 0),
        Run(extent_of(left.min(1)), extent_of(left), extent_of(first)),
    ]
    return [run for run in runs if run.count != 0]


def _sections_with_rest(extent: Dim, size: int, rest: int, few: int) -> list[Run]:
    """Return blocks of ``size`` positions, then blocks of ``rest``, which may overlap at the end.

    The last block exists if the extent is at least ``rest`` but not a multiple of it. It has
    ``rest`` positions, ends at the end of the axis, and repeats positions of the block before it.
    An extent below ``rest`` has instead blocks of at most ``few`` positions, whose sizes differ by
    at most 1.
    """
    full, whole = extent // size, extent // size * size
    last = (extent - rest).max(0)
    has_last = (extent % rest).min(1) * (extent // rest).min(1)
    single = extent - extent * (extent // rest).min(1)
    more = extent % size // rest if rest < size else 0
    runs = [
        Run(extent_of(full), size, 0),
        Run(extent_of(more), rest, extent_of(whole), extent_of((extent - whole) // rest)),
        Run(extent_of(has_last), rest, extent_of(last), extent_of((extent - last) // rest)),
        *(
            replace(run, room=extent_of((extent - Dim.of(run.first)) // run.size))
            for run in _even_sections(single, few)
            if isinstance(run.size, int)
        ),
    ]
    if few == 1:
        runs[3:] = [Run(extent_of(single), 1, 0, extent)]
    return [run for run in runs if run.count != 0]


def disjoint_sections(extent: Dim, size: int, rest: int) -> list[Run]:
    """Return blocks of ``size`` positions, then blocks of ``rest``, then single positions.

    rest: a divisor of ``size``.
    """
    full, most = extent // size, extent // rest
    runs = [
        Run(extent_of(full), size, 0),
        Run(extent_of(most - full * (size // rest)), rest, extent_of(full * size)),
        Run(extent_of(extent % rest), 1, extent_of(most * rest)),
    ]
    return [run for run in runs if run.count != 0]
