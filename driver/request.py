"""Requests: a model with sizes and values, imported and compiled, or found to need more of these.

In: how to load the model, its settings, shapes and values.  Out: an `Artifact` (driver/build.py),
or `Open`, the signature of a model that the shapes and values of a call complete.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp

from ..frontend.onnx.definitions import Model
from ..frontend.onnx.importer import import_model
from ..frontend.onnx.input_values import Values
from ..frontend.onnx.installed import InstalledConverters
from ..frontend.onnx.signature import Shapes
from ..support.cache import DiskCache
from ..support.diagnostics import NeedsBinding, TypeMismatch
from ..targets.backend import Artifact
from .build import Build
from .open_inputs import open_specs
from .pipeline import import_passes
from .progress import Stopwatch
from .settings import Settings
from .store import Open, Stored

Load: TypeAlias = Callable[[], Model]
"""Loads a model."""


class ModelImport:
    """One import of a model.

    signature: what the model declares, once it is loaded.  data_files: where it says that its
    external data is.
    """

    def __init__(self, settings: Settings, watch: Stopwatch) -> None:
        self.settings, self.watch = settings, watch
        self._installed = InstalledConverters()
        self.signature = Open("", (), (), ())
        self.data_files: tuple[str, ...] = ()

    @property
    def is_extended(self) -> bool:
        """True if converters of installed packages were used."""
        return self._installed.used

    def run(self, load: Load, shapes: Shapes, values: Values) -> ModuleOp:
        """Load and import the model; the module owns the weights and frees them when packed.

        Errors: ModelError, UnsupportedOp, TypeMismatch; NeedsBinding for values that decide shapes.
        """
        rows = [row for extension in self.settings.extensions for row in extension.converters]
        with self.watch.stage("import"):
            import_passes(self.settings.backend)
            loaded = load()
            inputs = tuple(value for value in loaded.inputs if value.name not in values)
            self.signature = Open(loaded.name, inputs, loaded.outputs, ())
            self.data_files = loaded.data_files
            return import_model(
                loaded, shapes=shapes, values=values, converters=rows, installed=self._installed
            )


def compile_closed(
    imported: ModelImport, load: Load, shapes: Shapes, values: Values, cache: DiskCache | None
) -> Artifact:
    """Compile a model without open sizes or values.

    Errors: NeedsBinding if it has any; see `ModelImport.run`.
    """
    return Build(
        imported.settings, cache, imported.watch, imported.run(load, shapes, values)
    ).compiled()


def compile_request(
    imported: ModelImport, load: Load, shapes: Shapes, values: Values, cache: DiskCache | None
) -> Stored:
    """Compile a model, or return its signature if it needs more sizes or values."""
    try:
        build = Build(imported.settings, cache, imported.watch, imported.run(load, shapes, values))
        return imported.signature if build.has_open_inputs() else build.compiled()
    except NeedsBinding as err:
        return replace(imported.signature, value_inputs=err.inputs)
    except TypeMismatch:
        # Sizes with different names may be equal in every call, so the call decides.
        known = imported.signature
        if not any(spec.is_open for spec in open_specs(known.inputs, shapes)):
            raise
        return known
