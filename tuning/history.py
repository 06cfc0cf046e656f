"""The records of a search: one for each measured candidate, written as soon as it is known."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from ..codegen.llvm import version as llvm_version
from ..driver.given import DEFAULT_PLAN
from ..machines.target import Target
from ..machines.this_machine import is_supported_host, processor_name
from ..runtime.host import available_threads
from ..support.tuning_records import GRAPH_SPACE, SUFFIX, VERSION, Record, best_records
from .record_file import append_records
from .runner import Outcome
from .space import Value
from .task_search import Candidate, TaskSearch


class History:
    """A writer of the records of a search.

    file: the file of records; None: nothing is written.
    unit: the unit of the measurements.  threads: the threads of a measured call.
    """

    def __init__(self, file: Path | None, unit: str, threads: int) -> None:
        self._file, self._unit, self._threads = file, unit, threads

    def add(self, task: TaskSearch, candidate: Candidate, outcome: Outcome) -> None:
        """Write the record of a measured candidate to the file.

        task: the search for the kernel that the candidate schedules.
        candidate: the schedule.
        outcome: the measurement, or the reason why there is none.
        """
        if self._file is not None:
            append_records(self._file, [self._record(task, candidate, outcome)])

    def _record(self, task: TaskSearch, candidate: Candidate, outcome: Outcome) -> Record:
        made, space = outcome.measurement, task.search.space
        times: Sequence[Sequence[float]] = ((), ()) if made is None else made.times_s
        point: Mapping[str, Value] = {}
        if candidate.point is not None:
            point = space.values(candidate.point)
        return Record(
            v=VERSION,
            kernel=task.task.digest,
            name=task.task.name,
            target=task.task.target,
            machine=(made.machine if made else None) or machine_facts(),
            space=space.name,
            point=point,
            schedule=candidate.schedule,
            status=outcome.status,
            error=outcome.error,
            unit=self._unit,
            times=times[-1],
            plan_times=times[0],
            speedup=0.0 if made is None else 1 / made.cost(is_final=candidate.is_final),
            is_final=candidate.is_final and made is not None,
            threads=self._threads,
            extents=task.task.extents,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            versions=_versions(),
        )


@contextmanager
def kernel_records(known: Iterable[Record], target: Target) -> Generator[str]:
    """Return the path of a file with the best records of kernels for a target, or DEFAULT_PLAN.

    The file exists for a ``with`` block.  All candidates for a whole model use these schedules, so
    that options win only if they save more time than the schedules of the kernels that they change.

    known: the records of earlier searches.
    """
    own = [r for r in known if r.space != GRAPH_SPACE and r.target == str(target)]
    if not own:
        yield DEFAULT_PLAN
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"kernels{SUFFIX}"
        append_records(path, best_records(own).values())
        yield str(path)


@cache
def machine_facts() -> Mapping[str, str | int]:
    """Return a description of this machine for records, such as its processor."""
    row = Target.native().cpu if is_supported_host() else ""
    return {"processor": processor_name(), "cpu": row, "threads": available_threads()}


@cache
def _versions() -> Mapping[str, str]:
    return {"tilewright": version("tilewright"), "llvm": llvm_version().rpartition(" ")[2]}
