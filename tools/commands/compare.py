"""``tw compare``: the first node of a model whose values differ from those of another runtime."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from ...runtime.abi.ndarray import NDArray
from ..loading import ready_model
from ..options import CommandRequest, Feed, input_options, model_options
from ..terminal import show_text, terminal
from .help import ToolCommand

if TYPE_CHECKING:
    from ...testing.node_values import NodeDifference

_RUNTIMES = ("onnxruntime", "numpy")


@click.command(
    "compare",
    cls=ToolCommand,
    examples=[
        "tw compare model.onnx --with onnxruntime",
        "tw compare model.onnx --with numpy --input x=cat.npy --bound 1e-5",
    ],
)
@model_options
@input_options
@click.option(
    "--with",
    "runtime",
    type=click.Choice(_RUNTIMES),
    default=_RUNTIMES[0],
    show_default=True,
    help="numpy: onnx's evaluator.",
)
@click.option("--bound", default=1e-4, show_default=True, help="Relative L2 error of an output.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compare_command(
    request: CommandRequest, feed: Feed, runtime: str, bound: float, as_json: bool
) -> None:
    """Show the first node of MODEL (.onnx) whose values differ from those of another runtime.

    Every result of a node becomes an output, which may split kernels. Exit code 1 if a node
    differs.
    """
    if request.model.suffix != ".onnx":
        raise click.UsageError(f"{str(request.model)!r} is no .onnx model.")
    count, found = _compared(request, feed, runtime, bound)
    if as_json:
        rows = [asdict(each) for each in found]
        click.echo(json.dumps({"compared": count, "bound": bound, "different": rows}))
    elif found:
        show_text(terminal(), _text(found, runtime, bound, count))
    else:
        show_text(terminal(), f"{count} outputs of nodes equal those of {runtime} within {bound:g}")
    if found:
        raise click.exceptions.Exit(1)


def _compared(
    request: CommandRequest, feed: Feed, runtime: str, bound: float
) -> tuple[int, Sequence[NodeDifference]]:
    """Run a model here and in another runtime, and compare the outputs of all nodes.

    runtime: the name of the other runtime.  bound: the largest error that counts as equal.  Return
    the number of compared outputs, and the outputs that differ, in the order of the nodes.
    """
    from ...testing.node_values import RUNNERS, differences, save_with_node_outputs

    with TemporaryDirectory() as folder:
        model, path = save_with_node_outputs(request.model, Path(folder))
        ready = ready_model(replace(request, model=path, cache=False), feed)
        outputs = ready.module.run(ready.inputs, threads=request.threads)
    pairs = zip(ready.module.outputs, outputs, strict=True)
    ours = {spec.name: each.numpy() for spec, each in pairs if isinstance(each, NDArray)}
    given = {**ready.inputs, **ready.constants}
    names = [info.name for info in model.graph.output]
    theirs = dict(zip(names, RUNNERS[runtime](model, given), strict=True))
    return len(ours), list(differences(model, ours, theirs, bound=bound))


def _text(found: Sequence[NodeDifference], runtime: str, bound: float, count: int) -> str:
    first = found[0]
    place = f"at {list(first.position)}: " if first.position else ""
    rest = f"\n{len(found)} of {count} outputs differ" if len(found) > 1 else ""
    return (
        f"first node that differs: {first.node} ({first.operator}), output {first.output} "
        f"{list(first.shape)}\n{place}ours {first.ours}, {runtime} {first.theirs}\n"
        f"relative L2 error {first.error:.3g}, bound {bound:g}{rest}"
    )
