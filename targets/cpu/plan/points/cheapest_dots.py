"""The point of dot products that takes the fewest modelled cycles.

In: the operands and axes of dot products.  Out: the cheapest point that a search finds: first on
one core, then on several, among points that compute the same sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from math import ceil, prod

from .....analysis.strides import lane_stride
from .....dialects.te import ComputeView
from .....machines.cpu_numbers import numbers_of
from .....machines.target import Target
from ...cost.cycles import cycle_model
from ...cost.parts import KernelCost
from ...cost.search import cheapest, on_cores
from ..contraction import TiledContraction
from ..tiles import MOST_TERMS, even_part
from .cheapest_convolution import convolution_choice
from .cheapest_product import product_choice
from .choice import Axes, Choice, legal_axes
from .convolution_cost import ConvolutionCosts
from .dot_products import DotCosts, DotPoint, DotProducts, find_dot_products
from .product_cost import ProductCosts


def find_faster_dots(
    view: ComputeView, direct: TiledContraction | None, target: Target
) -> DotProducts | None:
    """Return a compute as dot products, if they take fewer modelled cycles; None otherwise.

    direct: the compute as a contraction of tiles with vectors of results; None if it is none.
    """
    dots = find_dot_products(view, target)
    if dots is None:
        return None
    cost = None if direct is None else contraction_cost(direct)
    least = cycles_along_results(dots) if cost is None else cost.cycles
    return dots if DotCosts(dots).cost(dot_choice(dots).default).cycles < least else None


def contraction_cost(c: TiledContraction) -> KernelCost | None:
    """Return the cost of a contraction with vectors of results, at the point of the plan.

    None if the model does not cover the point.
    """
    if c.has_pixels:
        return ConvolutionCosts(c).cost(convolution_choice(c).default)
    return ProductCosts(c).cost(product_choice(c, parallel=True).default)


def dot_choice(dots: DotProducts) -> Choice[DotPoint]:
    """Return the choice of a point (the numbers of a schedule) for dot products.

    The plan's point is the cheapest that a search finds.
    """
    find, axes = partial(_cheapest, dots), partial(_axes, dots)
    return Choice(dots, find, axes, lambda _, point: _fault(dots, point))


def _cheapest(dots: DotProducts) -> DotPoint:
    first = DotPoint(dots.tiles[-1], dots.lanes[0], k_block=_longest_pass(dots, dots.lanes[0]))
    costs = DotCosts(dots)
    cost = cache(costs.cost)

    def tiles(point: DotPoint) -> Iterator[DotPoint]:
        for lanes in dots.lanes:
            yield from (replace(point, tile=tile, lanes=lanes) for tile in dots.tiles)

    def passes(point: DotPoint) -> Iterator[DotPoint]:
        for size in _passes(dots):
            for group in _groups(dots):
                base = replace(point, k_block=size, row_group=group)
                yield from (replace(base, passes_outermost=order) for order in (False, True))

    def tasks(point: DotPoint) -> Iterator[DotPoint]:
        for group in _groups(dots):
            base = replace(point, row_group=group)
            yield from (replace(base, passes_outermost=order) for order in (False, True))

    fault = partial(_fault, dots)
    best = cheapest(
        first, [tiles, passes], lambda p: cost(p).cycles, fault, costs.least_cycles, gain=1.0
    )
    # The lanes and passes of the sums stay, so that results do not depend on the cores.
    several = on_cores(cost, best, numbers_of(dots.target).cores)
    return cheapest(best, [tasks], several, fault, costs.least_cycles)


def _longest_pass(dots: DotProducts, lanes: int) -> int:
    """Return the most rows of a sum that one accumulator may add up; 0: all of them."""
    most = max(1, MOST_TERMS // ceil(dots.extent(dots.axis) / lanes))
    return 0 if dots.sum_rows <= most else most


def _passes(dots: DotProducts) -> list[int]:
    inside, sizes = 1, {0}
    for axis in reversed(dots.sums):
        sizes |= {inside * size for size in _sizes(dots.extent(axis))}
        inside *= dots.extent(axis)
    return sorted(n for n in sizes if n < dots.sum_rows)


def _sizes(extent: int) -> list[int]:
    """Return the sizes of nearly equal parts of an axis, each about twice as large as the last."""
    return sorted({even_part(extent, 1 << n) for n in range(extent.bit_length())})


def _groups(dots: DotProducts) -> list[int]:
    extent = dots.extent(dots.rows)
    return [0, *(size for size in _sizes(extent) if size < extent)]


def _axes(dots: DotProducts, default: DotPoint, point: DotPoint) -> Axes:
    values: Axes = {
        "tile": dots.tiles,
        "lanes": dots.lanes,
        "k_block": _passes(dots),
        "row_group": _groups(dots),
        "passes_outermost": (False, True),
    }
    return legal_axes(point, default, values, partial(_fault, dots))


def _fault(dots: DotProducts, point: DotPoint) -> str:
    """Return the reason why a point is illegal, as a sentence; "" for a legal point."""
    longest = _longest_pass(dots, point.lanes)
    faults = {
        "the register tile does not fit in the registers": point.tile not in dots.tiles,
        "the processor has no vectors of that many lanes": point.lanes not in dots.lanes,
        "a pass has fewer rows than the sum": not 0 <= point.k_block < max(1, dots.sum_rows),
        "a sum has too many terms for one accumulator": longest > 0
        and not 0 < point.k_block <= longest,
        "a task has fewer results than all": not 0
        <= point.row_group
        < max(1, dots.extent(dots.rows)),
    }
    return next((reason for reason, is_true in faults.items() if is_true), "")


def cycles_along_results(dots: DotProducts) -> float:
    """Return the modelled cycles of the sums with vectors of results, without a register tile.

    A step of a sum loads both operands, every element between those that it uses included; adjacent
    results of a window share half of the loads.  Partial vectors are masked: they share no loads,
    and count twice.  Results without evenly spaced operands are scalars.
    """
    view, bits = dots.view, 8 * dots.item
    results, terms = (
        prod(map(dots.extent, axes)) for axes in (view.parallel_axes(), view.reduced_axes())
    )
    cycles = [float(results * terms)]
    for lanes in dots.lanes:
        model = cycle_model(dots.target.for_vectors(lanes * bits))
        for axis in view.parallel_axes():
            strides = [lane_stride(view, access, axis, lanes) for access in view.inputs]
            if None in strides or lane_stride(view, view.outputs[0], axis, lanes) != 1:
                continue
            loads = sum(max(1, abs(stride or 0)) for stride in strides) / model.loads
            whole, masked = (max(1 / model.fma_ports, n) for n in (loads / 2, loads))
            vectors, rest = divmod(dots.extent(axis), lanes)
            steps = vectors * whole + 2 * bool(rest) * masked
            cycles.append(results / dots.extent(axis) * terms * steps)
    return min(cycles)
