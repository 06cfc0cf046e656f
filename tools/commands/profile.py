"""``tw profile``: the time of each kernel of a model, recorded inside runs of the model.

In: a model and inputs. Out: a table or JSON, with one row per kernel, and if wanted a page with the
roofline, the table and the memory plan, or a trace. The work is that of `CompiledModule.profile`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Column, Table

from ...driver.module.compiled_module import CompiledModule
from ...runtime import display
from ...runtime.display import Markup
from ...runtime.measure.profile import KernelProfile, Profile
from ...runtime.rpc.places import RpcPlace
from ..compilation import ReadyModel
from ..loading import ready_model
from ..options import CommandRequest, Feed, OutputFile, input_options, model_options
from ..remote import remote_model, rpc_options
from ..tables import counted
from ..terminal import numbers, show_table, show_text, terminal
from .help import ToolCommand


@click.command(
    "profile",
    cls=ToolCommand,
    examples=[
        "tw profile model.onnx --threads 1 --html profile.html --trace run.json",
        "tw profile model.onnx --rpc 127.0.0.1:9190 --key rpi4",
    ],
)
@model_options
@input_options
@rpc_options
@click.option("--rounds", default=20, show_default=True, type=click.IntRange(min=1))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--html",
    type=OutputFile(),
    help="Write a page: roofline, kernels, memory plan.",
)
@click.option(
    "--trace",
    type=OutputFile(),
    help="Write one run for Perfetto or chrome://tracing.",
)
@click.option("--nodes", "all_nodes", is_flag=True, help="List all nodes of each kernel.")
def profile_command(
    request: CommandRequest,
    feed: Feed,
    place: RpcPlace | None,
    rounds: int,
    as_json: bool,
    html: Path | None,
    trace: Path | None,
    all_nodes: bool,
) -> None:
    """Show the time of each kernel of MODEL, or of a file of compile --profile."""
    if place is not None:
        with remote_model(place, request, feed, profile=True) as remote:
            ready, where = remote.ready, remote.text()
            profile = remote.module.profile(ready.inputs, rounds=rounds)
    else:
        ready, where = ready_model(request, feed), ""
        profile = ready.module.profile(ready.inputs, threads=request.threads, rounds=rounds)
    if trace is not None:
        profile.trace(trace)
    if html is not None:
        page = _page(ready, profile, title=request.model.name)
        html.write_text(page, encoding="utf-8")
    if as_json:
        click.echo(json.dumps({"model": str(request.model), **_fields(profile)}))
        return
    console = terminal()
    show_table(console, _table(profile, title=request.model.name, all_nodes=all_nodes))
    if where:
        show_text(console, where)
    times = f"main {profile.run_us:.1f} µs; compiled module {profile.module_us:.1f} µs"
    show_text(console, times)
    if profile.roofline is not None:
        show_text(
            console,
            f"roofline, measured in this run, {counted(profile.threads, 'thread')}: "
            f"{1e-9 * profile.roofline.flops:.1f} GFLOP/s (f32), "
            f"{1e-9 * profile.roofline.bandwidth:.1f} GB/s (memory)",
            "dim",
        )


def _fields(profile: Profile) -> dict[str, object]:
    limits = None if profile.roofline is None else asdict(profile.roofline)
    return {
        "threads": profile.threads,
        "run_us": profile.run_us,
        "module_us": profile.module_us,
        "roofline": limits,
        "kernels": [asdict(row) for row in profile.rows],
    }


def _table(profile: Profile, *, title: str, all_nodes: bool) -> Table:
    kernel, *others, nodes = KernelProfile.COLUMNS
    table = Table(kernel, *numbers(*others), Column(nodes, overflow="fold"), title=title)
    for row in profile.rows:
        table.add_row(*map(escape, (*row.cells[:-1], _node_names(row.nodes, all_nodes=all_nodes))))
    return table


def _node_names(names: Sequence[str], *, all_nodes: bool) -> str:
    """Return the names of nodes; in short, the first name and the number of the others."""
    if all_nodes or len(names) < 2:
        return ", ".join(names)
    return f"{names[0]} and {len(names) - 1} more"


def _page(ready: ReadyModel, profile: Profile, *, title: str) -> str:
    module = ready.module
    return display.page(
        f"Profile of {title}",
        display.paragraph("for ", display.code(module.manifest.target)),
        *profile.html_parts(),
        display.heading("Memory plan", level=2),
        *_memory_parts(ready),
    )


def _memory_parts(ready: ReadyModel) -> Sequence[Markup]:
    """Return the parts of an HTML page that show the memory plan of the program that ran."""
    if not isinstance(ready.module, CompiledModule):
        note = "An exported file has no memory plan: profile the model that it was made from."
        return [display.paragraph(note, is_faint=True)]
    program = ready.module.specialize(ready.inputs)
    shapes = {spec.name: ready.inputs[spec.name].shape for spec in program.inputs}
    return program.memory_plan(shapes).html_parts()
