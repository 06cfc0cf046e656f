"""Worker processes of a runner: what a crash, a hang, an error or wrong results cost."""

from __future__ import annotations

import ctypes
import os
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from tilewright.support.diagnostics import ScheduleError, TilewrightError
from tilewright.tuning.job import Job, Measurement
from tilewright.tuning.runner import Outcome, WorkerRunner, close_workers
from tilewright.tuning.weight_copies import WeightCopies

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


def test_consecutive_calls_use_weights_at_other_addresses() -> None:
    x, w, v, b = np.ones(9, np.float32), np.ones(70, np.float32), np.ones(3, np.float32), np.ones(5)
    copies = WeightCopies()
    own, *others = copies.addresses([x, w, v, b], [1, 2, 3], rotated_bytes=4096).tolist()
    assert own == [array.ctypes.data for array in (x, w, v, b)]
    assert len(others) == 4096 // (320 + 64 + 64) - 1
    assert {row[0] for row in others} == {x.ctypes.data}
    sizes = [array.nbytes for array in (w, v, b)]
    pairs = [pair for row in others for pair in zip(row[1:], sizes, strict=True)]
    spans = sorted((start, start + size) for start, size in pairs)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    values = np.frombuffer(ctypes.string_at(others[-1][1], w.nbytes), np.float32)
    assert 0.5 < np.std(values) < 2
    assert len(copies.addresses([x, w], [1], rotated_bytes=0)) == 1
