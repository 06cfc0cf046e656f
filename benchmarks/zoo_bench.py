"""Networks of zoo/, ours and peers side by side: ratios, shares of the peak, memory, errors.

Run: python benchmarks/zoo_bench.py [--models NAMES] [--systems NAMES] [--threads N ...] [--write]

Every system runs in its own process and is stopped while another runs. Peers are the installed
packages of the extra ``peers``. Without networks as arguments all models are measured.
"""

from __future__ import annotations

import importlib.metadata
import logging
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from harness.chart import draw_chart
from harness.costs import Cost, cost, cost_sheet, merge_cost, read_costs
from harness.kernels import our_kernels, peer_nodes
from harness.page import write_page
from harness.results import Entry, entries, merge_results, read_results
from harness.roofline import ROOFLINE
from harness.rounds import started, take_turns
from harness.systems import SYSTEMS
from harness.tables import failures, sheets
from tilewright.machines.target import Target
from zoo.files import cache_folder, case_folder, make_case, read_case
from zoo.networks import ATTENTIONS, MODELS, NETWORKS, OPERATORS

GROUPS = {"models": MODELS, "operators": OPERATORS, "attentions": ATTENTIONS}

# Tables are wide: do not cut them at 80 columns without a terminal.
console = Console() if sys.stdout.isatty() else Console(width=200)


@dataclass(frozen=True)
class Plan:
    """The options of the measurement.

    target: the target for which we compile; empty: this machine.
    """

    threads: tuple[int, ...]
    target: str
    rounds: int
    window_s: float
    limit_s: float

    @property
    def machine(self) -> Target:
        """Return the target itself."""
        return Target(self.target) if self.target else Target.native()


def names_in(known: Sequence[str], groups: dict[str, Sequence[str]] | None = None) -> object:
    """Return a callback for an option that splits a list of names and rejects unknown names."""

    def read(_context: click.Context, _parameter: click.Parameter, text: str) -> list[str]:
        found: list[str] = []
        for word in text.replace(",", " ").split():
            found += (groups or {}).get(word, [word])
        unknown = [name for name in found if name not in known]
        if unknown:
            raise click.BadParameter(f"{', '.join(unknown)}; known: {', '.join(known)}")
        return found

    return read


@click.command(help=__doc__.split("\n")[0])
@click.option(
    "--models",
    default="models",
    show_default=True,
    callback=names_in(list(NETWORKS), GROUPS),
    help=f"Networks, or the groups {', '.join(GROUPS)}.",
)
@click.option(
    "--systems",
    default=" ".join(SYSTEMS),
    callback=names_in(list(SYSTEMS)),
    help="What is measured, in order; default: all that are installed.",
)
@click.option("--threads", multiple=True, type=click.IntRange(min=1), default=(1, 2))
@click.option("--rounds", default=8, show_default=True, type=click.IntRange(min=1))
@click.option("--window", "window_s", default=0.2, show_default=True, help="Seconds of a turn.")
@click.option("--limit", "limit_s", default=300.0, show_default=True, help="Seconds to compile.")
@click.option("--prepare", is_flag=True, help="Only make the files of the networks.")
@click.option("--costs", is_flag=True, help="Measure compile time and memory instead.")
@click.option("--kernels", is_flag=True, help="Time single kernels, and the nodes of peers.")
@click.option("--target", default="", help="What we compile for; default: this machine.")
@click.option("--most", default=15, show_default=True, help="Kernels that are shown.")
@click.option("--show", is_flag=True, help="Only show what earlier runs have found.")
@click.option(
    "--write",
    is_flag=True,
    help="Write docs/performance.md, and draw its chart.",
)
def main(
    models: list[str],
    systems: list[str],
    threads: tuple[int, ...],
    rounds: int,
    window_s: float,
    limit_s: float,
    target: str,
    prepare: bool,
    costs: bool,
    kernels: bool,
    most: int,
    show: bool,
    write: bool,
) -> None:
    if not show:
        make_files(models)
    if prepare:
        return
    plan = Plan(threads, target, rounds, window_s, limit_s)
    if kernels:
        tell_kernels(models, plan, most)
        return
    results, found = cache_folder() / "results.json", cache_folder() / "costs.json"
    if costs and not show:
        measure_costs(found, models, limit_s)
    elif not show:
        chosen = [name for name in systems if is_installed(name)]
        for name in models:
            for count in threads:
                merge_results(results, measured(name, chosen, count, plan))
    tell(read_results(results), read_costs(found), models)
    if write:
        write_page(read_results(results), read_costs(found))
        draw_chart()


def is_installed(system: str) -> bool:
    """Return whether the package of a system is installed."""
    try:
        importlib.metadata.version(SYSTEMS[system].package)
    except importlib.metadata.PackageNotFoundError:
        console.print(f"{system} is not installed and left out: see the extra [b]peers[/b]")
        return False
    return True


def make_files(models: Sequence[str]) -> None:
    """Export the networks that are not in the cache; exporters print many harmless warnings."""
    disabled = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings(action="ignore"):
            for name in models:
                if not case_folder(name).is_dir():
                    with console.status(f"exporting {name}"):
                        make_case(name)
    finally:
        logging.disable(disabled)


def measured(name: str, systems: Sequence[str], threads: int, plan: Plan) -> list[Entry]:
    """Measure systems with one network, side by side with the limits of the machine."""
    everything = [*systems, *ROOFLINE]
    log_path = cache_folder() / "workers.log"
    with console.status(name) as status, log_path.open("a") as log:
        limits = {"limit_s": plan.limit_s, "log": log, "tell": status.update}
        with started(everything, name, threads, plan.machine, **limits) as workers:
            status.update(f"{name}, {threads} threads: measuring")
            records = take_turns(workers, rounds=plan.rounds, window_s=plan.window_s)
    return entries(name, threads, read_case(name).facts, records, target=plan.target)


def measure_costs(path: Path, models: Sequence[str], limit_s: float) -> None:
    """Measure the cost of compiling each of the models, and store it in a file."""
    with (cache_folder() / "workers.log").open("a") as log:
        for name in models:
            with console.status(f"compiling {name}"):
                merge_cost(path, cost(name, log, limit_s))


def tell_kernels(models: Sequence[str], plan: Plan, most: int) -> None:
    """Print our slowest kernels of some networks, and the slowest nodes of peers."""
    for name in models:
        case = read_case(name)
        for count in plan.threads:
            how = {"threads": count, "runs": plan.rounds, "most": most}
            for sheet in (our_kernels(case, target=plan.machine, **how), *peer_nodes(case, **how)):
                console.print(sheet.rich())


def tell(known: Sequence[Entry], costs: Sequence[Cost], models: Sequence[str]) -> None:
    """Print the tables of results for some networks."""
    chosen = [entry for entry in known if entry.network in models]
    for sheet in (*sheets(chosen, models), cost_sheet(costs, models)):
        console.print(sheet.rich())
    for line in failures(chosen):
        console.print(line)


if __name__ == "__main__":
    main()
