"""``tw validate``: check every stage of a model's compilation, and print a table.

In: a model, or IR of any level.  Out: a row for each stage and kernel: the largest error, its
bound, which part of the results was compared, and the verdict.
"""

from __future__ import annotations

import click

from ...driver.report.validation import validated
from ..compilation import shown_progress, uncompiled_request
from ..options import CommandRequest, model_options
from .help import ToolCommand


@click.command(
    "validate",
    cls=ToolCommand,
    examples=[
        "tw validate model.onnx",
        "tw validate model.onnx --target cuda --shapes batch=1",
    ],
)
@model_options
def validate_command(request: CommandRequest) -> None:
    """Run MODEL after every stage of its compilation, and compare the results.

    Kernels are checked on sampled elements if they are large; the code's results are compared with
    the interpreter and onnxruntime, if this machine can run code for the target. The exit code is
    1 if a stage is wrong.
    """
    with shown_progress(request.model.name) as watcher:
        _, table = validated(uncompiled_request(request, watcher))
    click.echo(str(table))
