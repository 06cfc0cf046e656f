"""Choose Winograd or direct convolution by modelled cycles, and schedule the Winograd phases.

The phases of Winograd are the transforms of image and result, and the products between them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil, gcd, prod

from xdsl.ir import SSAValue

from ....analysis.strides import lane_stride
from ....dialects.shape import Dim, Extent, multiple_of
from ....dialects.te import ComputeView
from ....dialects.te.role import Transform
from ....machines.cpu_numbers import numbers_of
from ....machines.target import Target
from ....passes.te.toom_cook import TILES
from ..cost.cycles import cycle_model
from .contraction import analyse
from .points.product_cost import tile_cycles as register_tile_cycles
from .pointwise import vector_axis
from .product import plan_product
from .script import Script
from .tiles import MOST_VECTORS, even_sections, fits_registers, time_on_cores


@dataclass(frozen=True)
class Layer:
    """The sizes of a convolution for cost models.

    images: the number of images.
    height, width: the pixels of the result.
    channels: input channels.
    features: output channels.
    """

    images: int
    height: int
    width: int
    channels: int
    features: int


@dataclass(frozen=True)
class WinogradPlan:
    """The parameters of te-winograd.

    tile: outputs per tile and dimension.
    rows: rows of tiles per task; 0: a kernel per phase.
    columns: tiles of a row per block; 0: all.
    when: a formula of symbolic sizes; calls for which it is 1 use these tiles, calls for which it
    is 0 use ``other``. None: all calls use these tiles.
    other: the tile in other calls; 0: a direct convolution.
    """

    tile: int
    rows: int
    columns: int = 0
    when: Dim | None = None
    other: int = 0


LEAST_GAIN = 1.15
"""How many times more cycles a direct convolution must take: smaller gains are within the error of
the model.  8 to 8 channels on 30 x 30 pixels: modelled 1.03, measured 0.66 (Zen 4)."""

MIN_TILES = 12
"""The fewest tiles per task for which each vector of weights is loaded.  Zen 4, one AVX-512 thread:
256 to 256 channels on 48 x 48 pixels, weights of 9.4 MB: 12 tiles 7.4 ms, 24 tiles 7.8; on 32 x 32:
8 tiles 3.6 ms, 16 tiles 3.1."""

MOST_PASSED_ON = 1 << 28
"""Most bytes of tiles that the phases of an image exchange, as a direct convolution has none: 480 x
480 pixels of 64 channels."""


BLOCK_TILES, STREAMING_TILES = 16, 32
"""Tiles of a block of symbolic images, if weights come from L2, and from beyond L2."""

MOST_STREAMED = 2
"""Weights of blocks, relative to L2.  A U-Net of 32 channels on 320 x 320: 54 -> 50 ms; of 64, with
weights of 4.5 times L2, on 64 x 64: 7 -> 6 ms phase by phase, but on 256 x 256 5 % slower."""


TAPS = 9

TAP = 100
"""Unit of costs in conditions on sizes: a tap of a pixel of the direct sum costs this much."""


@dataclass(frozen=True)
class DynamicImages:
    """The sizes of images of dynamic (symbolic) height or width, which may have known divisors.

    count: the number of images.
    sizes: height and width.
    before, after: how many (rows, columns) of zeros are around the input, at the start and at the
    end.
    """

    count: Extent
    sizes: tuple[Extent, Extent]
    before: tuple[int, int] = (0, 0)
    after: tuple[int, int] = (0, 0)

    def tiles(self, tile: int) -> Dim:
        """Return the number of tiles of ``tile`` x ``tile`` pixels in all images."""
        height, width = map(Dim.of, self.sizes)
        return Dim.of(self.count) * height.ceildiv(tile) * width.ceildiv(tile)

    def busy_taps(self, dim: int, size: Extent) -> Dim:
        """Return the number of taps that a direct convolution computes along a dimension.

        dim: 0 for rows, 1 for columns.  size: the pixels along the dimension, each of which has up
        to 3 taps.  Along rows, the convolution skips each tap that reads zeros around the image.
        Along columns it skips a tap only if all pixels of a row read zeros there, because a
        register tile has several columns.
        """
        pixels, before, after = Dim.of(size), self.before[dim], self.after[dim]
        if dim == 0:
            idle = ((n - y, y) for n in (before, after) for y in range(n))
            return sum(((y - pixels).min(0).max(-1) * n for n, y in idle), pixels * 3)
        last, first = (pixels + 2 - after).min(3), (-pixels + before + 1).max(0)
        return pixels * (last - first)


def choose_dynamic_winograd(
    layer: Layer, images: DynamicImages, lanes: int, target: Target
) -> WinogradPlan | None:
    """Choose Winograd for images of symbolic height and width; None: a direct convolution.

    layer: likely sizes.
    images: the symbolic sizes.
    lanes: lanes of a vector.

    In a small image, a direct convolution skips the taps that read only zeros around the image, so
    the plan may depend on the sizes of a call.  The phases are separate kernels if tiles may be
    incomplete, if the weights are many, or if a block would be a single row of tiles, which would
    use each weight too rarely.
    """
    tile = _fastest_tile(layer, lanes, target, [*TILES])
    if tile is None:
        return None
    multiples = [multiple_of(n) for n in images.sizes]
    if any(n % tile for n in multiples):
        return _for_some_sizes(layer, tile, images, lanes, target)
    rows = gcd(multiples[0] // tile, 4)
    weights = 4 * (tile + 2) ** 2 * layer.channels * layer.features
    if rows == 1 or weights > MOST_STREAMED * target.l2_bytes:
        return WinogradPlan(tile, 0)
    tiles = STREAMING_TILES if weights > target.l2_bytes else BLOCK_TILES
    return WinogradPlan(tile, rows, tiles // rows)


def _for_some_sizes(
    layer: Layer, tile: int, images: DynamicImages, lanes: int, target: Target
) -> WinogradPlan:
    """Return the plan for images of symbolic sizes that tiles do not divide.

    layer: likely sizes.
    tile: outputs per tile and dimension. Incomplete tiles only pay for large images. Small images
    get tiles of 2 if these are complete, else a direct convolution. Images whose phases would
    exchange too many bytes get a direct convolution, too.
    """
    multiples = [multiple_of(n) for n in images.sizes]
    other = 2 if tile > 2 and not any(n % 2 for n in multiples) else 0
    weights = 4 * (tile + 2) ** 2 * layer.channels * layer.features
    pixels = prod(_least_ratio(n, tile) for n in multiples)
    direct = pixels * _direct_rate(layer, lanes, target)
    single = _cycles(layer, tile, lanes, target) / (layer.images * prod(_tiles(layer, tile)))
    if other and weights <= target.l2_bytes and single <= direct:
        return WinogradPlan(tile, 0)
    before, after = (_dynamic_cycles(layer, n, images, lanes, target) for n in (other, tile))
    # One more, because a size may be 0.
    when = (before // (after + 1)).min(1)
    if not other:
        most = MOST_PASSED_ON // (4 * (tile + 2) ** 2 * (layer.channels + layer.features))
        when = when.min(Dim.const(most) // (images.tiles(tile) + 1))
    return WinogradPlan(tile, 0, when=when, other=other)


def _least_ratio(multiple: int, tile: int) -> float:
    """Return the least possible ratio of pixels to tiles along an axis, over all sizes of the axis.

    multiple: a known divisor of the axis's size.
    tile: pixels per tile.
    """
    return min(multiple * k / ceil(multiple * k / tile) for k in range(1, tile + 1))


def _dynamic_cycles(
    layer: Layer, tile: int, images: DynamicImages, lanes: int, target: Target
) -> Dim:
    """Return a formula for the cycles of one core for a convolution of symbolic sizes.

    The unit is a hundredth of the time of one tap in a direct convolution, so that the formula has
    integer coefficients.
    layer: likely sizes.
    tile: outputs per Winograd tile and dimension; 0 for a direct convolution.
    """
    if not tile:
        rows, columns = (images.busy_taps(d, n) for d, n in enumerate(images.sizes))
        return Dim.of(images.count) * rows * columns * TAP
    tap = _direct_rate(layer, lanes, target) / (TAPS * TAP)
    multiply, stream, setup = (n / tap for n in _parts(layer, tile, lanes, target))
    numbers, count = numbers_of(target), layer.images * prod(_tiles(layer, tile))
    stream = ceil(ceil(stream) * numbers.cold_rate / numbers.memory_rate)
    tiles = images.tiles(tile)
    return (tiles * ceil(multiply / count)).max(stream) + tiles * ceil(setup / count)


def choose_winograd(
    layer: Layer, lanes: int, target: Target, tile: int | None = None
) -> WinogradPlan | None:
    """Return the Winograd plan with the fewest modelled cycles; None: a direct convolution.

    lanes: lanes of a vector.  tile: outputs per tile and dimension, if this is known.
    """
    tile = tile or _fastest_tile(layer, lanes, target, [*TILES])
    if tile is None:
        return None
    return WinogradPlan(tile, _rows_per_task(layer, tile, lanes, target))


def fewest_cycles(layer: Layer, lanes: int, target: Target) -> float | None:
    """Return the modelled cycles of one core by Winograd; None if direct sums are faster."""
    tile = _fastest_tile(layer, lanes, target, [*TILES])
    return None if tile is None else _cycles(layer, tile, lanes, target)


def _fastest_tile(layer: Layer, lanes: int, target: Target, tiles: Sequence[int]) -> int | None:
    direct = _direct_cycles(layer, lanes, target) / LEAST_GAIN
    cycles = {tile: _cycles(layer, tile, lanes, target) for tile in tiles}
    faster = {tile: n for tile, n in cycles.items() if n < direct}
    return min(faster, key=lambda tile: faster[tile], default=None)


def _direct_cycles(layer: Layer, lanes: int, target: Target) -> float:
    """Return the cycles of one core for a direct convolution: those of the best register tiles."""
    rows, steps = layer.images * layer.height, TAPS * layer.channels
    return product_cycles(rows, layer.width, steps, layer.features, lanes, target)


def product_cycles(
    count: int, rows: int, steps: int, features: int, lanes: int, target: Target
) -> float:
    """Return the cycles of one core for products in the best register tiles.

    count: the number of products.
    rows: the rows of a product.
    steps: the terms of a sum.
    features: the columns of a product.
    """
    model, columns = cycle_model(target.for_vectors(lanes * 32)), ceil(features / lanes)
    found: list[float] = []
    for vectors in range(1, min(MOST_VECTORS, columns) + 1):
        panels, rest = divmod(columns, vectors)
        widths = [(panels, vectors), *([(1, rest)] if rest else [])]
        for height in range(1, rows + 1):
            if not fits_registers(height, vectors, target):
                break
            each = [(count * tiles, size) for tiles, size in even_sections(rows, height)]
            found.append(sum(register_tile_cycles(model, each, widths, steps, 0, 0, 0)))
    return min(found)


def _direct_rate(layer: Layer, lanes: int, target: Target) -> float:
    """Return the cycles of one core for a pixel of a direct convolution."""
    return _direct_cycles(layer, lanes, target) / (layer.images * layer.height * layer.width)


def _tiles(layer: Layer, tile: int) -> tuple[int, int]:
    return ceil(layer.height / tile), ceil(layer.width / tile)


def _cycles(layer: Layer, tile: int, lanes: int, target: Target) -> float:
    """Return the cycles of one core for a convolution by Winograd.

    tile: outputs per tile and dimension.  The products overlap the weight reads, so the larger of
    the two counts; the transforms are added.
    """
    multiply, stream, setup = _parts(layer, tile, lanes, target)
    return max(multiply, stream) + setup


def _parts(layer: Layer, tile: int, lanes: int, target: Target) -> tuple[float, float, float]:
    """Return the cycles of products, of weight reads and of transforms, in this order.

    layer: the sizes of the convolution.
    tile: outputs per tile and dimension.
    """
    products, numbers = (tile + 2) ** 2, numbers_of(target)
    rows, columns = _tiles(layer, tile)
    tiles = layer.images * rows * columns
    pairs = layer.channels * layer.features
    multiply = product_cycles(products, tiles, layer.channels, layer.features, lanes, target)
    weights = 4 * products * pairs
    stream = weights / numbers.cold_rate if weights > target.l2_bytes else 0.0
    vectors = ceil(layer.channels / lanes) + ceil(layer.features / lanes)
    transforms = products / 36 * tiles * vectors
    setup = numbers.transform_cycles * transforms
    return multiply, stream, setup


def _rows_per_task(layer: Layer, tile: int, lanes: int, target: Target) -> int:
    """Return the fewest rows of tiles per task that hide the weight reads; 0: a kernel per phase.

    Each task reads the weights once.  To hide the reads behind the products, a vector of weights
    must be used for at least `MIN_TILES` tiles, while the intermediates stay small.  If all
    intermediates fit L2, each phase is a separate kernel.  The same holds if the tasks would divide
    so unevenly among cores that passing the intermediates on between the phases takes less time.
    """
    rows, columns = _tiles(layer, tile)
    tiles = layer.images * rows * columns
    passed_on = 4 * (tile + 2) ** 2 * tiles * (layer.channels + layer.features)
    enough = (r for r in range(1, rows + 1) if rows % r == 0 and r * columns >= MIN_TILES)
    found = min(enough, default=0)
    if passed_on <= target.l2_bytes or not found:
        return 0
    tasks, cycles = layer.images * rows // found, _cycles(layer, tile, lanes, target)
    model = cycle_model(target)
    is_near = passed_on <= model.l3_room
    rate = model.numbers.l3_rate if is_near else model.numbers.memory_rate
    phases = cycles + 2 * passed_on / rate
    return found if time_on_cores(tasks, cycles / tasks, cycles, target) < phases else 0


def plan_winograd(
    script: Script, views: Sequence[ComputeView], constants: Collection[SSAValue], target: Target
) -> None:
    """Write the schedule of one Winograd phase, or of all phases with a task per block of tiles.

    views: the computes of the kernel.
    constants: its arguments that are weights.
    """
    is_alone = len(views) == 1
    for view in {view.name: view for view in views}.values():
        if isinstance(view.role, Transform):
            _plan_transform(script, view, target, parallel=is_alone)
            continue
        contraction = analyse(view, set(constants), target, target.lanes(32))
        assert contraction is not None, "products have a register tile"
        plan_product(script, script.match(view.name), contraction, parallel=is_alone)


def _plan_transform(script: Script, view: ComputeView, target: Target, *, parallel: bool) -> None:
    leaf = script.match(view.name)
    axes = [a for a in view.parallel_axes() if view.axes[a] != 1]
    widest = target.lanes(32)
    fitting = [n for n in (widest, widest // 2, widest // 4) if n >= 4]
    found = ((n, vector_axis(view, n, axes)) for n in fitting)
    lanes, vector = next(((n, a) for n, a in found if a is not None), (1, None))
    if vector is None:
        lanes, vector = widest, _packed_axis(view, widest, axes)
    if vector is None:
        return
    others = [a for a in axes if a != vector]
    order = [vector, *others]
    sizes = {a: lanes if a == vector else 1 for a in order}
    leaf, loops = script.tile(leaf, sizes)
    if parallel:
        script.parallel_each(loops[:2])
    script.vectorize(leaf, vector, lanes)


def _packed_axis(view: ComputeView, lanes: int, axes: Sequence[str]) -> str | None:
    """Return the axis of channels if images are symbolic and only results are contiguous along it.

    A row-major image has a symbolic distance between channels, so vectors are assembled from
    elements.
    """
    static = [a for a in axes if isinstance(n := view.axes[a], int) and n % lanes == 0]
    if len(static) == len(axes):
        return None
    rows = (a for a in static if all(lane_stride(view, o, a, lanes) == 1 for o in view.outputs))
    return next(rows, None)
