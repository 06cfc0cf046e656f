"""Notebooks as pages of the site: a notebook of Jupyter becomes Markdown with its stored outputs.

In: the text of an ``.ipynb`` file. Out: cells of text as they are, code in a fence, and outputs:
HTML where a cell has it, else plain text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser


class NotebookParser(MystParser):
    """A parser of the file type ``notebook``."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse the Markdown of a notebook."""
        super().parse(to_markdown(inputstring), document)


def to_markdown(text: str) -> str:
    """Return a notebook as Markdown."""
    return "\n\n".join(part for cell in json.loads(text)["cells"] for part in _parts(cell))


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield _fence("python", source)
    for output in cell["outputs"]:
        data = output.get("data", {})
        if "text/html" in data:
            yield _fence("{raw} html", "".join(data["text/html"]))
        else:
            yield _fence("text", "".join(output.get("text", data.get("text/plain", ""))))


def _fence(language: str, text: str) -> str:
    return f"````{language}\n{text.rstrip()}\n````"
