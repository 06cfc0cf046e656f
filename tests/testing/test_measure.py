"""The benchmark harness, on a fake clock."""

from __future__ import annotations

import pytest

from tilewright.testing.measure import TimedComparison, Timing, alternating, compare


class Machine:
    """A fake clock, and systems that take a given time on it, with a record of the runs."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.ran: list[str] = []

    def clock(self) -> float:
        return self.now_s

    def run(self, name: str, time_s: float) -> None:
        self.ran.append(name)
        self.now_s += time_s


def test_the_order_alternates_and_calls_fill_a_window() -> None:
    machine = Machine()
    result = compare(
        {"a": lambda: machine.run("a", 0.5), "b": lambda: machine.run("b", 2.0)},
        rounds=3,
        window_s=1.0,
        clock=machine.clock,
    )
    assert machine.ran == [*"aabb", *"aab", *"baa", *"aab"]
    assert result["a"] == Timing("a", (0.5, 0.5, 0.5))
    assert result["b"].median_s == 2.0
    assert result.ratio("b", over="a") == 4.0


def test_a_slow_phase_moves_the_median_little_and_the_minimum_not_at_all() -> None:
    timing = Timing("x", (1.0, 1.1, 9.0, 1.0, 1.2))
    assert timing.median_s == pytest.approx(1.1)
    assert timing.min_s == 1.0
    assert timing.spread > 0.1


def test_one_round_has_no_spread() -> None:
    assert TimedComparison((Timing("x", (1.0,)),))["x"].spread == 0.0


def test_a_system_too_quick_for_the_clock_is_timed() -> None:
    assert compare({"a": lambda: None}, rounds=1, clock=lambda: 0.0)["a"].min_s == 0.0


def test_alternating() -> None:
    assert [alternating("abc", turn) for turn in (0, 1)] == [["a", "b", "c"], ["c", "b", "a"]]
