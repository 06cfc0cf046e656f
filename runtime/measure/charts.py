"""Pictures for notebooks and pages: the roofline of a profile, and a memory plan over time.

In: plain numbers and names. Out: SVG as Markup, in the colors of display.py. `standalone` makes a
file of a picture. Each mark has a ``<title>``, which a browser shows when the pointer rests on the
mark.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..display import PICTURE_STYLE, Markup, byte_text, element, joined

COLORS = 5
"""Colors that display.py defines for marks, from 1."""
_LETTER = 6.4
"""Width of a letter of a label; an estimate, as a font is known to the browser only."""
_LINE = 14


@dataclass(frozen=True)
class ChartPoint:
    """A kernel in a roofline.

    intensity: operations per byte.  flops: operations per second.  share: its part of the time of
    the run, from 0 to 1.
    """

    name: str
    intensity: float
    flops: float
    share: float


@dataclass(frozen=True)
class Bar:
    """A buffer in a memory plan.

    start, size: its offset in the arena and its size, in bytes.  first, last: the numbers of the
    first and the last step that use the buffer.
    """

    name: str
    start: int
    size: int
    first: int
    last: int


@dataclass(frozen=True)
class ChartFrame:
    """A rectangle inside a picture, as positions of its sides."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, box: ChartFrame) -> bool:
        """Return whether ``box`` is completely inside this rectangle."""
        return (
            self.left <= box.left
            and self.top <= box.top
            and box.right <= self.right
            and box.bottom <= self.bottom
        )

    def meets(self, box: ChartFrame) -> bool:
        """Return whether ``box`` overlaps this rectangle."""
        return (
            box.left < self.right
            and self.left < box.right
            and box.top < self.bottom
            and self.top < box.bottom
        )


@dataclass(frozen=True)
class LogScale:
    """A logarithmic scale, which maps numbers from ``low`` to ``high`` to positions in a picture.

    start, end: the positions of ``low`` and ``high``.
    """

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the position of a number in the picture."""
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + part * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Return the numbers to mark: powers of ten and, on a short scale, 2 and 5 times these."""
        steps = (1, 2, 5) if self.high / self.low < 2000 else (1,)
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        made = [step * 10.0**power for power in powers for step in steps]
        return [tick for tick in made if self.low <= tick <= self.high]


def picture(width: int, height: int, summary: str, *marks: object) -> Markup:
    """Return an SVG picture that contains some marks.

    summary: the content in words, for readers who cannot see the picture.
    """
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    return element(
        "svg",
        element("desc", summary),
        *marks,
        xmlns="http://www.w3.org/2000/svg",
        class_="tilewright",
        role="img",
        **size,
    )


def standalone(made: Markup) -> str:
    """Return the text of an SVG file with a picture and its style sheet.

    made: the picture, a result of `picture`.
    """
    head, close, rest = made.partition(">")
    return f"{head}{close}\n{element('style', Markup(PICTURE_STYLE))}\n{rest}\n"


def text(x: float, y: float, content: object, anchor: str = "start", class_: str = "") -> Markup:
    """Return a line of text.

    x, y: the position in the picture.  anchor: which point of the text is there: start, middle or
    end. class_: its CSS class.
    """
    given = {"class_": class_} if class_ else {}
    return element("text", content, x=x, y=y, text_anchor=anchor, **given)


def line(x: float, y: float, to_x: float, to_y: float, class_: str = "tw-line") -> Markup:
    """Return a straight line from (x, y) to (to_x, to_y).

    class_: its CSS class.
    """
    return element("line", x1=x, y1=y, x2=to_x, y2=to_y, class_=class_)


def rectangle(box: ChartFrame, color: int, *inside: object) -> Markup:
    """Return a rectangle filled with a color.

    box: its position.  color: a number from 1 to `COLORS`.  inside: elements inside the rectangle,
    such as its title.
    """
    width, height = box.right - box.left, box.bottom - box.top
    return element(
        "rect",
        *inside,
        x=box.left,
        y=box.top,
        width=width,
        height=height,
        class_=f"tw-area{color}",
    )


def shortened(content: str, width: float) -> str:
    """Cut a line of text so that its width is at most ``width``, in units of the picture.

    Return an empty text if fewer than five letters fit.
    """
    most = int(width / _LETTER)
    if len(content) <= most:
        return content
    return f"{content[: most - 1]}…" if most >= 6 else ""


# ---- the roofline


def roofline(limits: tuple[float, float] | None, points: Sequence[ChartPoint]) -> Markup:
    """Draw the kernels of a profile below the limits of the machine.

    limits: operations per second and bytes per second; None if they are unknown.  points: the
    kernels, slowest first; at least one is required if there are no limits. The area of a dot shows
    the kernel's share of the time.
    """
    frame = ChartFrame(64, 24, 744, 380)
    x, y = _scales(frame, limits, points)
    marks = [*_axes(frame, x, y)]
    taken: list[ChartFrame] = []
    if limits is not None:
        marks += _roof(x, y, limits, taken)
    spots = [(x.at(p.intensity), y.at(p.flops), _radius(p)) for p in points]
    for number, (point, spot) in enumerate(zip(points, spots, strict=True)):
        marks.append(_dot(point, spot, 1 + number % COLORS))
    taken += [ChartFrame(a - r, b - r, a + r, b + r) for a, b, r in spots]
    for point, spot in zip(points, spots, strict=True):
        marks += _label(frame, point.name, spot, taken)
    names = ", ".join(point.name for point in points)
    summary = f"Operations per second over operations per byte, below the roofline: {names}"
    return picture(760, 424, summary, *marks)


def _scales(
    frame: ChartFrame, limits: tuple[float, float] | None, points: Sequence[ChartPoint]
) -> tuple[LogScale, LogScale]:
    """Return the horizontal scale, operations per byte, and the vertical, operations per second."""
    across = [point.intensity for point in points]
    up = [point.flops for point in points]
    if limits is not None:
        flops, bandwidth = limits
        across += [flops / bandwidth / 4, flops / bandwidth * 4]
        up += [flops, flops / 4]
    return (
        LogScale(min(across) / 1.6, max(across) * 1.6, frame.left, frame.right),
        LogScale(min(up) / 1.8, max(up) * 1.8, frame.bottom, frame.top),
    )


def _axes(frame: ChartFrame, x: LogScale, y: LogScale) -> Iterator[Markup]:
    for tick in x.ticks():
        yield line(x.at(tick), frame.top, x.at(tick), frame.bottom)
        yield text(x.at(tick), frame.bottom + 16, f"{tick:g}", "middle", "tw-faint")
    for tick in y.ticks():
        yield line(frame.left, y.at(tick), frame.right, y.at(tick))
        yield text(frame.left - 6, y.at(tick) + 4, f"{1e-9 * tick:g}", "end", "tw-faint")
    middle = (frame.left + frame.right) / 2
    yield text(middle, frame.bottom + 36, "operations per byte", "middle")
    yield text(frame.left - 50, frame.top - 10, "GFLOP/s")


def _roof(
    x: LogScale, y: LogScale, limits: tuple[float, float], taken: list[ChartFrame]
) -> Iterator[Markup]:
    """Yield the line of the roofline, and the texts of its two limits.

    limits: operations per second and bytes per second.  taken: the rectangles of the texts in the
    picture; those of the two new texts are appended.
    """
    flops, bandwidth = limits
    ridge = flops / bandwidth
    start = max(x.low, y.low / bandwidth)
    corners = [(start, bandwidth * start), (ridge, flops), (x.high, flops)]
    places = " ".join(f"{x.at(a):.1f},{y.at(b):.1f}" for a, b in corners)
    yield element("polyline", points=places, class_="tw-edge")
    yield _placed(x.at(ridge), y.at(flops) - 8, f"{1e-9 * flops:.1f} GFLOP/s", taken)
    across, up = x.at(start), y.at(bandwidth * start)
    angle = math.degrees(math.atan2(y.at(flops) - up, x.at(ridge) - across))
    turned = f"translate({across + 8:.1f} {up - 10:.1f}) rotate({angle:.1f})"
    taken.append(ChartFrame(across, up - 60, across + 60, up))
    yield element("text", f"{1e-9 * bandwidth:.1f} GB/s", transform=turned)


def _placed(left: float, base: float, content: str, taken: list[ChartFrame]) -> Markup:
    taken.append(_box(left, base, content))
    return text(left, base, content)


def _box(left: float, base: float, content: str) -> ChartFrame:
    return ChartFrame(left, base - _LINE + 3, left + len(content) * _LETTER, base + 3)


def _radius(point: ChartPoint) -> float:
    return 3.5 + 14 * math.sqrt(point.share)


def _dot(point: ChartPoint, spot: tuple[float, float, float], color: int) -> Markup:
    a, b, radius = spot
    said = f"{point.name}: {1e-9 * point.flops:.1f} GFLOP/s, {point.share:.1%} of the run"
    return element("circle", element("title", said), cx=a, cy=b, r=radius, class_=f"tw-area{color}")


def _label(
    frame: ChartFrame, name: str, spot: tuple[float, float, float], taken: list[ChartFrame]
) -> Iterator[Markup]:
    """Yield the name of a dot as a text next to the dot, if there is free space on some side.

    frame: the rectangle that must contain the text.  spot: x, y and radius of the dot.
    taken: the rectangles of other texts; that of the new text is appended.
    """
    a, b, radius = spot
    width = len(name) * _LETTER
    starts = (
        (a + radius + 4, b + 4),
        (a - radius - 4 - width, b + 4),
        (a - width / 2, b - radius - 5),
        (a - width / 2, b + radius + 13),
    )
    for left, base in starts:
        box = _box(left, base, name)
        if frame.holds(box) and not any(box.meets(other) for other in taken):
            yield _placed(left, base, name, taken)
            return


# ---- the memory plan


def timeline(steps: Sequence[str], bars: Sequence[Bar], room: int) -> Markup:
    """Draw the buffers of an arena over the steps of a run, from left to right.

    steps: the names of the steps.  bars: the buffers.  room: the size of the arena in bytes.
    """
    frame = ChartFrame(76, 24, 744, 340)
    step = (frame.right - frame.left) / max(1, len(steps))
    scale = (frame.bottom - frame.top) / max(1, room)

    def place(bar: Bar) -> ChartFrame:
        top = frame.bottom - scale * (bar.start + bar.size)
        ends = frame.left + step * bar.first, frame.left + step * (bar.last + 1)
        return ChartFrame(ends[0], top, ends[1], frame.bottom - scale * bar.start)

    summary = f"The arena of {byte_text(room)} in {len(steps)} steps, with {len(bars)} buffers"
    return picture(
        760,
        388,
        summary,
        *_time_axes(frame, steps, step, room, scale),
        *(_bar(bar, place(bar), steps, n) for n, bar in enumerate(bars)),
    )


def _time_axes(
    frame: ChartFrame, steps: Sequence[str], step: float, room: int, scale: float
) -> Iterator[Markup]:
    for size in _round_sizes(room):
        height = frame.bottom - scale * size
        yield line(frame.left, height, frame.right, height)
        yield text(frame.left - 6, height + 4, byte_text(size), "end", "tw-faint")
    every = next(n for n in _round_numbers() if n * step >= 32)
    for number in range(0, len(steps), every):
        middle = frame.left + step * (number + 0.5)
        yield text(middle, frame.bottom + 16, number + 1, "middle", "tw-faint")
    yield text((frame.left + frame.right) / 2, frame.bottom + 36, "step of the run", "middle")
    yield text(4, frame.top - 10, "offset in the arena")


def _round_numbers() -> Iterator[int]:
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def _round_sizes(room: int) -> list[int]:
    """Return about five round sizes in bytes from 0 to ``room``, for the marks of an axis."""
    every = next(n for n in _round_numbers() if 5 * n >= room)
    return list(range(0, room + 1, every))


def _bar(bar: Bar, box: ChartFrame, steps: Sequence[str], number: int) -> Markup:
    said = (
        f"{bar.name}: {byte_text(bar.size)} at {bar.start}, "
        f"steps {bar.first + 1} ({steps[bar.first]}) to {bar.last + 1} ({steps[bar.last]})"
    )
    mark = rectangle(box, 1 + number % COLORS, element("title", said))
    label = shortened(bar.name, box.right - box.left - 6)
    if not label or box.bottom - box.top < _LINE:
        return mark
    middle = (box.left + box.right) / 2
    return joined(mark, text(middle, (box.top + box.bottom) / 2 + 4, label, "middle"))
