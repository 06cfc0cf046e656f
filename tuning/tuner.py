"""tuner: search faster schedules of a model's kernels, for a given time, and record them.

    tuned = tilewright.tune("model.onnx", budget="5m", records="tuned.jsonl")
    module = tilewright.compile("model.onnx", plan="tuned.jsonl")

Each step measures one schedule of the task whose next point may save most of the model's time.
Every measurement is in the file of records before the next one starts. So the search may stop, or
be killed, at any time, and a later search can continue it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from os import PathLike
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeAlias

from ..driver.backends import backend_of, target_of
from ..driver.request import ModelOptions
from ..support.durations import parse_duration
from ..support.tuning_records import GRAPH_SPACE, read_records, records_path
from .history import History, kernel_records
from .model_task import graph_task, has_graph_plans, model_file
from .runner import LIMIT_S, Outcome, Runner, WorkerRunner
from .searches import make_search
from .shares import Model, model_tasks, time_shares
from .spaces import make_space
from .task_search import Candidate, TaskSearch
from .template_space import Template

if TYPE_CHECKING:
    from ..frontend.onnx.input_values import Values
    from ..frontend.onnx.signature import Shapes
    from ..machines.target import Target, TargetText

RETRIES = 2
"""How often a job is submitted again if its executor loses it."""

MODEL_LIMIT_S = 300.0
"""The most seconds in which a worker compiles and times a candidate for a whole model."""

POLL_S = 0.2
"""How long the search waits for an outcome before it looks at the clock."""


@dataclass(frozen=True)
class Progress:
    """The state of a search after an outcome.

    elapsed_s: seconds since the start.  task: the task that was measured.  status: the status of
    the outcome, as in `Outcome`.  tasks: all tasks.
    """

    elapsed_s: float
    task: TaskSearch
    status: str
    tasks: Sequence[TaskSearch]

    @property
    def speedup(self) -> float:
        """The speedup of the model so far; kernels without a winner keep their old time."""
        return whole_speedup(self.tasks)


Watcher: TypeAlias = Callable[[Progress], object]


@dataclass(frozen=True)
class Tuned:
    """The result of a search.

    tasks: the searches of all tasks, the task with the largest share of the time first. seconds:
    the duration of the search.
    """

    tasks: Sequence[TaskSearch]
    seconds: float

    @property
    def trials(self) -> int:
        """The number of schedules that were tried."""
        return sum(task.trials for task in self.tasks)

    @property
    def speedup(self) -> float:
        """The speedup of the tuned kernels together, from the second timings of the winners."""
        return whole_speedup(self.tasks)


def whole_speedup(tasks: Iterable[TaskSearch]) -> float:
    """Return the speedup of all kernels together: the time with plans divided by the time now."""
    rows = [(task.share, task.speedup) for task in tasks]
    tuned = sum(share / speedup for share, speedup in rows)
    return sum(share for share, _ in rows) / tuned if tuned else 1.0


def tune(
    model: Model,
    *,
    budget: str | float = "1m",
    trials: int | None = None,
    records: str | PathLike[str] | None = None,
    space: str | Template = "plan",
    search: str | None = None,
    seed: int = 0,
    runner: Runner | None = None,
    in_flight: int = 1,
    progress: Watcher | None = None,
    target: TargetText | Target | None = None,
    precision: str = "default",
    shapes: Shapes | None = None,
    values: Values | None = None,
    threads: int = 1,
) -> Tuned:
    """Search faster schedules of the kernels of a model, or of tensor expressions.

    budget: the time of the search: seconds, or a text such as "90s", "5m" or "1h".
    trials: the largest number of schedules to try; None: as many as the budget allows.
    records: a file to which every measurement is appended, and from which the search continues.
    space: "plan" (the points of the plan's choices), "sketch" (schedules from the kernels'
    definitions), a template, or its name; or "graph": layouts, fusions and algorithms of a model,
    of which each trial compiles and times the whole model.  Any other space tunes the kernels that
    the model has with the best options of "graph" in the records.
    search: "evolution", "random", "grid", "annealing", "coordinate" or "trees" (needs LightGBM);
    None: "coordinate" for the space "graph", else "evolution".
    runner: measures the schedules; None: a worker process of this machine.  in_flight: the number
    of jobs that the runner has at the same time.
    progress: called after each outcome.  target, precision, shapes, values: see compile.
    threads: the number of threads of a measured call.
    Errors: those of compile; TargetError if this machine cannot run programs for the target and no
    runner is given; ArgumentError for the space "graph" with a runner that measures kernels only;
    TilewrightError for a malformed budget or an unknown search, and for records of another schema.
    """
    seconds = parse_duration(budget, "budget") if isinstance(budget, str) else float(budget)
    start_s = time.monotonic()
    machine = target_of(target)
    if runner is None:
        backend_of(machine).check_host(machine)
    file = None if records is None else records_path(records)
    known = () if file is None or not file.exists() else read_records(file)
    options = ModelOptions(
        target=target, precision=precision, shapes=shapes, values=values, threads=threads
    )
    is_graph = space == GRAPH_SPACE
    if is_graph and isinstance(runner, WorkerRunner):
        runner.check_times_models()
    name = search or ("coordinate" if is_graph else "evolution")
    with ExitStack() as stack:
        if is_graph:
            options["plan"] = stack.enter_context(kernel_records(known, machine))
            shares = [(graph_task(stack.enter_context(model_file(model)), **options), 1.0)]
        else:
            if file and has_graph_plans(known, machine):
                options["plan"] = file
            shares = time_shares(model_tasks(model, **options))
        used = runner or stack.enter_context(
            WorkerRunner(timeout_s=MODEL_LIMIT_S if is_graph else LIMIT_S)
        )
        searches = [
            TaskSearch(
                task,
                # A search that continues draws other points than the first one, whose points it
                # knows.
                make_search(name, make_space(space, task, used.unit), seed + len(known)),
                share=share,
                threads=threads,
                known=known,
            )
            for task, share in shares
        ]
        loop = SearchLoop(searches, used, History(file, used.unit, threads), progress, start_s)
        loop.run(start_s + seconds, trials, in_flight)
    return Tuned(searches, time.monotonic() - start_s)


@dataclass(frozen=True)
class _Running:
    """A job that the runner has not finished yet.

    task, candidate: the task, and the schedule that the job measures.
    tries: how often the job was submitted before and ended without an outcome.
    """

    task: TaskSearch
    candidate: Candidate
    tries: int = 0


class SearchLoop:
    """The loop of a search: submit jobs and take outcomes, until the time or the space ends.

    tasks: the searches of all tasks.
    runner: measures the schedules.
    history: writes the records.
    progress: called after each outcome.
    start_s: the start of the search, a time of ``time.monotonic``.
    """

    def __init__(
        self,
        tasks: Sequence[TaskSearch],
        runner: Runner,
        history: History,
        progress: Watcher | None,
        start_s: float,
    ) -> None:
        self._tasks, self._runner, self._history = tasks, runner, history
        self._progress, self._start_s = progress, start_s
        self._running: dict[Future[Outcome], _Running] = {}
        self._ended: SimpleQueue[Future[Outcome]] = SimpleQueue()

    def run(self, deadline_s: float, trials: int | None, in_flight: int) -> None:
        """Submit and evaluate jobs until the deadline, or until no schedule is left.

        Jobs that are still running at the deadline are cancelled, and their outcomes are ignored.
        deadline_s: a time of ``time.monotonic``. trials: the largest number of schedules to try, if
        limited. in_flight: the number of jobs in the runner at a time.
        """
        while (left_s := deadline_s - self._now()) > 0:
            has_started = len(self._running) < in_flight and self._start(trials)
            if not self._running:
                return
            # While jobs can start, outcomes are taken without waiting for more.
            for future in self._next_ended(0.0 if has_started else min(left_s, POLL_S)):
                self._take(future, self._running.pop(future))
        for future in self._running:
            future.cancel()

    def _now(self) -> float:
        return time.monotonic()

    def _next_ended(self, timeout_s: float) -> Iterator[Future[Outcome]]:
        """Yield the jobs that have ended; if there is none, wait for one, for a limited time."""
        with suppress(Empty):
            yield self._ended.get(timeout=timeout_s) if timeout_s else self._ended.get_nowait()
            while True:
                yield self._ended.get_nowait()

    def _start(self, trials: int | None) -> bool:
        """Submit the next schedule of the task with the largest expected gain.

        After ``trials`` schedules, only winners are timed again.  Return False if nothing is left
        to submit.
        """
        is_full = trials is not None and sum(t.trials for t in self._tasks) >= trials
        waiting = [t for t in self._tasks if t.has_winner] if is_full else self._tasks
        for task in sorted(waiting, key=lambda t: -t.expected_gain):
            candidate = task.next() if task.expected_gain else None
            if candidate is not None:
                self._submit(_Running(task, candidate))
                return True
        return False

    def _submit(self, running: _Running) -> None:
        future = self._runner.submit(running.task.job(running.candidate))
        self._running[future] = running
        future.add_done_callback(self._ended.put)

    def _take(self, future: Future[Outcome], running: _Running) -> None:
        try:
            outcome = future.result()
        except Exception as err:  # the executor lost the job, each in its own way
            if running.tries < RETRIES:
                self._submit(_Running(running.task, running.candidate, running.tries + 1))
                return
            outcome = Outcome("lost", error=f"{type(err).__name__}: {err}")
        task = running.task
        self._history.add(task, running.candidate, outcome)
        task.done(running.candidate, outcome)
        if self._progress is not None:
            elapsed_s = self._now() - self._start_s
            self._progress(Progress(elapsed_s, task, outcome.status, self._tasks))
