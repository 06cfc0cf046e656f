"""The tables of int8 and bf16 in docs/performance.md, and the loops of their peaks."""

from __future__ import annotations

import time

import pytest
from low_precision import END, START, Layer, least_times, merged, with_sheet

from harness.narrow_peak import VPDPBUSD, NarrowPeak
from harness.tables import Sheet, read_sheet
from tilewright.machines.target import Target

PAGE = f"# Page\n\n{START}\n\n{END}\n\nrest\n"


def sheet(*rows: tuple[str, ...], title: str = "Networks") -> Sheet:
    return Sheet(title, ("network", "quantizer", "ms"), rows)


def test_a_table_replaces_the_one_of_its_title() -> None:
    text = PAGE
    for title, ms in (("Networks", "1"), ("Products", "2"), ("Networks", "3")):
        text = with_sheet(text, sheet(("a", "ours", ms), title=title))
    assert read_sheet(text, "Networks").rows == (("a", "ours", "3"),)
    assert read_sheet(text, "Products").rows == (("a", "ours", "2"),)
    assert text.startswith("# Page")
    assert text.endswith(f"{END}\n\nrest\n")


def test_a_part_of_the_rows_leaves_the_others() -> None:
    old = sheet(("a", "ours", "1"), ("a", "theirs", "2"), ("b", "ours", "3"))
    new = sheet(("a", "theirs", "9"))
    assert [row[2] for row in merged(old, new).rows] == ["1", "9", "3"]


def test_the_operations_of_a_strided_convolution_count_its_result() -> None:
    layer = Layer(channels=3, filters=64, kernel=7, stride=2, size=112)
    assert layer.operations == 2 * 3 * 49 * 64 * 112 * 112
    assert layer.name == "7x7, 3 to 64, stride 2, 112²"


def test_systems_run_by_turns_in_both_orders() -> None:
    order: list[str] = []
    calls = {name: lambda name=name: order.append(name) for name in "ab"}
    assert set(least_times(calls, 2)) == {"a", "b"}
    assert order == ["a", "b", "b", "a"]


@pytest.mark.skipif(not Target.native().has("avx512vnni"), reason="needs VNNI")
def test_the_loop_of_bytes_is_no_shorter_than_its_instructions() -> None:
    peak = NarrowPeak(VPDPBUSD)
    start_s = time.perf_counter()
    peak()
    # At 6 GHz, two instructions per cycle.
    assert time.perf_counter() - start_s > peak.operations / (2 * 128) / 6e9
