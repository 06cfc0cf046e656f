"""Sums in parts: two launches for a sum that has too few blocks (streams.py).

In: a kernel and the target.  Out: steps that divide sums, and a copy of the kernel after these
steps, whose computes get schedules of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from ....dialects.dtypes import bit_width
from ....dialects.te import ComputeView, KernelOp
from ....machines.gpu import VECTOR_ACCESS
from ....machines.gpu_limits import gpu_limits
from ....machines.gpu_numbers import GpuNumbers, numbers_of
from ....machines.target import Target
from ....support.names import Names
from .product import Product, convolution_of, product_cost_of, product_of
from .rewrites import after_steps, changed_views, computes_in, named_computes
from .script import Script
from .streams import parts_of, second_launch
from .sums import parts_of_sum
from .tensor_product import TensorProduct, tensor_product_of
from .tensor_tiles import cost_of
from .windows import windows_of

_LEAST_STEPS = 64
"""The fewest terms of a part of a matrix product: four steps of its tiles."""

_MOST_TILE_PARTS = 16
"""The most parts of a matrix product with tiles, whose parts are large."""


@dataclass(frozen=True)
class SplitSum:
    """How to divide a sum into parts, which one launch computes and a second launch adds.

    axis: the axis of the sum that is divided.
    length: the elements of a part along the axis.
    """

    axis: str
    length: int


def splits_of(kernel: KernelOp, target: Target, grouped: Collection[str]) -> dict[str, SplitSum]:
    """Return how to divide the sums of a kernel that are faster in parts, by compute name.

    grouped: the names of computes that share a launch with others.
    """
    names = (op for op in named_computes(kernel) if op.label not in grouped)
    found = {op.label: _split_of(kernel, op.view(), target) for op in names}
    return {name: split for name, split in found.items() if split is not None}


def split_sums(script: Script, kernel: KernelOp, splits: Mapping[str, SplitSum]) -> KernelOp:
    """Write the steps that divide sums into parts; return the kernel after these steps.

    splits: how to divide each sum, by the name of the compute.  The returned kernel is a copy;
    without splits it is the kernel itself.
    """
    if not splits:
        return kernel
    _write(script, kernel, splits)
    return after_steps(kernel, lambda steps: _write(steps, kernel, splits))


def _write(script: Script, kernel: KernelOp, splits: Mapping[str, SplitSum]) -> None:
    for op in computes_in(kernel):
        if op.label in splits:
            split, view = splits[op.label], op.view()
            part = Names(view.axes).fresh("part")
            into = (part, split.axis)
            script.rfactor(script.match(view.name), split.axis, split.length, into, part="outer")


def _split_of(kernel: KernelOp, view: ComputeView, target: Target) -> SplitSum | None:
    if all(view.axes[axis] == 1 for axis in view.reduced_axes()):
        return None
    if not all(isinstance(extent, int) and extent > 0 for extent in view.axes.values()):
        return None
    if view.scan or any(out.init is None or out.combiner == "by" for out in view.outputs):
        return None
    if target.has(VECTOR_ACCESS) and windows_of(view, gpu_limits(target)) is not None:
        return None
    if (tiles := _tiles(view, target)) is not None:
        return _product_split(kernel, view, tiles, target)
    if isinstance(convolution_of(view, target), Product):
        return None
    axis, parts = parts_of_sum(view, target)
    return SplitSum(axis, view.extents[axis] // parts) if parts > 1 else None


# ---- matrix products


def _tiles(view: ComputeView, target: Target) -> Product | TensorProduct | None:
    tensor = tensor_product_of(view, target)
    return tensor if isinstance(tensor, TensorProduct) else product_of(view, target)


def _product_split(
    kernel: KernelOp, view: ComputeView, tiles: Product | TensorProduct, target: Target
) -> SplitSum | None:
    """Return how to divide the sums of a matrix product for the least modelled time.

    None if they should stay whole.  tiles: the tiles of the product.
    """
    numbers, axis = numbers_of(target), tiles.axes.k
    if tiles.form is not None or _blocks(view, tiles) >= numbers.multiprocessors:
        return None
    best, least = None, _seconds(view, tiles, numbers)
    for parts in parts_of(view.extents[axis], _LEAST_STEPS, _MOST_TILE_PARTS)[1:]:
        split = SplitSum(axis, view.extents[axis] // parts)
        part = _part(kernel, view, split)
        made = _tiles(part, target)
        if made is None:
            continue
        (out,) = part.outputs
        results = prod(part.extents[a] for a in part.parallel_axes()) // parts
        stored = results * bit_width(out.element_type) // 8
        seconds = _seconds(part, made, numbers) + second_launch(numbers, stored, parts)
        if seconds < least:
            best, least = split, seconds
    return best


def _part(kernel: KernelOp, view: ComputeView, split: SplitSum) -> ComputeView:
    """Return the compute of the partial sums after a sum of a kernel is divided into parts.

    view: the sum.
    split: how to divide it.
    """
    made = split_sums(Script(kernel.label), kernel, {view.name: split})
    _, added = changed_views(kernel, made, view.name)
    return added[0]


def _blocks(view: ComputeView, tiles: Product | TensorProduct) -> int:
    axes = tiles.axes
    sizes: Sequence[tuple[str, int]] = ((axes.m, tiles.rows), (axes.n, tiles.columns))
    batch = prod(view.extents[axis] for axis in axes.batch)
    return batch * prod(-(-view.extents[axis] // size) for axis, size in sizes)


def _seconds(view: ComputeView, tiles: Product | TensorProduct, numbers: GpuNumbers) -> float:
    if isinstance(tiles, TensorProduct):
        return cost_of(view, tiles, numbers).clocks / numbers.clock_hz
    return product_cost_of(view, tiles, numbers).clocks / numbers.clock_hz
