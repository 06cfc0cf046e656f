"""Evaluation of measured times in the benchmarks: turns, disturbed rounds, ratios, tables."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness import page
from harness.results import Entry, entries, geometric_mean, merge_results, quartiles, read_results
from harness.rounds import Batch, Record, take_turns
from harness.tables import best_ratio, sheets
from tilewright.support.config import read_config
from zoo.files import Facts


class Machine:
    """Workers that answer at once, with a record of their turns."""

    def __init__(self) -> None:
        self.turns: list[str] = []

    def worker(self, name: str, first_s: float = 0.01, disturbed: tuple[int, ...] = ()) -> Any:
        return _Worker(self, Record(name, {"first_s": first_s}), disturbed)


class _Worker:
    is_timed = True

    def __init__(self, machine: Machine, record: Record, disturbed: tuple[int, ...]) -> None:
        self.machine, self.record, self.disturbed = machine, record, disturbed

    def ask(self, order: str) -> dict[str, Any]:
        self.machine.turns.append(f"{self.record.system} {order.split()[1]}")
        is_disturbed = len(self.record.batches) in self.disturbed
        return {"times_s": [2.0, 1.0, 9.0], "disturbance": 0.5 * is_disturbed}


def test_turns_go_forth_and_back() -> None:
    machine = Machine()
    records = take_turns([machine.worker("a"), machine.worker("b")], rounds=3, window_s=0.5)
    assert machine.turns == ["a 0.5", "b 0.5", "b 0.5", "a 0.5", "a 0.5", "b 0.5"]
    assert [record.batches[0].median_s for record in records] == [2.0, 2.0]


def test_a_system_that_is_only_checked_has_no_turns() -> None:
    machine = Machine()
    checked = machine.worker("a")
    checked.is_timed = False
    first, _ = take_turns([checked, machine.worker("b")], rounds=2, window_s=0.5)
    assert machine.turns == ["b 0.5", "b 0.5"]
    assert first.system == "a"
    assert not first.batches


def test_a_slow_system_runs_once_a_round_in_a_few_rounds() -> None:
    machine = Machine()
    take_turns([machine.worker("a"), machine.worker("slow", 5.0)], rounds=6, window_s=0.5)
    assert machine.turns.count("a 0.5") == 6
    assert machine.turns.count("slow 0") == 3


def test_disturbed_systems_get_more_rounds_and_lose_the_disturbed_ones() -> None:
    machine = Machine()
    workers = [machine.worker("a"), machine.worker("b", disturbed=(0, 1, 3))]
    calm, busy = take_turns(workers, rounds=4, window_s=0.5)
    assert sorted(calm.batches) == [0, 1, 2, 3]
    assert sorted(busy.batches) == [0, 1, 2, 3, 4, 5]
    assert sorted(busy.quiet()) == [2, 4, 5]


def test_the_least_disturbed_rounds_serve_if_all_were_disturbed() -> None:
    record = Record("a", batches={turn: Batch([1.0], 0.9 - 0.1 * turn) for turn in range(5)})
    assert sorted(record.quiet()) == [2, 3, 4]


def run(times: dict[str, list[float]]) -> list[Entry]:
    """Return the entries of a run in which systems took these times, one per round."""
    records = [
        Record(
            name,
            {"error": 1e-6, "version": "1", "work": 1e9, "compile_s": 3.0},
            {turn: Batch([time_s], 0.0) for turn, time_s in enumerate(found)},
        )
        for name, found in times.items()
    ]
    return entries("net", 1, Facts(4 * 10**9, 10**9, 10**9), records)


def test_ratios_are_of_medians_and_their_quartiles_of_rounds() -> None:
    ours, peer = run(
        {"tilewright": [1.0, 2.0, 4.0], "openvino": [2.0, 3.0, 4.0], "fma": [0.1], "read": [0.2]}
    )
    assert (ours.system, ours.ratio, ours.median_s) == ("tilewright", 1.0, 2.0)
    assert (peer.ratio, peer.low, peer.high) == (1.5, 1.25, 1.75)
    assert ours.speed == 2e9
    assert ours.of_peak == pytest.approx(0.2)
    assert ours.of_read == pytest.approx(0.2)


def test_without_us_there_is_no_ratio() -> None:
    (peer,) = run({"torch": [1.0]})
    assert math.isnan(peer.ratio)
    assert peer.median_s == 1.0


def test_means_and_quartiles() -> None:
    assert geometric_mean([1.0, math.nan, 4.0]) == pytest.approx(2.0)
    assert math.isnan(geometric_mean([]))
    assert quartiles([3.0]) == (3.0, 3.0)
    assert quartiles([1.0, 2.0, 3.0]) == (1.5, 2.5)


def test_the_best_rival_computes_the_same() -> None:
    row = {
        "onnxruntime": Entry("net", 1, "onnxruntime", ratio=1.2, error=1e-6),
        "openvino": Entry("net", 1, "openvino", ratio=0.5, error=1e-2),
        "tvm": Entry("net", 1, "tvm", ratio=0.1, error=1e-6),
        "torch": Entry("net", 1, "torch", failed="no"),
    }
    assert best_ratio(row) == ("onnxruntime", 1.2)


def test_results_replace_those_of_the_same_system(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    old, other = Entry("net", 1, "torch", ratio=1.0), Entry("net", 2, "torch", ratio=2.0)
    merge_results(path, [old, other])
    merge_results(path, [replace(old, ratio=3.0)])
    assert [entry.ratio for entry in read_results(path)] == [3.0, 2.0]


def test_failures_have_a_cell_and_disturb_no_mean() -> None:
    known = [*run({"tilewright": [1.0], "torch": [2.0]}), Entry("net", 1, "iree", failed="no")]
    speed = sheets(known, ["net"])[0]
    assert speed.columns == ("network", "ours, ms", "torch", "iree", "best of f32 rivals")
    assert speed.rows[0] == ("net", "1000", "2.00 ±0.00", "failed", "2.00 torch")
    assert speed.rows[1][2:] == ("2.00", "", "2.00")


def test_a_system_whose_first_run_was_stopped_is_slower_than_that() -> None:
    stopped = Record("tvm", {"stopped_s": 60.0}, failed="check: not done within 60 s")
    ours = Record("tilewright", {"error": 1e-6}, {0: Batch([2.0], 0.0)})
    known = entries("net", 1, Facts(1, 1, 1), [ours, stopped])
    assert sheets(known, ["net"])[0].rows[0] == ("net", "2000", "> 30.0", "")


def test_only_the_tables_of_the_page_are_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = page.PAGE.read_text()
    monkeypatch.setattr(page, "PAGE", tmp_path / "page.md")
    page.PAGE.write_text(text)
    page.write_page([], [])
    assert page.PAGE.read_text() == text, "nothing is known"
    made = [replace(e, network="attention_12x128x64") for e in run({"tilewright": [1.0]})]
    page.write_page(made, [])
    written = page.PAGE.read_text()
    assert written.split(page.OPERATORS_START)[0] == text.split(page.OPERATORS_START)[0]
    assert "| attention_12x128x64 |" in written.split(page.OPERATORS_START)[1]
    assert written.count(page.NETWORKS_START) == written.count(page.OPERATORS_START) == 1
    assert written.count(page.END) == text.count(page.END)
    assert str(read_config().cache_dir) not in written
