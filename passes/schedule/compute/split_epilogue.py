"""sched.split_epilogue: move the epilogue of a reduction to a separate compute."""

from __future__ import annotations

from dataclasses import replace

from xdsl.ir import Operation

from ....dialects.te import Access, ComputeOp, ComputeView
from ..engine.placement import block_of, drop_region
from ..engine.step import Handles, Step


def split_epilogue(step: Step) -> Handles:
    """Store the sums of a reduction without its epilogue, and add an elementwise compute for it.

        te.compute @mm [m: 20, n: 48, k: 8 red] .. post(%b[n] : ..) outs(%C[m, n] add 0.0 : ..)
            body .. then { gelu }
        %sums, %finish = sched.split_epilogue %c
    ==>
        te.compute @mm [m: 20, n: 48, k: 8 red] .. outs(%C[m, n] add 0.0 : ..) body ..
        te.compute @mm_finish [m: 20, n: 48] ins(%C[m, n] : .., %b[n] : ..) outs(%C[m, n] : ..)
            body { gelu }

    The output holds the sums between the two computes. The epilogue's code is then generated once,
    not for each variant of the register tile. fuse_epilogue does the opposite for a local buffer.
    Before: some of the computes have an epilogue (after split_reduction, the last of its computes).
    Each of these has one output, which is reduced, not scanned, not clipped, and of the
    accumulator's type; the register tile is not declared.
    Errors: ScheduleError otherwise.
    """
    computes = [(op, op.view()) for op in step.computes()]
    finishes: list[Operation] = []
    for op, view in computes:
        if not view.then.blocks:
            continue
        _check(step, view)
        label = step.fresh_label(f"{view.name}_finish")
        finish = _finish(op.clone(), label)
        finish.location = op.location
        drop_region(op, op.then)
        op.update(replace(view, post=[], then=op.then))
        block_of(op).insert_op_after(finish, op)
        finishes.append(finish)
    if not finishes:
        raise step.error(
            f"@{computes[0][1].name} has no epilogue",
            expected="a reduction whose sums are finished",
        )
    return [step.handles[0], finishes]


def _check(step: Step, view: ComputeView) -> None:
    if len(view.outputs) != 1 or view.scan is not None or view.outputs[0].clip is not None:
        raise step.error(
            f"@{view.name} does not sum into the whole of one output",
            expected="one output, without scan and clip",
        )
    step.require_stored_accumulator(view, view.outputs[0], "keep the epilogue in the leaf")
    step.require_no_register_tile(view)


def _finish(copy: ComputeOp, label: str) -> ComputeOp:
    """Return the epilogue of a reduction as a compute that updates the sums in place.

    copy: a copy of the reduction, from which the new compute takes the regions.  label: the label
    of the new compute.
    """
    view = copy.view()
    (output,) = view.outputs
    axes = {axis: view.axes[axis] for axis in view.parallel_axes()}
    sums = Access(output.value, output.indices)
    made = ComputeView(label, axes, [sums, *view.post], [], [replace(sums)], view.then)
    finish = ComputeOp.from_view(made)
    copy.drop_all_references()
    return finish
