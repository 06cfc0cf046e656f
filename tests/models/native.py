"""The worker process of test_models.py: compile a model file, run it on guarded memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import tilewright
from tilewright.testing.guard import guarded


def run(
    path: str, inputs: Mapping[str, np.ndarray], threads: Sequence[int]
) -> list[list[np.ndarray]]:
    """Compile, and call with each number of threads; the call binds dynamic sizes.

    Each input touches an inaccessible page: after it for one number of threads, before it for the
    next.
    """
    mod = tilewright.compile(path)
    results: list[list[np.ndarray]] = []
    for turn, count in enumerate(threads):
        fenced = {name: guarded(x, at_start=turn % 2 == 1) for name, x in inputs.items()}
        results.append([np.array(out.numpy()) for out in mod.run(fenced, threads=count)])
    return results
