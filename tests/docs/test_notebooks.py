"""The notebooks run, and their stored outputs are those of this version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .blocks import ROOT
from .notebooks import WRITE, code_cells, compared, notebooks, read, run, text_of


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_cells_give(path: Path, tmp_path: Path) -> None:
    notebook = read(path)
    for cell, outputs in zip(code_cells(notebook), run(notebook, tmp_path), strict=True):
        hint = f"{''.join(cell['source'])}\nstale: {WRITE}"
        assert compared(cell, cell["outputs"]) == compared(cell, outputs), hint


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_is_a_valid_file(path: Path) -> None:
    notebook = read(path)
    assert text_of(notebook) == path.read_text(encoding="utf-8")
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    names = [cell["id"] for cell in notebook["cells"]]
    assert len({*names}) == len(names)
    numbers = [cell["execution_count"] for cell in code_cells(notebook)]
    assert numbers == list(range(1, len(numbers) + 1)), "stored in order, as after a fresh run"


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_has_outputs_without_paths_and_links_that_resolve(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert str(ROOT) not in text
    assert "/tmp/" not in text
    words = "".join("".join(cell["source"]) for cell in read(path)["cells"])
    links = re.findall(r"\]\(([^)#\s]+)\)", words)
    assert not [link for link in links if not (path.parent / link).exists()]
