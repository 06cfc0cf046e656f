"""Single kernels: our slowest against the machine's peak, and the slowest nodes of peers."""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilewright.machines.target import Target
from tilewright.runtime.measure.roofline import ComputeLoop
from tilewright.targets.cpu.instructions.peak import limit_loops
from tilewright.testing.profile import KernelTimes, Replay
from zoo.files import Case

from .tables import Sheet, number, percent

WARM_RUNS = 2


@dataclass(frozen=True)
class Node:
    """A node in the profile of another system.

    total_s: the seconds of the node in one run, the median of several runs.
    """

    name: str
    kind: str
    total_s: float


def our_kernels(case: Case, *, target: Target, threads: int, runs: int, most: int) -> Sheet:
    """Return our slowest kernels, ordered by their share of a run."""
    replay = Replay.of_model(
        str(case.path), list(case.inputs.values()), target=target, threads=threads
    )
    replay()
    error = case.error(list(replay()))
    assert error < 1e-3, f"{case.name} is wrong: relative error {error:.1e}"
    for _ in range(runs):
        replay()
    peak = threads * ComputeLoop(limit_loops(target)).peak(10)
    kernels = sorted(replay.profile(), key=lambda kernel: -kernel.total_s)
    total_s = sum(kernel.total_s for kernel in kernels)
    rows = [_row(kernel, total_s, peak) for kernel in kernels[:most]]
    rows.append(_total(case, total_s, peak, len(kernels)))
    columns = (
        "kernel", "calls", "tasks", "µs a call", "share", "GFLOP/s", "of peak", "GB/s", "buffers",
    )  # fmt: skip
    title = f"{case.name}: our kernels, {threads} threads, {target.cpu}, "
    return Sheet(f"{title}peak {number(1e-9 * peak)} GFLOP/s", columns, tuple(rows))


def _row(kernel: KernelTimes, total_s: float, peak: float) -> tuple[str, ...]:
    calls = len(kernel.times_s)
    return (
        kernel.name,
        str(calls),
        str(kernel.record.tasks),
        number(1e6 * kernel.total_s / calls),
        percent(kernel.total_s / total_s),
        number(1e-9 * kernel.speed),
        percent(kernel.speed / peak),
        number(1e-9 * kernel.bandwidth),
        " ".join("x".join(map(str, shape)) for shape in kernel.shapes)[:80],
    )


def _total(case: Case, total_s: float, peak: float, kernels: int) -> tuple[str, ...]:
    speed = case.facts.flops / total_s
    whole = (number(1e6 * total_s), "100%", number(1e-9 * speed), percent(speed / peak))
    return (f"all {kernels}", "", "", *whole, "", "products and convolutions only")


def peer_nodes(case: Case, *, threads: int, runs: int, most: int) -> list[Sheet]:
    """Return tables of the slowest nodes of onnxruntime and of OpenVINO."""
    found = {
        "onnxruntime": onnxruntime_nodes(case, threads, runs),
        "openvino": openvino_nodes(case, threads, runs),
    }
    return [_nodes(f"{case.name}: {name}", nodes, most) for name, nodes in found.items()]


def _nodes(title: str, nodes: Iterable[Node], most: int) -> Sheet:
    ordered = sorted(nodes, key=lambda node: -node.total_s)
    total_s = sum(node.total_s for node in ordered)
    rows = [
        (node.name[:60], node.kind, number(1e6 * node.total_s), percent(node.total_s / total_s))
        for node in ordered[:most]
    ]
    rows.append((f"all {len(ordered)}", "", number(1e6 * total_s), "100%"))
    return Sheet(title, ("node", "kind", "µs", "share"), tuple(rows))


def onnxruntime_nodes(case: Case, threads: int, runs: int) -> list[Node]:
    """Run onnxruntime with its profiler; return the nodes in the file that it writes."""
    import onnxruntime

    with tempfile.TemporaryDirectory() as folder:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        options.enable_profiling = True
        options.profile_file_prefix = str(Path(folder) / "profile")
        session = onnxruntime.InferenceSession(case.path, options, ["CPUExecutionProvider"])
        for _ in range(WARM_RUNS + runs):
            session.run(None, case.inputs)
        events = json.loads(Path(session.end_profiling()).read_text())
    times: dict[tuple[str, str], list[float]] = {}
    for event in events:
        if event.get("cat") == "Node" and event["name"].endswith("_kernel_time"):
            key = (event["name"].removesuffix("_kernel_time"), event["args"]["op_name"])
            times.setdefault(key, []).append(1e-6 * event["dur"])
    return [
        Node(name, kind, statistics.median(found[WARM_RUNS:]))
        for (name, kind), found in times.items()
    ]


def openvino_nodes(case: Case, threads: int, runs: int) -> list[Node]:
    """Run OpenVINO with its performance counters; return the nodes with their times."""
    import openvino

    properties = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32",
        "INFERENCE_NUM_THREADS": threads,
        "PERF_COUNT": True,
    }
    compiled = openvino.Core().compile_model(str(case.path), "CPU", properties)
    request = compiled.create_infer_request()
    times: dict[tuple[str, str], list[float]] = {}
    for _ in range(WARM_RUNS + runs):
        request.infer(case.inputs)
        info: list[Any] = request.profiling_info
        for each in info:
            key = (each.node_name, f"{each.node_type} {each.exec_type}")
            times.setdefault(key, []).append(each.real_time.total_seconds())
    return [
        Node(name, kind, statistics.median(found[WARM_RUNS:]))
        for (name, kind), found in times.items()
    ]
