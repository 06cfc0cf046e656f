"""Files that other linkers make: for Windows, macOS and iOS, and for Linux on CPUs of 32 bits.

In: the program of a model for one of these systems.  Out: an artifact whose code is the manifest,
and in an export a DLL with an import library, a dylib, an object, or for Linux a static program.
The file contains the weights; it has no threads of its own, no sessions, and no entry for Python.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from ....codegen.archive import archive
from ....codegen.coff import link_dll
from ....codegen.linker import Blob
from ....codegen.macho import link_library, link_object
from ....codegen.narrow_program import link_program
from ....codegen.objects import part_objects
from ....machines.target import Target
from ....runtime import include_dir
from ....runtime.abi.constants import MODULE_SYMBOLS
from ....runtime.errors import ArgumentError
from ....runtime.file.archive import archived
from ....runtime.file.manifest import Manifest
from ....support.diagnostics import TargetError
from ...backend import Artifact, Export, ExportedFile, Program
from ...library.executor_code import output_count
from ...library.shared_object import ExportedWeights, describing_blobs
from .emission import CpuEmitter
from .program import CpuProgram
from .program_code import program_tables


@dataclass(frozen=True)
class _Given:
    """The parts that make a file: objects, constants, exported symbols, and the file's name.

    machine: the instruction set.  system: the system, as in a triple.
    """

    objects: Sequence[bytes]
    blobs: Sequence[Blob]
    symbols: Sequence[str]
    machine: str
    system: str
    file: str
    manifest: Manifest


_PARTS: Mapping[str, tuple[str, ...]] = {
    "coff": ("embedded", "windows"),
    "elf32": (),
    "macho": ("embedded",),
}
"""The parts of the prelude that a library has in addition to its entry, by object format."""


def _dll(given: _Given) -> list[ExportedFile]:
    made, library = link_dll(
        given.objects,
        blobs=given.blobs,
        exports=given.symbols,
        machine=given.machine,
        file=given.file,
    )
    name = PurePath(given.file).with_suffix(".lib").name
    return [ExportedFile(name, (library,)), ExportedFile(given.file, (made,))]


def _dylib(given: _Given) -> list[ExportedFile]:
    made = link_library(
        given.objects,
        blobs=given.blobs,
        machine=given.machine,
        system=given.system,
        file=given.file,
    )
    return [ExportedFile(given.file, (made,))]


def _object(given: _Given) -> list[ExportedFile]:
    made = link_object(given.objects, blobs=given.blobs, machine=given.machine, system=given.system)
    return [ExportedFile(given.file, (made,))]


def _program(given: _Given) -> list[ExportedFile]:
    blobs = (*given.blobs, output_count(given.manifest), *program_tables(given.manifest))
    made = link_program(given.objects, blobs=blobs, machine=given.machine, sources=include_dir())
    return [ExportedFile(given.file, (made,), is_program=True)]


_MAKERS: Mapping[tuple[str, str], Callable[[_Given], list[ExportedFile]]] = {
    (".dll", "windows"): _dll,
    (".dylib", "darwin"): _dylib,
    (".o", "darwin"): _object,
    (".o", "ios"): _object,
    ("", "linux"): _program,
}
"""The function that makes the files of each format, by suffix and system, the main file last."""


class OtherSystemEmitter(CpuEmitter):
    """The emitter for these systems: LLVM compiles the program; an export links the objects."""

    def link(self, program: Program, objects: Sequence[bytes]) -> Artifact:
        assert isinstance(program, CpuProgram), "it was emitted for CPUs"
        if program.is_profiled or program.annotated_text:
            raise TargetError(
                "profiles and line tables are not made for the system of the target",
                got=self.target.triple,
                hint="leave out profile= and debug_info=",
            )
        platform = self.target.platform
        assert platform is not None, "a target of CPUs has a platform"
        parts = part_objects(_PARTS[platform.object_format], self.target.triple, self.cache)
        every = archive((*objects, *parts))
        manifest = json.loads(program.entry.manifest())
        text = json.dumps(manifest | {"symbols": program.own_symbols}).encode()
        return Artifact(text, b"", program.weights.data, objects=every)


def exported(artifact: Artifact, export: Export) -> Sequence[ExportedFile]:
    """Return the files of an exported model, the main file last.

    Errors: ArgumentError for a format of another system, and for a model that calls functions of
    its process or has states; LinkError.
    """
    fields = json.loads(bytes(artifact.code))
    manifest = Manifest.parse(json.dumps(fields))
    platform, suffix = Target(manifest.target).platform, PurePath(export.file).suffix
    assert platform is not None, "a target of CPUs has a platform"
    make = _MAKERS.get((suffix, platform.system))
    if make is None:
        offered = [ending for ending, system in _MAKERS if system == platform.system]
        raise ArgumentError(
            f"{export.file!r} is no file of the target's system",
            expected=f"a file that ends in {' or '.join(offered)}"
            if offered != [""]
            else "a program, a file without a suffix",
            got=f"the suffix {suffix!r} for {platform.triple}",
        )
    if manifest.externs or export.facts.get("states"):
        raise ArgumentError(
            f"{manifest.name} has states or calls functions of its process",
            expected="a model without them",
            got=platform.triple,
            hint="export it for Linux",
        )
    weights = memoryview(artifact.weights).cast("B")
    held = ExportedWeights.of(weights, replace(export, is_embedded=True))
    facts = {name: value for name, value in held.facts.items() if name != "rest_sha256"}
    symbols = [*MODULE_SYMBOLS, *fields.pop("symbols")]
    blobs = describing_blobs(fields | facts | export.facts, held, b"")
    objects = [bytes(each) for each in archived(memoryview(artifact.objects), "the objects")]
    machine, system = platform.architecture, platform.system
    return make(_Given(objects, blobs, symbols, machine, system, export.file, manifest))
