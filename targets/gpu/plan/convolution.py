"""Convolutions as implicit matrix products: the possible forms, and the modelled clocks of each.

In: the view of a compute.  Out: the forms of a convolution, and the clocks that their plans take.

    y[n, o, h, w] += x[n, i, 2 * h + r, 2 * w + s] * f[o, i, r, s]
    y[n, o, p]    += f[o, k] * x'[n, k, p]               p = (h, w), k = (i, r, s)

A convolution is a matrix product of filters and pixels, with the tiles of product.py or
tensor_product.py.  All threads of a block copy a tile of the filters to shared memory, and gather a
tile of the image by its index: global memory holds no array of the image's windows.  The batch is a
part of the columns, or an axis of the grid.  No index divides by a dynamic (symbolic) size: where
one would, a product has the pixels of 8 x 8 outputs as columns, and the axes over these blocks are
dimensions of the grid.  Tiles divide the filters of a group, because the next filter belongs to
another group.

The plan chooses among all forms and tiles, and loops without tiles
(thread_per_point.py), by the fewest clocks in a model of one multiprocessor: multiply-adds,
accesses of warps to L1 and shared memory, reads of the L2 cache, and whole turns of all
multiprocessors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod

from ....analysis.patterns.convolution import (
    Convolution,
    ImplicitProduct,
    find_convolution,
    implicit_product,
)
from ....analysis.strides import lane_stride
from ....dialects.dtypes import bit_width
from ....dialects.index_syntax import typed_scalar
from ....dialects.shape import Dim, Extent
from ....dialects.simt import WARP
from ....dialects.te import Access, ComputeView
from ....passes.schedule.buffers.clip_stores import leaves_buffer
from ....passes.schedule.compute.im2col import is_zero_beyond, rows_first
from ....support.affine import variable

PROCESSORS, READ_BYTES = 108, 48
"""Multiprocessors of an A100, and the bytes that one reads from the L2 cache per clock.  Source:
NVIDIA A100 whitepaper, 5120 bytes per clock."""

LANES, _SCHEDULERS = 64, 4
"""The f32 multiply-adds per clock of an A100's multiprocessor, and its schedulers."""

_VECTOR_BITS = 128
"""The bits that a thread copies at once."""

_BLOCK = 8
_MOST_BLOCKED = 2
"""The extent of blocks of pixels, and the most axes that have blocks: y and x of the grid."""

_ASSUMED_SIZE = 64
"""The number that the model assumes for a dynamic (symbolic) size."""

_DIRECTWARPS = 8
"""Warps of a block without tiles (thread_per_point.py)."""


@dataclass(frozen=True)
class ConvolutionForm:
    """A convolution as a matrix product of filters and pixels.

    view: the product; input 0 has the rows.
    made: the product and the roles of its axes.
    is_zero_beyond: whether tiles may cover positions after the end of the sum, where the products
    are 0.
    merged: axes, such as the batch, that become a part of the axis of pixels.
    blocks: the pixel axes that are divided into blocks, with the size of a block; the axis of
    pixels then runs over one block.
    is_last: whether the filters are the columns, and the pixels the rows.
    """

    view: ComputeView
    made: ImplicitProduct
    is_zero_beyond: bool
    merged: tuple[str, ...] = ()
    blocks: Mapping[str, int] = field(default_factory=dict[str, int])
    is_last: bool = False

    @property
    def image(self) -> int:
        """The number of the operand that is the image."""
        return 0 if self.is_last else 1

    @cached_property
    def is_by_channel(self) -> bool:
        """Whether each 16 aligned bytes along the sum are adjacent in memory in both operands."""
        return all(_has_vectors_along(self.view, a, self.made.sum) for a in self.view.inputs)

    @property
    def of_copies(self) -> ComputeView:
        """The product that reads copies of the operands, which contain the padding."""
        return replace(self.view, inputs=[replace(a, pad=None) for a in self.view.inputs])

    @property
    def outputs(self) -> list[str]:
        """The axes of the output in order; the axes of a tile are the last two."""
        return [*self.made.batch, self.made.rows, self.made.columns]

    def has_vectors(self, lanes: int) -> bool:
        """Return whether every ``lanes`` adjacent columns are adjacent elements of a row."""
        if self.blocks:
            return False
        last = list(self.view.outputs[0].indices or ())[-1]
        rests = [atom.divisor for atom in last.atoms() if atom.kind == "mod"]
        return all(divisor % lanes == 0 for divisor in rests)


def _has_vectors_along(view: ComputeView, access: Access, axis: str) -> bool:
    """Return whether aligned vectors of 16 bytes along an axis are adjacent elements of a read."""
    lanes, last = _VECTOR_BITS // bit_width(access.element_type), list(access.indices or ())[-1]
    is_padded = access.pad not in (None, typed_scalar(0, access.element_type))
    if is_padded or any(dim.value is None for dim in access.dims[1:]):
        return False
    others = [n for key, n in last.terms.items() if axis not in variable(key).variables()]
    steps = (access.dims[-1].value or 1, last.const, *others)
    is_aligned = not any(n % lanes for n in steps)
    return is_aligned and lane_stride(view, access, axis, lanes) == 1


def convolution_forms(view: ComputeView) -> list[ConvolutionForm]:
    """Return the ways to compute a convolution as a matrix product; empty for any other compute."""
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
    forms = [_form(view, found, merged, blocks) for merged, blocks in choices]
    return [form for form in forms if form.is_by_channel or not form.is_last]


def _inner(found: Convolution) -> tuple[str, ...]:
    return (*found.batch, *found.pixels)[1:]


def _form(
    view: ComputeView, found: Convolution, merged: tuple[str, ...], blocks: Mapping[str, int]
) -> ConvolutionForm:
    made = implicit_product(view, found, merged=merged, blocks=blocks)
    product, is_zero = rows_first(made.view, found), is_zero_beyond(view, found, made)
    return ConvolutionForm(product, made, is_zero, merged, blocks, is_last=found.is_last)


def stores_end(view: ComputeView, ragged: Collection[str]) -> bool:
    """Return whether tiles may reach beyond the ends of axes, because stores there can be left out.

    ragged: the axes that tiles do not divide.  passes/schedule/buffers/clip_stores.py leaves out
    the stores.
    """
    (out,) = view.outputs
    ends = [axis for axis in ragged if axis in out.axes()]
    return all(leaves_buffer(out, axis, view.axes[axis]) for axis in ends)


def assumed(extent: Extent) -> int:
    """Return an extent as a number, with a likely number for each symbolic size."""
    size = Dim.of(extent)
    return max(1, size.evaluate(dict.fromkeys(size.symbols(), _ASSUMED_SIZE)))


def blocks_of(form: ConvolutionForm, rows: int, columns: int) -> int:
    """Return the number of blocks of the grid for tiles of rows x columns."""
    made, axes = form.made, form.view.axes
    tiles = ((made.rows, rows), (made.columns, columns))
    batch = prod(assumed(axes[axis]) for axis in made.batch)
    return batch * prod(-(-assumed(axes[axis]) // size) for axis, size in tiles)


def tiled_clocks(form: ConvolutionForm, rows: int, columns: int, threads: int) -> float:
    """Return the modelled clocks of a convolution by f32 tiles, 4 x 4 elements per thread.

    rows, columns: the tile of a block.
    threads: threads per block.
    """
    turns = -(-blocks_of(form, rows, columns) // PROCESSORS)
    warps, elements = -(-threads // WARP), rows + columns
    # Each warp: 4 loads of a row's element, and one load of 16 bytes, which takes 4 clocks.  Each
    # element of a tile: a load and a store.
    accesses = warps * 8 + 2 * elements / WARP
    reads = 4 * elements / READ_BYTES
    clocks = max(_multiply_clocks(turns * warps) * warps * 16, accesses) + reads
    return turns * clocks * assumed(form.view.axes[form.made.sum])


def direct_clocks(view: ComputeView, points: int) -> float:
    """Return the modelled clocks of a convolution without tiles.

    points: the results of a thread, which share a loaded element.
    """
    outputs = prod(assumed(view.axes[axis]) for axis in view.parallel_axes())
    terms = prod(assumed(view.axes[axis]) for axis in view.reduced_axes())
    blocks = -(-outputs // (points * WARP * _DIRECTWARPS))
    turns = -(-blocks // PROCESSORS)
    multiplies = _multiply_clocks(turns * _DIRECTWARPS) * points
    return turns * _DIRECTWARPS * terms * max(multiplies, 1 + points)


def _multiply_clocks(warps: int) -> float:
    """Return the clocks of a warp's multiply-add, if a multiprocessor has this number of warps."""
    per_scheduler = WARP * _SCHEDULERS / LANES
    return per_scheduler / min(_SCHEDULERS, warps)


def divisors(form: ConvolutionForm, steps: tuple[int, ...]) -> Iterator[int]:
    """Yield the step lengths, among ``steps``, with which the sum of a convolution can be computed.

    A length is legal if it divides the sum, or if tiles may cover positions after the end of the
    sum.
    """
    total = form.view.axes[form.made.sum]
    for step in steps:
        if form.is_zero_beyond or Dim.of(total) % step == Dim.const(0):
            yield step
