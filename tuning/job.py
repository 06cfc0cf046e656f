"""Jobs and measurements: plain data that processes exchange; importing them imports no compiler."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil

FIRST_WINDOW, FIRST_MARGIN = 1 / 4, 6
"""The length of the first round, and the factor of the margin by which it excludes a candidate."""


@dataclass(frozen=True)
class Job:
    """A measurement of several schedules of one kernel, or of options of passes for one model.

    kernel: the printed module of the task.
    target: the target text.
    is_model: whether the task is a whole model (graph_space.py), so that the schedules are options
    of passes.
    schedules: the texts of the schedules; the first is the reference for results, the last is the
    candidate.
    rotated_bytes: the size of all weights of the model. Consecutive calls use copies of the
    kernel's weights that fill this size, so that the caches are as cold as in the model.
    rounds: how often each schedule is timed.
    window_s: the seconds of one timing.
    give_up: the candidate is not timed further if it takes this many times as long as the fastest
    other schedule in each of the first two rounds; after one round, only a much larger ratio
    suffices, and after more rounds smaller ones.
    threads: the number of threads of a call.
    """

    kernel: str
    target: str
    schedules: tuple[str, ...]
    rotated_bytes: int = 0
    rounds: int = 5
    window_s: float = 0.004
    give_up: float = 1.2
    threads: int = 1
    is_model: bool = False

    @property
    def kernel_only(self) -> Job:
        """The job without schedules and rounds: a key for compiled schedules of the same kernel."""
        return replace(self, schedules=(), rounds=1, window_s=0.0, give_up=0.0)

    def times_by_turns(
        self, time_s: Callable[[int, float], float]
    ) -> tuple[tuple[float, ...], ...]:
        """Time all schedules once in each round; return for each schedule its times, one per round.

        The first round is shorter than the others: it finds out candidates that are far too slow.

        time_s: a function of the number of a schedule, and of the seconds of a window, that times
        the schedule once and returns the seconds per call.
        """
        times: list[list[float]] = [[] for _ in self.schedules]
        order = range(len(times))
        for turn in range(self.rounds):
            window_s = self.window_s * (1 if turn else FIRST_WINDOW)
            for n in order if turn % 2 == 0 else reversed(order):
                times[n].append(time_s(n, window_s))
            slower = min(each[-1] / min(each) for each in zip(*times, strict=True))
            margin = 1 / turn**2 if turn else FIRST_MARGIN
            if slower > 1 + (self.give_up - 1) * margin:
                break
        return tuple(map(tuple, times))


SURE_ROUNDS = 3 / 4
"""The part of the rounds of a second timing that must reach the speedup of its record."""


@dataclass(frozen=True)
class Measurement:
    """The measured cost of each schedule of a job.

    times_s: for each schedule, the costs of one call, one per round, in the unit ``unit``.
    unit: "s" or "instructions".
    machine: facts about the machine that measured; empty if this is the machine that writes the
    record.
    """

    times_s: tuple[tuple[float, ...], ...]
    unit: str = "s"
    machine: Mapping[str, str | int] = field(default_factory=dict[str, "str | int"])

    def ratio(self, of: int, over: int) -> float:
        """Return how many times slower one schedule is than another: the median over the rounds.

        of, over: the numbers of the two schedules in the job; a result above 1 means that ``of`` is
        slower.
        """
        return statistics.median(self._ratios(of, over))

    def cost(self, *, is_final: bool) -> float:
        """Return how many times slower the last schedule is than the first, the plan's.

        is_final: whether this is the second timing of a winner, which counts as the ratio that
        `SURE_ROUNDS` of the rounds do not exceed, because a median of few rounds is partly luck.
        Otherwise it is the median.
        """
        last = len(self.times_s) - 1
        if not is_final:
            return self.ratio(last, 0)
        ratios = sorted(self._ratios(last, 0))
        return ratios[ceil(SURE_ROUNDS * len(ratios)) - 1]

    def _ratios(self, of: int, over: int) -> list[float]:
        pairs = zip(self.times_s[of], self.times_s[over], strict=True)
        return [ours / theirs for ours, theirs in pairs]
