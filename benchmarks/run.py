"""Time the models of small_models.py, by turns with onnxruntime.

Run: python benchmarks/run.py [--threads N] [--rounds N] [NAME...]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import onnx
from rich.console import Console
from rich.table import Table
from small_models import MODELS

import tilewright
from tilewright.tools.bench import OURS, compare_with_peers
from tilewright.tools.tensors import make_inputs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="part of a model's name")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=20)
    args = parser.parse_args()
    table = Table("model", "system", title=f"{args.threads} thread(s), {args.rounds} rounds")
    for column in ("median ms", "min ms", "spread", "GFLOP/s", "time / ours", "compile s"):
        table.add_column(column, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        for name in MODELS:
            if not args.names or any(part in name for part in args.names):
                add_rows(table, name, Path(folder), threads=args.threads, rounds=args.rounds)
    Console().print(table)


def add_rows(table: Table, name: str, folder: Path, *, threads: int, rounds: int) -> None:
    path = folder / "model.onnx"
    onnx.save(MODELS[name](), path)
    start_s = time.perf_counter()
    mod = tilewright.compile(str(path), threads=threads)
    compile_s = time.perf_counter() - start_s
    inputs = make_inputs(mod.inputs, {}, seed=0)
    flops = sum(kernel.flops * kernel.calls for kernel in mod.kernels)
    result = compare_with_peers(
        lambda: mod.run(inputs, threads=threads), path, inputs, threads=threads, rounds=rounds
    )
    for timing in result.timings:
        table.add_row(
            name if timing.name == OURS else "",
            timing.name,
            f"{1e3 * timing.median_s:.3f}",
            f"{1e3 * timing.min_s:.3f}",
            f"{timing.spread:.0%}",
            f"{1e-9 * flops / timing.median_s:.1f}",
            f"{result.ratio(timing.name, over=OURS):.2f}",
            f"{compile_s:.2f}" if timing.name == OURS else "",
        )


if __name__ == "__main__":
    main()
