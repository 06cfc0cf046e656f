"""The worker process of test_load_module.py: load a library with the runtime alone, and run it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tilewright.runtime import load_module


def run(path: str, calls: Sequence[Sequence[np.ndarray]]) -> list[list[np.ndarray]]:
    """Load a library and call it; return the results of each call."""
    module = load_module(path)
    return [[np.array(out) for out in module.run(list(arrays))] for arrays in calls]


def decode(path: str, calls: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Load a library and call a session, which is forked and rewound; return the results."""
    session = load_module(path).session()
    results = [np.array(session(x)) for x in calls]
    session.rewind(1)
    results.append(np.array(session.fork()(calls[-1])))
    results.append(session.state("past_k").numpy())
    return results


def run_after_first_module(
    path: str, arrays: list[np.ndarray]
) -> tuple[int, int, list[list[np.ndarray]]]:
    """Load a library, drop it, and load it again for a call with two threads.

    Return the numbers of loaded libraries with one module and with two, and the results of a call
    of the first module and of the second.
    """
    first = load_module(path, threads=2)
    results, counts = [[np.array(out) for out in first.run(arrays)]], [_loaded_libraries()]
    del first
    gc.collect()
    second = load_module(path, threads=2)
    counts.append(_loaded_libraries())
    results.append([np.array(out) for out in second.run(arrays)])
    return counts[0], counts[1], results


def _loaded_libraries() -> int:
    maps = Path("/proc/self/maps").read_text().splitlines()
    return len({line.split()[4] for line in maps if "/memfd:" in line})


def imported() -> list[str]:
    return sorted(sys.modules)


def profile_of(path: str, arrays: list[np.ndarray], threads: int) -> dict[str, object]:
    """Profile a file."""
    profile = load_module(path).profile(*arrays, threads=threads, rounds=3)
    rows = {row.kernel: (row.nodes, row.calls, row.us, row.share) for row in profile.rows}
    text, roofline = str(profile), profile.roofline
    return {"rows": rows, "run_us": profile.run_us, "text": text, "roofline": roofline}
