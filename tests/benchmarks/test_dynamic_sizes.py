"""The table of networks with dynamic sizes in docs/performance.md."""

from __future__ import annotations

from dynamic_sizes import DYNAMIC, STATIC, TITLE, Costs, Row, summary, with_summary

from harness.page import PAGE
from harness.tables import read_sheet


def row(network: str, threads: int, *static: float) -> tuple[str, ...]:
    rows = [Row({"seq": 3}, 1e-6, True, 2.0 * ratio, {STATIC: ratio}) for ratio in static]
    return summary(network, threads, rows, Costs(1.5, 1.0, 5.0))


def test_a_row_has_the_mean_and_the_least_ratio() -> None:
    short = Row({"seq": 1}, 2e-6, True, 0.01, {STATIC: 0.5})  # too short to count
    rows = [Row({"seq": 3}, 1e-6, True, 3.0, {STATIC: ratio}) for ratio in (1.0, 4.0)]
    found = summary("lstm", 2, [short, *rows], Costs(1.5, 1.0, 5.0))
    assert found == ("lstm", "2", "3", "0.01 to 3.00", "2.00 (1.00)", "", "", "2.0e-06", "1.5")


def test_a_row_replaces_that_of_its_network_and_threads_in_order() -> None:
    text = PAGE.read_text()
    first, *_ = DYNAMIC
    for new in (row("lstm", 1, 1.0), row(first, 2, 1.0), row("lstm", 1, 2.0), row(first, 1, 3.0)):
        text = with_summary(text, new)
    found = {line[:2]: line[4] for line in read_sheet(text, TITLE).rows}
    assert found["lstm", "1"] == "2.00 (2.00)"
    assert found[first, "1"] == "3.00 (3.00)"
    assert list(found) == sorted(found, key=lambda key: (key[1], list(DYNAMIC).index(key[0])))
    rest = read_sheet(text, TITLE).markdown()
    assert text.replace(rest, "") == PAGE.read_text().replace(
        read_sheet(PAGE.read_text(), TITLE).markdown(), ""
    )
