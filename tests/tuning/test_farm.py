"""A simulated farm of 10,000 workers: lost workers and stragglers do not hold the others."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator
from concurrent.futures import Future
from itertools import count

from tilewright.tuning.history import History
from tilewright.tuning.job import Job, Measurement
from tilewright.tuning.runner import Outcome
from tilewright.tuning.searches import make_search
from tilewright.tuning.task_search import TaskSearch
from tilewright.tuning.tuner import SearchLoop

from .test_search import Bowl
from .test_tune import task

WORKERS, MEAN_S, LOST = 10_000, 100.0, 0.05
"""The machines, the mean seconds of a job, and the part of the jobs whose machine is lost."""

SUBMIT_S = 1e-3
"""The seconds in which the search finds a schedule and submits its job."""

DURATION_S = 200.0
"""The seconds of the search."""


class Farm:
    """A runner with a clock of its own, whose jobs take times with a heavy tail (Pareto).

    now_s: the simulated time; a submission takes `SUBMIT_S`.
    work_s: the simulated seconds in which workers ran jobs whose outcome arrives.
    lost: the number of lost jobs.
    """

    unit = "s"

    def __init__(self) -> None:
        self._rng, self._number = random.Random(0), count()
        self._jobs: list[tuple[float, int, float, Job, Future[Outcome]]] = []
        self.now_s, self.work_s, self.lost = 0.0, 0.0, 0

    def stop(self) -> None:
        """Count the work of the jobs that still run."""
        for end_s, _, length_s, _, _ in self._jobs:
            self.work_s += min(self.now_s - (end_s - length_s), length_s)

    def submit(self, job: Job) -> Future[Outcome]:
        self.now_s += SUBMIT_S
        future: Future[Outcome] = Future()
        shape = 1.5
        length_s = MEAN_S * (shape - 1) / shape * self._rng.paretovariate(shape)
        heapq.heappush(
            self._jobs, (self.now_s + length_s, next(self._number), length_s, job, future)
        )
        return future

    def end_jobs(self, timeout_s: float) -> None:
        """End the jobs that end now; if none does, go to the next end within the timeout."""
        if timeout_s and self._jobs and self._jobs[0][0] <= self.now_s + timeout_s:
            self.now_s = max(self.now_s, self._jobs[0][0])
        elif timeout_s:
            self.now_s += timeout_s
        while self._jobs and self._jobs[0][0] <= self.now_s:
            _, _, length_s, job, future = heapq.heappop(self._jobs)
            if self._rng.random() < LOST:
                self.lost += 1
                future.set_exception(ConnectionError("the worker died"))
            else:
                self.work_s += length_s
                future.set_result(Outcome("measured", Measurement(((1.0,),) * len(job.schedules))))


class SimulatedLoop(SearchLoop):
    """The loop of a search on the clock of a farm."""

    farm: Farm

    def _now(self) -> float:
        return self.farm.now_s

    def _next_ended(self, timeout_s: float) -> Iterator[Future[Outcome]]:
        self.farm.end_jobs(timeout_s)
        return super()._next_ended(0.0)


class Texts(Bowl):
    """A space with 10^6 points, whose schedules are texts."""

    def __init__(self) -> None:
        super().__init__(100, 3)

    def schedule(self, point: tuple[int, ...]) -> str:
        return f"schedule {point}"


def test_a_farm_of_10000_workers_is_busy() -> None:
    searched = TaskSearch(task(), make_search("random", Texts()), share=1.0, threads=1, known=())
    ended: list[str] = []
    farm = Farm()
    loop = SimulatedLoop(
        [searched], farm, History(None, "s", 1), lambda each: ended.append(each.status), 0.0
    )
    loop.farm = farm
    loop.run(DURATION_S, None, WORKERS)
    farm.stop()
    assert farm.work_s >= 0.9 * WORKERS * DURATION_S
    # A lost job is submitted again, at most twice, so each schedule has one outcome.
    assert farm.lost > 0
    assert len(ended) == searched.trials
    assert 0 < ended.count("lost") < 2 * LOST**3 * len(ended)
