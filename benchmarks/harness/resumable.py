"""Results of cases as lines of JSON: a run that was stopped continues with those in its file."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar


@dataclass(frozen=True)
class CaseRow:
    """The result of a case.  Other fields are values of JSON, or dataclasses of such values.

    case: the name of the case.
    """

    case: str


Row = TypeVar("Row", bound=CaseRow)
Parse: TypeAlias = Callable[[Mapping[str, Any]], Row]
"""A function that makes a result of the fields in a line."""


def add_options(parser: argparse.ArgumentParser, out: Path) -> None:
    """Add the options --out and --resume to a command line.

    out: the default of --out.
    """
    parser.add_argument("--out", type=Path, default=out)
    parser.add_argument("--resume", action="store_true", help="go on with the lines in --out")


def read_rows(path: Path, parse: Parse[Row]) -> dict[str, Row]:
    """Return the results in a file, by the name of the case; {} without the file."""
    lines = path.read_text().splitlines() if path.exists() else ()
    return {row.case: row for row in (parse(json.loads(line)) for line in lines)}


def measured_rows(
    options: argparse.Namespace,
    cases: Iterable[str],
    measure: Callable[[str], Row],
    parse: Parse[Row],
) -> Iterator[Row]:
    """Yield the results of cases; measure and write those that the file does not have yet.

    options: the values of the options of `add_options`; without --resume, an old file is deleted.
    """
    if not options.resume:
        options.out.unlink(missing_ok=True)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    known = read_rows(options.out, parse)
    with options.out.open("a") as file:
        for case in cases:
            row = known.get(case)
            if row is None:
                row = measure(case)
                print(json.dumps(asdict(row)), file=file, flush=True)
            yield row
