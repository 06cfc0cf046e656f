"""The recorder of terminals: rows, colors and times of a command's output, as a picture."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import pytest
from recording import (
    LEAST_PAUSE_S,
    MOST_PAUSE_S,
    ROWS,
    Look,
    Row,
    Terminal,
    drawn,
    record,
    times_of,
)

SVG = "{http://www.w3.org/2000/svg}"


def texts(rows: list[Row]) -> list[str]:
    return ["".join(letter for letter, _ in row.cells) for row in rows]


def test_progress_is_replaced_and_colors_are_read() -> None:
    terminal = Terminal()
    terminal.write("\x1b[?25l\x1b[32m*\x1b[0m compiling\r\n", 0.0)
    terminal.write("\r\x1b[1A\x1b[2K\x1b[1;32mdone\x1b[0m in 2 s\r\n", 2.0)
    assert texts(terminal.rows) == ["done in 2 s", ""]
    (first, look), (last, plain) = terminal.rows[0].cells[0], terminal.rows[0].cells[-1]
    assert (first, look.classes(), last, plain.classes()) == ("d", "tw-ink3 tw-bold", "s", "")
    assert terminal.rows[0].time_s == 2.0


def test_pauses_suit_a_reader() -> None:
    rows = [Row([("x", Look())], time_s) for time_s in (0.0, 9.0, 9.0)]
    first, second, third = times_of(rows)
    assert (first, second - first) == (LEAST_PAUSE_S, MOST_PAUSE_S)
    assert third - second == pytest.approx(LEAST_PAUSE_S)


def test_the_picture_of_a_command_shows_its_output_and_scrolls() -> None:
    code = f"for n in range({ROWS + 3}): print('\\x1b[1mrow\\x1b[0m <', n)"
    rows = record([sys.executable, "-c", code])
    assert texts(rows) == [f"row < {n}" for n in range(ROWS + 3)]
    made = ElementTree.fromstring(drawn("rows", rows))
    lines = ["".join(line.itertext()) for line in made.iter(f"{SVG}text")]
    assert lines == ["$rows", *(f"row< {n}" for n in range(ROWS + 3))]
    styles = "".join(style.text or "" for style in made.iter(f"{SVG}style"))
    assert styles.count("translateY") == 4
    with pytest.raises(subprocess.CalledProcessError):
        record([sys.executable, "-c", "raise SystemExit(3)"])
