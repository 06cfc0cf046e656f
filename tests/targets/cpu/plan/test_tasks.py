"""Tasks of kernels without products, which should divide evenly among the cores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
import pytest

from tilewright import te
from tilewright.dialects.loop import ForOp
from tilewright.dialects.te import kernels_of
from tilewright.machines.cpu_numbers import GENERIC, NUMBERS
from tilewright.machines.target import Target
from tilewright.passes.schedule.apply_schedule import ApplySchedule
from tilewright.passes.schedule.match_schedules import use_schedules
from tilewright.support.registry import new_context
from tilewright.support.schedule_files import ScheduleFile
from tilewright.targets.cpu.plan.tiles import time_on_cores
from tilewright.tuning.job import Job
from tilewright.tuning.kernel_program import parsed_kernel
from tilewright.tuning.loaded_kernel import LoadedKernel
from tilewright.tuning.task import Task, tasks_of_tensors

SSE2, AVX512 = Target("llvm -mcpu=x86-64"), Target("llvm -mcpu=x86-64-v4")


def elementwise(*shape: int) -> te.Tensor:
    """Return a tensor that doubles another one."""
    x = te.placeholder(shape, name="x")
    return te.compute(shape, lambda *at: x[at] * 2.0, name="y")


def pool(channels: int, size: int) -> te.Tensor:
    """Return the maximum over windows of 3 x 3 pixels, with the channels innermost."""
    x = te.placeholder((size + 2, size + 2, channels), name="x")
    r, s = te.reduce_axis((0, 3), name="r"), te.reduce_axis((0, 3), name="s")
    return te.compute(
        (size, size, channels),
        lambda h, w, c: te.max(x[h + r, w + s, c], axis=[r, s]),
        name="y",
    )


def long_sum(channels: int, size: int) -> te.Tensor:
    """Return the sum of all pixels of an image, with the channels innermost."""
    x = te.placeholder((size, size, channels), name="x")
    h, w = te.reduce_axis((0, size), name="h"), te.reduce_axis((0, size), name="w")
    return te.compute((channels,), lambda c: te.sum(x[h, w, c], axis=[h, w]), name="y")


def trips_of_tasks(tensor: te.Tensor) -> int:
    """Return the number of iterations of the parallel loops that the plan writes."""
    (task,) = tasks_of_tensors(tensor, target=AVX512)
    module, _ = parsed_kernel(task.kernel)
    use_schedules(module, [ScheduleFile(task.plan, "plan")], new_context())
    ApplySchedule(AVX512).apply(new_context(), module)
    (kernel,) = kernels_of(module)
    trips = 1
    for op in kernel.body.walk():
        if isinstance(op, ForOp) and op.is_parallel:
            low, high = op.static_bounds or (0, 1)
            trips *= high - low
    return trips


@pytest.mark.parametrize("make", [lambda: pool(32, 56), lambda: elementwise(3, 224, 224)])
@pytest.mark.parametrize("cores", [2, 4, 8, 16])
def test_tasks_divide_evenly(make: Callable[[], te.Tensor], cores: int) -> None:
    tasks = trips_of_tasks(make())
    assert ceil(tasks / cores) * cores <= 1.35 * tasks


@pytest.mark.one_in(2)
def test_the_blocks_of_a_long_sum_are_tasks_with_the_same_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert trips_of_tasks(long_sum(32, 112)) >= 8
    plans, found = dict[int, Task](), list[np.ndarray[Any, Any]]()
    for cores in (1, 16):
        monkeypatch.setitem(NUMBERS, SSE2.cpu, replace(GENERIC, cores=(cores,)))  # pyright: ignore
        (plans[cores],) = tasks_of_tensors(long_sum(32, 112), target=SSE2)
    assert "rfactor" in plans[16].plan
    assert "rfactor" not in plans[1].plan
    for task in plans.values():
        found += LoadedKernel(Job(task.kernel, task.target, ()), task.plan).results()
    np.testing.assert_array_equal(found[0].view(np.uint32), found[1].view(np.uint32))


def test_a_small_kernel_is_one_task() -> None:
    assert trips_of_tasks(elementwise(10, 400)) == 1


def test_more_tasks_only_pay_if_the_cores_share_them() -> None:
    assert time_on_cores(16, 1e4, 16e4, AVX512) < time_on_cores(4, 4e4, 16e4, AVX512)
    assert time_on_cores(16, 1e4, 16e4, AVX512) < time_on_cores(17, 16e4 / 17, 16e4, AVX512)
    # Twice the tasks for 15 % more work are slower on one core, by more than 16 cores gain.
    assert time_on_cores(8, 1e5, 8e5, AVX512) < time_on_cores(16, 0.575e5, 9.2e5, AVX512)
