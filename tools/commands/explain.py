"""``tw explain``: why a kernel has its schedule, by the cost model.

In: a model and the name of a kernel.  Out: a table of the chosen point and the next best ones, with
the parts of their modelled time, their measured time, and their modelled instructions.
"""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.table import Column, Table

from ...machines.target import Target, missing_features
from ...support.diagnostics import TilewrightError
from ...tuning.explanation import Explained, explained, with_measured
from ...tuning.runner import WorkerRunner
from ...tuning.task import Task, tasks_of
from ..options import CommandRequest, model_options, refuse_options
from ..terminal import numbers, show_table, show_text, terminal
from .help import ToolCommand


@click.command(
    "explain",
    cls=ToolCommand,
    examples=[
        "tw explain model.onnx --kernel conv_3",
        "tw explain model.onnx --kernel matmul --target x86-64-v3",
    ],
)
@model_options
@click.option("--kernel", "name", required=True, metavar="NAME", help="A name of tw tune --tasks.")
@click.option("--others", default=3, show_default=True, metavar="N", help="Further points.")
def explain_command(request: CommandRequest, name: str, others: int) -> None:
    """Show the modelled time of a kernel's schedule by parts, and that of the next best schedules.

    On a machine that can run the target, the schedules are timed, too.
    """
    refuse_options(request, "the command explains the schedules that the plan writes")
    threads = request.threads or 1
    task = _task(request, name)
    points = explained(task, others=others, threads=threads)
    if not missing_features(Target(task.target)):
        with WorkerRunner() as runner:
            points = with_measured(task, points, runner, threads=threads)
    show_table(terminal(), _table(task, points))
    chosen = ", ".join(f"{knob} {value}" for knob, value in points[0].values.items())
    show_text(terminal(), f"chosen: {chosen}" if chosen else "the plan has no choice", "dim")


def _task(request: CommandRequest, name: str) -> Task:
    tasks = tasks_of(
        str(request.model),
        target=request.target,
        precision=request.precision,
        shapes=request.shapes or None,
        values=request.values or None,
    )
    found = next((task for task in tasks if task.name == name), None)
    if found is None:
        names = ", ".join(task.name for task in tasks)
        raise TilewrightError("the model has no such kernel", expected=names, got=name)
    return found


def _table(task: Task, points: Sequence[Explained]) -> Table:
    title = f"@{task.name}: {task.flops / 1e6:.1f} MFLOP, {points[0].cost.tasks} tasks; µs"
    names = [part for part in points[0].cost.parts if any(p.cost.parts[part] >= 1 for p in points)]
    counts = ["instructions"] if points[0].cost.instructions else []
    columns = numbers(*names, "modelled", "measured", *counts)
    table = Table(Column("point", overflow="fold"), *columns, title=title)
    for number, each in enumerate(points):
        rate = 1e6 * each.modelled_s / each.cost.cycles
        parts = [f"{rate * each.cost.parts[part]:.1f}" for part in names]
        measured = "" if each.measured_s is None else f"{1e6 * each.measured_s:.1f}"
        values = ", ".join(f"{knob} {value}" for knob, value in each.values.items())
        point = values if number else "chosen"
        cells = [f"{each.cost.instructions:,.0f}" for _ in counts]
        table.add_row(point, *parts, f"{1e6 * each.modelled_s:.1f}", measured, *cells)
    return table
