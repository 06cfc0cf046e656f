"""Kernels for GPUs: times of the GPU at hand, or what their plans can reach on a named one.

Run: python benchmarks/gpu.py [--arch sm_90a ...] [--cases NAMES] [--types f32 ...]
     [--networks FILES] [--write]

With a CUDA device, each case is timed by events of the device next to torch, torch.compile and
onnxruntime, if they are installed for it. The plans of all cases are also compiled for each
architecture, and assembled by ptxas: registers, shared memory and occupancy, the traffic that the
threads ask for, and the least time at the limits of the GPU (harness/gpu_model.py). These columns
are computed, on any machine. --write replaces the table in docs/performance.md.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
from rich.console import Console
from rich.table import Table

import tilewright
from harness.gpu_cases import OPERATORS, TYPES
from harness.gpu_model import GPUS, Gpu, Plan, occupancy, roofline
from harness.gpu_plans import bounds_of, plans_of
from harness.gpu_timing import least, ours, peers
from harness.gpu_traffic import WARP
from harness.page import PAGE, commit, replaced
from tilewright.targets.backend import ScheduleOrigin as Origin
from tilewright.testing.fixtures import fixture_inputs, fixture_model

ZOO = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "zoo"
NETWORKS = ("resnet50", "mobilenet_v2", "bert_base")
START = "<!-- GPU plans, computed by benchmarks/gpu.py -->"
HEADS = (
    "case", "type", "kernels", "grid x block", "registers", "shared KiB", "occupancy", "limited by",
    "GFLOP", "MB", "MB asked", "conflicts",
    "instructions", "bound us", "by", "roofline us", "share",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A model of one element type, in a file, with its inputs.

    function: the name of torch's function for the same operation, or None.  flops: the number of
    operations; 0: the number that the compiler counts.
    """

    name: str
    dtype: str
    path: Path
    arrays: Sequence[np.ndarray[Any, Any]]
    function: str | None = None
    flops: int = 0


def cases(
    names: Sequence[str], types: Sequence[str], files: Sequence[str], folder: Path
) -> Iterator[Case]:
    """Yield the chosen operators in all types, then the chosen networks.

    Models are written to a folder.
    """
    for name in names:
        operator = OPERATORS[name]
        for dtype in types:
            path, arrays = folder / f"{name}_{dtype}.onnx", operator.arrays(dtype)
            onnx.save(operator.model(dtype), path)
            yield Case(name, dtype, path, arrays, operator.torch, operator.flops)
    for file in files:
        path = Path(file) if file.endswith(".onnx") else ZOO / f"{file}.onnx"
        model = fixture_model(path)
        onnx.save(model, folder / path.name)
        yield Case(path.stem, "f32", folder / path.name, list(fixture_inputs(model).values()))


def row_of(case: Case, gpu: Gpu, plans: Sequence[Plan]) -> list[str]:
    """Return the row of a case: the kernel with the largest bound, and the sums of all kernels."""
    calls = [plan.record.calls for plan in plans]
    counted = sum(n * plan.record.flops for n, plan in zip(calls, plans, strict=True))
    # The compiler counts conversions, too.
    flops = [p.record.flops * (case.flops or counted) / max(counted, 1) for p in plans]
    bounds = bounds_of(gpu, plans, case.flops)
    times = [n * each.seconds for n, each in zip(calls, bounds, strict=True)]
    best = sum(
        n * roofline(gpu, own, plan.record.moved_bytes, is_half=case.dtype != "f32")
        for n, plan, own in zip(calls, plans, flops, strict=True)
    )
    worst = times.index(max(times))
    plan, total = plans[worst], sum(times)
    moved = sum(n * p.record.moved_bytes for n, p in zip(calls, plans, strict=True))
    asked = sum(n * p.traffic.global_bytes for n, p in zip(calls, plans, strict=True))
    spills = f", {plan.resources.spill_bytes} B spilled" if plan.resources.spill_bytes else ""
    held = occupancy(gpu, plan.resources, plan.threads)
    simple = sum(n for n, p in zip(calls, plans, strict=True) if p.record.plan == Origin.SIMPLE)
    return [
        case.name,
        case.dtype,
        f"{sum(calls)}, {simple} without a plan" if simple else str(sum(calls)),
        f"{_sizes(plan.grid)} x {_sizes(plan.block)}",
        f"{plan.resources.registers}{spills}",
        f"{plan.resources.shared_bytes / 1024:.1f}",
        f"{held.share:.0%}, {held.blocks} blocks",
        held.limit,
        *map(_short, (case.flops / 1e9 if case.flops else counted / 1e9, moved / 1e6, asked / 1e6)),
        f"{plan.traffic.conflicts:.2f}",
        _short(plan.traffic.issues / plan.blocks / -(-plan.threads // WARP)),
        _short(1e6 * total),
        bounds[worst].limit,
        _short(1e6 * best),
        f"{best / total:.0%}",
    ]


def _sizes(sizes: Sequence[int]) -> str:
    return "·".join(str(n) for n in sizes if n != 1) or "1"


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def compiled(case: Case, target: str) -> Any:
    """Return the module that a case is compiled to for a target."""
    return tilewright.compile(str(case.path), target=target, cache=False)


def computed(chosen: Sequence[Case], architecture: str, console: Console) -> str:
    """Print the table of computed limits for an architecture; return it as Markdown."""
    gpu, rows = GPUS[architecture], []
    for case in chosen:
        plans = plans_of(compiled(case, f"cuda -arch={architecture}"))
        rows.append(row_of(case, gpu, plans))
        console.print(" | ".join(rows[-1]), highlight=False)
        sys.stdout.flush()
    title = f"### Computed for {architecture}, {gpu.name}"
    source = f"Computed, not measured, with ptxas on any machine; commit {commit()}."
    lines = [title, "", source, "", _line(HEADS), _line(["---"] * 2 + ["---:"] * (len(HEADS) - 2))]
    return "\n".join([*lines, *map(_line, rows), ""])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def timed(chosen: Sequence[Case], kind: str) -> Table:
    """Measure the cases on a device; return the table of microseconds."""
    table = Table("case", "type", "ours", "torch", "torch.compile", "onnxruntime")
    for case in chosen:
        mod = compiled(case, kind)
        systems = {"ours": ours(mod, case.arrays, kind)}
        if kind == "cuda":
            systems |= peers(case.path, case.function, case.arrays)
        times = least(systems)
        shown = [f"{1e6 * times[n]:.1f}" if n in times else "" for n in _SYSTEMS]
        table.add_row(case.name, case.dtype, *shown)
    return table


_SYSTEMS = ("ours", "torch", "torch.compile", "onnxruntime")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arch", nargs="+", default=["sm_90a"], choices=list(GPUS))
    parser.add_argument("--cases", nargs="*", default=list(OPERATORS), choices=list(OPERATORS))
    parser.add_argument("--types", nargs="+", default=list(TYPES), choices=list(TYPES))
    parser.add_argument("--networks", nargs="*", default=NETWORKS, help="fixtures, or ONNX files")
    parser.add_argument("--device", default="cuda", help="the kind of device that is timed")
    parser.add_argument("--write", action="store_true", help="into docs/performance.md")
    given = parser.parse_args()
    console = Console(width=240)
    warnings.simplefilter("ignore", tilewright.PlanWarning)
    with TemporaryDirectory() as folder:
        chosen = list(cases(given.cases, given.types, given.networks, Path(folder)))
        if tilewright.device(given.device).exist:
            console.print(timed(chosen, given.device))
        tables = [computed(chosen, architecture, console) for architecture in given.arch]
    if given.write:
        PAGE.write_text(replaced(PAGE.read_text(), START, "\n".join(tables)))


if __name__ == "__main__":
    main()
