"""Measurements of candidates in a worker process: compile, check against the first one, time.

In: a `Job`, which is plain data: a kernel or a model, a target and several schedules.  Out: a
`Measurement`.
The first schedule is the reference: the results of the others must equal its results, except for
the rounding errors of another summation order.  All schedules are timed by turns in each round, so
that a slow phase of the machine affects all of them; only the ratios within a round matter.  The
weights of consecutive calls are copies in memory, as far apart as the model's weights, so that the
caches hold them only if they hold them in the model.
"""

from __future__ import annotations

import statistics
from functools import lru_cache
from typing import Any

import numpy as np

from ..support.collection import paused_collection
from ..support.diagnostics import ScheduleError
from .job import Job, Measurement
from .kernel_program import check_results
from .loaded_kernel import LoadedKernel
from .loaded_model import LoadedModel

Array = np.ndarray[Any, Any]

KEPT, KEPT_MODELS = 64, 4
"""Loaded candidates that a worker keeps, of kernels and of models.

A job's reference and incumbent are among them.  A search alternates between kernels.
"""

LONG_CALL_S = 0.001
"""A call of this length is timed once to find out how many calls fill a window."""

MOST_CALLS = 1000
"""Most calls of a window."""


@lru_cache(maxsize=KEPT)
def _loaded_kernel(job: Job, schedule: str) -> LoadedKernel:
    """Load a schedule, unless it is among the last ones that this worker process has loaded."""
    return LoadedKernel(job, schedule)


@lru_cache(maxsize=KEPT_MODELS)
def _loaded_model(job: Job, schedule: str) -> LoadedModel:
    """Load the options of a model, unless they are among the last few that were loaded."""
    return LoadedModel(job, schedule)


def _loaded(job: Job, schedule: str) -> LoadedKernel | LoadedModel:
    return (_loaded_model if job.is_model else _loaded_kernel)(job, schedule)


@lru_cache(maxsize=KEPT)
def _wanted(job: Job, schedule: str) -> list[Array]:
    """Return the results of the reference."""
    return _loaded(job, schedule).results()


@lru_cache(maxsize=KEPT)
def _check(job: Job, reference: str, schedule: str) -> None:
    """Compare the results of a schedule with those of the reference, once in a process.

    Errors: TilewrightError for other results.
    """
    check_results(_loaded(job, schedule).results(), _wanted(job, reference))


@lru_cache(maxsize=KEPT)
def _call_s(job: Job, schedule: str) -> float:
    """Return about the seconds of one call of a schedule that has been called before."""
    program = _loaded(job, schedule)
    first_s = program.call()
    return first_s if first_s > LONG_CALL_S else min(first_s, program.call(), program.call())


@paused_collection()
def measure(job: Job) -> Measurement:
    """Compile, check and time the schedules of a job.

    Errors: ScheduleError for an illegal schedule, TilewrightError for one with other results.
    """
    kernel = job.kernel_only
    programs = [_loaded(kernel, schedule) for schedule in job.schedules]
    if job.is_model and programs[-1].code == programs[0].code:
        raise ScheduleError("the options do not change the program")
    reference, *others = job.schedules
    for schedule in others:
        _check(kernel, reference, schedule)
    once_s = [max(_call_s(kernel, schedule), 1e-7) for schedule in job.schedules]

    def median_s(n: int, window_s: float) -> float:
        calls = max(1, min(MOST_CALLS, int(window_s / once_s[n])))
        return statistics.median(programs[n].call() for _ in range(calls))

    return Measurement(job.times_by_turns(median_s))
