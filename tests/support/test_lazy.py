"""Families are found in their folders, and no op or operator has rows in two of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest

from tilewright.support.lazy import family_modules, family_tables


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package of two families, a module without a table, and one that asks."""
    package = tmp_path / "families_of_a_test"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "square.py").write_text("ROWS = ('square',)\n")
    (package / "circle.py").write_text("ROWS = ('circle',)\n")
    (package / "base.py").write_text("SIDES = 4\n")
    (package / "table.py").write_text("raise AssertionError('imported by its own search')\n")
    monkeypatch.syspath_prepend(tmp_path)
    return package.name


def test_every_file_with_a_table_is_a_family(folder: str) -> None:
    asking = f"{folder}.table"
    assert family_tables(folder, "ROWS", without=asking) == (("circle",), ("square",))
    names = [module.__name__.rpartition(".")[2] for module in family_modules(folder, asking)]
    assert names == ["base", "circle", "square"]


@pytest.mark.parametrize(
    ("package", "table"),
    [
        ("tilewright.interp.graph", "EVALUATORS"),
        ("tilewright.interp.graph", "REGION_EVALUATORS"),
        ("tilewright.lowering.graph_to_te", "RULES"),
    ],
)
def test_an_op_has_a_row_in_one_family(package: str, table: str) -> None:
    own = f"{package}.convert"  # its RULES is the union
    tables = cast("tuple[dict[type, Any], ...]", family_tables(package, table, without=own))
    rows = Counter(op for rows in tables for op in rows)
    assert rows
    assert not [op for op, count in rows.items() if count > 1]
