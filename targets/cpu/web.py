"""The backend of WebAssembly: the kernels of CPUs, in a module that browsers and node run.

A compiled program keeps its objects; an export links them (emit/web_export.py) and writes an ES
module with the types of the model next to the WebAssembly module.  This process runs no such code.
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
from ..backend import Ability, Artifact, Export, ExportedFile, check_machine
from .backend import CpuBackend


class WebBackend(CpuBackend):
    """The backend that emits WebAssembly modules."""

    emitter = "tilewright.targets.cpu.emit.web:WebEmitter"
    exports = (".wasm",)
    set_exports = ()
    import_exports = ()

    def check_host(self, target: Target) -> None:
        raise TargetError(
            "WebAssembly modules run in browsers and in node",
            expected=str(Target.native()),
            got=str(target),
            hint="tw run MODEL --target wasm32 runs one in node",
        )

    def check_module(self, target: Target) -> None:
        check_machine(target)

    def _linking(self, target: Target) -> Ability:
        linker = load("tilewright.codegen.webassembly:find_wasm_linker")
        is_linked = cast("Callable[[], object]", linker)() is not None
        return Ability(is_linked, "" if is_linked else "no wasm-ld: pip install tilewright[cross]")

    def load(self, artifact: Artifact, threads: int | None) -> LoadedCode:
        manifest = Manifest.parse(bytes(artifact.code).decode())
        refusal = partial(
            LoadError,
            f"{manifest.name}: this process cannot run WebAssembly",
            expected="a browser or node",
            got=manifest.target,
            hint='export_library("m.wasm") writes the module; target="native" compiles for this '
            "machine",
        )
        library = UnloadedLibrary(refusal)
        blob = weights_blob(artifact.weights, manifest.weights_bytes)
        return LoadedCode(
            library, manifest, threads=1, weights=blob, process_code=library.process_code
        )

    def export(self, artifact: Artifact, export: Export) -> Sequence[ExportedFile]:
        make = load("tilewright.targets.cpu.emit.web:exported")
        return cast("Callable[[Artifact, Export], Sequence[ExportedFile]]", make)(artifact, export)

    def portable_code(self, artifact: Artifact) -> bytes:
        return bytes(artifact.code)


WEB = WebBackend()
"""The only instance of this backend."""
