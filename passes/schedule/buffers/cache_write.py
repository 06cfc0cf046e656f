"""sched.cache_write: compute into a local buffer, then copy it to the output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ....dialects.shape import Extent
from ....dialects.te import Access, ComputeOp, ComputeView, identity_indices
from ....dialects.te.verifier import accumulator_type, stores_accumulator
from ....support.affine import Index
from ...rewrite.stores import copy_compute
from ..engine.placement import block_of, drop_region
from ..engine.step import Handles, Step
from .local_buffers import axes_in, make_buffer, output_of, stored_plainly
from .set_scope import memory_scope


def cache_write(step: Step) -> Handles:
    """Write an output to a local buffer, then copy it out.

        te.compute @mm [m: 64, n: 48, k: 8 red] .. outs(%C[m, n] add 0.0 : ..)
        %compute, %copy = sched.cache_write %c
    ==>
        %b = loop.alloc "local" : memref<64x48xf32>
        te.compute @mm_local [m: 64, n: 48, k: 8 red] .. outs(%b[m, n] add 0.0 : ..)
        te.compute @mm [m: 64, n: 48] ins(%b[m, n] : ..) outs(%C[m, n] : ..)

    Each innermost compute (leaf) of the handle gets its own buffer. The copy takes the label of the
    compute, and the compute's new label ends with the scope. To shrink the buffer to a tile, tile
    the copy and ``fuse_into`` the compute into the copy's loops; ``relayout`` stores the buffer in
    another order.
    out: the number of the output, by default 0.
    scope: the memory of the buffer, by default local.
    sums: 1 if the buffer holds the accumulators of the only output, and the copy applies the region
    ``then``. This is always so if accumulators and output differ in type.
    axes: the order of the buffer's dimensions, as axes of the output; by default their order in the
    output.
    Handles: the computes, then the copies.
    Before: the output starts from its initial value, not from memory.
    Errors: ScheduleError otherwise; for an output that does not exist; for ``axes`` that are not
    those of the output.
    """
    out, scope = step.number("out", 0), memory_scope(step, "local")
    copies = copy_outputs(step, out, scope, sums=bool(step.number("sums", 0)))
    for op, copy in zip(step.computes(), copies, strict=True):
        name = op.label
        op.update(replace(op.view(), name=step.fresh_label(f"{name}_{scope.replace('.', '_')}")))
        copy.update(replace(copy.view(), name=name))
    return [step.computes(), copies]


def copy_outputs(
    step: Step, out: int, scope: str = "local", *, sums: bool = False
) -> list[ComputeOp]:
    """Redirect an output of a step's computes to local buffers; return the copies to the output.

    out: the number of the output among the outputs of a compute.  scope: the memory of the buffers.
    sums: whether the buffers hold accumulators of the only output; the copies then apply ``then``.
    Errors: ScheduleError for an output that does not exist, or whose accumulators start from the
    values in its buffer.
    """
    copies: list[ComputeOp] = []
    for op in step.computes():
        view = op.view()
        step.require_initialized(view, [output_of(step, view, out)])
        if sums and len(view.outputs) == 1 and view.then.blocks:
            copies.append(_redirect_accumulator(step, op, view, scope))
        else:
            copies.append(redirect_output(step, op, view, out, scope=scope))
    return copies


def redirect_output(
    step: Step,
    op: ComputeOp,
    view: ComputeView,
    out: int,
    *,
    scope: str = "local",
    copied: Mapping[str, Extent] | None = None,
) -> ComputeOp:
    """Redirect an output of a compute to a new local buffer; return the copy after the compute.

    view: the definition of the compute.  out: the number of the output.  scope: the memory of the
    buffer.  copied: the extents of the axes that the copy covers; by default, those of the whole
    output.
    """
    output = view.outputs[out]
    assert output.value is not None, "scheduled kernels are in buffer form"
    if copied is None and len(view.outputs) == 1 and not stores_accumulator(output):
        return _redirect_accumulator(step, op, view, scope)
    indices = output.indices or []
    axes = {a: view.axes[a] for a in _ordered(step, view, indices)}
    alloc = make_buffer(output.element_type, list(axes.values()), scope)
    read = Access(alloc.res, identity_indices(axes))
    write = Access(output.value, indices, clip=output.clip)
    copied = axes if copied is None else {a: copied[a] for a in axes}
    copy = copy_compute(step.fresh_label(f"{view.name}_out{out}"), copied, read, write)
    copy.location = op.location
    view.outputs[out] = stored_plainly(output, alloc.res, identity_indices(axes))
    block = block_of(op)
    block.insert_op_before(alloc, op)
    block.insert_op_after(copy, op)
    op.update(view)
    return copy


def _redirect_accumulator(step: Step, op: ComputeOp, view: ComputeView, scope: str) -> ComputeOp:
    """Let a compute store its accumulators to a local buffer, without its region ``then``.

    view: the definition of the compute, which has one output.
    scope: the memory of the buffer.
    Returns a new compute after it, which applies ``then`` and stores the output.
    """
    (output,) = view.outputs
    indices = output.indices or []
    axes = {a: view.axes[a] for a in _ordered(step, view, indices)}
    alloc = make_buffer(accumulator_type(output), list(axes.values()), scope)
    read = Access(alloc.res, identity_indices(axes))
    write = Access(output.value, indices, clip=output.clip)
    finished = ComputeView(
        step.fresh_label(f"{view.name}_out0"), axes, [read, *map(replace, view.post)], [], [write],
        view.then.clone(),
    )  # fmt: skip
    finish = ComputeOp.from_view(finished)
    finish.location = op.location
    block = block_of(op)
    block.insert_op_before(alloc, op)
    block.insert_op_after(finish, op)
    drop_region(op, op.then)
    stored = stored_plainly(output, alloc.res, identity_indices(axes))
    op.update(replace(view, post=[], outputs=[stored]))
    return finish


def _ordered(step: Step, view: ComputeView, indices: Sequence[Index]) -> list[str]:
    """Return the axes in the order of a local buffer's dimensions: option ``axes``, if it is given.

    By default, the order is that of the indices.
    indices: the indices of the output that the buffer replaces; they contain these axes.
    Errors: ScheduleError if the option lists other axes.
    """
    found, order = axes_in(view, indices), step.words("axes")
    if order and sorted(order) != sorted(found):
        raise step.error(
            f"the output of @{view.name} has other axes",
            expected=f"an order of {', '.join(found)}",
            got=", ".join(order),
        )
    return order or found
