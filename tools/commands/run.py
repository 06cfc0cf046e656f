"""``tw run``: run a model once, on inputs from files or random inputs."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from ...driver.module.compiled_module import CompiledModule
from ...runtime.abi.ndarray import NDArray
from ...runtime.module.module import Output
from ..compilation import ReadyModel
from ..emulation import EmulatedRun, needs_emulator, run_emulated, runnable_target
from ..loading import ready_model
from ..options import CommandRequest, Feed, OutputFile, input_options, model_options
from ..tables import compile_text, kernel_table, tensor_table
from ..tensors import Array, Summary, check_errors, output_errors, write_arrays
from ..terminal import show_table, show_text, terminal
from .help import ToolCommand


@click.command(
    cls=ToolCommand,
    examples=[
        "tw run model.onnx --input x=cat.npy -o result.npz",
        "tw run model.onnx --shapes batch=8 --expect result.npz",
        "tw run model.onnx --target raspberrypi4  # in an emulator of its CPU",
    ],
)
@model_options
@input_options
@click.option("-o", "--output", type=OutputFile(".npz"), help="A .npz file to write.")
@click.option(
    "--expect",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A .npz file of outputs to compare with.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def run(
    request: CommandRequest, feed: Feed, output: Path | None, expect: Path | None, as_json: bool
) -> None:
    """Run MODEL once on files or random inputs and show its results. MODEL may be an exported file
    or a .mlir file of any level. Files of inputs also bind dynamic sizes, and values that decide
    shapes. QEMU or node runs code for another instruction set; its outputs are compared with ours.
    """
    request = replace(request, target=runnable_target(request.target))
    ready = ready_model(request, feed)
    emulated = None
    if needs_emulator(request.target):
        emulated = _emulated(request, feed, ready)
        outputs, run_s = emulated.outputs, None
    else:
        outputs, run_s = _outputs(request, ready)
    errors = None if expect is None else output_errors(outputs, expect)
    if as_json:
        compared = {} if errors is None else {"errors": errors}
        if emulated is not None:
            compared |= {
                "emulator": emulated.emulator,
                "instructions": emulated.instructions,
                "memory": emulated.memory,
                "errors_to_this_machine": emulated.errors,
            }
        click.echo(json.dumps({**_fields(request, ready, outputs, run_s), **compared}))
    else:
        _show(ready, outputs, run_s)
    if emulated is not None:
        check_errors(emulated.errors, "this machine")
        if not as_json:
            click.echo(_verdict(emulated))
    if output is not None:
        write_arrays(output, outputs)
    if expect is not None and errors is not None:
        check_errors(errors, expect)
        if not as_json:
            click.echo(f"equal to {expect}: largest relative error {max(errors.values()):.3g}")


def _outputs(request: CommandRequest, ready: ReadyModel) -> tuple[Mapping[str, Array], float]:
    """Run a model on this machine; return its outputs, and the seconds that it took."""
    start_s = time.perf_counter()
    results = ready.module.run(ready.inputs, threads=request.threads)
    run_s = time.perf_counter() - start_s
    pairs = zip(ready.module.outputs, _tensors(results), strict=True)
    return {spec.name: array.numpy() for spec, array in pairs}, run_s


def _emulated(request: CommandRequest, feed: Feed, ready: ReadyModel) -> EmulatedRun:
    """Run a model for another CPU in an emulator, and on this machine to compare the outputs."""
    assert isinstance(ready.module, CompiledModule), "an exported file takes no target"
    assert request.target is not None, "this machine needs no emulator"
    wanted, _ = _outputs(request, ready_model(replace(request, target=None), feed))
    return run_emulated(ready.module, ready.inputs, wanted, request.target)


def _verdict(emulated: EmulatedRun) -> str:
    """Return the text to print after a run in an emulator whose outputs are correct."""
    count = emulated.instructions
    means = (
        "node has no counter"
        if emulated.emulator == "node"
        else ("needs a C compiler and plugins of QEMU")
    )
    part = "call" if emulated.memory else "program"
    counted = f"not counted: {means}" if count is None else f"{count:,}"
    worst = max(emulated.errors.values(), default=0.0)
    return (
        f"ran in {emulated.emulator}; instructions of the {part}: {counted}\n"
        + (f"memory of the call: {emulated.memory}\n" if emulated.memory else "")
        + f"equal to the outputs of this machine: largest relative error {worst:.3g}"
    )


def _show(ready: ReadyModel, outputs: Mapping[str, Array], run_s: float | None) -> None:
    console = terminal()
    if ready.constants:
        show_table(console, tensor_table("constants", ready.constants))
    show_table(console, tensor_table("inputs", ready.inputs))
    show_table(console, tensor_table("outputs", outputs))
    show_table(console, kernel_table(ready.kernels, is_dynamic=ready.flops is None))
    time_text = "" if run_s is None else f", first run {1e3 * run_s:.2f} ms"
    show_text(console, compile_text(ready) + time_text)


def _fields(
    request: CommandRequest, ready: ReadyModel, outputs: Mapping[str, Array], run_s: float | None
) -> dict[str, Any]:
    """Return the results of a run as data for JSON; times in seconds, null in an emulator."""
    return {
        "model": str(request.model),
        **ready.times(),
        "run_s": run_s,
        "inputs": _described(ready.inputs),
        "outputs": _described(outputs),
        "kernels": [asdict(kernel) for kernel in ready.kernels],
    }


def _described(arrays: Mapping[str, Array]) -> dict[str, dict[str, Any]]:
    return {
        name: {
            "dtype": str(array.dtype),
            "shape": list(array.shape),
            "values": asdict(Summary.of(array)),
        }
        for name, array in arrays.items()
    }


def _tensors(results: Iterable[Output]) -> Iterator[NDArray]:
    """Yield the tensors of all results; a result may be a sequence of tensors."""
    for result in results:
        if isinstance(result, list):
            yield from result
        elif result is not None:
            yield result
