"""Measurements of candidates in a worker process: compile, check against the first one, time.

In: a `Job`, which is plain data: a kernel, a target and several schedules.  Out: a `Measurement`.
The first schedule is the reference: the results of the others must equal its results, except for
the rounding errors of another summation order.  All schedules are timed by turns in each round, so
that a slow phase of the machine affects all of them; only the ratios within a round matter.  The
weights of consecutive calls are copies in memory, as far apart as the model's weights, so that the
caches hold them only if they hold them in the model.
"""

from __future__ import annotations

import statistics
from collections import OrderedDict
from collections.abc import Sequence

from .job import Job, Measurement
from .kernel_program import check_results
from .loaded_kernel import LoadedKernel

KEPT = 4
"""Loaded candidates that a worker keeps; a job's reference and incumbent are among them."""


def measure(job: Job) -> Measurement:
    """Compile, check and time the schedules of a job.

    Errors: ScheduleError for an illegal schedule, TilewrightError for one with other results.
    """
    programs = [_loaded(job, schedule) for schedule in job.schedules]
    wanted = programs[0].results()
    for program in programs[1:]:
        check_results(program.results(), wanted)
    return Measurement(_timed(programs, job))


def _timed(programs: Sequence[LoadedKernel], job: Job) -> tuple[tuple[float, ...], ...]:
    once_s = [min(program.call() for _ in range(2)) for program in programs]
    times: list[list[float]] = [[] for _ in programs]
    order = [*range(len(programs))]
    for turn in range(job.rounds):
        for n in order if turn % 2 == 0 else reversed(order):
            calls = max(2, min(1000, int(job.window_s / max(once_s[n], 1e-7))))
            times[n].append(statistics.median(programs[n].call() for _ in range(calls)))
        if turn and min(times[-1]) > job.give_up * min(map(min, times)):
            break
    return tuple(map(tuple, times))


_LOADED: OrderedDict[tuple[str, str, str, int], LoadedKernel] = OrderedDict()


def _loaded(job: Job, schedule: str) -> LoadedKernel:
    """Return the compiled form of a schedule; a worker process keeps the last few."""
    key = job.kernel, job.target, schedule, job.threads
    if key not in _LOADED:
        _LOADED[key] = LoadedKernel(job, schedule)
    _LOADED.move_to_end(key)
    while len(_LOADED) > KEPT:
        _LOADED.popitem(last=False)
    return _LOADED[key]


__all__ = ["measure"]
