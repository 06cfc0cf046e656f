"""``tw fuzz``: check random programs, by planning for many machines or running on this one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ...machines.target import unknown
from ...testing.fuzz.checks import FAILURES, OUTCOMES
from ...testing.fuzz.families import FAMILIES
from ...testing.fuzz.graphs import GRAPHS
from ...testing.fuzz.program import MODES
from ...testing.fuzz.runner import FuzzRecord, cases, run_cases, saved_case
from ...testing.fuzz.te_programs import TE_PROGRAMS
from ..options import ProgramFile, WrittenPath
from ..terminal import show_table, terminal
from .help import ToolCommand


@click.command(
    cls=ToolCommand,
    examples=["tw fuzz --count 20", "tw fuzz --mode run --family conv --seed 100 --out failures"],
)
@click.option("--family", "families", multiple=True, metavar="NAME", help="Default: all.")
@click.option("--seed", default=0, show_default=True, help="The first seed.")
@click.option("--count", default=100, show_default=True, type=click.IntRange(min=1))
@click.option(
    "--target",
    "targets",
    multiple=True,
    help="A class such as avx2-512, or a target. Default: two classes, this processor.",
)
@click.option(
    "--program",
    "programs",
    multiple=True,
    type=ProgramFile(),
    help="A file to check in place of random ones.",
)
@click.option("--mode", type=click.Choice(MODES), default="plan", show_default=True)
@click.option(
    "--out",
    default=Path("tw-fuzz"),
    show_default=True,
    type=WrittenPath(file_okay=False, path_type=Path),
    help="Folder for the log and failures.",
)
@click.option("--resume", is_flag=True, help="Go on with the log in --out.")
@click.option("--timeout", "timeout_s", default=120.0, show_default=True, help="Seconds a case.")
@click.option("--memory", "memory_gib", default=6.0, show_default=True, help="GiB of the worker.")
def fuzz(
    families: Sequence[str],
    seed: int,
    count: int,
    targets: Sequence[str],
    programs: Sequence[Path],
    mode: str,
    out: Path,
    resume: bool,
    timeout_s: float,
    memory_gib: float,
) -> None:
    """Check random programs; a seed makes the same program on every machine.

    Mode plan imports, plans and lowers for other machines; mode run compiles for this one, a device
    or another CPU in its emulator, and compares with the interpreter, onnxruntime, and 2 and 3
    threads; mode calls passes random arguments; mode sizes compiles a model with symbolic sizes and
    runs it with three sizes; mode gradient compares gradients with differences in f64.  A program
    that fails is saved with the command that replays it; exit code 1 for a failure.
    """
    for family in families:
        if family not in FAMILIES:
            raise unknown("family", family, FAMILIES)
    log = out / "log.jsonl"
    if not resume:
        log.unlink(missing_ok=True)
    console = terminal(stderr=True)
    if programs:
        wanted = [saved_case(file, mode, targets) for file in programs]
    else:
        every = _FAMILIES_OF_MODE.get(mode, FAMILIES)
        wanted = list(cases(families or every, seed, count, mode, targets))
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("cases", total=len(wanted))

        def done(record: FuzzRecord) -> None:
            progress.advance(task)
            if record.is_failure:
                progress.console.print(f"{record.outcome}: {record.command}", markup=False)

        records = run_cases(
            wanted,
            log=log,
            failures=out / "failures",
            timeout_s=timeout_s,
            memory_bytes=int(memory_gib * 2**30),
            progress=done,
        )
    report(records, terminal())
    if any(record.is_failure for record in records):
        raise click.exceptions.Exit(1)


_FAMILIES_OF_MODE = {
    "sizes": tuple(GRAPHS),
    "gradient": (*GRAPHS, *(f"te.{name}" for name in TE_PROGRAMS)),
}
"""The families that a mode checks, for modes that do not check all of them."""


def report(records: Sequence[FuzzRecord], console: Console) -> None:
    """Print a table of the outcomes by family, and the failures, grouped by cause."""
    show_table(console, _table(records))
    causes: dict[tuple[str, str], list[FuzzRecord]] = defaultdict(list)
    for record in records:
        if record.is_failure:
            causes[record.outcome, record.signature].append(record)
    for (outcome, signature), found in sorted(causes.items(), key=lambda item: -len(item[1])):
        console.print(f"{len(found)} x {outcome}: {signature}", markup=False)
        console.print(f"    {found[0].command}", markup=False, soft_wrap=True)


def _table(records: Sequence[FuzzRecord]) -> Table:
    table = Table("family", title="random programs")
    shown = [kind for kind in OUTCOMES if any(record.outcome == kind for record in records)]
    for name in ("programs", *shown, "s / program"):
        table.add_column(name, justify="right", style="red" if name in FAILURES else None)
    groups: dict[str, list[FuzzRecord]] = defaultdict(list)
    for record in records:
        groups[record.family].append(record)
    for family, found in groups.items():
        table.add_row(family, *_cells(found, shown))
    if len(groups) > 1:
        table.add_section()
        table.add_row("all", *_cells(records, shown))
    return table


def _cells(records: Sequence[FuzzRecord], kinds: Sequence[str]) -> list[str]:
    count = Counter(record.outcome for record in records)
    time_s = sum(record.time_s for record in records) / len(records)
    return [str(len(records)), *(str(count[kind] or "") for kind in kinds), f"{time_s:.2f}"]
