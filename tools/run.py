"""``tw run``: a model once, on files or random inputs."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from rich.console import Console

from ..runtime.module import Output
from ..runtime.ndarray import NDArray
from .binding import compile_for_feed
from .options import Feed, Request, input_options, model_options
from .tables import kernel_table, tensor_table
from .tensors import write_arrays


@click.command()
@model_options
@input_options
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="A .npz file to write."
)
def run(request: Request, feed: Feed, output: Path | None) -> None:
    """Run MODEL once on files or random inputs and show what comes out.

    Sizes that MODEL leaves open, and values that decide shapes, are taken from the files.
    """
    ready = compile_for_feed(request, feed)
    start_s = time.perf_counter()
    results = ready.module.run(ready.inputs, threads=request.threads)
    run_s = time.perf_counter() - start_s
    outputs = {
        spec.name: array.numpy()
        for spec, array in zip(ready.module.outputs, _tensors(results), strict=True)
    }
    console = Console()
    if ready.constants:
        console.print(tensor_table("constants", ready.constants))
    console.print(tensor_table("inputs", ready.inputs))
    console.print(tensor_table("outputs", outputs))
    console.print(kernel_table(ready.module.kernels))
    console.print(f"compiled in {ready.compile_s:.2f} s, first run {1e3 * run_s:.2f} ms")
    if output is not None:
        write_arrays(output, outputs)


def _tensors(results: Iterable[Output]) -> Iterator[NDArray]:
    """Yield the tensors of results; those of sequences one by one."""
    for result in results:
        if isinstance(result, list):
            yield from result
        elif result is not None:
            yield result
