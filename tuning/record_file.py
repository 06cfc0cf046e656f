"""A file of tuning records to which several processes append at the same time.

Each record is one write to the end of the file, under a lock, and is on the disk before the next
job starts: a process that is killed loses no record.  If its last write was incomplete, the next
record starts on a line of its own.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO

from ..support.diagnostics import TilewrightError
from ..support.tuning_records import MEASURED, Record, best_records, read_records


def append_records(path: Path, records: Iterable[Record]) -> None:
    """Append records to a file under a lock, and wait until they are on the disk.

    Errors: TilewrightError for a file that cannot be written.
    """
    data = "".join(record.line() for record in records).encode()
    with _locked(path) as file:
        end = file.seek(0, os.SEEK_END)
        if end and os.pread(file.fileno(), 1, end - 1) != b"\n":
            data = b"\n" + data
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def rewrite(path: Path, change: Callable[[list[Record]], list[Record]]) -> int:
    """Replace the records of a file by the result of a function; return their number.

    The file is locked meanwhile, and replaced as a whole.

    change: maps the old records to the new ones.

    Errors: see `read_records`; TilewrightError for a file that cannot be written.
    """
    with _locked(path):
        records = change(read_records(path))
        part = path.with_name(path.name + ".part")
        part.write_text("".join(record.line() for record in records), encoding="utf-8")
        part.replace(path)
    return len(records)


@contextmanager
def _locked(path: Path) -> Generator[IO[bytes]]:
    """Open a file for appending, and lock it for a ``with`` block.

    If another process replaced the file before this one got the lock, the new file is opened and
    locked instead.

    Errors: TilewrightError if that is impossible.
    """
    try:
        while True:
            with path.open("ab+") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                    yield file
                    return
    except OSError as err:
        raise TilewrightError("cannot write the records", got=str(err), where=str(path)) from err


def merged(paths: Iterable[str | PathLike[str]]) -> list[Record]:
    """Return the records of several files, in the order of the files, without duplicates.

    Errors: see `read_records`.
    """
    lines = {record.line(): record for path in paths for record in read_records(path)}
    return [*lines.values()]


def by_kernel(records: Iterable[Record]) -> dict[tuple[str, str], list[Record]]:
    """Return the records of each kernel for each target, by (kernel digest, target), in order."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record.kernel, record.target), []).append(record)
    return groups


SUMMARY = ("kernel", "target", "measured", "failed", "speedup")
"""The columns of `summary`; the first two contain text."""


def summary(records: Sequence[Record]) -> list[tuple[str, str, str, str, str]]:
    """Return a row for each kernel and target: name, target, counts of records, best speedup."""
    best, rows = best_records(records), list[tuple[str, str, str, str, str]]()
    for key, own in by_kernel(records).items():
        good = sum(record.status == MEASURED for record in own)
        speedup = f"{best[key].speedup:.3f}" if key in best else ""
        rows.append((own[0].name, own[0].target, str(good), str(len(own) - good), speedup))
    return rows


def pruned(records: Sequence[Record], keep: int = 1) -> list[Record]:
    """Return only the best records of each kernel and target, in the order of ``records``.

    Kept are the record that `best_records` chooses, and the ``keep`` records with the largest
    speedup. Records without times are dropped, so that a later search may try their schedules
    again.
    """
    measured = [record for record in records if record.status == MEASURED]
    kept: set[int] = {id(record) for record in best_records(measured).values()}
    for group in by_kernel(measured).values():
        kept |= {id(each) for each in sorted(group, key=lambda r: -r.speedup)[:keep]}
    return [record for record in measured if id(record) in kept]
