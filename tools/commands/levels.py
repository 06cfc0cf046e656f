"""``tw compile``: print a model at one level of the pipeline, or write a file to deploy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem

from ...driver.backends import backend_of, target_of, text_kinds
from ...driver.module.export import check_format, check_profiled, line_file
from ...runtime.spelling import advice
from ...targets.backend import Backend
from ..arguments import STANDARD_OUTPUT
from ..compilation import compile_request
from ..compiled_files import uncompiled, write_dumps, write_report
from ..options import CommandRequest, OutputFile, TextOutput, WrittenPath, model_options
from .help import ToolCommand

_TEXTS = (".mlir", ".txt")
"""The suffixes of files that may contain any level."""


class TextKind(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]
    """The click parameter type of ``--to``: a level, or another kind of text such as ``asm``."""

    name = "kind"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the kind; fail if no target can print it."""
        if value not in text_kinds():
            self.fail(f"no target has a text {value!r}: {advice(value, text_kinds())}", param, ctx)
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return as completions the kinds of text of all targets that start with ``incomplete``."""
        return [CompletionItem(kind) for kind in text_kinds() if kind.startswith(incomplete)]


@click.command(
    "compile",
    cls=ToolCommand,
    examples=[
        "tw compile model.onnx --to loop --target x86-64-v3",
        "tw compile decoder.onnx --state past_key=key --capacity past=2048 -o m.so",
    ],
)
@model_options
@click.option(
    "--to",
    "level",
    type=TextKind(),
    metavar="KIND",
    help="A level, asm, ll, ptx, c, …; default: by OUTPUT.",
)
@click.option("--kernel", metavar="NAME", help="Print only this kernel.")
@click.option(
    "-o", "--output", type=TextOutput(), help=".so, .o, .a, .c, .tar, .wasm, program; -: text."
)
@click.option("--max-ram", metavar="64K", help="Bytes of RAM that C source may take.")
@click.option("--embed", is_flag=True, help="Put the weights into the library OUTPUT.")
@click.option("--debug-info", is_flag=True, help="Add line tables of the kernels to OUTPUT.")
@click.option("--profile", is_flag=True, help="Let OUTPUT record times.")
@click.option("--report", type=OutputFile(".html"), help="Write a page: kernels, times, remarks.")
@click.option(
    "--dump-schedules",
    "folder",
    type=WrittenPath(file_okay=False, path_type=Path),
    help="Write each kernel's schedule here.",
)
@click.option(
    "--dump-ir",
    "passes",
    type=WrittenPath(file_okay=False, path_type=Path),
    help="Write the IR after each pass here.",
)
def compile_command(
    request: CommandRequest,
    level: str | None,
    kernel: str | None,
    output: Path | None,
    folder: Path | None,
    passes: Path | None,
    max_ram: str | None,
    embed: bool,
    debug_info: bool,
    profile: bool,
    report: Path | None,
) -> None:
    """Print MODEL or IR (.mlir) at level KIND, or write a library or a program."""
    if max_ram is not None:
        request = replace(request, target=f"{request.target or 'c'} -max-ram={max_ram}")
    prints = output == STANDARD_OUTPUT
    output = None if prints else output
    wanted, backend = _Library(embed, debug_info, profile), backend_of(target_of(request.target))
    is_library = _is_library(level, output, wanted, backend)
    if is_library and kernel is not None:
        raise click.BadParameter("a library holds all kernels", param_hint="--kernel")
    chosen = "" if is_library else _level_for(level, output, backend)
    if folder is not None or passes is not None or report is not None:
        write_dumps(request, folder, passes)
        if report is not None:
            write_report(request, report)
        if level is None and output is None and not prints:
            return
    if output is not None and not chosen:
        _export(request, output, wanted)
        return
    from ...driver.report.texts import text_of  # imports all of the compiler

    with uncompiled(request) as made:
        text, _ = text_of(made, chosen, kernel)
    if output is None:
        click.echo(text)
    else:
        output.write_text(text)


class _Library(NamedTuple):
    """The values of the options of `tw compile` that apply to libraries only.

    embed: whether the weights are in the library.  debug_info: whether code has line tables.
    profile: whether the program records the times of its steps.
    """

    embed: bool
    debug_info: bool
    profile: bool


def _is_library(level: str | None, output: Path | None, wanted: _Library, backend: Backend) -> bool:
    """Return whether `tw compile` writes machine code; otherwise it prints a level.

    level: the value of --to.  output: the value of --output, whose suffix decides.  wanted: the
    options that only apply to machine code.  backend: the backend of the target.

    Errors: BadParameter if the target has no files with the suffix, or if --to, --embed,
    --debug-info or --profile does not apply to the output.
    """
    suffix = "" if output is None else output.suffix
    texts = (*_TEXTS, *backend.text_files)
    is_text = output is None or suffix in texts or (not suffix and level is not None)
    if not is_text and suffix not in backend.exports:
        raise click.BadParameter(
            f"target {backend.kind} has no {suffix or 'such'} files\n"
            f"    expected: {', '.join(filter(None, (*texts, *backend.exports)))}",
            param_hint="--output",
        )
    if not is_text and level is not None:
        raise click.BadParameter(
            f"a {suffix} file holds machine code\n    got: --to {level}",
            param_hint="--output",
        )
    for is_wanted, option, purpose in (
        (wanted.embed, "--embed", "holds weights"),
        (wanted.debug_info, "--debug-info", "holds line tables"),
        (wanted.profile, "--profile", "records times"),
    ):
        if is_wanted and is_text:
            raise click.BadParameter(f"only a library {purpose}", param_hint=option)
    return not is_text


def _export(request: CommandRequest, output: Path, wanted: _Library) -> None:
    check_format(output, backend_of(target_of(request.target)))
    if wanted.debug_info:
        line_file(output)
    if wanted.profile:
        check_profiled(output, debug_info=wanted.debug_info)
    module = compile_request(request)
    files = module.export_library(output, **wanted._asdict())
    for file in files:
        click.echo(f"{file}: {file.stat().st_size} bytes", err=True)


def _level_for(level: str | None, output: Path | None, backend: Backend) -> str:
    """Return the level to print or write: the value of --to, or the default for the output file.

    Errors: BadParameter if the target does not have the level, or the suffix is that of another
    level.
    """
    suffix = "" if output is None else output.suffix
    wanted = backend.text_files.get(suffix)
    if level is not None and level not in backend.text_kinds:
        raise click.BadParameter(
            f"no text {level!r} for target {backend.kind}\n"
            f"    expected: {', '.join(backend.text_kinds)}",
            param_hint="--to",
        )
    if level is not None and wanted not in (None, level):
        raise click.BadParameter(
            f"a {suffix} file holds {wanted}\n    got: --to {level}", param_hint="--output"
        )
    return level or wanted or backend.shown_kind
