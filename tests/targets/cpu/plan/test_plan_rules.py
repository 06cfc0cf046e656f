"""The choices of plans: tables in docstrings list them by file, and no choice has a number."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

import tilewright.targets.cpu.plan as cpu_plan
import tilewright.targets.gpu.plan as gpu_plan

ROW = re.compile(r"^((?:[\w/.]+\.py(?:, )?)+) +\S", re.MULTILINE)
NUMBERED = re.compile(r"\b[RG][1-9]\d?\b")


def folder_of(plan: ModuleType) -> Path:
    return Path(str(plan.__file__)).parent


@pytest.mark.parametrize("plan", [cpu_plan, gpu_plan], ids=["cpu", "gpu"])
def test_the_tables_list_existing_files(plan: ModuleType) -> None:
    files = [file for row in ROW.findall(plan.__doc__ or "") for file in row.split(", ")]
    assert len(files) > 15
    assert [file for file in files if not (folder_of(plan) / file).is_file()] == []


def test_no_choice_has_a_number() -> None:
    """A number would need a table that explains it."""
    library = folder_of(cpu_plan).parents[2]
    folders = (library / name for name in ("targets", "analysis", "passes"))
    texts = (path.read_text() for folder in folders for path in folder.rglob("*.py"))
    assert {name for text in texts for name in NUMBERED.findall(text)} == set()
