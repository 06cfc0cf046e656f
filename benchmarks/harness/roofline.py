"""Loops that measure the limits of the machine; they take turns with the measured systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tilewright.runtime.measure.roofline import ComputeLoop, MemoryLoop
from tilewright.targets.cpu.instructions.peak import limit_loops

from .systems import System


class Roofline(System):
    """A loop on every thread, which measures a limit of the machine.

    work: the operations or bytes of one run.
    """

    work = 0

    def run(self) -> None:
        if self.threads == 1:
            self._loops[0]()
        else:
            list(self._pool.map(lambda loop: loop(), self._loops))

    def outputs(self) -> list[np.ndarray]:
        return []

    def start(self, loops: Sequence[Callable[[], None]]) -> None:
        """Set the loop of each thread, and start the threads."""
        self._loops, self._pool = loops, ThreadPoolExecutor(self.threads)


class Multiplying(Roofline):
    """The limit of multiply-adds in registers."""

    name = "fma"

    def compile(self) -> None:
        code = limit_loops(self.target)
        loops = [ComputeLoop(code, steps=500_000) for _ in range(self.threads)]
        self.work = sum(loop.flops for loop in loops)
        self.start(loops)


class Reading(Roofline):
    """The limit of reading memory, once as many bytes as the network's weights and arguments."""

    name = "read"
    LEAST_BYTES = 1 << 20

    def compile(self) -> None:
        facts = self.case.facts
        size = max(self.LEAST_BYTES, facts.weight_bytes + facts.argument_bytes)
        parts = np.array_split(np.ones(size // 4, np.float32), self.threads)
        loops = [MemoryLoop(limit_loops(self.target), part) for part in parts]
        self.work = sum(loop.bytes for loop in loops)
        self.start(loops)


ROOFLINE: dict[str, type[Roofline]] = {each.name: each for each in (Multiplying, Reading)}
