"""The worker process of test_attention.py: compile a model, run it on guarded memory."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

import tilewright
from tilewright.driver.report.texts import source_at
from tilewright.testing.guard import guarded


def run(
    model: bytes, inputs: Mapping[str, np.ndarray], target: str
) -> tuple[list[str], np.ndarray, bool]:
    """Return the names of the kernels, the result, and whether 1, 2 and 3 threads agree on it."""
    compiled = tilewright.compile(model, target=target or None)
    results: list[np.ndarray] = []
    for threads in (1, 2, 3):
        fenced = {name: guarded(x, at_start=threads == 2) for name, x in inputs.items()}
        results.append(np.array(compiled.run(fenced, threads=threads)[0].numpy()))
    same = len({result.tobytes() for result in results}) == 1
    return [kernel.name for kernel in compiled.kernels], results[0], same


def levels(model: bytes, target: str) -> tuple[str, str, int]:
    """Return LLVM IR, assembly, and the number of leaves after scheduling."""
    leaves = source_at(model, "scheduled", target=target).count("te.compute")
    return source_at(model, "ll", target=target), source_at(model, "asm", target=target), leaves


def source(model: bytes, target: str, level: str) -> str:
    """Return the program at a level."""
    return tilewright.compile(model, target=target).get_source(level)
