"""``tw tune``: search faster schedules of a model's kernels, and record them.

In: a model and a budget.  Out: a file of records, and a table of the tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.live import Live
from rich.markup import escape
from rich.table import Column, Table

from ...runtime.rpc.places import RpcPlace
from ...support.tuning_records import GRAPH_SPACE
from ...tuning.machines import machines
from ...tuning.searches import SEARCHES
from ...tuning.shares import model_tasks, time_shares
from ...tuning.task import Task
from ...tuning.task_search import TaskSearch
from ...tuning.tuner import Progress, tune, whole_speedup
from ..options import CommandRequest, model_options, refuse_options
from ..remote import rpc_options
from ..tables import counted, sparkline
from ..terminal import numbers, show_table, show_text, terminal
from .help import ToolCommand

SHOWN = 12
"""The most tasks that the table shows while the search runs."""


@click.command(
    "tune",
    cls=ToolCommand,
    examples=[
        "tw tune model.onnx --budget 5m --records tuned.jsonl",
        "tw tune model.onnx --target cortex-a72 --rpc 127.0.0.1:9190 --key rpi4",
    ],
)
@model_options
@click.option("--tasks", "only_tasks", is_flag=True, help="List the tasks; measure no schedule.")
@click.option("--budget", default="1m", show_default=True, metavar="5m", help="Time (s, m, h).")
@click.option(
    "--records",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of the measurements.",
)
@click.option("--trials", type=click.IntRange(min=1), help="The most schedules to try.")
@click.option(
    "--space", default="plan", help="plan (default), sketch, graph (layouts), a template."
)
@click.option(
    "--search",
    type=click.Choice([*SEARCHES]),
    metavar="NAME",
    help="evolution, random, coordinate, annealing, trees.",
)
@click.option("--seed", default=0, show_default=True, help="Of the random numbers.")
@click.option(
    "--scheduler", hidden=True, metavar="ADDRESS", help="Time on a Dask cluster, tcp://HOST:PORT."
)
@rpc_options
def tune_command(
    request: CommandRequest,
    only_tasks: bool,
    budget: str,
    records: Path | None,
    trials: int | None,
    space: str,
    search: str | None,
    seed: int,
    scheduler: str | None,
    place: RpcPlace | None,
) -> None:
    """Search faster schedules of MODEL, or continue the search of --records."""
    refuse_options(
        request,
        "the search writes schedules; --records has those of earlier searches",
    )
    shapes, values, threads = request.shapes or None, request.values or None, request.threads or 1
    model, name = str(request.model), request.model.name
    if only_tasks:
        tasks = model_tasks(
            model,
            target=request.target,
            precision=request.precision,
            shapes=shapes,
            values=values,
            threads=threads,
        )
        show_table(terminal(), _task_table(tasks, name))
        return
    console = terminal(stderr=True)
    with (
        Live(console=console, auto_refresh=False, transient=True) as live,
        machines(place, scheduler, is_model=space == GRAPH_SPACE) as (runner, in_flight),
    ):

        def show(progress: Progress) -> None:
            if console.is_terminal:
                live.update(
                    _search_table(progress.tasks[:SHOWN], _title(name, progress)), refresh=True
                )

        tuned = tune(
            model,
            budget=budget,
            trials=trials,
            records=records,
            space=space,
            search=search,
            seed=seed,
            runner=runner,
            in_flight=in_flight,
            progress=show,
            target=request.target,
            precision=request.precision,
            shapes=shapes,
            values=values,
            threads=threads,
        )
    show_table(terminal(), _search_table(tuned.tasks, name))
    words = f"{counted(tuned.trials, 'schedule')} in {tuned.seconds:.0f} s"
    show_text(terminal(), f"{words}; the kernels together {tuned.speedup:.3f} times as fast")
    if records is None:
        show_text(terminal(), "no --records FILE: the schedules are lost", "dim")


def _title(name: str, progress: Progress) -> str:
    speedup = whole_speedup(progress.tasks)
    return f"{name}: {progress.elapsed_s:.0f} s, {speedup:.3f} times as fast"


def _task_table(tasks: Sequence[Task], title: str) -> Table:
    columns = numbers("calls", "GFLOP", "µs", "share")
    digest = Column("digest", no_wrap=True)
    table = Table(Column("kernel", overflow="fold"), *columns, digest, title=title)
    for task, share in time_shares(tasks):
        work = f"{1e-9 * task.calls * task.flops:.3f}"
        cells = str(task.calls), work, f"{1e6 * task.measured_s:.0f}", f"{share:.1%}"
        table.add_row(escape(task.name), *cells, task.digest[:12])
    return table


def _search_table(tasks: Sequence[TaskSearch], title: str) -> Table:
    columns = numbers("share", "trials", "refused", "speedup", "model ρ")
    table = Table(Column("kernel", overflow="fold"), *columns, "best so far", title=title)
    for task in tasks:
        rank = task.rank_correlation
        cells = f"{task.share:.1%}", str(task.trials), str(task.refused), f"{task.speedup:.3f}"
        curve = sparkline(task.best_so_far)
        table.add_row(escape(task.task.name), *cells, "" if rank is None else f"{rank:.2f}", curve)
    return table
