"""Two modules at once: the calls per second of two threads, each with a module of its own.

Run: python benchmarks/parallel_modules.py [--rounds N]

Each module computes one feed-forward block on one thread. A round times the first module alone,
then both at once; the factor is the rate of both, compared with that of the first alone. A thread's
rate is its calls per second, without the time that it waits for a processor because of other
programs. Two modules share no lock, and a call releases the GIL.
"""

from __future__ import annotations

import argparse
import statistics
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import tilewright
from tilewright.testing.models import ffn_model

ROWS, WIDTH, WINDOW_S = 64, 256, 0.5


def made(seed: int) -> tilewright.CompiledModule:
    """Return a module that uses one thread.

    seed: determines its weights.
    """
    return tilewright.compile(ffn_model(m=ROWS, k=WIDTH, n=WIDTH, seed=seed), threads=1)


def waited_s() -> float:
    """Return the seconds for which this thread has waited for a processor."""
    text = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat").read_text()
    return int(text.split()[1]) / 1e9


def append_rate(
    module: tilewright.CompiledModule, start: threading.Barrier, rates: list[float]
) -> None:
    """Call a module for one window; append the calls per second."""
    x = np.ones((ROWS, WIDTH), np.float32)
    y = np.empty(np.asarray(module(x)).shape, np.float32)
    start.wait()
    begin, waited, calls = time.perf_counter(), waited_s(), 0
    while time.perf_counter() - begin < WINDOW_S:
        module(x, y)
        calls += 1
    rates.append(calls / (time.perf_counter() - begin - (waited_s() - waited)))


def rate(modules: Sequence[tilewright.CompiledModule]) -> float:
    """Return the calls per second of all modules together, when each runs in its own thread."""
    rates, start = list[float](), threading.Barrier(len(modules))
    threads = [threading.Thread(target=append_rate, args=(m, start, rates)) for m in modules]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(rates)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    modules = [made(seed) for seed in (0, 1)]
    factors: list[float] = []
    for _ in range(rounds):
        alone = rate(modules[:1])
        factors.append(rate(modules) / alone)
    low, *_, high = sorted(factors)
    print(f"two modules: {statistics.median(factors):.2f} x one ({low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main()
