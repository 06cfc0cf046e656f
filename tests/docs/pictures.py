"""Draw the pictures of the documents that show programs: python -m tests.docs.pictures.

``matmul-N.svg``: step N of docs/tutorial-matmul.md, as the parts of matrices that one leaf uses.
``memory-plan.svg`` and ``fusion.svg``: one layer of a transformer, as compiled for a fixed target.
benchmarks/harness/chart.py draws the chart of speeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilewright.driver.module.memory_plan import memory_plan
from tilewright.driver.report.texts import lowered_from
from tilewright.driver.request import request_for
from tilewright.driver.source import ModelSource
from tilewright.runtime.display import Markup, element
from tilewright.runtime.measure.charts import (
    Bar,
    ChartFrame,
    line,
    picture,
    rectangle,
    shortened,
    standalone,
    text,
    timeline,
)
from tilewright.testing.models import encoder_model

from .blocks import ROOT

FOLDER = ROOT / "docs" / "images"
TARGET = "llvm -mcpu=x86-64-v3"
LAYER = {"layers": 1, "hidden": 64, "heads": 2, "seq": 16, "ffn": 256}
READ, ALSO_READ, WRITTEN, COPIED, OTHER = 1, 3, 2, 4, 5
"""Colors of parts of matrices."""


@dataclass(frozen=True)
class Part:
    """A part of a matrix: rows and columns from 0 to 1, in a color.

    grid: the numbers of rows and columns to divide it into.
    """

    matrix: str
    rows: tuple[float, float]
    columns: tuple[float, float]
    color: int
    grid: tuple[int, int] = (1, 1)


@dataclass(frozen=True)
class Step:
    """A step of the tutorial: parts of matrices, arrows from part to part, and a remark.

    arrows: matrix, from row and column, to row and column.  has_panel: whether the panel of B has a
    buffer of its own.
    """

    remark: str
    parts: tuple[Part, ...]
    arrows: tuple[tuple[str, float, float, float, float], ...] = ()
    has_panel: bool = False


ALL = (0.0, 1.0)
ROW, TILE = (0.3, 0.34), (0.25, 0.4)
COLUMN, PANEL, NEXT = (0.25, 0.28), (0.25, 0.45), (0.6, 0.8)
MATMUL = (
    Step(
        "one element of C: a row of A, a column of B (elements 4 KiB apart)",
        (
            Part("A", ROW, ALL, READ),
            Part("B", ALL, COLUMN, ALSO_READ),
            Part("C", ROW, COLUMN, WRITTEN),
        ),
        (("A", 0.32, 0.1, 0.32, 0.9), ("B", 0.1, 0.265, 0.9, 0.265)),
    ),
    Step(
        "one element of A times a row of B, added to a row of C",
        (
            Part("A", ROW, (0.4, 0.44), READ),
            Part("B", (0.4, 0.44), ALL, ALSO_READ),
            Part("C", ROW, ALL, WRITTEN),
        ),
        (("B", 0.42, 0.1, 0.42, 0.9), ("C", 0.32, 0.1, 0.32, 0.9)),
    ),
    Step(
        "the rows as vectors: one instruction for 16 columns",
        (
            Part("A", ROW, (0.4, 0.44), READ),
            Part("B", (0.4, 0.44), ALL, ALSO_READ, (1, 8)),
            Part("C", ROW, ALL, WRITTEN, (1, 8)),
        ),
    ),
    Step(
        "6 × 64 elements of C stay in 24 registers for all of k",
        (
            Part("A", TILE, ALL, READ),
            Part("B", ALL, PANEL, ALSO_READ),
            Part("C", TILE, PANEL, WRITTEN, (6, 4)),
        ),
        (("A", 0.325, 0.1, 0.325, 0.9), ("B", 0.1, 0.35, 0.9, 0.35)),
    ),
    Step(
        "all rows use one panel of B before the next panel is read",
        (
            Part("A", ALL, ALL, READ, (7, 1)),
            Part("B", ALL, PANEL, ALSO_READ),
            Part("C", ALL, PANEL, OTHER, (7, 1)),
            Part("C", TILE, PANEL, WRITTEN, (6, 4)),
        ),
        (("C", 0.05, 0.35, 0.95, 0.35),),
    ),
    Step(
        "a copy of the panel: its rows follow each other in memory",
        (
            Part("A", ALL, ALL, READ, (7, 1)),
            Part("B", ALL, PANEL, COPIED),
            Part("panel", ALL, ALL, ALSO_READ),
            Part("C", ALL, PANEL, OTHER, (7, 1)),
            Part("C", TILE, PANEL, WRITTEN, (6, 4)),
        ),
        has_panel=True,
    ),
    Step(
        "four steps of k per iteration: fewer instructions for the loop",
        (
            Part("A", TILE, (0.4, 0.56), READ, (6, 4)),
            Part("B", ALL, PANEL, COPIED),
            Part("panel", (0.4, 0.56), ALL, ALSO_READ, (4, 4)),
            Part("C", TILE, PANEL, WRITTEN, (6, 4)),
        ),
        has_panel=True,
    ),
    Step(
        "each task computes a panel of C and copies its own panel of B",
        (
            Part("A", ALL, ALL, READ, (7, 1)),
            Part("B", ALL, PANEL, ALSO_READ),
            Part("B", ALL, NEXT, COPIED),
            Part("C", ALL, PANEL, ALSO_READ, (7, 1)),
            Part("C", ALL, NEXT, COPIED, (7, 1)),
        ),
        (("C", 0.05, 0.35, 0.95, 0.35), ("C", 0.05, 0.7, 0.95, 0.7)),
    ),
)
MATRICES = {
    "A": ChartFrame(40, 196, 190, 346),
    "B": ChartFrame(210, 26, 360, 176),
    "C": ChartFrame(210, 196, 360, 346),
    "panel": ChartFrame(400, 26, 430, 176),
}


def pictures() -> dict[str, str]:
    """Return the pictures by file name."""
    made = {f"matmul-{number}.svg": _step(step) for number, step in enumerate(MATMUL, 1)}
    return {name: standalone(each) for name, each in {**made, **_of_layer()}.items()}


def _step(step: Step) -> Markup:
    marks: list[Markup] = []
    for name, frame in MATRICES.items():
        if name != "panel" or step.has_panel:
            marks.append(_outline(frame))
            marks.append(text(frame.left, frame.top - 8, name))
    for part in step.parts:
        marks += _part(part)
    for matrix, *ends in step.arrows:
        marks += _arrow(MATRICES[matrix], *ends)
    marks.append(text(40, 376, step.remark))
    return picture(520, 392, step.remark, *marks)


def _outline(frame: ChartFrame) -> Markup:
    size = {"width": frame.right - frame.left, "height": frame.bottom - frame.top}
    return element("rect", x=frame.left, y=frame.top, **size, class_="tw-line")


def _part(part: Part) -> Iterator[Markup]:
    whole = MATRICES[part.matrix]
    across, down = whole.right - whole.left, whole.bottom - whole.top
    rows, columns = part.grid
    for row in range(rows):
        for column in range(columns):
            lo, hi = part.rows
            top, bottom = (lo + (hi - lo) * n / rows for n in (row, row + 1))
            lo, hi = part.columns
            left, right = (lo + (hi - lo) * n / columns for n in (column, column + 1))
            box = ChartFrame(
                whole.left + across * left,
                whole.top + down * top,
                whole.left + across * right,
                whole.top + down * bottom,
            )
            yield rectangle(box, part.color)


def _arrow(
    frame: ChartFrame, row: float, column: float, to_row: float, to_column: float
) -> Iterator[Markup]:
    across, down = frame.right - frame.left, frame.bottom - frame.top
    x, y = frame.left + across * column, frame.top + down * row
    to_x, to_y = frame.left + across * to_column, frame.top + down * to_row
    yield line(x, y, to_x, to_y, "tw-edge")
    tips = ((-6, -4), (-6, 4)) if to_row == row else ((-4, -6), (4, -6))
    for tip_x, tip_y in tips:
        yield line(to_x, to_y, to_x + tip_x, to_y + tip_y, "tw-edge")


def _of_layer() -> dict[str, Markup]:
    """Return the pictures of one layer of a transformer."""
    model = encoder_model(**LAYER)
    lowered = lowered_from(request_for(ModelSource(model), target=TARGET, cache=False))
    plan = memory_plan(lowered, [(1, LAYER["seq"], LAYER["hidden"])])
    bars = [Bar(b.name, b.offset, b.size, b.first, b.last) for b in plan.buffers]
    names = [node.name for node in model.graph.node if "ffn" in node.name]
    kernels = {
        kernel: [name for name in names if name in nodes]
        for kernel, nodes in lowered.nodes().items()
    }
    order = sorted((names.index(nodes[0]), kernel) for kernel, nodes in kernels.items() if nodes)
    fused = {kernel: kernels[kernel] for _, kernel in order}
    return {
        "memory-plan.svg": timeline(plan.steps, bars, plan.arena),
        "fusion.svg": _fusion(names, fused),
    }


def _fusion(nodes: Sequence[str], kernels: Mapping[str, Sequence[str]]) -> Markup:
    """Draw nodes in order, and the kernels that compute them."""
    height, gap, top = 26, 14, 40
    colors = {node: n % 5 + 1 for n, own in enumerate(kernels.values()) for node in own}
    marks = [text(30, 24, "before: nodes of the model"), text(370, 24, "after: kernels")]
    centers: dict[str, float] = {}
    for number, node in enumerate(nodes):
        start = top + number * (height + gap)
        box = ChartFrame(30, start, 290, start + height)
        centers[node] = (box.top + box.bottom) / 2
        marks += _box(box, colors[node], node)
        if number:
            marks += _arrow(ChartFrame(160, box.top - gap, 161, box.top), 0, 0, 1, 0)
    previous = None
    for kernel, own in kernels.items():
        lines = [centers[node] for node in own]
        box = ChartFrame(370, min(lines) - height / 2, 660, max(lines) + height / 2)
        marks += _box(box, colors[own[0]], f"{kernel}: {_joined(own)}")
        marks += [line(290, center, 370, center) for center in lines]
        if previous is not None:
            marks += _arrow(ChartFrame(515, previous, 516, box.top), 0, 0, 1, 0)
        previous = box.bottom
    bottom = top + len(nodes) * (height + gap)
    said = f"arrows are arrays in memory: {len(nodes) - 1} before, {len(kernels) - 1} after"
    marks.append(text(30, bottom + 14, said))
    return picture(690, bottom + 30, said, *marks)


def _joined(nodes: Sequence[str]) -> str:
    return " + ".join(node.rpartition("/")[2] for node in nodes)


def _box(box: ChartFrame, color: int, label: str) -> Iterator[Markup]:
    yield rectangle(box, color)
    shown = shortened(label, box.right - box.left - 12)
    yield text(box.left + 10, (box.top + box.bottom) / 2 + 4, shown)


def write() -> None:
    """Write the pictures."""
    for name, made in pictures().items():
        (FOLDER / name).write_text(made, encoding="utf-8")


if __name__ == "__main__":
    write()
