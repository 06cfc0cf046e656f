"""Runs of a random program: in this process, on a device, or in the emulator of another CPU.

run = run_of_model(data, feeds, "aarch64")
results = run.results(2)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...driver.backends import target_of
from ...driver.compile import compile
from ...driver.compile_module import compile_module
from ..emulated_program import emulated_outputs, is_foreign
from .checks import EMULATED_THREADS, THREADS, Arrays
from .references import Feeds


@dataclass(frozen=True)
class ThreadedRun:
    """A program that is compiled at its first run.

    results: runs the program with this many threads, and returns its results.
    threads: the numbers of threads with which to run the program.
    """

    results: Callable[[int], Arrays]
    threads: Sequence[int]


def run_of_model(data: bytes, feeds: Feeds, target: str | None) -> ThreadedRun:
    """Return the run of a model for a target; None is this machine.

    data: the model.  feeds: its inputs by name.
    """
    return _run(
        lambda: compile(data, target=target, threads=1, cache=False, strict_plan=True),
        [*feeds.values()],
        target,
    )


def run_of_text(text: str, inputs: Arrays, target: str | None) -> ThreadedRun:
    """Return the run of a printed module for a target; None is this machine.

    text: the module.  inputs: the arguments of its main function.
    """
    return _run(
        lambda: compile_module(text, target=target, cache=False, strict_plan=True), inputs, target
    )


def _run(compiled: Callable[[], Any], inputs: Arrays, target: str | None) -> ThreadedRun:
    module = functools.cache(compiled)
    machine = target_of(target)
    if is_foreign(machine):

        def in_emulator(threads: int) -> Arrays:
            names = [spec.name for spec in module().inputs]
            given = dict(zip(names, inputs, strict=True))
            return [*emulated_outputs(module(), given, machine, threads=threads).values()]

        return ThreadedRun(in_emulator, EMULATED_THREADS)
    return ThreadedRun(lambda threads: _arrays(module().run([*inputs], threads=threads)), THREADS)


def _arrays(results: Any) -> Arrays:
    many = results if isinstance(results, tuple | list) else (results,)
    return [np.array(each.numpy()) for each in many]
