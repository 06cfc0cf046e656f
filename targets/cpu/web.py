"""The backend of WebAssembly: the kernels of CPUs, in a module that browsers and node run.

A compiled program keeps its objects; an export links them (emit/web.py) and writes an ES
module with the types of the model next to the WebAssembly module.  This process runs no such code.
"""

from __future__ import annotations

from ...machines.target import Target
from ...runtime.module.loading import LoadedCode
from ...support.diagnostics import TargetError
from ...support.lazy import call
from ..backend import Ability, Artifact, check_machine
from .backend import CpuBackend
from .other_system import unloaded_code


class WebBackend(CpuBackend):
    """The backend that emits WebAssembly modules."""

    emitter = "tilewright.targets.cpu.emit.web:WebEmitter"
    exporter = "tilewright.targets.cpu.emit.web:exported"
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
        is_linked = call("tilewright.codegen.webassembly:find_wasm_linker") is not None
        return Ability(is_linked, "" if is_linked else "no wasm-ld: pip install tilewright[cross]")

    def load(self, artifact: Artifact, threads: int | None) -> LoadedCode:
        return unloaded_code(
            artifact,
            "this process cannot run WebAssembly",
            "a browser or node",
            'export_library("m.wasm") writes the module; target="native" compiles for this machine',
        )

    def portable_code(self, artifact: Artifact) -> bytes:
        return bytes(artifact.code)


WEB = WebBackend()
"""The only instance of this backend."""
