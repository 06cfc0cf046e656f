"""``tw compile``: a model as it is at one level of the way down."""

from __future__ import annotations

from pathlib import Path

import click

from .binding import compile_request
from .options import Request, model_options

LEVELS = ("graph", "te", "sched", "scheduled", "loop", "packed", "ll", "asm")


@click.command("compile")
@model_options
@click.option("--to", "level", type=click.Choice(LEVELS), default="asm", show_default=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path))
def compile_command(request: Request, level: str, output: Path | None) -> None:
    """Print MODEL as it is at one level of the way down."""
    text = compile_request(request).get_source(level)
    if output is None:
        click.echo(text)
    else:
        output.write_text(text)
