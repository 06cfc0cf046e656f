"""Requests: import and compile a model for some shapes and values, if they suffice.

In: a function that loads the model, its settings, shapes and values.  Out: an `Artifact`
(driver/build.py); or, if the model needs more sizes or values, its signature as `Open`, with which
calls complete them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp

from ..analysis.entry import has_open_inputs
from ..frontend.onnx.input_values import Values
from ..frontend.onnx.signature import Shapes
from ..runtime.errors import ArgumentError
from ..support.cache import DiskCache
from ..support.diagnostics import NeedsBinding, TilewrightError, TypeMismatch
from ..targets.backend import Artifact, Version
from .build import Build
from .declared import declared_inputs
from .model_import import Load, ModelImport
from .store import Stored
from .versions import label_of


def import_versions(
    imported: ModelImport, load: Load, shapes: Shapes, values: Values
) -> list[Version]:
    """Import a model once for each version of its settings; see `ModelImport.run`."""
    return [
        Version(label_of(sizes), imported.run(load, {**shapes, **dict(sizes)}, values))
        for sizes in imported.settings.versions
    ]


def compile_closed(
    imported: ModelImport, load: Load, shapes: Shapes, values: Values, cache: DiskCache | None
) -> Artifact:
    """Compile a model whose sizes and values are all bound.

    Errors: NeedsBinding if a size or value is not bound; see `ModelImport.run`.
    """
    module = imported.run(load, shapes, values)
    return _build(imported, module, cache).compiled()


def compile_request(
    imported: ModelImport, load: Load, shapes: Shapes, values: Values, cache: DiskCache | None
) -> Stored:
    """Compile a model, or return its signature if it needs more sizes or values."""
    try:
        module = imported.run(load, shapes, values)
        if has_open_inputs(module):
            versions = import_versions(imported, load, shapes, values)
            return _compiled_open(imported, module, versions, cache)
        if imported.settings.versions:
            raise ArgumentError(
                "specialize= binds sizes of a model that has no open sizes",
                got=", ".join(map(label_of, imported.settings.versions)),
                hint="leave out specialize=",
            )
        return _build(imported, module, cache).compiled()
    except NeedsBinding as err:
        reason = "" if err.inputs else str(err)
        return replace(imported.signature, value_inputs=err.inputs, reason=reason)
    except TypeMismatch as err:
        # Sizes with different names may be equal in every call, so the call decides.
        known = imported.signature
        if not any(spec.is_symbolic() for spec in declared_inputs(known.inputs, shapes)):
            raise
        return replace(known, reason=str(err))


def _build(imported: ModelImport, module: ModuleOp, cache: DiskCache | None) -> Build:
    return Build(imported.settings, cache, imported.watch, module, params=imported.params)


def _compiled_open(
    imported: ModelImport, module: ModuleOp, versions: Sequence[Version], cache: DiskCache | None
) -> Stored:
    """Compile a model for all sizes of its inputs.

    If a step of the compilation needs sizes as numbers, return the signature with this reason.
    """
    settings = replace(imported.settings, strict_plan=True)
    try:
        return Build(
            settings, cache, imported.watch, module, versions=versions, params=imported.params
        ).compiled()
    except NeedsBinding:
        raise
    except TilewrightError as err:
        return replace(imported.signature, reason=str(err))
