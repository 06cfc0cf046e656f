"""docs/images/speed.svg: the times of other systems over ours, drawn from docs/performance.md.

In: the first table of speeds, as `page.py` writes it.  Out: a row for each network, a mark for each
system. The same table gives the same bytes with one version of matplotlib.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator, StrMethodFormatter

from .page import PAGE
from .tables import RIVALS, Sheet, read_sheet

CHART = PAGE.parent / "images" / "speed.svg"
TITLE = "Time over ours, 1 thread"
MEAN = "**geometric mean**"
MARKS = {
    "onnxruntime": ("o", "#0072b2"),
    "openvino": ("s", "#d55e00"),
    "torch": ("^", "#009e73"),
    "torch.compile": ("D", "#cc79a7"),
}
"""Shape and colour of each rival; the colours differ for colour-blind readers too."""
OURS, TEXT, LINES = "#222222", "#222222", "#dddddd"
LEFT = 0.92
"""Where the scale starts at least: room left of the line."""
TICKS = (0.5, 0.7, 1, 1.5, 2, 3, 4, 5, 7, 10)
STYLE = {
    "svg.hashsalt": "tilewright",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": TEXT,
    "axes.labelcolor": TEXT,
    "xtick.color": TEXT,
    "ytick.color": TEXT,
}


def draw_chart(page: Path = PAGE, chart: Path = CHART) -> None:
    """Draw the chart of a page again."""
    chart.write_text(chart_text(read_sheet(page.read_text(), TITLE)))


def chart_text(sheet: Sheet) -> str:
    """Return the chart of a table of speeds as SVG."""
    rows = [row for row in sheet.rows if row[0] != MEAN]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8.6, 1.4 + 0.3 * len(rows)), layout="constrained")
        axes = figure.add_subplot()
        _draw_axes(axes, [row[0] for row in rows])
        for name in RIVALS:
            _draw_system(axes, name, [_ratio(row[sheet.columns.index(name)]) for row in rows])
        axes.legend(
            loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(RIVALS) + 1, frameon=False
        )
        axes.set_xlim(left=min(LEFT, axes.get_xlim()[0]))
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in drawn.getvalue().splitlines()) + "\n"


def _draw_axes(axes: Axes, names: Sequence[str]) -> None:
    axes.set_xscale("log")
    axes.set_xticks(TICKS)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}×"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.grid(color=LINES, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("time over Tilewright's, one thread: right of the line, Tilewright is faster")
    axes.axvline(1, color=OURS, linewidth=1.6, label="Tilewright")


def _draw_system(axes: Axes, name: str, ratios: Sequence[float | None]) -> None:
    points = [(ratio, row) for row, ratio in enumerate(ratios) if ratio is not None]
    shape, colour = MARKS[name]
    axes.plot(
        [x for x, _ in points],
        [y for _, y in points],
        linestyle="none",
        marker=shape,
        markersize=6.5,
        color=colour,
        markeredgecolor="white",
        markeredgewidth=0.6,
        label=name,
    )


def _ratio(cell: str) -> float | None:
    """Return the ratio in a cell such as ``1.62 ±0.01``; None for a system that has none."""
    first = cell.partition(" ")[0]
    return float(first) if first.replace(".", "", 1).isdigit() else None
