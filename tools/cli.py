"""tw: compile, run and time models from the command line. Built on the public Python API.

Exit code: 0, 1 for an error in the model or its inputs, 2 for wrong usage.
"""

from __future__ import annotations

import functools
import json
import logging
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

from .. import __version__
from ..support.config import read_config
from .arguments import parse_named, parse_shapes
from .conformance import conformance
from .failures import failure_text, user_errors
from .tensors import Array, make_inputs, summary

if TYPE_CHECKING:
    from ..driver.compile import CompiledModule, KernelRecord

LEVELS = ("graph", "te", "sched", "scheduled", "loop", "packed", "ll", "asm")


def model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the argument and options that say what is compiled."""
    parameters = [
        click.argument("model", type=click.Path(exists=True, dir_okay=False, path_type=Path)),
        click.option("--target", help="Target text; default: this machine."),
        click.option("--shapes", multiple=True, metavar="x=1x3x224x224", help="Bind sizes."),
        click.option("--threads", type=click.IntRange(min=1), help="Default: all cores."),
    ]
    return functools.reduce(lambda wrapped, add: add(wrapped), reversed(parameters), command)


def input_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say what a model is run on."""
    parameters = [
        click.option(
            "--input", "files", multiple=True, metavar="[x=]FILE", help="A .npy or .npz file."
        ),
        click.option("--seed", default=0, show_default=True, help="Seed of random inputs."),
    ]
    return functools.reduce(lambda wrapped, add: add(wrapped), reversed(parameters), command)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tilewright")
@click.option("-v", "--verbose", count=True, help="Log more; -vv logs most.")
@click.option("--debug", is_flag=True, help="Show Python tracebacks.")
def tw(verbose: int, debug: bool) -> None:
    """Compile models to machine code, run and time them."""
    level = read_config().log_level if verbose == 0 else logging.INFO - 10 * (verbose > 1)
    logging.basicConfig(level=level, format="%(levelname).1s %(name)s: %(message)s")


@tw.command()
@model_options
@input_options
def run(
    model: Path,
    target: str | None,
    shapes: Sequence[str],
    threads: int | None,
    files: Sequence[str],
    seed: int,
) -> None:
    """Run MODEL once on files or random inputs and show what comes out."""
    compiled, compile_s = _compile(model, target, shapes, threads)
    inputs = make_inputs(compiled.inputs, parse_named(files), seed=seed)
    start_s = time.perf_counter()
    results = compiled.run(inputs, threads=threads)
    run_s = time.perf_counter() - start_s
    outputs = {
        spec.name: result.numpy() for spec, result in zip(compiled.outputs, results, strict=True)
    }
    console = Console()
    console.print(_tensor_table("inputs", inputs))
    console.print(_tensor_table("outputs", outputs))
    console.print(_kernel_table(compiled.kernels))
    console.print(f"compiled in {compile_s:.2f} s, first run {1e3 * run_s:.2f} ms")


@tw.command()
@model_options
@input_options
@click.option("--rounds", default=20, show_default=True, type=click.IntRange(min=1))
@click.option("--peers/--no-peers", default=True, help="Also time onnxruntime if installed.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench(
    model: Path,
    target: str | None,
    shapes: Sequence[str],
    threads: int | None,
    files: Sequence[str],
    seed: int,
    rounds: int,
    peers: bool,
    as_json: bool,
) -> None:
    """Time MODEL in rounds, by turns with onnxruntime if it is installed."""
    from .bench import OURS, compare_with_peers

    compiled, compile_s = _compile(model, target, shapes, threads)
    inputs = make_inputs(compiled.inputs, parse_named(files), seed=seed)
    result = compare_with_peers(
        lambda: compiled.run(inputs, threads=threads),
        model,
        inputs,
        threads=threads,
        rounds=rounds,
        peers=peers,
    )
    flops = sum(kernel.flops * kernel.calls for kernel in compiled.kernels)
    rows = [
        {
            "system": timing.name,
            "median_ms": 1e3 * timing.median_s,
            "min_ms": 1e3 * timing.min_s,
            "spread": timing.spread,
            "gflops": 1e-9 * flops / timing.median_s,
            "ratio": result.ratio(timing.name, over=OURS),
        }
        for timing in result.timings
    ]
    if as_json:
        click.echo(json.dumps({"model": str(model), "compile_s": compile_s, "systems": rows}))
        return
    Console().print(_bench_table(rows, title=model.name))
    Console().print(f"compiled in {compile_s:.2f} s; {1e-9 * flops:.3f} GFLOP per call")


@tw.command("compile")
@model_options
@click.option("--to", "level", type=click.Choice(LEVELS), default="asm", show_default=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path))
def compile_command(
    model: Path,
    target: str | None,
    shapes: Sequence[str],
    threads: int | None,
    level: str,
    output: Path | None,
) -> None:
    """Print MODEL as it is at one level of the way down."""
    compiled, _ = _compile(model, target, shapes, threads)
    text = compiled.get_source(level)
    if output is None:
        click.echo(text)
    else:
        output.write_text(text)


@tw.command()
def doctor() -> None:
    """Check the installation and show what it found."""
    from .doctor import examine

    checks = examine()
    table = Table("check", "result", "", title=f"tilewright {__version__}")
    for check in checks:
        table.add_row(check.name, check.result, "" if check.ok else "[red]problem[/red]")
    Console().print(table)
    if not all(check.ok for check in checks):
        raise click.exceptions.Exit(1)


tw.add_command(conformance)


def _compile(
    model: Path, target: str | None, shapes: Sequence[str], threads: int | None
) -> tuple[CompiledModule, float]:
    from .. import SpecializingModule
    from .. import compile as compile_model

    start_s = time.perf_counter()
    module = compile_model(
        str(model), target=target, shapes=parse_shapes(shapes) or None, threads=threads
    )
    if isinstance(module, SpecializingModule):
        raise module.unbound()
    return module, time.perf_counter() - start_s


def _tensor_table(title: str, tensors: Mapping[str, Array]) -> Table:
    table = Table("name", "type", "values", title=title)
    for name, array in tensors.items():
        table.add_row(name, f"{array.dtype}{list(array.shape)}".replace("[", r"\["), summary(array))
    return table


def _kernel_table(kernels: Sequence[KernelRecord]) -> Table:
    table = Table("kernel", "made of", title="kernels")
    for column in ("MFLOP", "tasks", "calls"):
        table.add_column(column, justify="right")
    for kernel in sorted(kernels, key=lambda k: -k.flops * k.calls):
        mflop = f"{1e-6 * kernel.flops:.2f}"
        table.add_row(
            kernel.name, ", ".join(kernel.ops), mflop, str(kernel.tasks), str(kernel.calls)
        )
    return table


def _bench_table(rows: Sequence[Mapping[str, Any]], *, title: str) -> Table:
    table = Table("system", title=title)
    for column in ("median ms", "min ms", "spread", "GFLOP/s", "time / ours"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            row["system"],
            f"{row['median_ms']:.3f}",
            f"{row['min_ms']:.3f}",
            f"{row['spread']:.0%}",
            f"{row['gflops']:.1f}",
            f"{row['ratio']:.2f}",
        )
    return table


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of the ``tw`` command; returns the exit code."""
    args = sys.argv[1:] if argv is None else list(argv)
    try:
        code = tw.main(args, prog_name="tw", standalone_mode=False)
    except click.ClickException as err:
        err.show()
        return err.exit_code
    except click.Abort:
        return 130
    except user_errors() as err:
        if "--debug" in args:
            raise
        click.echo(failure_text(err), err=True)
        return 1
    return code if isinstance(code, int) else 0
