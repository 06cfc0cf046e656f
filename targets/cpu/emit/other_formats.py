"""The formats of files for other systems: what the linker of each format makes of a program.

In: the objects and constants of a program.  Out: the files, the main file last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from ....codegen.coff import link_dll
from ....codegen.linker import Blob
from ....codegen.macho import link_library, link_object
from ....codegen.narrow_program import link_program
from ....runtime import include_dir
from ....runtime.file.manifest import Manifest
from ...backend import ExportedFile
from ...library.executor_code import output_count
from .program_code import program_tables


@dataclass(frozen=True)
class Given:
    """The input of a linker for another system: the parts from which it makes a file.

    objects: object files.  blobs: constants.  symbols: the symbols to export.  machine: the
    instruction set.  system: the system, as in a triple.  file: the name of the file.  manifest:
    the description of the model.
    """

    objects: Sequence[bytes]
    blobs: Sequence[Blob]
    symbols: Sequence[str]
    machine: str
    system: str
    file: str
    manifest: Manifest


def _dll(given: Given) -> list[ExportedFile]:
    made, library = link_dll(
        given.objects,
        blobs=given.blobs,
        exports=given.symbols,
        machine=given.machine,
        file=given.file,
    )
    name = PurePath(given.file).with_suffix(".lib").name
    return [ExportedFile(name, (library,)), ExportedFile(given.file, (made,))]


def _dylib(given: Given) -> list[ExportedFile]:
    made = link_library(
        given.objects,
        blobs=given.blobs,
        machine=given.machine,
        system=given.system,
        file=given.file,
    )
    return [ExportedFile(given.file, (made,))]


def _object(given: Given) -> list[ExportedFile]:
    made = link_object(given.objects, blobs=given.blobs, machine=given.machine, system=given.system)
    return [ExportedFile(given.file, (made,))]


def _program(given: Given) -> list[ExportedFile]:
    blobs = (*given.blobs, output_count(given.manifest), *program_tables(given.manifest))
    made = link_program(given.objects, blobs=blobs, machine=given.machine, sources=include_dir())
    return [ExportedFile(given.file, (made,), is_program=True)]


MAKERS: Mapping[tuple[str, str], Callable[[Given], list[ExportedFile]]] = {
    (".dll", "windows"): _dll,
    (".dylib", "darwin"): _dylib,
    (".o", "darwin"): _object,
    (".o", "ios"): _object,
    ("", "linux"): _program,
}
"""The function that makes the files of each format, by suffix and system, the main file last."""
