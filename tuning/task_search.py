"""The search for one task: which schedule to measure next, and how to evaluate a measurement.

A candidate is timed together with the plan's schedule and with the fastest schedule so far.  A
candidate that is faster than both (a *winner*) is timed again, in more and longer rounds: only this
time counts, because the fastest of many short times is partly luck.
"""

from __future__ import annotations

import math
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from ..support.diagnostics import TilewrightError
from ..support.tuning_records import Record, best_records
from .job import Job
from .runner import MEASURED, Outcome
from .search import Search
from .space import Point
from .task import Task

LEAST_GAIN = 0.01
"""The part of the time that a schedule must save to replace a faster one."""

WINDOW_S, MODEL_WINDOW_S = 0.004, 0.05
"""The seconds of one timing of a kernel, and of a model."""

FINAL_ROUNDS, FINAL_WINDOWS = 15, 2
"""The rounds of the second timing of a winner, and the factor of their length."""

FIRST_GAIN, LOST_GAIN = 0.3, 0.93
"""The expected gain of a task without measurements, and its factor for each point without gain."""

SUGGESTED = 4
"""The most points of other kernels that a search tries first."""

UNSEEN_TRIES = 200
"""Points whose schedules are known or illegal, one after the other, until a search ends."""


@dataclass(frozen=True)
class Candidate:
    """A schedule that is being measured.

    point: its point of the space; None for a schedule of an earlier search of another space.
    is_final: whether this is the second timing of a winner.
    """

    schedule: str
    point: Point | None
    is_final: bool = False


class TaskSearch:
    """The state of the search for faster schedules of one kernel.

    task: the kernel.
    search: proposes points of the space.
    share: the fraction of the model's time that the kernel takes.
    threads: the number of threads of a call.
    known: the records of earlier searches.
    schedule: the text of the fastest schedule so far, at first the plan's.
    speedup: the time of the plan's schedule divided by the time of the fastest schedule, from the
    second timing.
    trials: the number of measured or failed schedules.
    refused: the number of points without a legal schedule.
    """

    def __init__(
        self, task: Task, search: Search, *, share: float, threads: int, known: Sequence[Record]
    ) -> None:
        self.task, self.search, self.share = task, search, share
        self.schedule, self.speedup, self.trials, self.refused = task.plan, 1.0, 0, 0
        self.plan_time = math.nan
        self.timed: list[float] = []
        """The measured time of each schedule, relative to the plan's, in order."""
        self.pairs: list[tuple[float, float]] = []
        """The modelled and the measured time, relative to the plan's, of each schedule."""
        self._job = Job(
            task.kernel,
            task.target,
            (),
            task.rotated_bytes,
            window_s=MODEL_WINDOW_S if task.is_model else WINDOW_S,
            threads=threads,
            is_model=task.is_model,
        )
        self._costs: dict[str, float] = {task.plan: 1.0}
        self._winners: list[Candidate] = []
        self._gain = FIRST_GAIN
        self._is_over = False
        self._recall(known)

    @property
    def rank_correlation(self) -> float | None:
        """The `rank_correlation` of modelled and measured times."""
        return rank_correlation(self.pairs)

    @property
    def best_so_far(self) -> list[float]:
        """The largest speedup in a first timing up to each measured schedule; the plan's is 1."""
        return best_so_far(1 / cost for cost in self.timed)

    @property
    def has_winner(self) -> bool:
        """Whether a winner waits for its second timing."""
        return bool(self._winners)

    @property
    def expected_gain(self) -> float:
        """The estimated fraction of the model's time that the next measurement saves.

        0 if no point is left to measure.
        """
        return 0.0 if self._is_over and not self._winners else self.share * self._gain

    def next(self) -> Candidate | None:
        """Return the next schedule to measure; None if no point of the space is left."""
        if self._winners:
            return self._winners.pop(0)
        for _ in range(UNSEEN_TRIES):
            point = self.search.ask()
            if point is None:
                break
            try:
                schedule = self.search.space.schedule(point)
            except TilewrightError:
                self.refused += 1
                self.search.tell(point, math.inf)
                continue
            if schedule in self._costs:
                self.search.tell(point, self._costs[schedule])
                continue
            self._costs[schedule] = math.inf
            return Candidate(schedule, point)
        self._is_over = True
        return None

    def job(self, candidate: Candidate) -> Job:
        """Return the job that measures a candidate."""
        others = dict.fromkeys((self.task.plan, self.schedule, candidate.schedule))
        if not candidate.is_final:
            return replace(self._job, schedules=tuple(others))
        pair = self.task.plan, candidate.schedule
        never = math.inf
        window_s = FINAL_WINDOWS * self._job.window_s
        longer = replace(self._job, rounds=FINAL_ROUNDS, window_s=window_s, give_up=never)
        return replace(longer, schedules=pair)

    def done(self, candidate: Candidate, outcome: Outcome) -> bool:
        """Record the outcome of a candidate; return whether it is now the fastest schedule."""
        if not candidate.is_final:
            self.trials += 1
            self._gain *= LOST_GAIN
        made = outcome.measurement
        if outcome.status != MEASURED or made is None:
            self._tell(candidate, math.inf)
            return False
        last = len(made.times_s) - 1
        cost = made.cost(is_final=candidate.is_final)
        self.plan_time = min(made.times_s[0])
        if not candidate.is_final:
            self.timed.append(cost)
        self._tell(candidate, cost)
        if candidate.is_final:
            return self._accept(candidate, 1 / cost)
        if max(cost, made.ratio(last, last - 1)) < 1 - LEAST_GAIN:
            self._winners.append(replace(candidate, is_final=True))
        return False

    def _accept(self, candidate: Candidate, speedup: float) -> bool:
        if speedup < self.speedup / (1 - LEAST_GAIN):
            return False
        self._gain = max(self._gain, 1 - self.speedup / speedup)
        self.schedule, self.speedup = candidate.schedule, speedup
        return True

    def _tell(self, candidate: Candidate, cost: float) -> None:
        self._costs[candidate.schedule] = cost
        if candidate.point is None:
            return
        self.search.tell(candidate.point, cost)
        prior = self.search.space.prior(candidate.point)
        if prior is not None and math.isfinite(cost) and not candidate.is_final:
            self.pairs.append((prior, cost))

    def _recall(self, known: Sequence[Record]) -> None:
        """Continue an earlier search: use its records as measurements, and its winner as the best.

        known: the records in the file, of all kernels.
        """
        wanted = self.task.digest, self.task.target, self._job.threads
        own = [r for r in known if (r.kernel, r.target, r.threads) == wanted]
        waiting: list[tuple[float, Candidate]] = []
        for record in own:
            cost = 1 / record.speedup if record.status == MEASURED else math.inf
            point = self.search.space.point(record.point)
            is_ours = record.space == self.search.space.name
            candidate = Candidate(record.schedule, point if is_ours else None)
            self._tell(candidate, cost)
            if not record.is_final:
                waiting.append((cost, replace(candidate, is_final=True)))
        for record in best_records(own).values():
            if record.is_final and record.speedup > 1:
                self.schedule, self.speedup = record.schedule, record.speedup
        # The earlier search may have ended before it timed its last winner again.
        cost, candidate = min(waiting, key=lambda pair: pair[0], default=(math.inf, None))
        if candidate is not None and cost * self.speedup < 1 - LEAST_GAIN:
            self._winners.append(candidate)
        for record in near_records(self.task, self.search.space.name, known):
            point = self.search.space.nearest(record.point)
            if point is not None:
                self.search.suggest(point)


def best_so_far(speedups: Iterable[float]) -> list[float]:
    """Return the largest speedup up to each of several schedules; 1 is that of the plan."""
    return list(accumulate(speedups, max, initial=1.0))[1:]


def near_records(task: Task, space: str, known: Sequence[Record]) -> list[Record]:
    """Return the best records of the kernels that are nearest to a kernel, the nearest first.

    Kernels are compared if their largest computes have equally many axes; the distance is the sum
    of the logarithms of the ratios of their sizes.  The same kernel on another target has the
    distance 0.

    space: the name of the space of the records.
    """

    def distance(record: Record) -> float:
        pairs = zip(record.extents, task.extents, strict=True)
        return sum(abs(math.log(ours / theirs)) for ours, theirs in pairs)

    others = [
        record
        for record in best_records(known).values()
        if (record.kernel, record.target) != (task.digest, task.target)
        and (record.space, len(record.extents)) == (space, len(task.extents))
        and record.speedup > 1
        and all(type(n) is int and n > 0 for n in (*record.extents, *task.extents))
        and task.extents
    ]
    return sorted(others, key=distance)[:SUGGESTED]


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return Spearman's correlation of two quantities; equal values share the mean of their ranks.

    None for less than three pairs, and if one quantity has the same value in all pairs.
    """
    if len(pairs) < 3:
        return None
    first, second = (_ranks(values) for values in zip(*pairs, strict=True))
    if len(set(first)) == 1 or len(set(second)) == 1:
        return None
    return statistics.correlation(first, second)


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(values)
    return [(bisect_left(order, x) + bisect_right(order, x) - 1) / 2 for x in values]
