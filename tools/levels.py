"""``tw compile``: the text of a model at one level of the pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

import click

from ..driver.compile import schedules_of, source_at
from ..support.schedule_files import write_schedules
from .arguments import MODULE_LEVELS
from .compilation import shown_progress
from .options import Request, model_options
from .tables import counted

LEVELS = (*MODULE_LEVELS, "ll", "asm")
_LEVEL_OF = {".ll": "ll", ".s": "asm", ".asm": "asm"}
_BINARIES = frozenset((".a", ".bin", ".dll", ".dylib", ".exe", ".o", ".obj", ".onnx", ".so"))


@click.command("compile")
@model_options
@click.option("--to", "level", type=click.Choice(LEVELS), help="Default: by OUTPUT, else asm.")
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
    chosen = _level_for(level, output)
    if folder is not None:
        with shown_progress(request) as watcher:
            texts = schedules_of(str(request.model), progress=watcher, **_choices(request))
        files = write_schedules(texts, folder)
        click.echo(f"{counted(len(files), 'schedule')} in {folder}", err=True)
        if level is None and output is None:
            return
    with shown_progress(request) as watcher:
        text = source_at(str(request.model), chosen, progress=watcher, **_choices(request))
    if output is None:
        click.echo(text)
    else:
        output.write_text(text)


def _level_for(level: str | None, output: Path | None) -> str:
    """Return the level to print or write.

    Errors: BadParameter if the file name belongs to a binary file or to another level.
    """
    suffix = "" if output is None else output.suffix
    if suffix in _BINARIES:
        raise click.BadParameter(
            f"tw compile writes text, and {suffix} files hold none\n"
            "    hint: use .mlir, .ll or .s; the shared object is tilewright.compile(model).code",
            param_hint="--output",
        )
    wanted = _LEVEL_OF.get(suffix)
    if level is not None and wanted not in (None, level):
        raise click.BadParameter(
            f"a {suffix} file holds {wanted}\n    got: --to {level}", param_hint="--output"
        )
    return level or wanted or "asm"


class _Choices(TypedDict):
    """The options that determine the code."""

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
