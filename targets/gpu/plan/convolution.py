"""Convolutions as implicit matrix products: the possible forms, and the modelled clocks of each.

In: the view of a compute.  Out: the forms of a convolution, and the clocks that their plans take.

    y[n, o, h, w] += x[n, i, 2 * h + r, 2 * w + s] * f[o, i, r, s]
    y[n, o, p]    += f[o, k] * x'[n, k, p]               p = (h, w), k = (i, r, s)

Rules of gpu-plan:
G14  A convolution is a matrix product of filters and pixels, with the tiles of G3 or G10.  All
     threads of a block copy a tile of the filters to shared memory, and gather a tile of the image
     by its index: global memory holds no array of the image's windows.  The batch is a part of the
     columns, or an axis of the grid.  No index divides by a dynamic (symbolic) size: where one
     would, a product has the pixels of 8 x 8 outputs as columns, and the axes over these blocks are
     dimensions of the grid.  Tiles divide the filters of a group, because the next filter belongs
     to another group.
G15  The plan chooses among all forms and tiles, and the loops of G1 and G9, by the fewest clocks in
     a model of one multiprocessor: multiply-adds, accesses of warps to L1 and shared memory, reads
     of the L2 cache, and whole turns of all multiprocessors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import prod

from ....analysis.patterns.convolution import (
    Convolution,
    ImplicitProduct,
    find_convolution,
    implicit_product,
)
from ....dialects.shape import Dim, Extent
from ....dialects.te import ComputeView
from ....passes.schedule.buffers.clip_stores import leaves_buffer
from ....passes.schedule.compute.im2col import filters_first, is_zero_beyond

PROCESSORS, READ_BYTES = 108, 48
"""Multiprocessors of an A100, and the bytes that one reads from the L2 cache per clock.  Source:
NVIDIA A100 whitepaper, 5120 bytes per clock."""

LANES, _SCHEDULERS, _WARP = 64, 4, 32
"""The f32 multiply-adds per clock of an A100's multiprocessor, its schedulers, a warp's threads."""

_BLOCK = 8
_MOST_BLOCKED = 2
"""The extent of blocks of pixels, and the most axes that have blocks: y and x of the grid."""

_OPEN_SIZE = 64
"""The number that the model assumes for a dynamic (symbolic) size."""

_DIRECT_WARPS = 8
"""Warps of a block without tiles (rule G1)."""


@dataclass(frozen=True)
class ConvolutionForm:
    """A convolution as a matrix product.

    view: the product; input 0 holds the filters.  made: the product's axes.  is_zero_beyond:
    whether tiles may reach beyond the end of k, where the products are 0.  merged, blocks:
    parameters of sched.im2col.
    """

    view: ComputeView
    made: ImplicitProduct
    is_zero_beyond: bool
    merged: tuple[str, ...] = ()
    blocks: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def of_copies(self) -> ComputeView:
        """The product on copies of its operands, whose reads need no padding."""
        return replace(self.view, inputs=[replace(a, pad=None) for a in self.view.inputs])

    @property
    def outputs(self) -> list[str]:
        """The axes of the output; the axes of a tile are the last two."""
        return [*self.made.batch, self.made.rows, self.made.columns]

    def has_vectors(self, lanes: int) -> bool:
        """Return whether every ``lanes`` adjacent columns are adjacent elements of a row."""
        if self.merged or self.blocks:
            return False
        last = list(self.view.outputs[0].indices or ())[-1]
        rests = [atom.divisor for atom in last.atoms() if atom.kind == "mod"]
        return all(divisor % lanes == 0 for divisor in rests)


def convolution_forms(view: ComputeView) -> list[ConvolutionForm]:
    """Return the forms of a convolution as a matrix product; none for any other compute."""
    found = find_convolution(view)
    if found is None:
        return []
    choices: list[tuple[tuple[str, ...], Mapping[str, int]]] = []
    are_dynamic = [isinstance(view.axes[axis], Dim) for axis in found.pixels]
    if any(are_dynamic[1:]):
        blocked = found.pixels if len(found.pixels) <= _MOST_BLOCKED else ()
        choices = [((), dict.fromkeys(blocked, _BLOCK))] if blocked else []
    else:
        choices = [((), {})]
        if found.batch and not any(isinstance(view.axes[a], Dim) for a in _inner(found)):
            choices.append((found.batch, {}))
    return [_form(view, found, merged, blocks) for merged, blocks in choices]


def _inner(found: Convolution) -> tuple[str, ...]:
    """Return all axes of batch and pixels but the first one: the columns of the matrix product."""
    return (*found.batch, *found.pixels)[1:]


def _form(
    view: ComputeView, found: Convolution, merged: tuple[str, ...], blocks: Mapping[str, int]
) -> ConvolutionForm:
    made = implicit_product(view, found, merged=merged, blocks=blocks)
    product = filters_first(made.view, found)
    return ConvolutionForm(product, made, is_zero_beyond(view, found, made), merged, blocks)


def stores_end(view: ComputeView, ragged: Collection[str]) -> bool:
    """Return whether tiles that reach beyond the ends of axes store nothing there (clip_stores.py).

    ragged: the axes that tiles do not divide.
    """
    (out,) = view.outputs
    ends = [axis for axis in ragged if axis in out.axes()]
    return all(leaves_buffer(out, axis, view.axes[axis]) for axis in ends)


def assumed(extent: Extent) -> int:
    """Return an extent, with an assumed number for each symbolic size."""
    size = Dim.of(extent)
    return max(1, size.evaluate(dict.fromkeys(size.symbols(), _OPEN_SIZE)))


def blocks_of(form: ConvolutionForm, rows: int, columns: int) -> int:
    """Return the number of blocks (of the grid) that tiles of rows x columns need."""
    made, axes = form.made, form.view.axes
    tiles = ((made.rows, rows), (made.columns, columns))
    batch = prod(assumed(axes[axis]) for axis in made.batch)
    return batch * prod(-(-assumed(axes[axis]) // size) for axis, size in tiles)


def tiled_clocks(form: ConvolutionForm, rows: int, columns: int, threads: int) -> float:
    """Return the modelled clocks of f32 tiles, 4 x 4 elements per thread (rule G15 of gpu-plan).

    threads: threads per block.
    """
    turns = -(-blocks_of(form, rows, columns) // PROCESSORS)
    warps, elements = -(-threads // _WARP), rows + columns
    # Each warp: 4 loads of a row's element, and one load of 16 bytes, which takes 4 clocks.  Each
    # element of a tile: a load and a store.
    accesses = warps * 8 + 2 * elements / _WARP
    reads = 4 * elements / READ_BYTES
    clocks = max(_multiply_clocks(turns * warps) * warps * 16, accesses) + reads
    return turns * clocks * assumed(form.view.axes[form.made.sum])


def direct_clocks(view: ComputeView, points: int) -> float:
    """Return the modelled clocks of a convolution without tiles (rules G1 and G9 of gpu-plan).

    points: the points of a thread, which share a loaded element.
    """
    outputs = prod(assumed(view.axes[axis]) for axis in view.parallel_axes())
    terms = prod(assumed(view.axes[axis]) for axis in view.reduced_axes())
    blocks = -(-outputs // (points * _WARP * _DIRECT_WARPS))
    turns = -(-blocks // PROCESSORS)
    multiplies = _multiply_clocks(turns * _DIRECT_WARPS) * points
    return turns * _DIRECT_WARPS * terms * max(multiplies, 1 + points)


def _multiply_clocks(warps: int) -> float:
    """Return the clocks of a warp's multiply-add, if a multiprocessor has this number of warps."""
    per_scheduler = _WARP * _SCHEDULERS / LANES
    return per_scheduler / min(_SCHEDULERS, warps)


def divisors(form: ConvolutionForm, steps: tuple[int, ...]) -> Iterator[int]:
    """Yield those of ``steps`` that are legal sizes of a step along k for a form.

    A size is legal if it divides k, or if tiles may reach beyond the end of k.
    """
    total = form.view.axes[form.made.sum]
    for step in steps:
        if form.is_zero_beyond or Dim.of(total) % step == Dim.const(0):
            yield step


__all__ = [
    "LANES",
    "PROCESSORS",
    "READ_BYTES",
    "ConvolutionForm",
    "assumed",
    "blocks_of",
    "convolution_forms",
    "direct_clocks",
    "divisors",
    "stores_end",
    "tiled_clocks",
]
