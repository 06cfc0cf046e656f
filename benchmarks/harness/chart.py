"""docs/images/speed.svg: the times of other systems over ours, drawn from docs/performance.md.

In: the first table of speeds, as `page.py` writes it.  Out: a row for each network, a mark for each
system. The same table gives the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from tilewright.runtime.display import Markup, element
from tilewright.runtime.measure.charts import ChartFrame, LogScale, line, picture, standalone, text

from .page import PAGE
from .tables import RIVALS, Sheet, read_sheet

CHART = PAGE.parent / "images" / "speed.svg"
TITLE = "Time over ours, 1 thread"
MEAN = "**geometric mean**"
CORNERS = {"onnxruntime": 12, "openvino": 4, "torch": 3, "torch.compile": 4}
"""The number of corners of the mark of each rival; 12 look like a circle."""
TURNED = frozenset({"openvino"})
"""Rivals whose mark stands on a side instead of a corner."""
LEFT = 0.92
"""Where the scale starts at least: room left of the line."""
TICKS = (0.5, 0.7, 1, 1.5, 2, 3, 4, 5, 7, 10)
ROW = 26
RADIUS = 5.5


def draw_chart(page: Path = PAGE, chart: Path = CHART) -> None:
    """Draw the chart again from the table of a page, and write it."""
    chart.write_text(chart_text(read_sheet(page.read_text(), TITLE)))


def chart_text(sheet: Sheet) -> str:
    """Return the chart of a table of speeds as SVG."""
    rows = [row for row in sheet.rows if row[0] != MEAN]
    columns = {name: sheet.columns.index(name) for name in RIVALS}
    ratios = {name: [_ratio(row[column]) for row in rows] for name, column in columns.items()}
    known = [ratio for each in ratios.values() for ratio in each if ratio is not None]
    frame = ChartFrame(112, 36, 824, 44 + ROW * len(rows))
    scale = LogScale(min(LEFT, *known) / 1.03, max(known) * 1.05, frame.left, frame.right)
    heights = [frame.top + ROW * (number + 0.7) for number in range(len(rows))]
    marks = [
        *_axes(frame, scale, [row[0] for row in rows], heights),
        *_legend(frame),
        *(
            _mark(name, scale.at(ratio), height)
            for name, each in ratios.items()
            for ratio, height in zip(each, heights, strict=True)
            if ratio is not None
        ),
    ]
    summary = "Time of other systems over the time of Tilewright for each network, one thread"
    return standalone(picture(840, round(frame.bottom) + 48, summary, *marks))


def _axes(
    frame: ChartFrame, scale: LogScale, names: Sequence[str], heights: Sequence[float]
) -> Iterator[Markup]:
    for tick in TICKS:
        if scale.low <= tick <= scale.high:
            yield line(scale.at(tick), frame.top, scale.at(tick), frame.bottom)
            yield text(scale.at(tick), frame.bottom + 16, f"{tick:g}×", "middle", "tw-faint")
    for name, height in zip(names, heights, strict=True):
        yield line(frame.left, height, frame.right, height)
        yield text(frame.left - 8, height + 4, name, "end")
    yield line(scale.at(1), frame.top, scale.at(1), frame.bottom, "tw-edge")
    said = "time over Tilewright's, one thread: right of the line, Tilewright is faster"
    yield text((frame.left + frame.right) / 2, frame.bottom + 38, said, "middle")


def _legend(frame: ChartFrame) -> Iterator[Markup]:
    yield line(frame.left + 60, 16, frame.left + 84, 16, "tw-edge")
    yield text(frame.left + 90, 20, "Tilewright")
    for number, name in enumerate(RIVALS, 1):
        start = frame.left + 60 + 122 * number
        yield _mark(name, start + 8, 16)
        yield text(start + 20, 20, name)


def _mark(name: str, x: float, y: float) -> Markup:
    """Return the mark of a system: a regular polygon in its color."""
    count = CORNERS[name]
    first = math.pi / count if name in TURNED else 0.0
    angles = [first + 2 * math.pi * corner / count for corner in range(count)]
    corners = [(x + RADIUS * math.sin(a), y - RADIUS * math.cos(a)) for a in angles]
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    return element("polygon", points=points, class_=f"tw-solid{1 + RIVALS.index(name)}")


def _ratio(cell: str) -> float | None:
    """Return the ratio in a cell such as ``1.62 ±0.01``; None for a system that has none."""
    first = cell.partition(" ")[0]
    return float(first) if first.replace(".", "", 1).isdigit() else None
