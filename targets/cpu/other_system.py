"""The backend of CPUs whose files other linkers make: the same kernels, in files of their systems.

The systems are Windows, macOS and iOS, and Linux with addresses of 32 bits.  A compiled program
keeps its objects; an export links them (emit/other_system.py) by a linker of the system's format.
This process runs no such code.
"""

from __future__ import annotations

from functools import partial

from ...machines.target import Target
from ...runtime.abi.library import LoadError
from ...runtime.file.manifest import Manifest
from ...runtime.module.loading import LoadedCode, UnloadedLibrary, weights_blob
from ...support.diagnostics import TargetError
from ...support.lazy import call
from ..backend import Abilities, Ability, Artifact, check_machine
from .backend import CpuBackend, emulation

_WIDE = ("x86_64", "aarch64")
MACHINES = {"coff": _WIDE, "elf32": ("armv7", "hexagon"), "macho": _WIDE}
"""The instruction sets of each object format."""
_FINDERS = {
    "coff": "codegen.coff:find_dll_linker",
    "elf32": "codegen.external_tool:find_zig",
    "macho": "codegen.external_tool:find_zig",
}
"""The function that finds the linker of an object format."""


class OtherSystemBackend(CpuBackend):
    """The backend that emits libraries for Windows, macOS and iOS, and 32-bit Linux programs."""

    emitter = "tilewright.targets.cpu.emit.other_system:OtherSystemEmitter"
    exporter = "tilewright.targets.cpu.emit.other_system:exported"
    exports = (".dll", ".dylib", ".o", "")
    set_exports = ()
    import_exports = ()

    def check_host(self, target: Target) -> None:
        raise TargetError(
            "this machine has another system than the target",
            expected=str(Target.native()),
            got=str(target),
            hint="tw compile MODEL --target TARGET -o FILE writes a file for such a machine",
        )

    def check_module(self, target: Target) -> None:
        check_machine(target)
        machines = MACHINES[target.main_platform.object_format]
        if target.architecture not in machines:
            raise TargetError(
                "modules are not made for the system of the target",
                expected=" or ".join(machines),
                got=target.triple,
            )

    def abilities(self, target: Target) -> Abilities:
        find = f"tilewright.{_FINDERS[target.main_platform.object_format]}"
        is_linked = bool(call(find))
        note = "" if is_linked else "no linker: pip install tilewright[cross]"
        emulates = emulation(target) if is_linked else Ability(False)
        return Abilities(Ability(True), Ability(is_linked, note), Ability(False), emulates)

    def load(self, artifact: Artifact, threads: int | None) -> LoadedCode:
        return unloaded_code(
            artifact,
            "this machine cannot run the code of the module",
            str(Target.native()),
            "export_library, or tw compile MODEL --target TARGET -o FILE, writes it for a "
            'machine that can; target="native" compiles for this one',
        )

    def portable_code(self, artifact: Artifact) -> bytes:
        return bytes(artifact.code)


def unloaded_code(artifact: Artifact, reason: str, expected: str, hint: str) -> LoadedCode:
    """Return the code of a program that this process cannot run: calls raise an error.

    artifact: the program, whose code is its manifest.  reason, expected, hint: texts of the error.
    """
    manifest = Manifest.parse(bytes(artifact.code).decode())
    text, got = f"{manifest.name}: {reason}", manifest.target
    refusal = partial(LoadError, text, expected=expected, got=got, hint=hint)
    library = UnloadedLibrary(refusal)
    blob = weights_blob(artifact.weights, manifest.weights_bytes)
    return LoadedCode(library, manifest, threads=1, weights=blob, process_code=library.process_code)


OTHER_SYSTEM = OtherSystemBackend()
"""The only instance of this backend."""
