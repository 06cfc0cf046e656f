"""Files that other linkers make: for Windows, macOS and iOS, and for Linux on CPUs of 32 bits.

In: the program of a model for one of these systems.  Out: an artifact whose code is the manifest,
and in an export a DLL with an import library, a dylib, an object, or for Linux a static program.
The file contains the weights; it has no threads of its own, no sessions, and no entry for Python.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from ....codegen.archive import archive
from ....codegen.objects import part_objects
from ....machines.target import Target
from ....runtime.abi.constants import MODULE_SYMBOLS
from ....runtime.errors import ArgumentError
from ....runtime.file.archive import archived
from ....runtime.file.manifest import Manifest
from ....support.diagnostics import TargetError
from ...backend import Artifact, EmittedProgram, Export, ExportedFile
from ...library.shared_object import ExportedWeights, describing_blobs
from .emission import CpuEmitter
from .other_formats import MAKERS, Given
from .program import CpuProgram

_PARTS: Mapping[str, tuple[str, ...]] = {
    "coff": ("embedded", "windows"),
    "elf32": (),
    "macho": ("embedded",),
}
"""The parts of the prelude that a library has in addition to its entry, by object format."""


class OtherSystemEmitter(CpuEmitter):
    """The emitter for these systems: LLVM compiles the program; an export links the objects."""

    def link(self, program: EmittedProgram, objects: Sequence[bytes]) -> Artifact:
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
    manifest = Manifest.of(fields)
    platform, suffix = Target(manifest.target).platform, PurePath(export.file).suffix
    assert platform is not None, "a target of CPUs has a platform"
    make = MAKERS.get((suffix, platform.system))
    if make is None:
        offered = [ending for ending, system in MAKERS if system == platform.system]
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
    return make(Given(objects, blobs, symbols, machine, system, export.file, manifest))
