"""Matrix products of narrow types by matrix instructions: a tile of the result per warp.

In: the view of a compute.  Out: the steps of its schedule, or the reason why it has none.

    C[b, m, n] += A[b, m, k] * B[b, k, n]

    Operands are f16, bf16 or rounded f32, with sums in f32, or bytes, with sums in i32.

Rules of gpu-plan:
G10  All threads of a block copy a tile of each operand to shared memory.  Then each warp multiplies
     its rows by its columns with an intrinsic of targets/gpu/intrinsics.py, and accumulates in
     registers.  Tiles that reach beyond an axis read zeros there, as in G7.
     Rows of a tile are an odd multiple of 16 bytes apart, so the eight rows that ldmatrix reads at
     once are in different banks.  A wave of MFMA has 64 threads.  A convolution is such a product,
     too (G14); bytes of its image are stored by pixel: a thread loads the four bytes of a register
     at once.
G11  The tiles of blocks and warps have the least time in a model (tile_cost.py).  A warp of a
     convolution has a half of the rows, and a half or a quarter of the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain

from xdsl.dialects.builtin import f32, i8
from xdsl.ir import Attribute, SSAValue

from ....analysis.patterns.bodies import is_narrow
from ....analysis.patterns.intrinsics import PatternMismatch, match_bodies
from ....dialects.shape import Dim
from ....dialects.simt import SWIZZLED_ROW
from ....dialects.te import ComputeView, IntrinsicOp
from ....machines.gpu import GpuLimits
from ....machines.gpu_limits import gpu_limits
from ....machines.gpu_numbers import GpuNumbers, numbers_of
from ....machines.target import Target
from ...library.plans import has_features
from ..intrinsics import MATRIX_INTRINSICS, make_matrix_intrinsic
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
    Sums,
    TensorProduct,
    copied_at_once,
    cost_of,
    fits,
    form_cycles,
    form_tiles,
    group_tiles,
    stores_pairs,
    sums_of,
    tensor_tiles,
    tile_orders,
)
from .tile_cost import cheapest


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
    """Choose the tiles of a matrix product; return the reason as text if it has none."""
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
    """Choose the tiles of a convolution; return the reason as text if it has none."""
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

    view: the compute.  p: its tiles.
    """
    return view if p.form is None else p.form.view


def product_seconds(view: ComputeView, tiles: TensorProduct, numbers: GpuNumbers) -> float:
    """Return the modelled time of a product by matrix instructions, in seconds."""
    return cost_of(view_of(view, tiles), tiles, numbers).clocks / numbers.clock_hz


def _is_narrow(type_: Attribute) -> bool:
    return is_narrow(type_) or type_ in (f32, i8)


def intrinsic_of(view: ComputeView, target: Target) -> IntrinsicOp | str:
    """Return the matrix instruction of a target that computes the terms of a sum.

    If none does, return as text the first difference between the sum and the instructions.
    """
    known = [op for op in _all() if has_features(target, op)]
    if not known:
        return "the target has no matrix instructions"
    reason = "no matrix instruction for its types"
    for op in known:
        found = match_bodies(op.compute.view(), view)
        # An input of the other sign may only be the other operand.
        if found == {0: 0, 1: 1}:
            return op
        is_alike = op.compute.view().inputs[0].element_type == view.inputs[0].element_type
        if isinstance(found, PatternMismatch) and is_alike:
            reason = f"{found.rule}: expected {found.expected}, got {found.got}"
    return reason


@cache
def _all() -> tuple[IntrinsicOp, ...]:
    return tuple(make_matrix_intrinsic(name) for name in MATRIX_INTRINSICS)


# -- the schedule ----------------------------------------------------------------------------------


def plan_tensor_product(
    script: Script, view: ComputeView, p: TensorProduct, limits: GpuLimits
) -> None:
    """Write the steps of the schedule of a matrix product by matrix instructions.

    p: its tiles.
    """
    axes, own = p.axes, view_of(view, p)
    compute = script.match(view.name)
    ragged = {axis: n for axis, n in p.sizes.items() if axis in p.ragged}
    if p.form is not None:
        compute = gather(script, compute, p.form, ragged, tile_orders(p))
    elif ragged:
        compute = script.pad(compute, ragged)
    compute, copy = script.cache_write(compute, p.form.outputs if p.form else ())
    copy = script.split(copy, axes.m, p.rows, ("mo", "mi"))
    copy = script.split(copy, axes.n, p.columns, ("no", "ni"))
    copy = _fragments(script, own, copy, p, ("mi", "ni"), axes.grid)
    grid = grid_dimensions(own, axes, p.sizes, limits)
    copy, last = bind_blocks(script, copy, axes, grid, band=p.band)
    compute, copy = script.compute_at(compute, copy, last)
    compute = _warps(script, compute, p)
    start, compute = script.decompose_reduction(compute, "ko")
    _fragments(script, own, start, p, (axes.m, axes.n), axes.batch, is_whole=True)
    for operand, names in enumerate(operand_axes(view, p.form)):
        access = own.inputs[operand]
        is_ragged = bool(access.axes() & p.ragged)
        if is_ragged or p.form is not None:
            tile = script.share(script.match(copy_name(view, p.form, operand)), 0)
        else:
            tile, compute = script.cache_read(compute, operand, names)
        tile, compute = script.compute_at(tile, compute, "ko")
        if p.is_grouped:
            # Each turn of the threads copies rows of one panel, so that threads have digits.
            tile = script.split(tile, names[-1], SWIZZLED_ROW, ("panel", "column"))
            names[-2:] = "panel", names[-2], "column"
            tile = script.reorder(tile, names)
        else:
            tile = script.storage_align(tile, names[-2], 2 * p.row, p.row)
        if p.form is not None and operand == 1 and p.is_exact and not p.is_by_channel:
            names[-2:] = names[:-3:-1]
            tile = script.reorder(tile, names)
        tile = _share(script, tile, p, names, copied_at_once(view, p, operand))
        if p.stages > 1:
            script.double_buffer(tile, p.stages)
    script.tensorize(compute, p.intrinsic, "mw")


def _fragments(
    script: Script,
    view: ComputeView,
    handle: SSAValue,
    p: TensorProduct,
    axes: tuple[str, str],
    around: Sequence[str],
    *,
    is_whole: bool = False,
) -> SSAValue:
    """Divide the accumulators among threads in the arrangement that the intrinsic prescribes.

    axes: the axes of rows and columns.  around: the axes of the loops around them.  is_whole:
    whether no tile reaches beyond the end of an axis, so that pairs of elements can be stored as
    vectors.
    """
    handle = script.split(handle, axes[0], p.warp_rows, ("wy", "mw"))
    handle = script.split(handle, axes[1], p.warp_columns, ("wx", "nw"))
    handle = script.split(handle, "mw", 16, ("mt", "mq"))
    sums, first = p.sums, p.sums.lane[0]
    rest = "half" if first == "row" else "row"
    handle = script.split(handle, "mq", sums.rows, ("half", "row"))
    pair = ["pair"] if sums.pair > 1 else []
    handle = script.split(handle, "nw", sums.columns, ("nt", "nq" if pair else "quad"))
    if pair:
        handle = script.split(handle, "nq", sums.pair, ("quad", "pair"))
    order = [*around, "wy", "wx", *sums.lane, "mt", rest, "nt", *pair]
    handle = script.fuse(script.reorder(handle, order), sums.lane, "lane")
    handle = script.bind(handle, {"wy": "threadIdx.z", "wx": "threadIdx.y", "lane": "threadIdx.x"})
    for axis in ("mt", rest, "nt"):
        handle = script.unroll(handle, axis)
    if not pair:
        return handle
    if not is_whole and not stores_pairs(view, p):
        return script.unroll(handle, "pair")
    return script.vectorize(handle, "pair", sums.pair)


def _warps(script: Script, handle: SSAValue, p: TensorProduct) -> SSAValue:
    axes = p.axes
    handle = script.split(handle, axes.k, p.step, ("ko", "ki"))
    handle = script.split(handle, axes.m, p.warp_rows, ("wy", "mw"))
    handle = script.split(handle, axes.n, p.warp_columns, ("wx", "nw"))
    handle = script.reorder(handle, ["ko", *axes.batch, "wy", "wx", "mw", "nw", "ki"])
    return script.bind(handle, {"wy": "threadIdx.z", "wx": "threadIdx.y"})


def _share(
    script: Script, handle: SSAValue, p: TensorProduct, axes: Sequence[str], part: int
) -> SSAValue:
    """Let all threads of a block copy a tile; adjacent threads copy adjacent elements.

    part: elements that a thread copies at once.
    """
    handle = script.fuse(handle, axes, "element")
    rest = "element"
    if part > 1:
        handle = script.split(handle, rest, part, ("parts", "part"))
        rest = "parts"
    handle = script.split(handle, rest, p.warp, ("groups", "lane"))
    handle = script.split(handle, "groups", p.warps[1], ("turns", "wx"))
    handle = script.split(handle, "turns", p.warps[0], ("turn", "wy"))
    handle = script.bind(handle, {"wy": "threadIdx.z", "wx": "threadIdx.y", "lane": "threadIdx.x"})
    return script.vectorize(handle, "part", part) if part > 1 else handle


__all__ = [
    "Sums", "TensorProduct", "intrinsic_of", "plan_tensor_product", "product_seconds", "sums_of",
    "tensor_product_of", "view_of",
]  # fmt: skip
