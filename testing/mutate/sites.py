"""Candidates for planted bugs: small changes of one line, drawn from the library by a seed.

    for bug in drawn(seed=1, count=20, files=["passes/te"]): print(bug.text())

A candidate is a comparison that is off by one or inverted, a sum that becomes a difference, ``and``
for ``or``, ``min`` for ``max``, an integer that is one too large, two exchanged operands, or a
check that is left out.  Many candidates are equivalent programs, such as one with another threshold
of a heuristic; a person chooses which of them go into the list of bugs (bugs.toml).
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from .bugs import ROOT, Bug

LIBRARY = (
    "analysis", "codegen", "dialects", "driver", "frontend", "interp", "lowering", "machines",
    "ops", "passes", "runtime", "schedule", "support", "targets", "te",
)  # fmt: skip

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
_ORDERED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod)


class _Source:
    """The lines of a file, with the columns of ast, which counts bytes of UTF-8."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text()
        self._lines = [line.encode() for line in self.text.splitlines()]

    def segment(self, first: ast.expr, last: ast.expr | None = None) -> str:
        """Return the text from the start of ``first`` to the end of ``last`` (default: ``first``).

        Both expressions are on one line of the file.
        """
        last = last or first
        line = self._lines[first.lineno - 1]
        return line[first.col_offset : last.end_col_offset].decode()

    def replaced(self, kind: str, node: ast.expr | ast.If, new: str) -> Iterator[Bug]:
        """Yield the bug that replaces an expression, as a change of the whole line around it.

        Yield nothing if the expression has several lines, or if the line occurs twice.
        kind: the kind of bug.  new: the new text of the expression.
        """
        if node.lineno != node.end_lineno:
            return
        line = self._lines[node.lineno - 1]
        before, after = line[: node.col_offset].decode(), line[node.end_col_offset :].decode()
        old = line.decode()
        if self.text.count(f"{old}\n") == 1:
            name = f"{self.path.stem}-{node.lineno}"
            file = str(self.path.relative_to(ROOT))
            yield Bug(name, kind, file, f"{old}\n", f"{before}{new}{after}\n")


def sites_of(path: Path) -> Iterator[Bug]:
    """Yield all candidates for bugs of a Python file whose line occurs once in it."""
    source = _Source(path)
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, ast.expr) and node.lineno == node.end_lineno:
            yield from _changed(source, node)
        elif isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise | ast.Return):
            yield from source.replaced("missing check", node.test, "False")


def _changed(source: _Source, node: ast.expr) -> Iterator[Bug]:
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            sign = _COMPARISONS.get(type(operator))
            is_order = isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
            if sign is not None:
                new = f"{source.segment(left)} {sign} {source.segment(right)}"
                kind = "off-by-one tail" if is_order else "missing check"
                yield from source.replaced(kind, node, new)
        case ast.BinOp(left=left, op=operator, right=right):
            a, b = source.segment(left), source.segment(right)
            if isinstance(operator, _ORDERED):
                sign = source.segment(left, right).removeprefix(a).removesuffix(b)
                yield from source.replaced("swapped operand", node, f"{b}{sign}{a}")
            elif isinstance(operator, ast.Add):
                yield from source.replaced("wrong index", node, f"{a} - {b}")
        case ast.BoolOp(op=operator, values=[left, right]):
            word = "or" if isinstance(operator, ast.And) else "and"
            new = f"{source.segment(left)} {word} {source.segment(right)}"
            yield from source.replaced("missing check", node, new)
        case ast.Call(func=ast.Name(id="min" | "max" as name) as function):
            other = "max" if name == "min" else "min"
            yield from source.replaced("wrong index", function, other)
        case ast.Call(args=[first, second]) if not isinstance(first, ast.Constant):
            call = source.segment(node)
            pair = source.segment(first, second)
            new = f"{source.segment(second)}, {source.segment(first)}"
            if call.count(pair) == 1:
                yield from source.replaced("swapped operand", node, call.replace(pair, new))
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            yield from source.replaced("wrong index", node, str(value + 1))
        case _:
            pass


def drawn(seed: int, count: int, folders: Sequence[str] = LIBRARY) -> list[Bug]:
    """Draw ``count`` candidates for bugs: the folder first, then the file.

    So each folder has an equal share, whatever its size.
    folders: folders or files of the library.
    """
    choice = random.Random(seed)
    made: list[Bug] = []
    while len(made) < count:
        start = ROOT / choice.choice(folders)
        files = [start] if start.is_file() else sorted(start.rglob("*.py"))
        found = list(sites_of(choice.choice(files)))
        if found:
            made.append(choice.choice(found))
    return made
