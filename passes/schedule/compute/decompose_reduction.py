"""sched.decompose_reduction: move the initial values of a reduction to a separate compute."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ....analysis.bounds.independence import writes_twice
from ....dialects.loop import AllocOp, ForOp
from ....dialects.te import Access, ComputeOp, ComputeView
from ....support.affine import Index, Key, variable
from ....support.blocks import enclosing
from ....support.names import Names
from ...rewrite.stores import fill_compute
from ..engine.nest import is_reduced, made_loops, nest_of
from ..engine.nest_edit import require_loop
from ..engine.placement import block_of, is_inside
from ..engine.step import Handles, Step
from .compute_at import loops_at


def decompose_reduction(step: Step) -> Handles:
    """Separate the initial values of a reduction from its updates.

        loop.for %i = 0 to 8 {
          te.compute @mm [m: 6, n: 16, k: 64 red] .. outs(%C[%i * 6 + m, n] add 0.0 : ..) .. }
        %init, %update = sched.decompose_reduction %c, %i
    ==>
        te.compute @mm_init [l0: 8, m: 6, n: 16] outs(%C[l0 * 6 + m, n] : ..) body { 0.0 }
        loop.for %i = 0 to 8 {
          te.compute @mm [m: 6, n: 16, k: 64 red] .. outs(%C[%i * 6 + m, n] add acc : ..) .. }

    Without a loop, the initial values are stored right before the compute; with a loop, before the
    loop, for all its iterations.  The loop is the second handle, which stays valid. Every output
    gets its own ``_init`` compute.
    axis: in place of the second handle, the name of the loop; pending loops outside of it are made.
    Handles: the computes of initial values, then the updates.
    Before: no axis is scanned; every output is reduced and starts from an initial value of its
    stored type; from the given loop to the compute, loops have constant bounds and their iterations
    write different elements.
    Errors: ScheduleError otherwise.
    """
    inits: list[Operation] = []
    loops = step.loops(1) if len(step.handles) > 1 else []
    updates = step.computes()
    if "axis" in step.params:
        updates, loops = _at_axis(step, updates)
    for op in updates:
        view = op.view()
        _check(step, view)
        around = _loops_around(step, op, loops)
        place = around[0] if around else op
        label = step.fresh_label(f"{view.name}_init")
        made = [_init(label, view, output, around) for output in view.outputs]
        for init in made:
            init.location = op.location
        block_of(place).insert_ops_before(made, place)
        for output in view.outputs:
            output.init = None
        op.update(view)
        inits += made
    return [inits, updates]


def _at_axis(
    step: Step, computes: Sequence[ComputeOp]
) -> tuple[Sequence[ComputeOp], Sequence[ForOp]]:
    """Return the computes of a reduction and the loops named by the step's option ``axis``.

    If loop ``axis`` is still pending, the pending loops outside of it are made. The computes are
    then the ones inside of these loops, ``axis`` is their outermost pending loop, and the list of
    loops is empty.
    """
    axis = step.word("axis")
    view = computes[0].view()
    _check(step, view)
    made = made_loops(step.kernel, view.name)
    if axis in made:
        return computes, made[axis]
    require_loop(step, view, axis)
    around = nest_of(view).axes
    position = around.index(axis)
    reduced = next((i for i, a in enumerate(around) if is_reduced(view, a)), len(around))
    if reduced < position:
        raise step.error(
            f"loop {axis} of @{view.name} runs again for every {around[reduced]}, which is reduced",
            expected=f"one of {', '.join(around[: reduced + 1])}",
        )
    if not position:
        return computes, []
    return loops_at(step, computes, around[position - 1]).leaves, []


def _check(step: Step, view: ComputeView) -> None:
    if view.scan is not None:
        raise step.error(
            f"@{view.name} is scanned along {view.scan}: it starts before its first position, where"
            " nothing is stored",
            expected="a compute whose outputs are reduced",
        )
    for i, output in enumerate(view.outputs):
        if not output.reduces:
            raise step.error(
                f"output {i} of @{view.name} is stored, not reduced",
                expected="a compute whose outputs are all reduced",
            )
        if output.init is None:
            raise step.error(
                f"@{view.name} continues from memory: its initial values are separate",
                hint="the first leaf of split_reduction starts from them",
            )
        step.require_stored_accumulator(view, output, "keep the initial values in the leaf")


def _loops_around(step: Step, op: ComputeOp, loops: Sequence[ForOp]) -> list[ForOp]:
    """Return the loops from the outermost one in ``loops`` down to a compute, outermost first.

    Errors: ScheduleError if initial values cannot be stored before these loops.
    """
    if not loops:
        return []
    outer = next((loop for loop in loops if is_inside(op, loop)), None)
    if outer is None:
        raise step.error(
            f"the loop does not surround @{op.label}",
            expected="a loop that tile or compute_at made around it",
        )
    around: list[ForOp] = []
    for parent in enclosing(op):
        assert isinstance(parent, ForOp), "only loops stand between a loop and its computes"
        around.insert(0, parent)
        if parent is outer:
            break
    if any(isinstance(v.owner, AllocOp) and is_inside(v.owner, outer) for v in op.outs):
        raise step.error(
            f"the buffer of @{op.label} belongs to the loop",
            hint="leave out the loop: the initial values are then stored inside it",
        )
    for loop in around:
        if loop.static_bounds is None:
            raise step.error(
                f"the bounds of a loop around @{op.label} are not constant",
                hint="leave out the loop: the initial values are then stored inside it",
            )
        if writes_twice(op, loop):
            raise step.error(
                f"iterations of the loop write the same elements of @{op.label}",
                expected="a loop that tile made",
                hint="leave out the loop: the initial values are then stored inside it",
            )
    return around


def _init(label: str, view: ComputeView, output: Access, loops: Sequence[ForOp]) -> ComputeOp:
    """Return a compute that stores the initial value of an output to every element of the output.

    label: the label of the new compute.
    view: the reduction.
    output: the output of the reduction.
    loops: the loops around the reduction, outermost first, before which the new compute runs; its
    axes therefore also cover all iterations of these loops.
    """
    values: dict[Key, Index] = {}
    extents: dict[str, int] = {}
    names = Names(view.axes)
    for number, loop in enumerate(loops):
        low, high = loop.static_bounds or (0, 0)
        name = names.fresh(f"l{number}")
        extents[name] = high - low
        values[loop.variable] = variable(name) + low
    indices = [e.substitute(values, view.range_of) for e in output.indices or []]
    used = {key for e in indices for key in e.variables()}
    axes = {a: extent for a, extent in {**extents, **view.axes}.items() if a in used}
    assert output.init is not None, "checked before"
    return fill_compute(label, axes, Access(output.value, indices), output.init)
