"""Compare the texts of all kernels with the recorded digests, or record them.

Run: make replay [REPLAY="OPTIONS [PROGRAM ...]"], such as REPLAY=--write or REPLAY=zoo/resnet50

A line per kernel says at which levels its text differs. The exit status is 1 if one differs, 2 if
the compiler raises an exception that is no error of the program.
--write records the digests; --texts FOLDER writes the texts, to compare two commits with diff.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tilewright.runtime.host import available_threads

from .digests import (
    FILE,
    Digests,
    Row,
    changes,
    chosen_programs,
    digests_of,
    of_programs,
    parsed,
    printed,
    summary,
    texts_for,
)


def _all_digests(programs: Iterable[str], jobs: int) -> tuple[Digests, list[str]]:
    """Return the digests of programs, and a line for each program that raised an exception."""
    made: dict[Row, Mapping[str, str]] = {}
    failed: list[str] = []
    with ProcessPoolExecutor(jobs) as pool:
        for program, future in [(name, pool.submit(digests_of, name)) for name in programs]:
            if (error := future.exception()) is None:
                made |= future.result()
            else:
                failed.append(f"failed   {program}: {type(error).__name__}: {error}")
    return made, failed


def _write_texts(programs: Iterable[str], folder: Path) -> None:
    for program in programs:
        for target, texts in texts_for(program):
            for kernel, levels in texts.items():
                for level, text in levels.items():
                    path = folder / target / program / f"{kernel}.{level}"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text + "\n")


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser("make replay", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("programs", nargs="*", help="names, or how they begin; default: all")
    parser.add_argument("--write", action="store_true", help=f"record the digests in {FILE.name}")
    parser.add_argument("--texts", type=Path, metavar="FOLDER", help="write the texts instead")
    parser.add_argument("--jobs", type=int, default=available_threads())
    given = parser.parse_args()
    programs = chosen_programs(given.programs)
    if not programs:
        parser.error(f"no program has a name that begins with {', '.join(given.programs)}")
    if given.texts is not None:
        _write_texts(programs, given.texts)
        return 0
    known = parsed(FILE.read_text()) if FILE.exists() else {}
    before = of_programs(known, programs) if given.programs else known
    after, failed = _all_digests(programs, given.jobs)
    found = changes(before, after)
    for change in found:
        print(change)
    print(*failed, summary(found, len({*before, *after})), sep="\n")
    if given.write:
        kept = {row: levels for row, levels in known.items() if row not in before}
        FILE.write_text(printed({**kept, **after}))
    if failed:
        return 2
    return int(bool(found) and not given.write)


if __name__ == "__main__":
    sys.exit(main())
