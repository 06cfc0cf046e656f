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

from .....analysis.strides import axis_stride
from .....dialects.te import Access, ComputeOp, KernelOp
from .....support.affine import Key
from ...cost.cycles import LINE_BYTES, FarTraffic, cycle_model
from ...cost.footprint import BufferAccess, buffer_bytes
from ...cost.parts import KernelCost
from ..contraction import TiledContraction
from ..epilogue import operations_of
from ..tiles import RegisterTile, even_part, even_sections
from .choice import Choice
from .convolution import ConvolutionPoint, blocked_axis, in_passes
from .product_cost import AxisLoop, OperandTraffic, PassSizes, tile_cycles


class PixelOperand:
    """An operand of a convolution, whose index expressions may slide along rows and columns.

    access: the read or write.  is_weight: whether the operand is constant.
    """

    def __init__(self, access: Access, *, is_weight: bool) -> None:
        assert access.value is not None, "an operand is a buffer"
        assert access.indices is not None, "a convolution reads its operands at known indices"
        self.axes = frozenset(map(str, access.axes()))
        self.is_weight, self.bytes = is_weight, buffer_bytes(access.value)
        self._access = BufferAccess(access.value, tuple(access.indices))
        self._order = sorted(self.axes)
        self._known: dict[tuple[float, ...], float] = {}

    def crowding(self, extents: Mapping[str, float], way: int) -> float:
        """Return how many times more of a cache a part fills; see `CostedOperand`."""
        return self._bytes_in(extents, way) / self._bytes_in(extents, 0)

    def touched(self, extents: Mapping[str, float], whole: Mapping[str, int]) -> float:
        """Return the bytes of the operand that a part of the convolution touches.

        extents: the extent of the part along each axis.  whole: the extents of all axes.
        """
        return self._bytes_in(extents, 0)

    def _bytes_in(self, extents: Mapping[str, float], way: int) -> float:
        key = way, *[extents[axis] for axis in self._order]
        if key not in self._known:
            part: dict[Key, float] = {axis: extents[axis] for axis in self._order}
            self._known[key] = self._access.bytes_in(part, way)
        return self._known[key]


@dataclass(frozen=True)
class PackedWeights:
    """Weights in panels of columns, in the order of the loops, so that each part is contiguous.

    axes: the axes that select a weight.  item: the bytes of an element.  bytes: the size.
    """

    axes: frozenset[str]
    item: int
    bytes: int
    is_weight: bool = True

    def crowding(self, extents: Mapping[str, float], way: int) -> float:
        """Return 1: panels are contiguous; see `CostedOperand`."""
        return 1.0

    def touched(self, extents: Mapping[str, float], whole: Mapping[str, int]) -> float:
        """Return the bytes that a part of the convolution touches; see `PixelOperand`."""
        return max(LINE_BYTES, self.item * prod(extents[axis] for axis in self.axes))


class ConvolutionCosts:
    """The costs of the points of one direct convolution.

    c: the convolution as a contraction.
    """

    def __init__(self, c: TiledContraction) -> None:
        self.c, self.model = c, cycle_model(c.target)
        self.row, self.column = c.rows[-2:]
        self.outer = (*c.batch, *c.rows[:-2])
        blocked = blocked_axis(c)
        self.blocks = c.extent(blocked) if blocked else 1
        self.sum_axis, self.block = (c.base(blocked), c.step(blocked)) if blocked else ("", 1)

    @cached_property
    def is_covered(self) -> bool:
        """Whether this class models the convolution.

        It does for known sizes, packed weights, and multiply-adds instead of other instructions.
        """
        c = self.c
        return c.instruction is None and c.packs and not c.has_symbolic_extents

    @cached_property
    def whole(self) -> Mapping[str, int]:
        """The extents of all axes."""
        return self.c.view.extents

    @cached_property
    def nest(self) -> OperandTraffic:
        """The operands: the scalars, the weights, operands of the epilogue, and the result."""
        c, view = self.c, self.c.view
        weights, item = view.inputs[c.vector_operand], c.element_bytes
        axes = frozenset(map(str, weights.axes()))
        packed = PackedWeights(axes, item, item * prod(self.whole[axis] for axis in axes))
        scalars = PixelOperand(view.inputs[1 - c.vector_operand], is_weight=False)
        others = [PixelOperand(a, is_weight=False) for a in view.post if a.indices is not None]
        results = [PixelOperand(a, is_weight=False) for a in view.outputs]
        return OperandTraffic((scalars, packed, *others, *results), self.whole)

    @cached_property
    def pitch(self) -> int:
        """The bytes from a pixel of a tile to the next one; 0 if they are adjacent elements."""
        scalars = self.c.view.inputs[1 - self.c.vector_operand]
        stride = axis_stride(scalars, self.column) or 0
        return stride * self.c.element_bytes if stride > 1 else 0

    @cached_property
    def epilogue(self) -> int:
        """The instructions of the epilogue for a vector of results."""
        then = self.c.view.then
        return operations_of(then, self.c.target) if then.blocks else 0

    def cost(self, point: ConvolutionPoint, threads: int = 1) -> KernelCost | None:
        """Return the cost of a point; None for convolutions that this class does not model."""
        if not self.is_covered:
            return None
        c, whole, model = self.c, self.whole, self.model
        width = point.tile.vectors * c.lanes
        panels, rest = divmod(c.columns, width)
        widths = [(panels, point.tile.vectors)] * bool(panels)
        widths += [(1, ceil(rest / c.lanes))] * bool(rest)
        passes = self._passes_of(point)
        counts = even_sections(whole[self.column], point.tile.rows)
        repeats = whole[self.row] * prod(whole[axis] for axis in self.outer)
        sections = [(count * repeats, rows) for count, rows in counts]
        compute, tiles = tile_cycles(
            model, sections, widths, c.steps, passes.count - 1, self.epilogue, self.pitch
        )
        leaf: dict[str, float] = dict.fromkeys(whole, 1.0)
        leaf |= {axis: float(whole[axis]) for axis in c.view.reduced_axes()}
        if self.sum_axis:
            leaf[self.sum_axis] = float(passes.size * self.block)
        tile_count = sum(count for count, _ in counts)
        leaf[self.column] = whole[self.column] / tile_count
        leaf[c.vector_axis] = float(min(width, c.columns))
        loops = self._loops(point, passes, [count for count, _ in counts])
        near = self.nest.traffic(loops, leaf, model.l1_room, model.l1_way)
        far = [
            FarTraffic(
                moved,
                operand.touched(whole, whole),
                reuse,
                operand.is_weight,
                operand.bytes <= model.kept_bytes,
            )
            for operand, moved, reuse in self.nest.traffic(loops, leaf, model.l2_room, model.l2_way)
        ]
        moved = sum(moved for _, moved, _ in near)
        tasks = self._tasks(point, panels, rest)
        spreads = point.spread_prefetch
        return model.total(compute, tiles, moved, far, tasks, spreads=spreads, threads=threads)

    def least_cycles(self, tile: RegisterTile) -> float:
        """Return a lower bound of the cycles of all points with a register tile: those of sums."""
        c, whole = self.c, self.whole
        results = prod(whole[axis] for axis in c.view.parallel_axes())
        each = self.model.step(tile.rows, tile.vectors, self.pitch)
        return results * c.steps * each / (tile.rows * tile.vectors * c.lanes)

    def _passes_of(self, point: ConvolutionPoint) -> PassSizes:
        if not in_passes(self.c, point):
            return PassSizes(self.blocks, 1, self.blocks)
        count = ceil(self.blocks / point.k_block)
        return PassSizes(point.k_block, count, self.blocks - (count - 1) * point.k_block)

    def _group(self, point: ConvolutionPoint) -> int:
        """Return the output rows of a block, at most."""
        height = self.whole[self.row]
        return even_part(height, point.row_group) if 0 < point.row_group < height else height

    def _tasks(self, point: ConvolutionPoint, panels: int, rest: int) -> int:
        """Return the tasks: the iterations of the parallel loops that are alone in their loop.

        panels: the whole groups of channels.  rest: the channels after them.
        """
        rows, size = self.whole[self.row], self._group(point)
        columns = panels + (rest > 0), 1 + (panels > 0 and rest > 0)
        blocks = ceil(rows / size), len(even_sections(rows, size))
        order = [blocks, columns] if point.rows_outermost else [columns, blocks]
        loops = [(self.whole[axis], 1) for axis in self.outer if self.whole[axis] > 1]
        loops += order if point.both_parallel else order[:1]
        tasks = 1
        for depth, (trips, parts) in enumerate(loops):
            if depth and parts > 1:
                break
            tasks *= trips
        return tasks

    def _loops(
        self, point: ConvolutionPoint, passes: PassSizes, tiles: Sequence[int]
    ) -> list[AxisLoop]:
        """Return the loops around a register tile as plan_convolution writes them, outermost first.

        tiles: the numbers of tiles of each size along a row of pixels.
        """
        c, whole = self.c, self.whole
        height, width = whole[self.row], point.tile.vectors * c.lanes
        outer = [AxisLoop(a, whole[a], 1, whole[a]) for a in self.outer if whole[a] > 1]
        panels, rest = divmod(c.columns, width)
        parts = (panels > 0) + (rest > 0)
        columns = AxisLoop(c.vector_axis, c.columns / min(width, c.columns), parts, max(panels, 1))
        groups = ceil(height / self._group(point))
        sizes = len(even_sections(height, self._group(point)))
        blocks = AxisLoop(self.row, groups, sizes, groups)
        middle = max(1, passes.count - 2)
        sums = AxisLoop(self.sum_axis, self.blocks / passes.size, min(3, passes.count), middle)
        inside = [
            AxisLoop(self.row, height / groups, 1, height / groups),
            AxisLoop(self.column, sum(tiles), len(tiles), max(tiles)),
        ]
        if not self.sum_axis:
            sums = replace(sums, axis=self.column, trips=1, parts=1)
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
    is_alone = len([op for op in kernel.body.walk() if isinstance(op, ComputeOp)]) == 1
    return ConvolutionCosts(subject) if is_alone and isinstance(subject, TiledContraction) else None
