"""Record the output of a command as an animated picture of a terminal.

Run: python benchmarks/recording.py docs/images/demo.svg tw demo

The command runs in a pseudo-terminal of 80 columns, and each line of its output appears in the
picture as it appeared in the terminal. Only pauses are changed: they are between 0.1 and 1 second,
and 1 second after an empty line, so that a reader can follow the lines of a burst, and does not
wait for a compilation.
"""

from __future__ import annotations

import argparse
import codecs
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from tilewright.runtime.display import Markup, element
from tilewright.runtime.measure.charts import picture, standalone

COLUMNS, ROWS = 80, 26
LEAST_PAUSE_S, MOST_PAUSE_S = 0.1, 1.0
LETTER, LINE, MARGIN = 7.8, 17, 12
"""Width of a letter, height of a line and width of the margin, in pixels."""
_SEQUENCE = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])|\x1b[()]?.|\r|\n|[^\x1b\r\n]+")
_COLORS = {31: "tw-ink2", 32: "tw-ink3", 33: "tw-ink5", 34: "tw-ink1", 35: "tw-ink4", 36: "tw-ink1"}
STYLE = f"""
svg.tilewright text{{font:13px ui-monospace,Menlo,Consolas,monospace;white-space:pre}}
.tw-bold{{font-weight:700}} .tw-dim{{fill:var(--tw-faint)}}
{"".join(f".tw-ink{n}{{fill:var(--tw-{n})}}" for n in range(1, 6))}
.tw-row{{animation:tw-show .01s both}}
@keyframes tw-show{{from{{visibility:hidden}}to{{visibility:visible}}}}
"""


@dataclass(frozen=True)
class Look:
    """The look of a cell: the class of its color, or "", and whether it is bold or dim."""

    color: str = ""
    is_bold: bool = False
    is_dim: bool = False

    def changed(self, code: int) -> Look:
        """Return the look after a control code, a number of an SGR sequence."""
        if code == 0:
            return Look()
        if code in (1, 2):
            return replace(self, is_bold=code == 1, is_dim=code == 2)
        if code == 22:
            return replace(self, is_bold=False, is_dim=False)
        return replace(self, color=_COLORS.get(code, "")) if 30 <= code <= 39 else self

    def classes(self) -> str:
        """Return the CSS classes of the look."""
        names = (self.color, "tw-bold" * self.is_bold, "tw-dim" * self.is_dim)
        return " ".join(filter(None, names))


@dataclass
class Row:
    """A row of the terminal: its cells, and the time of the last change in seconds."""

    cells: list[tuple[str, Look]] = field(default_factory=list[tuple[str, Look]])
    time_s: float = 0.0


class Terminal:
    """The rows that a program has written to a terminal.

    The cursor moves up only to replace a progress display.
    """

    def __init__(self) -> None:
        self.rows = [Row()]
        self._line = self._column = 0
        self._look = Look()

    def write(self, text: str, time_s: float) -> None:
        """Write text, which may contain control sequences, at a time."""
        for found in _SEQUENCE.finditer(text):
            word, numbers, command = found[0], found[1] or "", found[2]
            if word == "\r":
                self._column = 0
            elif word == "\n":
                self._line += 1
                self._column = 0
                if self._line == len(self.rows):
                    self.rows.append(Row(time_s=time_s))
            elif command == "m":
                for number in numbers.split(";"):
                    self._look = self._look.changed(int(number or 0))
            elif command == "A":
                self._line = max(0, self._line - int(numbers or 1))
            elif command == "K":
                self.rows[self._line] = Row(time_s=time_s)
            elif not word.startswith("\x1b"):
                self._put(word, time_s)

    def _put(self, text: str, time_s: float) -> None:
        row = self.rows[self._line]
        row.cells += [(" ", Look())] * (self._column - len(row.cells))
        row.cells[self._column : self._column + len(text)] = [(c, self._look) for c in text]
        row.time_s = time_s
        self._column += len(text)


def record(command: Sequence[str]) -> list[Row]:
    """Run a command in a pseudo-terminal; return the rows of its output.

    Errors: CalledProcessError if it fails.
    """
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
    with subprocess.Popen(command, stdout=child, stderr=child, env=environment) as process:
        os.close(child)
        terminal, start_s = Terminal(), time.monotonic()
        decoder = codecs.getincrementaldecoder("utf-8")()
        for data in _blocks(parent):
            terminal.write(decoder.decode(data), time.monotonic() - start_s)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    while len(terminal.rows) > 1 and not terminal.rows[-1].cells:
        terminal.rows.pop()
    return terminal.rows


def _blocks(file: int) -> Iterator[bytes]:
    """Yield the blocks of text that a program writes to a pseudo-terminal.

    The kernel reports the end of the text as an error.
    """
    try:
        while data := os.read(file, 1 << 16):
            yield data
    except OSError:
        return
    finally:
        os.close(file)


def times_of(rows: Sequence[Row]) -> list[float]:
    """Return the time at which each row appears in the picture, with pauses that suit a reader."""
    times, shown_s, written_s, least_s = list[float](), 0.0, 0.0, LEAST_PAUSE_S
    for row in rows:
        shown_s += min(max(row.time_s - written_s, least_s), MOST_PAUSE_S)
        written_s = max(written_s, row.time_s)
        least_s = LEAST_PAUSE_S if row.cells else MOST_PAUSE_S
        times.append(round(shown_s, 2))
    return times


def drawn(command: str, rows: Sequence[Row]) -> str:
    """Return an animated picture of a terminal: the command, and then the rows of its output."""
    prompt = Row([("$", Look(is_dim=True)), (" ", Look()), *((c, Look()) for c in command)])
    rows, times = [prompt, *rows], [0.0, *times_of(rows)]
    width, height = round(COLUMNS * LETTER + 2 * MARGIN), ROWS * LINE + 2 * MARGIN
    lines = [_line(row, number, times[number]) for number, row in enumerate(rows) if row.cells]
    summary = "\n".join("".join(c for c, _ in row.cells).rstrip() for row in rows)
    # Browsers that show no animation show its end.
    scroll = element("g", *lines, style=f"animation:tw-scroll {times[-1]}s step-end both")
    inside = element("svg", scroll, x=0, y=MARGIN, width=width, height=ROWS * LINE)
    frames = "".join(
        f"{100 * time_s / times[-1]:.2f}%{{transform:translateY(-{(number + 1 - ROWS) * LINE}px)}}"
        for number, time_s in enumerate(times)
        if number + 1 > ROWS
    )
    style = element("style", Markup(f"{STYLE}@keyframes tw-scroll{{{frames}}}\n"))
    return standalone(picture(width, height, summary, style, inside))


def _line(row: Row, number: int, time_s: float) -> Markup:
    """Return the SVG markup of a row of the terminal.

    Each run of characters with the same color and weight is one element, which starts at its
    column.
    """
    parts, column = list[Markup](), 0
    for look, cells in groupby(row.cells, key=lambda cell: cell[1]):
        shown = "".join(c for c, _ in cells)
        if shown.strip():
            start = column + len(shown) - len(shown.lstrip())
            stripped = shown.strip()
            place = {"x": MARGIN + start * LETTER, "textLength": len(stripped) * LETTER}
            classes = {"class_": look.classes()} if look.classes() else {}
            parts.append(element("tspan", stripped, **place, **classes))
        column += len(shown)
    shown_at = {"style": f"animation-delay:{time_s}s", "class_": "tw-row"}
    return element("text", *parts, y=round((number + 0.75) * LINE, 1), **shown_at)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    rows = record(options.command)
    options.output.write_text(drawn(" ".join(options.command), rows), encoding="utf-8")
    print(f"{options.output}: {len(rows)} rows, {options.output.stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())
