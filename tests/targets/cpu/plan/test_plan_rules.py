"""The rules of the CPU plan: a table in its docstring lists each once, with its file."""

from __future__ import annotations

import re
from pathlib import Path

import tilewright.targets.cpu.plan as plan

FOLDER = Path(str(plan.__file__)).parent
ROW = re.compile(r"^(R\d+) +([\w/]+\.py) +\S", re.MULTILINE)


def test_the_table_lists_each_rule_once() -> None:
    numbers = [int(name[1:]) for name, _ in ROW.findall(plan.__doc__ or "")]
    assert numbers
    assert numbers == sorted(set(numbers))


def test_each_rule_stands_in_its_file() -> None:
    for name, file in ROW.findall(plan.__doc__ or ""):
        assert re.search(rf"\b{name}\b", (FOLDER / file).read_text()), name


def test_each_rule_that_code_mentions_is_in_the_table() -> None:
    known = {name for name, _ in ROW.findall(plan.__doc__ or "")}
    library = FOLDER.parents[2]
    folders = (library / name for name in ("targets", "analysis", "passes"))
    texts = (path.read_text() for folder in folders for path in folder.rglob("*.py"))
    assert {name for text in texts for name in re.findall(r"\bR[1-9]\d?\b", text)} <= known
