"""``tw compile``: a model as it is at one level of the way down."""

from __future__ import annotations

from pathlib import Path

import click

from ..driver.compile import source_at
from .binding import shown_progress
from .options import Request, model_options

LEVELS = ("graph", "te", "sched", "scheduled", "loop", "packed", "ll", "asm")


@click.command("compile")
@model_options
@click.option("--to", "level", type=click.Choice(LEVELS), default="asm", show_default=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path))
def compile_command(request: Request, level: str, output: Path | None) -> None:
    """Print MODEL as it is at one level of the way down; nothing below it is made."""
    with shown_progress(request) as watcher:
        text = source_at(
            str(request.model),
            level,
            target=request.target,
            precision=request.precision,
            shapes=request.shapes,
            values=request.values,
            progress=watcher,
        )
    if output is None:
        click.echo(text)
    else:
        output.write_text(text)
