"""Register tiles of windows with many taps: depthwise convolutions and pools.

    te.compute @conv [n: 1, o: 96, h: 56, w: 56, r: 7 red, s: 7 red]
        ins(%x[n, o floordiv 16, h + r, w + s, o mod 16], ..)

A tile is a row of adjacent pixels. The taps along the row are unrolled, so that one load is used
for every pixel whose window contains the loaded element; the other taps are loops. A pass over a
row of taps costs pixels * taps multiply-adds, but only pixels + 2 * taps loads.

The taps of a stencil are operands of its body:

    te.compute @c [i: 480, j: 640] ins(%x[i, j], %x[i, j + 1], .., %x[i + 2, j + 2])

A tile is a column of adjacent rows, whose windows have most elements in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....dialects.te import ComputeView
from .tiles import divisor_at_most, even_part

MAX_COPIES = 512
"""Most multiply-adds of the loop body that fit the decoder's cache together with other code."""


@dataclass(frozen=True)
class Slide:
    """A window that slides along an axis, and the register tile for it.

    axis: the parallel axis of pixels.
    taps: the reduction axis of taps.
    pixels: the pixels of a tile.
    copies: taps per iteration of the innermost loop; 0: all taps.
    """

    axis: str
    taps: str
    pixels: int
    copies: int


def stencil_axis(view: ComputeView, axes: Sequence[str]) -> str | None:
    """Return the axis along which adjacent points of a stencil read the most elements twice.

    None if the windows of adjacent points overlap along none of the axes.
    """
    overlaps = {axis: _elements_twice(view, axis) for axis in axes}
    # The last of equal axes, whose rows are nearest to each other in memory.
    return max((a for a in reversed(axes) if overlaps[a]), key=lambda a: overlaps[a], default=None)


def _elements_twice(view: ComputeView, axis: str) -> int:
    """Return how many operands of a point are also operands of the next point along an axis."""
    reads = {
        (access.value, tuple(access.indices))
        for access in view.inputs
        if access.value is not None and access.indices and access.pad is None
    }
    moved = {
        (value, tuple(e + e.coefficient(axis) for e in indices))
        for value, indices in reads
        if any(e.coefficient(axis) for e in indices)
    }
    return len(reads & moved)


def choose_slide(view: ComputeView, axes: Sequence[str], pixels: int) -> Slide | None:
    """Return the slide of a window along one of some axes that shares the most loads.

    pixels: the largest number of pixels in a tile.  None if no window slides along the axes.
    """
    best: tuple[int, Slide] | None = None
    for axis in axes:
        for taps in view.reduced_axes():
            if view.extents[axis] < 2 or view.extents[taps] < 2 or not _overlap(view, axis, taps):
                continue
            shared = min(view.extents[axis], pixels) * view.extents[taps]
            if best is None or shared >= best[0]:
                best = shared, _slide(view, axis, taps, pixels)
    return best[1] if best is not None else None


def _slide(view: ComputeView, axis: str, taps: str, pixels: int) -> Slide:
    extent, count = view.extents[axis], view.extents[taps]
    row = even_part(extent, pixels)
    whole = row * count <= MAX_COPIES
    return Slide(axis, taps, row, 0 if whole else divisor_at_most(count, MAX_COPIES // row))


def _overlap(view: ComputeView, axis: str, taps: str) -> bool:
    indices = [e for access in view.inputs for e in access.indices or ()]
    return any({axis, taps} <= set(e.variables()) for e in indices)
