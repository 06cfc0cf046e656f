"""``tw conformance``: run the ONNX backend suite on compiled code; print tables and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
from rich.progress import Progress
from rich.table import Column, Table

from ...testing.conformance.runner import (
    OUTCOMES,
    SuiteResult,
    counts,
    deviations,
    read_expectations,
    run_suite,
    write_expectations,
    write_json,
)
from ...testing.conformance.suite import KINDS
from ..options import OutputFile, WrittenPath
from ..terminal import numbers, show_table, show_text, terminal
from .help import ToolCommand


@click.command(
    cls=ToolCommand,
    examples=["tw conformance --kind node --match conv --show", "tw conformance --by op"],
)
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Default: all.")
@click.option("--match", default="", help="Only cases whose name contains this.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(min=1))
@click.option("--timeout", "timeout_s", default=120.0, show_default=True, help="Seconds a case.")
@click.option("--by", type=click.Choice(["group", "op", "opset", "kind"]), default="group")
@click.option("--show", is_flag=True, help="List the cases that do not pass.")
@click.option("--json", "json_path", type=OutputFile())
@click.option("--expect", type=WrittenPath(dir_okay=False, path_type=Path), help="Compare with.")
@click.option("--update", is_flag=True, help="Rewrite the file of --expect.")
def conformance(
    kinds: Sequence[str],
    match: str,
    workers: int,
    timeout_s: float,
    by: str,
    show: bool,
    json_path: Path | None,
    expect: Path | None,
    update: bool,
) -> None:
    """Run the ONNX backend suite on compiled code.

    Exit code 1 if a case differs from the list of --expect, or fails where there is none.
    """
    results = _run(kinds or KINDS, match, workers, timeout_s)
    console = terminal()
    show_table(console, _table(results, by))
    if show:
        for each in results:
            if each.outcome != "pass":
                show_text(console, f"{each.name}: {each.outcome}: {each.message}")
    if json_path is not None:
        write_json(json_path, results)
    if expect is not None and update:
        write_expectations(expect, results)
    lines = deviations(results, read_expectations(expect) if expect else {})
    if expect is not None:
        for line in lines:
            show_text(console, line)
    if lines:
        raise click.exceptions.Exit(1)


def _run(kinds: Sequence[str], match: str, workers: int, timeout_s: float) -> list[SuiteResult]:
    console = terminal(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("cases", total=None)
        return run_suite(
            kinds=kinds,
            wanted=lambda name: match in name,
            workers=workers,
            timeout_s=timeout_s,
            progress=lambda _: progress.advance(task),
        )


def _heading(outcome: str) -> str:
    """Return the column title of an outcome, one word per line."""
    return "not\nsupported" if outcome == "unsupported" else outcome.replace("-", "\n")


def _table(results: Sequence[SuiteResult], by: str) -> Table:
    columns = numbers("cases", *map(_heading, OUTCOMES))
    table = Table(Column(by, overflow="fold"), *columns, title="ONNX backend suite")
    rows = counts(results, by)
    for key, count in rows.items():
        table.add_row(key, str(count.total()), *(str(count[o] or "") for o in OUTCOMES))
    if len(rows) > 1:
        total = sum(rows.values(), start=Counter[str]())
        table.add_section()
        table.add_row("all", str(total.total()), *(str(total[o] or "") for o in OUTCOMES))
    return table
