"""The executed instructions of plans on AArch64, next to those that the cost model predicts.

In: names of drawn kernels, and an AArch64 target.  Out: for each kernel, the instructions that an
emulator counts and the modelled ones (targets/cpu/cost/instructions.py), for the plan's point and
for random points of its space.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from rich.console import Console

from tilewright import Target
from tilewright.dialects.te import kernels_of
from tilewright.passes.schedule.apply_schedule import ApplySchedule
from tilewright.passes.schedule.match_schedules import use_schedules
from tilewright.support.registry import new_context
from tilewright.support.schedule_files import ScheduleFile
from tilewright.targets.cpu.cost.kernel_cost import kernel_cost
from tilewright.targets.cpu.cost.parts import KernelCost
from tilewright.tuning import instruction_counts
from tilewright.tuning.job import Job
from tilewright.tuning.kernel_program import parsed_kernel
from tilewright.tuning.plan_space import PlanSpace
from tilewright.tuning.space import Point
from tilewright.tuning.task import Task

from .drawn_kernels import drawn_task
from .resumable import CaseRow, measured_rows

COUNTED = ("product", "thin", "ragged", "batched", "pointwise-conv", "conv", "strided-conv")
"""The kinds of drawn kernels whose plans have several points and whose tiles add products."""

MOST_FLOPS = 3e7
"""Larger kernels take too long in the emulator."""

DRAWS, MOST_RATIO = 200, 3.0
"""The points that are drawn until enough are found, and how many times the modelled cycles of the
plan's point such a point takes at most."""

CLOSE = 1.1
"""The ratio between a modelled and a counted change up to which they agree."""


@dataclass(frozen=True)
class CountedPlan(CaseRow):
    """A kernel, with counted and modelled instructions of the plan's point and of other points.

    case: the kind and the seed.  counted, modelled: the instructions of each point, the plan's
    point first.
    """

    counted: Sequence[int] = ()
    modelled: Sequence[float] = ()

    @property
    def kind(self) -> str:
        """The kind of the kernel."""
        return self.case.partition(" ")[0]

    @property
    def errors(self) -> list[float]:
        """For each other point, the modelled change of the instructions over the counted one."""
        pairs = list(zip(self.modelled, self.counted, strict=True))
        (modelled, counted), *others = pairs
        return [other / modelled / (n / counted) for other, n in others]


def count_task(case: str, task: Task, points: int) -> CountedPlan:
    """Count the instructions of the plan's point of a kernel, and of other points of its space.

    points: the number of other points.
    """
    space = PlanSpace(task)
    schedules = [*dict.fromkeys(map(space.schedule, _points(space, points, random.Random(case))))]
    job = Job(task.kernel, task.target, tuple(schedules), 0)
    counted = [int(n) for (n,) in instruction_counts.count(job).times_s]
    return CountedPlan(
        case, counted, [modelled_cost(task, each).instructions for each in schedules]
    )


def _points(space: PlanSpace, wanted: int, rng: random.Random) -> Iterator[Point]:
    assert space.start is not None, "the first point of the space is the plan's"
    yield space.start
    bound = MOST_RATIO * (space.prior(space.start) or math.inf)
    drawn = dict.fromkeys(space.draw(rng) for _ in range(DRAWS))
    legal = (p for p in drawn if p != space.start and (space.prior(p) or math.inf) <= bound)
    for point, _ in zip(legal, range(wanted), strict=False):
        yield point


def modelled_cost(task: Task, schedule: str) -> KernelCost:
    """Return the modelled cost of a kernel with a schedule."""
    module, _ = parsed_kernel(task.kernel)
    target, context = Target(task.target), new_context()
    use_schedules(module, [ScheduleFile(schedule, "a point")], context)
    ApplySchedule(target).apply(context, module)
    (kernel,) = kernels_of(module)
    return kernel_cost(kernel, target)


def counted_cases(options: argparse.Namespace, target: Target) -> Iterator[str]:
    """Yield the names of small kernels whose plans have several points, as many as asked for."""
    kinds, found = options.kind or COUNTED, 0
    for seed in count(options.seed):
        case = f"{kinds[seed % len(kinds)]} {seed}"
        task = _task(case, target)
        if found == options.count:
            return
        if task.flops <= MOST_FLOPS and PlanSpace(task).knobs:
            found += 1
            yield case


def _task(case: str, target: Target) -> Task:
    kind, _, seed = case.partition(" ")
    return drawn_task(kind, int(seed), target)


def run(options: argparse.Namespace, console: Console) -> int:
    """Count all kernels that the options ask for, and print the report; return the exit code.

    The exit code is 1 if the median error of all points is more than `CLOSE`.
    """
    target = Target(options.target)

    def measure(case: str) -> CountedPlan:
        return count_task(case, _task(case, target), options.points)

    rows: list[CountedPlan] = []
    for row in measured_rows(options, counted_cases(options, target), measure, parsed):
        ratios = " ".join(f"{error:.2f}" for error in row.errors)
        console.print(f"{row.counted[0]:<10} {row.case:<18} {ratios}", highlight=False)
        rows.append(row)
    for kind in [*dict.fromkeys(row.kind for row in rows), ""]:
        _report([row for row in rows if not kind or row.kind == kind], kind or "all", console)
    return int(statistics.median(_deviations(rows)) > math.log(CLOSE))


def parsed(fields: Mapping[str, Any]) -> CountedPlan:
    """Return the result in a line of the output file."""
    return CountedPlan(**fields)


def _deviations(rows: Sequence[CountedPlan]) -> list[float]:
    return [abs(math.log(error)) for row in rows for error in row.errors]


def _report(rows: Sequence[CountedPlan], name: str, console: Console) -> None:
    """Print how far the modelled changes are from the counted ones, over all points of kernels."""
    errors = sorted(error for row in rows for error in row.errors)
    if not errors:
        return
    last = len(errors) - 1
    low, middle, high = (errors[round(part * last)] for part in (0.05, 0.5, 0.95))
    close = statistics.fmean(n <= math.log(CLOSE) for n in _deviations(rows))
    console.print(
        f"{name}: {len(rows)} kernels, {len(errors)} points, {close:.0%} within {CLOSE}; "
        f"5 %, median, 95 %: {low:.2f} {middle:.2f} {high:.2f}",
        highlight=False,
    )
