"""The command: a row of the table in docs/testing.md for each bug of the list.

    python -m tilewright.testing.mutate                     # all bugs of the list
    python -m tilewright.testing.mutate --only half-ties-up
    python -m tilewright.testing.mutate --draw 20 --seed 3  # run candidates in place of the list
    python -m tilewright.testing.mutate --draw 20 --list    # print them as entries of the list

The exit code is 1 if nothing sees some bug.  Without a list, the tests are the folder that mirrors
the changed file, then all other tests.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .bugs import ROOT, Bug, known_bugs
from .planted import PlantedCheckout
from .sites import drawn

HEAD = "| bug | kind | file | seen by | CPU s | ops |\n|---|---|---|---|---|---|\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant the bugs one at a time, and print which check sees each; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tilewright.testing.mutate")
    parser.add_argument("--only", nargs="*", help="names of bugs to plant")
    parser.add_argument("--draw", type=int, help="draw candidates in place of the list")
    parser.add_argument("--seed", type=int, default=1, help="of the candidates")
    parser.add_argument("--list", action="store_true", help="print the bugs, run nothing")
    parser.add_argument("--timeout", type=float, default=240.0, help="seconds for each check")
    given = parser.parse_args(arguments)
    bugs = known_bugs()
    if given.draw:
        bugs = [replace(bug, tests=mirror(bug)) for bug in drawn(given.seed, given.draw)]
    chosen = [bug for bug in bugs if given.only is None or bug.name in given.only]
    if given.list:
        sys.stdout.write("\n\n".join(bug.text() for bug in chosen) + "\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="tw-mutate-") as folder:
        return _run(chosen, PlantedCheckout(Path(folder), given.timeout))


def _run(bugs: Sequence[Bug], copy: PlantedCheckout) -> int:
    """Plant bugs; print the table, and return 1 if one of them is not seen."""
    sys.stdout.write(HEAD)
    unseen = 0
    for bug in bugs:
        found = copy.sighting(bug)
        unseen += not found.is_seen
        sys.stdout.write(f"{found.row()}\n")
        sys.stdout.flush()
    sys.stdout.write(f"\n{len(bugs) - unseen} of {len(bugs)} seen\n")
    return int(unseen > 0)


def mirror(bug: Bug) -> list[str]:
    """Return the nearest folder of tests that mirrors the file of a bug, then all tests."""
    folders = [Path("tests", *part.parts) for part in Path(bug.file).parents]
    nearest = [str(folder.relative_to("tests")) for folder in folders if (ROOT / folder).is_dir()]
    return [*dict.fromkeys([*nearest[:1], "."])]


if __name__ == "__main__":
    sys.exit(main())
