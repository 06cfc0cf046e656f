"""Print a model or module at any level without machine code, as `tw compile --to` does.

In: a model with bindings of its sizes and values, or a module. Out: a `Build`, which returns
printed IR, schedules and the IR after each pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Unpack

from ...support.collection import paused_collection
from ..compilation import Compilation
from ..decoder_states import StateOptions
from ..progress import Stopwatch, Watcher
from ..settings import Choices, settings_for
from ..source import ModelSource

if TYPE_CHECKING:
    import onnx
    from xdsl.dialects.builtin import ModuleOp

    from ...frontend.onnx.input_values import Values
    from ...frontend.onnx.signature import Shapes
    from ..build import Build


def uncompiled(
    model: str | PathLike[str] | bytes | onnx.ModelProto,
    *,
    shapes: Shapes | None = None,
    values: Values | None = None,
    state: Mapping[str, str] | None = None,
    capacity: Mapping[str, int] | None = None,
    progress: Watcher | None = None,
    **choices: Unpack[Choices],
) -> Build:
    """Import a model; return a `Build` that prints IR and schedules without machine code.

    Errors: see compile, and NeedsBinding for sizes and values that are not bound.
    """
    options = StateOptions(state or {}, capacity or {})
    settings = options.settings(settings_for(**choices))
    compilation = Compilation(ModelSource(model), settings, None, None, progress)
    return compilation.build(options.shapes(shapes or {}), values or {})


def uncompiled_module(
    module: ModuleOp | str | PathLike[str],
    *,
    progress: Watcher | None = None,
    **choices: Unpack[Choices],
) -> Build:
    """Copy or parse a module; return a `Build` that prints IR without machine code.

    Errors: see compile_module.
    """
    from ...dialects.results import record_names
    from ..build import Build  # imports all of the compiler
    from ..module_text import own_module
    from ..passes.pipeline import first_stage

    settings = settings_for(**choices)
    own = own_module(module, settings)
    record_names(own)
    start = first_stage(own, settings.backend)
    return Build(settings, None, Stopwatch(progress), own, start=start)


def source_at(
    model: str | PathLike[str] | bytes | onnx.ModelProto,
    kind: str,
    *,
    shapes: Shapes | None = None,
    values: Values | None = None,
    **choices: Unpack[Choices],
) -> str:
    """Return the printed IR of a model at a level, or a listing (``ll``, ``asm``).

    Only the steps up to that level run. `Module.get_source` of the compiled model returns the same.
    kind: the name of the level or listing.
    Errors: LookupError for another kind; see compile, and NeedsBinding for sizes and values that
    are not bound.
    """
    with paused_collection():
        return uncompiled(model, shapes=shapes, values=values, **choices).source(kind)
