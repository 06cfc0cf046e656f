"""Explanations of plans: the modelled time of a kernel's chosen point, and of similar points.

    chosen, *others = explained(task)
    print(chosen.cost.parts)

The other points differ from the chosen point in the value of one knob.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..machines.cpu_numbers import numbers_of
from ..machines.target import Target
from ..support.diagnostics import ScheduleError, TilewrightError
from ..targets.cpu.cost.parts import KernelCost
from .job import Job
from .plan_space import PlanSpace
from .runner import Runner
from .space import Point, Value
from .task import Task


@dataclass(frozen=True)
class Explained:
    """A point of a plan's space, with its schedule and its modelled cost.

    values: the choices of the point by knob; for another point than the chosen one, only the
    choices that differ from the chosen point.
    schedule: the text of the point's schedule.
    cost: the parts of the modelled cost.
    modelled_s, measured_s: the modelled and the measured seconds of a call; measured_s is None if
    it is not measured.
    """

    values: Mapping[str, Value]
    schedule: str
    cost: KernelCost
    modelled_s: float
    measured_s: float | None = None


def explained(task: Task, *, others: int = 3, threads: int = 1) -> list[Explained]:
    """Return the point that a kernel's plan chooses, then the cheapest other points.

    The other points differ from the chosen point in one knob. Points without a legal schedule, and
    points with a schedule that an earlier point has, are left out.
    others: the largest number of other points.
    threads: the number of threads of a call.
    Errors: ScheduleError for a target that is no CPU.
    """
    target = Target(task.target)
    if not target.cpu:
        raise ScheduleError("the cost model is for CPUs", expected="a CPU target", got=task.target)
    space = PlanSpace(task)
    assert space.start is not None, "the first point of the space is the plan's"
    clock_hz = numbers_of(target).clock_hz
    found: list[Explained] = []
    for point in (space.start, *_neighbors(space, space.start)):
        try:
            schedule, cost = space.schedule(point), space.cost(point, threads)
        except TilewrightError:  # no legal schedule
            continue
        values = space.values(point)
        if found:
            values = {k: v for k, v in values.items() if v != found[0].values[k]}
        if schedule not in (each.schedule for each in found):
            found.append(Explained(values, schedule, cost, cost.cycles / clock_hz))
    return [found[0], *sorted(found[1:], key=lambda each: each.modelled_s)[:others]]


def with_measured(
    task: Task, points: Sequence[Explained], runner: Runner, *, threads: int = 1
) -> list[Explained]:
    """Return copies of explained points that have measured times.

    runner: measures the schedules.
    threads: the number of threads of a call.
    Errors: ScheduleError if the runner cannot measure them.
    """
    schedules = tuple(each.schedule for each in points)
    job = Job(task.kernel, task.target, schedules, task.rotated_bytes, threads=threads)
    outcome = runner.submit(job).result()
    if outcome.measurement is None:
        raise ScheduleError(f"@{task.name} cannot be measured", got=outcome.error or outcome.status)
    times = outcome.measurement.times_s
    return [replace(each, measured_s=min(row)) for each, row in zip(points, times, strict=True)]


def _neighbors(space: PlanSpace, start: Point) -> Iterator[Point]:
    """Yield the points that differ from ``start`` in exactly one knob."""
    for number, knob in enumerate(space.knobs):
        for index in range(len(knob.choices)):
            if index != start[number]:
                yield (*start[:number], index, *start[number + 1 :])
