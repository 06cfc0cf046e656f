"""``tw run``: run a model once, on inputs from files or random inputs."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from ...driver.module.compiled_module import CompiledModule
from ...runtime.abi.ndarray import NDArray
from ...runtime.module.inspection import is_exported
from ...runtime.module.module import Output
from ...runtime.rpc.places import RpcPlace
from ...testing.array_files import Array, write_arrays
from ..compilation import ReadyModel, RunnableModule
from ..emulation import needs_emulator, run_emulated, runnable_target
from ..loading import ready_model
from ..options import INPUT_FILE, CommandRequest, Feed, OutputFile, input_options, model_options
from ..remote import remote_model, rpc_options
from ..tables import compile_text, kernel_table, tensor_table
from ..tensors import Summary, array_errors, check_errors, output_errors
from ..terminal import show_table, show_text, terminal
from .help import ToolCommand


@click.command(
    cls=ToolCommand,
    examples=[
        "tw run model.onnx --input x=cat.npy --shapes batch=8 -o result.npz",
        "tw run model.onnx --target raspberrypi4  # in an emulator of its CPU",
        "tw run model.onnx --rpc 127.0.0.1:9190 --key rpi4",
    ],
)
@model_options
@input_options
@rpc_options
@click.option("-o", "--output", type=OutputFile(".npz"), help="A .npz file to write.")
@click.option("--expect", type=INPUT_FILE, help="A .npz file of outputs to compare with.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def run(
    request: CommandRequest, feed: Feed, place: RpcPlace | None, output: Path | None,
    expect: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Run MODEL once on files or random inputs and show its results. Those of another CPU, in QEMU
    or node, are compared with ours.
    """
    if place is not None:
        with remote_model(place, request, feed) as remote:
            report = _RunReport(remote.ready, *_outputs(remote.module, remote.ready))
            errors = _errors_of_other_machine(report.outputs, request, feed)
            fields = {**remote.fields(), "errors_to_this_machine": errors}
            report = replace(report, errors=errors, text=remote.text(), fields=fields)
    else:
        report = _run_here(replace(request, target=runnable_target(request.target)), feed)
    errors = None if expect is None else output_errors(report.outputs, expect)
    if as_json:
        compared = {} if errors is None else {"errors": errors}
        click.echo(json.dumps({**_fields(request, report), **report.fields, **compared}))
    else:
        _show(report)
    if report.errors is not None:
        check_errors(report.errors, "this machine")
    if report.text and not as_json:
        click.echo(report.verdict())
    if output is not None:
        write_arrays(output, report.outputs)
    if expect is not None and errors is not None:
        check_errors(errors, expect)
        if not as_json:
            click.echo(f"equal to {expect}: largest relative error {max(errors.values()):.3g}")


@dataclass(frozen=True)
class _RunReport:
    """The results of one run of a model.

    ready: the model with its inputs.  outputs: its outputs, by name.  run_s: the seconds that the
    run took; None in an emulator.  errors: for a run in an emulator or on another machine, the
    relative L2 error of each output compared with this machine; None if the model does not run
    here.  text: facts of the other machine as lines.  fields: the same facts, for JSON.
    """

    ready: ReadyModel
    outputs: Mapping[str, Array]
    run_s: float | None = None
    errors: Mapping[str, float] | None = None
    text: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def verdict(self) -> str:
        """Return the facts of the other machine, and the largest error of its outputs if known."""
        if self.errors is None:
            return self.text
        worst = max(self.errors.values(), default=0.0)
        return (
            f"{self.text}\nequal to the outputs of this machine: largest relative error {worst:.3g}"
        )


def _run_here(request: CommandRequest, feed: Feed) -> _RunReport:
    """Run a model on this machine, or in an emulator if the target is another machine."""
    ready = ready_model(request, feed)
    if not needs_emulator(request.target):
        return _RunReport(ready, *_outputs(ready.module, ready, request.threads))
    assert isinstance(ready.module, CompiledModule), "an exported file takes no target"
    assert request.target is not None, "this machine needs no emulator"
    wanted = _local_outputs(request, feed)
    emulated = run_emulated(ready.module, ready.inputs, wanted, request.target)
    text, fields = emulated.text(), emulated.fields()
    return _RunReport(ready, emulated.outputs, None, emulated.errors, text, fields)


def _errors_of_other_machine(
    outputs: Mapping[str, Array], request: CommandRequest, feed: Feed
) -> Mapping[str, float] | None:
    """Return the errors of another machine's outputs, relative to the outputs of this machine.

    outputs: the outputs of the other machine, by name.  The errors are relative L2 errors, by name.
    None for an exported file, which this machine cannot run.
    """
    if is_exported(request.model):
        return None
    return array_errors(outputs, _local_outputs(request, feed))


def _local_outputs(request: CommandRequest, feed: Feed) -> Mapping[str, Array]:
    """Compile a model for this machine and run it; return its outputs by name."""
    ready = ready_model(replace(request, target=None), feed)
    return _outputs(ready.module, ready, request.threads)[0]


def _outputs(
    module: RunnableModule, ready: ReadyModel, threads: int | None = None
) -> tuple[Mapping[str, Array], float]:
    """Run a module on a model's inputs; return its outputs by name, and the seconds."""
    start_s = time.perf_counter()
    results = module.run(ready.inputs, threads=threads)
    run_s = time.perf_counter() - start_s
    pairs = zip(module.outputs, _tensors(results), strict=True)
    return {spec.name: array.numpy() for spec, array in pairs}, run_s


def _show(report: _RunReport) -> None:
    ready, outputs, run_s = report.ready, report.outputs, report.run_s
    console = terminal()
    if ready.constants:
        show_table(console, tensor_table("constants", ready.constants))
    show_table(console, tensor_table("inputs", ready.inputs))
    show_table(console, tensor_table("outputs", outputs))
    show_table(console, kernel_table(ready.kernels, is_dynamic=ready.flops is None))
    time_text = "" if run_s is None else f", first run {1e3 * run_s:.2f} ms"
    show_text(console, compile_text(ready) + time_text)


def _fields(request: CommandRequest, report: _RunReport) -> dict[str, Any]:
    ready = report.ready
    return {
        "model": str(request.model),
        **ready.times(),
        "run_s": report.run_s,
        "inputs": _described(ready.inputs),
        "outputs": _described(report.outputs),
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
