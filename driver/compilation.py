"""Compilation: one model with its settings, compiled for several shapes and values on request.

For each request, a compiled model is looked up in the cache folder (driver/store.py).  If there is
none, driver/request.py compiles the model, and the result is stored.  Loading a cached model does
not need the compiler, which is therefore imported late.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..support.cache import DiskCache, user_cache
from ..support.collection import free_memory, paused_collection
from ..targets.backend import Artifact, Text, Variant
from .module.compiled_module import CompiledModule, load_compiled, specialized_by_calls
from .progress import Stopwatch, Watcher
from .settings import Settings
from .source import ModelSource
from .store import ModelStore, Open, Stored

if TYPE_CHECKING:
    from ..frontend.onnx.input_values import Values
    from ..frontend.onnx.signature import Shapes
    from .build import Build

_MUCH_BYTES = 4 << 20
"""Bytes of weights and code; after a larger compilation, free memory returns to the system."""


class Compilation:
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

    def result(self, shapes: Shapes, values: Values) -> CompiledModule:
        """Return the compiled model.

        If a step of the compilation needs more sizes or values, return a module that compiles a
        program in its calls.
        Errors: see compile.
        """
        watch = Stopwatch(self._progress)
        made = self._found(shapes, values, watch) or self._made(shapes, values, watch)
        self._source.settle(is_needed=not isinstance(made, Artifact))
        if isinstance(made, Artifact):
            return self._loaded(made, shapes, values, watch)
        from .specialize import Specializer

        specializer = Specializer(made, shapes, values, self, self._settings)
        return specialized_by_calls(specializer, self._threads, dict(watch.times))

    def compile_open(self, shapes: Shapes, values: Values) -> CompiledModule | Open:
        """Compile the model for all sizes; if it needs more, return its signature (`Open`)."""
        watch = Stopwatch(self._progress)
        made = self._found(shapes, values, watch) or self._made(shapes, values, watch)
        return self._loaded(made, shapes, values, watch) if isinstance(made, Artifact) else made

    def compile_closed(self, shapes: Shapes, values: Values) -> CompiledModule:
        """Compile the model for shapes and values that bind all sizes.

        Errors: NeedsBinding if the model needs more sizes or values.
        """
        watch = Stopwatch(self._progress)
        made = self._found(shapes, values, watch)
        if not isinstance(made, Artifact):
            made = self._made(shapes, values, watch, is_closed=True)
        assert isinstance(made, Artifact), "a model with something open is refused"
        return self._loaded(made, shapes, values, watch)

    def source(self, shapes: Shapes, values: Values, kind: str, kernel: str | None = None) -> str:
        """Return the printed IR at a level, or a listing (``ll``, ``asm``).

        kind: the name of the level or listing.  kernel: the name of a kernel, to print it alone.
        Errors: LookupError for another kind; see compile.
        """
        with paused_collection():
            build = self.build(shapes, values)
            text = build.source(kind, kernel)
        # Keep the build: the text refers to weights by key, so it parses only while they exist.
        self._shown[kind] = build
        return text

    def texts(self, shapes: Shapes, values: Values) -> list[Text]:
        """Return the source texts, such as LLVM IR, that the backend compiles to objects."""
        with paused_collection():
            return list(self.build(shapes, values).texts())

    def variant(self, shapes: Shapes, values: Values, variant: Variant) -> Artifact:
        """Compile a variant of the program, such as a profiled one.

        Errors: TargetError for a target without such a variant; see compile.
        """
        settings, watch = replace(self._settings, variant=variant), Stopwatch(self._progress)
        # Line tables belong to one export; caching them would store another copy of the model.
        disk = None if variant.lines is not None else self._disk
        other = Compilation(self._source, settings, self._threads, disk, self._progress)
        made = other._found(shapes, values, watch) or other._made(shapes, values, watch)
        if not isinstance(made, Artifact):
            made = other._made(shapes, values, watch, is_closed=True)
        assert isinstance(made, Artifact), "a model with something open is refused"
        return made

    def build(self, shapes: Shapes, values: Values) -> Build:
        """Import the model; return the `Build` that compiles it, without a cache of objects."""
        from .build import Build
        from .model_import import ModelImport
        from .request import import_versions

        watch = Stopwatch(self._progress)
        imported = ModelImport(self._settings, watch)
        module = imported.run(self._source.load, shapes, values)
        versions = import_versions(imported, self._source.load, shapes, values)
        return Build(self._settings, None, watch, module, versions=versions)

    def _found(self, shapes: Shapes, values: Values, watch: Stopwatch) -> Stored | None:
        if self._disk is None:
            return None
        with watch.stage("look-up"):
            return self._store.find(shapes, values)

    def _made(
        self, shapes: Shapes, values: Values, watch: Stopwatch, *, is_closed: bool = False
    ) -> Stored:
        """Compile the model and store the result in the cache.

        is_closed: raise NeedsBinding for a model that needs more sizes or values, instead of
        returning its signature.
        """
        from .caches import CACHES
        from .model_import import ModelImport
        from .request import compile_closed, compile_request

        imported = ModelImport(self._settings, watch)
        with paused_collection():
            run = compile_closed if is_closed else compile_request
            made = run(imported, self._source.load, shapes, values, self._disk)
            if self._disk is not None and not imported.is_extended:
                with watch.stage("store"):
                    self._store.keep(imported.data_files, shapes, values, made)
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
            lambda kind, kernel=None: self.source(shapes, values, kind, kernel),
            watch,
            build=lambda: self.build(shapes, values),
            variant=lambda variant: self.variant(shapes, values, variant),
            initializers=lambda: self._source.load().initializers,
        )


def object_cache(*, wanted: bool) -> DiskCache | None:
    """Return the user's cache folder, or None if ``wanted`` is false."""
    return user_cache() if wanted else None
