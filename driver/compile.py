"""compile: a model in, a callable module out.

A model in the cache folder (driver/store.py) is read and loaded without importing the compiler.
Otherwise: import (graph) -> driver/pipeline.py (packed) -> driver/build.py (LLVM text, objects, one
shared object) -> runtime.Module.
The caller's model or module is never changed.  Texts of earlier levels are recompiled on request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from ..frontend.torch import Program, without_torch
from ..runtime.module import Module, Sources
from ..runtime.threads import check_threads
from ..support.cache import DiskCache, user_cache
from ..support.collection import free_memory, paused_collection
from ..support.schedule_files import write_schedules
from ..support.target import Target
from ..targets.backend import Artifact, KernelRecord
from .progress import Stopwatch, Watcher
from .settings import Settings, settings_for
from .source import ModelSource
from .store import ModelStore, Stored

if TYPE_CHECKING:
    import onnx
    from xdsl.dialects.builtin import ModuleOp

    from ..frontend.onnx.binding import Values
    from ..frontend.onnx.signature import Shapes
    from .build import Build
    from .extension import Extension
    from .specialize import SpecializingModule

Schedules: TypeAlias = Callable[[], Mapping[str, str]]
"""A function that returns the schedules of all kernels by suggested file name."""

_MUCH_BYTES = 4 << 20
"""Size of weights and code from which on free memory is returned to the system."""


class CompiledModule(Module):
    """A compiled model with facts about its kernels and the text of every level.

    code: the shared object, without the weights.  times: seconds per stage of the compilation, in
    order; a model from the cache has only the stages ``look-up`` and ``load``.
    """

    kernels: tuple[KernelRecord, ...] = ()
    code: bytes = b""
    times: Mapping[str, float] = MappingProxyType({})
    _schedules: Schedules | None = None

    def dump_schedules(self, folder: str | PathLike[str]) -> list[Path]:
        """Write the schedule of each kernel to a file in a folder; return the files.

        ``compile(model, schedules=folder)`` uses these files, edited or not.
        Errors: LookupError if the module was loaded without its sources.
        """
        if self._schedules is None:
            raise LookupError(f"module {self.name} was loaded without its sources")
        return write_schedules(self._schedules(), folder)


def compile(
    model: str | PathLike[str] | bytes | onnx.ModelProto | Program,
    *,
    target: str | Target | None = None,
    precision: str = "default",
    shapes: Shapes | None = None,
    values: Values | None = None,
    inputs: Sequence[object] | None = None,
    threads: int | None = None,
    cache: bool = True,
    progress: Watcher | None = None,
    extensions: Sequence[Extension] = (),
    schedules: str | PathLike[str] | None = None,
    strict_plan: bool = False,
    unchecked_indices: bool = False,
) -> CompiledModule | SpecializingModule:
    """Compile an ONNX model for a target (default: this machine).

    model: a file, bytes or a proto, or a torch module or program, which torch exports.
    precision: "strict" uses only algorithms with the error of the operators' own sums; by default,
    convolutions may use Winograd tiles (relative L2 error of a network below 1e-5).
    shapes: sizes of inputs with symbolic dimensions, by input, or numbers by size name, such as
    ``{"batch": 2}``; for a sequence a list of shapes, for an absent optional None.
    values: arrays for inputs that become constants and leave the signature.  inputs: example inputs
    of a torch.nn.Module.  threads: default of a call; None: as many as this process may use.
    cache: whether compiled models and kernels are read from and written to the cache folder.
    progress: called with each `Step`; logger ``tilewright.driver`` logs stages as info, passes as
    debug.
    extensions: of other packages.  schedules: a file or folder written by
    `CompiledModule.dump_schedules`, used for the kernels that it matches.
    strict_plan: whether a kernel that cannot be planned is an error; by default it gets a simple
    schedule, and a `PlanWarning` names it and a file that reproduces the failure.
    unchecked_indices: omit the checks that turn an out-of-range index into an IndexError of the
    call; such an index then reads some element of the axis, and an update at it is dropped.
    A model that needs more sizes or values is returned as a SpecializingModule, which compiles
    itself at the first call and at each new kind of call.
    Errors: ModelError, UnsupportedOp or TypeMismatch from the model, TargetError from the target,
    ArgumentError if threads is not a count, TilewrightError for an unknown precision, ScheduleError
    for a schedule that is illegal or matches no kernel.
    """
    check_threads(threads)
    settings = settings_for(
        target,
        precision,
        tuple(extensions),
        schedules,
        strict_plan=strict_plan,
        unchecked_indices=unchecked_indices,
    )
    settings.backend.check_host(settings.target)
    given = without_torch(model, inputs)
    source, disk = ModelSource(given), object_cache(wanted=cache)
    compilation = _Compilation(source, settings, threads, disk, progress)
    return compilation.result({} if shapes is None else shapes, {} if values is None else values)


@paused_collection()
def compile_module(
    module: ModuleOp | str,
    *,
    target: str | Target | None = None,
    precision: str = "default",
    threads: int | None = None,
    cache: bool = True,
    progress: Watcher | None = None,
    extensions: Sequence[Extension] = (),
    schedules: str | PathLike[str] | None = None,
    strict_plan: bool = False,
    unchecked_indices: bool = False,
) -> CompiledModule:
    """Compile a module with a function ``main`` at any level, or its text; the module is unchanged.

    Compilation starts at the module's level, for example with an edited text of
    `Module.get_source`.

    The attributes tw.arg_names and tw.result_names of main name the inputs and outputs of a program
    on tensors; otherwise the names are those of the text, or x0, x1, … and y0, y1, ….
    target, precision, threads, cache, progress, extensions, schedules, strict_plan,
    unchecked_indices: see compile.
    Errors: ModelError if there is no main or an input's size is symbolic, TargetError,
    ScheduleError, ParseError for a malformed text, VerifyException for a text that breaks a rule
    of its ops.
    """
    from ..dialects.results import record_names
    from .build import Build
    from .pipeline import first_stage

    check_threads(threads)
    settings = settings_for(
        target,
        precision,
        tuple(extensions),
        schedules,
        strict_plan=strict_plan,
        unchecked_indices=unchecked_indices,
    )
    settings.backend.check_host(settings.target)
    watch, disk = Stopwatch(progress), object_cache(wanted=cache)
    own = _parsed(module, settings) if isinstance(module, str) else module.clone()
    record_names(own)
    build = Build(settings, disk, watch, own, start=first_stage(own, settings.backend))
    made = build.compiled(keep=True)
    return load_compiled(made, settings, threads, build.source, watch, schedules=build.schedules)


def source_at(
    model: str | PathLike[str] | bytes | onnx.ModelProto,
    kind: str,
    *,
    target: str | Target | None = None,
    precision: str = "default",
    shapes: Mapping[str, Sequence[int]] | None = None,
    values: Values | None = None,
    progress: Watcher | None = None,
    schedules: str | PathLike[str] | None = None,
    strict_plan: bool = False,
    unchecked_indices: bool = False,
) -> str:
    """Return the text of a model at a level, or ``ll`` or ``asm``, without compiling further.

    `Module.get_source` of the compiled model returns the same text.
    Errors: LookupError for another kind; see compile, and NeedsBinding for open sizes and values.
    """
    settings = settings_for(
        target,
        precision,
        schedules=schedules,
        strict_plan=strict_plan,
        unchecked_indices=unchecked_indices,
    )
    compilation = _Compilation(ModelSource(model), settings, None, None, progress)
    return compilation.source(shapes or {}, values or {}, kind)


def schedules_of(
    model: str | PathLike[str] | bytes | onnx.ModelProto,
    *,
    target: str | Target | None = None,
    precision: str = "default",
    shapes: Mapping[str, Sequence[int]] | None = None,
    values: Values | None = None,
    progress: Watcher | None = None,
    schedules: str | PathLike[str] | None = None,
    strict_plan: bool = False,
    unchecked_indices: bool = False,
) -> dict[str, str]:
    """Return the schedules of a model's kernels by suggested file name.

    `CompiledModule.dump_schedules` of the compiled model writes the same.
    Errors: see compile, and NeedsBinding for open sizes and values.
    """
    settings = settings_for(
        target,
        precision,
        schedules=schedules,
        strict_plan=strict_plan,
        unchecked_indices=unchecked_indices,
    )
    compilation = _Compilation(ModelSource(model), settings, None, None, progress)
    return compilation.schedules(shapes or {}, values or {})


def _parsed(text: str, settings: Settings) -> ModuleOp:
    from ..analysis.verify import verify_module
    from ..support.located import LocatedParser, verify_located
    from .extension import context_of

    parser = LocatedParser(context_of(settings.extensions), text, "<text>")
    module = parser.parse_module()
    verify_located(module, verify_module, parser.places())
    return module


class _Compilation:
    """A model with its settings, which can be compiled for several shapes and values."""

    def __init__(
        self,
        source: ModelSource,
        settings: Settings,
        threads: int | None,
        disk: DiskCache | None,
        progress: Watcher | None,
    ) -> None:
        self._source, self._settings, self._threads = source, settings, threads
        self._disk, self._progress = disk, progress
        self._store = ModelStore(disk, source, settings)
        self._shown: dict[str, Build] = {}

    def result(self, shapes: Shapes, values: Values) -> CompiledModule | SpecializingModule:
        """Return the compiled model, or a SpecializingModule for open sizes or values."""
        watch = Stopwatch(self._progress)
        made = self._found(shapes, values, watch) or self._made(shapes, values, watch)
        self._source.settle(is_needed=not isinstance(made, Artifact))
        if isinstance(made, Artifact):
            return self._loaded(made, shapes, values, watch)
        from .specialize import SpecializingModule

        return SpecializingModule(
            made.name,
            made.inputs,
            made.outputs,
            lambda sizes, more: self._specialized(sizes, {**values, **more}),
            shapes=shapes,
            value_inputs=made.value_inputs,
        )

    def source(self, shapes: Shapes, values: Values, kind: str) -> str:
        """Return the text of a level, or ``ll`` or ``asm``.

        Errors: LookupError for another kind; see compile.
        """
        from .build import Build

        with paused_collection():
            build = Build(self._settings, None, Stopwatch(self._progress))
            build.read(self._source.load, shapes, values)
            text = build.source(kind)
        # Keep the build: the text refers to weights by key and parses while they are alive.
        self._shown[kind] = build
        return text

    def schedules(self, shapes: Shapes, values: Values) -> dict[str, str]:
        """Return the schedules of all kernels by suggested file name."""
        from .build import Build

        with paused_collection():
            build = Build(self._settings, None, Stopwatch(self._progress))
            build.read(self._source.load, shapes, values)
            return build.schedules()

    def _specialized(self, shapes: Shapes, values: Values) -> CompiledModule:
        """Return the model compiled for shapes and values that bind all sizes.

        Errors: NeedsBinding if something is still open.
        """
        watch = Stopwatch(self._progress)
        made = self._found(shapes, values, watch)
        if not isinstance(made, Artifact):
            made = self._made(shapes, values, watch, is_closed=True)
        assert isinstance(made, Artifact), "a model with something open is refused"
        return self._loaded(made, shapes, values, watch)

    def _found(self, shapes: Shapes, values: Values, watch: Stopwatch) -> Stored | None:
        if self._disk is None:
            return None
        with watch.stage("look-up"):
            return self._store.find(shapes, values)

    def _made(
        self, shapes: Shapes, values: Values, watch: Stopwatch, *, is_closed: bool = False
    ) -> Stored:
        """Compile the model and store the result in the cache.

        is_closed: whether to refuse a model that needs more sizes or values.
        """
        from .build import CACHES, Build

        build = Build(self._settings, self._disk, watch)
        with paused_collection():
            load = build.compiled_model if is_closed else build.result
            made = load(self._source.load, shapes, values)
        data_files, is_extended = build.data_files, build.is_extended
        del build, load
        if self._disk is not None and not is_extended:
            with watch.stage("store"):
                self._store.keep(data_files, shapes, values, made)
        if isinstance(made, Artifact) and len(made.weights) + len(made.code) > _MUCH_BYTES:
            free_memory(CACHES)
        return made

    def _loaded(
        self, made: Artifact, shapes: Shapes, values: Values, watch: Stopwatch
    ) -> CompiledModule:
        return load_compiled(
            made,
            self._settings,
            self._threads,
            lambda kind: self.source(shapes, values, kind),
            watch,
            schedules=lambda: self.schedules(shapes, values),
        )


def load_compiled(
    made: Artifact,
    settings: Settings,
    threads: int | None,
    sources: Sources,
    watch: Stopwatch,
    *,
    schedules: Schedules | None = None,
) -> CompiledModule:
    """Load a compiled model, new or from the cache."""
    code = bytes(made.code)
    with watch.stage("load"):
        loaded = settings.backend.load(replace(made, code=code), threads)
        compiled = CompiledModule.of(loaded, sources)
    compiled._schedules = schedules  # pyright: ignore[reportPrivateUsage]
    compiled.kernels, compiled.code, compiled.times = made.kernels, code, dict(watch.times)
    return compiled


def object_cache(*, wanted: bool) -> DiskCache | None:
    """Return the cache folder, or None if it is not wanted."""
    return user_cache() if wanted else None
