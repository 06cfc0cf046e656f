"""Docstrings as reStructuredText.

In: a summary, paragraphs, indented code, labels that start a line (``Errors: …``, ``threads: …``).
Out: the same with code blocks marked, labels as a list, and the characters escaped that mean
something in reStructuredText and nothing in a docstring.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

LABEL = re.compile(r"(?:^|(?<=[.;])  +)(\w+(?:,\s+\w+)*): +(?=\S)", re.MULTILINE)
"""Names and a colon, at the start of a line or after the end of a sentence and two spaces."""
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
    text = "\n".join(lines)
    labels = list(LABEL.finditer(text))
    bounds = [*(label.start() for label in labels), len(text)]
    first = _escaped(text[: bounds[0]])
    items = [
        f"- {_label(label[1])} {_escaped(text[label.end() : end])}"
        for label, end in zip(labels, bounds[1:], strict=True)
    ]
    return [first, "", *items] if items else [first]


def _label(names: str) -> str:
    """Return a label such as ``Errors`` in bold, names of parameters as code."""
    if names[0].isupper():
        return f"**{names}:**"
    return ", ".join(f"``{name}``" for name in re.split(r",\s+", names)) + ":"


def _escaped(text: str) -> str:
    """Return a text on one line, and escape all but code."""
    pieces = CODE.split(" ".join(text.split()))
    return "".join(
        piece if number % 2 else SPECIAL.sub(lambda found: f"\\{found[0]}", piece)
        for number, piece in enumerate(pieces)
    )
