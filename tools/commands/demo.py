"""``tw demo``: compile two networks, check their results, show a kernel at all levels, time them.

The package onnx contains the graph of SqueezeNet without weights, which are random here. The
encoder has two layers with the sizes of BERT-base. The reference is onnxruntime if it is installed;
otherwise the reference implementation of onnx, which is not timed.
"""

from __future__ import annotations

import importlib.util
import os
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ... import compile as compile_model
from ...machines.target import Target
from ...testing import models
from ...testing.code import innermost_loops
from ...testing.measure import TimedComparison, compare
from ...testing.reference import reference_results, relative_error
from ..compilation import shown_progress
from ..tensors import Array
from ..terminal import show_table, terminal
from .bench import ORT, OURS, peer_calls
from .help import ToolCommand

if TYPE_CHECKING:
    from onnx import ModelProto

    from ...driver.module.compiled_module import CompiledModule

NETWORKS: dict[str, Callable[[], ModelProto]] = {
    "SqueezeNet": lambda: models.light_model("squeezenet"),
    "encoder": models.encoder_model,
}
MAX_RELATIVE_ERROR = 1e-5
SHOWN_KERNEL = ("SqueezeNet", "reduce_sum")
SHOWN_LINES = 13
_INSTRUCTION = re.compile(r"\.L\w+:|\t[a-z]")
LEVELS = {
    "te": "te: what is computed, without an order",
    "sched": "schedule: how the loops are tiled, run in parallel and vectorized",
    "loop": "loop: the loops that follow from both",
    "asm": "machine code: the innermost loop",
}
NEXT = """\
[bold]tw bench model.onnx[/]                 the same comparison for a model of yours
[bold]tw compile model.onnx -o model.so[/]   a library for C, C++, Rust and Python
[bold]tw compile model.onnx --to te[/]       a level: graph, te, sched, loop, ll or asm"""


@dataclass(frozen=True)
class NetworkResult:
    """The results for one network.

    module: the compiled network.  error: relative L2 error against the reference.  timings:
    measured times by number of threads.
    """

    module: CompiledModule
    error: float
    timings: dict[int, TimedComparison]


@click.command(cls=ToolCommand, examples=["tw demo", "tw demo --rounds 20"])
@click.option("--rounds", default=10, show_default=True, type=click.IntRange(min=2))
def demo(rounds: int) -> None:
    """Compile two networks, check their results, show a kernel at each level, and time both.

    Exit code 1 if a result differs from the reference's.
    """
    console = terminal()
    console.print(
        f"[bold]Tilewright[/] compiles ONNX models to machine code, here for {_machine()}. "
        "No C compiler is needed.\n",
    )
    with tempfile.TemporaryDirectory() as folder:
        results = {
            name: _examine(console, name, build(), Path(folder), rounds)
            for name, build in NETWORKS.items()
        }
    network, kernel = SHOWN_KERNEL
    _show_levels(console, network, kernel, results[network].module)
    _show_times(console, results)
    console.print(f"\nWhat to type next:\n{NEXT}")
    if any(result.error > MAX_RELATIVE_ERROR for result in results.values()):
        raise click.ClickException("a result differs from that of the reference")


def _machine() -> str:
    """Return a phrase with the vector instructions of this processor and the usable cores."""
    widest = next((f for f in ("avx512f", "avx2", "avx") if Target.native().has(f)), "sse2")
    cores = len(os.sched_getaffinity(0))
    return f"{cores} {'core' if cores == 1 else 'cores'} of an x86-64 with {widest.upper()}"


def _examine(
    console: Console, name: str, model: ModelProto, folder: Path, rounds: int
) -> NetworkResult:
    """Compile a network, compare its results with those of the reference, and time both.

    folder: where the model is written.  rounds: the number of times that each system is timed.
    """
    path = folder / f"{name.replace(' ', '_')}.onnx"
    data = model.SerializeToString()
    path.write_bytes(data)
    names = [value.name for value in model.graph.input]
    inputs = dict(zip(names, models.inputs_for(model), strict=True))
    start_s = time.perf_counter()
    with shown_progress(name) as watcher:
        module = compile_model(str(path), progress=watcher, cache=False)
    compile_s = time.perf_counter() - start_s
    console.print(
        f"[green]✓[/] {name}: {len(model.graph.node)} nodes became {len(module.kernels)} kernels, "
        f"compiled in {compile_s:.1f} s",
    )
    systems = {threads: _systems(module, path, inputs, threads) for threads in _thread_counts()}
    reference, expected = _expected(model, inputs, systems)
    results = [module.run(inputs, threads=threads) for threads in systems]
    error = max(
        relative_error(np.asarray(result), wanted.astype(np.float64))
        for those in results
        for result, wanted in zip(those, expected, strict=True)
    )
    mark = "[green]✓[/]" if error <= MAX_RELATIVE_ERROR else "[red]✗[/]"
    console.print(f"{mark} {name}: relative error against {reference} {error:.0e}")
    with console.status(f"timing {name}, by turns with {reference}"):
        timings = {threads: compare(calls, rounds=rounds) for threads, calls in systems.items()}
    return NetworkResult(module, error, timings)


def _thread_counts() -> list[int]:
    return sorted({1, len(os.sched_getaffinity(0))})


def _systems(
    module: CompiledModule, path: Path, inputs: dict[str, Array], threads: int
) -> dict[str, Callable[[], object]]:
    """Return a function that runs the model once, for each system to time, by the system's name."""
    ours = {OURS: lambda: module.run(inputs, threads=threads)}
    return ours | peer_calls(path, inputs, threads=threads)


def _expected(
    model: ModelProto,
    inputs: dict[str, Array],
    systems: dict[int, dict[str, Callable[[], object]]],
) -> tuple[str, Sequence[Array]]:
    if (call := systems[1].get(ORT)) is not None:
        results = call()
        assert isinstance(results, list), "a session returns a list"
        return ORT, results
    return "onnx.reference", reference_results(model, inputs)


def _show_levels(console: Console, network: str, kernel: str, module: CompiledModule) -> None:
    console.print(
        f"\n[bold]One kernel at each level[/] (@{kernel} of {network}, "
        "the mean of each feature map); each level can be printed, parsed, verified and run",
    )
    for level, title in LEVELS.items():
        text = str(module.get_source(level, kernel=kernel))
        lines = innermost_loop(text) if level == "asm" else _shown(text, level)
        console.print(f"\n[bold cyan]{title}[/]")
        for line in lines[:SHOWN_LINES]:
            console.print(Text("  " + line), no_wrap=True, overflow="ellipsis")
        if len(lines) > SHOWN_LINES:
            rest = len(lines) - SHOWN_LINES
            console.print(f"  … and {rest} more lines", style="dim")


def _shown(text: str, level: str) -> list[str]:
    """Return the lines of the printed IR to show; at level sched, start at the sched.script op."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if level != "sched" or "sched.script" in line)
    return lines[start:]


def innermost_loop(text: str) -> list[str]:
    """Return the instructions of the shortest innermost loop in assembly, or all without a loop."""
    loops = list(innermost_loops(text)) or [text.splitlines()]
    instructions = [[line for line in loop if _INSTRUCTION.match(line)] for loop in loops]
    return [line.expandtabs(8) for line in min(instructions, key=len)]


def _show_times(console: Console, results: dict[str, NetworkResult]) -> None:
    if importlib.util.find_spec(ORT) is None:
        console.print("\nInstall onnxruntime to time it in the same run.", style="dim")
    table = Table("network", title="median times, systems by turns", title_justify="left")
    for column in ("threads", f"{OURS} ms", f"{ORT} ms", "times as fast", "spread"):
        table.add_column(column, justify="right")
    ratios: dict[int, list[float]] = {}
    for name, result in results.items():
        for threads, timing in result.timings.items():
            peer = timing[ORT] if len(timing.timings) > 1 else None
            if peer is not None:
                ratios.setdefault(threads, []).append(timing.ratio(ORT, over=OURS))
            table.add_row(
                name,
                str(threads),
                f"{1e3 * timing[OURS].median_s:.1f}",
                "" if peer is None else f"{1e3 * peer.median_s:.1f}",
                "" if peer is None else f"{ratios[threads][-1]:.2f}",
                f"{max(one.spread for one in timing.timings):.0%}",
            )
    console.print()
    show_table(console, table)
    console.print(
        "spread: distance of the quartiles over the median, of either system", style="dim"
    )
    verdicts = [
        f"{float(np.exp(np.mean(np.log(those)))):.2f} times as fast with {threads} "
        f"{'thread' if threads == 1 else 'threads'}"
        for threads, those in ratios.items()
    ]
    if verdicts:
        verdict = f"Compared with {ORT}, Tilewright is {' and '.join(verdicts)}."
        console.print(f"\n[bold]{verdict}[/]")
