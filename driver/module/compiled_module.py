"""CompiledModule: a loaded module with facts about its kernels and its IR at every level."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ...runtime.abi.ndarray import Array
from ...runtime.call.memory import Memory
from ...runtime.errors import ArgumentError
from ...runtime.file.module_json import graph_of
from ...runtime.module.exported import reduced
from ...runtime.module.module import Output, Sources
from ...runtime.module.params import ParamMaps
from ...targets.backend import PLAIN, Artifact, Backend, Interface, SavedModule, Variant
from ..progress import Stopwatch
from ..settings import Settings
from .export import (
    Exported,
    check_output,
    check_profiled,
    compiler_version,
    library_parts,
    line_file,
    private_key,
    write_library,
    write_programs,
)
from .facts import MakeBuild, ModuleFacts
from .profiling import Profile, Profiler

if TYPE_CHECKING:
    from ...support.diagnostics import NeedsBinding
    from ..specialize import Specializer

MakeVariant: TypeAlias = Callable[[Variant], Artifact]
"""A function that compiles a variant of the program, such as a profiled one."""

Initializers: TypeAlias = Callable[[], Mapping[str, Array]]
"""A function that reads the initializers of the model again."""


class CompiledModule(ModuleFacts):
    """A compiled model with facts about its kernels and the text of every level.

    If a step of the compilation needs sizes or values of inputs, the module compiles programs in
    its calls, one for each kind of call (driver/specialize.py).  Its inputs and outputs are then
    those that the model declares, and facts such as `kernels` are those of the program that was
    used last.
    """

    _variant: MakeVariant | None = None
    _specializer: Specializer[CompiledModule] | None = None
    _initializers: Initializers | None = None
    _parts: Mapping[str, Any] = MappingProxyType({})

    @property
    def programs(self) -> tuple[CompiledModule, ...]:
        """Return the programs that calls run: the module itself if it was compiled once.

        Otherwise return one module per kind of call compiled so far, at most 64, ordered by last
        use. The inputs whose values became constants of a program are missing from its inputs.
        """
        return (self,) if self._specializer is None else self._specializer.programs

    def specialize(self, inputs: Mapping[str, object] | Sequence[object]) -> CompiledModule:
        """Return the program that runs calls with such inputs; compile the program if necessary.

        inputs: arrays by name or in order; their shapes, and some of their values, choose the
        program.
        Errors: ArgumentError for inputs that do not fit the signature; the errors of `compile`.
        """
        arrays = self._given(inputs)
        return self if self._specializer is None else self._specializer.program_for(arrays)[0]

    @property
    def reason(self) -> str:
        """Return why one program cannot run all calls; empty if the module was compiled once."""
        return "" if self._specializer is None else self._specializer.reason

    @property
    def value_inputs(self) -> frozenset[str]:
        """Return the names of the inputs whose values become constants of programs.

        A name is known after a compilation that needed the value of this input.
        """
        return frozenset() if self._specializer is None else self._specializer.value_inputs

    def unbound(self) -> NeedsBinding | None:
        """Return an error that names sizes or values to bind, or None if they are all bound.

        If they are bound, a single program can run all calls.
        """
        return None if self._specializer is None else self._specializer.unbound()

    def profile(self, *inputs: object, threads: int | None = None, rounds: int = 20) -> Profile:
        """Measure the time of each kernel in runs with these inputs; return a profile.

        inputs: one array per input, in order, or one mapping by name.  Their shapes bind dynamic
        sizes.
        rounds: the number of runs to record.
        The first call compiles a program that records the times; the module itself contains no
        recording code.
        Errors: ArgumentError for inputs that do not fit; TargetError for a target without machine
        code.

        >>> module = tilewright.compile("model.onnx")
        >>> profile = module.profile(np.ones((1, 4), np.float32))
        >>> [row.calls for row in profile.rows]
        [1]
        """
        given = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], Mapping) else inputs
        arrays: Sequence[object] = self._given(cast("Sequence[object]", given))
        if self._specializer is not None:
            program, arrays = self._specializer.program_for(arrays)
            return program.profile(*arrays, threads=threads, rounds=rounds)
        if self._profiler is None:
            raise ArgumentError(
                f"{self.name} cannot be profiled",
                expected="a module that compile or build returned",
                got="a module that was loaded without its sources",
                hint="compile the model again and profile the result",
            )
        wanted = self.threads if threads is None else threads
        return self._profiler.profile(self, arrays, threads=wanted, rounds=rounds)

    def output_shapes(self, inputs: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return the shapes of the outputs of a call, for inputs with these shapes.

        Errors: ArgumentError if the output shapes depend on more than the shapes of the inputs.
        """
        self._check_compiled_once("the shapes of outputs")
        return super().output_shapes(inputs)

    def memory(
        self, shapes: Mapping[str, Sequence[int]] | Sequence[Sequence[int]] | None = None
    ) -> Memory:
        """Return the memory that a call with inputs of these shapes needs.

        shapes: by name or in order.  By name, inputs without symbolic sizes may be left out: a
        static model needs no shapes.
        Errors: ArgumentError if the shapes contradict the signature, or do not determine the
        memory.
        """
        self._check_compiled_once("the memory of a call")
        return super().memory(shapes)

    def accepts(self, inputs: Sequence[Array]) -> bool:
        """Return whether the signature allows inputs with the shapes of these arrays."""
        if self._specializer is None:
            return super().accepts(inputs)
        return self._specializer.accepts(inputs)

    def _run(self, arrays: Sequence[object], threads: int) -> tuple[Output, ...] | None:
        if self._specializer is None:
            return super()._run(arrays, threads)
        program, rest = self._specializer.program_for(arrays)
        return program._run(rest, threads)

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
        that reads and writes files of numpy.  ``.tar``: an archive of shared object, graph, weights
        and a manifest with their digests.  The weights are in the file
        ``<file>.<digest>.safetensors`` next to the library, or inside it with ``embed``.  The files
        replace those of an earlier export in one step; export_files.py describes the order.
        values: for a model that needs values of inputs, the bindings of these values to compile
        programs for.  A file of any format can hold several programs; a call runs the program for
        its values.  With one binding, the signature lacks the bound inputs, except in a ``.tar``.
        debug_info: add line tables (DWARF) of the kernels.  Their lines refer to the file
        ``<stem>.mlir``, which is also written: the printed IR ``get_source("packed")``, with the
        nodes of the model.
        profile: record the time of each step in main, for `profile` of the loaded ``.so`` or
        ``.tar``.  Other exports have no recording code.
        sign: a private ed25519 key (PEM: a path, text or bytes).  The signature of the library is
        written to ``<path>.sig``, and ``load_module(path, trusted=[public key])`` checks it.
        Errors: ArgumentError for a suffix that the target does not offer, OSError from the disk;
        for a model that its calls compile, NeedsBinding, which names the sizes or values to bind.

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
        if values is None:
            made = self._exported(variant)
            return write_library(*made, path, is_embedded=embed, module=self, sign=signing)
        if self._specializer is None:
            raise ArgumentError(
                f"{self.name} needs no values: it was compiled once",
                got="values=",
                hint="leave out values=, or bind inputs with tilewright.compile(values=)",
            )
        specializer = self._specializer

        def program_with(given: Mapping[str, Any]) -> Exported:
            program = specializer.program_with(given)
            return program.get_graph_json(), *program._exported(variant)

        interface = Interface(self.name, self.inputs, self.outputs)
        return write_programs(
            path,
            interface,
            values,
            program_with,
            is_embedded=embed,
            module=self,
            sign=signing,
        )

    def _exported(self, variant: Variant = PLAIN) -> tuple[Artifact, Backend, Mapping[str, Any]]:
        """Return the artifact, the backend, and the additions to the manifest of an export.

        Errors: NeedsBinding if the module has no single program.
        """
        if (unbound := self.unbound()) is not None:
            raise unbound
        assert self._made is not None, "made by load_compiled"
        artifact, backend = self._made
        if variant != PLAIN:
            assert self._variant is not None, "made by load_compiled"
            other = self._variant(variant)
            artifact = replace(other, weights=artifact.weights, params=artifact.params)
        parts = [name for name in self.manifest.externs if name in self._parts]
        if parts:
            saved = {name: self._parts[name].saved() for name in parts}
            artifact = backend.with_parts(artifact, saved)
        facts = {
            "states": [asdict(state) for state in self.states],
            "kernels": [asdict(kernel) for kernel in self.kernels],
            "compiler": compiler_version(),
            "params": json.loads(self._made[0].params),
        }
        return artifact, backend, facts

    def saved(self) -> SavedModule:
        """Return the bytes of the module's library and weights, the arguments of `load_saved`.

        Errors: ArgumentError for a target without exported libraries.
        """
        return library_parts(*self._exported())

    def get_graph_json(self) -> str:
        """Return the inputs, outputs, states and kernels as JSON; see docs/graph.schema.json."""
        return graph_of(self._library, self._exported()[2])

    @cached_property
    def params(self) -> ParamMaps:
        """The parameters of the model, and the packed constants computed from them."""
        return ParamMaps.of_fields(json.loads("{}" if self._made is None else self._made[0].params))

    def _original(self, stored: Mapping[str, Array]) -> Mapping[str, Array]:
        lacks = any(not s.reason and s.name not in stored for s in self.params.specs.values())
        return self._initializers() if lacks and self._initializers is not None else {}

    def _check_params(self, given: Mapping[str, object]) -> None:
        self._check_compiled_once("a parameter")

    def use_weights(self, weights: Array) -> None:
        super().use_weights(weights)
        assert self._made is not None, "made by load_compiled"
        self._made = replace(self._made[0], weights=weights.data), self._made[1]

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how pickle and copy restore the module: from the bytes of its export.

        Errors: ArgumentError for a target without exported libraries.
        """
        return self.with_imports(reduced(*self.saved(), self.threads))


def load_compiled(
    made: Artifact,
    settings: Settings,
    threads: int | None,
    sources: Sources,
    watch: Stopwatch,
    *,
    build: MakeBuild,
    variant: MakeVariant,
    initializers: Initializers | None = None,
) -> CompiledModule:
    """Load a compiled model, new or from the cache, as a module.

    build: returns the compilation of the model, for texts and plans.  variant: compiles a variant
    of the program.
    """
    made = replace(made, code=bytes(made.code))
    with watch.stage("load"):
        loaded = settings.backend.load(made, threads)
        called = [name for name in loaded.manifest.externs if name in settings.parts]
        modules = (*loaded.modules, *(settings.parts[name] for name in called))
        loaded = replace(loaded, modules=modules)
        compiled = CompiledModule.of(loaded, sources)
    compiled._build = build  # pyright: ignore[reportPrivateUsage]
    compiled._initializers = initializers  # pyright: ignore[reportPrivateUsage]
    compiled._parts = settings.parts  # pyright: ignore[reportPrivateUsage]
    compiled._made = (made, settings.backend)  # pyright: ignore[reportPrivateUsage]
    compiled._variant = variant  # pyright: ignore[reportPrivateUsage]
    profiler = Profiler(settings, lambda: variant(Variant(is_profiled=True)))
    compiled._profiler = profiler  # pyright: ignore[reportPrivateUsage]
    compiled._times = dict(watch.times)  # pyright: ignore[reportPrivateUsage]
    return compiled


def specialized_by_calls(
    specializer: Specializer[CompiledModule], threads: int | None, times: Mapping[str, float]
) -> CompiledModule:
    """Return the module of a model that is compiled in its calls.

    threads: the default thread count of a call.  times: seconds by stage of the compilation so far.
    """
    module = CompiledModule.of(specializer.loaded(threads))
    module._specializer = specializer  # pyright: ignore[reportPrivateUsage]
    module._times = times  # pyright: ignore[reportPrivateUsage]
    return module
