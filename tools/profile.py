"""``tw profile``: the time of each kernel of a model, compared with the limits of the machine.

In: a model and inputs. Out: a table or JSON, with one row per kernel. `testing.profile.Replay`
calls the kernels one by one, with the real data of the model, on the arena of the model; by turns,
the compiled module runs as a whole. The table shows both times, so that a reader sees whether the
sum of the kernels explains the run.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import click
import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..driver.kernels import compile_kernels
from ..driver.settings import settings_for
from ..support.target import Target
from ..testing.peak import Roofline, measured_roofline
from ..testing.profile import KernelProfile, Replay
from .compilation import ReadyModel, compile_for_feed
from .options import Feed, Request, input_options, model_options
from .tables import counted

_MACHINE_CODE = "llvm"


@dataclass(frozen=True)
class Row:
    """A kernel in one run.

    us: microseconds of all calls.  share: part of the sum of the kernels.  of_roofline: the time at
    the limits of the machine, divided by the measured time.
    """

    kernel: str
    nodes: tuple[str, ...]
    calls: int
    us: float
    share: float
    gflops: float
    gbytes: float
    of_roofline: float


@click.command("profile")
@model_options
@input_options
@click.option("--rounds", default=20, show_default=True, type=click.IntRange(min=1))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def profile_command(request: Request, feed: Feed, rounds: int, as_json: bool) -> None:
    """Show the time of each kernel of MODEL, slowest first."""
    target = settings_for(request.target).target
    if target.kind != _MACHINE_CODE:
        rule = f"{target.kind} has no kernels in machine code"
        raise click.BadParameter(rule, param_hint="--target")
    ready = compile_for_feed(request, feed)
    threads = request.threads or ready.module.threads
    replay = _replay(request, ready, target, threads)
    run_s = _rounds(replay, ready, threads, rounds)
    roofline = measured_roofline(target, threads=threads)
    rows = rows_of(replay.profile(), roofline)
    if as_json:
        fields = {"model": str(request.model), "threads": threads, "run_us": 1e6 * run_s}
        kernels = [asdict(row) for row in rows]
        click.echo(json.dumps({**fields, "roofline": asdict(roofline), "kernels": kernels}))
        return
    console = Console()
    console.print(_table(rows, title=request.model.name))
    total_us = sum(row.us for row in rows)
    console.print(f"sum of the kernels {total_us:.1f} µs; compiled module {1e6 * run_s:.1f} µs")
    console.print(
        f"roofline, measured in this run, {counted(threads, 'thread')}: "
        f"{1e-9 * roofline.flops:.1f} GFLOP/s (f32), {1e-9 * roofline.bandwidth:.1f} GB/s (memory)",
        style="dim",
    )


def rows_of(profile: Sequence[KernelProfile], roofline: Roofline) -> list[Row]:
    """Return the rows of kernels, slowest first."""
    total_s = sum(kernel.total_s for kernel in profile)
    rows = [_row(kernel, total_s, roofline) for kernel in profile]
    return sorted(rows, key=lambda row: -row.us)


def _row(kernel: KernelProfile, total_s: float, roofline: Roofline) -> Row:
    calls = len(kernel.times_s)
    least_s = calls * roofline.least_s(kernel.record.flops, kernel.moved_bytes)
    return Row(
        kernel=kernel.name,
        nodes=kernel.nodes,
        calls=calls,
        us=1e6 * kernel.total_s,
        share=kernel.total_s / total_s,
        gflops=1e-9 * kernel.speed,
        gbytes=1e-9 * kernel.bandwidth,
        of_roofline=least_s / kernel.total_s,
    )


def _replay(request: Request, ready: ReadyModel, target: Target, threads: int) -> Replay:
    """Compile the kernels for the shapes of the inputs."""
    code = compile_kernels(
        str(request.model),
        target=target,
        precision=request.precision,
        shapes={name: array.shape for name, array in ready.inputs.items()},
        values={**ready.constants, **request.values},
        schedules=request.schedules,
        unchecked_indices=request.unchecked_indices,
    )
    inputs = [np.asarray(ready.inputs[spec.name]) for spec in ready.module.inputs]
    return Replay(code, inputs, triple=target.triple, threads=threads)


def _rounds(replay: Replay, ready: ReadyModel, threads: int, rounds: int) -> float:
    """Run the kernels and the module by turns; return the median seconds of the module."""
    times_s: list[float] = []
    for _ in range(1 + rounds):
        replay()
        start_s = time.perf_counter()
        ready.module.run(ready.inputs, threads=threads)
        times_s.append(time.perf_counter() - start_s)
    return statistics.median(times_s[1:])


def _table(rows: Sequence[Row], *, title: str) -> Table:
    table = Table(title=title)
    for column in ("kernel", "ONNX nodes"):
        table.add_column(column, overflow="fold")
    for column in ("calls", "µs", "share", "GFLOP/s", "GB/s", "of roofline"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            row.kernel,
            escape(", ".join(row.nodes)),
            str(row.calls),
            f"{row.us:.1f}",
            f"{row.share:.1%}",
            f"{row.gflops:.1f}",
            f"{row.gbytes:.1f}",
            f"{row.of_roofline:.0%}",
        )
    return table
