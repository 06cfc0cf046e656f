"""Random schedules of the classic primitives, for te programs of all families.

Illegal steps are rejected and left out, so every drawn schedule is legal and must not change
results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from ... import te
from ...dialects.shape import likely
from ...dialects.te import ComputeView
from ...passes.schedule.engine.nest import is_reduced, nest_of
from ...passes.schedule.engine.nest_edit import cuttable, fusible
from ...support.diagnostics import ScheduleError
from .draw import Draw
from .te_programs import TE_PROGRAMS

LANES = (1, 2, 4, 8, 16)
LAYOUTS: dict[int, list[Callable[..., Any]]] = {
    1: [lambda i: (i // 4, i % 4)],
    2: [lambda i, j: (j, i), lambda i, j: (j // 4, i, j % 4), lambda i, j: (i // 3, j, i % 3)],
    3: [lambda i, j, k: (j, k, i), lambda i, j, k: (i, k // 8, j, k % 8)],
    4: [lambda i, j, k, m: (j, k, m, i)],
}
"""Layouts by rank."""

_ATTEMPTS = 20


def drawn_schedule(
    family: str, seed: int, *, buffers: bool = False, target: str | None = None
) -> te.Schedule:
    """Return a random schedule of a random program, which a family and a seed determine.

    buffers: whether to also draw steps that make and change buffers.
    target: the target for which the program has its computes; None is this machine.
    """
    for attempt in range(_ATTEMPTS):
        draw = Draw(f"schedule {family} {seed} {attempt} {buffers}")
        steps = _Steps(te.Schedule(TE_PROGRAMS[family](draw), target=target), draw, buffers)
        steps.draw_many()
        # A schedule with a compute_at that waits for another step is not finished.
        if not steps.schedule.waiting:
            return steps.schedule
    return te.Schedule(TE_PROGRAMS[family](Draw(f"schedule {family} {seed}")))


class _Steps:
    """A schedule to which random steps are added."""

    def __init__(self, schedule: te.Schedule, draw: Draw, buffers: bool) -> None:
        self.schedule, self.rng, self.buffers = schedule, draw, buffers

    def draw_many(self) -> None:
        """Add up to twelve random steps to the schedule."""
        for _ in range(self.rng.integer(1, 12)):
            self._step()

    def _step(self) -> None:
        rng, s = self.rng, self.schedule
        stage = s[rng.one(*[n for n in s.stages if not n.endswith("_fill")])]
        views = [op.view() for op in s.kernel_of(stage.name).made.computes(stage.name)]
        if not views:
            return
        view = views[0]
        if self.buffers and rng.chance(0.5):
            self._try(self._buffer_step(stage, view))
            return
        legal, loops = cuttable(view), nest_of(view).axes
        steps: list[Callable[[], object]] = [self._placement(stage.name)]
        if legal:
            axis = rng.one(*legal)
            steps += [
                lambda: stage.split(axis, factor=rng.integer(1, 20)),
                lambda: stage.split(axis, nparts=rng.integer(1, 6)),
                lambda: stage.unroll(axis),
                lambda: stage.vectorize(axis, rng.one(*LANES)),
            ]
        if len(loops) > 1:
            moved = _sample(rng, loops, rng.integer(2, len(loops)))
            steps += [lambda: stage.reorder(*moved)] * 2
        if pairs := [p.strip("[]").split(", ") for p in fusible(view)]:
            pair = rng.one(*pairs)
            steps.append(lambda: stage.fuse(*pair))
        if free := [a for a in legal if not is_reduced(view, a)]:
            outer = free[0]
            steps += [lambda: stage.parallel(outer)]
        self._try(rng.one(*steps))

    def _try(self, step: Callable[[], object]) -> None:
        """Add a step to the schedule unless it is illegal.

        step: adds the step.
        """
        with suppress(ScheduleError):
            step()

    def _buffer_step(self, stage: te.Stage, view: ComputeView) -> Callable[[], object]:
        """Return a function that adds a step on a buffer or a reduction to a schedule."""
        rng, s = self.rng, self.schedule
        loops, axes = nest_of(view).axes, list(view.extents)
        reduced = [loop for loop in loops if is_reduced(view, loop)]
        extents = {a: likely(n) for a, n in nest_of(view).extents(view.axes).items()}
        others = [n for n in s.stages if n != stage.name and not n.endswith("_fill")]
        out, operand = (
            rng.integer(0, len(view.outputs) - 1),
            rng.integer(0, max(len(view.reads), 1) - 1),
        )
        steps: list[Callable[[], object]] = [
            lambda: stage.cache_read(operand),
            lambda: stage.cache_write(out=out),
            lambda: stage.double_buffer(out),
            lambda: stage.rolling_buffer(out),
            stage.compute_root,
            stage.compute_inline,
        ]
        if axes:
            axis, many = rng.one(*axes), rng.one(4, 8)
            steps += [
                lambda: stage.storage_align(axis, many, rng.one(0, 1), out=out),
                lambda: stage.pad_einsum({axis: many}),
            ]
        if loops:
            loop = rng.one(*loops)
            first = rng.integer(0, extents[loop] // 3)
            last = rng.integer(first + 1, max(extents[loop], first + 1))
            steps += [
                lambda: stage.set_store_predicate({loop: (first, last)}),
                lambda: stage.decompose_reduction(loop),
            ]
        if reduced:
            loop, factor = rng.one(*reduced), rng.integer(1, 6)
            part = rng.one("inner", "outer")
            steps += [lambda: stage.rfactor(loop)] * 2
            steps += [lambda: stage.rfactor(loop, factor=factor, part=part)] * 2
        if others:
            readers = _sample(rng, others, rng.integer(1, len(others)))
            steps.append(lambda: s.cache_read(stage.name, "local", readers))
        if maps := LAYOUTS.get(len(view.outputs[0].shape)):
            layout = rng.one(*maps)
            steps.append(lambda: stage.transform_layout(layout, out=out))
        return rng.one(*steps)

    def _placement(self, name: str) -> Callable[[], object]:
        """Return a function that moves a stage into a loop of another, inlines or buffers it."""
        rng, s = self.rng, self.schedule
        other = rng.one(*s.stages)
        stage, target = s[name], s[other]

        def at() -> None:
            stage.compute_at(target, rng.one(*(target.loops or ["none"])))

        def reverse() -> None:
            stage.reverse_compute_at(target, rng.one(*(target.loops or ["none"])))

        steps = [stage.compute_inline, stage.compute_root, stage.cache_write]
        return rng.one(at, at, at, reverse, reverse, *steps)


def _sample(draw: Draw, items: Sequence[str], count: int) -> list[str]:
    return [items[n] for n in draw.permutation(len(items))[:count]]
