"""Scans: the threads of a block share a row, or the columns that are adjacent in memory.

In: the view of a scan.  Out: its schedule; None for other computes.

    Y[i, j] = X[i, 0] + .. + X[i, j]

A thread combines some adjacent elements of the row; the block then scans the results of its
threads in shared memory, in two levels; and each thread scans its elements again, beginning with
the combined elements before them (sched.split_scan).  So a row is read twice, the second time from
a cache.  The order of a sum depends on the shape, the type and the target alone.

In a contiguous row, the elements of a thread fill at least a vector of 16 bytes.  A scan along
columns has blocks of few adjacent columns, but of more than a vector, so that two threads fill a
sector of memory, if a thread per column would leave most of the GPU idle.  A row whose length has
no suitable divisor stays with one thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

from xdsl.ir import SSAValue

from ....dialects.dtypes import storage_bytes
from ....dialects.simt import WARP
from ....dialects.te import ComputeView, KernelOp
from ....dialects.te.verifier import accumulator_type
from ....machines.gpu import VECTOR_ACCESS
from ....machines.gpu_limits import GpuLimits, gpu_limits
from ....machines.gpu_numbers import numbers_of
from ....machines.target import Target
from ....passes.schedule.engine.axes import sliceable_axes
from ....support.names import Names
from .rewrites import after_steps, computes_in, named_computes
from .script import Script
from .streams import LAUNCH_SECONDS, Stream, parts_of
from .thread_per_point import (
    BLOCK_THREADS,
    GRID,
    LEAST_BLOCKS,
    fused_runs,
    grid_of,
    points_of,
    runs_of,
    with_blocks,
)
from .vectors import VECTOR_BYTES, scanned_lanes, vector_lanes


@dataclass(frozen=True)
class BlockScan:
    """How the threads of a block share scans.

    rows: the axes that select a row, or a row of columns.
    elements: the elements of a thread.
    groups: the adjacent threads whose results one thread combines.
    lanes: the elements of a vector, along the row or along the columns.
    column: the axis of the columns; empty if the rows are contiguous.
    width: the columns of a block.
    """

    rows: list[str]
    elements: int
    groups: int
    lanes: int = 1
    column: str = ""
    width: int = 1


def block_scan_of(view: ComputeView, target: Target) -> BlockScan | None:
    """Return how threads share the rows or columns of a scan; None for other computes."""
    if view.scan is None or len(view.outputs) != 1 or not isinstance(view.axes[view.scan], int):
        return None
    rows, (out,) = sliceable_axes(view), view.outputs
    if out.init is None or out.combiner in ("by", "maxnum"):
        return None
    if not rows or len(rows) + 1 < len(view.axes):
        return None
    lanes, column = scanned_lanes(view), out.indices[-1].variable() if out.indices else None
    limits, vectors = gpu_limits(target), target.has(VECTOR_ACCESS)
    size = max(storage_bytes(a.element_type) for a in (*view.reads, out))
    least, width = VECTOR_BYTES // size, 1
    if lanes == 1:
        extent = view.axes.get(str(column))
        many = points_of([view], rows)
        if column not in rows or not isinstance(extent, int):
            return None
        if not many or many >= LEAST_BLOCKS * BLOCK_THREADS:
            return None
        rows = [a for a in rows if a != column]
        lanes = vector_lanes([view], str(column)) if vectors else 1
        widths = (n for n in _divisors(extent) if n % lanes == 0 and n * size > VECTOR_BYTES)
        least, width = 1, next(widths, extent)
    if len(runs_of([view], rows)) + (width > 1) > len(GRID):
        return None
    across = width // lanes if width > 1 else 1
    length, most = view.extents[view.scan], min(BLOCK_THREADS, limits.threads) // across
    sizes = (n for n in _divisors(length) if n % least == 0 and length // n <= most)
    elements = next(sizes, length)
    threads = length // elements
    shared = 3 * threads * width * storage_bytes(accumulator_type(out))
    if threads * across < WARP or threads == 1 or shared > limits.shared_bytes:
        return None
    groups = next(n for n in range(isqrt(threads), 0, -1) if threads % n == 0)
    if width > 1:
        return BlockScan(rows, elements, groups, lanes, str(column), width)
    return BlockScan(rows, elements, groups, min(lanes, least) if vectors else 1)


def split_scans(script: Script, kernel: KernelOp, target: Target) -> KernelOp:
    """Divide scans of few long rows into parts; return the kernel after these steps.

    Three launches compute such a scan: the combined elements of each part, of those before each
    part, and the results.
    """
    found = {op.label: _part_of(op.view(), target) for op in named_computes(kernel)}
    parts = {name: part for name, part in found.items() if part is not None}

    def write(steps: Script) -> None:
        for op in computes_in(kernel):
            if op.label in parts and (view := op.view()).scan is not None:
                names = Names(view.axes)
                into = names.fresh("block"), names.fresh("near")
                steps.split_scan(steps.match(view.name), view.scan, parts[view.name], into)

    if not parts:
        return kernel
    write(script)
    return after_steps(kernel, write)


def _part_of(view: ComputeView, target: Target) -> int | None:
    """Return the elements per part of a scan that is faster in parts; None if none is."""
    made, numbers = block_scan_of(view, target), numbers_of(target)
    if made is None or made.column or view.scan is None:
        return None
    length, rows = view.extents[view.scan], points_of([view], made.rows)
    if not rows:
        return None
    size = max(storage_bytes(a.element_type) for a in view.reads)
    stream = Stream(rows, length * size, BLOCK_THREADS, VECTOR_BYTES, rows * size)

    def seconds(parts: int) -> float:
        launches = LAUNCH_SECONDS if parts > 1 else 0
        return stream.seconds(numbers, parts) + launches

    parts = min(parts_of(length, WARP * WARP, numbers.multiprocessors), key=seconds)
    return length // parts if parts > 1 else None


def _divisors(number: int) -> list[int]:
    return [n for n in range(1, number + 1) if number % n == 0]


def plan_block_scan(script: Script, view: ComputeView, made: BlockScan, limits: GpuLimits) -> None:
    """Write the steps of the schedule of a scan whose rows or columns share blocks."""
    assert view.scan is not None, "a scan"
    names = Names(view.axes)
    part, own, group, member, block, strip, lane, near = (
        names.fresh(n) for n in ("part", "own", "group", "member", "block", "strip", "lane", "near")
    )
    sums, before, handle = script.split_scan(
        script.match(view.name), view.scan, made.elements, (part, own)
    )
    inner = script.split_scan(before, part, made.groups, (group, member))
    rows, along = made.rows, "threadIdx.x"
    if made.column:
        handle = script.split(handle, made.column, made.width, (block, strip))
        view = with_blocks(view, made.column, block, made.width)
        rows, along = [*rows, block], "threadIdx.y"

    def divided(
        handle: SSAValue, parts: str, serial: str, columns: str, outer: Sequence[str] = ()
    ) -> SSAValue:
        """Divide the parts, and the columns of a block, among threads; return the compute.

        parts, serial: the axis of the parts, empty if there is none, and that inside of a thread.
        columns: the axis of the columns of a block.  outer: the other axes.
        """
        lanes = made.lanes if made.column or serial == own else 1
        vector = near if made.column else own
        if made.column:
            handle = script.split(handle, columns, lanes, (lane, near))
            order = [*outer, *filter(None, (parts, lane, serial)), near]
            handle = script.bind(script.reorder(handle, order), {lane: "threadIdx.x"})
        elif outer:
            handle = script.reorder(handle, [*outer, parts, serial])
        handle = script.bind(handle, {parts: along}) if parts else handle
        return script.vectorize(handle, vector, lanes) if lanes > 1 else handle

    handle = divided(handle, part, own, strip, rows)
    handle, loops = fused_runs(script, handle, view, rows, [part, own, strip, lane, near])
    counts = [points_of([view], run) for run in reversed(runs_of([view], rows))]
    handle = script.bind(handle, grid_of(loops[::-1], counts, limits))
    moved: list[SSAValue] = []
    for producer in (*reversed(inner), sums):
        producer, handle = script.compute_at(producer, handle, loops[-1])
        moved.append(script.share(producer, 0))
    before, of_all, of_groups, sums = moved
    divided(before, group, member, made.column)
    divided(of_all, "", group, made.column)
    divided(of_groups, group, member, made.column)
    divided(sums, part, own, made.column)
