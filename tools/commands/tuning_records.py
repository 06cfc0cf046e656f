"""``tw records``: show, merge and prune files of tuning records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from ...support.tuning_records import best_records, read_records
from ...tuning.page import records_page
from ...tuning.record_file import SUMMARY, append_records, merged, pruned, rewrite, summary
from ..options import INPUT_FILE
from ..tables import counted
from ..terminal import numbers, show_table, terminal
from .help import ToolCommand


@click.group("records")
def records_command() -> None:
    """Show, merge or prune tuning records, which tw tune writes."""


@records_command.command(cls=ToolCommand, examples=["tw records show tuned.jsonl"])
@click.argument("file", type=INPUT_FILE)
def show(file: Path) -> None:
    """List the kernels of FILE, with the number of their records and the best one."""
    table = Table(*SUMMARY[:2], *numbers(*SUMMARY[2:]), title=file.name)
    for name, target, *cells in summary(read_records(file)):
        table.add_row(escape(name), escape(target), *cells)
    show_table(terminal(), table)


@records_command.command(cls=ToolCommand, examples=["tw records page tuned.jsonl tuned.html"])
@click.argument("file", type=INPUT_FILE)
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
def page(file: Path, out: Path) -> None:
    """Write a page to OUT that shows the course of the search of FILE.

    For each kernel, the page has the speedup of every schedule, and the best so far.
    """
    made = records_page(read_records(file), f"Tuning records {file.name}")
    out.write_text(made, encoding="utf-8")
    click.echo(f"written: {out}")


@records_command.command(cls=ToolCommand, examples=["tw records best tuned.jsonl conv_3"])
@click.argument("file", type=INPUT_FILE)
@click.argument("kernel")
def best(file: Path, kernel: str) -> None:
    """Print the best schedule of KERNEL (its name, or the start of its digest) in FILE."""
    found = [
        record
        for record in best_records(read_records(file)).values()
        if record.name == kernel or record.kernel.startswith(kernel)
    ]
    if not found:
        raise click.UsageError(f"{file} has no measured schedule of {kernel}")
    for record in found:
        click.echo(f"// @{record.name} for {record.target}: {record.speedup:.3f} times as fast")
        click.echo(record.schedule)


@records_command.command(cls=ToolCommand, examples=["tw records merge all.jsonl a.jsonl b.jsonl"])
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("files", nargs=-1, required=True, type=INPUT_FILE)
def merge(out: Path, files: Sequence[Path]) -> None:
    """Append the records of FILES, each once, to OUT, except those that OUT has."""
    known = {record.line() for record in read_records(out)} if out.exists() else set[str]()
    new = [record for record in merged(files) if record.line() not in known]
    append_records(out, new)
    click.echo(f"{counted(len(new), 'record')} added to {out}")


@records_command.command(cls=ToolCommand, examples=["tw records prune tuned.jsonl --keep 3"])
@click.argument("file", type=INPUT_FILE)
@click.option("--keep", default=1, show_default=True, type=click.IntRange(min=1))
def prune(file: Path, keep: int) -> None:
    """Keep the best records of each kernel and target in FILE; drop the others."""
    before = len(read_records(file))
    after = rewrite(file, lambda records: pruned(records, keep))
    click.echo(f"{counted(before - after, 'record')} dropped, {after} kept")
