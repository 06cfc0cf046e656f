"""A compiled schedule of one kernel, loaded into this process, with the arguments of its calls.

In: a `Job` and the text of a schedule.  Out: a program to call, and its results.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..dialects.packed import CallOp
from ..dialects.results import RESULT_DTYPES
from ..driver.module.kernels import KernelCode
from ..interp import packed
from ..interp.memory import poison
from ..interp.signature import recorded_dtypes
from ..interp.sizes import number_of
from ..runtime.abi.library import Library
from ..support.entry import entry_of
from ..testing.kernel_calls import KernelCalls, is_constant, pool_run
from .job import Job
from .kernel_program import KEPT, kernel_program, kernel_request, random_buffer
from .weight_copies import weight_copies

Array = np.ndarray[Any, Any]


class LoadedKernel:
    """A compiled schedule of a kernel, loaded into this process, with the arguments of its calls.

    All schedules of one kernel are called with the same arrays.

    job: the measurement, which has the kernel, the target and the sizes of weights.
    schedule: the text of the schedule.
    code: the shared object of the kernel.
    """

    def __init__(self, job: Job, schedule: str) -> None:
        module = kernel_program(job.kernel, schedule)
        request = kernel_request(module, job.target)
        code = KernelCode.of(request)
        self.code = code.code
        self._library = Library(code.code)
        self._run = pool_run(request.settings.target.triple)
        self._threads = job.threads
        arrays = _arrays(job.kernel)
        self._outputs = arrays[-len(recorded_dtypes(entry_of(code.module), RESULT_DTYPES) or ()) :]
        calls = _Calls(code, self._library, job)
        packed.run_on(code.module, arrays, call=calls.add)
        self._calls = calls.all

    def results(self) -> list[Array]:
        """Call the kernel with the first copy of the weights; return copies of its outputs."""
        for output in self._outputs:
            poison(output)
        self._call(0)
        return [output.copy() for output in self._outputs]

    def call(self) -> float:
        """Call the kernel with the next copy of the weights; return the seconds of the call."""
        return self._call(weight_copies().turn())

    def _call(self, turn: int) -> float:
        calls = [(call.entry, call.row(turn), call.tasks) for call in self._calls]
        start_s = time.perf_counter()
        failures = [self._run(*given, self._threads) for given in calls]
        end_s = time.perf_counter()
        assert not any(failures), f"a kernel returned {failures}"
        return end_s - start_s


@lru_cache(maxsize=KEPT)
def _arrays(kernel: str) -> list[Array]:
    """Return random arrays for the arguments of the program of a kernel."""
    rng = np.random.default_rng(1)
    return [random_buffer(arg.type, rng) for arg in entry_of(kernel_program(kernel, "")).args]


@dataclass(frozen=True)
class _TimedCall:
    """A call of a kernel by the program.

    entry: the address of the kernel.  tasks: the number of its tasks.  arguments: the arrays.
    addresses: the addresses of the arguments, in a row for each copy of the weights.
    """

    entry: int
    tasks: int
    arguments: Sequence[Array]
    addresses: Array

    def row(self, turn: int) -> int:
        """Return the address of the row of ``addresses`` for a call with a number."""
        return self.addresses.ctypes.data + turn % len(self.addresses) * self.addresses.strides[0]


class _Calls:
    """The kernel calls of a program, in order.

    code, library: the kernels, and their code in this process.
    """

    def __init__(self, code: KernelCode, library: Library, job: Job) -> None:
        self._infos, self._library, self._job = code.infos, library, job
        self._given = KernelCalls(code, job.threads)
        self.all: list[_TimedCall] = []

    def add(self, op: CallOp, _: packed.Kernel, arrays: Sequence[Array]) -> None:
        """Record one kernel call of the program, and its arguments ``arrays``."""
        info, given = self._infos[op.kernel_name], self._given.arguments(op, arrays)
        weights = [n for n, value in enumerate(op.arguments) if is_constant(value)]
        table = weight_copies().addresses(given, weights, self._job.rotated_bytes)
        tasks = number_of(info.tasks_with(op.sizes))
        self.all.append(_TimedCall(self._library.address(info.symbol), tasks, given, table))
