"""Change a pending nest in a step: legality checks, and the legal alternatives for errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from ....dialects.te import ComputeOp, ComputeView
from ....dialects.te.loop_nest import (
    BIND,
    PARALLEL,
    UNROLL,
    VECTOR,
    Fuse,
    LoopNest,
    NestLoop,
    Split,
)
from ....dialects.te.verifier import stores_accumulator
from ...rewrite.sections import sections
from .axes import sliceable_axes
from .nest import is_reduced, leaf_start, made_loops, merged, nest_of
from .step import Handles, Step

Change = Callable[[ComputeView, LoopNest], LoopNest]


def edit(step: Step, change: Change) -> Handles:
    """Replace the pending nest of each compute that a step's handle holds; return these computes.

    change: returns the new nest of a compute; its arguments are the view and the present nest.
    """
    computes = step.computes()
    for op in computes:
        view = plain_view(step, op)
        nest = change(view, nest_of(view))
        check_nest(step, replace(view, nest=nest))
        op.update(replace(view, nest=nest))
    return [computes]


def plain_view(step: Step, op: ComputeOp) -> ComputeView:
    """Return the view of a compute; raise ScheduleError if it already has a register tile."""
    view = op.view()
    step.require_no_register_tile(view)
    return view


def require_loop(step: Step, view: ComputeView, axis: str) -> NestLoop:
    """Return the loop ``axis`` of the pending nest.

    Errors: ScheduleError if there is none.
    """
    nest = nest_of(view)
    if axis in nest.axes:
        return nest.entry(axis)
    expected = f"one of {', '.join(nest.axes) or 'none'}"
    if axis in made_loops(step.kernel, view.name):
        raise step.error(
            f"loop {axis} of @{view.name} is made already",
            expected=expected,
            hint="change it before compute_at makes the loops around a producer",
        )
    taker = nest.taker(axis)
    if isinstance(taker, Split):
        rule = f"axis {axis} of @{view.name} is split into {taker.outer} and {taker.inner}"
    elif isinstance(taker, Fuse):
        rule = f"axis {axis} of @{view.name} is fused into {taker.into}"
    else:
        rule = f"@{view.name} has no loop {axis}"
    raise step.error(rule, expected=expected)


def require_free(step: Step, view: ComputeView, names: Sequence[str]) -> None:
    """Raise ScheduleError if another loop has one of the new names, or if two of them are equal."""
    taken = nest_of(view).names(view.axes) | set(made_loops(step.kernel, view.name))
    for number, name in enumerate(names):
        if name in taken or name in names[:number]:
            raise step.error(
                f"@{view.name} has a loop of a new name",
                expected=f"names other than {', '.join(sorted(taken))}",
                got=", ".join(names),
            )


def require_cuttable(step: Step, view: ComputeView, axis: str) -> NestLoop:
    """Return the loop ``axis``, which may be split or fused.

    Errors: ScheduleError if the loop does not exist, is scanned, or has a mark already, such as
    parallel.
    """
    entry = require_loop(step, view, axis)
    require_unscanned(step, view, axis)
    if entry.mark:
        raise step.error(
            f"loop {axis} of @{view.name} is marked: {entry.mark}",
            expected=one_of(a for a in cuttable(view)),
            hint=f"use {step.name} before the mark",
        )
    return entry


def require_unscanned(step: Step, view: ComputeView, axis: str) -> None:
    """Raise ScheduleError if loop ``axis`` is scanned, or indexes some outputs but not all."""
    step.require_unscanned(view, axis, cuttable(view))
    if axis in view.axes and axis not in (*sliceable_axes(view), *view.reduced_axes()):
        raise step.error(
            f"axis {axis} of @{view.name} belongs to some of its outputs only",
            expected=one_of(cuttable(view)),
        )


def require_independent(step: Step, view: ComputeView, axis: str, what: str) -> None:
    """Raise ScheduleError if loop ``axis`` is a reduction loop: its iterations are dependent.

    what: an adjective for the message "its iterations are not …", such as "guarded".
    """
    require_unscanned(step, view, axis)
    if is_reduced(view, axis):
        legal = [a for a in cuttable(view) if not is_reduced(view, a)]
        raise step.error(
            f"loop {axis} of @{view.name} is reduced: its iterations are not {what}",
            expected=one_of(legal),
            hint="rfactor makes a part of a reduction independent",
        )


def cuttable(view: ComputeView) -> list[str]:
    """Return the names of the loops that may be split or fused.

    They are unmarked and not scanned, and index all outputs or none.
    """
    fixed = {a for a in view.axes if a not in (*sliceable_axes(view), *view.reduced_axes())}
    return [e.axis for e in nest_of(view).order if not e.mark and e.axis not in fixed]


def one_of(names: Iterable[str]) -> str:
    """Return the text ``one of a, b`` for error messages, or ``none`` if there are no names."""
    listed = list(names)
    return f"one of {', '.join(listed)}" if listed else "none"


def marked(nest: LoopNest, entry: NestLoop) -> LoopNest:
    """Return a nest in which ``entry`` replaces the loop of the same name.

    entry: the loop with its new mark, such as parallel.
    """
    return nest.with_entries(entry if e.axis == entry.axis else e for e in nest.order)


def mark(step: Step, view: ComputeView, nest: LoopNest, entry: NestLoop) -> LoopNest:
    """Return ``nest``, the pending nest of a compute, in which a loop has a new mark.

    entry: the loop with its new mark, such as parallel.
    Errors: ScheduleError if the loop has another mark already, or is to be unrolled and has a
    symbolic extent.
    """
    extent = nest.extents(view.axes)[entry.axis]
    if entry.mark == UNROLL and not isinstance(extent, int):
        raise step.error(
            f"loop {entry.axis} of @{view.name} has a symbolic extent, {extent}",
            expected="a loop with an integer as extent",
            hint="split it by a factor, and unroll the inner loop",
        )
    old = nest.entry(entry.axis)
    if old.mark and old.mark != entry.mark:
        raise step.error(
            f"loop {entry.axis} of @{view.name} is marked: {old.mark}",
            expected=one_of(cuttable(view)),
        )
    return marked(nest, entry)


# ---- the nest as a whole


def check_nest(step: Step, view: ComputeView) -> None:
    """Raise ScheduleError for a pending nest that cannot become loops.

    The checks are for parallel loops, for guarded splits, and for reductions whose accumulators
    must stay in registers.
    """
    _check_parallel(step, view)
    _check_guards(step, view)
    check_registers(step, view)


def _check_parallel(step: Step, view: ComputeView) -> None:
    order = nest_of(view).order
    inside = made_loops(step.kernel, view.name)
    reduced = [e.axis for e in order if is_reduced(view, e.axis)]
    for position, entry in enumerate(order):
        around = [a for a in reduced if nest_of(view).axes.index(a) < position]
        if entry.mark not in (PARALLEL, BIND) or not around or entry.thread.startswith("threadIdx"):
            continue
        others = [e.axis for e in order if e.axis not in around]
        raise step.error(
            f"{entry.mark} loop {entry.axis} of @{view.name} stands inside of reduced loop "
            f"{around[0]}, whose iterations run one after the other",
            expected=f"an order such as {', '.join([*inside, *others, *around])}",
        )


def _check_guards(step: Step, view: ComputeView) -> None:
    """Check that in guarded splits of a nest, the inner part's loop is inside the outer part's.

    Errors: ScheduleError otherwise, and if a part is unrolled or a vector.
    """
    nest = nest_of(view)
    for split in nest.guarded_splits():
        for name in split.results():
            if name not in nest.axes:
                raise step.error(
                    f"loop {name} of @{view.name} is a part of a guarded split",
                    expected="the parts of a guarded split as loops",
                    hint=f"split {split.axis} without a guard",
                )
        if nest.axes.index(split.outer) > nest.axes.index(split.inner):
            raise step.error(
                f"loop {split.inner} of @{view.name} has an end that depends on {split.outer}",
                expected=f"{split.outer} outside of {split.inner}",
                got=", ".join(nest.axes),
            )
        _check_guarded_vector(step, view, split)
        if nest.entry(split.inner).mark in (UNROLL, VECTOR):
            raise step.error(
                f"loop {split.inner} of @{view.name} has a number of iterations that differs",
                expected="a loop, bound or not",
                got=nest.entry(split.inner).mark,
                hint=f"split {split.axis} without a guard",
            )


def _check_guarded_vector(step: Step, view: ComputeView, split: Split) -> None:
    """Raise ScheduleError if the outer part of a guarded split is a vector.

    The end of the inner part's loop depends on the variable of the outer loop, but a vector loop is
    in the innermost compute, inside of that loop.
    """
    nest = nest_of(view)
    if nest.entry(split.outer).mark != VECTOR or nest.extents(view.axes)[split.outer] == 1:
        return
    others = [a for a in cuttable(view) if a not in split.results() and not is_reduced(view, a)]
    raise step.error(
        f"loop {split.outer} of @{view.name} is a vector, and the end of loop {split.inner} "
        "inside of it depends on it",
        expected=one_of(others),
        hint=f"split {split.axis} without a guard",
    )


def check_registers(step: Step, view: ComputeView, until: str | None = None) -> None:
    """Check that no loop divides a reduction whose accumulator must stay in registers.

    It must stay there if its type differs from the type of the output: memory cannot hold its
    partial sums. Loops outside of the innermost compute (leaf), and remainders of splits, divide a
    reduction.
    until: a loop that is about to be made, together with the loops around it.
    Errors: ScheduleError if such a reduction is divided.
    """
    if all(map(stores_accumulator, view.outputs)):
        return
    nest, start = merged(view), leaf_start(view)
    start = max(start, nest_of(view).axes.index(until) + 1 if until else 0)
    outside = [e.axis for e in nest_of(view).order[:start] if is_reduced(view, e.axis)]
    extents = nest.extents(view.axes)
    ragged = [
        r.axis
        for r in nest.relations
        if isinstance(r, Split)
        and is_reduced(view, r.outer)
        and len(sections(extents[r.axis], r.factor)) > 1
    ]
    if not outside and not ragged:
        return
    order = nest_of(view).axes
    free = [a for a in order if not is_reduced(view, a)]
    raise step.error(
        f"@{view.name} accumulates in another type than it stores",
        expected=f"its reduced loops inside, as in {', '.join([*free, *view.reduced_axes()])}",
        got=", ".join(order),
        hint="cache_write gives it a buffer of the accumulator's type",
    )


def fusible(view: ComputeView) -> list[str]:
    """Return the pairs of adjacent loops that may be fused, each as a string for messages."""
    legal = cuttable(view)
    return [
        f"[{a}, {b}]"
        for a, b in pairwise(nest_of(view).axes)
        if a in legal and b in legal and is_reduced(view, a) == is_reduced(view, b)
    ]
