"""The backend of CPUs under Windows, macOS and iOS: the same kernels, in files of these systems.

A compiled program keeps its objects; an export links them (emit/other_system.py) by a linker of the
system's format.  This process runs no such code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from ...machines.target import Target
from ...runtime.abi.library import LoadError
from ...runtime.file.manifest import Manifest
from ...runtime.module.loading import LoadedCode, UnloadedLibrary, weights_blob
from ...support.diagnostics import TargetError
from ...support.lazy import load
from ..backend import Abilities, Ability, Artifact, Export, ExportedFile, check_machine
from .backend import CpuBackend

MACHINES = ("x86_64", "aarch64")
"""The instruction sets of these systems."""
_FINDERS = {"coff": "codegen.coff:find_dll_linker", "macho": "codegen.external_tool:find_zig"}
"""The function that finds the linker of an object format."""


class OtherSystemBackend(CpuBackend):
    """The backend that emits libraries for Windows, macOS and iOS."""

    emitter = "tilewright.targets.cpu.emit.other_system:OtherSystemEmitter"
    exports = (".dll", ".dylib", ".o")
    set_exports = ()
    import_exports = ()

    def check_host(self, target: Target) -> None:
        raise TargetError(
            "this machine has another system than the target",
            expected=str(Target.native()),
            got=str(target),
            hint="tw compile MODEL --target TARGET -o m.dll or m.dylib writes a library",
        )

    def check_module(self, target: Target) -> None:
        check_machine(target)
        if target.architecture not in MACHINES:
            raise TargetError(
                "modules are not made for the system of the target",
                expected=" or ".join(MACHINES),
                got=target.triple,
            )

    def abilities(self, target: Target) -> Abilities:
        assert target.platform is not None, "a target of CPUs has a platform"
        find = load(f"tilewright.{_FINDERS[target.platform.object_format]}")
        is_linked = bool(cast("Callable[[], object]", find)())
        note = "" if is_linked else "no linker: pip install tilewright[cross]"
        return Abilities(Ability(True), Ability(is_linked, note), Ability(False), Ability(False))

    def load(self, artifact: Artifact, threads: int | None) -> LoadedCode:
        manifest = Manifest.parse(bytes(artifact.code).decode())
        refusal = partial(
            LoadError,
            f"{manifest.name}: this machine cannot run the code of the module",
            expected=str(Target.native()),
            got=manifest.target,
            hint="export_library, or tw compile MODEL --target TARGET -o m.dll, writes it for a "
            'machine that can; target="native" compiles for this one',
        )
        library = UnloadedLibrary(refusal)
        blob = weights_blob(artifact.weights, manifest.weights_bytes)
        return LoadedCode(
            library, manifest, threads=1, weights=blob, process_code=library.process_code
        )

    def export(self, artifact: Artifact, export: Export) -> Sequence[ExportedFile]:
        make = load("tilewright.targets.cpu.emit.other_system:exported")
        return cast("Callable[[Artifact, Export], Sequence[ExportedFile]]", make)(artifact, export)

    def portable_code(self, artifact: Artifact) -> bytes:
        return bytes(artifact.code)


OTHER_SYSTEM = OtherSystemBackend()
"""The only instance of this backend."""
