"""sched.split_axis: split an axis of a compute into two, without making a loop."""

from __future__ import annotations

from ....dialects.te import ComputeView
from ..engine.step import Handles, Step, divisors_near


def split_axis(step: Step) -> Handles:
    """Replace an axis by an outer and an inner axis, without making a loop.

        te.compute @conv [oc: 8, ic: 32 red] ins(%X[ic] : .., %W[oc, ic] : ..) ..
        %s = sched.split_axis %c {ic = 8, into = [ico, ici]}
    ==>
        te.compute @conv [oc: 8, ico: 4 red, ici: 8 red]
            ins(%X[ico * 8 + ici] : .., %W[oc, ico * 8 + ici] : ..) ..

    <axis>: the extent of the inner axis, as ``ic = 8`` above.
    into: the names of the outer and the inner axis.
    Before: the size divides the extent; the new names are free; the register tile is not declared.
    Errors: ScheduleError otherwise, with the nearest divisors of the extent; for a scanned axis.
    """
    axis, size = step.only_size()
    names = step.words("into")
    if len(names) != 2:
        raise step.error("an axis is split into two", expected="into = [outer, inner]", got=names)
    for op in step.computes():
        op.update(_split(step, op.view(), axis, size, names))
    return [step.computes()]


def _split(step: Step, view: ComputeView, axis: str, size: int, names: list[str]) -> ComputeView:
    extent = step.extent(view, axis)
    outer, inner = names
    others = {a for a in view.extents if a != axis}
    if outer == inner or others & {outer, inner}:
        raise step.error(
            f"@{view.name} has an axis of a new name",
            expected=f"two names other than {', '.join(others) or 'each other'}",
            got=f"{outer}, {inner}",
        )
    step.require_unscanned(view, axis)
    step.require_no_register_tile(view)
    if extent % size:
        raise step.error(
            f"{size} does not divide axis {axis} of @{view.name} (extent {extent})",
            expected=f"a divisor of {extent}: {divisors_near(extent, size)}",
            hint="tile the axis to get a leaf of full blocks and a remainder",
        )
    return view.split(axis, size, outer, inner)
