"""Processes that take turns: one for each system, stopped while another runs.

In: systems and a network.  Out: a `Record` of each, with one `Batch` per round. Idle thread pools
that spin would slow down the running system, so all other processes are stopped.
"""

from __future__ import annotations

import json
import os
import select
import signal
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tilewright.machines.target import Target

from .roofline import ROOFLINE
from .systems import SYSTEMS

# A batch is disturbed if others use this many processors or more.
QUIET = 0.1
# A system slower than this runs once per round, in a few rounds.
SLOW_S, SLOW_ROUNDS = 1.0, 3
# Number of extra rounds for systems with disturbed batches.
SPARE_ROUNDS = 3
ANSWER_LIMIT_S = 120
FOLDER = Path(__file__).parent.parent


@dataclass(frozen=True)
class Batch:
    """The runs of one system in one round."""

    times_s: list[float]
    disturbance: float

    @property
    def median_s(self) -> float:
        """Return the median seconds per run."""
        return statistics.median(self.times_s)


@dataclass
class Record:
    """The results of a system with a network.

    facts: the facts that the worker reported.  batches: the runs by round.  failed: the reason why
    batches are missing.
    """

    system: str
    facts: dict[str, Any] = field(default_factory=dict)
    batches: dict[int, Batch] = field(default_factory=dict)
    failed: str = ""

    def quiet(self) -> dict[int, Batch]:
        """Return the undisturbed batches by round.

        If there are fewer than two, the three least disturbed.
        """
        quiet = {turn: b for turn, b in self.batches.items() if b.disturbance < QUIET}
        if len(quiet) >= 2:
            return quiet
        best = sorted(self.batches, key=lambda turn: self.batches[turn].disturbance)[:3]
        return {turn: self.batches[turn] for turn in sorted(best)}


class Worker:
    """A process that runs one system; it is stopped except while it answers."""

    def __init__(
        self,
        system: str,
        network: str,
        threads: int,
        target: Target,
        log: IO[str],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        kinds = {**SYSTEMS, **ROOFLINE}
        self.record, self.is_timed = Record(system), kinds[system].is_timed
        self._process = subprocess.Popen(
            [sys.executable, "-m", "harness.worker", system, network, str(threads), str(target)],
            cwd=FOLDER,
            env={**os.environ, **kinds[system].environment(threads), **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )

    def ask(self, order: str, limit_s: float = ANSWER_LIMIT_S) -> dict[str, Any]:
        """Wake the process, send an order, wait for the answer, and stop the process again.

        A failure is recorded.
        """
        if self.record.failed:
            return {}
        self._process.send_signal(signal.SIGCONT)
        answer = self._answer(order, limit_s)
        self._process.send_signal(signal.SIGSTOP)
        self.record.failed = answer.get("failed", "")
        if self.record.failed:
            self.close()
        return answer

    def _answer(self, order: str, limit_s: float) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(order + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return {"failed": f"the process ended with {self._process.wait()}"}
        if not select.select([self._process.stdout], [], [], limit_s)[0]:
            word = order.split()[0]
            stopped = {"stopped_s": limit_s} if word == "check" else {}
            return {"failed": f"{word}: not done within {limit_s:.0f} s", **stopped}
        line = self._process.stdout.readline()
        if not line:
            return {"failed": f"{order.split()[0]}: the process ended with {self._process.wait()}"}
        return json.loads(line)

    def close(self) -> None:
        """End the process."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()


@contextmanager
def started(
    systems: Sequence[str],
    network: str,
    threads: int,
    target: Target,
    *,
    limit_s: float,
    log: IO[str],
    tell: Callable[[str], None],
) -> Iterator[list[Worker]]:
    """Start systems one by one; let each compile the network and check its results.

    The processes end when the context ends.
    """
    workers: list[Worker] = []
    try:
        for system in systems:
            tell(f"{network}, {threads} threads: {system}")
            worker = Worker(system, network, threads, target, log)
            workers.append(worker)
            for order in ("load", "compile", "check"):
                worker.record.facts |= worker.ask(order, limit_s)
        yield workers
    finally:
        for worker in workers:
            worker.close()


def take_turns(workers: Sequence[Worker], *, rounds: int, window_s: float) -> list[Record]:
    """Let the workers run by turns; disturbed workers get a few more rounds."""
    timed = [w for w in workers if w.is_timed]
    for turn in range(rounds + SPARE_ROUNDS):
        for worker in timed if turn % 2 == 0 else reversed(timed):
            if not worker.record.failed and _has_turn(worker.record, turn, rounds):
                is_slow = worker.record.facts["first_s"] > SLOW_S
                answer = worker.ask(f"batch {0 if is_slow else window_s}")
                if "times_s" in answer:
                    worker.record.batches[turn] = Batch(**answer)
    return [worker.record for worker in workers]


def _has_turn(record: Record, turn: int, rounds: int) -> bool:
    wanted = min(rounds, SLOW_ROUNDS) if record.facts["first_s"] > SLOW_S else rounds
    if len(record.batches) < wanted:
        return True
    quiet = sum(batch.disturbance < QUIET for batch in record.batches.values())
    return turn >= rounds and quiet < min(3, wanted)
