"""Docstrings as reStructuredText.

In: a summary, paragraphs, indented code, labels that start a line (``Errors: …``, ``threads: …``).
Out: the same with code blocks marked, labels as a list, and the characters escaped that mean
something in reStructuredText and nothing in a docstring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

LABEL = re.compile(r"^(\w+(?:, \w+)*): +(?=\S)")
SECOND_LABEL = re.compile(r"(?<=[.;])  +(?=\w+(?:, \w+)*: )")
CODE = re.compile(r"(``.+?``|`[^`]+`)", re.DOTALL)
SPECIAL = re.compile(r"[*|\\]|_(?!\w)")


def to_rst(lines: Sequence[str]) -> list[str]:
    """Return a docstring in reStructuredText."""
    made: list[str] = []
    for is_code, group in groupby(lines, key=_is_code_line):
        if is_code is not None:
            block = list(group)
            made += ["", *(_code(block) if is_code else _prose(block))]
    return [*made[1:], ""]


def _is_code_line(line: str) -> bool | None:
    """Return whether a line is indented; None for an empty one."""
    return line.startswith(" ") if line.strip() else None


def _code(lines: list[str]) -> list[str]:
    return ["::", "", *(f"    {line}" for line in lines)]


def _prose(lines: list[str]) -> list[str]:
    """Return a paragraph; from the first label on, a list."""
    parts = [part for line in lines for part in SECOND_LABEL.split(line)]
    made: list[str] = []
    for item in _items(parts):
        label = LABEL.match(item)
        if label is None:
            made += [_escaped(item)]
        else:
            name = f"**{label[1]}:**" if label[1][0].isupper() else f"``{label[1]}``:"
            made += ["", f"- {name} {_escaped(item[label.end() :])}"]
    return made


def _items(parts: Sequence[str]) -> Iterator[str]:
    """Yield the text before the first label, and each label with its text."""
    item: list[str] = []
    for part in parts:
        if LABEL.match(part) and item:
            yield " ".join(item)
            item = []
        item.append(part)
    yield " ".join(item)


def _escaped(text: str) -> str:
    """Escape what is not code."""
    pieces = CODE.split(text)
    return "".join(
        piece if number % 2 else SPECIAL.sub(lambda found: f"\\{found[0]}", piece)
        for number, piece in enumerate(pieces)
    )
