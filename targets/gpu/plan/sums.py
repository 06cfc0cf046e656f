"""Sums without tiles: strips of columns, warps of thin products, rows, and one thread per result.

In: the view of a sum.  Out: its schedule, and the fastest number of parts to divide it into.
"""

from __future__ import annotations

from math import prod

from ....dialects.dtypes import storage_bytes
from ....dialects.simt import WARP
from ....dialects.te import Access, ComputeView
from ....dialects.te.verifier import accumulator_type
from ....machines.gpu_limits import gpu_limits
from ....machines.gpu_numbers import GpuNumbers, numbers_of
from ....machines.target import Target
from .product import Product, convolution_clocks, product_of
from .rows import Rows, plan_rows, rows_of
from .script import Script
from .streams import Stream, parts_of
from .strips import plan_strips, strips_of
from .tensor_product import TensorProduct, tensor_product_of
from .thin_products import plan_thin_product, thin_product_of
from .thread_per_point import BLOCK_THREADS, USEFUL_THREADS

_LEAST_TERMS, _LEAST_OF_THREAD = 32, 4
"""The fewest terms of a part of a sum, and the fewest of each thread that shares the sum."""

_MOST_PARTS = 1024
"""The most parts of a sum whose results are few."""

_LOADS = 8
"""The loads of elements that a thread has in flight."""


def plan_sum(script: Script, view: ComputeView, target: Target) -> bool:
    """Plan a sum with strips of columns, or with a warp or block per row; else return False."""
    limits = gpu_limits(target)
    strips = strips_of(view, limits, numbers_of(target), is_whole=True)
    if strips is not None:
        plan_strips(script, view, strips, limits)
        return True
    thin = thin_product_of(view, limits)
    if thin is not None:
        plan_thin_product(script, view, thin, limits)
        return True
    rows = _rows(view, target)
    if rows is not None:
        plan_rows(script, rows, limits)
    return rows is not None


def has_strips(view: ComputeView, target: Target) -> bool:
    """Return whether the plan computes a matrix product in strips of columns, and not in tiles."""
    limits, numbers = gpu_limits(target), numbers_of(target)
    if strips_of(view, limits, numbers) is None or product_of(view, target) is not None:
        return False
    return not isinstance(tensor_product_of(view, target), TensorProduct)


def is_slower_than_strips(view: ComputeView, tiles: Product, target: Target) -> bool:
    """Return whether strips of columns compute a convolution in less modelled time than tiles."""
    if tiles.form is None:
        return False
    limits, numbers = gpu_limits(target), numbers_of(target)
    strips = strips_of(view, limits, numbers, is_whole=True)
    return strips is not None and strips.seconds < convolution_clocks(tiles) / numbers.clock_hz


def has_rows(view: ComputeView, target: Target) -> bool:
    """Return whether the plan computes each result of a sum by a warp or a block of its own."""
    is_thin = thin_product_of(view, gpu_limits(target)) is not None
    return is_thin or _rows(view, target) is not None


def parts_of_sum(view: ComputeView, target: Target) -> tuple[str, int]:
    """Return the axis along which to divide a sum, and into how many parts.

    The number of parts is 1 if the sum is faster undivided.
    """
    limits, numbers = gpu_limits(target), numbers_of(target)
    if (strips := strips_of(view, limits, numbers)) is not None:
        return strips.along, strips.parts
    axis = next(axis for axis in view.reduced_axes() if view.axes[axis] != 1)
    again = not has_rows(view, target) and not _reads_once(view)
    return axis, _parts(view, axis, *_block_of(view, target), numbers, is_read_again=again)


def _reads_once(view: ComputeView) -> bool:
    """Return whether an operand depends on all axes, so that no two sums have a term in common."""
    longest = {axis for axis, extent in view.axes.items() if extent != 1}
    return any(longest <= access.axes() for access in view.inputs if not access.is_index)


def _block_of(view: ComputeView, target: Target) -> tuple[int, int]:
    """Return (results, threads): how many of each a block has in the plan without strips."""
    if (thin := thin_product_of(view, gpu_limits(target))) is not None:
        sums = prod(view.extents[a] for a in thin.rows)
        return thin.warps * sums, thin.warps * WARP
    if (rows := _rows(view, target)) is not None:
        together = 1 if rows.together is None else rows.together[1]
        return together, together * rows.threads
    results = prod(view.extents[a] for a in view.parallel_axes())
    return min(results, BLOCK_THREADS), min(results, BLOCK_THREADS)


def _rows(view: ComputeView, target: Target) -> Rows | None:
    """Return the plan with a warp or block per row of a sum; None if accesses do not coalesce.

    They coalesce if adjacent elements of an operand are terms of one sum.
    """
    if not _reads_rows(view):
        return None
    return rows_of([view], target)


def _reads_rows(view: ComputeView) -> bool:
    """Return whether a warp per row reads an operand of a sum by adjacent elements.

    That is so if adjacent elements of the operand are terms of one sum.  True also if there are
    fewer results than a warp has threads, because one thread per result would leave the warp idle.
    """
    reduced = {axis for axis in view.reduced_axes() if view.axes[axis] != 1}
    sizes = [view.axes[axis] for axis in view.parallel_axes()]
    results = prod(size if isinstance(size, int) else WARP for size in sizes)
    operands = [access for access in view.inputs if not access.is_index]
    ends = [access.indices[-1] for access in operands if access.indices]
    return results < WARP or any(reduced & set(index.variables()) for index in ends)


def _parts(
    view: ComputeView,
    axis: str,
    results: int,
    threads: int,
    numbers: GpuNumbers,
    *,
    is_read_again: bool,
) -> int:
    """Return the number of parts into which to divide a sum, for the least modelled time.

    A sum whose operands are single elements stays whole: its time is not that of reads.  Sums that
    read their operands again stay whole if there are enough of them for most of a GPU, or if they
    are short.
    axis: the axis that is divided.
    results, threads: the results and the threads of a block.
    is_read_again: whether each thread reads all operands of its result, from caches.  A warp or
    block per row shares the rows that it reads, so the operands are read from memory once.
    """
    every = prod(view.extents.values())
    operands = [access for access in view.inputs if access.indices and not access.is_index]
    if not operands:
        return 1
    read = sum(_bytes(view, access) for access in operands)
    terms = prod(view.extents[a] for a in view.reduced_axes())
    if is_read_again and not every // terms < USEFUL_THREADS <= terms:
        return 1
    if is_read_again:
        read = every * sum(storage_bytes(access.element_type) for access in operands)
    blocks = -(-every // terms // results)
    stream = Stream(
        blocks=blocks,
        block_bytes=max(1, -(-read // blocks)),
        threads=threads,
        thread_bytes=_LOADS * max(storage_bytes(a.element_type) for a in operands),
        result_bytes=every // terms * storage_bytes(accumulator_type(view.outputs[0])),
    )
    wanted = max(_LEAST_TERMS, _LEAST_OF_THREAD * threads // results)
    least = -(-wanted * view.extents[axis] // terms)
    choices = parts_of(view.extents[axis], least, _MOST_PARTS)
    return min(choices, key=lambda parts: stream.seconds(numbers, parts))


def _bytes(view: ComputeView, access: Access) -> int:
    points = prod(n for axis, n in view.extents.items() if axis in access.axes())
    return points * storage_bytes(access.element_type)
