"""The plan's points against random points of their spaces, on kernels drawn by a seed.

Run: python benchmarks/plan_check.py [--seed N] [--count N] [--kind NAME ...] [--points N]
         [--target TEXT] [--instructions] [--out FILE] [--resume] [MODEL ...]
Or: make plan-check

Each kernel is timed with the plan's schedule, with the schedules of random points, and with those
of the points that the cost model ranks first among many drawn ones.  All schedules of a kernel are
timed by turns, with cold weights, and the least time of each counts.  Results are lines of JSON in
--out; --resume continues them.  With names of models, the kernels are theirs instead of drawn
ones.  Exit status 1 if a plan's point reaches less than 0.9 of the speed of the fastest point.

With --instructions, an emulator counts the instructions of drawn kernels for an AArch64 target, and
the report compares their change from the plan's point to random points with the modelled change
(harness/counted_plans.py).
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from harness import counted_plans
from harness.drawn_kernels import KINDS, drawn_task
from harness.resumable import CaseRow, add_options, measured_rows
from tilewright import Target
from tilewright.machines.cpu_numbers import numbers_of
from tilewright.support.diagnostics import TilewrightError
from tilewright.testing.models import light_model
from tilewright.tuning.job import Job
from tilewright.tuning.kernel_program import check_results
from tilewright.tuning.loaded_kernel import LoadedKernel
from tilewright.tuning.plan_space import PlanSpace
from tilewright.tuning.space import Point
from tilewright.tuning.task import Task, tasks_of
from tilewright.tuning.task_search import rank_correlation

LEAST = 0.9
"""The least speed of a plan's point, relative to the fastest measured point."""

FIRST = 8
"""The points that the cost model ranks first, of which a tuner would measure all."""

DRAWS = 400
"""The points that are drawn for a kernel, of which the model ranks the legal ones."""

SPREAD = 1.5
"""The spread of measured times from which on their rank correlation means something."""

ROUNDS, WINDOW_S = 8, 0.003


@dataclass(frozen=True)
class CheckedPlan(CaseRow):
    """A kernel, with the modelled and the measured time of the plan's point and of other points.

    case: the kind and the seed, or the model and the kernel.  sizes: the shapes of the kernel's
    arguments.  values: the choices of each point, the plan's point first.  modelled_us,
    measured_us: the times of each point.  problem: why the kernel has no times.
    """

    sizes: str = ""
    values: Sequence[dict[str, Any]] = ()
    modelled_us: Sequence[float] = ()
    measured_us: Sequence[float] = ()
    problem: str = ""

    @property
    def kind(self) -> str:
        """The kind of the kernel, or the model."""
        return self.case.partition(" ")[0]

    @property
    def regret(self) -> float:
        """The time of the plan's point, relative to the least time of all points."""
        return self.measured_us[0] / min(self.measured_us)

    @property
    def regret_of_first(self) -> float:
        """The least time of the points that the model ranks first, relative to that of all."""
        ranked = sorted(zip(self.modelled_us, self.measured_us, strict=True))
        return min(time for _, time in ranked[:FIRST]) / min(self.measured_us)

    @property
    def correlation(self) -> float | None:
        """Spearman's correlation of modelled and measured times; None if all times are similar."""
        if max(self.measured_us) < SPREAD * min(self.measured_us):
            return None
        return rank_correlation(list(zip(self.modelled_us, self.measured_us, strict=True)))

    @property
    def accuracy(self) -> float:
        """The modelled time of the plan's point, relative to its measured time."""
        return self.modelled_us[0] / self.measured_us[0]


def check_task(case: str, task: Task, points: int, rounds: int) -> CheckedPlan:
    """Time the plan's point of a kernel by turns with other points of its space.

    points: the number of other points, of which the model ranks the first ones cheapest.
    """
    space = PlanSpace(task)
    chosen = list(_points(space, points, random.Random(case)))
    schedules = [space.schedule(point) for point in chosen]
    clock_hz = numbers_of(Target(task.target)).clock_hz
    job = Job(task.kernel, task.target, (), task.rotated_bytes)
    programs = [LoadedKernel(job, schedule) for schedule in schedules]
    wanted = programs[0].results()
    for program in programs[1:]:
        check_results(program.results(), wanted)
    once_s = [min(program.call() for _ in range(3)) for program in programs]
    least_s = list(once_s)
    for _ in range(rounds):
        for n, program in enumerate(programs):
            calls = max(2, min(200, int(WINDOW_S / once_s[n])))
            least_s[n] = min(least_s[n], *(program.call() for _ in range(calls)))
    return CheckedPlan(
        case,
        _sizes(task),
        [space.values(point) for point in chosen],
        [1e6 * (space.prior(point) or math.nan) / clock_hz for point in chosen],
        [1e6 * time_s for time_s in least_s],
    )


def _points(space: PlanSpace, count: int, rng: random.Random) -> Iterator[Point]:
    """Yield the plan's point, the cheapest of many drawn points, and then random ones.

    Points whose schedules are equal count once.
    """
    assert space.start is not None, "the first point of the space is the plan's"
    yield space.start
    if len(space.knobs) == 0:
        return
    drawn: dict[Point, float] = {}
    near = space.start
    for _ in range(DRAWS):
        knob = rng.randrange(len(space.knobs))
        value = rng.randrange(len(space.knobs[knob].choices))
        moved = (*near[:knob], value, *near[knob + 1 :])
        for point in (moved, space.draw(rng)):
            cost = space.prior(point)
            if cost is not None and math.isfinite(cost):
                drawn[point], near = cost, point
    drawn.pop(space.start, None)
    ranked = sorted(drawn, key=lambda point: drawn[point])
    rest = ranked[FIRST:]
    seen, found = {space.schedule(space.start)}, 0
    for point in [*ranked[:FIRST], *rng.sample(rest, len(rest))]:
        if found == count:
            break
        try:
            schedule = space.schedule(point)
        except TilewrightError:
            continue
        if schedule not in seen:
            seen.add(schedule)
            found += 1
            yield point


def _sizes(task: Task) -> str:
    head = task.kernel.partition("(")[2].partition(")")[0]
    return " ".join(part.partition("<")[2].partition(">")[0] for part in head.split(", "))


def task_of(case: str, target: Target) -> Task:
    """Return the kernel of a case."""
    kind, _, name = case.partition(" ")
    if kind in KINDS:
        return drawn_task(kind, int(name), target)
    return next(t for t in tasks_of(light_model(kind), target=target) if t.name == name)


def cases_of(options: argparse.Namespace) -> list[str]:
    """Return the names of the cases that the command line asks for."""
    if not options.models:
        kinds = options.kind or list(KINDS)
        seeds = range(options.seed, options.seed + options.count)
        return [f"{kinds[n % len(kinds)]} {n}" for n in seeds]
    return [
        f"{name} {task.name}"
        for name in options.models
        for task in tasks_of(light_model(name), target=Target(options.target))[: options.count]
    ]


def run(options: argparse.Namespace, console: Console) -> list[CheckedPlan]:
    """Measure all cases whose results are not in the output file yet; return all results."""
    target = Target(options.target)

    def measure(case: str) -> CheckedPlan:
        try:
            return check_task(case, task_of(case, target), options.points, options.rounds)
        except TilewrightError as err:
            return CheckedPlan(case, problem=str(err).partition("\n")[0])

    rows: list[CheckedPlan] = []
    for row in measured_rows(options, cases_of(options), measure, parsed):
        if row.problem:
            console.print(f"{row.case}: {row.problem}", markup=False, soft_wrap=True)
        rows.append(row)
    return rows


def parsed(fields: Mapping[str, Any]) -> CheckedPlan:
    """Return the result in a line of the output file."""
    return CheckedPlan(**fields)


def report(rows: Sequence[CheckedPlan], console: Console) -> None:
    """Print a line per kernel, and the means of each kind.

    model: the modelled time of the plan's point, relative to the measured one.  plan, first: the
    time of the plan's point, and the least time of the points that the model ranks first, relative
    to that of all points.  rank: the correlation of modelled and measured times.  Kernels whose
    only point is the plan's have no such times and count in no mean of all kernels.
    """
    console.print("model  plan   first  rank   points  us        case", highlight=False)
    timed = [row for row in rows if not row.problem]
    for row in timed:
        style = "red" if 1 / row.regret < LEAST else None
        cells = f"{row.measured_us[0]:<9.1f} {row.case}  {row.sizes}"
        console.print(_line([row], cells), style=style, highlight=False, soft_wrap=True)
    compared = [row for row in timed if len(row.measured_us) > 1]
    for kind in [*dict.fromkeys(row.kind for row in timed), ""]:
        own = [row for row in timed if row.kind == kind] if kind else compared
        if own:
            error = statistics.median(abs(math.log(row.accuracy)) for row in own)
            cells = f"{len(own)} {kind or 'kernels'}, median error of the model {error:.2f}"
            console.print(_line(own, cells), highlight=False, soft_wrap=True)


def _line(rows: Sequence[CheckedPlan], cells: str) -> str:
    ranks = [row.correlation for row in rows if row.correlation is not None]
    rank = f"{statistics.fmean(ranks):.2f}" if ranks else "-"
    compared = [row for row in rows if len(row.measured_us) > 1]
    means = [[row.accuracy for row in rows], [row.regret for row in compared],
             [row.regret_of_first for row in compared]]  # fmt: skip
    numbers = "".join(
        f"{statistics.geometric_mean(values):<7.3f}" if values else f"{'-':<7}" for values in means
    )
    return f"{numbers}{rank:<7}{sum(len(row.values) for row in rows):<7} {cells}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the plans and print the report; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("models", nargs="*", help="use the kernels of these models")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100, help="kernels, or kernels of a model")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="default: all")
    parser.add_argument("--points", type=int, default=28, help="measured points of a kernel")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--target", default="native")
    parser.add_argument("--instructions", action="store_true", help="count them in an emulator")
    add_options(parser, Path("tw-fuzz/plans.jsonl"))
    options, console = parser.parse_args(arguments), Console()
    console.print(f"target: {Target(options.target)}")
    if options.instructions:
        return counted_plans.run(options, console)
    rows = run(options, console)
    report(rows, console)
    return int(any(1 / row.regret < LEAST for row in rows if not row.problem))


if __name__ == "__main__":
    sys.exit(main())
