"""The tiles that a product by matrix instructions can have, and the modelled clocks of each choice.

In: the view of a compute, its axes and an intrinsic.  Out: `TensorProduct`s with their modelled
clocks; tensor_product.py writes the schedule of one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import gcd, prod, sqrt

from ....analysis.strides import flat_address
from ....dialects.dtypes import bit_width
from ....dialects.shape import Dim, Extent
from ....dialects.simt import (
    COPY_BYTES,
    GROUP_ROWS,
    MFMA,
    MMA,
    SWIZZLED_ROW,
    WARP,
    WARPGROUP,
    WMMA,
    MmaOp,
)
from ....dialects.te import ComputeView, IntrinsicOp
from ....lowering.te_to_loop.scalar import MOST_CELLS
from ....machines.gpu import GpuLimits
from ....machines.gpu_numbers import GpuNumbers, numbers_of
from ....machines.target import Target
from .async_stages import stages_of
from .convolution import (
    PROCESSORS,
    READ_BYTES,
    ConvolutionForm,
    blocks_of,
    stores_end,
)
from .product import (
    ProductAxes,
    divides,
    inside_elements,
    steps_within,
    tile_extent,
)
from .tile_cost import BlockStep, TileCost, product_cost
from .vectors import LANE_COUNTS

_SIZES, _FORM_SIZES, _WARP_SIZES = (256, 128, 64, 32, 16), (128, 64, 32, 16), (64, 32, 16)
_MOST_WARPS = 8
"""The sizes of the tiles of blocks (_FORM_SIZES: for convolutions) and of warps, and the most warps
of a block."""
_ASSUMED_SIZE = 64
_DYNAMIC_EXTENT = 1024
"""The tile of an axis of dynamic (symbolic) size, and the extent that the model assumes for it."""

_MULTIPLIES = 1024
"""The f16 multiply-adds of an A100's multiprocessor per cycle; of bytes, twice as many.  Source:
NVIDIA A100 whitepaper, 312e12 operations per second at 1.41 GHz."""

_MOST_WARP_ROWS, _MOST_WARP_COLUMNS = 64, 32
"""A larger tile of a warp needs more than 64 registers of a thread for its accumulators."""

_INSTRUCTIONS_OF_STEP, _INSTRUCTIONS_OF_COPY = 30, 4
"""The instructions of a warp in a step besides loads, copies and multiply-adds, and those of a copy
that is not asynchronous.  Source: code of ptxas 12.9."""
_ADDRESS_REGISTERS, _SIZE_REGISTERS, _PIXEL_REGISTERS = 24, 24, 3
"""The registers of a thread for addresses, for each symbolic size, and for each copied pixel.
Source: as above."""

_INSTRUCTIONS_OF_GATHER, _REGISTERS_OF_GATHER, _CLOCKS_OF_GATHER = 55, 72, 5
"""The instructions that gather an element of an image whose channels are not adjacent: quotients,
comparisons with the border, a load and a store; their registers, and the clocks of a warp for each.
Source: code of ptxas 13.0 for a 3 x 3 convolution of 64 channels, which has 160 registers and 969
instructions for 16 elements and 16 HMMA; a warp takes 5.1 clocks per instruction on an H200."""
_INSTRUCTIONS_OF_PIXEL = 12
"""The instructions that gather an element for filters of one pixel: there are no quotients and no
borders.  Source: 14.9 us of an H200 for 8 images of 56 x 56 with 256 channels and 64 filters."""

_GROUP_FEATURE = "wgmma"
_GROUP_WARP_ROWS = GROUP_ROWS // (WARPGROUP // WARP)
_GROUP_SIZES = ((64, 128, 256), (256, 192, 128, 64))
_GROUP_REGISTERS, _GROUP_INSTRUCTIONS = 32, 40
"""The feature of targets whose warpgroups multiply together; the rows and the columns of blocks, of
which the rows determine the threads: a power of two, so that a thread's copies are digits of its
number; registers and instructions of a step of a thread besides accumulators and copies.  Source:
code of ptxas 13.0."""

INSTRUCTION_ROWS = 16
"""The rows of a matrix instruction."""

_ROW_BYTES = 16
"""The bytes of a row of ldmatrix, and the bytes that a thread copies at once."""


@dataclass(frozen=True)
class Sums:
    """How the threads of a warp hold the accumulators of one instruction, which has 16 rows.

    columns: the columns of the instruction.
    rows: the extent of the inner loop when the 16 rows are split in two loops.
    pair: the number of adjacent columns that a thread holds.
    lane: the names of the two loops, one over rows and one over columns, that together number the
    threads of the warp.
    """

    columns: int
    rows: int
    pair: int
    lane: tuple[str, str]


SUMS = {
    MMA: Sums(8, 8, 2, ("row", "quad")),
    MFMA: Sums(16, 4, 1, ("half", "quad")),
    WMMA: Sums(16, 2, 1, ("row", "quad")),
}
"""The accumulators of each kind of instruction, as in the fragments of its intrinsics' results."""


@dataclass(frozen=True)
class TensorProduct:
    """The axes of a matrix product by matrix instructions, and its tiles.

    intrinsic: the name of the instruction.
    sums: how threads hold its accumulators.
    bytes: the size of an operand's element.
    rows, columns: the tile of a block.
    warp_rows, warp_columns: the tile of a warp, which has ``warp`` threads.
    step: the extent of a tile along k.
    ragged: the axes that tiles do not divide.
    form: the form of a convolution as a product; None for other products.
    stages: the number of tiles of each operand in shared memory.
    is_grouped: whether the warps of a warpgroup multiply together, from swizzled tiles.
    band: the rows of tiles through which blocks run before the next column of tiles.
    """

    axes: ProductAxes
    intrinsic: str
    warp: int
    sums: Sums
    bytes: int
    rows: int
    columns: int
    warp_rows: int
    warp_columns: int
    step: int
    ragged: frozenset[str]
    form: ConvolutionForm | None = None
    stages: int = 1
    is_grouped: bool = False
    band: int = 1

    @property
    def sizes(self) -> dict[str, int]:
        """The size of a block's tile along each axis."""
        return {self.axes.m: self.rows, self.axes.n: self.columns, self.axes.k: self.step}

    @property
    def warps(self) -> tuple[int, int]:
        """The numbers of warps of a block along the rows and the columns."""
        return self.rows // self.warp_rows, self.columns // self.warp_columns

    @property
    def is_exact(self) -> bool:
        """Whether the accumulation is exact, because operands and accumulators are integers."""
        return self.bytes == 1

    @property
    def is_by_channel(self) -> bool:
        """Whether this is a convolution whose operands are adjacent in memory along the sum."""
        return self.form is not None and self.form.is_by_channel

    @property
    def row(self) -> int:
        """The number of elements in 16 bytes, which a thread copies at once."""
        return _ROW_BYTES // self.bytes

    @property
    def threads(self) -> int:
        """The number of threads of a block."""
        return prod(self.warps) * self.warp


def _least_step(op: IntrinsicOp) -> int:
    (least,) = (op.compute.view().extents[axis] for axis in op.compute.view().reduced_axes())
    return least


def copied_at_once(view: ComputeView, p: TensorProduct, operand: int) -> int:
    """Return how many adjacent elements a thread copies at once to the tile of an operand.

    p: the tiles of the product.
    operand: the number of the operand.
    """
    access = (p.form.view if p.form else view).inputs[operand]
    if not _is_contiguous(p, operand):
        return 1
    rows = p.rows if p.axes.m in access.axes() else p.columns
    part = _part(rows * p.step, p)
    if not access.axes() & p.ragged or p.is_by_channel:
        return part
    return gcd(part, inside_elements(access, skips_units=p.form is not None))


def sums_of(op: IntrinsicOp) -> Sums:
    """Return how the threads of a warp hold the accumulators of an intrinsic."""
    (use,) = (each for each in op.emission.block.ops if isinstance(each, MmaOp))
    return SUMS[use.unit_name]


def tensor_tiles(
    view: ComputeView,
    axes: ProductAxes,
    op: IntrinsicOp,
    target: Target,
    form: ConvolutionForm | None = None,
) -> Iterator[TensorProduct]:
    """Yield the possible tiles of a product: sizes of blocks and of warps, steps, and stages.

    axes: the axes of the product.
    op: the matrix instruction.
    form: the form of a convolution whose operands are adjacent along the sum; None for other
    products.
    """
    least, size_bytes = _least_step(op), bit_width(view.inputs[0].element_type) // 8
    steps = [n * least for n in (4, 2, 1)]
    if form is None:
        steps = steps_within(view, axes.k, steps)
    else:
        steps = [n for n in steps if divides(n, view.axes[axes.k])]
    for rows, columns in product(*(_sizes(view.axes[axis]) for axis in (axes.m, axes.n))):
        for step in steps:
            sizes = {axes.m: rows, axes.n: columns, axes.k: step}
            ragged = frozenset(a for a, size in sizes.items() if not divides(size, view.axes[a]))
            if not stores_end(view, ragged):
                continue
            for warp_rows, warp_columns in _warp_tiles(rows, columns, sums_of(op)):
                p = TensorProduct(
                    axes, op.label, op.thread_count, sums_of(op), size_bytes, rows, columns,
                    warp_rows, warp_columns, step, ragged, form,
                )  # fmt: skip
                if _is_large(view, p) or any(_tile_elements(p, n) % p.threads for n in range(2)):
                    continue
                if _is_asynchronous(view, p):
                    stages = stages_of(target, view.axes[axes.k], step)
                    yield from (replace(p, stages=n) for n in stages)
                else:
                    yield p


def group_tiles(
    view: ComputeView, axes: ProductAxes, op: IntrinsicOp, target: Target
) -> Iterator[TensorProduct]:
    """Yield the possible tiles of a product whose warpgroups multiply together.

    op: the matrix instruction of a warp.  A warp has 16 rows and all columns of the block; the pass
    simt-form-warpgroups joins the warps.
    """
    if not target.has(_GROUP_FEATURE) or bit_width(view.inputs[0].element_type) != 16:
        return
    steps = steps_within(view, axes.k, [2 * SWIZZLED_ROW, SWIZZLED_ROW])
    pairs = zip(_GROUP_SIZES, (axes.m, axes.n), strict=True)
    sizes = ([n for n in choices if n < 2 * _extent(view, axis)] for choices, axis in pairs)
    for rows, columns, step in product(*sizes, steps):
        tile = {axes.m: rows, axes.n: columns, axes.k: step}
        ragged = frozenset(a for a, size in tile.items() if not divides(size, view.axes[a]))
        p = TensorProduct(
            axes, op.label, op.thread_count, sums_of(op), 2, rows, columns, _GROUP_WARP_ROWS,
            columns, step, ragged, is_grouped=True,
        )  # fmt: skip
        if any(_tile_elements(p, n) % (p.row * p.threads) for n in range(2)):
            continue
        shapes = _tile_shapes(view, p)
        has_rows = all(len(shape) > 1 and shape[-1] % SWIZZLED_ROW == 0 for shape in shapes)
        has_parts = all(copied_at_once(view, p, n) == p.row for n in range(2))
        if has_rows and has_parts and stores_end(view, ragged) and not _is_large(view, p):
            p = replace(p, band=_band(view, p, numbers_of(target)))
            stages = stages_of(target, view.axes[axes.k], step)
            yield from (replace(p, stages=n) for n in stages if n > 1)


def _is_large(view: ComputeView, p: TensorProduct) -> bool:
    """Return whether a thread has more vectors of accumulators than the unrolled code may have."""
    lanes = p.sums.pair if stores_pairs(view, p) else 1
    return p.warp_rows * p.warp_columns // (p.warp * lanes) > MOST_CELLS


def _band(view: ComputeView, p: TensorProduct, gpu: GpuNumbers) -> int:
    """Return the height of a band, in rows of tiles, for which blocks read the fewest elements.

    Blocks run through all rows of a band before the next column of tiles. So the blocks that run at
    the same time form a rectangle of tiles, which should have about as many rows as columns of
    elements.
    """
    blocks = -(-_extent(view, p.axes.m) // p.rows)
    most = sqrt(gpu.multiprocessors * p.columns / p.rows)
    sizes = (1 << n for n in range(int(most).bit_length()))
    is_static = isinstance(view.axes[p.axes.m], int)
    return max(n for n in sizes if n == 1 or (is_static and blocks % n == 0))


def _warp_tiles(rows: int, columns: int, sums: Sums) -> Iterator[tuple[int, int]]:
    """Yield the tiles (rows, columns) of warps that divide the tile of a block.

    rows, columns: the tile of the block.
    sums: how the threads of a warp hold the accumulators of an instruction.
    """
    tall, wide = (
        [n for n in (*_WARP_SIZES, *_between(size)) if size % n == n % least == 0]
        for size, least in ((rows, INSTRUCTION_ROWS), (columns, sums.columns))
    )
    for warp_rows, warp_columns in product(tall, wide):
        if rows // warp_rows * (columns // warp_columns) <= _MOST_WARPS:
            yield warp_rows, warp_columns


def form_tiles(
    form: ConvolutionForm, axes: ProductAxes, op: IntrinsicOp
) -> Iterator[TensorProduct]:
    """Yield the possible tiles of a convolution: a warp has half of the rows and of the columns.

    form: the convolution as a matrix product.
    axes: the axes of this product.
    op: the matrix instruction.
    """
    view, least = form.view, _least_step(op)
    steps = [n for n in (2 * least, least) if divides(n, view.axes[axes.k])]
    if not steps and form.is_zero_beyond:
        steps = [least]
    size_bytes = bit_width(view.inputs[0].element_type) // 8
    choices = [_form_sizes(view.axes[axis]) for axis in (axes.m, axes.n)]
    for step, rows, columns in product(steps[:1], *choices):
        sizes = {axes.m: rows, axes.n: columns, axes.k: step}
        ragged = frozenset(a for a, size in sizes.items() if not divides(size, view.axes[a]))
        if not stores_end(view, ragged):
            continue
        warp_rows = min(max(rows // 2, 16), _MOST_WARP_ROWS)
        warp_columns = min(max(columns // 2, 16), _MOST_WARP_COLUMNS)
        yield TensorProduct(
            axes, op.label, op.thread_count, sums_of(op), size_bytes, rows, columns, warp_rows,
            warp_columns, step, ragged, form,
        )  # fmt: skip


def _sizes(extent: Extent) -> Sequence[int]:
    """Return the candidate sizes of a block's tile along an axis, each below twice the extent."""
    if isinstance(extent, Dim):
        return (_ASSUMED_SIZE,)
    return [n for n in _SIZES if n < 2 * extent] + _between(extent) or _SIZES[-1:]


def _between(extent: int) -> list[int]:
    """Return the sizes between two powers of two, such as 48, that divide an extent."""
    return [3 * n // 2 for n in _WARP_SIZES if extent % (3 * n // 2) == 0]


def _form_sizes(extent: Extent) -> Sequence[int]:
    return (_ASSUMED_SIZE,) if isinstance(extent, Dim) else _FORM_SIZES


def fits(view: ComputeView, p: TensorProduct, limits: GpuLimits) -> bool:
    """Return whether a block's threads and shared memory are within the target's limits."""
    most = limits.shared_bytes if p.stages == 1 else limits.most_shared_bytes
    return p.threads <= limits.threads and p.stages * _shared_bytes(view, p) <= most


def _shared_bytes(view: ComputeView, p: TensorProduct) -> int:
    """Return the bytes of the tiles of one step in shared memory."""
    shapes = _tile_shapes(view, p)
    padding = [0 if p.is_grouped else (p.row - shape[-1]) % (2 * p.row) for shape in shapes]
    rows = [
        prod(outer) * (columns + n) for (*outer, columns), n in zip(shapes, padding, strict=True)
    ]
    return sum(rows) * p.bytes


def _tile_shapes(view: ComputeView, p: TensorProduct) -> list[list[int]]:
    if p.form is not None:
        return [[p.sizes[axis] for axis in order] for order in tile_orders(p).values()]
    return [
        [tile_extent(index, p.sizes) for index in access.indices or ()] for access in view.inputs
    ]


def panel_width(view: ComputeView, p: TensorProduct, operand: int) -> int | None:
    """Return the columns of the panels in which threads copy the tile of an operand.

    Each turn of the threads copies rows of one panel, whose width is a power of two, so that the
    place of an element has the digits of the thread's number. None if the tile is one panel.
    """
    columns = _tile_shapes(view, p)[operand][-1]
    width = SWIZZLED_ROW if p.is_grouped else columns & -columns
    return None if width == columns and not p.is_grouped else width


def tile_orders(p: TensorProduct) -> dict[str, list[str]]:
    """Return the order of axes in a convolution's tiles, for the operands "lhs" and "rhs"."""
    axes, by_column = p.axes, p.is_exact or p.is_by_channel
    return {"lhs": [axes.m, axes.k], "rhs": [axes.n, axes.k] if by_column else [axes.k, axes.n]}


def _is_asynchronous(view: ComputeView, p: TensorProduct) -> bool:
    if p.form is not None and not p.is_by_channel and p.ragged:
        return False  # a thread loads elements one by one, and stores them as one vector
    return all(copied_at_once(view, p, n) * p.bytes >= min(COPY_BYTES) for n in range(2))


def cost_of(view: ComputeView, p: TensorProduct, gpu: GpuNumbers) -> TileCost:
    """Return the modelled cost of a product by matrix instructions with given tiles."""
    blocks = prod(_extent(view, axis) for axis in p.axes.batch)
    for axis, size in ((p.axes.m, p.rows), (p.axes.n, p.columns)):
        blocks *= -(-_extent(view, axis) // size)
    steps = -(-_extent(view, p.axes.k) // p.step)
    stored_bytes = p.rows * p.columns * bit_width(view.outputs[0].element_type) // 8
    step = _block_step(view, p, gpu)
    return product_cost(gpu, step, blocks=blocks, steps=steps, stored_bytes=stored_bytes)


def _block_step(view: ComputeView, p: TensorProduct, gpu: GpuNumbers) -> BlockStep:
    """Return the work of a block in one step along the reduction, for the cost model."""
    warps, lines = prod(p.warps), (p.warp_rows + p.warp_columns) * p.bytes
    slice_ = 32 // p.bytes
    slices, tiles = p.step / slice_, p.warp_rows // 16 * (p.warp_columns // p.sums.columns)
    registers = p.warp_rows // 16 * 4 + p.warp_columns // 8 * 2
    # An instruction loads the fragments of 16 rows or 8 columns; of other types than f16 and bf16,
    # one register, or one byte if bytes of the sum are not adjacent.
    loads = p.warp_rows // 16 + p.warp_columns // 8
    if p.bytes != 2:
        single = [0 if _has_words(view, p, n) else size for n, size in enumerate((24, 12))]
        loads = registers + p.warp_rows // 16 * single[0] + p.warp_columns // 8 * single[1]
    tile_bytes = (p.rows + p.columns) * p.step * p.bytes
    copies = [_tile_elements(p, n) / (copied_at_once(view, p, n) * p.warp) for n in range(2)]
    image = p.form.image if p.form is not None and p.is_by_channel else None
    pixels = 0 if image is None else _PIXEL_REGISTERS * copies[image] / warps
    if p.stages == 1:
        copies = [n * _INSTRUCTIONS_OF_COPY for n in copies]
    gathered = 0.0
    if p.form is not None and not p.is_by_channel:
        gathered = _tile_elements(p, 1) / p.threads * _instructions_of_gather(p.form, p.axes.k)
        copies[1] = gathered * warps
    if p.is_grouped:
        return _group_step(view, p, gpu, tile_bytes, sum(copies))
    return BlockStep(
        multiply_clocks=p.rows * p.columns * p.step * p.bytes / (2 * gpu.multiplies),
        first_bytes=warps * lines * slice_,
        shared_bytes=warps * lines * p.step + tile_bytes,
        issues=warps * (slices * (tiles + loads) + _INSTRUCTIONS_OF_STEP) + sum(copies),
        loaded_bytes=tile_bytes,
        threads=p.threads,
        registers=p.warp_rows * p.warp_columns // p.warp
        + 2 * registers
        + _ADDRESS_REGISTERS
        + int(pixels)
        + (_REGISTERS_OF_GATHER if gathered else 0)
        + _SIZE_REGISTERS * len(_symbols(view)),
        block_bytes=p.stages * _shared_bytes(view, p),
        stages=p.stages,
        serial_clocks=gathered * _CLOCKS_OF_GATHER,
    )


def _has_words(view: ComputeView, p: TensorProduct, operand: int) -> bool:
    """Return whether a thread loads a whole register of an operand from shared memory at once.

    p: the tiles of the product.
    operand: the number of the operand. Otherwise the thread loads each of the register's elements
    on its own, because they are not adjacent.
    """
    last = list(view.inputs[operand].indices or ())[-1:]
    return not p.is_exact or p.form is not None or any(p.axes.k in e.variables() for e in last)


def _instructions_of_gather(form: ConvolutionForm, k: str) -> int:
    """Return how many instructions a thread needs to gather one element of the image.

    k: the axis of sums.
    """
    indices = form.view.inputs[form.image].indices or ()
    has_window = sum(k in index.variables() for index in indices) > 1
    return _INSTRUCTIONS_OF_GATHER if has_window else _INSTRUCTIONS_OF_PIXEL


def _group_step(
    view: ComputeView, p: TensorProduct, gpu: GpuNumbers, tile_bytes: int, copies: float
) -> BlockStep:
    """Return the work of a block in one step along k if its warpgroups multiply together.

    p: the tiles of the product.
    tile_bytes: the bytes of both operands' tiles.
    copies: the instructions that copy the tiles. The units that multiply read both operands from
    shared memory.
    """
    groups = p.rows // GROUP_ROWS
    return BlockStep(
        multiply_clocks=p.rows * p.columns * p.step / gpu.group_multiplies,
        first_bytes=0,
        shared_bytes=groups * (GROUP_ROWS + p.columns) * p.step * p.bytes + tile_bytes,
        issues=prod(p.warps) * _GROUP_INSTRUCTIONS + copies,
        loaded_bytes=tile_bytes,
        threads=p.threads,
        registers=p.warp_rows * p.warp_columns // p.warp
        + _GROUP_REGISTERS
        + p.stages
        + _SIZE_REGISTERS * len(_symbols(view)),
        block_bytes=p.stages * _shared_bytes(view, p),
        stages=p.stages,
        copy_clocks=tile_bytes / gpu.l2_bytes,
    )


def _tile_elements(p: TensorProduct, operand: int) -> int:
    return p.step * (p.rows, p.columns)[operand]


def _symbols(view: ComputeView) -> set[str]:
    return {name for extent in view.axes.values() for name in Dim.of(extent).symbols()}


def form_cycles(p: TensorProduct) -> float:
    """Return the modelled cycles of a convolution's tiles, for one element along the sum."""
    assert p.form is not None, "the tiles of a convolution"
    reads = (p.rows + p.columns) * p.bytes / READ_BYTES
    multiplies = p.rows * p.columns * p.bytes / (2 * _MULTIPLIES)
    # Each element of the image is loaded and stored alone.
    clocks = multiplies + reads + 2 * p.columns / p.warp
    return -(-blocks_of(p.form, p.rows, p.columns) // PROCESSORS) * clocks


def _extent(view: ComputeView, axis: str) -> int:
    extent = view.axes[axis]
    return extent if isinstance(extent, int) else _DYNAMIC_EXTENT


def _is_contiguous(p: TensorProduct, operand: int) -> bool:
    """Return whether adjacent elements in the tile of an operand are adjacent in memory."""
    if p.form is None or p.is_by_channel:
        return True
    access, axis = p.form.view.inputs[operand], list(tile_orders(p).values())[operand][-1]
    shape = tuple(n for n in access.extents if isinstance(n, int))
    if access.pad is not None or len(shape) < len(access.extents):
        return False
    place = flat_address(access.indices or (), shape).merge_atoms()
    return place.coefficient(axis) == 1 and list(place.variables()).count(axis) == 1


def stores_pairs(view: ComputeView, p: TensorProduct) -> bool:
    """Return whether a thread can store two adjacent accumulators as one vector of the result."""
    if p.form is not None and not p.form.has_vectors(p.sums.pair):
        return False
    if p.axes.n not in p.ragged:
        return True
    is_static = isinstance(view.axes[p.axes.n], int)
    return is_static and inside_elements(view.outputs[0]) % p.sums.pair == 0


def _part(size: int, p: TensorProduct) -> int:
    """Return how many adjacent elements a thread copies at once, at most 16 bytes.

    size: the number of elements of the tile, which the threads of the block divide evenly.  p: the
    tiles of the product.
    """
    parts = (n for n in (*LANE_COUNTS, 1) if n <= p.row)
    return next(n for n in parts if size % (n * p.threads) == 0)
