"""Comparison of the speed of functions on a machine that other users share.

Systems take turns in short windows, and the order is reversed every round, so that a slow phase
of the machine affects all of them. Ratios between systems are therefore more reliable than times.
Performance claims are not here, but in benchmarks/ with command, machine and spread.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """The measured times of one system.

    samples_s: the seconds per call, one sample per round.
    """

    name: str
    samples_s: tuple[float, ...]

    @property
    def median_s(self) -> float:
        """Return the seconds per call: the median of the rounds."""
        return statistics.median(self.samples_s)

    @property
    def min_s(self) -> float:
        """Return the seconds per call: the fastest round."""
        return min(self.samples_s)

    @property
    def spread(self) -> float:
        """Return the interquartile range over the median; 0.1 and more mean a noisy machine."""
        if len(self.samples_s) < 2:
            return 0.0
        low, _, high = statistics.quantiles(self.samples_s, n=4)
        return (high - low) / self.median_s


WINDOW_S = 0.05
"""The time of the calls of a round together."""


@dataclass(frozen=True)
class TimedComparison:
    """The times of systems that took turns, in the order in which the systems were given."""

    timings: tuple[Timing, ...]

    def __getitem__(self, name: str) -> Timing:
        return next(timing for timing in self.timings if timing.name == name)

    def ratio(self, name: str, *, over: str) -> float:
        """Return how many times as fast system ``name`` is as system ``over``, by medians."""
        return self[name].median_s / self[over].median_s


def compare(
    systems: Mapping[str, Callable[[], object]],
    *,
    rounds: int = 20,
    window_s: float = WINDOW_S,
    pause_s: float = 0.0,
    clock: Callable[[], float] = time.perf_counter,
) -> TimedComparison:
    """Time systems by turns, and return the seconds per call of each.

    Every system is called twice before the first round: once to warm up and once to choose the
    number of calls that fill a window.
    window_s: the duration of a window, the calls of one system in one round.
    pause_s: the sleep before each window. Threads of a system wait for more work in a loop, which
    takes a core from the next system: those of onnxruntime 1.32 do so for 10 to 50 ms.
    clock: returns the time in seconds.
    Cost: about ``rounds * len(systems) * window_s``, more for calls longer than a window.
    """
    assert rounds > 0, rounds
    calls = {name: _calls_in(call, window_s, clock) for name, call in systems.items()}
    samples: dict[str, list[float]] = {name: [] for name in systems}
    for turn in range(rounds):
        for name in alternating(list(systems), turn):
            time.sleep(pause_s)
            samples[name].append(_window(systems[name], calls[name], clock))
    return TimedComparison(tuple(Timing(name, tuple(times)) for name, times in samples.items()))


def alternating(names: Sequence[str], turn: int) -> list[str]:
    """Return the names in the order of a round: forwards in even rounds, backwards in odd ones."""
    return list(names) if turn % 2 == 0 else list(reversed(names))


def _calls_in(call: Callable[[], object], window_s: float, clock: Callable[[], float]) -> int:
    call()
    once_s = _window(call, 1, clock)
    return max(1, math.ceil(window_s / once_s)) if once_s > 0 else 1000


def _window(call: Callable[[], object], calls: int, clock: Callable[[], float]) -> float:
    start_s = clock()
    for _ in range(calls):
        call()
    return (clock() - start_s) / calls
