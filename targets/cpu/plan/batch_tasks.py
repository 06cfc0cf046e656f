"""Kernels over a dynamic (symbolic) number of images, planned as kernels over a few images.

In: a kernel of convolutions, pools or padded copies whose only symbolic axis is the outermost, the
batch.  Out: the same kernel for two images.  The schedule for two images fits any number of images,
because no tile crosses images, and only the number of tasks depends on the number of images; it
does not fit if a step, such as the fusion of axes, needs that number.  A schedule for one image
would not fit, because the image axis would get no loop.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import MemRefType, ModuleOp

from ....analysis.patterns.contraction import slides
from ....dialects import sched
from ....dialects.loop import AllocOp
from ....dialects.sched import Param, ScriptOp
from ....dialects.shape import Dim, dims_of, size_parameters, symbols_of
from ....dialects.sizes import bound_kernel
from ....dialects.te import ComputeOp, ComputeView, KernelOp
from ....dialects.te.codec import decode_extents
from ....dialects.te.role import Border, Transform
from ....machines.target import Target
from ....passes.schedule.interpreter import apply_script
from ....support.diagnostics import SymbolicSize, SymbolicStep
from .instruction import declare_intrinsics
from .one_compute import direct_contraction

IMAGES = 2
"""The number of images in the kernel that is planned."""

IMAGE_AXES = 4
"""The number of axes of a batch of images: images, channels, height and width."""


def kernel_of_images(kernel: KernelOp, target: Target) -> KernelOp | None:
    """Return a copy of a kernel with `IMAGES` images in place of a symbolic number.

    The copy is planned, and the schedule is then used for any number of images.  None if another
    axis than the outermost is symbolic, or if the kernel does not iterate over images.
    """
    computes = [op for op in kernel.body.walk() if isinstance(op, ComputeOp)]
    if not all(_has_outer_batch(op.view()) for op in computes):
        return None
    sizes = dict.fromkeys(size_parameters(kernel), IMAGES)
    types = (cast("MemRefType", argument.type) for argument in kernel.body.block.args)
    if any(dim.evaluate(sizes) < 1 for type_ in types for dim in dims_of(type_)):
        return None
    bound = bound_kernel(kernel, sizes)
    assert isinstance(bound, KernelOp), "the copy of a kernel"
    return bound if _is_over_images(bound, target) else None


_NAMING_STEPS = (
    sched.MatchOp,
    sched.PackOp,
    sched.SplitEpilogueOp,
    sched.DecomposeReductionOp,
    sched.SplitAxisOp,
    sched.SplitReductionOp,
    sched.ParallelOp,
    sched.VectorizeOp,
)
"""Steps that need only the extents of those axes that they name."""

_SYMBOLIC_STEPS = (sched.TileOp, sched.OrderOp)
"""Steps that take symbolic extents."""


def is_legal(script: ScriptOp, kernel: KernelOp) -> bool:
    """Return whether a script that was planned for a copy with static sizes is legal for a kernel.

    kernel: the kernel with symbolic sizes.  No step may need the value of a symbolic size, and no
    buffer that tasks allocate may have a symbolic size, such as a buffer for the scores of several
    queries.  To find out, the script is applied to a copy of the kernel, except if all steps are of
    the usual kinds, which create no buffers.
    """
    symbolic = _symbolic_axes(kernel)
    if all(
        isinstance(step, _SYMBOLIC_STEPS)
        or (isinstance(step, _NAMING_STEPS) and not symbolic & _named_axes(step))
        for step in script.steps
    ):
        return True
    copies = kernel.clone(), script.clone()
    declare_intrinsics(ModuleOp(copies), copies[1])
    try:
        apply_script(copies[1], copies[0])
    except (SymbolicSize, SymbolicStep):
        return False
    buffers = (op for op in copies[0].body.walk() if isinstance(op, AllocOp))
    return not any(symbols_of(op.res.type) for op in buffers if op.parent_op() is not copies[0])


def _symbolic_axes(kernel: KernelOp) -> set[Param]:
    computes = [op for op in kernel.body.walk() if isinstance(op, ComputeOp)]
    extents = [decode_extents(op.axes, op.extents, op.dims) for op in computes]
    return {axis for axes in extents for axis, n in axes.items() if isinstance(n, Dim)}


def _named_axes(step: sched.StepOp) -> set[Param]:
    """Return all strings among the parameters of a step: a superset of the axes that it names."""
    values = step.arguments().values()
    return {*step.axis_arguments(), *(v for v in values if isinstance(v, str))}


def _has_outer_batch(view: ComputeView) -> bool:
    """Return whether a compute has no symbolic axis except possibly its outermost axis.

    In addition, no index may combine the symbolic axis with another axis.
    """
    symbolic = [axis for axis, extent in view.axes.items() if isinstance(extent, Dim)]
    longer = [axis for axis in view.parallel_axes() if view.axes[axis] != 1]
    if symbolic != longer[: len(symbolic)] or len(symbolic) > 1:
        return False
    if isinstance(view.role, Transform):
        return True  # a transform is planned for one tile of one image at a time
    indices = [index for access in view.accesses() for index in access.indices or ()]
    return all(
        index.variable() in symbolic for index in indices if {*symbolic} & {*index.variables()}
    )


def _is_over_images(kernel: KernelOp, target: Target) -> bool:
    """Return whether some compute of a kernel iterates over the pixels of images.

    Such a compute is a convolution or pool, a fill of a border, a Winograd transform, or an
    elementwise compute or sum over images.
    """
    constants = {kernel.body.block.args[i] for i in kernel.constant_positions}
    for op in kernel.body.walk():
        if not isinstance(op, ComputeOp):
            continue
        view = op.view()
        if isinstance(view.role, Border | Transform) or any(
            slides(view, access) for access in view.inputs
        ):
            return True
        contraction = direct_contraction(view, set(constants), target)
        longer = {axis for axis, extent in view.axes.items() if extent != 1}
        reduced = longer & set(view.reduced_axes())
        if contraction is not None:
            is_over_pixels = contraction.has_pixels
        else:
            is_over_pixels = len(reduced) > 1 or (not reduced and len(longer) >= IMAGE_AXES)
        if is_over_pixels:
            return True
    return False
