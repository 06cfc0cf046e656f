"""Profiles: the time of each kernel of a model, recorded inside runs of the whole model.

    profile = mod.profile(x)
    print(profile)                    a table: kernel, nodes, calls, µs, part of the run, limits
    profile.trace("run.json")         one run, for Perfetto or chrome://tracing

In: a program compiled for profiling, and inputs. Out: a `Profile`. The main function of the program
calls kernels and other ops, its *steps*, and records the end of each (runtime/native/trace.c). This
program and the module that records nothing run several times, by turns, so that a profile shows the
cost of the records. The time of a step begins at the end of the previous step, so the times of all
steps add up to the time of main. If several kernels run in one launch, its time is divided in
proportion to the times of their tasks.
"""

from __future__ import annotations

import ctypes
import json
import statistics
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Protocol, TypeAlias, cast, runtime_checkable

import numpy as np

from .. import display
from ..abi.constants import SYMBOL_STEPS, SYMBOL_TRACE
from ..abi.library import Library, Symbols
from ..abi.ndarray import Array, address_reader
from ..display import Markup
from ..errors import ArgumentError
from ..spelling import SuggestsNames
from . import charts
from .roofline import LimitLoops, Roofline

Run: TypeAlias = Callable[[], object]

STEP = np.dtype([(name, np.int64) for name in ("end_ns", "step", "tasks", "flops", "bytes")])
TASK = np.dtype(
    [(name, np.int64) for name in ("start_ns", "end_ns", "first_step", "task", "worker")]
)
"""STEP: a record of the end of a step; flops: -1 if unknown.  TASK: a record of a task."""
# The number of records that the first run has room for.
_FIRST_CAPACITY = 4096
# Held while a run is recorded, because a library has memory for the records of one run only.
_LOCK = threading.Lock()


@dataclass(frozen=True)
class StepProfile:
    """One call of a kernel in a run, or another op of main, with its median time.

    kernel: the name of the kernel, or the name of another op in parentheses.  nodes: the nodes of
    the model that the step computes.  tasks: the number of its parallel tasks.  flops: scalar
    operations, a multiply-add counts as two; None if unknown.  moved_bytes: the bytes of its
    buffers, each counted once.
    """

    kernel: str
    nodes: tuple[str, ...]
    time_s: float
    tasks: int
    flops: int | None
    moved_bytes: int


@dataclass(frozen=True)
class KernelProfile(SuggestsNames):
    """The times of a kernel in one run.

    us: microseconds of all its calls.  share: their part of the run, from 0 to 1.  gflops: 10^9
    operations per second; None if the operations are unknown.  gbytes: 10^9 bytes per second.
    of_roofline: the time at the limits of the machine, divided by the measured time; None if the
    limits are unknown.
    """

    kernel: str
    nodes: tuple[str, ...]
    calls: int
    us: float
    share: float
    gflops: float | None
    gbytes: float
    of_roofline: float | None

    COLUMNS: ClassVar = ("kernel", "calls", "µs", "run", "GFLOP/s", "GB/s", "roofline", "nodes")
    """The columns of a table of kernels."""

    @property
    def cells(self) -> tuple[str, ...]:
        """The fields as strings, one for each column of the table."""
        return (
            self.kernel,
            str(self.calls),
            f"{self.us:.1f}",
            f"{self.share:.1%}",
            "-" if self.gflops is None else f"{self.gflops:.1f}",
            f"{self.gbytes:.1f}",
            "-" if self.of_roofline is None else f"{self.of_roofline:.0%}",
            ", ".join(self.nodes),
        )


class _TraceLayout(ctypes.Structure):
    """The ctypes layout of ``struct tw_trace`` in runtime/native/trace.h."""

    _fields_ = (
        ("steps", ctypes.c_void_p),
        ("tasks", ctypes.c_void_p),
        ("steps_room", ctypes.c_int64),
        ("tasks_room", ctypes.c_int64),
        ("steps_made", ctypes.c_int64),
        ("tasks_made", ctypes.c_int64),
    )


@dataclass(frozen=True)
class Recorded:
    """The records of one run of a program.

    steps: an array of type `STEP` with the end of each step; its first record is the start of the
    run. tasks: an array of type `TASK` with the start and end of each parallel task.
    """

    steps: Array
    tasks: Array

    @property
    def total_ns(self) -> int:
        """The time of the main function in nanoseconds."""
        return int(self.steps["end_ns"][-1] - self.steps["end_ns"][0])

    def times_ns(self, launches: Sequence[int]) -> Array:
        """Return the nanoseconds of each step of the run, in the order of the records.

        The time of a step begins at the end of the step before. The time of a launch that runs
        several steps is divided between them.

        launches: for each step number, the number of the launch that runs the step.
        """
        ends, numbers = self.steps["end_ns"], self.steps["step"]
        times = np.diff(ends).astype(np.float64)
        first = 1
        while first < len(ends):
            last = first + 1
            while last < len(ends) and self._continues(last, numbers, launches):
                last += 1
            if last - first > 1:
                busy = self._busy_ns(first, last)
                times[first - 1 : last - 1] = times[first - 1 : last - 1].sum() * busy / busy.sum()
            first = last
        return times

    @staticmethod
    def _continues(position: int, numbers: Array, launches: Sequence[int]) -> bool:
        """Return whether the step of a record runs in the same launch as the record before it.

        position: the position of the record.  numbers: the step number of each record.  launches:
        the number of the launch of each step.
        """
        before, step = numbers[position - 1], numbers[position]
        return step == before + 1 and launches[step] == launches[before]

    def _busy_ns(self, first: int, last: int) -> Array:
        """Return the total time of the tasks of each step, for the steps of one launch.

        Each time is 1 ns larger, so that the sum is not 0.

        first, last: the range of the launch's records; ``last`` is exclusive.
        """
        own = self.tasks[self.tasks["first_step"] == first]
        ends = np.cumsum(self.steps["tasks"][first:last])
        kernels = np.searchsorted(ends, own["task"], side="right")
        weights = (own["end_ns"] - own["start_ns"]).astype(np.float64)
        return np.bincount(kernels, weights, minlength=last - first) + 1.0


class RecordedSteps(Protocol):
    """The steps of a program for profiling, as its recorder describes them."""

    @property
    def steps(self) -> Sequence[Mapping[str, Any]]:
        """The kernel, the op (``what``) and the nodes of each step, by step number."""
        ...

    @property
    def launches(self) -> Sequence[int]:
        """The number of the launch that runs each step; kernels of one launch share its time."""
        ...


class Recording(RecordedSteps, Protocol):
    """A recorder: an object that records the time of each step while a program runs."""

    def run(self, run: Run, /) -> Recorded:
        """Run the program once, and return the records of this run.

        run: a function that runs the program.
        """
        ...

    def roofline(self, threads: int, /) -> Roofline | None:
        """Measure the peak rates of the machine; None if the program does not contain the loops."""
        ...


@runtime_checkable
class Profiled(Protocol):
    """A module that can measure the time of its kernels."""

    def profile(self, *inputs: object, threads: int | None = None, rounds: int = 20) -> Profile:
        """Run the module on inputs, and return the time of each kernel.

        inputs: one array per input, in order, or one mapping by name.  rounds: the number of runs
        to record.
        """
        ...


def steps_of(library: Symbols, name: str) -> str:
    """Return the descriptions of a library's steps as JSON text.

    name: the module, for messages.

    Errors: ArgumentError for a library that was exported without ``profile=True``.
    """
    if not isinstance(library, Library) or not library.find(SYMBOL_STEPS):
        raise not_recording(name)
    return library.text(SYMBOL_STEPS)


class TraceTable:
    """The variables of a library through which its code finds the memory for records."""

    def __init__(self, library: Symbols) -> None:
        self._records = _TraceLayout.from_address(library.address(SYMBOL_TRACE))

    def recorded(self, steps: Array, tasks: Array, run: Run) -> tuple[int, int]:
        """Let a run of the program write its records to ``steps`` and ``tasks``.

        Return the numbers of step and task records that the run made. They may be larger than the
        arrays, which then lack the last records.

        steps, tasks: contiguous arrays that receive the records.  run: a function that runs the
        program.
        """
        read = address_reader()
        counts = steps.nbytes // STEP.itemsize, tasks.nbytes // TASK.itemsize
        self._fill(read(steps), read(tasks), *counts)
        try:
            run()
        finally:
            made = self._records.steps_made, self._records.tasks_made
            self._fill(0, 0, 0, 0)
        return made

    def _fill(self, steps: int, tasks: int, steps_room: int, tasks_room: int) -> None:
        records = self._records
        records.steps, records.tasks = steps, tasks
        records.steps_room, records.tasks_room = steps_room, tasks_room
        records.steps_made = records.tasks_made = 0


class RecordCapacity:
    """The numbers of step and task records for which a run gets memory; they grow when exceeded."""

    def __init__(self) -> None:
        self.sizes = _FIRST_CAPACITY, _FIRST_CAPACITY

    def records(self, record: Callable[[int, int], tuple[tuple[int, int], Recorded]]) -> Recorded:
        """Record a run, and return its records; repeat the run if its memory was too small.

        record: takes the numbers of step and task records for which to provide memory, and runs the
        program. It returns the two numbers of records that the run made, and the records that fit.
        """
        while True:
            made, found = record(*self.sizes)
            if made[0] <= self.sizes[0] and made[1] <= self.sizes[1]:
                return Recorded(found.steps[: made[0]], found.tasks[: made[1]])
            self.sizes = max(self.sizes[0], made[0]), max(self.sizes[1], made[1])


class TraceRecorder:
    """A `Recording` for a library of this process that is compiled for profiling."""

    def __init__(self, library: Symbols) -> None:
        self._table, self._capacity = TraceTable(library), RecordCapacity()
        self.steps = json.loads(library.text(SYMBOL_STEPS))
        self.launches = [step["launch"] for step in self.steps]
        self._loops = LimitLoops.of_library(library) if isinstance(library, Library) else None

    def roofline(self, threads: int) -> Roofline | None:
        """Measure the peak rates of the machine; None if the library lacks the loops for it."""
        return None if self._loops is None else self._loops.measured(threads)

    def run(self, run: Run) -> Recorded:
        """Run the program once, and return the records of this run.

        run: a function that runs the program.
        """

        def record(*counts: int) -> tuple[tuple[int, int], Recorded]:
            made = Recorded(np.empty(counts[0], STEP), np.empty(counts[1], TASK))
            return self._table.recorded(made.steps, made.tasks, run), made

        return self._capacity.records(record)


class Profile(SuggestsNames):
    """The times of one module for given inputs; made by `CompiledModule.profile`.

    name: the name of the module.  threads: the number of threads per run.  steps: all steps, in
    order.  run_us: median microseconds of a run of main with records.  module_us: median
    microseconds of a call of the module without records.
    """

    def __init__(
        self,
        name: str,
        threads: int,
        recorder: RecordedSteps,
        runs: Sequence[Recorded],
        module_s: Sequence[float],
        roofline: Roofline | None,
    ) -> None:
        self.name, self.threads, self.roofline = name, threads, roofline
        self.run_us = 1e-3 * statistics.median(run.total_ns for run in runs)
        self.module_us = 1e6 * statistics.median(module_s)
        self._steps, self._launches = recorder.steps, recorder.launches
        self._shown = sorted(runs, key=lambda run: run.total_ns)[len(runs) // 2]
        alike = [run for run in runs if _is_alike(run, self._shown)]
        times = np.median([run.times_ns(self._launches) for run in alike], axis=0)
        records = self._shown.steps[1:]
        self.steps = [self._step(*pair) for pair in zip(records, 1e-9 * times, strict=True)]

    def _step(self, record: Any, time_s: float) -> StepProfile:
        flops = int(record["flops"])
        return StepProfile(
            self._label(record),
            tuple(self._steps[record["step"]]["nodes"]),
            float(time_s),
            int(record["tasks"]),
            None if flops < 0 else flops,
            int(record["bytes"]),
        )

    def _label(self, record: Any) -> str:
        step = self._steps[record["step"]]
        return step["kernel"] or f"({step['what']})"

    @property
    def rows(self) -> list[KernelProfile]:
        """The times of each kernel, slowest kernel first."""
        groups: dict[str, list[StepProfile]] = {}
        for step in self.steps:
            groups.setdefault(step.kernel, []).append(step)
        rows = [self._row(name, steps) for name, steps in groups.items()]
        return sorted(rows, key=lambda row: -row.us)

    def _row(self, name: str, steps: Sequence[StepProfile]) -> KernelProfile:
        time_s = sum(step.time_s for step in steps) or 1e-9
        known = [step.flops for step in steps if step.flops is not None]
        least_s = 0.0
        if self.roofline is not None:
            limits = self.roofline
            least_s = sum(limits.least_s(step.flops or 0, step.moved_bytes) for step in steps)
        return KernelProfile(
            name,
            tuple(dict.fromkeys(node for step in steps for node in step.nodes)),
            len(steps),
            1e6 * time_s,
            1e6 * time_s / self.run_us,
            1e-9 * sum(known) / time_s if len(known) == len(steps) else None,
            1e-9 * sum(step.moved_bytes for step in steps) / time_s,
            None if self.roofline is None else least_s / time_s,
        )

    def trace(self, path: str | PathLike[str]) -> None:
        """Write the run of median time as a trace that Perfetto and chrome://tracing show.

        Track 0 shows the steps of main; the others show the tasks of each worker thread.
        """
        events = [*self._names(), *self._step_events(), *self._task_events()]
        content = {"traceEvents": events, "displayTimeUnit": "ns"}
        Path(path).write_text(json.dumps(content), encoding="utf-8")

    def _names(self) -> list[dict[str, Any]]:
        workers = sorted({int(worker) for worker in self._shown.tasks["worker"]})
        names = {0: "main", **{1 + worker: f"worker {worker}" for worker in workers}}
        process = [(0, "process_name", self.name)]
        rows = [*process, *((track, "thread_name", name) for track, name in names.items())]
        return [
            {"ph": "M", "pid": 0, "tid": track, "name": kind, "args": {"name": name}}
            for track, kind, name in rows
        ]

    def _event(self, record: Any, start_ns: int, end_ns: int, track: int) -> dict[str, Any]:
        start_us = 1e-3 * (start_ns - int(self._shown.steps["end_ns"][0]))
        nodes = ", ".join(self._steps[record["step"]]["nodes"])
        return {
            "ph": "X", "pid": 0, "tid": track, "name": self._label(record), "cat": "kernel",
            "ts": start_us, "dur": 1e-3 * (end_ns - start_ns), "args": {"nodes": nodes},
        }  # fmt: skip

    def _step_events(self) -> list[dict[str, Any]]:
        records = self._shown.steps
        times_ns = self._shown.times_ns(self._launches)
        ends = int(records["end_ns"][0]) + np.cumsum(times_ns)
        events: list[dict[str, Any]] = []
        for record, end_ns, time_ns in zip(records[1:], ends, times_ns, strict=True):
            event = self._event(record, int(end_ns - time_ns), int(end_ns), 0)
            event["args"] |= {name: int(record[name]) for name in ("tasks", "flops", "bytes")}
            events.append(event)
        return events

    def _task_events(self) -> list[dict[str, Any]]:
        steps = self._shown.steps
        events: list[dict[str, Any]] = []
        for ran in self._shown.tasks:
            position, task = int(ran["first_step"]), int(ran["task"])
            while task >= steps["tasks"][position] and position + 1 < len(steps):
                task -= int(steps["tasks"][position])
                position += 1
            event = self._event(
                steps[position], int(ran["start_ns"]), int(ran["end_ns"]), 1 + int(ran["worker"])
            )
            events.append(event | {"args": {"task": task}})
        return events

    def __str__(self) -> str:
        rows = [KernelProfile.COLUMNS, *(row.cells for row in self.rows)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
        lines = [_line(row, widths) for row in rows]
        return "\n".join([*lines, f"{self.name}, {self.summary}", *self.limits_text])

    @property
    def summary(self) -> str:
        """The times of the whole run, in one line."""
        return (
            f"threads: {self.threads}, run: {self.run_us:.1f} µs, "
            f"call without records: {self.module_us:.1f} µs"
        )

    @property
    def limits_text(self) -> list[str]:
        """A list of one line with the measured limits of the machine; empty if they are unknown."""
        if self.roofline is None:
            return []
        return [
            f"roofline: {1e-9 * self.roofline.flops:.1f} GFLOP/s (f32), "
            f"{1e-9 * self.roofline.bandwidth:.1f} GB/s (memory)"
        ]

    def _repr_html_(self) -> str:
        return display.fragment(display.heading(f"Profile of {self.name}"), *self.html_parts())

    def html_parts(self) -> list[Markup]:
        """Return HTML: a picture of the roofline, a table of kernels, and the times of the run."""
        rows = self.rows
        points = [
            charts.ChartPoint(row.kernel, row.gflops / row.gbytes, 1e9 * row.gflops, row.share)
            for row in rows
            if row.gflops and row.gbytes
        ]
        limits = self.roofline and (self.roofline.flops, self.roofline.bandwidth)
        parts = [display.scrolled(charts.roofline(limits, points))] if limits or points else []
        if others := len(rows) - len(points):
            note = f"Not in the picture, since they have no counted operations: {others}."
            parts.append(display.paragraph(note, is_faint=True))
        names = (0, len(KernelProfile.COLUMNS) - 1)
        cells = [(*row.cells[:-1], display.folded(row.nodes)) for row in rows]
        table = display.table(KernelProfile.COLUMNS, cells, names=names)
        return [*parts, table, *map(display.paragraph, (self.summary, *self.limits_text))]


def _is_alike(run: Recorded, other: Recorded) -> bool:
    """Return whether two runs executed the same steps, so that their times can be combined."""
    return np.array_equal(run.steps["step"], other.steps["step"])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return a line of the table, with names left-aligned and numbers right-aligned."""
    numbers = (cell.rjust(width) for cell, width in zip(cells[1:-1], widths[1:], strict=True))
    return "  ".join((cells[0].ljust(widths[0]), *numbers, cells[-1])).rstrip()


def given_inputs(inputs: Sequence[object]) -> Mapping[str, object] | Sequence[object]:
    """Return the inputs in the form that `Module.run` takes: in order, or by name.

    inputs: the positional arguments of ``profile``: the inputs, or one mapping of inputs by name.
    """
    if len(inputs) == 1 and isinstance(inputs[0], Mapping):
        return cast("Mapping[str, object]", inputs[0])
    return inputs


def not_recording(name: str) -> ArgumentError:
    """Return the error for a profile of a loaded module that does not record times."""
    return ArgumentError(
        f"{name} cannot be profiled: its file does not record times",
        expected="a file that was exported for profiling",
        got="one that was exported without profile=True",
        hint='export it with mod.export_library("m.so", profile=True), or tw compile --profile',
    )


def profile_runs(
    name: str,
    recorder: Recording,
    recorded: Run,
    plain: Run,
    *,
    threads: int,
    rounds: int,
    roofline: Roofline | None,
) -> Profile:
    """Run a program that records times and the module without records by turns; return a profile.

    The first run of each is not counted.

    name: the name of the module.  recorder: records the runs of the program.  recorded: runs the
    program once.  plain: runs the module once.  threads: the threads per run, for the profile.
    rounds: the number of runs that count.  roofline: the limits of the machine, or None.

    Errors: ArgumentError for fewer than one round; the errors of a call.
    """
    if rounds < 1:
        raise ArgumentError(
            "a profile needs a run",
            expected="rounds of at least 1",
            got=rounds,
            hint="leave out rounds, or pass 20",
        )
    with _LOCK:
        runs: list[Recorded] = []
        module_s: list[float] = []
        for _ in range(1 + rounds):
            runs.append(recorder.run(recorded))
            start_s = perf_counter()
            plain()
            module_s.append(perf_counter() - start_s)
    return Profile(name, threads, recorder, runs[1:], module_s[1:], roofline)
