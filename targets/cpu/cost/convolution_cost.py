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

from ....dialects.te import Access
from ..plan.contraction import TiledContraction
from ..plan.epilogue import operations_of
from ..plan.points.convolution import ConvolutionPoint, blocked_axis, in_passes
from ..plan.tiles import even_part, even_sections
from .kernel_cost import FarTraffic, cycle_model
from .nest import LINE_BYTES, BufferAccess, buffer_bytes
from .parts import KernelCost
from .product_cost import AxisLoop, OperandTraffic, PassSizes, tile_cycles


class PixelOperand:
    """An operand of a convolution, whose index expressions may slide along rows and columns.

    access: the read or write.  is_weight: whether the operand is constant.
    """

    def __init__(self, access: Access, *, is_weight: bool) -> None:
        assert access.value is not None, "an operand is a buffer"
        assert access.indices is not None, "a convolution reads its operands at known indices"
        self.axes = frozenset(access.axes())
        self.is_weight, self.bytes = is_weight, buffer_bytes(access.value)
        self._access = BufferAccess(access.value, tuple(access.indices))
        self._order = sorted(self.axes)
        self._known: dict[tuple[float, ...], float] = {}

    def touched(self, extents: Mapping[str, float], whole: Mapping[str, int]) -> float:
        """Return the bytes of the operand that a part of the convolution touches.

        extents: the extent of the part along each axis.  whole: the extents of all axes.
        """
        key = tuple([extents[axis] for axis in self._order])
        if key not in self._known:
            self._known[key] = self._access.bytes_in(dict(zip(self._order, key, strict=True)))
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
        axes = frozenset(weights.axes())
        packed = PackedWeights(axes, item, item * prod(self.whole[axis] for axis in axes))
        scalars = PixelOperand(view.inputs[1 - c.vector_operand], is_weight=False)
        others = [PixelOperand(a, is_weight=False) for a in view.post if a.indices is not None]
        results = [PixelOperand(a, is_weight=False) for a in view.outputs]
        return OperandTraffic((scalars, packed, *others, *results), self.whole)

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
            model, sections, widths, c.steps, passes.count - 1, self.epilogue
        )
        leaf: dict[str, float] = dict.fromkeys(whole, 1.0)
        leaf |= {axis: float(whole[axis]) for axis in c.view.reduced_axes()}
        if self.sum_axis:
            leaf[self.sum_axis] = float(passes.size * self.block)
        tile_count = sum(count for count, _ in counts)
        leaf[self.column] = whole[self.column] / tile_count
        leaf[c.vector_axis] = float(min(width, c.columns))
        loops = self._loops(point, passes, [count for count, _ in counts])
        near, found = self.nest.traffics(loops, leaf, (model.l1_room, model.l2_room))
        far = [
            FarTraffic(
                moved,
                operand.touched(whole, whole),
                reuse,
                operand.is_weight,
                operand.bytes <= model.kept_bytes,
            )
            for operand, moved, reuse in found
        ]
        moved = sum(moved for _, moved, _ in near)
        tasks = self._tasks(point, panels + (rest > 0))
        spreads = point.spread_prefetch
        return model.total(compute, tiles, moved, far, tasks, spreads=spreads, threads=threads)

    def _passes_of(self, point: ConvolutionPoint) -> PassSizes:
        if not in_passes(self.c, point):
            return PassSizes(self.blocks, 1, self.blocks)
        count = ceil(self.blocks / point.k_block)
        return PassSizes(point.k_block, count, self.blocks - (count - 1) * point.k_block)

    def _group(self, point: ConvolutionPoint) -> int:
        """Return the output rows of a block, at most."""
        height = self.whole[self.row]
        return even_part(height, point.row_group) if 0 < point.row_group < height else height

    def _tasks(self, point: ConvolutionPoint, panels: int) -> int:
        tasks = prod(self.whole[axis] for axis in self.outer)
        groups = ceil(self.whole[self.row] / self._group(point))
        if point.rows_outermost:
            return tasks * groups * (panels if point.both_parallel else 1)
        return tasks * panels * (groups if point.both_parallel else 1)

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
