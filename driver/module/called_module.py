"""CalledModule: a module that compiles programs for sizes and values known only in a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...runtime.abi.constants import SYMBOL_MAIN
from ...runtime.abi.ndarray import Array
from ...runtime.file.file_signing import Key
from ...runtime.host import available_threads
from ...runtime.module.loading import LoadedCode, PythonLibrary
from ...runtime.module.module import Output
from ...support.diagnostics import NeedsBinding
from ...targets.backend import BoundProgram, Interface, Variant, process_code
from ..request import Request
from ..source import ModelSource
from ..store import ModelSignature
from .compiled_module import CompiledModule, compiled
from .export import check_bindings, write_programs

if TYPE_CHECKING:
    from ..specialize import Specializer


class CalledModule(CompiledModule):
    """A module that compiles its programs when it is called; see driver/specialize.py."""

    _specializer: Specializer

    @property
    def programs(self) -> tuple[CompiledModule, ...]:
        return self._specializer.programs

    def _program_for(self, arrays: Sequence[object]) -> tuple[CompiledModule, Sequence[object]]:
        return self._specializer.program_for(arrays)

    @property
    def reason(self) -> str:
        return self._specializer.reason

    @property
    def value_inputs(self) -> frozenset[str]:
        return self._specializer.value_inputs

    def unbound(self) -> NeedsBinding:
        return self._specializer.unbound()

    def accepts(self, inputs: Sequence[Array]) -> bool:
        return self._specializer.accepts(inputs)

    def _run(self, arrays: Sequence[object], threads: int) -> tuple[Output, ...] | None:
        program, rest = self._specializer.program_for(arrays)
        return program._run(rest, threads)

    def _write_programs(
        self,
        path: str | PathLike[str],
        values: Sequence[Mapping[str, Any]],
        variant: Variant,
        *,
        is_embedded: bool,
        sign: Key | None,
    ) -> list[Path]:
        check_bindings(values, self.name)
        interface = Interface(self.name, self.inputs, self.outputs)
        programs: list[BoundProgram] = []
        for given in values:
            program = self._specializer.program_with(given)
            made = program.get_graph_json(), *program._exported(variant)
            programs.append(BoundProgram(interface.arrays(given), *made))
        return write_programs(
            path, interface, programs, is_embedded=is_embedded, module=self, sign=sign
        )


def module_of(request: Request) -> CompiledModule:
    """Compile and load a request for a model.

    If the compilation needs sizes or values that the request does not bind, the calls of the module
    compile its programs.
    Errors: see `compile`.
    """
    made = compiled(request)
    if isinstance(request.source, ModelSource):
        request.source.settle(is_needed=isinstance(made, ModelSignature))
    if isinstance(made, CompiledModule):
        return made
    from ..specialize import Specializer  # imports xdsl

    specializer = Specializer(made, replace(request))
    manifest = specializer.manifest
    library = PythonLibrary(manifest.name, {SYMBOL_MAIN: specializer.fill})
    threads = min(request.threads or available_threads(), manifest.max_threads)
    loaded = LoadedCode(library, manifest, threads, process_code=process_code)
    module = CalledModule.of(loaded)
    module._specializer = specializer  # pyright: ignore[reportPrivateUsage]
    module._times = dict(request.watch.times)  # pyright: ignore[reportPrivateUsage]
    return module
