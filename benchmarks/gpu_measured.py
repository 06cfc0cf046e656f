"""Times that a GPU had, next to the times at its limits that the model computes.

Run: python benchmarks/gpu_measured.py [--write]

benchmarks/measured/ has a file per GPU: single operators, ours and torch's, and the machine. The
plans are compiled and assembled here, for the architecture of the file. --write replaces the tables
in docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import tilewright
from harness.gpu_cases import MEASURED, TYPES
from harness.gpu_model import GPUS
from harness.gpu_plans import bounds_of, plans_of
from harness.page import PAGE, commit, replaced

FOLDER = Path(__file__).with_name("measured")
START = "<!-- times on GPUs, made by benchmarks/gpu_measured.py -->"
HEADS = (
    "case", "type", "launches", "ours us, warm", "cold", "torch us, warm", "cold",
    "torch / ours, warm", "cold", "TFLOP/s", "GB/s", "bound us", "by", "bound / ours",
)  # fmt: skip


def rows_of(rows: list[dict[str, Any]], architecture: str) -> Iterator[list[str]]:
    """Yield the cells of each measured operator."""
    for row in rows:
        warm, cold = row["ours_warm_us"], row["ours_cold_us"]
        peers = row["torch_warm_us"], row["torch_cold_us"]
        flops = "" if row["tflops"] is None else f"{row['tflops']:.3g}"
        cells = [row["case"], row["type"], row["launches"], warm, cold, *peers]
        ratios = [f"{peers[0] / warm:.2f}", f"{peers[1] / cold:.2f}"]
        bounds = _bound(row, architecture)
        made = [*map(str, cells), *ratios, flops, f"{row['gbs']:.0f}", *bounds]
        print(" | ".join(made), flush=True)
        yield made


def _bound(row: Mapping[str, Any], architecture: str) -> list[str]:
    """Return the computed time, the resource that limits it, and its part of the measured time."""
    if row["type"] not in TYPES:
        return ["", "", ""]
    operator = MEASURED[row["case"]]
    model = operator.model(row["type"])
    mod = tilewright.compile(model, target=f"cuda -arch={architecture}", cache=False)
    plans = plans_of(mod)
    bounds = bounds_of(GPUS[architecture], plans, operator.flops)
    times = [1e6 * p.record.calls * each.seconds for p, each in zip(plans, bounds, strict=True)]
    limit, total = bounds[times.index(max(times))].limit, sum(times)
    return [f"{total:.3g}", limit, f"{total / row['ours_warm_us']:.2f}"]


def table(path: Path) -> str:
    """Return the table for a file of measurements, as Markdown."""
    data = json.loads(path.read_text())
    rows = rows_of(data["rows"], data["architecture"])
    ruler = ["---"] * 2 + ["---:"] * (len(HEADS) - 2)
    lines = [f"| {' | '.join(cells)} |" for cells in (HEADS, ruler, *rows)]
    title = f"Measured: {data['machine']}. Bounds: computed, commit {commit()}."
    return "\n".join([title, "", *lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--write", action="store_true", help="into docs/performance.md")
    given = parser.parse_args()
    warnings.simplefilter("ignore", tilewright.PlanWarning)
    tables = [table(path) for path in sorted(FOLDER.glob("*.json"))]
    if given.write:
        PAGE.write_text(replaced(PAGE.read_text(), START, "\n".join(tables)))


if __name__ == "__main__":
    main()
