"""All cases of the suite in workers that may crash or hang; tables and the expectation list.

The expectation list names every case that does not pass, with its outcome. It may only get shorter:
a case that passes must be removed from it, and a failing case that is not on it is an error.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

from ..worker import WorkerDied, WorkerProcess

OUTCOMES = (
    "pass", "wrong-value", "wrong-shape", "wrong-dtype", "unsupported", "error", "crash",
)  # fmt: skip
"""A worker that runs out of time counts as a crash."""

SuiteRow: TypeAlias = tuple[str, str, str, int, str]
"""The name, kind, operator, opset and group of a case."""

_CHECK = f"{__package__}.check:check"
_LOAD = f"{__package__}.check:load"


@dataclass(frozen=True)
class SuiteResult:
    """The outcome of one case of the suite.

    name: the name of the case.  kind: one of `suite.KINDS`.  op, opset: the operator under test,
    and its version.  group: ``core``, or the property that sets the case apart.  outcome: one of
    `OUTCOMES`.  message: the error or the difference; empty for a case that passes.
    """

    name: str
    kind: str
    op: str
    opset: int
    group: str
    outcome: str
    message: str


def run_suite(
    *,
    kinds: Sequence[str],
    wanted: Callable[[str], bool] = lambda _name: True,
    workers: int = 1,
    timeout_s: float = 120.0,
    progress: Callable[[SuiteResult], None] | None = None,
) -> list[SuiteResult]:
    """Run the cases of the suite; return the results in the suite's order.

    kinds: the kinds of cases, some of `suite.KINDS`.  wanted: returns whether to run the case with
    this name.
    workers: the number of processes.  progress: called after each case, from the thread that waits
    for the worker process.
    """
    chosen, idle = tuple(kinds), SimpleQueue[WorkerProcess]()

    def checked(row: SuiteRow) -> SuiteResult:
        worker = idle.get()
        try:
            outcome, message = worker.call(_CHECK, row[0], chosen, timeout_s=timeout_s)
        except WorkerDied as err:
            outcome, message = "crash", str(err)
        finally:
            idle.put(worker)
        result = SuiteResult(*row, outcome, message)
        if progress is not None:
            progress(result)
        return result

    with ExitStack() as stack:
        processes = [stack.enter_context(WorkerProcess()) for _ in range(workers)]
        for process in processes:
            idle.put(process)
        rows: list[SuiteRow] = processes[0].call(_LOAD, chosen)
        threads = stack.enter_context(ThreadPoolExecutor(workers))
        return list(threads.map(checked, [row for row in rows if wanted(row[0])]))


def read_expectations(path: Path) -> dict[str, str]:
    """Return the expected outcome of each case that need not pass, by name; none without a file."""
    return json.loads(path.read_text()) if path.exists() else {}


def write_expectations(path: Path, results: Iterable[SuiteResult]) -> None:
    """Write the names and outcomes of all cases that do not pass to a file of JSON."""
    failing = {each.name: each.outcome for each in results if each.outcome != "pass"}
    path.write_text(json.dumps(dict(sorted(failing.items())), indent=0) + "\n")


def deviations(results: Iterable[SuiteResult], expected: Mapping[str, str]) -> list[str]:
    """Return a line for each case whose outcome differs from the expected one.

    expected: the outcome of each case that is expected not to pass, by name.
    """
    lines: list[str] = []
    for each in results:
        wanted = expected.get(each.name, "pass")
        if each.outcome == wanted:
            continue
        note = "take it off the list" if each.outcome == "pass" else each.message
        lines.append(f"{each.name}: {each.outcome}, expected {wanted}: {note}")
    return lines


def write_json(path: Path, results: Iterable[SuiteResult]) -> None:
    """Write results to a file, as a JSON list of objects."""
    path.write_text(json.dumps([asdict(each) for each in results], indent=1) + "\n")


def counts(results: Iterable[SuiteResult], by: str) -> dict[str, Counter[str]]:
    """Return the number of cases with each outcome, per value of an attribute of `SuiteResult`.

    by: the name of the attribute, such as ``op`` or ``opset``.
    """
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for each in results:
        table[str(getattr(each, by))][each.outcome] += 1
    return dict(sorted(table.items(), key=lambda row: row[0].zfill(3)))
