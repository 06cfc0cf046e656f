"""The chart is what docs/performance.md says; the pictures are well-formed and stand alone."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from .blocks import ROOT

PICTURES = sorted((ROOT / "docs").rglob("*.svg"))


def test_the_chart_is_up_to_date() -> None:
    from harness.chart import CHART, TITLE, chart_text
    from harness.page import PAGE
    from harness.tables import read_sheet

    sheet = read_sheet(PAGE.read_text(), TITLE)
    text = chart_text(sheet)
    assert text == chart_text(sheet), "the same table gives other bytes"
    assert CHART.read_text() == text, "stale: python benchmarks/zoo_bench.py --show --write"


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_a_picture_stands_alone(path: Path) -> None:
    text = path.read_text()
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("viewBox")
    assert "<script" not in text
    assert "prefers-color-scheme: dark" in text.replace(":dark", ": dark")
    assert not re.search(r'(?:href|src)="(?!#)', text)
