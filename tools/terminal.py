"""Output to a terminal: consoles, and tables whose columns fit the width.

If a table is too wide, rich shortens its columns to equal widths, which truncates names and numbers
although a column of text could be narrower. Here, the widest columns are wrapped first, between
words; only a column with ``overflow="fold"`` may break words. A table whose words do not fit the
width is printed as a list, with a line for each cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

_LEAST_FOLDED = 12
"""The least width of a column that may break words."""


def terminal(*, stderr: bool = False) -> Console:
    """Return a console of rich that colors only text that the caller marks."""
    return Console(stderr=stderr, highlight=False)


def numbers(*titles: str) -> list[Column]:
    """Return table columns with these titles for numbers, which are aligned right."""
    return [Column(title, justify="right", no_wrap=True) for title in titles]


def show_table(console: Console, table: Table) -> None:
    """Print a table in the width of a console, or as a list if its words do not fit."""
    widths = _widths(console, table)
    if widths is None:
        _show_list(console, table)
        return
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    console.print(table)


def show_text(console: Console, text: str | Text, style: str = "") -> None:
    """Print a paragraph: a terminal gets lines wrapped between words, other outputs get one line.

    style: a style of rich for the text.  Lines after the first are indented by two spaces more than
    the first.  No word is broken.
    """
    paragraph = Text(text) if isinstance(text, str) else text
    indent = len(paragraph.plain) - len(paragraph.plain.lstrip(" ")) + 2
    breaks: list[int] = []
    column = 0
    for word in re.finditer(r"\s*\S+\s*", paragraph.plain) if console.is_terminal else ():
        if column > indent and column + cell_len(word[0].rstrip()) > console.width:
            breaks.append(word.start())
            column = indent
        column += cell_len(word[0])
    for number, line in enumerate(paragraph.divide(breaks)):
        line.rstrip()
        indented = Text(" " * indent).append_text(line) if number else line
        console.print(indented, style=style, soft_wrap=True)


def _widths(console: Console, table: Table) -> list[int] | None:
    """Return the widths of the columns of a table; None if its words do not fit.

    First, all columns become narrower, down to their longest word. Then, columns that may break
    words become narrower still.
    """
    sizes = [_measured(console, column, has_header=table.show_header) for column in table.columns]
    room = console.width - 3 * len(sizes) - 1  # a space on both sides of a cell, and the borders
    longest = [size.minimum for size in sizes]
    folded = [
        min(width, _LEAST_FOLDED) if column.overflow == "fold" else width
        for width, column in zip(longest, table.columns, strict=True)
    ]
    widths = _narrowed([size.maximum for size in sizes], longest, room)
    widths = _narrowed(widths, folded, room)
    return widths if sum(widths) <= room else None


def _measured(console: Console, column: Column, *, has_header: bool) -> Measurement:
    """Return the least and the preferred width of a column.

    They are the widths of its longest word and of its longest line; equal if the column does not
    wrap. has_header: whether the title counts, too.
    """
    cells: list[RenderableType] = [column.header] if has_header else []
    sizes = [Measurement.get(console, console.options, cell) for cell in (*cells, *column.cells)]
    least = max((size.minimum for size in sizes), default=0)
    most = max((size.maximum for size in sizes), default=0)
    return Measurement(most if column.no_wrap else least, most)


def _narrowed(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Reduce column widths until their sum is at most ``room``, the widest columns first.

    widths: the widths that the contents of the columns need.  least: the least width of each
    column. If even the least widths need more room, the result is these.
    """
    made = list(widths)
    while sum(made) > room:
        larger = [n for n, width in enumerate(made) if width > least[n]]
        if not larger:
            break
        made[max(larger, key=made.__getitem__)] -= 1
    return made


def _show_list(console: Console, table: Table) -> None:
    """Print a table as a list: the first cell of each row, then a line per other cell."""
    if table.title:
        show_text(console, f"{table.title}", "italic")
    _, *names = (column.header for column in table.columns)
    for first, *others in zip(*(column.cells for column in table.columns), strict=True):
        if first:
            show_text(console, Text.from_markup(f"{first}"), "bold")
        for name, cell in zip(names, others, strict=True):
            if cell:
                label = f"  {name}: " if name else "  "
                show_text(console, Text(label).append_text(Text.from_markup(f"{cell}")))
