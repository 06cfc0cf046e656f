"""Performance cliffs: random operators and small blocks against onnxruntime, worst ratios first.

Run: python benchmarks/cliffs.py [--seed N] [--count N] [--family NAME ...] [--threads N]
Or: make cliffs

The graphs are those of `tw fuzz`. Both systems run in one process, by turns in short windows; the
ratio compares the fastest windows, ours over onnxruntime's, so below 1 is faster. Slow cases are
measured again, and the better ratio counts; then the kernels are timed in their place in the run,
to name the slowest one, with its schedule steps and its speed. Results are lines of JSON in
--out; --resume continues them.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from harness.resumable import CaseRow, add_options, measured_rows
from tilewright import compile
from tilewright.dialects.sched import ScriptOp
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.file.proto import load
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.support.diagnostics import UnsupportedOp
from tilewright.support.registry import new_context
from tilewright.testing.fuzz.families import drawn_graph
from tilewright.testing.fuzz.graphs import GRAPHS
from tilewright.testing.fuzz.references import onnxruntime_call
from tilewright.testing.measure import TimedComparison, compare
from tilewright.testing.profile import Replay
from tilewright.testing.worker import WorkerDied, WorkerProcess

OURS, THEIRS = "tilewright", "onnxruntime"
NOTED, SLOW = 1.15, 1.5
"""Ratios from which a case needs an explanation, and is a cliff."""

ROUNDS, WINDOW_S = 12, 0.004
PROFILE_RUNS = 5
MEMORY_BYTES = 8 << 30


@dataclass(frozen=True)
class Blame:
    """The kernel that takes the largest part of a run.

    share: the kernel's part of the run. steps: the steps of the kernel's schedule.
    """

    name: str
    share: float
    gflops: float
    gbytes_s: float
    shapes: str
    steps: str


@dataclass(frozen=True)
class CaseResult(CaseRow):
    """A test case and its times.

    ratio: our time over onnxruntime's; None if one of the systems rejects the case.  problem: the
    reason for the rejection.
    """

    inputs: str
    nodes: str
    ratio: float | None
    median_ratio: float | None = None
    ours_ms: float = 0.0
    theirs_ms: float = 0.0
    compile_s: float = 0.0
    blame: Blame | None = None
    problem: str = ""


def measure(family: str, seed: int, threads: int) -> dict[str, Any]:
    """Time one case; runs in a worker process."""
    graph = drawn_graph(family, seed)
    model = graph.model()
    data, feeds = model.SerializeToString(), graph.feeds
    inputs = " ".join("x".join(map(str, x.shape)) or "scalar" for x in feeds.values())
    nodes = Counter(node.op_type for node in model.graph.node)
    named = (
        f"{family}:{seed}",
        inputs,
        " ".join(f"{n}*{c}" if c > 1 else n for n, c in nodes.items()),
    )
    theirs = onnxruntime_call(data, feeds, threads=threads)
    if theirs is None:
        return asdict(CaseResult(*named, None, problem="onnxruntime refuses the model"))
    start_s = time.perf_counter()
    try:
        module = compile(data, threads=threads, cache=False)
    except UnsupportedOp as err:
        return asdict(CaseResult(*named, None, problem=str(err).splitlines()[0]))
    compile_s = time.perf_counter() - start_s
    given = list(feeds.values())
    systems = {OURS: lambda: module.run(given, threads=threads), THEIRS: theirs}
    best = compare(systems, rounds=ROUNDS, window_s=WINDOW_S)
    if _ratio(best) > NOTED:
        again = compare(systems, rounds=2 * ROUNDS, window_s=2 * WINDOW_S)
        best = min(best, again, key=_ratio)
    ratio = _ratio(best)
    return asdict(
        CaseResult(
            *named,
            round(ratio, 3),
            round(1 / best.ratio(THEIRS, over=OURS), 3),
            round(1e3 * best[OURS].min_s, 4),
            round(1e3 * best[THEIRS].min_s, 4),
            round(compile_s, 2),
            blamed(data, given, threads) if ratio > NOTED else None,
        )
    )


def _ratio(result: TimedComparison) -> float:
    """Return the time of our fastest window, divided by that of onnxruntime's fastest window."""
    return result[OURS].min_s / result[THEIRS].min_s


def blamed(data: bytes, inputs: Sequence[Any], threads: int) -> Blame | None:
    """Return the kernel that takes the largest part of a run; None if there is none."""
    replay = Replay.of_model(data, inputs, threads=threads)
    for _ in range(1 + PROFILE_RUNS):
        replay()
    kernels = replay.profile()
    if not kernels:
        return None
    worst = max(kernels, key=lambda kernel: kernel.total_s)
    return Blame(
        worst.name,
        round(worst.total_s / sum(kernel.total_s for kernel in kernels), 2),
        round(1e-9 * worst.speed, 2),
        round(1e-9 * worst.bandwidth, 2),
        " ".join("x".join(map(str, shape)) for shape in worst.shapes),
        steps_of(data, worst.name),
    )


def steps_of(data: bytes, kernel: str) -> str:
    """Return the kinds of the steps in a kernel's schedule, each with the number of its steps."""
    module = import_model(load(data))
    run_pipeline(module, new_context(), Target.native(), to="sched")
    found = [op for op in module.ops if isinstance(op, ScriptOp) and op.kernel_name == kernel]
    steps = Counter(step.name.partition(".")[2] for op in found for step in op.body.block.ops)
    return _counted(steps)


def _counted(names: Counter[str]) -> str:
    return " ".join(f"{name}*{n}" if n > 1 else name for name, n in names.items())


def parsed(fields: Mapping[str, Any]) -> CaseResult:
    """Return the result in a line of the output file, or of a worker."""
    given: dict[str, Any] = {**fields}
    given["blame"] = Blame(**fields["blame"]) if fields["blame"] else None
    return CaseResult(**given)


def run(options: argparse.Namespace, console: Console) -> list[CaseResult]:
    """Measure all cases whose results are not in the output file yet; return all results."""
    families, terminal = options.family or list(GRAPHS), Console(stderr=True)
    seeds = range(options.seed, options.seed + options.count)
    cases = [f"{families[n % len(families)]}:{n}" for n in seeds]
    with (
        WorkerProcess(memory_bytes=MEMORY_BYTES) as worker,
        Progress(console=terminal, transient=True, disable=not terminal.is_terminal) as progress,
    ):

        def measure_case(case: str) -> CaseResult:
            family, _, seed = case.rpartition(":")
            return _measured(worker, family, int(seed), options)

        return [*measured_rows(options, progress.track(cases), measure_case, parsed)]


def _measured(
    worker: WorkerProcess, family: str, seed: int, options: argparse.Namespace
) -> CaseResult:
    try:
        fields = worker.call(
            f"{__file__}:measure", family, seed, options.threads, timeout_s=options.timeout
        )
    # A failure of any kind is the row of the case; `tw fuzz` looks for failures.
    except (Exception, WorkerDied) as err:
        problem = f"{type(err).__name__}: {str(err).splitlines()[0] if str(err) else ''}"
        return CaseResult(f"{family}:{seed}", "", "", None, problem=problem)
    return parsed(fields)


def report(rows: Sequence[CaseResult], console: Console) -> None:
    """Print the worst cases, and a summary of all cases."""
    timed = [(row.ratio, row) for row in rows if row.ratio is not None]
    table = Table(title="ours / onnxruntime")
    for name in ("ratio", "median", "ours ms"):
        table.add_column(name, justify="right")
    for name in ("case", "inputs", "kernel", "share", "GFLOP/s", "GB/s", "steps"):
        table.add_column(name)
    for ratio, row in sorted(timed, key=lambda pair: -pair[0]):
        if ratio > NOTED:
            table.add_row(f"{ratio:.2f}", f"{row.median_ratio:.2f}", f"{row.ours_ms:.3f}",
                          row.case, row.inputs, *_blame_cells(row.blame))  # fmt: skip
    console.print(table)
    for row in rows:
        if row.problem and "onnxruntime refuses" not in row.problem:
            console.print(f"{row.case}: {row.problem}", markup=False, soft_wrap=True)
    if timed:
        ratios = [ratio for ratio, _ in timed]
        mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
        noted, slow = (sum(r > limit for r in ratios) / len(ratios) for limit in (NOTED, SLOW))
        console.print(
            f"{len(ratios)} of {len(rows)} cases timed: geometric mean {mean:.2f}, "
            f"over {NOTED} {noted:.1%}, over {SLOW} {slow:.1%}"
        )


def _blame_cells(blame: Blame | None) -> tuple[str, ...]:
    if blame is None:
        return ("", "", "", "", "")
    numbers = (f"{blame.share:.0%}", f"{blame.gflops:.1f}", f"{blame.gbytes_s:.1f}")
    return (f"{blame.name} {blame.shapes}", *numbers, blame.steps)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the cases and print the report; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--family", action="append", choices=list(GRAPHS), help="default: all")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=180.0, help="seconds a case")
    add_options(parser, Path("tw-fuzz/cliffs.jsonl"))
    options = parser.parse_args(arguments)
    console = Console()
    report(run(options, console), console)
    return 0


if __name__ == "__main__":
    sys.exit(main())
