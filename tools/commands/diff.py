"""``tw diff``: the first structural difference of two programs or models."""

from __future__ import annotations

from pathlib import Path

import click
from xdsl.ir import Operation

from ... import ir
from ...support.registry import FRONTENDS, importer_of
from ..options import INPUT_FILE
from .help import ToolCommand


@click.command(
    "diff",
    cls=ToolCommand,
    examples=["tw diff before.mlir after.mlir", "tw diff a.onnx b.onnx"],
)
@click.argument("before", type=INPUT_FILE)
@click.argument("after", type=INPUT_FILE)
def diff_command(before: Path, after: Path) -> int:
    """Print the first structural difference of two programs.

    A program is IR of any level as text, JSON or bytecode, or a model. Names of values do not
    count. The exit code is 1 if the programs differ.
    """
    found = ir.diff(_program(before), _program(after))
    click.echo("the programs are equal" if found is None else str(found))
    return int(found is not None)


def _program(file: Path) -> Operation:
    extension = file.suffix.removeprefix(".")
    return importer_of(extension)(file) if extension in FRONTENDS else ir.read(file)
