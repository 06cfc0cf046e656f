"""Schedules of contractions: matrix products and direct convolutions, as rules R1-R14.

A contraction multiplies a vector operand (indexed by the vector axis, which is contiguous in the
output) with scalar operands (not indexed by it) and sums.  Its register tile is rows x vectors:
rows run along the innermost parallel axis that only scalar operands have.  With one such axis it is
planned as a matrix product, with two or more as a convolution over (height, width).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, prod

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ....analysis.sharing import element_bytes
from ....analysis.strides import divisors_of_axis, lane_stride
from ....dialects.te import Access, ComputeView
from ....support.affine import variable
from ....support.target import Target
from .script import Script
from .tiles import RegisterTile, choose_register_tile, divisor_at_most, even_part

MAX_FIRST_LAYER_STEPS = 32
"""R15: with at most this many reduction steps all taps are unrolled."""

MAX_STREAMS = 16
"""R9: the hardware prefetcher follows this many channel blocks of one loop."""


@dataclass(frozen=True)
class Contraction:
    """What the rules need to know about one contraction.

    rows: axes that only scalar operands have, outermost first.  batch: axes of both.
    vector_operand: position in view.inputs.  packs: it is a weight and gets its own layout.
    reduced: reduction axes after splitting blocks, in loop order.  splits: axis to (outer, block).
    """

    view: ComputeView
    target: Target
    lanes: int
    vector_axis: str
    vector_operand: int
    packs: bool
    rows: tuple[str, ...]
    batch: tuple[str, ...]
    reduced: tuple[str, ...]
    splits: dict[str, int]

    @property
    def columns(self) -> int:
        """Extent of the vector axis."""
        return self.view.axes[self.vector_axis]

    @property
    def group(self) -> int:
        """Columns that read the same scalars: all, or those of one group of a convolution."""
        return min(self._scalar_groups(), default=self.columns)

    def _scalar_groups(self) -> set[int]:
        scalars = self.view.inputs[1 - self.vector_operand]
        return {
            atom.divisor
            for index in scalars.indices or ()
            for atom in index.atoms()
            if self.vector_axis in set(atom.operand.variables())
        }

    def extent(self, axis: str) -> int:
        """Extent of an axis, of an outer or inner part of a split one too."""
        if axis in self.view.axes:
            return self.view.axes[axis]
        base = axis[:-1]
        block = self.splits[base]
        return self.view.axes[base] // block if axis.endswith("o") else block

    @property
    def element_bytes(self) -> int:
        """Bytes of one element of the vector operand."""
        return element_bytes(self.view.inputs[self.vector_operand].type)


def analyse(
    view: ComputeView, constants: set[SSAValue], target: Target, lanes: int
) -> Contraction | None:
    """Return the contraction's parts, or None if it has no register tile of this kind."""
    out = view.outputs[0]
    data = [a for a in view.inputs if not a.is_index]
    if len(view.outputs) != 1 or len(data) != 2 or len(view.inputs) != 2:
        return None
    for axis in reversed(view.parallel_axes()):
        if view.axes[axis] < 2 or lane_stride(view, out, axis, lanes) != 1:
            continue
        for position, access in enumerate(data):
            found = _with_operand(view, axis, position, access, constants, target, lanes)
            if found is not None:
                return found
    return None


def _with_operand(
    view: ComputeView,
    axis: str,
    position: int,
    access: Access,
    constants: set[SSAValue],
    target: Target,
    lanes: int,
) -> Contraction | None:
    other = view.inputs[1 - position]
    if axis not in access.axes() or access.pad is not None:
        return None
    if axis in other.axes() and lane_stride(view, other, axis, lanes) != 0:
        return None
    packs = access.value in constants and _is_plain(access)
    big = [a for a in view.parallel_axes() if view.axes[a] > 1 and a != axis]
    rows = tuple(a for a in big if a in other.axes() and a not in access.axes())
    batch = tuple(a for a in big if a not in rows)
    if not rows and _is_window(view, access):
        return None
    splits: dict[str, int] = {}
    reduced: list[str] = []
    inner: list[str] = []
    for name in view.reduced_axes():
        blocks = [d for d in divisors_of_axis(view, name) if view.axes[name] % d == 0]
        if blocks and min(blocks) < view.axes[name]:
            splits[name] = min(blocks)
            reduced.append(name + "o")
            inner.append(name + "i")
        else:
            reduced.append(name)
    return Contraction(
        view, target, lanes, axis, position, packs, rows, batch, (*reduced, *inner), splits
    )


def split_group(view: ComputeView) -> tuple[str, int] | None:
    """Return an axis and the size of its groups, if an operand tells only the groups apart.

    A convolution in groups reads ``x[(o floordiv g) * g + i, …]``: within a group the channels o
    are rows of a product, and x is what they share.
    """
    for axis in view.parallel_axes():
        for access in view.inputs:
            indices = access.indices or ()
            holders = {a for e in indices for a in e.atoms() if axis in a.operand.terms}
            if len(holders) != 1 or any(axis in e.terms for e in indices):
                continue
            atom = holders.pop()
            is_group = atom.kind == "floordiv" and atom.operand == variable(axis)
            if is_group and view.axes[axis] % atom.divisor == 0:
                return axis, atom.divisor
    return None


def _is_window(view: ComputeView, access: Access) -> bool:
    """A reduced axis moves along a parallel one: few taps per point, nothing to keep for rows."""
    reduced = set(view.reduced_axes())
    keys = [set(index.variables()) for index in access.indices or []]
    return any(k & reduced and k - reduced for k in keys)


def _is_plain(access: Access) -> bool:
    """Every dimension is indexed by one axis of its own; those of size 1 by nothing."""
    axes = [e.variable() for e in access.indices or [] if e.terms]
    return all(isinstance(a, str) for a in axes) and len(set(axes)) == len(axes)


def plan_contraction(script: Script, c: Contraction) -> None:
    """Write the schedule of one contraction."""
    is_convolution = len(c.rows) >= 2
    if is_convolution:
        _plan_convolution(script, c)
    else:
        _plan_product(script, c)


# ---------------------------------------------------------------- layouts and axes


def _pack(script: Script, leaf: SSAValue, c: Contraction, width: int, outer_block: int) -> SSAValue:
    """Store the weights as panels of ``width`` columns in the order of the loops.

    outer_block: elements of the first reduction axis that one pass of the outer loops covers; the
    panels of a pass lie together (0: panels are outermost).
    """
    access = c.view.inputs[c.vector_operand]
    dims = {str(e.variable()): d for d, e in enumerate(access.indices or []) if e.terms}
    column = AffineExpr.dimension(dims[c.vector_axis])
    panel = column // width
    results: list[AffineExpr] = [AffineExpr.dimension(dims[a]) for a in c.batch if a in dims]
    first = c.reduced[0].removesuffix("o") if c.reduced else ""
    if outer_block and first in dims:
        results.append(AffineExpr.dimension(dims[first]) // outer_block)
    results.append(panel)
    for axis in c.reduced:
        base = axis if axis in dims else axis[:-1]
        if base not in dims:
            continue
        dim = AffineExpr.dimension(dims[base])
        block = c.splits.get(base)
        if block is None:
            results.append(dim)
        elif axis.endswith("i"):
            results.append(dim % block)
        elif outer_block and base == first:
            results.append(dim // block % (outer_block // block))
        else:
            results.append(dim // block)
    results.append(column % width)
    layout = AffineMapAttr(AffineMap(len(access.shape), 0, tuple(results)))
    return script.pack(leaf, c.vector_operand, layout)


def _split_blocks(script: Script, leaf: SSAValue, c: Contraction) -> SSAValue:
    for axis, block in c.splits.items():
        leaf = script.split_axis(leaf, axis, block, (axis + "o", axis + "i"))
    if c.splits:
        leaf = script.order(leaf, [*c.view.parallel_axes(), *c.reduced])
    return leaf


def _unit_tiles(c: Contraction, axes: tuple[str, ...]) -> dict[str, int]:
    return dict.fromkeys(axes, 1)


def _vectorize(
    script: Script, leaf: SSAValue, c: Contraction, unrolls: dict[str, int], prefetch: int
) -> None:
    options = {a: u for a, u in unrolls.items() if u != 1}
    if prefetch:
        options |= {
            "prefetch_operand": c.vector_operand,
            "prefetch": prefetch,
            "prefetch_level": 3,
        }
    script.vectorize(leaf, c.vector_axis, c.lanes, **options)


# ---------------------------------------------------------------- matrix products


@dataclass(frozen=True)
class ProductPlan:
    """Parameters of a matrix product's schedule.

    k_block: reduction elements per pass (0: all).  row_block: rows per block (0: all).
    unroll: reduction steps per trip.  prefetch: distance in elements (0: none).
    """

    tile: RegisterTile
    k_block: int
    row_block: int
    unroll: int
    prefetch: int
    rows_outermost: bool


def plan_product_numbers(
    m: int, n: int, k: int, lanes: int, item: int, target: Target
) -> ProductPlan:
    """R1-R7: choose the numbers of an (m, k) x (k, n) product; item: bytes per element."""
    columns = ceil(n / lanes)
    if m <= 4:
        # R7: weights stream once from memory; wide rows, the hardware prefetches.
        limit = 8 if m == 1 else (target.vector_registers - 2) // (m + 1)
        return ProductPlan(RegisterTile(m, min(columns, limit)), 0, 0, 1, 0, False)
    panel_in_l1 = k * 2 * lanes * item <= target.l1_bytes // 2
    tile = choose_register_tile(m, n, lanes, target, vector_cost=0.04 if panel_in_l1 else 0.08)
    k_block = 0
    if k > 1024:
        # R4: a panel of up to 1024 steps streams from L2 fast enough; beyond, blocks of 384-512.
        small = k % 512 == 0 and m * 512 * item <= target.l2_bytes * 3 // 8
        k_block = even_part(k, 512 if small else 384)
    depth = k_block or k
    row_block, rows_outermost = 0, False
    if m * depth * item > target.l2_bytes * 7 // 8:
        # R6: row blocks whose share of the scalar operand fills 3/8 of L2.
        most = max(8 * tile.rows, target.l2_bytes * 3 // 8 // (depth * item))
        row_block = ceil(even_part(m, most) / tile.rows) * tile.rows
        rows_outermost = True
    # R5: prefetch the panel 96 steps ahead.
    prefetch = 96 * tile.vectors * lanes
    return ProductPlan(tile, k_block, row_block, 4, prefetch, rows_outermost)


def _plan_product(script: Script, c: Contraction) -> None:
    m = c.extent(c.rows[0]) if c.rows else 1
    k = prod(c.extent(a) for a in c.reduced)
    numbers = plan_product_numbers(m, c.columns, k, c.lanes, c.element_bytes, c.target)
    width = numbers.tile.vectors * c.lanes
    leaf = script.match(c.view.name)
    if c.packs:
        leaf = _pack(script, leaf, c, width, 0)
    leaf = _split_blocks(script, leaf, c)
    copy: SSAValue | None = None
    if not c.packs and c.batch and _wants_copy(c):
        copy, leaf = script.cache_read(leaf, c.vector_operand)
    if c.batch:
        leaf, loops = script.tile(leaf, _unit_tiles(c, c.batch))
        loops = [script.parallel(x) for x in loops]
        if copy is not None:
            _pack_on_the_way(script, copy, c, width, loops[-1])
            leaf = script.match(c.view.name)
    parallel = not c.batch
    leaf = _product_loops(script, leaf, c, numbers, width, parallel)
    inner = c.reduced[-1] if c.reduced else ""
    unrolls = {inner: _unroll(c, numbers)} if inner else {}
    _vectorize(script, leaf, c, unrolls, numbers.prefetch if c.packs else 0)


def _wants_copy(c: Contraction) -> bool:
    """R8: pack a dynamic operand if its columns are not contiguous."""
    access = c.view.inputs[c.vector_operand]
    return lane_stride(c.view, access, c.vector_axis, c.lanes) != 1


def _pack_on_the_way(
    script: Script, copy: SSAValue, c: Contraction, width: int, loop: SSAValue
) -> None:
    """R8: one packed copy per batch entry, before the column tiles exist."""
    access = c.view.inputs[c.vector_operand]
    indices = access.indices or []
    column = next(d for d, e in enumerate(indices) if c.vector_axis in set(e.variables()))
    copy = script.fuse_into(copy, loop)
    dims = [AffineExpr.dimension(d) for d in range(len(indices))]
    others = [dims[d] for d in range(len(indices)) if d != column]
    split = (dims[column] // width, *others, dims[column] % width)
    copy = script.relayout(copy, AffineMapAttr(AffineMap(len(dims), 0, split)))
    name = f"{c.view.name}_in{c.vector_operand}"
    copy = script.match(name)
    depth = max(range(len(indices)), key=lambda d: (d != column, d))
    copy, _ = script.tile(copy, {f"c{column}": width, f"c{depth}": 4})
    script.vectorize(copy, f"c{column}", c.lanes)


def _product_loops(
    script: Script,
    leaf: SSAValue,
    c: Contraction,
    numbers: ProductPlan,
    width: int,
    parallel: bool,
) -> SSAValue:
    column = {c.vector_axis: width}
    rows = {c.rows[0]: numbers.tile.rows} if c.rows else {}
    row_names = list(rows)
    if numbers.rows_outermost and rows:
        leaf, loops = script.tile(leaf, {c.rows[0]: numbers.row_block})
        if parallel:
            script.parallel(loops[0])
        leaf = _split_k(script, leaf, c, numbers)
        leaf, _ = script.tile(leaf, {**column, **rows}, even=row_names)
        return leaf
    leaf, loops = script.tile(leaf, column)
    if parallel:
        script.parallel(loops[0])
    leaf = _split_k(script, leaf, c, numbers)
    if rows:
        leaf, _ = script.tile(leaf, rows, even=row_names)
    return leaf


def _split_k(script: Script, leaf: SSAValue, c: Contraction, numbers: ProductPlan) -> SSAValue:
    """R4: pass by pass over the first reduction axis."""
    if not numbers.k_block or not c.reduced:
        return leaf
    first, *others = c.reduced
    size = max(1, numbers.k_block // prod(c.extent(a) for a in others))
    if not others:
        # Every pass, the last one too, then is a whole number of unrolled steps.
        unroll = _unroll(c, numbers)
        size = ceil(size / unroll) * unroll
    if size >= c.extent(first):
        return leaf
    return script.split_reduction(leaf, first, size)


def _unroll(c: Contraction, numbers: ProductPlan) -> int:
    """R3: steps of the innermost reduction axis per trip."""
    return divisor_at_most(c.extent(c.reduced[-1]), numbers.unroll)


# ---------------------------------------------------------------- convolutions


@dataclass(frozen=True)
class ConvolutionPlan:
    """Parameters of a direct convolution's schedule.

    k_block: channel blocks per pass (0: all).  row_group: output rows per block (0: all).
    rows_outermost: row groups outside channel groups.  pass_major: weights stored pass by pass.
    unroll_taps: first layers; all taps in one basic block.
    """

    tile: RegisterTile
    k_block: int = 0
    row_group: int = 0
    rows_outermost: bool = False
    pass_major: bool = False
    unroll_taps: bool = False
    prefetch: int = 0


def plan_convolution_numbers(
    c: Contraction, *, taps: int, channel_blocks: int, source_bytes: int
) -> ConvolutionPlan:
    """R1, R9-R15: choose the numbers of a direct convolution."""
    height, width = c.extent(c.rows[-2]), c.extent(c.rows[-1])
    tile = choose_register_tile(
        width, c.group, c.lanes, c.target, vector_cost=0.04, divides=c.group < c.columns
    )
    plan = ConvolutionPlan(tile)
    if not channel_blocks:
        steps = prod(c.extent(a) for a in c.reduced)
        if steps <= MAX_FIRST_LAYER_STEPS:
            # R15: four rows, so that taps of neighbours find their loads in registers.
            rows = min(tile.rows, c.target.vector_registers // 4)
            small = RegisterTile(rows, min(tile.vectors, 2))
            return replace(plan, tile=small, unroll_taps=True)
        return plan
    if taps == 1:
        return _pointwise_numbers(c, plan, channel_blocks, source_bytes, height, width)
    return _spatial_numbers(c, plan, channel_blocks, source_bytes, taps, height, width)


def _pointwise_numbers(
    c: Contraction,
    plan: ConvolutionPlan,
    channel_blocks: int,
    source_bytes: int,
    height: int,
    width: int,
) -> ConvolutionPlan:
    pixels = height * width
    l2 = c.target.l2_bytes
    if channel_blocks > MAX_STREAMS:
        divisor = divisor_at_most(channel_blocks, MAX_STREAMS)
        k_block = divisor if divisor >= 8 else even_part(channel_blocks, MAX_STREAMS)
        plan = replace(plan, k_block=k_block)
    if pixels <= 64 or source_bytes <= l2 * 3 // 8:
        # R11: a small map; each channel group takes all pixels, the weights are the stream.
        if channel_blocks > MAX_STREAMS and pixels <= 64:
            divisor = divisor_at_most(channel_blocks, 8)
            k_block = divisor if divisor >= 5 else even_part(channel_blocks, 8)
            plan = replace(plan, k_block=k_block)
        weights = c.columns * channel_blocks * c.lanes * c.element_bytes
        return replace(plan, prefetch=1024 if weights > l2 else 0)
    # R10, R12: blocks of about 96 pixels outermost, weights stored in loop order.
    group = _pixel_rows(height, width, 96 if c.columns <= 1024 else 48)
    return replace(
        plan, rows_outermost=True, row_group=group, pass_major=channel_blocks > MAX_STREAMS
    )


def _pixel_rows(height: int, width: int, wanted: int) -> int:
    """R10: rows of a block of about ``wanted`` pixels: a divisor of the height if one is near.

    Even blocks keep the code small: each further height is another copy of all reduction leaves.
    """
    near = [
        rows
        for rows in range(1, height + 1)
        if height % rows == 0 and wanted * 5 <= 8 * rows * width <= wanted * 14
    ]
    if near:
        return min(near, key=lambda rows: abs(rows * width - wanted))
    return even_part(height, max(1, wanted // width))


def _spatial_numbers(
    c: Contraction,
    plan: ConvolutionPlan,
    channel_blocks: int,
    source_bytes: int,
    taps: int,
    height: int,
    width: int,
) -> ConvolutionPlan:
    l1, l2, item = c.target.l1_bytes, c.target.l2_bytes, c.element_bytes
    group = plan.tile.vectors * c.lanes
    channels = channel_blocks * c.lanes
    panel = channels * taps * group * item
    big = source_bytes > l2
    most = 16 if height * width <= 64 else 4 if big and panel > l1 else 8
    k_block = 0
    if channel_blocks > MAX_STREAMS or panel > l2 // 4 or (big and panel > l1):
        # R13: the weights of one pass fit in about L1.
        divisor = divisor_at_most(channel_blocks, most)
        k_block = divisor if divisor * 2 > most else even_part(channel_blocks, most)
    blocks = min(k_block or channel_blocks, channel_blocks)
    # R14: rows whose input slab and output fit in half of L2.
    row_bytes = (width + 2) * c.lanes * item * blocks + width * group * item
    rows = max(1, int(l2 // 2 / row_bytes))
    plan = replace(plan, k_block=k_block)
    if k_block and rows < height:
        plan = replace(plan, row_group=divisor_at_most(height, rows))
    weights = c.columns * channels * taps * item
    if big and c.columns > group and weights <= l2 * 5 // 8:
        # R14: the input streams once, the weights stay in L2.
        group_rows = divisor_at_most(height, max(4, min(8, rows)))
        plan = replace(plan, rows_outermost=True, row_group=group_rows)
    return plan


def _plan_convolution(script: Script, c: Contraction) -> None:
    blocked = c.reduced[0] if c.reduced[0].removesuffix("o") in c.splits else ""
    taps = prod(c.extent(a) for a in c.reduced if a[:-1] not in c.splits)
    source = c.view.inputs[1 - c.vector_operand]
    numbers = plan_convolution_numbers(
        c,
        taps=taps,
        channel_blocks=c.extent(blocked) if blocked else 0,
        source_bytes=prod(source.shape) * element_bytes(source.type),
    )
    width = numbers.tile.vectors * c.lanes
    leaf = script.match(c.view.name)
    if c.packs:
        whole_passes = blocked and numbers.k_block and not c.extent(blocked) % numbers.k_block
        outer = numbers.k_block * c.splits[blocked[:-1]] if whole_passes else 0
        leaf = _pack(script, leaf, c, width, outer if numbers.pass_major else 0)
    leaf = _split_blocks(script, leaf, c)
    outer_rows = (*c.batch, *c.rows[:-2])
    if outer_rows:
        leaf, loops = script.tile(leaf, _unit_tiles(c, outer_rows))
        for loop in loops:
            script.parallel(loop)
    leaf = _convolution_loops(script, leaf, c, numbers, width, blocked)
    inner = c.reduced[-1]
    unrolls = {inner: divisor_at_most(c.extent(inner), 4)}
    if numbers.unroll_taps:
        unrolls = {a: 0 for a in c.reduced if c.extent(a) > 1}
    _vectorize(script, leaf, c, unrolls, numbers.prefetch if c.packs else 0)


def _convolution_loops(
    script: Script,
    leaf: SSAValue,
    c: Contraction,
    numbers: ConvolutionPlan,
    width: int,
    blocked: str,
) -> SSAValue:
    row, column = c.rows[-2], c.rows[-1]
    height = c.extent(row)
    group = numbers.row_group if 0 < numbers.row_group < height else 0
    channels = {c.vector_axis: width}
    pixels = {row: 1, column: numbers.tile.rows}

    def passes(inside: SSAValue) -> SSAValue:
        if not blocked or not 0 < numbers.k_block < c.extent(blocked):
            return inside
        return script.split_reduction(inside, blocked, numbers.k_block)

    if numbers.rows_outermost:
        leaf, loops = script.tile(leaf, {row: group or height}, even=[row])
        script.parallel(loops[0])
        if numbers.pass_major:
            leaf = passes(leaf)
            leaf, _ = script.tile(leaf, channels)
        else:
            leaf, _ = script.tile(leaf, channels)
            leaf = passes(leaf)
    else:
        leaf, loops = script.tile(leaf, channels)
        script.parallel(loops[0])
        if group:
            leaf, loops = script.tile(leaf, {row: group}, even=[row])
        leaf = passes(leaf)
    leaf, _ = script.tile(leaf, pixels, even=[column])
    return leaf
