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

from ..support.collection import paused_collection
from ..support.diagnostics import ScheduleError
from .job import Job, Measurement
from .kernel_program import check_results
from .loaded_kernel import LoadedKernel
from .loaded_model import LoadedModel

KEPT = 4
"""Loaded candidates that a worker keeps; a job's reference and incumbent are among them."""


@lru_cache(maxsize=KEPT)
def _loaded(job: Job, schedule: str) -> LoadedKernel | LoadedModel:
    """Load a schedule, unless it is among the last few that this worker process has loaded."""
    return LoadedModel(job, schedule) if job.is_model else LoadedKernel(job, schedule)


@paused_collection()
def measure(job: Job) -> Measurement:
    """Compile, check and time the schedules of a job.

    Errors: ScheduleError for an illegal schedule, TilewrightError for one with other results.
    """
    programs = [_loaded(job.kernel_only, schedule) for schedule in job.schedules]
    if job.is_model and programs[-1].code == programs[0].code:
        raise ScheduleError("the options do not change the program")
    wanted = programs[0].results()
    for program in programs[1:]:
        check_results(program.results(), wanted)
    once_s = [min(program.call() for _ in range(2)) for program in programs]

    def median_s(n: int) -> float:
        calls = max(2, min(1000, int(job.window_s / max(once_s[n], 1e-7))))
        return statistics.median(programs[n].call() for _ in range(calls))

    return Measurement(job.times_by_turns(median_s))
