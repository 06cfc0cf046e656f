"""``tw compile``: a model as it is at one level of the way down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

import click

from ..driver.compile import schedules_of, source_at
from ..support.schedule_files import write_schedules
from .binding import shown_progress
from .options import Request, model_options

LEVELS = ("graph", "te", "sched", "scheduled", "loop", "packed", "ll", "asm")


@click.command("compile")
@model_options
@click.option("--to", "level", type=click.Choice(LEVELS), help="Default: asm.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--dump-schedules",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the schedule of each kernel to a file here.",
)
def compile_command(
    request: Request, level: str | None, output: Path | None, folder: Path | None
) -> None:
    """Print MODEL as it is at one level of the way down; nothing below it is made."""
    if folder is not None:
        with shown_progress(request) as watcher:
            texts = schedules_of(str(request.model), progress=watcher, **_choices(request))
        files = write_schedules(texts, folder)
        click.echo(f"{len(files)} schedules in {folder}", err=True)
        if level is None and output is None:
            return
    with shown_progress(request) as watcher:
        text = source_at(str(request.model), level or "asm", progress=watcher, **_choices(request))
    if output is None:
        click.echo(text)
    else:
        output.write_text(text)


class _Choices(TypedDict):
    """What decides the code."""

    target: str | None
    precision: str
    shapes: Mapping[str, Sequence[int]]
    values: Mapping[str, Sequence[float]]
    schedules: Path | None
    strict_plan: bool
    unchecked_indices: bool


def _choices(request: Request) -> _Choices:
    return _Choices(
        target=request.target,
        precision=request.precision,
        shapes=request.shapes,
        values=request.values,
        schedules=request.schedules,
        strict_plan=request.strict_plan,
        unchecked_indices=request.unchecked_indices,
    )
