"""Trials of kernels of a few instructions, and the processor numbers that their times give.

    numbers = measured_numbers(target, NativeTimer(target), threads=2)
    numbers["clock_hz"]

In: a target, and a timer.  Out: numbers of the row of a processor (machines/measured_numbers.py),
from the shortest time of each trial.  A timer may also compute times, as tests do.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ...interp.memory import aligned_bytes
from ...machines.target import Target
from ...testing.kernel_calls import pool_run
from .kernels import CHASE, LINE_BYTES, MIXES, TASK, WIDTHS, core_kernels, loaded

ROUNDS = 20
"""How often each trial is timed."""

STEPS = 1 << 13
"""The steps of a kernel in a trial, unless it reads a cache or memory."""

LEAST_MEMORY, MOST_MEMORY = 64 << 20, 512 << 20
"""The least and the most bytes of the buffer from which trials read memory."""

L3_SHARE = 8
"""A trial of L3 reads this part of L3, because other cores use L3 as well."""

READ_BYTES = 8 << 20
"""The bytes that a trial of a cache reads."""

CHASES = 30_000
"""The loads of a chain through memory."""

WORK, LOOPS = 1024, 20
"""The steps of a chain that a parallel task computes, and the parallel loops of a trial."""

DIVIDED = 1.5
"""The processor divides the widest vectors if narrower ones run at this many times their rate."""


@dataclass(frozen=True)
class Trial:
    """A call of a kernel that is timed.

    kernel: the name of the kernel.  size: the bytes that the kernel visits, or the steps of its
    chain.  repetitions: how often it does so.  threads: the threads and the tasks of a parallel
    loop, whose tasks have a chain each.
    """

    kernel: str
    size: int
    repetitions: int = 1
    threads: int = 1


Timer: TypeAlias = Callable[[Trial], float]
"""A function that runs a trial, and returns the seconds of one repetition."""


def memory_bytes(target: Target) -> int:
    """Return the size of a buffer of which the caches hold only a part: a power of two."""
    wanted = min(max(LEAST_MEMORY, 4 * target.l3_bytes), MOST_MEMORY)
    return 1 << (wanted - 1).bit_length()


def trials_of(target: Target, threads: int) -> dict[str, Trial]:
    """Return the trials for a target by name; a kernel with one trial has its name.

    threads: the threads that can run at once.

    Errors: see `core_kernels`.
    """
    trials: dict[str, Trial] = {}
    for name, kernel in core_kernels(target).items():
        steps = target.l1_bytes // 2 // kernel.step_bytes if kernel.moves else STEPS
        trials[name] = Trial(name, steps * kernel.step_bytes, STEPS // steps)
    l3_bytes = max(2 * target.l2_bytes, target.l3_bytes // L3_SHARE)
    for level, size in (("l2", target.l2_bytes // 2), ("l3", l3_bytes)):
        trials[level] = Trial("loads", size, max(1, READ_BYTES // size))
    trials["memory"] = Trial("loads", memory_bytes(target))
    trials[CHASE] = Trial(CHASE, CHASES)
    trials["task"] = Trial(TASK, WORK, LOOPS)
    if threads > 1:
        trials["tasks"] = Trial(TASK, WORK, LOOPS, threads=2)
    return trials


def measured_numbers(target: Target, timer: Timer, *, threads: int) -> dict[str, float]:
    """Return the numbers of a target's processor, by their names in `MEASURED`.

    timer: runs a trial.  threads: the threads that can run at once.  The trials take turns, so that
    a slow phase of the machine affects all of them.  The start of the threads of a parallel loop is
    missing if no core was free for a second thread.

    Errors: see `core_kernels`.
    """
    trials = trials_of(target, threads)
    best_s = dict.fromkeys(trials, float("inf"))
    for _ in range(ROUNDS):
        for name, trial in trials.items():
            best_s[name] = min(best_s[name], timer(trial))
    return _numbers(target, trials, best_s)


def _numbers(
    target: Target, trials: Mapping[str, Trial], best_s: Mapping[str, float]
) -> dict[str, float]:
    """Return the numbers of a processor from the shortest time of a repetition of each trial."""
    kernels = core_kernels(target)
    widths = [bits for bits in WIDTHS if f"clock{bits}" in kernels]
    widest = widths[-1]

    def per_s(name: str) -> float:
        kernel = kernels[name]
        return trials[name].size // kernel.step_bytes * kernel.count / best_s[name]

    clock_hz = per_s(f"clock{widest}")
    rates = {name: per_s(name) / clock_hz for name in kernels}
    read = {n: trials[n].size / best_s[n] / clock_hz for n in ("l2", "l3", "memory")}
    # On a processor that divides the widest vectors, a unit is as wide as the widest vectors that
    # are not divided.
    whole = [b for b in widths if rates[f"fma{b}"] >= DIVIDED * rates[f"fma{widest}"]]
    found = {
        "clock_hz": clock_hz,
        "fma_latency": 1 / rates["latency"],
        "fma_ports": rates[f"fma{widest}"],
        "load_ports": rates["loads"],
        "broadcast_ports": rates["broadcasts"],
        "unit_bits": float(max(whole, default=widest)),
        "issues": max(rates[f"issues{n}"] for n in range(len(MIXES))),
        "stores": rates["stores"],
        "store_cycles": 2 / rates["pairs"],
        "l2_rate": read["l2"],
        "l3_rate": read["l3"],
        "memory_rate": read["memory"],
        "memory_latency": best_s[CHASE] / CHASES * clock_hz,
    }
    start_s = best_s.get("tasks", float("inf")) - best_s["task"]
    if start_s < best_s["task"] / 2:
        found["start_of_region"] = max(1.0, start_s * clock_hz)
    return found


class NativeTimer:
    """A timer that runs trials on this machine.

    target: the target of the kernels, whose features this machine has.

    Errors: see `core_kernels`.
    """

    def __init__(self, target: Target) -> None:
        self._library = loaded(core_kernels(target), target)
        self._pool = pool_run(target.triple)
        # Stores would destroy the chain, so they have a buffer of their own.
        self._small = aligned_bytes(target.l1_bytes)
        self._memory = aligned_bytes(memory_bytes(target))
        self._link_lines()

    def _link_lines(self) -> None:
        """Make each cache line of the buffer hold the address of another one: a chain of all lines.

        The next line is that of a linear congruential generator, whose period is the number of
        lines, a power of two.  To a prefetcher, its order looks random.
        """
        links = self._memory.view(np.uint64)[:: LINE_BYTES // 8]
        lines = np.arange(len(links), dtype=np.uint64)
        lines *= np.uint64(1664525)
        lines += np.uint64(1013904223)
        lines &= np.uint64(len(links) - 1)
        lines *= np.uint64(LINE_BYTES)
        links[:] = lines + np.uint64(self._memory.ctypes.data)

    def __call__(self, trial: Trial) -> float:
        address, size = self._library.address(trial.kernel), trial.size
        if trial.kernel == TASK:
            args = address, size, trial.threads, trial.threads
            return min(_seconds(self._pool, *args) for _ in range(trial.repetitions))
        buffer = self._small if size <= self._small.nbytes else self._memory
        if trial.kernel == CHASE:
            chase = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(address)
            return _seconds(chase, self._memory.ctypes.data, size)
        number = ctypes.c_int64
        run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, number, number)(address)
        return _seconds(run, buffer.ctypes.data, size, trial.repetitions) / trial.repetitions


def _seconds(function: Callable[..., object], *args: object) -> float:
    start_s = time.perf_counter()
    function(*args)
    return time.perf_counter() - start_s
