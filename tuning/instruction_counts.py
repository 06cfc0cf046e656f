"""Measurements without the processor: an emulator counts the instructions of AArch64 code.

In: a `Job` for an AArch64 target, which the emulator unicorn runs.
Out: a `Measurement` in instructions, which is the same on each machine and under any load. The
results of the schedules are compared as in measuring.py. The measurement names the emulator, and
the processor for which the code is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any

import numpy as np

from ..driver.module.kernels import KernelCode
from ..interp.program import random_inputs
from ..machines.target import Target
from ..testing.emulator import EmulatedProgram
from .job import Job, Measurement
from .kernel_program import check_results, kernel_program, kernel_request

Array = np.ndarray[Any, Any]

MEASURE = f"{__name__}:count"
"""The function for `WorkerRunner`."""
UNIT = "instructions"
"""The unit of these measurements."""


def count(job: Job) -> Measurement:
    """Run each schedule of a job once in the emulator; return the executed instructions.

    Errors: ScheduleError for an illegal schedule, TilewrightError for one with other results.
    """
    runs = [_counted(job.kernel, job.target, schedule) for schedule in job.schedules]
    _, wanted = runs[0]
    for _, outputs in runs[1:]:
        check_results(outputs, wanted)
    counts = tuple((float(executed),) for executed, _ in runs)
    return Measurement(counts, UNIT, {**_emulator_facts(), "cpu": Target(job.target).cpu})


@cache
def _emulator_facts() -> Mapping[str, str | int]:
    """Return the facts of records that name the emulator in place of a processor."""
    return {"processor": f"the emulator unicorn {version('unicorn')}", "threads": 1}


@lru_cache(maxsize=8)
def _counted(kernel: str, target: str, schedule: str) -> tuple[int, tuple[Array, ...]]:
    module = kernel_program(kernel, schedule)
    inputs = random_inputs(module, seed=1)
    program = EmulatedProgram(KernelCode.of(kernel_request(module, target)), counts=True)
    outputs = program(*inputs)
    return program.executed, outputs
