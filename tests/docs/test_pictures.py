"""The chart is what docs/performance.md says; pictures show the programs, and stand alone."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from .blocks import ROOT
from .pictures import FOLDER, pictures

PICTURES = sorted((ROOT / "docs").rglob("*.svg"))


def test_the_chart_is_up_to_date() -> None:
    from harness.chart import CHART, TITLE, chart_text
    from harness.page import PAGE
    from harness.tables import read_sheet

    sheet = read_sheet(PAGE.read_text(), TITLE)
    text = chart_text(sheet)
    assert text == chart_text(sheet), "the same table gives other bytes"
    assert CHART.read_text() == text, "stale: python benchmarks/zoo_bench.py --show --write"


def test_the_pictures_of_programs_are_up_to_date() -> None:
    made = pictures()
    stored = {name: (FOLDER / name).read_text(encoding="utf-8") for name in made}
    assert stored == made, "stale: python -m tests.docs.pictures"


def test_every_picture_is_shown() -> None:
    text = "".join(page.read_text() for page in (ROOT / "docs").glob("*.md"))
    assert not [path.name for path in FOLDER.glob("*.svg") if f"images/{path.name})" not in text]


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_a_picture_stands_alone(path: Path) -> None:
    text = path.read_text()
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("viewBox")
    assert "<script" not in text
    assert "prefers-color-scheme: dark" in text.replace(":dark", ": dark")
    assert not re.search(r'(?:href|src)="(?!#)', text)
