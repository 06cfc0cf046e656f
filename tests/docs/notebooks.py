"""Run the notebooks of docs/notebooks/ without Jupyter, and compare or store their outputs.

python -m tests.docs.notebooks           say which notebooks are stale
python -m tests.docs.notebooks --write   store outputs that differ
python -m tests.docs.notebooks --all     store all outputs

In: notebooks of nbformat 4. Out: for each cell of code the outputs that Jupyter would show: printed
text, and the value of the last expression as plain text and HTML. A cell with the tag ``varies``
shows times or names of the machine: its outputs are stored, but only their kinds are compared.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .blocks import ROOT

FOLDER = ROOT / "docs" / "notebooks"
WRITE = "python -m tests.docs.notebooks --write"
VARIES = "varies"


def notebooks() -> list[Path]:
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def text_of(notebook: dict[str, Any]) -> str:
    """Return a notebook as the text of its file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def run(notebook: dict[str, Any], folder: Path) -> Iterator[list[dict[str, Any]]]:
    """Run the cells of code in a folder; yield the outputs of each."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.chdir(folder):
        for number, cell in enumerate(code_cells(notebook), 1):
            yield _run_cell("".join(cell["source"]), number, namespace)


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def compared(cell: dict[str, Any], outputs: list[dict[str, Any]]) -> object:
    """Return the part of the outputs of a cell that is equal on all machines."""
    if VARIES not in cell["metadata"].get("tags", ()):
        return outputs
    return [(each["output_type"], sorted(each.get("data", ()))) for each in outputs]


def _run_cell(source: str, number: int, namespace: dict[str, Any]) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    name = f"<cell {number}>"
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        text = _lines(printed.getvalue())
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        if hasattr(value, "_repr_html_"):
            data = {"text/html": _lines(value._repr_html_()), **data}
        outputs.append(
            {
                "data": data,
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def updated(path: Path, *, is_all: bool = False) -> str:
    """Run a notebook; return its text with the outputs that differ, or with all."""
    notebook = read(path)
    with tempfile.TemporaryDirectory() as folder:
        made = list(run(notebook, Path(folder)))
    for number, (cell, outputs) in enumerate(zip(code_cells(notebook), made, strict=True), 1):
        if compared(cell, cell["outputs"]) != compared(cell, outputs) or is_all:
            cell["outputs"] = outputs
        cell["execution_count"] = number
    return text_of(notebook)


def main(option: str = "") -> int:
    """Return 1 if a notebook is stale and stays so."""
    stale = False
    for path in notebooks():
        made = updated(path, is_all=option == "--all")
        if made == path.read_text(encoding="utf-8"):
            continue
        print(f"{path.name}: {'written' if option else 'stale'}")
        stale = True
        if option:
            path.write_text(made, encoding="utf-8")
    return int(stale and not option)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
