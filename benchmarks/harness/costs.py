"""Cost of compilation: seconds and memory, with an empty cache and with a warm one.

In: a network.  Out: a `Cost` of ours and of onnxruntime, each measured in its own process. Seconds
are of the call that compiles or creates the session; memory is resident.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from tilewright.machines.target import Target
from zoo.files import cache_folder

from .rounds import Worker
from .systems import OURS
from .tables import Sheet, megabytes, number

PEER = "onnxruntime"


@dataclass(frozen=True)
class Cost:
    """The cost of compiling one network, in seconds and bytes.

    before: memory after importing the libraries.  cold, warm: after compiling with an empty cache
    and with that cache.  peak: while compiling with an empty cache.  peer_run: growth of
    onnxruntime's memory in the first run, which is the touched part of its arena.
    """

    network: str
    weights_bytes: int
    arena_bytes: int
    before_bytes: int
    cold_s: float
    cold_bytes: int
    peak_bytes: int
    warm_s: float
    warm_bytes: int
    peer_s: float
    peer_bytes: int
    peer_peak_bytes: int
    peer_run_bytes: int


def cost(network: str, log: IO[str], limit_s: float) -> Cost:
    """Measure the cost of compiling a network by us and by onnxruntime, in new processes.

    We compile twice: with an empty cache, and then with that cache.
    """
    with tempfile.TemporaryDirectory() as folder:
        # Link the networks' own files, which stay where they are.
        os.symlink(cache_folder(), Path(folder) / cache_folder().name)
        environment = {"TILEWRIGHT_CACHE_DIR": folder}
        cold, warm = (_facts(OURS, network, log, limit_s, environment) for _ in range(2))
    peer = _facts(PEER, network, log, limit_s, {})
    reported = cold["reported_bytes"]
    return Cost(
        network=network,
        weights_bytes=reported["weights"],
        arena_bytes=reported["arena"],
        before_bytes=cold["base_bytes"],
        cold_s=cold["compile_s"],
        cold_bytes=cold["compiled_bytes"],
        peak_bytes=cold["peak_bytes"],
        warm_s=warm["compile_s"],
        warm_bytes=warm["compiled_bytes"],
        peer_s=peer["compile_s"],
        peer_bytes=peer["compiled_bytes"],
        peer_peak_bytes=peer["peak_bytes"],
        peer_run_bytes=peer["ran_bytes"] - peer["compiled_bytes"],
    )


def _facts(
    system: str, network: str, log: IO[str], limit_s: float, environment: Mapping[str, str]
) -> dict[str, Any]:
    worker = Worker(system, network, 1, Target.native(), log, environment)
    try:
        for order in ("load", "compile", "check"):
            worker.record.facts |= worker.ask(order, limit_s)
    finally:
        worker.close()
    if worker.record.failed:
        raise RuntimeError(f"{system}, {network}: {worker.record.failed}")
    return worker.record.facts


def read_costs(path: Path) -> list[Cost]:
    """Return the costs in a file, which earlier runs measured."""
    return [Cost(**fields) for fields in json.loads(path.read_text())] if path.exists() else []


def merge_cost(path: Path, new: Cost) -> None:
    """Store a cost in a file; it replaces the cost of the same network."""
    kept = {cost.network: cost for cost in (*read_costs(path), new)}
    path.write_text(json.dumps([asdict(cost) for cost in kept.values()], indent=1))


def cost_sheet(costs: Sequence[Cost], order: Sequence[str]) -> Sheet:
    """Return the table with the costs of some networks."""
    by_name = {cost.network: cost for cost in costs}
    columns = (
        "network", "weights MB", "arena MB", "cold s", "warm s", "resident MB", "warm MB",
        "peak MB", f"{PEER} s", "resident MB", "peak MB", "first run MB",
    )  # fmt: skip
    rows = [_row(by_name[name]) for name in order if name in by_name]
    return Sheet("Compile time and memory", columns, tuple(rows))


def _row(cost: Cost) -> tuple[str, ...]:
    return (
        cost.network,
        megabytes(cost.weights_bytes),
        megabytes(cost.arena_bytes),
        number(cost.cold_s),
        number(cost.warm_s),
        megabytes(cost.cold_bytes),
        megabytes(cost.warm_bytes),
        megabytes(cost.peak_bytes),
        number(cost.peer_s),
        megabytes(cost.peer_bytes),
        megabytes(cost.peer_peak_bytes),
        megabytes(cost.peer_run_bytes),
    )
