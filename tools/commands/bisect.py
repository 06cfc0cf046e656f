"""``tw bisect``: the part of the compiler that makes a model wrong, and a small program for it."""

from __future__ import annotations

import time

import click

from ...testing.bisect import find_guilty, write_smallest
from ..compilation import shown_progress, uncompiled_request
from ..options import CommandRequest, model_options
from .help import ToolCommand


@click.command(
    "bisect",
    cls=ToolCommand,
    examples=[
        "tw bisect model.onnx",
        "tw bisect encoder-23.onnx --target x86-64-v3",
    ],
)
@model_options
@click.option(
    "--seconds", default=40.0, show_default=True, help="Time to make the reproducer smaller."
)
def bisect_command(request: CommandRequest, seconds: float) -> None:
    """Find the first pass or code that makes MODEL wrong, and write a small reproducer.

    MODEL is checked after every pass; then the code of each kernel and of the program runs in
    another process or an emulator, also on random arguments. The reproducer is IR with the command
    that shows the failure. The exit code is 1 if a part is wrong.
    """
    start_s = time.perf_counter()
    with shown_progress(request.model.name) as watcher:
        found = find_guilty(uncompiled_request(request, watcher))
    if found is None:
        click.echo("no part of the compiler is wrong on this model")
        return
    click.echo(f"guilty: {found.part} ({found.kind})\n{found.error}")
    made, ops = write_smallest(found, seconds)
    click.echo(f"reproducer: {made.file}, {ops} ops\nreplay: {made.command}")
    click.echo(f"{time.perf_counter() - start_s:.1f} s")
    raise click.exceptions.Exit(1)
