"""Rule R22: where F(4x4, 3x3) wins over direct convolution, and the schedule of its phases."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil

from xdsl.ir import SSAValue

from ....dialects.te import ComputeView
from ....dialects.te.role import Transform
from ....support.target import Target
from .contraction import analyse
from .pointwise import vector_axis
from .product import plan_product
from .script import Script


@dataclass(frozen=True)
class Layer:
    """Sizes of a convolution: of its result, and its numbers of channels."""

    images: int
    height: int
    width: int
    channels: int
    features: int


@dataclass(frozen=True)
class WinogradPlan:
    """Outputs per tile and dimension; rows of tiles per task, 0 for kernels of their own."""

    tile: int
    rows: int


MIN_CHANNELS = 32

MIN_TILES = 14
"""Tiles that one vector of weights from L2 is multiplied with, at least."""

BYTES_PER_CYCLE = 3.0
"""What one core reads of weights that are in no cache: 512 to 512 channels, 14x14: 8 GB/s."""

SETUP_CYCLES = 150.0
"""To transform a vector of channels of one tile of 36, and to store it in L2."""


def choose_winograd(layer: Layer, lanes: int, target: Target) -> WinogradPlan | None:
    """R22: the fastest of direct convolution (None) and both sizes of tiles, by modelled cycles.

    Not for few channels: the transforms then cost as much as the products save.
    """
    if min(layer.channels, layer.features) < MIN_CHANNELS:
        return None
    pairs = layer.channels * layer.features
    pixels = layer.images * layer.height * layer.width
    best, plan = 0.9 * 9 * pixels * pairs / (target.fma_ports * lanes) / 0.85, None
    for tile in (2, 4):
        cycles = _cycles(layer, tile, lanes, target)
        if cycles < best:
            best, plan = cycles, WinogradPlan(tile, _rows_per_task(layer, tile, lanes, target))
    return plan


def _tiles(layer: Layer, tile: int) -> tuple[int, int]:
    """Rows of tiles, and tiles per row, of one image."""
    return ceil(layer.height / tile), ceil(layer.width / tile)


def _cycles(layer: Layer, tile: int, lanes: int, target: Target) -> float:
    """Cycles of one core: products or the stream of weights, the longer one, and transforms."""
    products = (tile + 2) ** 2
    rows, columns = _tiles(layer, tile)
    tiles = layer.images * rows * columns
    pairs = layer.channels * layer.features
    multiply = products * tiles * pairs / (target.fma_ports * lanes) / 0.8
    weights = 4 * products * pairs
    stream = weights / BYTES_PER_CYCLE if weights > target.l2_bytes else 0.0
    setup = SETUP_CYCLES * products / 36 * tiles * (layer.channels + layer.features) / lanes
    return max(multiply, stream) + setup


def _rows_per_task(layer: Layer, tile: int, lanes: int, target: Target) -> int:
    """As few rows of tiles as keep the products fed by the weights; 0: all, phase by phase.

    The weights are read once per task.  From L2 one vector of them serves 14 tiles or more, from
    beyond it 28 (16 lanes): then the products hide the stream, and what the phases hand on is
    small.  Where all of that fits L2, or few tasks would be left, the phases are kernels of their
    own, which divide more evenly.
    """
    products = (tile + 2) ** 2
    rows, columns = _tiles(layer, tile)
    tiles = layer.images * rows * columns
    streams = 4 * products * layer.channels * layer.features > target.l2_bytes
    fewest = 7 * lanes // 4 if streams else MIN_TILES
    passed_on = 4 * products * tiles * (layer.channels + layer.features)
    if passed_on <= target.l2_bytes or tiles < 4 * fewest:
        return 0
    enough = (r for r in range(1, rows + 1) if rows % r == 0 and r * columns >= fewest)
    return min(enough, default=0)


def plan_winograd(
    script: Script, views: Sequence[ComputeView], constants: Collection[SSAValue], target: Target
) -> None:
    """Write the schedule of the phases, each by itself or all in the task of a block of tiles."""
    is_alone = len(views) == 1
    for view in views:
        if isinstance(view.role, Transform):
            _plan_transform(script, view, target, parallel=is_alone)
            continue
        contraction = analyse(view, set(constants), target, target.lanes(32))
        assert contraction is not None, "products have a register tile"
        plan_product(script, script.match(view.name), contraction, parallel=is_alone)


def _plan_transform(script: Script, view: ComputeView, target: Target, *, parallel: bool) -> None:
    """A vector of channels of one tile at a time."""
    leaf = script.match(view.name)
    axes = [a for a in view.parallel_axes() if view.axes[a] > 1]
    widest = target.lanes(32)
    fitting = [n for n in (widest, widest // 2, widest // 4) if n >= 4]
    found = ((n, vector_axis(view, n, axes)) for n in fitting)
    lanes, vector = next(((n, a) for n, a in found if a is not None), (1, None))
    if vector is None:
        return
    others = [a for a in axes if a != vector]
    order = [vector, *others]
    sizes = {a: lanes if a == vector else 1 for a in order}
    leaf, loops = script.tile(leaf, sizes)
    if parallel:
        for loop in loops[:2]:
            script.parallel(loop)
    script.vectorize(leaf, vector, lanes)
