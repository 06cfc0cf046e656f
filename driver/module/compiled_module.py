"""CompiledModule: a loaded module with facts about its kernels and its IR at every level."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ...runtime.abi.ndarray import Array
from ...runtime.errors import ArgumentError
from ...runtime.file.module_json import graph_of
from ...runtime.module.exported import reduced
from ...runtime.module.params import ParamMaps
from ...targets.backend import PLAIN, Artifact, Backend, SavedModule, Variant
from ..compilation import artifact_of, variant_of
from ..request import OwnModule, Request
from ..store import ModelSignature
from .export import (
    Key,
    check_output,
    check_profiled,
    compiler_version,
    library_parts,
    line_file,
    private_key,
    write_library,
)
from .facts import ModuleFacts
from .profiling import Profile, Profiler

if TYPE_CHECKING:
    from ...support.diagnostics import NeedsBinding
    from ..lowered import Lowered


class CompiledModule(ModuleFacts):
    """A compiled model with facts about its kernels and its printed IR at every level.

    If a step of the compilation needs sizes or values of inputs, the module compiles programs in
    its calls, one for each kind of call (driver/module/called_module.py). Its signature is then the
    declared signature of the model, and facts such as `kernels` describe the program that was used
    last.
    """

    @property
    def programs(self) -> tuple[CompiledModule, ...]:
        """Return the programs that calls run: the module itself if it was compiled once.

        Otherwise return one module for each kind of call compiled so far, at most 64, ordered by
        last use.  A program lacks the inputs whose values are constants in its code.
        """
        return (self,)

    def specialize(self, inputs: Mapping[str, object] | Sequence[object]) -> CompiledModule:
        """Return the program that runs calls with such inputs; compile the program if necessary.

        inputs: arrays by name or in order; the program is chosen by their shapes, and by the values
        of some of them.
        Errors: ArgumentError for inputs that do not fit the signature; the errors of `compile`.
        """
        return self._program_for(self._given(inputs))[0]

    def _program_for(self, arrays: Sequence[object]) -> tuple[CompiledModule, Sequence[object]]:
        """Return the program that runs a call, and the arguments of this program.

        arrays: the arguments of the call.  A program lacks those inputs whose values are constants
        in its code.
        """
        return self, arrays

    @property
    def value_inputs(self) -> frozenset[str]:
        """Return the names of the inputs whose values become constants of programs.

        An input is included once a compilation has needed its value.
        """
        return frozenset()

    def unbound(self) -> NeedsBinding | None:
        """Return an error that names the sizes or values to bind for a single program.

        Return None if they are all bound.
        """
        return None

    def profile(self, *inputs: object, threads: int | None = None, rounds: int = 20) -> Profile:
        """Measure the time of each kernel in runs with these inputs; return a profile.

        inputs: one array per input, in order, or one mapping by name.  Their shapes bind dynamic
        sizes.
        rounds: the number of runs to record.
        The first call compiles a program that records the times; the module itself contains no
        recording code.
        Errors: ArgumentError for inputs that do not fit; TargetError for a target without machine
        code; ModelError for a model of more than 64 MiB that was given in memory, because the
        module does not keep it, and for a file that has changed.

        >>> module = tilewright.compile("model.onnx")
        >>> profile = module.profile(np.ones((1, 4), np.float32))
        >>> [row.calls for row in profile.rows]
        [1]
        """
        given = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], Mapping) else inputs
        program, arrays = self._program_for(self._given(cast("Sequence[object]", given)))
        if program._profiler is None:
            raise ArgumentError(
                f"{self.name} cannot be profiled",
                expected="a module that compile or build returned",
                got="a module that was loaded without its sources",
                hint="compile the model again and profile the result",
            )
        wanted = program.threads if threads is None else threads
        return program._profiler.profile(program, arrays, threads=wanted, rounds=rounds)

    def export_library(
        self,
        path: str | PathLike[str],
        *,
        embed: bool = False,
        values: Sequence[Mapping[str, Any]] | None = None,
        debug_info: bool = False,
        profile: bool = False,
        sign: object = None,
    ) -> list[Path]:
        """Write the module to files that other processes load; return the paths, the library first.

        The suffix of the path chooses the format.  ``.so``: a shared object.  ``.o``, ``.a``: an
        object or static library to link with programs, and a C header.  No suffix: a static program
        that reads and writes .npy files.  ``.tar``: an archive of shared object, graph, weights and
        a manifest with their digests.  The weights are in the file ``<file>.<digest>.safetensors``
        next to the library, or inside it with ``embed``.  The files replace those of an earlier
        export in one step; export_files.py describes the order.
        values: for a model that needs values of inputs, a mapping from input names to values for
        each program to compile.  A file of any format can hold several programs; a call runs the
        program for its values.  With one mapping, the signature of the exported file lacks the
        bound inputs, except in a ``.tar``.
        debug_info: add line tables (DWARF) of the kernels.  Their lines refer to the file
        ``<stem>.mlir``, which is also written: the printed IR ``get_source("packed")``, with the
        nodes of the model.
        profile: record the time of each step in main, for `profile` of the loaded ``.so`` or
        ``.tar``.  Without it, the export contains no recording code.
        sign: a private ed25519 key (PEM: a path, text or bytes).  The signature of the library is
        written to ``<path>.sig``, and ``load_module(path, trusted=[public key])`` checks it.
        Errors: ArgumentError for a suffix that the target does not offer, OSError from the disk;
        NeedsBinding for a model that is compiled in its calls; the error names the sizes or values
        to bind.

        >>> module = tilewright.compile("model.onnx", target="cortex-a72")
        >>> module.export_library("model.so")[0].name
        'model.so'
        """
        check_output(path)
        signing = None if sign is None else private_key(sign)
        variant = PLAIN
        if debug_info:
            variant = Variant(lines=line_file(path, len(values or ())))
        if profile:
            check_profiled(path, debug_info=debug_info)
            variant = Variant(is_profiled=True)
        if values is not None:
            return self._write_programs(path, values, variant, is_embedded=embed, sign=signing)
        made = self._exported(variant)
        return write_library(*made, path, is_embedded=embed, module=self, sign=signing)

    def _write_programs(
        self,
        path: str | PathLike[str],
        values: Sequence[Mapping[str, Any]],
        variant: Variant,
        *,
        is_embedded: bool,
        sign: Key | None,
    ) -> list[Path]:
        """Write the programs for several bindings of values; return the written paths.

        Errors: ArgumentError for a module that is compiled once.
        """
        raise ArgumentError(
            f"{self.name} needs no values: it was compiled once",
            got="values=",
            hint="leave out values=, or bind inputs with tilewright.compile(values=)",
        )

    def _exported(self, variant: Variant = PLAIN) -> tuple[Artifact, Backend, Mapping[str, Any]]:
        """Return the artifact, its backend, and the fields that an export adds to the manifest.

        variant: the variant of the program to export, such as one that records times.

        Errors: NeedsBinding if the module has no single program.
        """
        if (unbound := self.unbound()) is not None:
            raise unbound
        assert self._made is not None, "made by load"
        request, artifact = self._made
        params, settings = artifact.params, request.settings
        if variant != PLAIN:
            other = variant_of(request, variant)
            artifact = replace(other, weights=artifact.weights, params=params)
        parts = [name for name in self.manifest.externs if name in settings.parts]
        if parts:
            saved = {name: settings.parts[name].saved() for name in parts}
            artifact = settings.backend.with_parts(artifact, saved)
        facts = {
            "states": [asdict(state) for state in self.states],
            "kernels": [asdict(kernel) for kernel in self.kernels],
            "compiler": compiler_version(),
            "params": json.loads(params),
        }
        return artifact, settings.backend, facts

    def saved(self) -> SavedModule:
        """Return the bytes of the library and of the weights, as arguments for `load_saved`.

        Errors: ArgumentError for a target without exported libraries.
        """
        return library_parts(*self._exported())

    def get_graph_json(self) -> str:
        """Return the inputs, outputs, states and kernels as JSON; see docs/graph.schema.json."""
        return graph_of(self._library, self._exported()[2])

    @cached_property
    def params(self) -> ParamMaps:
        """The parameters of the model, and the packed constants that are computed from them."""
        return ParamMaps.of_fields(json.loads("{}" if self._made is None else self._made[1].params))

    def _original(self, stored: Mapping[str, Array]) -> Mapping[str, Array]:
        lacks = any(not s.reason and s.name not in stored for s in self.params.specs.values())
        source = None if self._made is None or not lacks else self._made[0].source
        return {} if source is None or isinstance(source, OwnModule) else source.load().initializers

    def _check_params(self, given: Mapping[str, object]) -> None:
        self._check_compiled_once("a parameter")

    def use_weights(self, weights: Array) -> None:
        super().use_weights(weights)
        assert self._made is not None, "made by load"
        self._made = self._made[0], replace(self._made[1], weights=weights.data)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the function and the bytes from which pickle and copy restore the module.

        The bytes are those of an export of the module.

        Errors: ArgumentError for a target without exported libraries.
        """
        return self.with_imports(reduced(*self.saved(), self.threads))


def compiled(request: Request) -> CompiledModule | ModelSignature:
    """Compile and load a request.

    Return only the model's signature if the compilation needs sizes or values that are not bound.
    Errors: TargetError for a target without modules; see `artifact_of`.
    """
    request.settings.check_module()
    made = artifact_of(request)
    return made if isinstance(made, ModelSignature) else load(made, request)


def load(made: Artifact, request: Request) -> CompiledModule:
    """Load an artifact of a request, newly compiled or from the cache, as a module."""
    made, settings = replace(made, code=bytes(made.code)), request.settings
    again = replace(request)
    with request.watch.stage("load"):
        loaded = settings.backend.load(made, request.threads)
        called = [name for name in loaded.manifest.externs if name in settings.parts]
        modules = (*loaded.modules, *(settings.parts[name] for name in called))
        module = CompiledModule.of(replace(loaded, modules=modules), _Texts(again))
    module._made = again, made  # pyright: ignore[reportPrivateUsage]
    module._profiler = Profiler(again)  # pyright: ignore[reportPrivateUsage]
    module._times = dict(request.watch.times)  # pyright: ignore[reportPrivateUsage]
    return module


class _Texts:
    """A function object that prints the IR or a listing of a request; see `Module.get_source`.

    It keeps the printed modules alive, because printed IR refers to their weights by key.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        self._shown: dict[str, Lowered] = {}

    def __call__(self, kind: str, kernel: str | None = None, /) -> str:
        from ..report.texts import text_of  # imports the compiler

        text, self._shown[kind] = text_of(self._request, kind, kernel)
        return text
