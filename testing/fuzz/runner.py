"""Many cases in a worker that may crash or hang: records, a resumable log, saved failures.

A case is ``FAMILY:SEED``; it determines the program, its inputs and the targets.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

from ..worker import WorkerDied, WorkerProcess
from .checks import CheckOutcome
from .families import check_drawn, drawn_program
from .program import check_file
from .targets import TARGETS, drawn_targets

_CHECK = f"{check_drawn.__module__}:{check_drawn.__name__}"
_CHECK_FILE = f"{check_file.__module__}:{check_file.__name__}"


@dataclass(frozen=True)
class FuzzCase:
    """A program to check, which a family and a seed or a file determine.

    mode: a mode of ``tw fuzz``.  targets: names of classes of machines (targets.py), or target
    strings.
    """

    family: str
    seed: int
    mode: str
    targets: tuple[str, ...] = ()
    file: Path | None = None

    @property
    def name(self) -> str:
        """Return the name of the program: family and seed, or the file."""
        if self.file is not None:
            return str(self.file)
        return f"{self.family}:{self.seed}"

    @property
    def command(self) -> str:
        """Return the command that replays the case."""
        drawn = f"--family {self.family} --seed {self.seed} --count 1"
        which = drawn if self.file is None else f"--program {self.file}"
        words = f"tw fuzz {which} --mode {self.mode}"
        return " ".join((words, *(f"--target '{target}'" for target in self.targets)))


@dataclass(frozen=True)
class FuzzRecord:
    """A case and its outcome, as the log stores them.

    case: family and seed, or a file.  command: the command that replays the case.  outcome: the
    kind of outcome, one of `OUTCOMES`.  signature: a text that failures of one cause share.
    target: the target whose plan failed; else empty.  time_s: the duration of the check.
    """

    case: str
    family: str
    mode: str
    command: str
    outcome: str
    message: str
    signature: str
    target: str
    time_s: float

    @property
    def is_failure(self) -> bool:
        """Return whether the outcome is a failure."""
        return CheckOutcome(self.outcome).is_failure


def cases(
    families: Sequence[str], seed: int, count: int, mode: str, targets: Sequence[str] = ()
) -> Iterator[FuzzCase]:
    """Yield cases of consecutive seeds, alternating between the families.

    seed: the first seed.  count: the number of cases. Without targets, mode plan draws two targets
    per case, and the other modes run on this machine.
    """
    for n in range(seed, seed + count):
        family = families[n % len(families)]
        drawn = drawn_targets(f"{family}:{n}") if mode == "plan" else ()
        yield FuzzCase(family, n, mode, tuple(targets) or drawn)


def saved_case(file: Path, mode: str, targets: Sequence[str] = ()) -> FuzzCase:
    """Return the case for a program in a file.

    targets: the targets to check for; by default, in mode plan one of each class of machines.
    """
    every = tuple(TARGETS) if mode == "plan" else ()
    return FuzzCase("saved", 0, mode, tuple(targets) or every, file)


def run_cases(
    wanted: Iterable[FuzzCase],
    *,
    log: Path | None = None,
    failures: Path | None = None,
    timeout_s: float = 120.0,
    memory_bytes: int | None = None,
    progress: Callable[[FuzzRecord], None] | None = None,
) -> list[FuzzRecord]:
    """Check cases one after another; return the records of all cases.

    log: a file of JSON lines; a case in the log is not run again.  failures: the folder for
    programs that fail, with the command that replays each.
    timeout_s: the limit of each case.  memory_bytes: the limit of the worker process.  progress:
    called with each record.
    """
    known = read_log(log)
    records: list[FuzzRecord] = []
    with WorkerProcess(memory_bytes=memory_bytes) as worker:
        for case in wanted:
            record = known.get((case.name, case.mode))
            if record is None:
                record = _checked(case, worker, timeout_s)
                _write_log(log, record)
                if record.is_failure and failures is not None and case.file is None:
                    _save(case, record, failures)
            records.append(record)
            if progress is not None:
                progress(record)
    return records


def check_apart(
    worker: WorkerProcess, function: str, *arguments: Any, timeout_s: float
) -> CheckOutcome:
    """Call a check in a worker process and return its outcome; the death of the worker is one, too.

    function: the check, as in `WorkerProcess.call`.
    """
    try:
        return worker.call(function, *arguments, timeout_s=timeout_s)
    except WorkerDied as err:
        if err.ran_out_of_time:
            return CheckOutcome("timeout", f"not done within {timeout_s:g} s", "timeout")
        return CheckOutcome("crash", str(err), str(err).splitlines()[0])


def _checked(case: FuzzCase, worker: WorkerProcess, timeout_s: float) -> FuzzRecord:
    start_s = time.perf_counter()
    texts = [TARGETS.get(target, target) for target in case.targets]
    if case.file is None:
        check, which = _CHECK, (case.family, case.seed)
    else:
        check, which = _CHECK_FILE, (str(case.file),)
    outcome = check_apart(worker, check, *which, case.mode, texts, timeout_s=timeout_s)
    time_s = round(time.perf_counter() - start_s, 3)
    about = case.name, case.family, case.mode, case.command
    return FuzzRecord(*about, *astuple(outcome), time_s=time_s)


def _save(case: FuzzCase, record: FuzzRecord, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{case.family}-{case.seed}"
    device = record.target or None if case.mode == "run" else None
    file = str(drawn_program(case.family, case.seed, device).save(path))
    target = f" --target '{record.target}'" if record.target else ""
    reduce = f"tw reduce {file} --keeps {record.outcome}{target}"
    fields = {**asdict(record), "program": file, "reduce": reduce}
    path.with_suffix(".json").write_text(json.dumps(fields, indent=1) + "\n")


def read_log(path: Path | None) -> Mapping[tuple[str, str], FuzzRecord]:
    """Return the records of a log by case and mode; a truncated line is skipped."""
    found: dict[tuple[str, str], FuzzRecord] = {}
    if path is not None and path.exists():
        for line in path.read_text().splitlines():
            try:
                record = FuzzRecord(**json.loads(line))
            except (json.JSONDecodeError, TypeError):
                continue
            found[record.case, record.mode] = record
    return found


def _write_log(path: Path | None, record: FuzzRecord) -> None:
    """Append a line to a log; if its last line is truncated, end that line first."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_cut = path.exists() and not path.read_bytes().endswith(b"\n")
        with path.open("a") as file:
            file.write("\n" * is_cut + json.dumps(asdict(record)) + "\n")
