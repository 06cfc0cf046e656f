"""Measurements of candidates in a worker process: compile, check against the first one, time.

In: a `Job`, which is plain data: a kernel, a target and several schedules.  Out: a `Measurement`.
The first schedule is the reference: the results of the others must equal its results, except for
the rounding errors of another summation order.  All schedules are timed by turns in each round, so
that a slow phase of the machine affects all of them; the ratios of a round are what counts.  The
weights of consecutive calls are copies in memory, as far apart as the model's weights, so that the
caches hold them only if they hold them in the model.
"""

from __future__ import annotations

import ctypes
import statistics
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..codegen.objects import pool_object
from ..dialects.packed import CallOp
from ..driver.module.kernels import KernelCode
from ..driver.request import OwnModule, request_for
from ..interp import packed
from ..interp.compare import expect_close
from ..interp.memory import aligned_bytes, poison
from ..interp.sizes import number_of
from ..machines.target import Target
from ..runtime.abi.library import Library
from ..runtime.abi.threads import process_pool
from ..support.cache import user_cache
from ..support.entry import entry_of
from ..testing.kernel_calls import KernelCalls, is_constant
from .job import Job, Measurement
from .kernel_program import FIRST_STAGE, kernel_program, random_array

Array = np.ndarray[Any, Any]

MOST_COPIES = 512
MOST_ROTATED_BYTES = 64 << 20
"""Most memory that the copies of weights take."""

KEPT = 4
"""Loaded candidates that a worker keeps; a job's reference and incumbent are among them."""


def measure(job: Job) -> Measurement:
    """Compile, check and time the schedules of a job.

    Errors: ScheduleError for an illegal schedule, TilewrightError for one with other results.
    """
    programs = [_loaded(job, schedule) for schedule in job.schedules]
    wanted = programs[0].results()
    for program in programs[1:]:
        program.check(wanted)
    return Measurement(_timed(programs, job))


def _timed(programs: Sequence[_Program], job: Job) -> tuple[tuple[float, ...], ...]:
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


class _Program:
    """A compiled schedule of a kernel, with the arguments of its calls."""

    def __init__(self, job: Job, schedule: str) -> None:
        module = kernel_program(job.kernel, schedule)
        target = Target(job.target)
        source = OwnModule(module, start=FIRST_STAGE)
        code = KernelCode.of(request_for(source, target=target, cache=False, strict_plan=True))
        self._library = Library(code.code)
        self._run = _pool_run(target.triple)
        self._threads = job.threads
        main = entry_of(code.module)
        rng = np.random.default_rng(1)
        self._arrays = [_aligned(random_array(arg.type, rng)) for arg in main.args]
        recorded = main.attributes["tw.result_dtypes"]
        self._outputs = self._arrays[-len(recorded.data) :]  # pyright: ignore
        self._calls = _Calls(code, job)
        packed.run_on(code.module, self._arrays, call=self._calls.add)
        self._sets = self._calls.sets()
        self._entries = [self._library.address(symbol) for symbol in self._calls.symbols]
        self._next = 0

    def results(self) -> list[Array]:
        """Return the outputs of a call with the first weights."""
        for output in self._outputs:
            poison(output)
        self._next = 0
        self.call()
        return [output.copy() for output in self._outputs]

    def check(self, wanted: Sequence[Array]) -> None:
        """Compare the outputs with those of another schedule.

        Errors: TilewrightError for other results.
        """
        for number, (got, expected) in enumerate(zip(self.results(), wanted, strict=True)):
            expect_close(got, expected, f"result {number} of the candidate")

    def call(self) -> float:
        """Call the kernel; return the seconds."""
        given = self._sets[self._next]
        self._next = (self._next + 1) % len(self._sets)
        calls = list(zip(self._entries, given, self._calls.tasks, strict=True))
        start_s = time.perf_counter()
        failures = [self._run(*given, self._threads) for given in calls]
        end_s = time.perf_counter()
        assert not any(failures), f"a kernel returned {failures}"
        return end_s - start_s


class _Calls:
    """The calls of a program: kernels, numbers of tasks, and arguments with copies of weights."""

    def __init__(self, code: KernelCode, job: Job) -> None:
        self._code, self._job = code, job
        self._given = KernelCalls(code, job.threads)
        self._arguments: list[tuple[list[Array], frozenset[int]]] = []
        self._alive: list[object] = []
        self.symbols: list[str] = []
        self.tasks: list[int] = []

    def add(self, op: CallOp, _: packed.Kernel, arrays: Sequence[Array]) -> None:
        """Record a call of the program."""
        info = self._code.infos[op.kernel_name]
        weights = frozenset(n for n, value in enumerate(op.arguments) if is_constant(value))
        self._arguments.append((self._given.arguments(op, arrays), weights))
        self.symbols.append(info.symbol)
        self.tasks.append(number_of(info.tasks_with(op.sizes)))

    def sets(self) -> list[list[int]]:
        """Return the addresses of the arguments of each call, once for each copy of the weights."""
        weights = {id(given[n]): given[n] for given, numbers in self._arguments for n in numbers}
        size = sum(array.nbytes for array in weights.values())
        most = min(self._job.rotated_bytes, MOST_ROTATED_BYTES)
        copies = max(1, min(MOST_COPIES, most // size)) if size else 1
        made: list[list[int]] = []
        for number in range(copies):
            own = {key: _aligned(x) if number else x for key, x in weights.items()}
            self._alive.append(own)
            made.append([self._pointers(given, own) for given, _ in self._arguments])
        return made

    def _pointers(self, given: Sequence[Array], own: dict[int, Array]) -> int:
        addresses = [own.get(id(array), array).ctypes.data for array in given]
        pointers = (ctypes.c_void_p * len(addresses))(*addresses)
        self._alive.append(pointers)
        return ctypes.addressof(pointers)


_LOADED: OrderedDict[tuple[str, str, str, int], _Program] = OrderedDict()


def _loaded(job: Job, schedule: str) -> _Program:
    """Return a compiled schedule; a worker keeps the last ones."""
    key = job.kernel, job.target, schedule, job.threads
    if key not in _LOADED:
        _LOADED[key] = _Program(job, schedule)
    _LOADED.move_to_end(key)
    while len(_LOADED) > KEPT:
        _LOADED.popitem(last=False)
    return _LOADED[key]


@cache
def _pool_run(triple: str) -> Callable[..., int]:
    pool = process_pool(lambda: pool_object(triple, user_cache()))
    signature = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32)
    return ctypes.CFUNCTYPE(ctypes.c_int32, *signature)(pool.run_address)


def _aligned(array: Array) -> Array:
    copy = aligned_bytes(array.nbytes).view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


__all__ = ["measure"]
