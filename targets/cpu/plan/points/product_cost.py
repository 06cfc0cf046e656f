"""The modelled time of a point of a matrix product, without a schedule: its loops as plain numbers.

In: a contraction that cpu-plan writes as a matrix product, and points.  Out: for each point the
cost that `kernel_cost` returns for the scheduled kernel, up to a few per cent, in a hundredth of
the time.  What depends on no point is computed once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, prod
from typing import Any, Protocol

from .....analysis.patterns.sharing import element_bytes
from .....analysis.strides import axis_stride, lane_stride
from .....dialects.shape import likely
from .....dialects.te import ComputeOp, KernelOp
from ...cost.cycles import (
    LINE_BYTES,
    READ_AGAIN,
    ROW_CYCLES,
    CacheSize,
    CycleModel,
    FarTraffic,
    crowding,
    cycle_model,
)
from ...cost.parts import KernelCost
from ..contraction import TiledContraction
from ..epilogue import operations_of
from ..tiles import RegisterTile, even_sections
from .choice import Choice
from .product import (
    ProductPoint,
    in_blocks,
    pass_size,
    splits_k,
)

COPY_ROWS = 4
"""Rows of a tile that copies contiguous columns, as plan_product writes it."""


class CostedOperand(Protocol):
    """An operand of a contraction, as a model of its bytes.

    axes: the axes of the contraction that select an element.  bytes: its size.  is_weight: whether
    it is constant.
    """

    @property
    def axes(self) -> Collection[str]: ...
    @property
    def bytes(self) -> int: ...
    @property
    def is_weight(self) -> bool: ...

    def filled(self, size: float, extents: Mapping[str, float], way: int) -> float:
        """Return the bytes of a cache that a part fills: more than its own if rows share sets.

        size: the bytes of the part.  extents: the extent of the part along each axis.  way: the
        bytes of one way of the cache.
        """
        ...

    def touched(self, extents: Mapping[str, float], whole: Mapping[str, int]) -> float:
        """Return the bytes that a part of the contraction touches, in whole cache lines.

        extents: the extent of the part along each axis.  whole: the extents of all axes.
        """
        ...


@dataclass(frozen=True)
class StoredOperand:
    """An operand of a product, whose rows are contiguous in memory.

    Axes of the product are letters.  rows: the axes that select a row.  columns: the axes that
    select an element of a row.  item: the bytes of an element.  bytes: the size of the operand.
    is_weight: whether the operand is constant.  pitch: the bytes from a row to the next one; 0 for
    a packed operand.
    """

    rows: str
    columns: str
    item: int
    bytes: int
    is_weight: bool = False
    pitch: int = 0

    @property
    def axes(self) -> str:
        """The axes that select an element."""
        return self.rows + self.columns

    def filled(self, size: float, extents: Mapping[str, float], way: int) -> float:
        """Return the bytes of a cache that a part of the operand fills; see `CostedOperand`."""
        if not self.pitch:
            return size
        rows, row = 1.0, float(self.item)
        for axis in self.rows:
            rows *= extents[axis]
        for axis in self.columns:
            row *= extents[axis]
        return size * crowding(rows, row, self.pitch, way)

    def touched(self, extents: Mapping[str, float], whole: Mapping[str, int]) -> float:
        """Return the bytes of the operand that a part of the product touches, in whole cache lines.

        extents: the extent of the part along each axis.  whole: the extent of the whole product
        along each axis.
        """
        rows, row, is_whole = 1.0, float(self.item), True
        for axis in self.columns:
            row *= extents[axis]
            is_whole = is_whole and extents[axis] >= whole[axis]
        for axis in self.rows:
            rows *= extents[axis]
        return max(rows * row, LINE_BYTES) if is_whole else rows * max(row, LINE_BYTES)


@dataclass(frozen=True)
class AxisLoop:
    """Consecutive loops along one axis, such as those over tiles of two heights.

    trips: the iterations of all loops.  parts: the number of loops.
    """

    axis: str
    trips: float
    parts: int = 1


@dataclass(frozen=True)
class PassSizes:
    """The passes into which a sum is divided.

    size: the steps of each pass but the last.  count: the number of passes.  last: the steps of the
    last pass.
    """

    size: int
    count: int
    last: int


@dataclass(frozen=True)
class OperandTraffic:
    """The operands of a product, and a model of the bytes that move into a cache.

    operands: the operands and the result.  whole: the extents of the product, by axis.  source: the
    original of the second operand, if loops copy it to packed panels; None without copies.
    """

    operands: tuple[CostedOperand, ...]
    whole: Mapping[str, int]
    source: StoredOperand | None = None

    def traffic(
        self, loops: Sequence[AxisLoop], leaf: Mapping[str, float], caches: Sequence[CacheSize]
    ) -> list[list[tuple[CostedOperand, float, float]]]:
        """Return tuples (operand, bytes that move into a cache, reads of each byte there).

        A cache keeps the operands during the outermost loop whose body fits it.  Each iteration of
        a loop outside that one moves the operands again.  loops: the loops around a register tile,
        the outermost first.  leaf: the extents of a register tile, by axis.  caches: the caches,
        each of which holds what the one before it holds; there is a list of tuples for each.
        """
        extents, operands, whole = dict(leaf), self.operands, self.whole
        copying = next((n for n, loop in enumerate(loops) if loop.axis == "N"), -1)
        moved = [operand.touched(extents, whole) for operand in operands]
        reuse, at = [1.0] * len(operands), len(loops)
        found: list[list[tuple[CostedOperand, float, float]]] = []
        for cache in caches:
            while at and self._fits(cache, moved, extents, at <= copying + 1):
                at -= 1
                axis, trips = loops[at].axis, loops[at].trips
                extents[axis] *= trips
                for number, operand in enumerate(operands):
                    if axis in operand.axes:
                        moved[number] = operand.touched(extents, whole)
                    else:
                        reuse[number] *= trips
            found.append(self._moves(loops, at, moved, reuse, copying))
        return found

    def _moves(
        self,
        loops: Sequence[AxisLoop],
        at: int,
        moved: Sequence[float],
        reuse: Sequence[float],
        copying: int,
    ) -> list[tuple[CostedOperand, float, float]]:
        """Return the traffic of a cache, as `traffic` does.

        at: the index of the outermost loop whose body fits the cache.  moved, reuse: the bytes of
        each operand that this loop touches, and how often it reads them.  copying: the index of the
        loop whose iterations copy a group of panels; -1 without copies.
        """
        outer = prod([loop.trips for loop in loops[:at]])
        parts, axis = (loops[at].parts, loops[at].axis) if at < len(loops) else (1, "")
        found = [
            (o, size * outer * (1 if axis in o.axes else parts), often)
            for size, often, o in zip(moved, reuse, self.operands, strict=True)
        ]
        return found if self.source is None else self._with_source(found, loops, at, copying)

    def _fits(
        self,
        cache: CacheSize,
        sizes: Sequence[float],
        extents: Mapping[str, float],
        is_copied: bool,
    ) -> bool:
        """Return whether a part of the product fits a cache.

        sizes: the bytes of each operand in the part.
        """
        filled = self._read(extents, is_copied)
        if filled + sum(sizes) > cache.room:
            return False
        for size, operand in zip(sizes, self.operands, strict=True):
            filled += operand.filled(size, extents, cache.way)
        return filled <= cache.room

    def _read(self, extents: Mapping[str, float], is_copied: bool) -> float:
        if self.source is None or not is_copied:
            return 0.0
        copied = {**extents, "n": self.whole["n"], "k": self.whole["k"]}
        return self.source.touched(copied, self.whole)

    def _with_source(
        self,
        found: list[tuple[CostedOperand, float, float]],
        loops: Sequence[AxisLoop],
        at: int,
        copying: int,
    ) -> list[tuple[CostedOperand, float, float]]:
        """Add to the traffic the bytes that the copies of panels read and write.

        found: the traffic without copies, as `traffic` returns it.  loops: the loops around a
        register tile.  at: the index of the outermost loop whose body fits the cache.  copying: the
        index of the loop whose iterations copy a group of panels.
        """
        assert self.source is not None, "the vector operand is copied"
        first, (copy, moved, reuse), *last = found
        if at > copying:
            moved += copy.bytes * prod(loop.trips for loop in loops[: copying + 1])
        read = max(LINE_BYTES, self.source.bytes)
        return [first, (copy, moved, reuse), *last, (self.source, read, 1.0)]


class ProductCosts:
    """The costs of the points of one matrix product.

    A point is the set of numbers that describes a schedule (plan/points/product.py).  Letters stand
    for the axes: b batch, m rows, n columns, k sums.  c: the product as a contraction.
    """

    def __init__(self, c: TiledContraction) -> None:
        self.c, self.model = c, cycle_model(c.target)
        self._passes: dict[tuple[int, bool, int], PassSizes] = {}
        self._busy_of: dict[tuple[RegisterTile, int, int, bool], tuple[float, float]] = {}

    @cached_property
    def whole(self) -> Mapping[str, int]:
        """The extents of the product's axes b, m, n and k."""
        c = self.c
        batch = prod(likely(c.view.axes[axis]) for axis in c.batch)
        return {"b": batch, "m": c.row_count, "n": c.columns, "k": c.steps}

    @cached_property
    def operands(self) -> tuple[StoredOperand, StoredOperand, StoredOperand]:
        """The scalar operand, the vector operand and the result."""
        c = self.c
        b, m, n, k = self.whole.values()
        vectors, scalars = (c.view.inputs[i] for i in (c.vector_operand, 1 - c.vector_operand))
        has_batch = [any(axis in a.axes() for axis in c.batch) for a in (scalars, vectors)]
        x = "bm" if has_batch[0] else "m", "k"
        if c.rows and axis_stride(scalars, c.rows[-1]) == 1:
            x = "bk" if has_batch[0] else "k", "m"
        w = ("b" if has_batch[1] else "") + ("" if c.packs else "k"), "kn" if c.packs else "n"
        each = b if has_batch[0] else 1, b if has_batch[1] else 1
        # A step reads the bytes of its terms.
        read, item = c.terms * element_bytes(scalars.type), c.step_bytes
        stored = element_bytes(c.view.outputs[0].type)
        return (
            StoredOperand(*x, read, each[0] * m * k * read, pitch=self.pitch or m * read),
            StoredOperand(*w, item, each[1] * k * n * item, c.packs, 0 if c.packs else n * item),
            StoredOperand("bm", "n", stored, b * m * n * stored, pitch=n * stored),
        )

    @cached_property
    def pitch(self) -> int:
        """The bytes from a row of the scalar operand to the next one; 0 if rows are adjacent."""
        c = self.c
        scalars = c.view.inputs[1 - c.vector_operand]
        stride = axis_stride(scalars, c.rows[-1]) if c.rows else 0
        return 0 if stride == 1 else (stride or 0) * element_bytes(scalars.type)

    @cached_property
    def epilogue(self) -> int:
        """The instructions of the epilogue for a vector of results."""
        then = self.c.view.then
        return operations_of(then, self.c.target) if then.blocks else 0

    @cached_property
    def rows(self) -> int:
        """The extent of the axis of rows along which register tiles run."""
        return self.c.likely_extent(self.c.rows[-1]) if self.c.rows else 1

    def cost(self, point: ProductPoint, threads: int = 1) -> KernelCost | None:
        """Return the cost of a point; None for points that this class does not model.

        Not modelled: points with the epilogue in a loop of its own.  Symbolic extents count as the
        likely ones.
        """
        if point.epilogue != "leaf":
            return None
        passes, m, model = self._passes_of(point), self.whole["m"], self.model
        width, block = point.tile.vectors * self.c.lanes, self._block(point)
        compute, tiles = self._busy(point.tile, block, passes.count, point.copy)
        nest, far = self._nest(point, width), dict[CostedOperand, FarTraffic]()
        near = scalars = 0.0
        for blocks, rows in ((m // block, block), (1, m % block)):
            if blocks and rows:
                moved, rest = self._add_traffic(far, nest, point, passes, blocks, rows)
                near, scalars = near + moved, scalars + rest
        tasks, rate = self._tasks(point, passes, block), 0.0
        step, weights = width * self.c.step_bytes, far.get(self.operands[1])
        if weights and weights.reuse > 1 and not (point.spread or point.prefetch):
            # Other tiles of the same panel interrupt the stream of weights.
            far[self.operands[1]] = replace(weights, burst=passes.size * step)
        if not point.spread and scalars > READ_AGAIN * self.operands[0].bytes:
            rate = model.weights_rate(point.tile.rows, point.tile.vectors, step, point.prefetch)
        return model.total(
            compute, tiles, near, far.values(), tasks, spreads=point.spread, threads=threads,
            weights_rate=rate,
        )  # fmt: skip

    def least_cycles(self, point: ProductPoint) -> float:
        """Return a lower bound of the cycles of a point: those of its register tiles."""
        count = self._passes_of(point).count
        return sum(self._busy(point.tile, self._block(point), count, point.copy))

    def _block(self, point: ProductPoint) -> int:
        """Return the rows of a block."""
        m = self.whole["m"]
        return m if point.copy else min(m, point.row_tiles * point.tile.rows) or m

    def _busy(self, tile: RegisterTile, block: int, passes: int, copy: int) -> tuple[float, float]:
        """Return the cycles of all register tiles: of their steps, and of their starts and stores.

        block: the rows of a block.  passes: the passes over the sum.  copy: the panels that are
        copied together.
        """
        key = tile, block, passes, copy > 0
        if key not in self._busy_of:
            whole, lanes = self.whole, self.c.lanes
            panels, rest = divmod(whole["n"], tile.vectors * lanes)
            widths = [(panels, tile.vectors)] * bool(panels)
            widths += [(1, ceil(rest / lanes))] * bool(rest)
            groups = whole["m"] // self.rows if block >= self.rows else 1
            height = self.rows if groups > 1 else whole["m"]
            each = [
                (whole["b"] * groups * count, rows)
                for count, rows in _row_sections(height, min(block, height), tile.rows)
            ]
            instruction = self.c.instruction
            compute, tiles = tile_cycles(
                self.model, each, widths, whole["k"], passes - 1, self.epilogue, self.pitch,
                self.c.together, instruction.cycles.value.data if instruction else 1.0,
            )  # fmt: skip
            if copy:
                more, starts = self._copying(tile.vectors * lanes)
                compute, tiles = compute + more, tiles + starts
            self._busy_of[key] = compute, tiles
        return self._busy_of[key]

    def _add_traffic(
        self,
        far: dict[CostedOperand, FarTraffic],
        nest: OperandTraffic,
        point: ProductPoint,
        passes: PassSizes,
        blocks: int,
        block: int,
    ) -> tuple[float, float]:
        """Add the traffic from beyond L2 of some blocks of rows; return their bytes from L2.

        The second number is the part of the scalar operand.  far: the traffic by operand.
        """
        model, whole = self.model, self.whole
        height = block / sum(count for count, _ in even_sections(block, point.tile.rows))
        width = min(point.tile.vectors * self.c.lanes, whole["n"])
        loops = self._loops(point, passes, blocks, block, height)
        leaf = {"b": 1.0, "N": 1.0, "m": height, "n": float(width), "k": float(passes.size)}
        near, moves = nest.traffic(loops, leaf, model.caches)
        for operand, moved, reuse in moves:
            before = far.get(operand)
            far[operand] = FarTraffic(
                moved + (before.moved if before else 0.0),
                max(LINE_BYTES, operand.bytes),
                max(reuse, before.reuse if before else 0.0),
                operand.is_weight,
                operand.bytes <= model.kept_bytes,
            )
        return sum(moved for _, moved, _ in near), near[0][1]

    def _tasks(self, point: ProductPoint, passes: PassSizes, block: int) -> int:
        """Return the tasks: the iterations of the parallel loops, and smaller last blocks.

        passes: the passes over the sum.  block: the rows of a block.
        """
        b, m, n, _ = self.whole.values()
        in_blocks = point.row_tiles > 0 and not point.copy
        panels, rest = divmod(n, point.tile.vectors * self.c.lanes)
        groups = panels // (point.copy or point.group) + (rest > 0)
        if not self.c.batch and not in_blocks:
            return groups if point.panel_tasks else 1
        is_alone = passes.count == 1 or not in_blocks
        return b * ceil(m / block) * (groups if point.panel_tasks and is_alone else 1)

    def _loops(
        self, point: ProductPoint, passes: PassSizes, blocks: int, block: int, height: float
    ) -> list[AxisLoop]:
        """Return the loops around a register tile as plan_product writes them, outermost first.

        passes: the passes over the sum.  blocks, block: the blocks of rows, and the rows of each.
        height: the average height of the register tiles in a block.
        """
        whole, width = self.whole, point.tile.vectors * self.c.lanes
        b, panels = whole["b"], whole["n"] // width
        together = point.copy or point.group
        outer = [AxisLoop("b", b)] if b > 1 else []
        turns, parts = whole["n"] / width / together, 1 + (panels > 0 and whole["n"] % width > 0)
        axis = "N" if point.copy else "n"
        columns = AxisLoop(axis, turns, parts)
        inside = AxisLoop("n", together)
        sums = AxisLoop("k", whole["k"] / passes.size, min(3, passes.count))
        rows = AxisLoop("m", block / height, len(even_sections(block, point.tile.rows)))
        if point.copy:
            order = [sums, rows, inside] if point.row_tiles else [inside, sums, rows]
            return [*outer, columns, *order]
        if point.row_tiles:
            return [*outer, AxisLoop("m", blocks), sums, columns, rows]
        if point.group > 1:
            return [*outer, columns, sums, inside, rows]
        return [*outer, columns, sums, rows]

    @cached_property
    def _without_copies(self) -> OperandTraffic:
        return OperandTraffic(self.operands, self.whole)

    def _nest(self, point: ProductPoint, width: int) -> OperandTraffic:
        if not point.copy:
            return self._without_copies
        x, w, y = self.operands
        group = min(point.copy * width, self.whole["n"])
        whole = {**self.whole, "n": group, "N": -(-self.whole["n"] // group)}
        copy = StoredOperand("", "kn", w.item, self.whole["k"] * group * w.item)
        result = replace(y, columns="Nn")
        return OperandTraffic((x, copy, result), whole, replace(w, columns="Nn"))

    def _copying(self, width: int) -> tuple[float, float]:
        """Return the cycles of the steps, and of the starts, of all tiles that copy panels.

        width: the columns of a panel.
        """
        c, model, (b, _, n, k) = self.c, self.model, self.whole.values()
        vectors = b * k * ceil(n / c.lanes)
        each = max(1 / model.fma_ports, 1 / model.loads, 1 / model.stores)
        access = c.view.inputs[c.vector_operand]
        if lane_stride(c.view, access, c.vector_axis, c.lanes) == 1:
            tiles = b * ceil(k / COPY_ROWS) * ceil(n / width)
        else:
            tiles = b * ceil(k / c.lanes) * ceil(n / c.lanes)
        return vectors * each, tiles * ROW_CYCLES

    def _passes_of(self, point: ProductPoint) -> PassSizes:
        key = point.k_block, point.spread, point.unroll
        if key not in self._passes:
            c, steps = in_blocks(self.c, point), self.whole["k"]
            size = steps
            if splits_k(c, point):
                size = pass_size(c, point) * prod(c.extent(a) for a in c.reduced[1:]) // c.terms
            count = ceil(steps / size)
            self._passes[key] = PassSizes(size, count, steps - (count - 1) * size)
        return self._passes[key]


def tile_cycles(
    model: CycleModel,
    sections: Sequence[tuple[int, int]],
    widths: Sequence[tuple[int, int]],
    steps: int,
    more: int,
    epilogue: int,
    pitch_bytes: int,
    together: int = 1,
    cycles: float = 1.0,
) -> tuple[float, float]:
    """Return the cycles of all register tiles: of their steps, and of their starts and stores.

    sections: pairs (number of tiles along the rows, rows of each).  widths: pairs (number of
    panels, vectors of columns of each).  steps: the steps of a sum.  more: the passes over a sum
    after the first one.  epilogue: the instructions of the epilogue for a vector of results.
    pitch_bytes, together, cycles: as for `CycleModel.step`.
    """
    compute = tiles = 0.0
    for count, rows in sections:
        for panels, vectors in widths:
            number = count * panels
            last = model.tile(rows, vectors, epilogue, starts=not more)
            if more:
                last += model.tile(rows, vectors, 0, starts=True)
                last += (more - 1) * model.tile(rows, vectors, 0, starts=False)
            step = model.step(rows, vectors, pitch_bytes, together, cycles)
            compute += number * steps * step
            tiles += number * last
    return compute, tiles


def _row_sections(m: int, block: int, most: int) -> list[tuple[int, int]]:
    """Return pairs (number of register tiles, rows of each) for all rows.

    m: the rows.  block: the rows of each block but the last.  most: the rows of a register tile.
    """
    found = [(m // block * count, rows) for count, rows in even_sections(block, most)]
    return found + (even_sections(m % block, most) if m % block else [])


def product_costs(kernel: KernelOp, choices: Sequence[Choice[Any]]) -> ProductCosts | None:
    """Return the cost model for a kernel that is one matrix product; None for any other kernel.

    choices: the choices that cpu-plan makes for the kernel, by which the model finds the product.
    """
    if len(choices) != 1 or not isinstance(choices[0].default, ProductPoint):
        return None
    subject = choices[0].subject
    if not is_alone(kernel) or not isinstance(subject, TiledContraction):
        return None
    return ProductCosts(subject)


def is_alone(kernel: KernelOp) -> bool:
    """Return whether one compute of a kernel takes its time.

    All others only fill, such as the border of a result that the next kernel reads beyond its end.
    """
    computes = (op for op in kernel.body.walk() if isinstance(op, ComputeOp))
    return sum(bool(op.ins) for op in computes) == 1
