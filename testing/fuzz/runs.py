"""Runs of a random program: in this process, on a device, or in the emulator of another CPU.

run = run_of_model(data, feeds, "aarch64")
results = run.results(2)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...driver.backends import target_of
from ...driver.compile import compile
from ...driver.compile_module import compile_module
from ...driver.module.compiled_module import CompiledModule
from ...runtime.abi.ndarray import numpy_dtype
from ..argument_fuzz import first_finding
from ..damaged_files import accepted_damage
from ..emulated_program import emulated_outputs, is_foreign
from ..guard import guarded, guarded_empty
from .checks import EMULATED_THREADS, PASS, THREADS, Arrays, CheckOutcome
from .references import Feeds

CALLS, CHANGES = 400, 20
"""The calls of mode ``calls`` with random arguments, and the damaged files that it loads."""


@dataclass(frozen=True)
class ThreadedRun:
    """A program that is compiled at its first run.

    module: returns the compiled program.  results: runs the program with this many threads, and
    returns its results.
    threads: the numbers of threads with which to run the program.
    """

    module: Callable[[], CompiledModule]
    results: Callable[[int], Arrays]
    threads: Sequence[int] = THREADS

    def check_calls(self) -> CheckOutcome:
        """Call the program with random arguments, which it must compute or refuse.

        Also load damaged copies of its exported file, which must be refused.
        """
        text = first_finding(self.module(), CALLS) or accepted_damage(self.module(), CHANGES)
        return CheckOutcome("wrong", text, "calls") if text else PASS


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


def _run(compiled: Callable[[], CompiledModule], inputs: Arrays, target: str | None) -> ThreadedRun:
    module, machine = functools.cache(compiled), target_of(target)

    def in_emulator(threads: int) -> Arrays:
        names = [spec.name for spec in module().inputs]
        given = dict(zip(names, inputs, strict=True))
        return [*emulated_outputs(module(), given, machine, threads=threads).values()]

    if is_foreign(machine):
        return ThreadedRun(module, in_emulator, EMULATED_THREADS)
    run = _on_guarded if machine.kind == "llvm" else _on_plain
    return ThreadedRun(module, lambda threads: run(module(), inputs, threads))


def _on_guarded(module: CompiledModule, inputs: Arrays, threads: int) -> Arrays:
    """Run a module on arrays that touch inaccessible pages: an access beyond them is a crash."""
    if module.manifest.computes_sizes:
        return _on_plain(module, inputs, threads)
    shapes = module.filled_shapes([x.shape for x in inputs])
    given = [guarded(x, at_start=threads == 2) for x in inputs]
    outputs = [
        guarded_empty(shape, numpy_dtype(spec.dtype), at_start=threads == 2)
        for spec, shape in zip(module.manifest.filled, shapes, strict=True)
    ]
    module.fill([*given, *outputs], threads=threads)
    return [np.array(x.numpy()) for x in module.valid_parts(outputs)]


def _on_plain(module: CompiledModule, inputs: Arrays, threads: int) -> Arrays:
    results = module.run([*inputs], threads=threads)
    return [np.array(each.numpy()) for each in results]
