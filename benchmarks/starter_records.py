"""The tuning records in the wheel: search, and keep the schedules that stay faster than the plan's.

Run: python benchmarks/starter_records.py [MODEL ...] [--target TEXT ...] [--budget 1m]
         [--records FILE] [--only-check]

The models are those of tests/fixtures/zoo.  Each search continues with the records in --records.
Then the best schedule of each kernel is measured against the plan's in several jobs of a new
process.  It is written to support/starter_records.jsonl if it saves at least 3 % in three quarters
of the rounds of every job; the record has the times and the speedup of the slowest job.
--only-check searches nothing.

For AArch64, an emulator counts instructions in place of times.  A schedule of fewer instructions
may take longer, so it is only written if its modelled time is at most that of the plan's schedule,
up to the error of the model.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import onnx
from rich.console import Console

from harness.counted_plans import modelled_cost
from tilewright import Target, tune
from tilewright.support.tuning_records import (
    MEASURED,
    STARTER_FILE,
    Record,
    best_records,
    read_records,
)
from tilewright.targets.cpu.cost.search import LEAST_GAIN as MODEL_ERROR
from tilewright.testing.fixtures import fixture_model
from tilewright.tuning.history import machine_facts
from tilewright.tuning.instruction_counts import MEASURE, UNIT
from tilewright.tuning.job import Job
from tilewright.tuning.record_file import rewrite
from tilewright.tuning.runner import WorkerRunner
from tilewright.tuning.task import Task, tasks_of

ZOO = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "zoo"
MODELS = ("lstm", "mlp", "mobilenet_v2", "bert_base", "distilbert", "gpt2_decode")
TARGETS = ("x86-64-v4", "x86-64-v3", "aarch64")

LEAST_GAIN = 0.03
"""The part of the time that a schedule must save in every job."""

JOBS, ROUNDS, WINDOW_S = 3, 25, 0.008


def checked(record: Record, task: Task, runner: WorkerRunner) -> Record | None:
    """Return a record with the times of the slowest of several jobs; None if it is not faster."""
    jobs = 1 if runner.unit == UNIT else JOBS  # each job counts the same instructions
    job = Job(
        task.kernel,
        task.target,
        (task.plan, record.schedule),
        task.rotated_bytes,
        ROUNDS,
        WINDOW_S,
        math.inf,
    )
    made = [runner.submit(job).result().measurement for _ in range(jobs)]
    found = [each for each in made if each is not None]
    if len(found) < jobs:
        return None
    slowest = max(found, key=lambda each: each.cost(is_final=True))
    cost = slowest.cost(is_final=True)
    if cost > 1 - LEAST_GAIN:
        return None
    plan_times, times = slowest.times_s
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return replace(
        record,
        machine=slowest.machine or machine_facts(),
        times=times,
        plan_times=plan_times,
        speedup=1 / cost,
        is_final=True,
        at=now,
    )


def _is_longer(record: Record, task: Task) -> bool:
    """Return whether a schedule has no times, or clearly a longer modelled time than the plan's."""
    if record.status != MEASURED:
        return True
    plan, own = (modelled_cost(task, each).cycles for each in (task.plan, record.schedule))
    return own > MODEL_ERROR * plan


def winners(
    known: Sequence[Record], tasks: Sequence[Task], runner: WorkerRunner, console: Console
) -> Iterator[Record]:
    """Yield the checked records of the kernels of a model that are faster than the plan."""
    for task in tasks:
        key = task.digest, task.target
        own = [record for record in known if (record.kernel, record.target) == key]
        if runner.unit == UNIT:
            # The first count is as good as the second one.
            own = [replace(record, is_final=True) for record in own if not _is_longer(record, task)]
        record = best_records(own).get(key)
        if record is None or not record.is_final or record.speedup < 1 / (1 - LEAST_GAIN):
            continue
        again = checked(record, task, runner)
        speedup = "not faster" if again is None else f"{again.speedup:.3f}"
        console.print(f"  {task.name}: {record.speedup:.3f}, again: {speedup}")
        if again is not None:
            yield again


def main(arguments: Sequence[str] | None = None) -> int:
    """Search, check, and write the records; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--target", action="append", help=f"default: {TARGETS}")
    parser.add_argument("--budget", default="1m", help="the time of each search")
    parser.add_argument("--records", type=Path, default=Path("tw-fuzz/starter.jsonl"))
    parser.add_argument("--only-check", action="store_true")
    options, console = parser.parse_args(arguments), Console()
    options.records.parent.mkdir(parents=True, exist_ok=True)
    made: list[Record] = []
    counter = WorkerRunner(timeout_s=120, measure=MEASURE, unit=UNIT)
    with TemporaryDirectory() as folder, WorkerRunner(timeout_s=120) as timer, counter:
        for name in options.models:
            path = Path(folder) / f"{name}.onnx"
            onnx.save(fixture_model(ZOO / f"{name}.onnx"), path)
            for target in options.target or TARGETS:
                console.print(f"{name} for {target}")
                runner = counter if Target(target).architecture == "aarch64" else timer
                if not options.only_check:
                    tune(
                        path,
                        target=target,
                        budget=options.budget,
                        records=options.records,
                        runner=runner,
                    )
                tasks = tasks_of(path, target=Target(target))
                made += winners(read_records(options.records), tasks, runner, console)
            path.unlink()
    kernels = {(record.kernel, record.target) for record in made}
    rewrite(
        STARTER_FILE,
        lambda old: [*(r for r in old if (r.kernel, r.target) not in kernels), *made],
    )
    console.print(f"{len(made)} records in {STARTER_FILE}: {STARTER_FILE.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
