"""The share of each task in the time of a model, which decides how the budget is divided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

from ..driver.module.kernels import compile_kernels
from ..driver.request import ModelOptions
from ..interp.program import random_inputs
from ..machines.target import Target, missing_features
from ..testing.profile import Replay
from .task import Task

FLOPS, BYTES = 5e10, 1e10
"""Operations and bytes per second that estimate the time of a kernel; only ratios matter."""

RUNS = 4
"""Runs of a model that measure its kernels; the first one does not count."""


def estimated_s(task: Task) -> float:
    """Return the estimated seconds of all calls of a task's kernel."""
    return task.calls * (task.flops / FLOPS + task.moved_bytes / BYTES)


def with_times(
    tasks: Sequence[Task], model: Any, **options: Unpack[ModelOptions]
) -> Sequence[Task]:
    """Return the tasks with the measured time of their kernels in runs of the model.

    Tasks for another machine are returned as they are.  options: see compile.
    Errors: see compile.
    """
    if not tasks or missing_features(target := Target(tasks[0].target)):
        return tasks
    code = compile_kernels(model, **options)
    inputs = random_inputs(code.module)
    replay = Replay(code, inputs, triple=target.triple, threads=options.get("threads") or 1)
    for _ in range(RUNS):
        replay()
    times = {row.name: row.total_s for row in replay.profile()}
    return [replace(task, measured_s=times.get(task.name, 0.0)) for task in tasks]


def time_shares(tasks: Sequence[Task]) -> list[tuple[Task, float]]:
    """Return the tasks with their share of the time, the largest first.

    The time of a task is measured (`with_times`), or estimated from its work.
    """
    times_s = [task.measured_s or estimated_s(task) for task in tasks]
    whole_s = sum(times_s) or 1.0
    rows = [(task, time_s / whole_s) for task, time_s in zip(tasks, times_s, strict=True)]
    return sorted(rows, key=lambda row: -row[1])


__all__ = ["estimated_s", "time_shares", "with_times"]
