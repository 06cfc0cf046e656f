"""Mutation testing: plant small bugs in the library, one at a time; see which test catches each.

Run: python -m tests.mutants [--seed 1] [--count 20] [--list] [--only N ...]

A mutant is one change of one expression: a comparison that is off by one or inverted, a sum that
becomes a difference, ``and`` for ``or``, ``min`` for ``max``, an integer that is one too large. The
seed decides files, sites and kinds. A mutant is planted in a copy of the checkout, where pytest
runs the tests of `make test` until the first failure: first those in the folder of tests that
mirrors the mutated file, then all others. A mutant that no test catches is either an equivalent
program, such as one with another threshold of a heuristic, or a gap in the tests; the script prints
its line for a person to judge.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = (
    "analysis", "codegen", "dialects", "driver", "frontend", "interp", "lowering", "machines",
    "ops", "passes", "runtime", "schedule", "support", "targets", "te",
)  # fmt: skip
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A replacement of the characters ``start`` to ``end`` of one line of a file."""

    path: Path
    line: int
    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        """Return the mutated source of the file."""
        lines = source.splitlines(keepends=True)
        # ast counts columns in bytes of UTF-8.
        old = lines[self.line - 1].encode()
        lines[self.line - 1] = (old[: self.start] + self.text.encode() + old[self.end :]).decode()
        return "".join(lines)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a file."""
    source = path.read_text()
    lines = [line.encode() for line in source.splitlines()]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                yield from _between(path, lines, left, right, COMPARISONS.get(type(operator)))
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operator, right=right):
                sign = "-" if isinstance(operator, ast.Add) else "+"
                yield from _between(path, lines, left, right, sign)
            case ast.BoolOp(op=operator, values=[left, right]):
                word = "or" if isinstance(operator, ast.And) else "and"
                yield from _between(path, lines, left, right, word)
            case ast.Call(func=ast.Name(id="min" | "max" as name) as function):
                other = "max" if name == "min" else "min"
                yield Mutant(
                    path, function.lineno, function.col_offset, function.col_offset + 3, other
                )
            case ast.Constant(value=int() as value) if not isinstance(value, bool):
                end = node.end_col_offset
                if end is not None and node.end_lineno == node.lineno:
                    yield Mutant(path, node.lineno, node.col_offset, end, str(value + 1))
            case _:
                pass


def _between(
    path: Path, lines: list[bytes], left: ast.expr, right: ast.expr, text: str | None
) -> Iterator[Mutant]:
    """Yield the mutant that replaces the operator between two operands on one line."""
    if text is None or left.end_lineno != right.lineno or left.end_col_offset is None:
        return
    gap = lines[right.lineno - 1][left.end_col_offset : right.col_offset]
    # A parenthesis of an operand is part of the gap.
    operator = gap.strip(b"() ")
    if not operator or b"#" in gap:
        return
    start = left.end_col_offset + gap.index(operator)
    yield Mutant(path, right.lineno, start, start + len(operator), text)


def draw(seed: int, count: int) -> list[Mutant]:
    """Draw mutants: the folder first, so that each part of the library has a share."""
    random_ = random.Random(seed)
    made: list[Mutant] = []
    while len(made) < count:
        folder = ROOT / random_.choice(LIBRARY)
        files = sorted(path for path in folder.rglob("*.py") if path.name != "__init__.py")
        if files and (found := list(mutants_of(random_.choice(files)))):
            made.append(random_.choice(found))
    return made


def mirror(path: Path) -> list[str]:
    """Return the folders of tests that mirror a file of the library, the nearest first."""
    folders = [Path("tests", *part.parts) for part in path.relative_to(ROOT).parents]
    return [
        str(folder) for folder in folders if folder.name != "tests" and (ROOT / folder).is_dir()
    ]


def run(mutant: Mutant, copy: Path, jobs: int) -> str:
    """Return the first test that fails for a mutant, or an empty text."""
    target = copy / mutant.path.relative_to(ROOT)
    original = target.read_text()
    target.write_text(mutant.apply(original))
    environment = os.environ | {"PYTHONPATH": str(copy / ".site"), "CI": "true"}
    try:
        for tests in ([*mirror(mutant.path)][:1], ["tests"]):
            if not tests:
                continue
            command = [
                sys.executable, "-m", "pytest", "-q", "-x", "-n", str(jobs), "-m", "not nightly",
                "--no-header", *tests,
            ]  # fmt: skip
            done = subprocess.run(
                command, cwd=copy, env=environment, capture_output=True, text=True, check=False
            )
            if done.returncode:
                lines = done.stdout.splitlines()
                failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
                return (failed or lines[-1:] or ["the session ended early"])[0]
        return ""
    finally:
        target.write_text(original)


def main() -> None:
    """Draw mutants, run the tests for each, and print a line per mutant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="print the mutants, run nothing")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of mutants to run")
    given = parser.parse_args()
    drawn = draw(given.seed, given.count)
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "checkout"
        if not given.list:
            ignored = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", "build")
            shutil.copytree(ROOT, copy, ignore=ignored, symlinks=True)
            (copy / ".site").mkdir(exist_ok=True)
            (copy / ".site" / "tilewright").unlink(missing_ok=True)
            (copy / ".site" / "tilewright").symlink_to("..")
        caught = 0
        for number, mutant in enumerate(drawn):
            if given.only is not None and number not in given.only:
                continue
            line = mutant.path.read_text().splitlines()[mutant.line - 1].strip()
            place = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
            sys.stdout.write(f"{number} {place}: {line}  ->  {mutant.text}\n")
            if given.list:
                continue
            failure = run(mutant, copy, given.jobs)
            caught += bool(failure)
            sys.stdout.write(f"    {failure or 'SURVIVED'}\n")
            sys.stdout.flush()
        if not given.list:
            sys.stdout.write(f"{caught} caught\n")


if __name__ == "__main__":
    main()
