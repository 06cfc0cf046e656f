"""``tw inspect m.so``: print the contents of an exported file, as tables or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from platform import machine

import click
from rich.markup import escape
from rich.table import Table

from ...machines.target import Target, running_target
from ...runtime.display import byte_text
from ...runtime.module.inspection import FileReport, inspect_file
from ...support.diagnostics import TargetError
from ..tables import flops_text, kernel_table
from ..terminal import show_table, show_text, terminal


def show_file(path: Path, *, as_json: bool) -> None:
    """Print the contents of an exported file, as tables or as JSON.

    Errors: LoadError if the file is damaged or was not written by `export_library`.
    """
    report = inspect_file(path)
    if as_json:
        click.echo(json.dumps(asdict(report), indent=2))
        return
    console = terminal()
    for line in _lines(report):
        show_text(console, line)
    show_table(console, _interface(report))
    show_table(console, kernel_table(report.kernels, is_dynamic=bool(report.sizes)))
    if report.params:
        show_table(console, _params(report))
    sections = Table("section", "bytes", title="sections")
    for section in report.sections:
        sections.add_row(section.name, f"{section.size_bytes:,}")
    show_table(console, sections)


def _lines(report: FileReport) -> Iterator[str]:
    kind = f"{report.kind} for {report.machine}"
    yield f"{report.file}: {byte_text(report.file_bytes)}, {kind}, by {report.compiler}"
    yield f"target: {report.target}"
    yield f"processor features: {_listed(report.cpu_flags)}"
    yield from _processors(report.target)
    weights = report.weights
    file = f" ({weights.file})" if weights.file else ""
    yield f"weights: {byte_text(weights.size_bytes)}, {weights.place}{file}"
    arena = "by sizes" if report.sizes else byte_text(report.arena_bytes)
    sizes = " for likely sizes" if report.sizes else ""
    yield f"one call: {flops_text(report.flops)}{sizes}, arena {arena}"
    yield f"named sizes: {_listed(report.sizes)}"
    for binding in report.bindings:
        yield f"program for {binding}"
    for state in report.states:
        yield f"state: {state['output']} becomes {state['input']} in the next call"
    if report.functions:
        yield f"functions of the process: {_listed(report.functions)}"
    strong = [each.name for each in report.undefined if not each.is_weak]
    weak = [each.name for each in report.undefined if each.is_weak]
    yield f"undefined symbols: {_listed(strong)}"
    yield f"undefined weak symbols: {_listed(weak)}"


def _processors(text: str) -> Iterator[str]:
    """Yield a line that lists the processors for which a program has code, if there are several.

    text: the target of the program.
    """
    try:
        target = Target(text)
    except TargetError:  # another package's target
        return
    if target.alternatives:
        names = ", ".join(each.cpu for each in (target, *target.alternatives))
        here = running_target(target).cpu if target.architecture == machine() else "none of them"
        yield f"code for the processors {names}; this machine runs {here}"


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names) or "none"


def _interface(report: FileReport) -> Table:
    table = Table("", "name", "type", title=report.name)
    for kind, specs in (("in", report.inputs), ("out", report.outputs)):
        for spec in specs:
            table.add_row(kind, escape(spec.name), escape(str(spec)))
    return table


def _params(report: FileReport) -> Table:
    table = Table("parameter", "type", "load_params refuses it because", title="parameters")
    for spec in report.params:
        table.add_row(escape(spec.name), escape(str(spec)), escape(spec.reason))
    return table
