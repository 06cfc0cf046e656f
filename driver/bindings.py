"""Export a model whose code depends on values of inputs, with one program per binding of values.

In: the declared interface, and for each binding of values a compiled module. Out: an archive
(.tar). `load_module` makes a module from the archive that chooses the program by the values of a
call (runtime/module/programs.py). Equal weights are stored once. Some backends also link several
programs into one library or executable (`Backend.export_programs`). Other formats hold a single
binding; the signature of the exported file then lacks the bound inputs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import PurePath
from typing import Any

from ..runtime.errors import ArgumentError
from ..runtime.file.archive import MAX_PROGRAMS, ArchiveMember, Program, program_archive
from ..runtime.module.programs import binding_fields, interface_fields
from ..targets.backend import Backend, BoundProgram, Export, ExportedFile, Interface


def check_bindings(values: Sequence[Mapping[str, Any]], name: str) -> None:
    """Check the bindings of values for which a user exports programs.

    A binding is a dictionary of values by input name; all bindings must have the same keys.
    name: the name of the user's argument with the bindings, for messages.

    Errors: ArgumentError if the keys differ, and if there is no binding or there are too many.
    """
    if not 1 <= len(values) <= MAX_PROGRAMS or any({*v} != {*values[0]} for v in values):
        raise ArgumentError(
            f"{name}: values= is no list of bindings",
            expected=f"1 to {MAX_PROGRAMS} mappings of the same inputs",
            got="; ".join(", ".join(binding) for binding in values) or "none",
            hint='pass values=[{"target": [2, 6]}, {"target": [3, 4]}]',
        )


def check_set_format(path: str | PathLike[str], backend: Backend) -> None:
    """Check that the file format that a path names can hold several programs.

    Errors: ArgumentError if the format holds only one program.
    """
    suffix = PurePath(path).suffix
    if suffix in backend.set_exports:
        return
    named = [repr(each) if each else "no suffix (a program)" for each in backend.set_exports]
    raise ArgumentError(
        f"{PurePath(path).name!r} holds one program",
        expected=f"one binding, or a file with {', '.join(named)} or '.tar'",
        got=f"the suffix {suffix!r}",
        hint="export to a .so or .tar, which load_module loads",
    )


def programs_file(
    file: str, interface: Interface, programs: Sequence[BoundProgram], imports: bytes
) -> ExportedFile:
    """Return an archive that contains several programs of a model.

    file: the name of the archive.  interface: the inputs and outputs that the model declares.
    programs: the compiled program for each binding of values.
    imports: the encoded imported modules (see `Export`), stored in the first program's library.
    """
    stem = PurePath(file).stem
    known: dict[str, ArchiveMember] = {}
    rows: list[tuple[Mapping[str, Any], Program]] = []
    for number, program in enumerate(programs):
        held = imports if number == 0 else b""
        made = _members(f"{stem}.{number}", program, known, held)
        rows.append((binding_fields(program.values), made))
    parts = program_archive(
        interface_fields(interface.name, interface.inputs, interface.outputs), rows
    )
    return ExportedFile(file, tuple(parts))


def _members(
    stem: str, program: BoundProgram, known: dict[str, ArchiveMember], imports: bytes
) -> Program:
    """Return the archive members of a program: its library, its graph and its weights.

    stem: the file name of the members, without a suffix.
    known: the weight members of earlier programs, by digest; equal weights share a member, and a
    new one is added.
    imports: the encoded imported modules to store in the library.
    """
    export = Export(f"{stem}.so", is_embedded=False, facts=program.facts, imports=imports)
    *weights, library = program.backend.export(program.artifact, export)
    parts = tuple(part for file in weights for part in file.parts)
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    name = weights[0].name if weights else f"{stem}.safetensors"
    params = known.setdefault(digest.hexdigest(), ArchiveMember(name, parts))
    graph = ArchiveMember(f"{stem}.json", (program.graph.encode(),))
    return ArchiveMember(library.name, library.parts), graph, params
