"""``tw diff``: the first structural difference of two programs or models."""

from __future__ import annotations

from pathlib import Path

import click
from xdsl.ir import Operation

from ... import ir
from ...dialects.weights import load_weights
from ...support.registry import FRONTENDS, importer_of
from ..options import INPUT_FILE
from .help import ToolCommand


@click.command(
    "diff",
    cls=ToolCommand,
    examples=[
        "tw diff before.mlir after.mlir",
        "tw diff a.onnx b.onnx",
        "tw diff a.mlir a.mlirbc --weights a.safetensors",
    ],
)
@click.argument("before", type=INPUT_FILE)
@click.argument("after", type=INPUT_FILE)
@click.option(
    "--weights", type=INPUT_FILE, multiple=True, help="Weights of the texts; may be repeated."
)
def diff_command(before: Path, after: Path, weights: tuple[Path, ...]) -> int:
    """Print the first structural difference of two programs.

    A program is IR of any level as text, JSON or bytecode, or a model. Names of values do not
    count. The exit code is 1 if the programs differ.
    """
    # The programs refer to the weights by key; these references prevent their deletion.
    _loaded = [load_weights(file) for file in weights]
    found = ir.diff(_program(before), _program(after))
    click.echo("the programs are equal" if found is None else str(found))
    return int(found is not None)


def _program(file: Path) -> Operation:
    extension = file.suffix.removeprefix(".")
    return importer_of(extension)(file) if extension in FRONTENDS else ir.read(file)
