"""The modelled time of a kernel as a sum of parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, prod


@dataclass(frozen=True)
class KernelCost:
    """The modelled cycles of a kernel, by part.

    compute: the steps of sums.  tiles: starts of register tiles, stores, and epilogues.  l2: the
    transfers from L2 that arithmetic does not hide.  memory: the same from L3 and memory.
    overhead: starts of tasks.  imbalance: waiting for the busiest thread.

    Two numbers are no parts of the cycles.  tasks: the number of parallel tasks.  instructions: the
    instructions of a call on all threads; 0 if they are not modelled.  The cycles do not depend on
    them: an instruction that loads two vectors, for example, still takes two slots of the load
    ports.
    """

    compute: float
    tiles: float
    l2: float
    memory: float
    overhead: float
    imbalance: float
    tasks: int
    instructions: float = 0.0

    @property
    def cycles(self) -> float:
        """The cycles of the kernel: the sum of all parts."""
        compute, tiles, l2 = self.compute, self.tiles, self.l2
        return compute + tiles + l2 + self.memory + self.overhead + self.imbalance

    @property
    def parts(self) -> dict[str, float]:
        """The cycles of each part of the sum `cycles`, by the name of its field."""
        names = "compute", "tiles", "l2", "memory", "overhead", "imbalance"
        return {name: getattr(self, name) for name in names}

    def busiest_core(self, cores: Sequence[int]) -> float:
        """Return the cycles of the busiest core times the cores, as `mean_on_cores` of equal tasks.

        It is `cycles` if the tasks are equal shares for each count.  The cost is that of one
        thread.
        """
        work = self.cycles - self.overhead
        return mean_on_cores(self.tasks, work / self.tasks, work, self.overhead, cores)


def mean_on_cores(
    tasks: int, longest: float, total: float, starts: float, cores: Sequence[int]
) -> float:
    """Return the cycles of a parallel loop, as a geometric mean over one core and other counts.

    The busiest of n cores executes ceil(tasks / n) tasks; its cycles count n times.  So a plan for
    many cores is only chosen if it is not much slower on one.

    longest: the cycles of the longest task, without its start.
    total: the cycles of all tasks, without their starts.
    starts: the cycles of the starts of all tasks.
    cores: the counts of cores in addition to one.
    """
    counts = 1, *cores
    busy = (min(ceil(tasks / n) * n * longest, total + (n - 1) * longest) for n in counts)
    return prod(cycles + starts for cycles in busy) ** (1 / len(counts))
