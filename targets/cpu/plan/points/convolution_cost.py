"""The modelled time of a point of a direct convolution, without a schedule.

In: a contraction over pixels that cpu-plan writes as a convolution, and points.  Out: for each
point the cost that `kernel_cost` returns for the scheduled kernel, up to a few per cent, in a
hundredth of the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, prod
from typing import Any

from .....analysis.patterns.sharing import element_bytes
from .....analysis.strides import axis_stride
from .....dialects.te import Access, KernelOp
from .....support.affine import Key
from ...cost.cycles import LINE_BYTES, UNFOLLOWED_CYCLES, FarTraffic, cycle_model
from ...cost.footprint import BufferAccess, buffer_bytes
from ...cost.parts import KernelCost
from ..contraction import TiledContraction
from ..epilogue import operations_of
from ..tiles import RegisterTile, even_part, even_sections
from .choice import Choice
from .convolution import ConvolutionPoint, blocked_axis
from .product_cost import AxisLoop, OperandTraffic, PassSizes, is_alone, tile_cycles


class PixelOperand:
    """An operand of a convolution, whose index expressions may slide along rows and columns.

    access: the read or write.  whole: the extents of all axes.  is_weight: whether the operand is
    constant.
    """

    def __init__(self, access: Access, whole: Mapping[str, int], *, is_weight: bool) -> None:
        assert access.value is not None, "an operand is a buffer"
        assert access.indices is not None, "a convolution reads its operands at known indices"
        self.axes = frozenset(map(str, access.axes()))
        self.is_weight, self.bytes = is_weight, buffer_bytes(access.value)
        self._access = BufferAccess(access.value, tuple(access.indices))
        self._order = [axis for axis in self.axes if whole[axis] > 1]
        self._known: dict[tuple[float, ...], float] = {}

    def filled(self, size: float, extents: Mapping[str, float], way: int) -> float:
        """Return the bytes of a cache that a part fills; see `CostedOperand`."""
        return self._bytes_in(extents, way)

    def touched(self, extents: Mapping[str, float], whole: Mapping[str, int]) -> float:
        """Return the bytes of the operand that a part of the convolution touches.

        extents: the extent of the part along each axis.  whole: the extents of all axes.
        """
        return self._bytes_in(extents, 0)

    def _bytes_in(self, extents: Mapping[str, float], way: int) -> float:
        key = way, *[extents[axis] for axis in self._order]
        if (known := self._known.get(key)) is not None:
            return known
        part: dict[Key, float] = {axis: extents[axis] for axis in self._order}
        found = self._known[key] = self._access.bytes_in(part, way)
        return found


@dataclass(frozen=True)
class PackedWeights:
    """Weights in panels of columns, in the order of the loops, so that each part is contiguous.

    axes: the axes that select a weight.  item: the bytes of an element.  bytes: the size.
    is_weight: whether they are constant.
    """

    axes: frozenset[str]
    item: int
    bytes: int
    is_weight: bool

    def filled(self, size: float, extents: Mapping[str, float], way: int) -> float:
        """Return the bytes of the part, because panels are contiguous; see `CostedOperand`."""
        return size

    def touched(self, extents: Mapping[str, float], whole: Mapping[str, int]) -> float:
        """Return the bytes that a part of the convolution touches; see `PixelOperand`."""
        return max(LINE_BYTES, self.item * prod(extents[axis] for axis in self.axes))


@dataclass(frozen=True)
class TileGrid:
    """The register tiles of a convolution.

    width: the channels of a tile.  parts: the number of loops over groups of channels: 2 if there
    are channels after the whole groups.  counts: the number of tiles of each size along a row of
    pixels.
    """

    width: int
    parts: int
    counts: tuple[int, ...]


class ConvolutionCosts:
    """The costs of the points of one direct convolution.

    c: the convolution as a contraction.
    """

    def __init__(self, c: TiledContraction) -> None:
        self.c, self.model = c, cycle_model(c.target)
        self.columns, self.lanes, self.steps = c.columns, c.lanes, c.steps
        self.row, self.column = c.rows[-2:]
        blocked = blocked_axis(c)
        self.blocks = c.extent(blocked) if blocked else 1
        self.sum_axis, self.block = (c.base(blocked), c.step(blocked)) if blocked else ("", 1)
        self._grids: dict[RegisterTile, TileGrid] = {}
        self._cycles: dict[tuple[RegisterTile, int], tuple[float, float]] = {}

    @cached_property
    def whole(self) -> Mapping[str, int]:
        """The extents of all axes; likely ones, if they are symbolic."""
        return {axis: self.c.likely_extent(axis) for axis in self.c.view.axes}

    @cached_property
    def outer(self) -> Mapping[str, int]:
        """The extents of the axes outside images, without those of extent 1."""
        axes = (*self.c.batch, *self.c.rows[:-2])
        return {axis: self.whole[axis] for axis in axes if self.whole[axis] > 1}

    @cached_property
    def nest(self) -> OperandTraffic:
        """The operands: the scalars, the weights, operands of the epilogue, and the result."""
        c, view, whole = self.c, self.c.view, self.whole
        weights, item = view.inputs[c.vector_operand], c.element_bytes
        axes = frozenset(map(str, weights.axes()))
        packed = PackedWeights(axes, item, item * prod(whole[axis] for axis in axes), c.packs)
        scalars = PixelOperand(view.inputs[1 - c.vector_operand], whole, is_weight=False)
        others = [*(a for a in view.post if a.indices is not None), *view.outputs]
        rest = [PixelOperand(a, whole, is_weight=False) for a in others]
        return OperandTraffic((scalars, packed, *rest), whole)

    @cached_property
    def _of_tile(self) -> Mapping[str, float]:
        """The extents of a register tile of one pixel, whose sums have all terms."""
        reduced = self.c.view.reduced_axes()
        return {axis: float(n if axis in reduced else 1) for axis, n in self.whole.items()}

    @cached_property
    def _whole_bytes(self) -> Sequence[float]:
        return [o.touched(self.whole, self.whole) for o in self.nest.operands]

    @cached_property
    def pitch(self) -> int:
        """The bytes from a pixel of a tile to the next one; 0 if they are adjacent elements."""
        scalars = self.c.view.inputs[1 - self.c.vector_operand]
        stride = axis_stride(scalars, self.column) or 0
        return stride * element_bytes(scalars.type) if stride > 1 else 0

    @cached_property
    def line_steps(self) -> int:
        """The steps that read one cache line of a pixel; 0 if pixels share cache lines."""
        item = element_bytes(self.c.view.inputs[1 - self.c.vector_operand].type)
        return min(self.block, LINE_BYTES // item) if self.pitch >= LINE_BYTES else 0

    @cached_property
    def epilogue(self) -> int:
        """The instructions of the epilogue for a vector of results."""
        then = self.c.view.then
        return operations_of(then, self.c.target) if then.blocks else 0

    def cost(self, point: ConvolutionPoint, threads: int = 1) -> KernelCost:
        """Return the cost of a point."""
        model, grid, passes = self.model, self._grid(point.tile), self._passes_of(point)
        compute, tiles = self._cycles_of(point.tile, passes.count - 1)
        leaf = {**self._of_tile, self.c.vector_axis: float(min(grid.width, self.columns))}
        if self.sum_axis:
            leaf[self.sum_axis] = float(passes.size * self.block)
        leaf[self.column] = self.whole[self.column] / sum(grid.counts)
        loops = self._loops(point, passes, grid)
        near, moves = self.nest.traffic(loops, leaf, model.caches)
        burst = model.burst_bytes(point.tile.rows, point.tile.vectors, self.line_steps)
        far = [
            FarTraffic(moved, once, reuse, o.is_weight, o.bytes <= model.kept_bytes)
            for (o, moved, reuse), once in zip(moves, self._whole_bytes, strict=True)
        ]
        far[0] = replace(far[0], burst=burst)
        if not point.spread_prefetch and far[1].is_weight:
            far[1] = replace(far[1], burst=self.nest.operands[1].touched(leaf, self.whole))
        moved, tasks = sum(moved for _, moved, _ in near), self._tasks(point, grid)
        spreads, rate = point.spread_prefetch, 0.0
        if not spreads:
            step = point.tile.vectors * self.lanes * self.c.step_bytes
            rate = model.weights_rate(point.tile.rows, point.tile.vectors, step, 0)
        found = model.total(
            compute, tiles, moved, far, tasks, spreads=spreads, threads=threads, weights_rate=rate
        )
        if passes.size <= model.numbers.streams:
            return found
        # Each block of channels is a stream of pixels.
        lost = near[0][1] / LINE_BYTES * UNFOLLOWED_CYCLES
        return replace(found, l2=found.l2 + lost / threads)

    def least_cycles(self, point: ConvolutionPoint) -> float:
        """Return a lower bound of the cycles of a point: those of its register tiles."""
        return sum(self._cycles_of(point.tile, self._passes_of(point).count - 1))

    def _grid(self, tile: RegisterTile) -> TileGrid:
        if tile not in self._grids:
            width = tile.vectors * self.lanes
            panels, rest = divmod(self.columns, width)
            counts = tuple(n for n, _ in even_sections(self.whole[self.column], tile.rows))
            self._grids[tile] = TileGrid(width, (panels > 0) + (rest > 0), counts)
        return self._grids[tile]

    def _cycles_of(self, tile: RegisterTile, more: int) -> tuple[float, float]:
        """Return the cycles of all steps, and of the starts and stores of all register tiles.

        more: the passes over a sum after the first one.
        """
        if (tile, more) not in self._cycles:
            panels, rest = divmod(self.columns, tile.vectors * self.lanes)
            widths = [(panels, tile.vectors)] * bool(panels)
            widths += [(1, ceil(rest / self.lanes))] * bool(rest)
            repeats = self.whole[self.row] * prod(self.outer.values())
            counts = even_sections(self.whole[self.column], tile.rows)
            sections = [(count * repeats, rows) for count, rows in counts]
            instruction = self.c.instruction
            self._cycles[tile, more] = tile_cycles(
                self.model, sections, widths, self.steps, more, self.epilogue, self.pitch,
                self.c.together, instruction.cycles.value.data if instruction else 1.0,
            )  # fmt: skip
        return self._cycles[tile, more]

    def _passes_of(self, point: ConvolutionPoint) -> PassSizes:
        size = point.k_block
        if not 0 < size < self.blocks:
            return PassSizes(self.blocks, 1, self.blocks)
        count = ceil(self.blocks / size)
        return PassSizes(size, count, self.blocks - (count - 1) * size)

    def _group(self, point: ConvolutionPoint) -> int:
        """Return the output rows of a block, at most."""
        height = self.whole[self.row]
        return even_part(height, point.row_group) if 0 < point.row_group < height else height

    def _tasks(self, point: ConvolutionPoint, grid: TileGrid) -> int:
        """Return the tasks: the iterations of the parallel loops that are alone in their loop."""
        rows, size = self.whole[self.row], self._group(point)
        columns = ceil(self.columns / grid.width), grid.parts
        blocks = ceil(rows / size), len(even_sections(rows, size))
        order = [blocks, columns] if point.rows_outermost else [columns, blocks]
        loops = [(trips, 1) for trips in self.outer.values()]
        loops += order if point.both_parallel else order[:1]
        tasks = 1
        for depth, (trips, parts) in enumerate(loops):
            if depth and parts > 1:
                break
            tasks *= trips
        return tasks

    def _loops(self, point: ConvolutionPoint, passes: PassSizes, grid: TileGrid) -> list[AxisLoop]:
        """Return the loops around a register tile as plan_convolution writes them, outermost first.

        passes: the passes over the sums.  grid: the register tiles.
        """
        height, size, tiles = self.whole[self.row], self._group(point), grid.counts
        outer = [AxisLoop(axis, trips) for axis, trips in self.outer.items()]
        turns = self.columns / min(grid.width, self.columns)
        columns = AxisLoop(self.c.vector_axis, turns, grid.parts)
        groups = ceil(height / size)
        blocks = AxisLoop(self.row, groups, len(even_sections(height, size)))
        sums = AxisLoop(self.column, 1)
        if self.sum_axis:
            sums = AxisLoop(self.sum_axis, self.blocks / passes.size, min(3, passes.count))
        inside = [
            AxisLoop(self.row, height / groups),
            AxisLoop(self.column, sum(tiles), len(tiles)),
        ]
        if not point.rows_outermost:
            return [*outer, columns, blocks, sums, *inside]
        if point.pass_major:
            return [*outer, blocks, sums, columns, *inside]
        return [*outer, blocks, columns, sums, *inside]


def convolution_costs(kernel: KernelOp, choices: Sequence[Choice[Any]]) -> ConvolutionCosts | None:
    """Return the cost model for a kernel that is one direct convolution; None for any other kernel.

    choices: the choices that cpu-plan makes for the kernel, by which the model finds the
    convolution.
    """
    if len(choices) != 1 or not isinstance(choices[0].default, ConvolutionPoint):
        return None
    subject = choices[0].subject
    if not is_alone(kernel) or not isinstance(subject, TiledContraction):
        return None
    return ConvolutionCosts(subject)
