"""The schedule of a kernel with one compute: as a product, a convolution, or element by element.

In: the view of the compute, and which operands are weights.  Out: the steps of its schedule.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ....analysis.patterns.contraction import group_of
from ....analysis.patterns.sharing import lane_bits
from ....analysis.strides import divisors_of_axis
from ....dialects.te import ComputeView
from ....machines.target import Target
from ....support.names import Names
from .block_product import plan_block_product
from .contraction import TiledContraction, analyse
from .convolution import plan_convolution, plan_dot_products
from .merged_axes import points_along
from .points.cheapest_dots import contraction_cost, find_faster_dots
from .pointwise import plan_pointwise, split_repeated_rows, vector_axis, widths_from
from .product import plan_product
from .script import Script
from .transposed_result import find_transposed_result, plan_transposed_result


def plan_single(
    script: Script,
    view: ComputeView,
    constants: set[SSAValue],
    target: Target,
) -> None:
    """Plan a kernel of one compute: as a product, as a convolution, or element by element.

    If the channels are in blocks smaller than a vector, vectors are narrower than those of the
    target.
    constants: the arguments of the kernel that are weights.
    """
    if plan_block_product(script, view, constants, target):
        return
    contraction = direct_contraction(view, constants, target)
    transposed = find_transposed_result(view, contraction, constants, target)
    if transposed is not None:
        plan_transposed_result(script, script.match(view.name), transposed)
        return
    if _plan_groups(script, view, contraction, constants, target):
        return
    dots = find_faster_dots(view, contraction, target)
    if dots is not None:
        plan_dot_products(script, script.match(view.name), dots)
    elif contraction is not None:
        leaf = script.match(view.name)
        leaf, contraction = _with_plain_axes(script, leaf, contraction, constants)
        _plan_contraction(script, leaf, contraction)
    else:
        plan_elementwise(script, view, constants, target)


def direct_contraction(
    view: ComputeView, constants: set[SSAValue], target: Target
) -> TiledContraction | None:
    """Return a compute as a contraction of operands in their stored layouts; None if it is none.

    constants: the arguments of the kernel that are weights.
    """
    choices = widths_of(view, target)
    for lanes in choices:
        found = analyse(view, constants, target, lanes)
        if found is not None and found.reduced:
            if 2 * found.columns <= lanes and lanes > choices[-1]:
                continue  # half a vector holds all columns, without masks
            return found
    return None


def plan_elementwise(
    script: Script, view: ComputeView, constants: set[SSAValue], target: Target
) -> None:
    """Plan a compute that is no contraction, with narrower vectors if rows are short.

    constants: the arguments of the kernel that are weights.
    """
    widths = widths_of(view, target, _last_axis(view))
    leaf, view = split_repeated_rows(script, script.match(view.name), view, widths)
    plan_pointwise(script, leaf, view, _pointwise_lanes(view, widths), constants, target)


def _pointwise_lanes(view: ComputeView, choices: Sequence[int]) -> int:
    """Return the lanes of the widest vectors that some axis fills by more than half.

    choices: the numbers of lanes to choose from, the largest first.  If no axis is long enough,
    return the smallest choice for which some axis can have vectors.
    """
    fitting = [(n, axis) for n in choices if (axis := vector_axis(view, n, view.parallel_axes()))]
    filled = (n for n, axis in fitting if 2 * points_along(view, axis) > n)
    narrowest = fitting[-1][0] if fitting else choices[0]
    return next(filled, narrowest)


def _with_plain_axes(
    script: Script, leaf: SSAValue, c: TiledContraction, constants: set[SSAValue]
) -> tuple[SSAValue, TiledContraction]:
    """Split the batch and vector axes of a product that operands index by quotient and remainder.

    Return the handle and the contraction after the steps; both unchanged if no axis is split.
    Reshapes lead to such indices: ``x[b floordiv 12, m, b mod 12, k]``.  Packing a copy for a
    single ``b`` would copy the matrices of all remainders; after the split, the copy has one
    matrix.  A vector along ``x[m floordiv 166, k, m mod 166]`` that crosses the end of a row would
    be loaded element by element.
    """
    if len(c.rows) > 1:
        return leaf, c
    for axis in (*c.batch, c.vector_axis):
        extent, is_vector = c.extent(axis), axis == c.vector_axis
        sizes = [d for d in divisors_of_axis(c.view, axis) if 1 < d < extent and not extent % d]
        if not sizes or (is_vector and not max(sizes) % c.lanes):
            continue
        names = Names(c.view.axes)
        parts = names.fresh(f"{axis}o"), names.fresh(f"{axis}i")
        found = analyse(c.view.split(axis, max(sizes), *parts), constants, c.target, c.lanes)
        if found is not None and found.vector_axis == (parts[1] if is_vector else c.vector_axis):
            leaf = script.split_axis(leaf, axis, max(sizes), parts)
            return _with_plain_axes(script, leaf, found, constants)
    return leaf, c


def _plan_groups(
    script: Script,
    view: ComputeView,
    direct: TiledContraction | None,
    constants: set[SSAValue],
    target: Target,
) -> bool:
    """Plan a grouped convolution as one product per group; return False for any other compute.

    Vectors of one product for all groups must divide the channels of a group; those of a product
    per group may be partial.  The product with fewer modelled cycles is planned.
    direct: one product for all groups; None if there is none.
    """
    lanes = lanes_of(view, target)
    if direct is not None and (direct.group == direct.columns or direct.lanes >= lanes):
        return False
    groups = (
        (axis, size)
        for axis in view.parallel_axes()
        for access in view.inputs
        if (size := group_of(view, access, axis))
    )
    axis, size = next(groups, ("", 0))
    if not size:
        return False
    names = Names(view.axes)
    parts = names.fresh(f"{axis}o"), names.fresh(f"{axis}i")
    grouped = view.split(axis, size, *parts)
    contraction = analyse(grouped, constants, target, lanes)
    if contraction is not None and not (contraction.reduced and contraction.rows):
        contraction = None
    if direct is not None and not _is_cheaper(contraction, direct):
        return False
    transposed = find_transposed_result(grouped, contraction, constants, target)
    dots = None if transposed is not None else find_faster_dots(grouped, contraction, target)
    if contraction is None and transposed is None and dots is None:
        return False
    leaf = script.split_axis(script.match(view.name), axis, size, parts)
    if transposed is not None:
        plan_transposed_result(script, leaf, transposed)
    elif dots is not None:
        plan_dot_products(script, leaf, dots)
    elif contraction is not None:
        _plan_contraction(script, leaf, contraction)
    return True


def _is_cheaper(c: TiledContraction | None, other: TiledContraction) -> bool:
    """Return whether a contraction takes fewer modelled cycles than another one.

    False if there is no such contraction, or if the model does not cover one of the two.
    """
    ours = contraction_cost(c) if c is not None else None
    theirs = contraction_cost(other)
    return ours is not None and theirs is not None and ours.cycles < theirs.cycles


def _plan_contraction(script: Script, leaf: SSAValue, c: TiledContraction) -> None:
    if c.has_pixels:
        plan_convolution(script, leaf, c)
    else:
        plan_product(script, leaf, c)


def _last_axis(view: ComputeView) -> str | None:
    return next((a for a in reversed(view.parallel_axes()) if view.extents[a] > 1), None)


def widths_of(view: ComputeView, target: Target, axis: str | None = None) -> list[int]:
    """Return the lanes of a full, half and quarter vector, without those below four lanes.

    axis: the axis along which vectors run; accesses that do not depend on it are scalar and do not
    count for the widest type.
    """
    return widths_from(lanes_of(view, target, axis))


def lanes_of(view: ComputeView, target: Target, axis: str | None = None) -> int:
    """Return the lanes of a vector for the widest type that a compute accesses, at least 32 bits.

    axis: the axis along which vectors run; accesses that do not depend on it, such as the index of
    a gather, are scalar and do not count.
    """
    touched = view.accesses()
    if axis is not None and not view.reduced_axes():
        touched = [a for a in touched if a.is_whole or axis in a.axes()]
    return target.lanes(lane_bits(touched))
