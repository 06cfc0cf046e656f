"""Tuning records: one JSON line for each measured schedule of a kernel; docs/records.schema.json.

    for record in read_records("tuned.jsonl"): …
    best = best_records(records)          the schedule to use for each kernel and target

In the space "graph", the record is of a whole model: of options of the passes that choose layouts,
fusions and algorithms.
A line that is cut off, as after a crash, is skipped with a warning.  A line of another schema is an
error.  This module knows the format only, so that a compilation with records imports no tuner.
"""

from __future__ import annotations

import dataclasses
import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from os import PathLike
from pathlib import Path
from typing import Any, cast

from .diagnostics import TilewrightError
from .schedule_files import ScheduleFile

SUFFIX = ".jsonl"
VERSION = 1
"""The version of the schema."""

STARTER_FILE = Path(__file__).with_name("starter_records.jsonl")
"""The records that are part of the package; benchmarks/starter_records.py writes them."""

GRAPH_SPACE = "graph"
"""The space of records of whole models."""

MEASURED = "measured"
"""The status of a record with times."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Record:
    """A measured or failed schedule of one kernel.

    v: the version of the schema.  kernel: the digest of the kernel; see te-match-schedules.  In the
    space "graph": the digest of the model (driver/passes/graph_plans.py).
    name: the kernel's name in the model that was tuned.  target: the target text.
    machine: facts about the machine that measured.  space: the kind of space that the schedule is
    from, such as ``plan``.  point: the choices in this space.  schedule: its text, with
    intrinsics; in the space "graph" the options of passes, as JSON.
    status: ``measured``, or why there are no times.  error: the first line of the message.
    unit: ``s`` or ``instructions``.  times: one number of the schedule per round.  plan_times: the
    numbers of the plan's schedule in the same rounds.  speedup: the ratio of both, above 1 if the
    schedule is faster than the plan's: the median of the rounds, and for a winner what three
    quarters of the rounds reach.  is_final: whether winner and plan were timed again.
    extents: the sizes of the axes of the kernel's largest compute, by which kernels are compared.
    at: the time of the measurement (ISO 8601, UTC).  versions: the versions of packages.
    """

    v: int
    kernel: str
    name: str
    target: str
    machine: Mapping[str, Any]
    space: str
    point: Mapping[str, Any]
    schedule: str
    status: str
    error: str = ""
    unit: str = "s"
    times: Sequence[float] = ()
    plan_times: Sequence[float] = ()
    speedup: float = 0.0
    is_final: bool = False
    threads: int = 1
    extents: Sequence[int] = ()
    at: str = ""
    versions: Mapping[str, str] = field(default_factory=dict[str, str])

    def line(self) -> str:
        """Return the record as a line of JSON."""
        return json.dumps(dataclasses.asdict(self), separators=(",", ":")) + "\n"


_KINDS: Mapping[str, tuple[type, ...]] = {
    "int": (int,),
    "str": (str,),
    "bool": (bool,),
    "float": (int, float),
    "Sequence[float]": (list,),
    "Sequence[int]": (list,),
    "Mapping[str, Any]": (dict,),
    "Mapping[str, str]": (dict,),
}


def parse_record(line: str, where: str) -> Record:
    """Return the tuning record in a line of JSON.

    where: the file and the line, for messages.
    Errors: TilewrightError for a line of another schema; ValueError for a line that is no JSON.
    """
    given: object = json.loads(line)
    fields = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    if fields.get("v") != VERSION:
        raise _foreign(where, f"version {fields.get('v')}")
    known: dict[str, Any] = {}
    for each in dataclasses.fields(Record):
        is_optional = (each.default, each.default_factory) != (dataclasses.MISSING,) * 2
        if each.name not in fields and is_optional:
            continue
        known[each.name] = fields.get(each.name)
        if not isinstance(known[each.name], _KINDS[str(each.type)]):
            raise _foreign(where, f"{each.name} = {known[each.name]!r}")
    return Record(**known)


def _foreign(where: str, got: str) -> TilewrightError:
    return TilewrightError(
        "the line is no tuning record",
        expected=f"a record of schema version {VERSION}",
        got=got,
        where=where,
    )


def records_path(path: str | PathLike[str]) -> Path:
    """Return the path of a file of records, which need not exist.

    Errors: TilewrightError for a name without the suffix of such files.
    """
    found = Path(path)
    if found.suffix != SUFFIX:
        raise TilewrightError(
            "the name is not that of a file of records",
            expected=f"a name with the suffix {SUFFIX}",
            got=str(found),
            hint=f"compile(plan=…) recognizes records by {SUFFIX}",
        )
    return found


def read_records(path: str | PathLike[str]) -> list[Record]:
    """Return the records of a file, in order.

    A line that is no JSON, because its writer died, is skipped with a warning.
    Errors: TilewrightError for a file that cannot be read, and for a line of another schema.
    """
    records: list[Record] = []
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as err:
        raise TilewrightError("cannot read the records", got=str(err), where=str(path)) from err
    for number, line in enumerate(lines, 1):
        where = f"{path}:{number}"
        if not line.strip():
            continue
        try:
            records.append(parse_record(line, where))
        except ValueError:
            _LOG.warning("%s: the line is cut off and is skipped", where)
    return records


def best_records(records: Iterable[Record]) -> dict[tuple[str, str], Record]:
    """Return the fastest record of each kernel for each target, by (kernel digest, target).

    A record of a winner that was timed again takes precedence over records from the search, because
    the fastest time of a search is partly luck.
    """
    best: dict[tuple[str, str], Record] = {}
    for record in records:
        key = record.kernel, record.target
        if record.status == MEASURED and _rank(record) > _rank(best.get(key)):
            best[key] = record
    return best


def _rank(record: Record | None) -> tuple[bool, float]:
    return (False, 0.0) if record is None else (record.is_final, record.speedup)


@dataclass(frozen=True)
class GraphPlan:
    """Options of passes that were tuned for one model.

    digest: the digest of the model.  text: the options, as JSON.  speedup: that of the record.
    file: the path of the records, for messages.
    """

    digest: str
    text: str
    speedup: float
    file: str = field(repr=False, compare=False)


GRAPH_FILE = "graph-options-{}.json"
"""The name of the file of a `GraphPlan` in a folder of schedules, with the start of its digest."""


def graph_file(plan: GraphPlan) -> tuple[str, str]:
    """Return the name and the text of the file of a plan in a folder of schedules."""
    fields = {"model": plan.digest, "options": json.loads(plan.text)}
    return GRAPH_FILE.format(plan.digest[:8]), json.dumps(fields, indent=2) + "\n"


def read_graph_files(folder: Path) -> tuple[GraphPlan, ...]:
    """Return the plans of the files of `graph_file` in a folder; they precede tuning records.

    Errors: TilewrightError for a file that cannot be read, or is damaged.
    """
    plans: list[GraphPlan] = []
    for file in sorted(folder.glob(GRAPH_FILE.format("*"))):
        try:
            fields = json.loads(file.read_text(encoding="utf-8"))
            text = json.dumps(fields["options"], sort_keys=True)
            plans.append(GraphPlan(str(fields["model"]), text, inf, str(file)))
        except (OSError, ValueError, KeyError, TypeError) as err:
            raise TilewrightError(
                "the file holds no options of passes for a model",
                expected='{"model": "DIGEST", "options": {...}}',
                got=str(err),
                hint="dump the schedules again, or delete the file",
                where=str(file),
            ) from err
    return tuple(plans)


def tuned_schedules(
    path: str | PathLike[str], target: str
) -> tuple[tuple[ScheduleFile, ...], tuple[GraphPlan, ...]]:
    """Return the schedules, and the options of passes, in a file that are faster than the plan.

    Only winners that were timed again count: the fastest of many first times is partly luck.

    target: only records for this target count. Each schedule is for one kernel, and options are for
    one model; a model need not contain the kernel.
    Errors: as `read_records`; TilewrightError if no record is for the target.
    """
    records = read_records(path)
    own = [record for record in records if record.target == target]
    if records and not own:
        others = ", ".join(sorted({record.target for record in records}))
        raise TilewrightError(
            "no record is for this target",
            expected=target,
            got=others,
            hint="tune for this target: tw tune MODEL --target … --records FILE",
            where=str(path),
        )
    best = best_records(own).values()
    faster = [record for record in best if record.is_final and record.speedup > 1.0]
    schedules = (
        ScheduleFile(record.schedule, f"{path}: the schedule of @{record.name}", record.kernel)
        for record in faster
        if record.space != GRAPH_SPACE
    )
    plans = (
        GraphPlan(record.kernel, record.schedule, record.speedup, str(path))
        for record in faster
        if record.space == GRAPH_SPACE
    )
    return tuple(schedules), tuple(plans)
