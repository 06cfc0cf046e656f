"""``tw report-bug``: pack what a bug report needs into one archive.

In: a reproducer, which an internal error or a failing plan leaves, or any program.  Out: a zip file
with the program, its weights and the report of ``tw doctor``.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import cast

import click
from xdsl.dialects.builtin import (
    ArrayAttr,
    FusedLoc,
    ModuleOp,
    NameLoc,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation

from ... import ir
from ...support.entry import find_entry
from ..options import OutputFile, ProgramFile
from .doctor import examine
from .help import ToolCommand

_NAMED = ("tw.arg_names", "tw.result_names")
_COMMENT = "//"


@click.command(
    "report-bug",
    cls=ToolCommand,
    examples=[
        "tw report-bug /tmp/tilewright-crash-1.mlir",
        "tw report-bug crash.mlir --rename -o report.zip",
    ],
)
@click.argument("program", type=ProgramFile(), required=False)
@click.option("--rename", is_flag=True, help="Replace names of the model by n0, n1, …")
@click.option(
    "-o", "--output", type=OutputFile(), default=Path("tilewright-report.zip"), show_default=True
)
def report_bug(program: Path | None, rename: bool, output: Path) -> None:
    """Pack PROGRAM, its weights and the report of tw doctor into one file.

    PROGRAM is the reproducer that an error names, or a model. --rename replaces the names of
    functions, kernels, inputs, results and nodes in IR, and leaves out the traceback's comments.
    Values of weights are never packed with --rename.
    """
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        text = json.dumps([asdict(check) for check in examine()], indent=2)
        archive.writestr("doctor.json", text.replace(str(Path.home()), "~") + "\n")
        for name, data in _files(program, rename=rename):
            archive.writestr(name, data)
        names = archive.namelist()
    click.echo(f"{output}: {', '.join(names)}")


def _files(program: Path | None, *, rename: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the name and contents of each file about a program to pack."""
    if program is None:
        return
    if rename and program.suffix != ".mlir":
        raise click.UsageError(
            f"--rename changes IR, and {program} is none\n    hint: tw compile MODEL --to graph"
        )
    if rename:
        yield "program.mlir", renamed(program).encode()
        return
    yield program.name, program.read_bytes()
    weights = program.with_suffix(".safetensors")
    if weights.exists():
        yield weights.name, weights.read_bytes()


def renamed(program: Path) -> str:
    """Return the IR of a file with ``n0``, ``n1``, … in place of the names of a model.

    The names are those of functions, kernels, inputs, results and nodes.  Of the comments, only
    those of the first two lines are kept: they have the command that replays the failure.
    """
    module = ir.read(program)
    assert isinstance(module, ModuleOp), "a file of IR holds a module"
    lines = program.read_text().splitlines()
    command = [line for line in lines[:2] if line.startswith(_COMMENT)]
    names = _names(module)
    text = "\n".join([*command, str(module)]).replace(str(program), "THIS_FILE")
    numbers = {name: f"n{number}" for number, name in enumerate(sorted(names))}

    def other(found: re.Match[str]) -> str:
        mark, name = found.groups()
        return mark + numbers.get(name, name)

    return re.sub(r'(?<!\w)([@%"])([^\s"@%:,\[\]()<>]+)', other, text) + "\n"


def _names(module: ModuleOp) -> set[str]:
    """Return the names of symbols, nodes, inputs and results that `renamed` replaces.

    The name of the entry function is not among them.
    """
    main = find_entry(module)
    kept = set() if main is None else {main.sym_name.data}
    found = {name for op in module.walk() for name in _names_of(op)}
    return {name for name in found if name and name not in kept}


def _names_of(op: Operation) -> Iterator[str]:
    for key, attribute in {**op.properties, **op.attributes}.items():
        if key in ("sym_name", *_NAMED):
            yield from _strings(attribute)
        elif isinstance(attribute, SymbolRefAttr):
            yield attribute.string_value()
    location = getattr(op, "location", None)
    if isinstance(location, Attribute):
        yield from _strings(location)
    for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)):
        yield value.name_hint or ""


def _strings(attribute: Attribute) -> Iterator[str]:
    """Yield the names in an attribute or location: strings, also in arrays and fused locations."""
    match attribute:
        case StringAttr():
            yield attribute.data
        case ArrayAttr():
            for each in attribute.data:
                yield from _strings(each)
        case NameLoc():
            yield attribute.desc.data
        case FusedLoc():
            for each in cast("ArrayAttr[Attribute]", attribute.locations).data:
                yield from _strings(each)
        case _:
            pass
