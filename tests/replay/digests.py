"""Digests of the texts of all kernels, in one file that a commit changes knowingly.

A line of digests.txt names a target, a program and a kernel, and has a digest per level:

    x86-64-v3 zoo/resnet50 conv_3 te=1f0c33 sched=a90e12 loop=0b77d1 code=c2e410

A program that the compiler refuses for a target has one line, with the class of the error.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from tilewright.driver.settings import settings_for
from tilewright.support.diagnostics import TilewrightError

from .levels import LEVELS, Texts, texts_of
from .programs import PROGRAMS

FILE = Path(__file__).with_name("digests.txt")
COMMAND = "make replay REPLAY=--write"
TARGETS = {
    "x86-64-v3": "llvm -mcpu=x86-64-v3",
    "x86-64-v4": "llvm -mcpu=x86-64-v4",
    "neoverse-n1": "llvm -mcpu=neoverse-n1",
    "cuda": "cuda -arch=sm_80",
    "opencl": "opencl",
}
"""The texts of the targets, by a short name."""
REFUSED = "(refused)"
"""Stands for the kernels of a program that the compiler refuses for a target."""

Row = tuple[str, str, str]
"""A target, a program and a kernel."""
Digests = Mapping[Row, Mapping[str, str]]
"""Digests by level of each kernel."""


def texts_for(program: str) -> Iterator[tuple[str, Texts]]:
    """Yield each target with the texts of a program's kernels."""
    chosen = PROGRAMS[program]
    module: ModuleOp | None = None
    for target, text in TARGETS.items():
        try:
            module = module or chosen.make()
            settings = settings_for(text, chosen.precision, strict_plan=True)
            yield target, texts_of(module.clone(), settings)
        except TilewrightError as err:
            yield target, {REFUSED: {"code": type(err).__name__}}


def digests_of(program: str) -> Digests:
    """Return the digests of a program's kernels for all targets."""
    return {
        (target, program, kernel): {level: _digest(text) for level, text in levels.items()}
        for target, texts in texts_for(program)
        for kernel, levels in texts.items()
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:6]


def printed(digests: Digests) -> str:
    """Return the text of the file: a sorted line per kernel."""
    lines = (" ".join((*row, *_fields(levels))) for row, levels in sorted(digests.items()))
    return "".join(f"{line}\n" for line in lines)


def _fields(levels: Mapping[str, str]) -> Iterator[str]:
    return (f"{level}={levels[level]}" for level in LEVELS if level in levels)


def parsed(text: str) -> Digests:
    """Return the digests of a file."""
    found: dict[Row, Mapping[str, str]] = {}
    for line in text.splitlines():
        target, program, kernel, *fields = line.split(" ")
        found[target, program, kernel] = dict(field.split("=") for field in fields)
    return found


@dataclass(frozen=True)
class Change:
    """A kernel whose texts differ from the recorded ones.

    levels: the levels with another digest; empty for a kernel that is new or gone.
    """

    row: Row
    kind: str
    levels: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((f"{self.kind:8}", *self.row, *self.levels))


def changes(before: Digests, after: Digests) -> list[Change]:
    """Return the kernels that differ, sorted by target, program and kernel."""
    found: list[Change] = []
    for row in sorted({*before, *after}):
        old, new = before.get(row), after.get(row)
        if old is None or new is None:
            found.append(Change(row, "added" if old is None else "removed"))
        elif differing := tuple(n for n in LEVELS if old.get(n) != new.get(n)):
            found.append(Change(row, "changed", differing))
    return found


def summary(found: Collection[Change], count: int) -> str:
    """Return how many kernels differ, and at which levels, by target."""
    counts: dict[str, Counter[str]] = {}
    for change in found:
        counts.setdefault(change.row[0], Counter()).update(change.levels or (change.kind,))
    rows = [f"{len(found)} of {count} kernels differ"]
    for target, each in counts.items():
        rows.append(f"  {target}: " + ", ".join(f"{name} {n}" for name, n in each.items()))
    return "\n".join(rows)


def chosen_programs(prefixes: Collection[str]) -> list[str]:
    """Return the programs whose name, or its part after the slash, begins with a prefix."""
    if not prefixes:
        return list(PROGRAMS)
    starts = tuple(prefixes)
    return [n for n in PROGRAMS if n.startswith(starts) or n.partition("/")[2].startswith(starts)]


def of_programs(digests: Digests, programs: Collection[str]) -> Digests:
    """Return the digests of some programs."""
    return {row: levels for row, levels in digests.items() if row[1] in programs}
