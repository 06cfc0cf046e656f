"""Speed of single kernels against the machine's peak, and of models against onnxruntime.

Run: python benchmarks/run.py [--rounds N] [--threads N ...] [kernels] [models]

Kernels run alone, warm, on one thread; their FLOPs are those of the products only, activations and
reorders cost time and count nothing. Peak and peers are measured in the same run. Whole models are
timed by turns with onnxruntime, through the Python call of each.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import onnx
from rich.console import Console
from rich.table import Table

import tilewright
from tilewright.driver.profile import kernel_runners, time_kernels
from tilewright.support.target import Target
from tilewright.testing import models
from tilewright.testing.peak import PeakLoop
from tilewright.tools.bench import OURS, compare_with_peers

Build = Callable[[], onnx.ModelProto]


@dataclass(frozen=True)
class KernelCase:
    """A model whose kernels are timed one by one; flops: of the products of its largest one."""

    name: str
    build: Build
    flops: int


KERNELS = (
    KernelCase("matmul + bias + gelu 128x3072x768", models.ffn_model, 2 * 128 * 3072 * 768),
    KernelCase(
        "conv 3x3 64→64 56² + bias + residual + relu",
        lambda: models.residual_model(channels=64, size=56),
        2 * 64 * 64 * 9 * 56 * 56,
    ),
    KernelCase(
        "conv 3x3 128→128 28² + bias + residual + relu",
        lambda: models.residual_model(channels=128, size=28),
        2 * 128 * 128 * 9 * 28 * 28,
    ),
)

MODELS: dict[str, Build] = {
    "softmax 512x384": lambda: models.softmax_model(shape=(512, 384)),
    "layer norm 128x768": lambda: models.layernorm_model(shape=(128, 768)),
    "matmul + bias + gelu 128x3072x768": models.ffn_model,
    "light_squeezenet": lambda: models.light_model("squeezenet"),
    "encoder, 2 layers, S = 128": models.encoder_model,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", choices=["kernels", "models", []])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    args = parser.parse_args()
    console = Console()
    console.print(f"target: {Target.host()}")
    if not args.parts or "kernels" in args.parts:
        console.print(kernel_table(args.rounds))
    if not args.parts or "models" in args.parts:
        console.print(model_table(args.rounds, args.threads))


def kernel_table(rounds: int) -> Table:
    """Time the kernels of each case and the machine's peak by turns."""
    table = Table("case", "kernel", title="kernels, 1 thread")
    for column in ("µs min", "µs median", "GFLOP/s", "of peak", "median of peak"):
        table.add_column(column, justify="right")
    for case in KERNELS:
        runners = kernel_runners(case.build())
        peak = PeakLoop()
        *times, peak_time = time_kernels([*runners, peak], rounds=rounds)
        largest = max(runner.flops for runner in runners)
        products = {r.name for r in runners if r.flops * 2 > largest}
        for row, timed in enumerate(times):
            flops = case.flops if timed.name in products else 0
            best = flops / timed.min_s / (peak.flops / peak_time.min_s)
            median = flops / timed.median_s / (peak.flops / peak_time.median_s)
            table.add_row(
                case.name if row == 0 else "",
                timed.name,
                f"{1e6 * timed.min_s:.1f}",
                f"{1e6 * timed.median_s:.1f}",
                f"{1e-9 * flops / timed.min_s:.1f}" if flops else "",
                f"{best:.0%}" if flops else "",
                f"{median:.0%}" if flops else "",
            )
        speed = 1e-9 * peak.flops / peak_time.min_s
        table.add_row("", "FMA peak", "", "", f"{speed:.1f}", "100%", "", end_section=True)
    return table


def model_table(rounds: int, threads: Sequence[int]) -> Table:
    """Time each model by turns with onnxruntime."""
    table = Table("model", "system", title=f"models, {rounds} rounds")
    headings = ("threads", "median ms", "min ms", "spread", "time / ours", "compile s")
    for column in headings:
        table.add_column(column, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        for name, build in MODELS.items():
            model = build()
            path = Path(folder) / "model.onnx"
            onnx.save(model, path)
            start_s = time.perf_counter()
            mod = tilewright.compile(str(path))
            compile_s = time.perf_counter() - start_s
            for count in threads:
                inputs = dict(
                    zip((i.name for i in mod.inputs), models.inputs_for(model), strict=True)
                )
                result = compare_with_peers(
                    lambda mod=mod, inputs=inputs, count=count: mod.run(inputs, threads=count),
                    path,
                    inputs,
                    threads=count,
                    rounds=rounds,
                )
                for timing in result.timings:
                    is_ours = timing.name == OURS
                    table.add_row(
                        name if is_ours and count == threads[0] else "",
                        timing.name,
                        str(count),
                        f"{1e3 * timing.median_s:.3f}",
                        f"{1e3 * timing.min_s:.3f}",
                        f"{timing.spread:.0%}",
                        f"{result.ratio(timing.name, over=OURS):.2f}",
                        f"{compile_s:.2f}" if is_ours and count == threads[0] else "",
                    )
    return table


if __name__ == "__main__":
    main()
