"""A page of a search: for each kernel, the speedup of every schedule and the best so far.

In: the records of a file, in the order of the measurements.  Out: HTML that needs no other file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..runtime import display
from ..runtime.display import Markup, element, heading, paragraph, table
from ..runtime.measure.charts import ChartFrame, line, picture, text
from ..support.tuning_records import MEASURED, Record
from .record_file import SUMMARY, by_kernel, summary
from .task_search import best_so_far

WIDTH, HEIGHT = 760, 220

MARKS = 4
"""The intervals between the marks of the vertical axis."""


def records_page(records: Sequence[Record], title: str) -> str:
    """Return the page of the records of a file.

    title: the head of the page.
    """
    charts = [part for own in by_kernel(records).values() for part in _chart(own)]
    return display.page(title, table(SUMMARY, summary(records), names=(0, 1)), *charts)


def _chart(records: Sequence[Record]) -> Iterator[Markup]:
    """Yield the head and the picture of one kernel; a kernel without measurements has only text."""
    tried = [each for each in records if each.status == MEASURED and not each.is_final]
    yield heading(records[0].name)
    if not tried:
        yield paragraph("No schedule was measured.", is_faint=True)
        return
    frame = ChartFrame(48, 12, WIDTH - 16, HEIGHT - 36)
    high = 1.05 * max(1.0, *(each.speedup for each in tried))
    across = (frame.right - frame.left) / len(tried)

    def place(number: float, speedup: float) -> tuple[float, float]:
        height = (frame.bottom - frame.top) * speedup / high
        return frame.left + across * (number + 0.5), frame.bottom - height

    dots = [
        element("circle", element("title", _said(n, each)), cx=x, cy=y, r=3, class_="tw-area1")
        for n, each in enumerate(tried)
        for x, y in [place(n, each.speedup)]
    ]
    corners: list[tuple[float, float]] = []
    for number, speedup in enumerate(best_so_far(each.speedup for each in tried)):
        corners += [place(number - 0.5, speedup), place(number + 0.5, speedup)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    curve = element("polyline", points=points, class_="tw-edge")
    summary = f"Speedups of {len(tried)} schedules of {records[0].name}, and the best so far"
    yield picture(WIDTH, HEIGHT, summary, *_axes(frame, high), *dots, curve)


def _said(number: int, record: Record) -> str:
    choices = ", ".join(f"{name} = {value}" for name, value in record.point.items())
    return f"schedule {number + 1}: {record.speedup:.3f} times as fast; {choices}"


def _axes(frame: ChartFrame, high: float) -> Iterator[Markup]:
    for number in range(MARKS + 1):
        height = frame.bottom - (frame.bottom - frame.top) * number / MARKS
        yield line(frame.left, height, frame.right, height)
        yield text(frame.left - 6, height + 4, f"{high * number / MARKS:.2f}", "end", "tw-faint")
    middle = (frame.left + frame.right) / 2
    yield text(middle, HEIGHT - 12, "measured schedules; speedup over the plan", "middle")
