"""Import models: turn a model file into a module of graph ops, and record its signature."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..analysis.entry import has_open_inputs
from ..dialects.params import ParamTable
from ..dialects.results import record_states
from ..dialects.sizes import computed_sizes, record_sizes
from ..frontend.onnx.file.definitions import Model
from ..frontend.onnx.importer import import_for_all_sizes
from ..frontend.onnx.input_values import Values
from ..frontend.onnx.installed import InstalledConverters
from ..frontend.onnx.signature import Shapes
from ..passes.graph.append_states import AppendStates
from ..support.entry import entry_of
from .passes.pipeline import import_passes
from .progress import Stopwatch
from .settings import Settings
from .store import Open

Load: TypeAlias = Callable[[], Model]
"""A function that loads the model."""


class ModelImport:
    """One import of a model.

    signature: the inputs and outputs that the model declares, once it is loaded.
    data_files: the locations of its external data, as the model file gives them.
    params: its parameters; for a parameter that cannot be replaced, the reason.
    """

    def __init__(self, settings: Settings, watch: Stopwatch) -> None:
        self.settings, self.watch = settings, watch
        self._installed = InstalledConverters()
        self.signature = Open("", (), (), ())
        self.data_files: tuple[str, ...] = ()
        self.params = ParamTable()

    @property
    def is_extended(self) -> bool:
        """Return whether the import used converters of installed packages."""
        return self._installed.used

    def run(self, load: Load, shapes: Shapes, values: Values) -> ModuleOp:
        """Load and import the model; return its module of graph ops.

        The module owns the weights, and frees them when they are packed. The entry function names
        the symbolic sizes of its inputs. These sizes may be 0, unless the model needs one or more
        elements.
        shapes, values: see `compile`.

        Errors: ModelError, UnsupportedOp, TypeMismatch; NeedsBinding for values that decide shapes.
        """
        rows = [row for extension in self.settings.extensions for row in extension.converters]
        with self.watch.stage("import"):
            import_passes(self.settings.backend)
            loaded = replace(load(), params=self.params)
            inputs = tuple(value for value in loaded.inputs if value.name not in values)
            outputs = tuple(loaded.declared[name] for name in loaded.outputs)
            self.signature = Open(loaded.name, inputs, outputs, ())
            self.data_files = loaded.data_files
            module = import_for_all_sizes(
                loaded, shapes, values, converters=rows, installed=self._installed
            )
        if self.settings.states:
            record_states(entry_of(module), dict(self.settings.states))
            AppendStates().apply(Context(), module)
        if has_open_inputs(module) or computed_sizes(entry_of(module)):
            record_sizes(entry_of(module))
        return module
