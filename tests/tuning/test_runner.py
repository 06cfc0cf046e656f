"""Worker processes of a runner: what a crash, a hang, an error or wrong results cost."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor

from tilewright.support.diagnostics import ScheduleError, TilewrightError
from tilewright.tuning.job import Job, Measurement
from tilewright.tuning.runner import Outcome, WorkerRunner, close_workers

TIMEOUT_S = 2.0


def behave(job: Job) -> Measurement:
    """Do what the candidate's text says, in the worker."""
    match job.schedules[-1]:
        case "crash":
            os.abort()
        case "hang":
            time.sleep(60)
        case "refuse":
            raise ScheduleError("an illegal step")
        case "wrong":
            raise TilewrightError("result 0 of the candidate changed")
        case "memory":
            return Measurement(((float(len(bytes(1 << 40))),),))
    return Measurement(((1.0,),))


def test_a_bad_candidate_costs_only_itself() -> None:
    words = ("crash", "good", "hang", "good", "refuse", "wrong", "memory", "good")
    with WorkerRunner(timeout_s=TIMEOUT_S, measure=f"{__file__}:behave") as runner:
        futures = [runner.submit(Job("", "", (word,))) for word in words]
        outcomes = [future.result() for future in futures]
    statuses = [outcome.status for outcome in outcomes]
    good = "measured"
    assert statuses == ["crashed", good, "timeout", good, "refused", "failed", "failed", good]
    assert "SIGABRT" in outcomes[0].error
    assert outcomes[4].error == "an illegal step"


def test_a_runner_ends_without_waiting_for_a_job() -> None:
    with ThreadPoolExecutor(1) as executor:
        given = WorkerRunner(executor, measure=f"{__file__}:behave")
        made = given.submit(Job("", "", ("good",))).result()
        assert made == Outcome("measured", Measurement(((1.0,),)))
        executor.submit(close_workers).result()
    start_s = time.monotonic()
    with WorkerRunner(timeout_s=50, measure=f"{__file__}:behave") as runner:
        hanging = runner.submit(Job("", "", ("hang",)))
        waiting = runner.submit(Job("", "", ("good",)))
        assert waiting.cancel()
    assert time.monotonic() - start_s < 40
    assert hanging.cancelled() or hanging.result().status in ("crashed", "failed")
