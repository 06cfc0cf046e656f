"""Points of dot products: sums over a window's products whose vectors run along the sum.

    te.compute @conv [n: 3, o: 64, h: 3, w: 3, i: 8 red, r: 32 red, s: 32 red]
        ins(%x[n, i, h + r, w + s], %g[i, o, r, s]) outs(%y[o, n, h, w] add 0.0 ..)

The weight gradient of a convolution is such a sum: the results along each axis are few, and rows of
both operands are contiguous along the sum (s).  A register tile of o x w results loads a vector of
each of its rows of both operands, and has one accumulator per result, whose lanes are added at the
end.  In: the view of a compute, and a target.  Out: the operands and axes of the dot products, the
points of their schedule, and the modelled cycles of a point.  cheapest_dots.py chooses a point.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import ceil, prod

from .....analysis.patterns.contraction import contraction_of, slides
from .....analysis.patterns.sharing import element_bytes, lane_bits
from .....analysis.strides import lane_stride
from .....dialects.shape import Dim
from .....dialects.te import Access, ComputeView
from .....dialects.te.verifier import stores_accumulator
from .....machines.target import Target
from .....support.affine import Index, constant
from ...cost.cycles import FarTraffic, cycle_model
from ...cost.footprint import loaded_vectors
from ...cost.parts import KernelCost
from ..pointwise import LEAST_LANES, widths_from
from ..tiles import RegisterTile, even_part, even_sections
from .convolution_cost import PixelOperand
from .product_cost import AxisLoop, OperandTraffic


@dataclass(frozen=True)
class DotPoint:
    """The numbers of the schedule of dot products.

    tile: the register tile, of results along the axes ``rows`` and ``columns`` of `DotProducts`.
    lanes: the lanes of a vector.
    k_block: the rows of a sum that one pass over the results adds (0: all).
    row_group: the results of a task along the axis ``rows`` (0: all).
    passes_outermost: whether a pass covers all results of a task before the next pass.
    """

    tile: RegisterTile
    lanes: int
    k_block: int = 0
    row_group: int = 0
    passes_outermost: bool = False


@dataclass(frozen=True)
class DotProducts:
    """A sum of products over a window, whose operands are contiguous along a reduction axis.

    view: the compute.  image: the number of the operand over which the window slides.
    axis: the reduction axis along which vectors run, and ``stride`` its coefficient in the index of
    the image.
    rows, columns: the parallel axes of a register tile; "" for one without such an axis.
    batch: the parallel axes without a window along which the image changes.
    others: the other parallel axes.
    sums: the other reduction axes, outermost first.
    """

    view: ComputeView
    target: Target
    image: int
    axis: str
    stride: int
    rows: str
    columns: str
    batch: tuple[str, ...]
    others: tuple[str, ...]
    sums: tuple[str, ...]

    def extent(self, axis: str) -> int:
        """Return the extent of an axis; 1 for ""."""
        return self.view.extents[axis] if axis else 1

    @property
    def sum_rows(self) -> int:
        """The rows of a sum: its terms, divided by the extent of the vector axis."""
        return prod(map(self.extent, self.sums))

    @cached_property
    def item(self) -> int:
        """The bytes of an element."""
        return element_bytes(self.view.inputs[0].type)

    @cached_property
    def lanes(self) -> list[int]:
        """The numbers of lanes that vectors may have, the largest first."""
        return widths_from(self.target.lanes(lane_bits(self.view.accesses())))

    @cached_property
    def tiles(self) -> list[RegisterTile]:
        """The register tiles that fit in the registers."""
        pairs = (
            (even_part(self.extent(self.rows), n), even_part(self.extent(self.columns), m))
            for n in range(1, min(self.extent(self.rows), self.target.registers) + 1)
            for m in range(1, min(self.extent(self.columns), self.target.registers) + 1)
        )
        fitting = [RegisterTile(*pair) for pair in dict.fromkeys(pairs) if self._fits(*pair)]
        return fitting or [RegisterTile(1, 1)]

    def _fits(self, rows: int, columns: int) -> bool:
        """Return whether a tile's accumulators, and vectors that it uses again, fit in registers.

        A vector that a single result uses is an operand in memory.
        """
        results, tile = rows * columns, {self.rows: rows, self.columns: columns}
        loads = [loaded_vectors([access], tile) for access in self.view.inputs]
        kept = results + sum(count for count in loads if count < results)
        return kept * self.target.registers_per_vector + 1 <= self.target.registers

    def pass_sizes(self, point: DotPoint) -> dict[str, int]:
        """Return the size of a pass along each reduction axis that is divided into passes.

        A pass covers whole inner axes as far as ``k_block`` rows contain them.
        """
        rows, sizes = point.k_block or self.sum_rows, dict[str, int]()
        for axis in reversed(self.sums):
            size = min(rows, self.extent(axis))
            if size < self.extent(axis):
                sizes = {axis: size} | sizes
            rows = max(1, rows // size)
        return sizes


def find_dot_products(view: ComputeView, target: Target) -> DotProducts | None:
    """Return the operands and axes of a compute as dot products; None for any other compute."""
    found = contraction_of(view)
    if found is None or not found.multiplies_floats() or target.fixed_sums:
        return None
    if any(isinstance(extent, Dim) for extent in view.axes.values()):
        return None
    if any(access.pad is not None or access.indices is None for access in view.accesses()):
        return None
    images = [n for n, access in enumerate(view.inputs) if slides(view, access)]
    sums = [a for a in view.reduced_axes() if view.axes[a] != 1]
    if len(images) != 1 or not sums or not stores_accumulator(view.outputs[0]):
        return None
    image, other, axis = view.inputs[images[0]], view.inputs[1 - images[0]], sums[-1]
    stride = _stride(image, axis)
    if not stride or view.extents[axis] < LEAST_LANES or _row_stride(view, other, axis) != 1:
        return None
    own = {a for e in (image.indices or ())[-1:] for a in e.terms}
    free = [a for a in view.parallel_axes() if view.axes[a] != 1]
    sliding = [a for a in free if any(_overlaps(view, e, a) for e in image.indices or ())]
    columns = next((a for a in reversed(sliding) if a in own), "")
    shared = [a for a in free if a in found.only_of(1 - images[0])]
    rest = shared or [a for a in sliding if a != columns]
    rows = max(rest, key=view.extents.__getitem__, default="")
    batch = tuple(a for a in free if a in image.axes() and a not in {*sliding, rows})
    others = tuple(a for a in free if a not in {*batch, rows, columns})
    return DotProducts(
        view, target, images[0], axis, stride, rows, columns, batch, others, tuple(sums[:-1])
    )


def _overlaps(view: ComputeView, index: Index, axis: str) -> bool:
    """Return whether a window slides along a parallel axis: its positions at neighbors overlap."""
    step = abs(index.coefficient(axis))
    reach = (abs(index.coefficient(a)) * view.extents[a] for a in view.reduced_axes())
    return 0 < step < max(reach, default=0)


def _stride(image: Access, axis: str) -> int:
    """Return the distance of the elements of an image along an axis; 0 if they form no row."""
    *outer, last = image.indices or [constant(0)]
    atoms = [atom for atom in last.atoms() if axis in set(atom.operand.variables())]
    if atoms or any(axis in set(index.variables()) for index in outer):
        return 0
    return max(0, last.coefficient(axis))


def _row_stride(view: ComputeView, access: Access, axis: str) -> int | None:
    return lane_stride(view, access, axis, view.extents[axis])


class DotCosts:
    """The costs of the points of dot products."""

    def __init__(self, dots: DotProducts) -> None:
        self.dots, self.view = dots, dots.view
        self.whole: Mapping[str, int] = {**dots.view.extents, "": 1}
        cycles = cache(self._cycles_of)
        self._busy = lambda point: cycles(replace(point, passes_outermost=False))

    @cached_property
    def nest(self) -> OperandTraffic:
        """The operands, those of the epilogue, and the result."""
        view = self.view
        accesses = [*view.inputs, *view.post, *view.outputs]
        found = (PixelOperand(a, self.whole, is_weight=False) for a in accesses)
        return OperandTraffic(tuple(found), self.whole)

    def cost(self, point: DotPoint, threads: int = 1) -> KernelCost:
        """Return the cost of a point."""
        dots, model = self.dots, cycle_model(self.dots.target)
        compute, tiles = self._busy(point)
        leaf = dict.fromkeys(self.whole, 1.0) | {dots.axis: float(self.whole[dots.axis])}
        sizes = dots.pass_sizes(point)
        leaf |= {axis: float(sizes.get(axis, dots.extent(axis))) for axis in dots.sums}
        rows = min(point.tile.rows, point.row_group or point.tile.rows)
        leaf |= {dots.rows: float(rows), dots.columns: float(point.tile.vectors)}
        loops = self._loops(point, sizes)
        near, moves = self.nest.traffic(loops, leaf, model.caches)
        far = [
            FarTraffic(
                moved,
                o.touched(self.whole, self.whole),
                reuse,
                is_weight=False,
                is_near=o.bytes <= model.kept_bytes,
            )
            for o, moved, reuse in moves
        ]
        moved, tasks = sum(moved for _, moved, _ in near), self._tasks(point)
        return model.total(compute, tiles, moved, far, tasks, spreads=False, threads=threads)

    def least_cycles(self, point: DotPoint) -> float:
        """Return a lower bound of the cycles of a point: those of its register tiles."""
        return sum(self._busy(point))

    def _cycles_of(self, point: DotPoint) -> tuple[float, float]:
        """Return the cycles of all steps, and of all starts and sums over lanes.

        The order of passes does not matter.
        """
        dots, target, lanes, tile = self.dots, self.dots.target, point.lanes, point.tile
        model = cycle_model(target.for_vectors(lanes * dots.item * 8))
        passes = prod(ceil(dots.extent(a) / n) for a, n in dots.pass_sizes(point).items())
        vectors = ceil(dots.extent(dots.axis) / lanes)
        group = point.row_group or dots.extent(dots.rows)
        around = prod(map(dots.extent, (*dots.batch, *dots.others)))
        around *= dots.extent(dots.rows) / group
        compute = tiles = 0.0
        for row_tiles, rows in even_sections(group, tile.rows):
            for column_tiles, columns in even_sections(dots.extent(dots.columns), tile.vectors):
                number, results = row_tiles * column_tiles * around, rows * columns
                loads = loaded_vectors(self.view.inputs, {dots.rows: rows, dots.columns: columns})
                step = model.lanes_step(results, loads, lanes * dots.item)
                compute += number * step * dots.sum_rows * vectors
                tiles += number * passes * model.lanes_tile(results)
        return compute, tiles + self._copied * model.numbers.copy_cycles

    @cached_property
    def _copied(self) -> float:
        """The elements of the image that are copied, so that strided elements are adjacent."""
        return prod(self.view.inputs[self.dots.image].shape) if self.dots.stride > 1 else 0.0

    def _tasks(self, point: DotPoint) -> int:
        dots = self.dots
        groups = ceil(dots.extent(dots.rows) / (point.row_group or dots.extent(dots.rows)))
        inside = 1 if point.passes_outermost else prod(map(dots.extent, dots.others))
        return prod(map(dots.extent, dots.batch)) * groups * inside

    def _loops(self, point: DotPoint, sizes: Mapping[str, int]) -> list[AxisLoop]:
        """Return the loops around a register tile as the schedule has them, outermost first."""
        dots = self.dots
        group = point.row_group or dots.extent(dots.rows)

        def loop(axis: str, whole: int, size: int) -> AxisLoop:
            return AxisLoop(axis, whole / size)

        passes = [loop(axis, dots.extent(axis), n) for axis, n in sizes.items()]
        others = [loop(axis, dots.extent(axis), 1) for axis in dots.others]
        return [
            *(loop(axis, dots.extent(axis), 1) for axis in dots.batch),
            loop(dots.rows, dots.extent(dots.rows), group),
            *((*passes, *others) if point.passes_outermost else (*others, *passes)),
            loop(dots.rows, group, min(group, point.tile.rows)),
            loop(dots.columns, dots.extent(dots.columns), point.tile.vectors),
        ]
