"""Matrix products of narrow types by matrix instructions: a tile of the result per warp.

In: the view of a compute.  Out: the steps of its schedule, or the reason why it has none.

    C[b, m, n] += A[b, m, k] * B[b, k, n]

    Operands are f16, bf16 or rounded f32, with sums in f32, or bytes, with sums in i32.

All threads of a block copy a tile of each operand to shared memory.  Then each warp multiplies its
rows by its columns with an intrinsic of targets/gpu/intrinsics.py, and accumulates in registers.
Tiles that reach beyond an axis read zeros there, as in product.py.  Rows of a tile are an odd
multiple of 16 bytes apart, so the eight rows that ldmatrix reads at once are in different banks.  A
wave of MFMA has 64 threads.  A convolution is such a product, too (convolution.py); bytes of its
image are stored by pixel: a thread loads the four bytes of a register at once.

The tiles of blocks and warps have the least time in a model (tile_cost.py).  A warp of a
convolution has a half of the rows, and a half or a quarter of the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from xdsl.dialects.builtin import f32, i8
from xdsl.ir import Attribute, SSAValue

from ....analysis.patterns.bodies import is_narrow
from ....dialects.shape import Dim
from ....dialects.te import ComputeView, IntrinsicOp
from ....machines.gpu import GpuLimits
from ....machines.gpu_limits import gpu_limits
from ....machines.gpu_numbers import GpuNumbers, numbers_of
from ....machines.target import Target
from ..intrinsics import intrinsic_of
from .convolution import (
    ConvolutionForm,
    assumed,
    convolution_forms,
    direct_clocks,
)
from .product import (
    LEAST,
    ProductAxes,
    axes_of,
    bind_blocks,
    copy_name,
    gather,
    grid_dimensions,
    is_small,
    operand_axes,
    product_axes,
)
from .script import Script
from .tensor_tiles import (
    TensorProduct,
    copied_at_once,
    cost_of,
    fits,
    form_cycles,
    form_tiles,
    group_tiles,
    panel_width,
    stores_pairs,
    tensor_tiles,
    tile_orders,
)
from .tile_cost import cheapest
from .warps import divide_elements, divide_fragments


def tensor_product_of(view: ComputeView, target: Target) -> TensorProduct | str | None:
    """Choose the tiles of a matrix product or convolution by matrix instructions.

    Return the reason as text if the product has no tiles, and None for any other compute.
    """
    if any(x.is_index or not _is_narrow(x.element_type) for x in view.inputs):
        return None
    axes = product_axes(view)
    # Axes of a batch may become rows or columns of one product.
    forms = convolution_forms(view) if axes is None or axes.batch else []
    if axes is None and not forms:
        return None
    intrinsic = intrinsic_of(view if axes else forms[0].of_copies, target)
    if isinstance(intrinsic, str):
        return None if view.inputs[0].element_type == f32 else intrinsic
    if axes is None:
        return _convolution(view, forms, intrinsic, target)
    found = _product(view, axes, intrinsic, target)
    by_channel = [form for form in forms if form.is_by_channel and not is_small(form)]
    merged = _by_channel(by_channel, intrinsic, target) if by_channel else ""
    if isinstance(found, str) or isinstance(merged, str):
        return found if isinstance(merged, str) else merged
    gpu = numbers_of(target)
    return cheapest([found, merged], lambda p: cost_of(view_of(view, p), p, gpu))


def _product(
    view: ComputeView, axes: ProductAxes, intrinsic: IntrinsicOp, target: Target
) -> TensorProduct | str:
    """Choose the tiles of a matrix product; return the reason as text if it has none.

    axes: the axes of the product.
    intrinsic: the matrix instruction.
    """
    extents = [view.axes[axis] for axis in (axes.m, axes.n)]
    if any(isinstance(n, int) and n < LEAST for n in extents):
        return f"fewer than {LEAST} rows or columns"
    if any(isinstance(view.axes[axis], Dim) for axis in axes.batch[1:]):
        return "a dynamic size of a batch axis that is not the outermost"
    lasts = [e.variable() for access in view.inputs for e in list(access.indices or ())[-1:]]
    if any(axis in axes.batch for axis in lasts):
        return "an operand whose neighbors belong to other products"
    tiles = [f(view, axes, intrinsic, target) for f in (group_tiles, tensor_tiles)]
    whole = [p for p in chain(*tiles) if not p.ragged & axes.shared]
    if not whole:
        return "tiles do not divide a dimension that has several axes, or is a part of another"
    limits = gpu_limits(target)
    found = [p for p in whole if fits(view, p, limits)]
    if not found:
        return "the threads or the shared memory of a block of the target are too few"
    gpu = numbers_of(target)
    found.sort(key=lambda p: (-p.step, -p.stages))
    return cheapest(found, lambda p: cost_of(view, p, gpu))


def _convolution(
    view: ComputeView, forms: Sequence[ConvolutionForm], intrinsic: IntrinsicOp, target: Target
) -> TensorProduct | str:
    """Choose the tiles of a convolution; return the reason as text if it has none.

    forms: the ways to compute it as a matrix product.
    intrinsic: the matrix instruction.
    """
    large = [form for form in forms if not is_small(form)]
    if not large:
        return f"fewer than {LEAST} filters of a group, or pixels"
    by_channel = [form for form in large if form.is_by_channel]
    if by_channel:
        return _by_channel(by_channel, intrinsic, target)
    tiles = [p for form in large for p in form_tiles(form, axes_of(form), intrinsic)]
    if not tiles:
        return "no tile divides the sums or a group"
    limits = gpu_limits(target)
    found = [p for p in tiles if fits(view, p, limits)]
    if not found:
        return "the threads or the shared memory of a block of the target are too few"
    best = min(found, key=lambda p: form_cycles(p))
    assert best.form is not None, "the tiles of a convolution"
    clocks = form_cycles(best) * assumed(best.form.view.axes[best.axes.k])
    direct = direct_clocks(view, 1)
    if clocks >= direct:
        return f"tiles would take {clocks:.0f} clocks of the model, not {direct:.0f}"
    return best


def _by_channel(
    forms: Sequence[ConvolutionForm], intrinsic: IntrinsicOp, target: Target
) -> TensorProduct | str:
    limits, gpu = gpu_limits(target), numbers_of(target)
    found = [
        p
        for form in forms
        for p in tensor_tiles(form.view, axes_of(form), intrinsic, target, form)
        if fits(form.view, p, limits)
    ]
    if not found:
        return "no tile divides a group or fits the target"
    found.sort(key=lambda p: -p.stages)
    # In each step, the threads compute the tap that its channels belong to.
    return cheapest(found, lambda p: cost_of(view_of(forms[0].view, p), p, gpu), lambda p: p.step)


def view_of(view: ComputeView, p: TensorProduct) -> ComputeView:
    """Return the compute to plan: the matrix product of a convolution, or the compute itself.

    view: the compute.
    p: its tiles.
    """
    return view if p.form is None else p.form.view


def product_seconds(view: ComputeView, tiles: TensorProduct, numbers: GpuNumbers) -> float:
    """Return the modelled time of a product by matrix instructions, in seconds."""
    return cost_of(view_of(view, tiles), tiles, numbers).clocks / numbers.clock_hz


def _is_narrow(type_: Attribute) -> bool:
    return is_narrow(type_) or type_ in (f32, i8)


# -- the schedule ----------------------------------------------------------------------------------


def plan_tensor_product(
    script: Script, view: ComputeView, p: TensorProduct, limits: GpuLimits
) -> None:
    """Write the steps of the schedule of a matrix product by matrix instructions.

    p: its tiles.
    """
    axes, own, warp = p.axes, view_of(view, p), (p.warp_rows, p.warp_columns)
    compute = script.match(view.name)
    ragged = {axis: n for axis, n in p.sizes.items() if axis in p.ragged}
    if p.form is not None:
        compute = gather(script, compute, p.form, ragged, tile_orders(p))
    elif ragged:
        compute = script.pad(compute, ragged)
    compute, copy = script.cache_write(compute, p.form.outputs if p.form else ())
    copy = script.split(copy, axes.m, p.rows, ("mo", "mi"))
    copy = script.split(copy, axes.n, p.columns, ("no", "ni"))
    copy = divide_fragments(
        script, copy, p.sums, ("mi", "ni"), warp, axes.grid, has_pairs=stores_pairs(own, p)
    )
    grid = grid_dimensions(own, axes, p.sizes, limits)
    copy, last = bind_blocks(script, copy, axes, grid, band=p.band)
    compute, copy = script.compute_at(compute, copy, last)
    compute = _warps(script, compute, p)
    start, compute = script.decompose_reduction(compute, "ko")
    divide_fragments(script, start, p.sums, (axes.m, axes.n), warp, axes.batch)
    for operand, names in enumerate(operand_axes(view, p.form)):
        access = own.inputs[operand]
        is_ragged = bool(access.axes() & p.ragged)
        if is_ragged or p.form is not None:
            tile = script.share(script.match(copy_name(view, p.form, operand)), 0)
        else:
            tile, compute = script.cache_read(compute, operand, names)
        tile, compute = script.compute_at(tile, compute, "ko")
        if not p.is_grouped:
            tile = script.storage_align(tile, names[-2], 2 * p.row, p.row)
        if (width := panel_width(own, p, operand)) is not None:
            tile = script.split(tile, names[-1], width, ("panel", "column"))
            names[-2:] = "panel", names[-2], "column"
            tile = script.reorder(tile, names)
        if p.form is not None and operand == 1 and p.is_exact and not p.is_by_channel:
            names[-2:] = names[:-3:-1]
            tile = script.reorder(tile, names)
        part = copied_at_once(view, p, operand)
        tile = divide_elements(script, tile, names, part, p.warp, p.warps)
        if p.stages > 1:
            script.double_buffer(tile, p.stages)
    script.tensorize(compute, p.intrinsic, "mw")


def _warps(script: Script, handle: SSAValue, p: TensorProduct) -> SSAValue:
    axes = p.axes
    handle = script.split(handle, axes.k, p.step, ("ko", "ki"))
    handle = script.split(handle, axes.m, p.warp_rows, ("wy", "mw"))
    handle = script.split(handle, axes.n, p.warp_columns, ("wx", "nw"))
    handle = script.reorder(handle, ["ko", *axes.batch, "wy", "wx", "mw", "nw", "ki"])
    return script.bind(handle, {"wy": "threadIdx.z", "wx": "threadIdx.y"})


__all__ = [
    "TensorProduct", "plan_tensor_product", "product_seconds",
    "tensor_product_of", "view_of",
]  # fmt: skip
