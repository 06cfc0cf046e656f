"""Tables on terminals of any width: no word is cut, and no line is too long."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.table import Table

from tilewright.runtime.module.inspection import KernelReport
from tilewright.tools.commands.bench import timing_table
from tilewright.tools.tables import counted_names, kernel_table
from tilewright.tools.terminal import show_table, show_text, terminal

KERNELS = [
    KernelReport(
        "reduce_softmax_max",
        ("reduce_sum", "softmax_max", "softmax_exp"),
        123456789,
        10**9,
        "floordiv(batch + 143, 144)",
        12,
        "chosen",
        (),
    ),
    KernelReport("copy", ("copy", *["halo"] * 4), 0, 10**6, 8, 1, "chosen", ()),
]
ROWS = [
    {"system": system, "median_ms": 1234.5678, "min_ms": 1111.1, "spread": 0.12, "gflops": 987.6,
     "ratio": 12.34}
    for system in ("tilewright", "onnxruntime")
]  # fmt: skip
WIDTHS = (40, 60, 80, 120)


def shown(table: Table, width: int) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    show_table(console, table)
    return console.file.getvalue()  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("width", WIDTHS)
def test_no_name_and_no_number_is_cut(width: int) -> None:
    text = shown(kernel_table(KERNELS), width)
    for word in ("reduce_softmax_max", "softmax_exp", "floordiv(batch", "123.46", "1000000.0"):
        assert word in text
    assert "halo ×4" in text
    assert max(map(len, text.splitlines())) <= max(width, 56)  # a list has the cells as they are
    text = shown(timing_table(ROWS, title="m"), width)
    for word in ("tilewright", "onnxruntime", "1234.568", "1111.100", "12%", "987.6", "12.34"):
        assert word in text
    assert max(map(len, text.splitlines())) <= width


def test_a_table_that_does_not_fit_is_a_list() -> None:
    text = shown(timing_table(ROWS[:1], title="m.onnx"), 40)
    assert text.splitlines() == [
        "m.onnx",
        "tilewright",
        "  median ms: 1234.568",
        "  min ms: 1111.100",
        "  spread: 12%",
        "  GFLOP/s: 987.6",
        "  time / ours: 12.34",
    ]
    assert "┃" in shown(timing_table(ROWS[:1], title="m.onnx"), 80)


TEXT = "  symbols: aligned_alloc, close, " + "a_name_longer_than_the_width_of_the_terminal, read"


@pytest.mark.parametrize(("is_terminal", "width"), [(True, 20), (True, 40), (False, 20)])
def test_a_paragraph_is_wrapped_between_words_on_a_terminal(is_terminal: bool, width: int) -> None:
    file = io.StringIO()
    show_text(Console(file=file, width=width, force_terminal=is_terminal, color_system=None), TEXT)
    lines = file.getvalue().splitlines()
    assert " ".join(line.strip() for line in lines) == TEXT.strip()
    if not is_terminal:
        assert len(lines) == 1
        return
    assert all(len(line) <= width or len(line.split()) == 1 for line in lines)
    assert all(line.startswith("    ") for line in lines[1:])


def test_only_a_column_that_may_break_words_does() -> None:
    table = Table("name")
    table.add_column("path", overflow="fold")
    table.add_row("a" * 20, "/b" * 30)
    text = shown(table, 40)
    assert "a" * 20 in text
    assert "┃" in text
    assert text.count("/") == 30


def test_neighbors_of_one_name_are_counted() -> None:
    assert (
        counted_names(["copy", "halo", "halo", "copy", "copy", "copy"]) == "copy, halo ×2, copy ×3"
    )
    assert counted_names([]) == ""


def test_a_message_has_no_colors_of_its_own() -> None:
    console = terminal()
    console.file = io.StringIO()
    console._force_terminal = True  # pyright: ignore[reportPrivateUsage]
    console.print("compiled in 0.05 s (from the cache), 1 of 2")
    assert "\x1b" not in console.file.getvalue()
