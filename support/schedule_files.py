"""Schedule files: read and write sched scripts without parsing them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from .diagnostics import TilewrightError

SUFFIX = ".mlir"


@dataclass(frozen=True)
class ScheduleFile:
    """The contents of a file of sched scripts.

    file: the path, for messages; two files that differ only in their paths are equal.

    digest: if the text is one script for a kernel that a model need not contain: the digest of the
    kernel. Empty: a script whose kernel the model lacks is an error.
    """

    text: str
    file: str = field(repr=False, compare=False)
    digest: str = ""


def read_schedules(path: str | PathLike[str]) -> tuple[ScheduleFile, ...]:
    """Read one schedule file, or all files ``*.mlir`` of a folder in the order of their names.

    Errors: TilewrightError if the folder has no such file, or if a file cannot be read as UTF-8.
    """
    given = Path(path)
    files = sorted(given.glob(f"*{SUFFIX}")) if given.is_dir() else [given]
    if not files:
        raise TilewrightError(
            "the folder holds no schedules", expected=f"files *{SUFFIX}", where=str(path)
        )
    return tuple(_read(file) for file in files)


def _read(file: Path) -> ScheduleFile:
    try:
        return ScheduleFile(file.read_text(encoding="utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as err:
        raise TilewrightError("cannot read the schedule", got=str(err), where=str(file)) from err


def write_schedules(texts: Mapping[str, str], folder: str | PathLike[str]) -> list[Path]:
    """Write the texts of schedules to files of a folder; return the paths of the files.

    texts: the contents by file name.  folder: created if it does not exist.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    files = [place / name for name in texts]
    for file in files:
        file.write_text(texts[file.name], encoding="utf-8")
    return files
