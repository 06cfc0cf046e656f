"""``tw targets``: list the targets, and what this machine can do with each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

import click
from rich.markup import escape
from rich.table import Table

from ...driver.backends import backend_of, target_of
from ...machines.cpu import PROCESSORS
from ...machines.gpu import GPU_KINDS
from ...machines.names import NAMES, PROCESSOR_NAMES
from ...machines.target import KINDS, Target
from ...machines.tested import TESTED, Tested
from ...targets.backend import Abilities, Ability
from ..options import TargetText
from ..terminal import show_table, terminal
from .help import ToolCommand


@dataclass(frozen=True)
class TargetRow:
    """A target as `tw targets` lists it: its names, and what this machine can do with it.

    text: the shortest name.  target: the target.  names: the other names.  abilities: what this
    machine can do with the target.  tested: the models that ran on the target when its row in
    machines/tested.py was written; None if it has no row.
    """

    text: str
    target: Target
    names: tuple[str, ...]
    abilities: Abilities
    tested: Tested | None

    @property
    def section(self) -> str:
        """The title of the part of the table that shows the row."""
        return self.target.architecture or self.target.kind


@click.command(
    "targets",
    cls=ToolCommand,
    examples=["tw targets", "tw targets raspberrypi4 --json  # one target in full"],
)
@click.argument("texts", metavar="[TARGET]...", type=TargetText(), nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def targets_command(texts: Sequence[str], as_json: bool) -> None:
    """List all targets, or some, and what this machine can do with each.

    compile: make code; link: make modules and files; run: call them; emulate: run them by QEMU.
    tested: whether the project's tests executed models for the target, or a tool validated their
    code. JSON has the models and tools, and all names of each target.
    """
    rows = [_row(text) for text in texts or _listed()]
    if as_json:
        click.echo(json.dumps([_fields(row) for row in rows], indent=2))
    else:
        show_table(terminal(), _table(rows))


def _listed() -> Iterator[str]:
    """Yield the shortest name of each target: processors, then GPUs and the other kinds."""
    yield from PROCESSORS
    for kind in KINDS:
        row = GPU_KINDS.get(kind)
        if row is not None and row.gpus:
            yield from row.gpus
        elif kind != "llvm":
            yield kind


def _row(text: str) -> TargetRow:
    target = target_of(text)
    spelled: Mapping[str, str] = {**NAMES, **PROCESSOR_NAMES}
    others = tuple(name for name, known in spelled.items() if Target(known) == target)
    names = tuple(name for name in others if name != text)
    tested = {Target(each): row for each, row in TESTED.items()}.get(target)
    return TargetRow(text, target, names, backend_of(target).abilities(target), tested)


def _fields(row: TargetRow) -> Mapping[str, object]:
    """Return the fields of a row for JSON."""
    return {
        "name": row.text,
        "target": str(row.target),
        "triple": row.target.triple,
        "names": row.names,
        **asdict(row.abilities),
        "tested": None if row.tested is None else asdict(row.tested),
    }


def _table(rows: Sequence[TargetRow]) -> Table:
    table = Table("target", "compile", "link", "run", "emulate", "tested")
    for section, those in groupby(rows, key=lambda row: row.section):
        members = [*those]
        if len(members) > 1:
            table.add_row(f"[bold]{escape(section)}[/bold]")
        for row in members:
            found = row.abilities
            cells = (found.compiles, found.links, found.runs, found.emulates)
            names = (row.text, *(name for name in row.names if "/" not in name))
            tested = "-" if row.tested is None else row.tested.status
            table.add_row(escape(", ".join(names)), *map(_cell, cells), tested)
        table.add_section()
    return table


def _cell(ability: Ability) -> str:
    return escape(ability.note or ("yes" if ability.is_there else "-"))
