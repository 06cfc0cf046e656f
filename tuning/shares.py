"""The fraction of a model's time that each task takes, which decides how the budget is divided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from ..driver.given import check_sizes
from ..driver.module.kernels import KernelCode
from ..driver.request import ModelOptions, request_for
from ..driver.source import ModelSource
from ..frontend.te.tensor import Tensor
from ..interp.program import random_inputs
from ..machines.target import Target, missing_features
from ..testing.profile import Replay
from .task import Task, tasks_of, tasks_of_tensors

if TYPE_CHECKING:
    import onnx

Model: TypeAlias = (
    "str | PathLike[str] | bytes | onnx.ModelProto | Tensor | list[Tensor] | tuple[Tensor, ...]"
)
"""A model, or the tensors of expressions."""

FLOPS, BYTES = 5e10, 1e10
"""Operations and bytes per second that estimate the time of a kernel; only ratios matter."""

RUNS = 4
"""Runs of a model that measure its kernels; the first one does not count."""


def estimated_s(task: Task) -> float:
    """Return the estimated seconds of all calls of a task's kernel.

    The estimate follows from the operations and the bytes of a call.
    """
    return task.calls * (task.flops / FLOPS + task.moved_bytes / BYTES)


def with_times(
    tasks: Sequence[Task], model: Any, **options: Unpack[ModelOptions]
) -> Sequence[Task]:
    """Return the tasks with the measured times of their kernels in runs of the model.

    If the tasks are for another machine than this one, return them unchanged.

    options: see `compile`.

    Errors: see `compile`.
    """
    if not tasks or missing_features(target := Target(tasks[0].target)):
        return tasks
    request = request_for(ModelSource(model), **options)
    code = KernelCode.of(request.with_settings(schedules=()))
    inputs = random_inputs(code.module)
    replay = Replay(code, inputs, triple=target.triple, threads=options.get("threads") or 1)
    for _ in range(RUNS):
        replay()
    times = {row.name: row.total_s for row in replay.profile()}
    return [replace(task, measured_s=times.get(task.name, 0.0)) for task in tasks]


def model_tasks(model: Model, **options: Unpack[ModelOptions]) -> Sequence[Task]:
    """Return the tasks of a model, with measured times; or those of tensor expressions, without.

    options: see `compile`; only ``target`` applies to tensor expressions.

    Errors: see `compile`.
    """
    if isinstance(model, Tensor | list | tuple):
        return tasks_of_tensors(model, target=options.get("target"))
    check_sizes(shapes=options.get("shapes"), values=options.get("values"), specialize=None)
    return with_times(tasks_of(model, **options), model, **options)


def time_shares(tasks: Sequence[Task]) -> list[tuple[Task, float]]:
    """Return pairs of a task and its fraction of the time of all tasks, the largest first.

    The time of a task is measured (`with_times`), or else estimated from its work.
    """
    times_s = [task.measured_s or estimated_s(task) for task in tasks]
    whole_s = sum(times_s) or 1.0
    rows = [(task, time_s / whole_s) for task, time_s in zip(tasks, times_s, strict=True)]
    return sorted(rows, key=lambda row: -row[1])
