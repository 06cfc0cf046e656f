"""Schedules of convolutions by tile instructions (AMX).

A row of a tile is a pixel.  Its channels must lie side by side, which they do not in blocks of
16, so each task copies its rows of the image, with their halo, to a buffer whose innermost
dimensions are the channels.  A tile then holds adjacent pixels of one row of the result, and a
stride is a distance in memory.  The sums of a block of 2 x 2 tiles, along a row or of two rows,
stay in registers for all taps and channels.  Pixels and channels that do not fill a tile are left
to vector instructions (instruction.py), which read the same buffer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, gcd, prod

from xdsl.ir import SSAValue

from ....analysis.patterns.sharing import element_bytes
from ....analysis.strides import axis_stride
from ....dialects.te import Access
from ....machines.cpu_numbers import AMX, numbers_of
from ..instructions.tile_intrinsics import DEPTH, LANES, ROWS, tile_name
from .contraction import TiledContraction, pack_weights, split_blocks
from .script import CreatedCompute, Script
from .tile_costs import block_cycles, vector_cycles
from .tile_product import TILES, finish_by_vectors, store_tiles, tile_instruction
from .tiles import divisor_at_most

TASKS = 8
"""The number of tasks wanted for a convolution that takes long enough."""


@dataclass(frozen=True)
class PixelTiles:
    """The tiles of a convolution by tile instructions.

    intrinsic: the instruction, whose tiles have ``rows`` pixels.
    height, width: tiles of a block along the rows and the columns of the result.
    features: tiles of a block along the result's channels.
    block: rows of the result per task.
    groups: how many tasks compute the same rows, each for a part of the channels.
    gain: modelled cycles of vector instructions, divided by those of tiles.
    """

    intrinsic: str
    rows: int
    height: int
    width: int
    features: int
    block: int
    groups: int
    gain: float


def plan_pixel_tiles(c: TiledContraction) -> PixelTiles | None:
    """Choose the tiles of a convolution by tile instructions.

    None if vector instructions are as fast, or no tile fits.  Before: the contraction has its
    vector instruction, if the target has one that fits.
    """
    if c.instruction is None or not c.packs or c.has_symbolic_extents or c.lanes != LANES:
        return None
    found = tile_instruction(c)
    channels = _channels(c)
    if found is None or channels is None:
        return None
    name, feature = found
    groups = c.view.extents[channels] // c.terms
    depth = max(d for d in range(1, DEPTH + 1) if groups % d == 0)
    features = TILES if c.group % (TILES * LANES) == 0 or c.group == c.columns else 1
    if (c.group % LANES and c.group != c.columns) or c.columns < LANES:
        return None
    features = min(features, c.columns // LANES)
    steps = c.steps // depth
    height, width = c.extent(c.rows[-2]), c.extent(c.rows[-1])
    vectors = vector_cycles(height * width, c.columns, c.steps, LANES, feature)
    choices = [
        (_cycles(c, (rows, down, along, features), (depth, steps), feature), rows, down, along)
        for rows in range(1, min(width, ROWS) + 1)
        for down, along in ((2, 1), (1, 2), (1, 1))
        if rows * along <= width and down <= height
    ]
    cycles, rows, down, along = min(choices)
    block, shares = _task(c, cycles, down)
    cycles += ceil(height / block) * shares * AMX.configuration + shares * _copy_cycles(c)
    if cycles >= vectors:
        return None
    tile, gain = tile_name(name, rows, depth), vectors / cycles
    return PixelTiles(tile, rows, down, along, features, block, shares, gain)


def _channels(c: TiledContraction) -> str | None:
    """Return the reduction axis of channels: the only one that shares no index with pixels.

    None if there is no such axis, or if a tile cannot read the image along it.
    """
    image = _image(c)
    indexed = [set(e.variables()) for e in image.indices or ()]
    taps = {a for keys in indexed if keys & {*c.rows} for a in keys}
    found = [a for a in c.view.reduced_axes() if a not in taps]
    columns_read = axis_stride(image, c.rows[-1])
    is_plain = image.pad is None and columns_read is not None and columns_read > 0
    if len(found) != 1 or not is_plain:
        return None
    # To copy by vectors, channels must be adjacent in the image, too.
    return found[0] if _dims_of(c, found[0])[-1:] == [len(image.dims) - 1] else None


def _image(c: TiledContraction) -> Access:
    return c.view.inputs[1 - c.vector_operand]


def _dims_of(c: TiledContraction, channels: str) -> list[int]:
    """Return the image's dimensions whose index contains the channel axis, in order.

    Empty if an axis other than those of groups and batch shares an index with the channels.
    """
    found: list[int] = []
    for d, index in enumerate(_image(c).indices or ()):
        keys = set(index.variables())
        if channels in keys:
            if keys - {channels, c.vector_axis, *c.batch}:
                return []
            found.append(d)
    return found


def _cycles(
    c: TiledContraction, tiles: tuple[int, int, int, int], sums: tuple[int, int], feature: str
) -> float:
    """Return the cycles of a convolution by tiles.

    tiles: (rows, height, width, features) as in `PixelTiles`.
    sums: (groups of terms per tile product, tile products per sum).
    feature: the CPU feature of the tile instruction.
    """
    rows, down, along, features = tiles
    depth, steps = sums
    height, width = c.extent(c.rows[-2]), c.extent(c.rows[-1])
    panels, rest = divmod(c.columns, features * LANES)
    across, left = divmod(width, rows * along)
    cycles = 0.0
    for tall, count in ((down, height // down), (height % down, 1)):
        if tall:
            one = block_cycles(rows, tall * along, features, depth, steps)
            cycles += count * across * panels * one
            if rest % LANES == 0 and rest:
                cycles += count * across * block_cycles(rows, tall * along, 1, depth, steps)
    if rest % LANES:
        cycles += vector_cycles(height * across * rows * along, rest, c.steps, LANES, feature)
    return cycles + vector_cycles(height * left, c.columns, c.steps, LANES, feature)


def _image_rows(c: TiledContraction) -> tuple[int, int, int]:
    """Return three numbers about the image rows that a convolution reads.

    They are the bytes of an image row, the distance in image rows from one result row to the next,
    and the image rows that one result row reads.
    """
    image, row = _image(c), c.rows[-2]
    outer = {*c.batch, *c.rows[:-2]}
    places = list(zip(image.indices or (), image.shape, strict=True))
    index, size = next((e, n) for e, n in places if row in set(e.variables()))
    sizes = [n for e, n in places if e is not index and not set(e.variables()) <= outer]
    step = abs(index.coefficient(row))
    taps = max(1, size - step * (c.extent(row) - 1))
    return prod(sizes) * element_bytes(image.type), step, taps


def _copy_cycles(c: TiledContraction) -> float:
    row_bytes, _, _ = _image_rows(c)
    image = _image(c)
    rows = next(
        n
        for e, n in zip(image.indices or (), image.shape, strict=True)
        if c.rows[-2] in set(e.variables())
    )
    return AMX.copy * rows * row_bytes / (LANES * element_bytes(image.type))


def _task(c: TiledContraction, cycles: float, down: int) -> tuple[int, int]:
    """Return the rows of the result per task, and the number of tasks that compute the same rows.

    The image rows that a task copies fill at most 3/8 of L2. With more tasks of fewer rows, the
    weights are read again for each task; so if the weights fill half of L2, several tasks compute
    the same rows, each for a part of the result's channels.
    cycles: the cycles of one image.
    down: rows of the result per block of tiles.
    """
    row_bytes, step, taps = _image_rows(c)
    height = c.extent(c.rows[-2])
    most = max(1, (c.target.l2_bytes * 3 // 8 // row_bytes - taps) // step + 1)
    block = height if most >= height else max(down, most // down * down)
    outer = prod(c.extent(a) for a in (*c.batch, *c.rows[:-2]))
    wanted = min(TASKS, int(outer * cycles // numbers_of(c.target).task_cycles))
    tasks = outer * ceil(height / block)
    if tasks >= wanted:
        return block, 1
    weights = c.steps * c.terms * c.columns * c.element_bytes
    panels, rest = divmod(c.columns, TILES * LANES)
    if weights > c.target.l2_bytes // 2 and not rest:
        return block, divisor_at_most(panels, ceil(wanted / tasks))
    return max(down, height * outer // wanted // down * down), 1


def plan_tile_convolution(
    script: Script, leaf: SSAValue, c: TiledContraction, plan: PixelTiles
) -> None:
    """Write the schedule of a convolution by tile instructions.

    leaf: the handle of its compute.
    plan: the sizes of its tiles.
    """
    channels = _channels(c)
    assert channels is not None, "the plan has tiles"
    taps = tuple(a for a in c.view.reduced_axes() if a != channels)
    c = replace(c, splits=(), reduced=(*taps, channels))
    width, row = plan.features * LANES, c.rows[-2]
    leaf = pack_weights(script, leaf, c, width, 0)
    leaf = split_blocks(script, leaf, c)
    image, leaf = script.cache_read(leaf, 1 - c.vector_operand, len(_image(c).dims))
    copy = script.store_last(image.handle, len(image.axes), *_dims_of(c, channels))
    if outer := (*c.batch, *c.rows[:-2]):
        leaf, loops = script.tile(leaf, dict.fromkeys(outer, 1))
        script.parallel_each(loops)
    if plan.groups > 1:
        leaf, loops = script.tile(leaf, {c.vector_axis: c.columns // plan.groups})
        script.parallel(loops[0])
    leaf, (loop,) = script.tile(leaf, {row: plan.block})
    loop = script.parallel(loop)
    copy = script.fuse_into(copy, loop)
    lanes = gcd(_image(c).shape[-1], LANES)
    _copy_rows(script, copy, image, _dims_of(c, channels), lanes)
    for part, height in _pieces(script, leaf, c.extent(row), plan.block):
        panels, _ = script.tile(part, {c.vector_axis: width})
        for panel, columns in _pieces(script, panels, c.columns // plan.groups, width):
            if columns % LANES:
                finish_by_vectors(script, panel, c, columns)
            else:
                _plan_pixels(script, panel, c, plan, height, columns)


def _plan_pixels(
    script: Script, leaf: SSAValue, c: TiledContraction, plan: PixelTiles, height: int, columns: int
) -> None:
    row, column = c.rows[-2:]
    pixels, extent = plan.rows * plan.width, c.extent(column)
    leaf, _ = script.tile(leaf, {column: pixels})
    whole, *rest = _pieces(script, leaf, extent, pixels)
    for part, _ in rest:
        finish_by_vectors(script, part, c, columns)
    leaf, _ = script.tile(whole[0], {row: plan.height})
    for part, _ in _pieces(script, leaf, height, plan.height):
        store_tiles(script, part, c, plan.intrinsic)


def _pieces(script: Script, leaf: SSAValue, extent: int, size: int) -> list[tuple[SSAValue, int]]:
    """Return the innermost computes (leaves) of a tiled axis, each with the size of its tiles.

    The whole tiles come first; a remainder has its own leaf.
    """
    rest = extent % size
    if not rest or extent < size:
        return [(leaf, min(size, extent))]
    whole, last = script.split_handle(leaf, last=1)
    return [(whole, size), (last, rest)]


def _copy_rows(
    script: Script, copy: SSAValue, image: CreatedCompute, last: Sequence[int], lanes: int
) -> None:
    """Copy rows of an image by vectors of adjacent channels, in the order of the image.

    copy: the handle of the compute that copies.
    image: the same compute, for the names of its axes.
    last: the dimensions of the channels, the innermost last.
    """
    inner = image.axes[last[-1]]
    copy, _ = script.tile(copy, {a: 1 for a in image.axes if a != inner} | {inner: lanes})
    script.vectorize(copy, inner, lanes)
