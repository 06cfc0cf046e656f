"""Schedules of computes without products in registers: elementwise, copies, pooling, sums.

Depthwise convolutions and pools have tiles of a row of pixels and one vector of channels; those
with many taps unroll only the taps along the row (window.py).  The tiles of other reductions have
the accumulators of the least modelled time (reduction_tile.py).  A task is a chunk of the least
modelled time on several cores (targets/cpu/cost/tasks.py).

If reads are unevenly spaced (phases of a transposed convolution, pixel shuffles), vectors are
assembled from single elements.  Gelu of phases, 21 x 32 x 10: 71 -> 15 us; phases alone 66 -> 35.
The same holds for narrow rows that all read one row, such as the sums of a softmax over columns.
Softmax over an axis that is not the last runs in blocks of a few vectors of columns.  Contiguous
axes with short rows are merged first (merged_axes.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, lcm, prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ....analysis.patterns.sharing import Sharing, element_bytes
from ....analysis.strides import axis_stride, divisors_of_axis, lane_stride
from ....dialects.shape import Dim, likely
from ....dialects.te import AtOp, ComputeView, YieldOp
from ....machines.cpu_numbers import ROWS_AT_ONCE, numbers_of, task_points
from ....machines.target import Target
from ....support.names import Names
from ..cost.search import LEAST_GAIN
from ..cost.tasks import TASK_RANGE, chunk_sizes
from .epilogue import operations_of
from .merged_axes import (
    WORTH,
    contiguous_run,
    continues,
    in_memory_order,
    is_worth_merging,
    merge_run,
    rows_cost,
    written_in_order,
)
from .reduction_tile import MOST_PARTS, block_sizes, choose_sweep, choose_tile, sum_in_blocks
from .script import Script
from .tiles import even_part, time_on_cores
from .window import MAX_COPIES, Slide, choose_slide, stencil_axis

MAX_UNROLLED_TAPS = 32
"""Most steps of a reduction that a tile unrolls completely."""

LEAST_SQUARE = 8
"""The fewest lanes of a vector with which transposing square tiles in registers pays."""

CROSSING_TILES = 4
"""A transpose uses square tiles, one vector by as many rows.  A task covers four of them along the
row axis, so that each page read yields four cache lines instead of one."""

COLUMN_VECTORS = 8
"""Most vectors of a block of columns, or of short rows, that several computes share.  Softmax over
axis 1 takes the same time within 3 % in blocks of 2 to 24 vectors."""

WINDOW_ROWS = 8
"""Tile size along an axis on which a window slides: adjacent pixels share most taps."""

MAX_GATHERED = 64
"""Largest tile whose elements are packed one by one in straight-line code."""

LEAST_LANES = 4
"""Fewest lanes of vectors along blocked channels."""

NOTHING: Mapping[str, int] = {}


def vector_axis(view: ComputeView, lanes: int, axes: Sequence[str]) -> str | None:
    """Return the innermost of some parallel axes along which all outputs are contiguous, or None.

    Vectors of ``lanes`` elements run along this axis.
    """
    stored = view.output_axes()
    candidates = [a for a in axes if view.axes[a] != 1 and a in stored]
    for axis in reversed(candidates):
        outs = [lane_stride(view, o, axis, lanes) for o in view.outputs]
        reads = [
            lane_stride(view, a, axis, lanes)
            for a in (*view.inputs, *view.post)
            if a.indices is not None
        ]
        if all(s == 1 for s in outs) and None not in reads and _can_mask(view, axis):
            return axis
    return None


def _can_mask(view: ComputeView, axis: str) -> bool:
    """Return whether masks can disable the lanes that would read outside of a padded operand.

    Masks can do so if the axis only indexes the operand's last dimension, without quotient or
    remainder.  Pads of 1 x 64 x 56 x 56 then take 60-160 us with any vectors, and 360-600 us
    element by element.
    axis: the axis along which vectors run.
    """
    if not _is_padded(view, axis):
        return True
    padded = [a.indices for a in (*view.inputs, *view.post) if a.pad is not None and a.indices]
    outer = (index for indices in padded for index in indices[:-1])
    atoms = (atom for indices in padded for atom in indices[-1].atoms())
    return not any(axis in set(part.variables()) for part in outer) and not any(
        axis in set(atom.operand.variables()) for atom in atoms
    )


def _is_padded(view: ComputeView, axis: str) -> bool:
    for access in (*view.inputs, *view.post):
        if access.pad is None or access.indices is None:
            continue
        for index, size in zip(access.indices, access.extents, strict=True):
            low, high = index.range(view.range_of)
            leaves = isinstance(size, Dim) or low < 0 or high >= size
            if leaves and axis in set(index.variables()):
                return True
    return False


def reduction_axis(view: ComputeView, lanes: int) -> str | None:
    """Return a reduction axis along which vectors of ``lanes`` elements can run; None without one.

    All reads along it must be contiguous or invariant.  Blocked channels are contiguous within a
    vector that fits the block.
    """
    reduced = [a for a in reversed(view.reduced_axes()) if view.axes[a] != 1]
    return next((a for a in reduced if _is_read_along(view, a, lanes)), None)


def _is_read_along(view: ComputeView, axis: str, lanes: int) -> bool:
    strides = [lane_stride(view, a, axis, lanes) for a in view.inputs if a.indices is not None]
    return all(s in (0, 1) for s in strides) and 1 in strides and not _is_padded(view, axis)


def plan_pointwise(
    script: Script,
    leaf: SSAValue,
    view: ComputeView,
    lanes: int,
    constants: Collection[SSAValue],
    target: Target,
) -> None:
    """Write the schedule of a compute without products, which is the only one of its kernel.

    leaf: its handle.
    lanes: lanes of a vector.
    constants: the arguments of the kernel that are weights.
    """
    loops = [a for a in view.parallel_axes() if view.axes[a] != 1 and a != view.scan]
    leaf, view, loops = merge_short_rows(script, leaf, view, lanes, loops)
    lanes = _lanes_of_rows(view, lanes, loops)
    vector = row_vector_axis(view, lanes, loops)
    if vector is not None:
        leaf = pack_constants(script, leaf, view, vector, lanes, constants)
    gathered = None if vector is not None else _gathered_rows(view, lanes, loops)
    keep = {} if gathered is None else {gathered.axis: gathered.width}
    if vector is not None:
        keep = _tile_sizes(view, vector, lanes, loops, target, is_inside=False)
        crossing = crossing_axis(view, vector, lanes, loops)
        if crossing is not None:
            keep[crossing] *= CROSSING_TILES
    if vector is not None and _plan_parallel_blocks(
        script, leaf, view, vector, lanes, keep, target
    ):
        return
    points = prod(view.extents.values())
    leaf = parallel_chunks(script, leaf, view, loops, keep, points, target)
    plan_leaf(script, leaf, view, lanes, loops, target, is_inside=False)


def _plan_parallel_blocks(
    script: Script,
    leaf: SSAValue,
    view: ComputeView,
    vector: str,
    lanes: int,
    tile: Mapping[str, int],
    target: Target,
) -> bool:
    """Distribute the blocks of long sums over tasks if the results alone are too few tasks.

    Each task sums one block of some results, and a second compute adds the sums of the blocks.
    Terms have the same order as in `sum_in_blocks`, so results do not depend on the choice.

    vector: the axis along which vectors run.  lanes: the lanes of a vector.  tile: the sizes of the
    register tile.  Returns False if it writes no step.
    """
    sizes = block_sizes(view)
    if len(sizes) != 1 or _long_slide(view, [a for a in tile if a != vector]) is not None:
        return False
    ((axis, size),) = sizes.items()
    points, parts = prod(view.extents.values()), ceil(view.extents[axis] / size)
    tiles = prod(ceil(view.extents[a] / n) for a, n in tile.items())
    longest = points / tiles * size / view.extents[axis]
    if longest * TASK_RANGE < task_points(target):
        return False
    alone = time_on_cores(tiles, points / tiles, points, target)
    total = points + numbers_of(target).start_of_region
    if time_on_cores(tiles * parts, longest, total, target) * LEAST_GAIN > alone:
        return False
    names = Names(view.extents)
    into = names.fresh(f"{axis}o"), names.fresh(f"{axis}i")
    blocks, results = script.rfactor(leaf, axis, size, into)
    blocks, loops = script.tile(blocks, {into[0]: 1, **tile})
    script.parallel_each(loops)
    script.vectorize(blocks, vector, lanes)
    results, _ = script.tile(results, tile)
    script.vectorize(results, vector, lanes)
    return True


def split_repeated_rows(
    script: Script, leaf: SSAValue, view: ComputeView, widths: Sequence[int]
) -> tuple[SSAValue, ComputeView]:
    """Split a row axis that operands index by quotient and remainder, for contiguous vectors.

    Copies that repeat rows, ``x[h, w mod 255]``, and reshapes that change rows have such indices
    (Tile of rows of 255: 4 x faster).  So have blocks of channels, ``y[c floordiv 76, h, w, c mod
    76]``, of which only vectors of 4 are contiguous without the split.  The axis is only split if
    that saves vectors, and if reads are contiguous along the remainder.
    widths: the numbers of lanes that a vector may have.
    Returns the compute's handle and view.
    """
    free = [a for a in view.parallel_axes() if view.axes[a] != 1 and a != view.scan]
    if not free:
        return leaf, view
    along = (a for a in reversed(free) if _is_written_along(view, a))
    axis, names = next(along, free[-1]), Names(view.extents)
    outer, inner = names.fresh(f"{axis}o"), names.fresh(f"{axis}i")
    whole = next((n for n in widths if vector_axis(view, n, [axis])), 1)
    best, least = None, rows_cost(view, [axis], whole)
    for size in sorted(divisors_of_axis(view, axis)):
        if view.extents[axis] % size or not 1 < size < view.extents[axis]:
            continue
        found = view.split(axis, size, outer, inner)
        lanes = next((n for n in widths if vector_axis(found, n, [inner])), 1)
        if lanes == 1 or size < LEAST_LANES or is_strided(found, inner, lanes):
            continue
        cost = rows_cost(found, [outer, inner], lanes)
        if WORTH * cost < least:
            best, least = found, cost
    if best is None:
        return leaf, view
    return script.split_axis(leaf, axis, best.extents[inner], (outer, inner)), best


def _is_written_along(view: ComputeView, axis: str) -> bool:
    """Return whether short vectors of results along an axis are contiguous."""
    return all(lane_stride(view, out, axis, LEAST_LANES) == 1 for out in view.outputs)


def merge_short_rows(
    script: Script, leaf: SSAValue, view: ComputeView, lanes: int, free: Sequence[str]
) -> tuple[SSAValue, ComputeView, list[str]]:
    """Merge contiguous reduction axes, and contiguous parallel axes, into one axis each.

    Reduction axes are merged if vectors run along them and the merged axis fills a vector.
    leaf: the handle of the compute.
    free: the parallel axes to plan.
    Returns the handle and the view of the compute after the steps, and the parallel axes to plan
    then.
    """
    free = list(free)
    reduced = [a for a in view.reduced_axes() if view.axes[a] != 1]
    run = contiguous_run(view, in_memory_order(view, reduced))
    points = prod(view.extents[a] for a in run)
    if (
        points >= lanes
        and is_worth_merging(view, run, lanes)
        and _is_read_along(view, run[-1], lanes)
    ):
        leaf, view, _ = merge_run(script, leaf, view, run)
    run = contiguous_run(view, written_in_order(view, [a for a in free if a != view.scan]))
    if is_worth_merging(view, run, lanes) and vector_axis(view, lanes, run[-1:]) == run[-1]:
        leaf, view, merged = merge_run(script, leaf, view, run)
        free = [*(a for a in free if a not in run), merged]
    return leaf, view, free


def merge_narrow_rows(
    script: Script, leaf: SSAValue, view: ComputeView, lanes: int, free: Sequence[str]
) -> tuple[SSAValue, ComputeView, list[str]]:
    """Merge the last two parallel axes into one, if rows are narrower than half a vector.

    This applies if some operand has a single row that all rows of results read.  A tile then
    consists of whole vectors and of whole rows, so each lane reads a constant position of that row
    (softmax over axis 2 of 61 x 5 x 256 x 3: 0.76 -> 0.37 ms).

    leaf: the handle of the compute.
    free: the parallel axes to plan.
    Returns the handle and the view of the compute after the step, and the parallel axes to plan
    then; all unchanged if the step does not apply.
    """
    run, free = list(free[-2:]), list(free)
    if len(run) < 2 or view.reduced_axes() or view.scan or any(a.is_index for a in view.inputs):
        return leaf, view, free
    outer, inner = run
    repeated = [a for a in view.accesses() if not continues(view, a, outer, inner)]
    if (
        not repeated
        or any(a.indices is None or {outer, inner} <= a.axes() for a in repeated)
        or 2 * view.extents[inner] > lanes
        or lcm(lanes, view.extents[inner]) > MAX_GATHERED
    ):
        return leaf, view, free
    leaf, view, merged = merge_run(script, leaf, view, run)
    return leaf, view, [*free[:-2], merged]


def row_vector_axis(view: ComputeView, lanes: int, axes: Sequence[str]) -> str | None:
    """Choose one of the parallel axes of a compute for vectors of results.

    None if no axis suits, if vectors should run along a reduction axis instead, or if the compute
    should stay scalar.  A sum of each row of a matrix reads along the row: a vector of rows would
    read a cache line per lane (1024 x 1024: 350 us against 150).  A scan along the row would read
    in the same way, so it stays scalar; a scan of whole rows has vectors (512 x 512: 70 us against
    800).
    lanes: the lanes of a vector.
    axes: the axes to choose from.
    """
    vector = vector_axis(view, lanes, axes)
    if vector is None or not is_strided(view, vector, lanes):
        return vector
    if view.scan:
        return None
    along = reduction_axis(view, lanes)
    if along is None:
        return vector
    extent = view.axes[along]
    return None if isinstance(extent, Dim) or extent >= _least_swept(view, lanes) else vector


def _least_swept(view: ComputeView, lanes: int) -> int:
    """Return the fewest terms of a row for which the lanes of a vector should hold these terms.

    The lanes are combined in halves at the end of the row, one instruction of the combiner after
    the other; with a row per lane, independent instructions of several rows run in each cycle
    (ArgMax of 500 rows of 64: 17 us along the rows, 10 with a row per lane).
    """
    combine = view.combine.block.ops if view.combine.blocks else ()
    steps = sum(not isinstance(op, arith.ConstantOp | YieldOp) for op in combine)
    return max(2, steps * (lanes.bit_length() - 1) // ROWS_AT_ONCE) * lanes


def is_strided(view: ComputeView, axis: str, lanes: int) -> bool:
    """Return whether lanes along an axis read some operand with a stride other than 0 and 1."""
    reads = [a for a in (*view.inputs, *view.post) if a.indices is not None]
    return any(lane_stride(view, a, axis, lanes) not in (0, 1) for a in reads)


def crossing_axis(view: ComputeView, vector: str, lanes: int, free: Sequence[str]) -> str | None:
    """Return an axis along which an operand is contiguous that is strided along ``vector``.

    A square of both axes can then be transposed in registers.  None without such an operand, and
    for reductions.
    vector: the axis along which vectors of results run.
    lanes: the lanes of a vector.
    free: the axes to choose from.
    """
    for access in () if view.reduced_axes() else view.inputs:
        if access.indices is None or lane_stride(view, access, vector, lanes) in (0, 1):
            continue
        for axis in reversed(free):
            if axis != vector and lane_stride(view, access, axis, lanes) == 1:
                return axis
    return None


def pack_constants(
    script: Script,
    leaf: SSAValue,
    view: ComputeView,
    vector: str,
    lanes: int,
    constants: Collection[SSAValue],
) -> SSAValue:
    """Pack the weights of a compute whose lanes are strided, such as depthwise taps.

    The vector axis becomes the innermost dimension of a packed weight, so that a vector of its
    elements is one load. A weight that the compute reads several times is packed for its first
    read.
    leaf: the handle of the compute.
    view: the compute.
    vector: the axis of the compute along which vectors run.
    lanes: the number of lanes of a vector.
    constants: the arguments of the kernel that are weights.
    Returns the handle of the compute after the steps.
    """
    unpacked = set(constants)
    for position, access in enumerate(view.inputs):
        if access.indices is None and access.value is not None and access.value in unpacked:
            leaf = _turn_gathered(script, leaf, view, position, vector)
            unpacked.remove(access.value)
    for position, access in enumerate(view.inputs):
        indices = access.indices or []
        at = [d for d, e in enumerate(indices) if e.variable() == vector]
        if access.value is None or access.value not in unpacked or len(at) != 1:
            continue
        if lane_stride(view, access, vector, lanes) in (0, 1):
            continue
        dims = [AffineExpr.dimension(d) for d in range(len(indices))]
        split = dims.pop(at[0])
        results = (split // lanes, *dims, split % lanes)
        layout = AffineMapAttr(AffineMap(len(indices), 0, results))
        leaf = script.pack(leaf, position, layout)
        unpacked.remove(access.value)
    return leaf


def _turn_gathered(
    script: Script, leaf: SSAValue, view: ComputeView, position: int, vector: str
) -> SSAValue:
    """Pack the operand of a gather so that the vector axis is its innermost dimension.

    Without this step, vectors along ``o`` of expert weights, ``w[e[t], o, k]``, would read one
    cache line per lane, and all these lines again for the next ``k``.
    leaf: the handle of the compute.
    position: the number of the operand.
    vector: the axis along which vectors run.
    Returns the handle of the compute, unchanged if the operand cannot be packed so.
    """
    block = view.body.block
    along = {
        argument
        for argument, access in zip(block.args, view.inputs, strict=True)
        if access.is_index and access.indices and access.indices[0].variable() == vector
    }
    reads = [use.operation for use in block.args[position].uses]
    places = {
        tuple(d for d, index in enumerate(op.indices) if index in along)
        for op in reads
        if isinstance(op, AtOp)
    }
    rank = len(view.inputs[position].shape)
    found = places.pop() if len(places) == 1 else ()
    if len(found) != 1 or found[0] == rank - 1 or not all(isinstance(op, AtOp) for op in reads):
        return leaf
    return script.pack_last(leaf, position, rank, found[0])


def parallel_chunks(
    script: Script,
    leaf: SSAValue,
    view: ComputeView,
    axes: Sequence[str],
    multiples: Mapping[str, int],
    points: int,
    target: Target,
) -> SSAValue:
    """Tile the outermost axes into parallel loops, for tasks that divide evenly among the cores.

    multiples: by axis, a number that divides the size of its chunk.
    points: the points of all computes in the loops.
    """
    least = {axis: multiples.get(axis, 1) for axis in axes}
    sizes = chunk_sizes(view.extents, least, points, target)
    if not sizes:
        return leaf
    leaf, loops = script.tile(leaf, sizes)
    script.parallel_each(loops)
    return leaf


def plan_leaf(
    script: Script,
    leaf: SSAValue,
    view: ComputeView,
    lanes: int,
    free: Sequence[str],
    target: Target,
    prefetch: Mapping[str, int] = NOTHING,
    *,
    is_inside: bool = True,
) -> None:
    """Tile and vectorize an innermost compute (leaf) over some of its parallel axes.

    The compute stays scalar if vectors fit no axis.
    leaf: the handle of the compute.
    lanes: the lanes of a vector.
    free: the axes to tile and vectorize; the other parallel axes are loops around the compute
    already.
    prefetch: the options of sched.vectorize that prefetch an operand.
    is_inside: whether the compute is a part of the parallel tasks of several computes.
    """
    free = [a for a in free if a != view.scan]
    lanes = _lanes_of_rows(view, lanes, free)
    vector = row_vector_axis(view, lanes, free)
    if vector is None and view.scan:
        return
    gathered = None if vector is not None else _gathered_rows(view, lanes, free)
    if gathered is not None:
        _plan_gathered(script, leaf, view, gathered, free)
        return
    if vector is None:
        _plan_sweep(script, leaf, view, lanes, free, target, prefetch)
        return
    sizes = _tile_sizes(view, vector, lanes, free, target, is_inside=is_inside)
    unrolls = _unrolls(view, prod(sizes.values()) // lanes, target)
    slide = _long_slide(view, [a for a in free if a != vector])
    if slide is not None:
        unrolls = {slide.taps: slide.copies}
        others = [a for a in view.extents if a != slide.taps]
        leaf = script.order(leaf, [*others, slide.taps])
    else:
        leaf = sum_in_blocks(script, leaf, view)
    even = [a for a in sizes if a != vector and sizes[a] > 1]
    leaf, _ = script.tile(leaf, sizes, even=even)
    script.vectorize(leaf, vector, lanes, unrolls, **prefetch)


@dataclass(frozen=True)
class GatheredRows:
    """An axis of results along which vectors are assembled from single elements.

    lanes: the lanes of a vector.
    width: the elements of a tile along the axis.
    """

    axis: str
    lanes: int
    width: int


def _gathered_rows(view: ComputeView, lanes: int, free: Sequence[str]) -> GatheredRows | None:
    """Return the contiguous axis of the result, if vectors along it are assembled from elements.

    A tile starts at a multiple of the divisors in the operands' indices, so each lane's address is
    known.  None for reductions, scans and padded reads.
    """
    if view.scan or view.reduced_axes() or len(view.outputs) != 1:
        return None
    choices = ((n, a) for n in widths_from(lanes) for a in free if view.axes[a] != 1)
    out = view.outputs[0]
    found = [(n, a) for n, a in choices if lane_stride(view, out, a, n) == 1]
    if not found or _is_padded(view, found[0][1]):
        return None
    axis = found[0][1]
    extent = view.extents[axis]
    lanes = next((n for n, a in reversed(found) if a == axis and n >= extent), found[0][0])
    width = lcm(lanes, *divisors_of_axis(view, axis))
    return GatheredRows(axis, lanes, min(width if width <= MAX_GATHERED else lanes, extent))


def _plan_gathered(
    script: Script, leaf: SSAValue, view: ComputeView, rows: GatheredRows, free: Sequence[str]
) -> None:
    """Write the schedule of a compute whose vectors of results are assembled from single elements.

    rows: the axis of these vectors, and the tile along it.
    free: the parallel axes to tile. If the elements of an operand are contiguous along a free axis,
    this axis is the innermost loop.
    """
    sizes = {a: 1 for a in free if view.axes[a] != 1} | {rows.axis: rows.width}
    crossing = crossing_axis(view, rows.axis, rows.lanes, free)
    if crossing is not None:
        sizes[crossing] = sizes.pop(crossing)
    leaf, _ = script.tile(leaf, sizes)
    script.vectorize(leaf, rows.axis, rows.lanes)


def _lanes_of_rows(view: ComputeView, lanes: int, free: Sequence[str]) -> int:
    """Return the lanes of result vectors: the widest, unless fewer allow transposes in registers.

    Channels in blocks of 8 are contiguous for 8 lanes, so squares of 8 rows are transposed in
    registers; with 16 lanes each element is read separately (2.1 ms -> 0.5 for 6.5 MB).
    """
    if view.reduced_axes():
        return lanes
    fitting = {n: row_vector_axis(view, n, free) for n in widths_from(lanes)}
    vectors = {n: axis for n, axis in fitting.items() if axis is not None}
    for n, axis in vectors.items():
        crossing = crossing_axis(view, axis, n, free) if n in (lanes, LEAST_SQUARE) else None
        if crossing is not None and 2 * view.extents[crossing] > n:
            return n
    return next(iter(vectors), lanes)


def widths_from(lanes: int) -> list[int]:
    """Return the lanes of full, half and quarter vectors, down to `LEAST_LANES` lanes."""
    return [lanes, *(n for n in (lanes // 2, lanes // 4) if n >= LEAST_LANES)]


def _unrolls(view: ComputeView, results: int, target: Target) -> dict[str, int]:
    """Return {axis: 0} for each reduction axis if a register tile unrolls all steps, else {}.

    results: the vectors of results of the tile.
    """
    reduced = [a for a in view.reduced_axes() if view.axes[a] != 1]
    taps = prod(view.extents[a] for a in reduced)
    code = taps * results * (1 + operations_of(view.body, target))
    return dict.fromkeys(reduced, 0) if taps <= MAX_UNROLLED_TAPS and code <= MAX_COPIES else {}


def _tile_sizes(
    view: ComputeView,
    vector: str,
    lanes: int,
    free: Sequence[str],
    target: Target,
    *,
    is_inside: bool,
) -> dict[str, int]:
    reduced = [a for a in view.reduced_axes() if view.axes[a] != 1]
    taps = prod(view.extents[a] for a in reduced)
    others = [a for a in free if a != vector and view.axes[a] != 1]
    sizes = dict.fromkeys(others, 1)
    vectors = 4
    crossing = crossing_axis(view, vector, lanes, free)
    slide = _long_slide(view, others)
    if crossing is not None:
        sizes[crossing], vectors = min(lanes, view.extents[crossing]), 1
    elif slide is not None:
        sizes[slide.axis], vectors = slide.pixels, 1
    elif reduced and taps <= MAX_UNROLLED_TAPS and others and slides_along(view, others[-1]):
        vectors = 1
        sizes[others[-1]] = even_part(view.extents[others[-1]], WINDOW_ROWS)
    elif reduced:
        row, most = others[-1] if others else None, 1 if is_blocked(view, vector) else MOST_PARTS
        height, vectors = choose_tile(view, vector, lanes, row, most, target, is_inside=is_inside)
        if row is not None:
            sizes[row] = height
    elif (row := stencil_axis(view, others)) is not None:
        vectors, sizes[row] = 1, even_part(view.extents[row], WINDOW_ROWS)
    block = lanes if is_blocked(view, vector) else vectors * lanes
    sizes[vector] = min(block, view.extents[vector])
    order = [*(a for a in free if a != crossing), *([crossing] if crossing else [])]
    return {a: sizes[a] for a in order if a in sizes}


def _long_slide(view: ComputeView, others: Sequence[str]) -> Slide | None:
    """Choose the register tile of a window that has too many taps to unroll.

    others: the parallel axes along which the window may slide, without the vector axis.  None for a
    compute whose taps can all be unrolled.  Row-major images, taps along the rows only instead of
    all: depthwise 3x3, stride 2, of 96 channels on 112 x 112 in a quarter of the time, max-pool
    3x3, stride 2, of 64 channels 526 -> 293 us, depthwise 5x5 76 -> 53; blocked ones take the same
    time (Zen 4).
    """
    if prod(view.extents[a] for a in view.reduced_axes()) <= WINDOW_ROWS:
        return None
    return choose_slide(view, others, WINDOW_ROWS)


def slides_along(view: ComputeView, axis: str) -> bool:
    """Return whether an axis slides a window: some read's index mixes it with a reduction axis."""
    reduced = set(view.reduced_axes())
    keys = [set(e.variables()) for access in view.inputs for e in access.indices or ()]
    return any(axis in k and k & reduced for k in keys)


def is_blocked(view: ComputeView, axis: str) -> bool:
    """Return whether an axis has no constant stride in some output, like blocked channels."""
    return any(axis_stride(o, axis) is None for o in view.outputs)


def _plan_sweep(
    script: Script,
    leaf: SSAValue,
    view: ComputeView,
    lanes: int,
    free: Sequence[str],
    target: Target,
    prefetch: Mapping[str, int],
) -> None:
    """Vectorize a compute along a reduction axis: accumulate in each lane, then reduce the lanes.

    free: the parallel axes to tile.  prefetch: the options of sched.vectorize that prefetch an
    operand.
    """
    lanes = next((n for n in widths_from(lanes) if reduction_axis(view, n) is not None), lanes)
    axis = reduction_axis(view, lanes)
    sizes = {a: 1 for a in free if view.axes[a] != 1}
    if axis is None or view.extents[axis] <= min(lanes - 1, LEAST_LANES):
        sum_in_blocks(script, leaf, view)
        return
    # For rows shorter than a vector, use the narrowest vector that holds a row.
    lanes = min((n for n in widths_from(lanes) if n >= view.extents[axis]), default=lanes)
    row = next(reversed(sizes), None)
    rows, partials = choose_sweep(view, axis, lanes, row, target)
    passes, rest = divmod(view.extents[axis] // lanes, partials)
    # One accumulator also gets the terms that are left after all passes.
    shares = (passes * partials + rest) // (passes + rest) if passes else 1
    leaf = sum_in_blocks(script, leaf, view, axis, partials * lanes, shares * lanes)
    if row is not None:
        sizes[row] = rows
        leaf, _ = script.tile(leaf, sizes, even=[row] if rows > 1 else [])
    script.vectorize(leaf, axis, lanes, {axis: partials}, **prefetch)


def plan_halos(script: Script, views: Sequence[ComputeView], lanes: Sequence[int]) -> None:
    """Fill the borders of buffers by vectors, image by image and channel by channel.

    The innermost loop is along contiguous elements, which may be all channels of a pixel: 255
    channels of 24 x 24 pixels, of which all but 3 x 3 are border: 57 -> 25 us (Zen 4).

    views: the computes, each of which fills one box of a border.  Boxes with the same vectors get
    the same schedule.  lanes: numbers of lanes, of which the first that suits a box is used.  The
    kernel's tasks share these loops (lowering/loop_to_llvm/tasks.py).
    """
    rest, left = script.match(views[0].name), len(views)
    for (width, vector), same in groupby(views, lambda view: _vectors_of_box(view, lanes)):
        boxes = [*same]
        leaf, left = rest, left - len(boxes)
        if left:
            leaf, rest = script.split_handle(rest, left)
        sizes = {a: width if a == vector else 1 for a in views[0].axes}
        if vector and axis_stride(boxes[0].outputs[0], vector) == 1:
            sizes[vector] = sizes.pop(vector)
        leaf, loops = script.tile(leaf, sizes)
        if script.is_parallel:
            script.parallel_each(loops[:2])
        if vector:
            script.vectorize(leaf, vector, width)


def _vectors_of_box(view: ComputeView, lanes: Sequence[int]) -> tuple[int, str]:
    """Return the lanes of the vectors that fill a box, and their axis; (1, "") for single elements.

    lanes: the numbers of lanes to choose from.
    """
    fitting = (
        (n, a)
        for n in lanes
        for a in reversed([*view.axes])
        if _holds(view, a, n) and lane_stride(view, view.outputs[0], a, n) == 1
    )
    return next(fitting, (1, ""))


def _holds(view: ComputeView, axis: str, lanes: int) -> bool:
    extent = view.axes[axis]
    return isinstance(extent, int) and extent >= lanes


def column_block(
    views: Sequence[ComputeView],
    sharing: Sharing,
    shared: str,
    lanes: int,
    target: Target,
    *,
    is_whole: bool = False,
) -> int:
    """Return the number of columns per block; 0 if vectors do not run along columns.

    sharing: the axes that the computes share, and their names in each compute.  shared: the last of
    these axes, which is the axis of columns.  is_whole: whether a block must
    have all columns.  A block has a few vectors, so that the values of all rows fit in half of L2;
    a block of all columns may have more vectors if it fits in half of L1.
    """
    pairs = [(view, axes[shared]) for view, axes in zip(views, sharing.axis_of, strict=True)]
    if any(vector_axis(v, lanes, [a]) is None or is_strided(v, a, lanes) for v, a in pairs):
        return 0
    extent = pairs[-1][0].axes[shared]
    rows = max(
        prod(likely(n) for a, n in view.axes.items() if a not in own.values())
        for view, own in zip(views, sharing.axis_of, strict=True)
    )
    column = rows * element_bytes(views[-1].outputs[0].type)
    most = max(COLUMN_VECTORS, target.l1_bytes // 2 // column // lanes if is_whole else 0)
    vectors = min(most, max(1, target.l2_bytes // 2 // column // lanes))
    return min(extent, vectors * lanes) if isinstance(extent, int) else vectors * lanes
