"""Runners: measure jobs in other processes, so that a candidate that crashes costs only itself.

A runner submits jobs to an executor of `concurrent.futures`, by default a thread of this process.
Wherever the executor runs a job, a worker process of that machine does the work: the worker has
limits of time and memory, and is replaced after a crash.  An executor on other machines, such as
``dask.distributed.Client(..).get_executor()``, measures there.
"""

from __future__ import annotations

import importlib
import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from ..runtime.errors import ArgumentError, Error
from ..support.diagnostics import ScheduleError
from ..testing.worker import WorkerDied, WorkerProcess
from .job import Job, Measurement

LIMIT_S = 20.0
"""The default limit of the time of a job."""

MEMORY_BYTES = 8 << 30
"""The default limit of a worker's address space."""

MEASURE = f"{__package__}.measuring:measure"
"""The function that measures jobs in a worker process of this machine."""

KILL_EVERY_S = 0.05
"""How often a runner that ends kills the workers of jobs that still run."""

MEASURED = "measured"
"""The status of the outcome of a job that has a measurement."""


@dataclass(frozen=True)
class Outcome:
    """The end of a job: a measurement, or the reason why there is none.

    status: ``measured``, ``refused`` (an illegal schedule), ``failed`` (it does not compile, or has
    other results), ``crashed`` or ``timeout``.  error: the reason; empty with a measurement.
    """

    status: str
    measurement: Measurement | None = None
    error: str = ""


class Runner(Protocol):
    """The interface of runners.

    unit: the unit of measurements, ``s`` or ``instructions``.
    """

    unit: str

    def submit(self, job: Job) -> Future[Outcome]:
        """Start a job; the future's result is its outcome."""
        ...


class WorkerRunner(AbstractContextManager["WorkerRunner"]):
    """A runner whose jobs run in worker processes of an executor's threads or machines.

    executor: None: an executor with ``threads`` threads of this process.  timeout_s: the time limit
    of a job.  memory_bytes: the limit of a worker's address space.
    measure: the function that a worker calls for a job, as ``module:function``.
    arguments: the arguments of this function after the job.
    """

    def __init__(
        self,
        executor: Executor | None = None,
        *,
        threads: int = 1,
        timeout_s: float = LIMIT_S,
        memory_bytes: int = MEMORY_BYTES,
        measure: str = MEASURE,
        arguments: tuple[object, ...] = (),
        unit: str = "s",
    ) -> None:
        self.unit = unit
        self._own = None if executor else ThreadPoolExecutor(threads, "tilewright-tuner")
        self._executor = executor or self._own
        self._limits = _Limits(measure, timeout_s, memory_bytes, arguments)
        self._running: list[Future[Outcome]] = []

    def check_times_models(self) -> None:
        """Check that the measuring function can time whole models.

        Errors: ArgumentError if it measures kernels only.
        """
        if self._limits.measure != MEASURE:
            raise ArgumentError(
                "the runner measures kernels, but the space graph times whole models",
                expected="a WorkerRunner that measures seconds on this machine",
                got=f"a runner of {self._limits.measure}",
                hint='leave out runner=, or space="graph"',
            )

    def submit(self, job: Job) -> Future[Outcome]:
        """Start a job; the future's result is its outcome."""
        assert self._executor is not None, "given, or a thread of this process"
        future = self._executor.submit(run_isolated, job, self._limits)
        if self._own is not None:
            self._running = [*(each for each in self._running if not each.done()), future]
        return future

    def __exit__(self, *_: object) -> None:
        if self._own is not None:
            self._own.shutdown(wait=False, cancel_futures=True)
            # A job that was cancelled before it started is done, but `wait` waits for it forever.
            while running := [future for future in self._running if not future.done()]:
                # A worker that starts meanwhile is killed in the next round.
                for worker in [*_WORKERS.values()]:
                    worker.kill()
                wait(running, KILL_EVERY_S)
            close_workers()


@dataclass(frozen=True)
class _Limits:
    measure: str
    timeout_s: float
    memory_bytes: int
    arguments: tuple[object, ...] = ()


_WORKERS: dict[tuple[int, int], WorkerProcess] = {}
"""The worker processes of this process, by thread and memory limit."""


def run_isolated(job: Job, limits: _Limits) -> Outcome:
    """Run a job in the worker process that belongs to this thread; return the job's outcome.

    limits: the measuring function that the worker calls, and the limits of time and memory. After a
    crash or a timeout, the worker is closed; the next job starts a new one.
    """
    try:
        made = _ready_worker(limits).call(
            limits.measure, job, *limits.arguments, timeout_s=limits.timeout_s
        )
        return Outcome(MEASURED, made)
    except WorkerDied as err:
        if (dead := _WORKERS.pop(_place(limits.memory_bytes), None)) is not None:
            dead.close()
        return Outcome("timeout" if err.ran_out_of_time else "crashed", error=_first_line(err))
    except ScheduleError as err:
        return Outcome("refused", error=_first_line(err))
    except (Error, MemoryError, AssertionError, ArithmeticError, LookupError) as err:
        return Outcome("failed", error=_first_line(err))


def _place(memory_bytes: int) -> tuple[int, int]:
    return threading.get_ident(), memory_bytes


def _ready_worker(limits: _Limits) -> WorkerProcess:
    """Return the worker process of this thread; start one if there is none.

    A new worker first imports the module of the measuring function, so that the time limit of a job
    does not include this import.
    """
    place = _place(limits.memory_bytes)
    if place not in _WORKERS:
        _WORKERS[place] = WorkerProcess(memory_bytes=limits.memory_bytes)
        _WORKERS[place].call(f"{__name__}:import_module", limits.measure.rpartition(":")[0])
    return _WORKERS[place]


def import_module(name: str) -> None:
    """Import a module by name, in a worker process; a name that ends with ``.py`` is ignored."""
    if not name.endswith(".py"):
        importlib.import_module(name)


def close_workers() -> None:
    """End all worker processes that this process has started."""
    while _WORKERS:
        _, worker = _WORKERS.popitem()
        worker.close()


def _first_line(err: BaseException) -> str:
    lines = str(err).splitlines()
    return lines[0] if lines else type(err).__name__
