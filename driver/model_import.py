"""Import a request: turn its model into modules of graph ops, or copy its program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..analysis.entry import has_dynamic_inputs, name_dynamic_sizes
from ..dialects.params import ParamTable
from ..frontend.onnx.file.definitions import Model
from ..frontend.onnx.importer import import_for_all_sizes
from ..frontend.onnx.installed import InstalledConverters
from ..gradient.onnx_gradient import CONVERTERS
from ..runtime.errors import ArgumentError
from ..targets.backend import Version
from .lowered import Lowered
from .passes.main_options import change_main, gradient_outputs, with_variables
from .passes.pipeline import first_stage, import_passes
from .request import OwnModule, Request
from .settings import label_of
from .store import ModelSignature


@dataclass
class ModelFacts:
    """Facts about a model that an import finds, even if the import fails.

    signature: the inputs and outputs that the model declares.  data_files: the locations of its
    external data, as the model file states them.  installed: the converters of installed packages.
    """

    signature: ModelSignature = field(default_factory=lambda: ModelSignature("", (), (), ()))
    data_files: tuple[str, ...] = ()
    installed: InstalledConverters = field(default_factory=InstalledConverters)


def imported(request: Request, facts: ModelFacts | None = None) -> Lowered:
    """Import a request; return its modules at the first level.

    Only the modules refer to the weights, so that memory is freed as soon as the weights are
    packed.
    facts: an object whose fields the import sets, or None.
    Errors: ModelError, UnsupportedOp, TypeMismatch; NeedsBinding for values that decide shapes;
    ArgumentError if ``specialize`` asks for versions of a model without symbolic sizes.
    """
    settings, source = request.settings, request.source
    if isinstance(source, OwnModule):
        start = source.start or first_stage(source.module, settings.backend)
        own = [Version(name, source.module.clone(), of) for name, of in settings.processors]
        return Lowered(settings, tuple(own), start, source.params)
    known, params = facts or ModelFacts(), ParamTable()
    with request.watch.stage("import"):
        import_passes(settings.backend)
        model = replace(source.load(), params=params)
        module = import_model(request, model, known)
    parts = [Version("", module)]
    versions = () if request.is_fully_bound else settings.versions
    if versions and not has_dynamic_inputs(module):
        raise ArgumentError(
            "specialize= binds sizes of a model that has no dynamic sizes",
            got=", ".join(map(label_of, versions)),
            hint="leave out specialize=",
        )
    first, *others = settings.processors
    wanted = [(*first, sizes) for sizes in versions]
    wanted += [(*each, sizes) for each in others for sizes in (*versions, ())]
    for name, of, sizes in wanted:
        label = ", ".join(filter(None, (name, label_of(sizes))))
        with request.watch.stage("import"):
            made = import_model(request, model, known, dict(sizes))
        parts.append(Version(label, made, of))
    return Lowered(settings, tuple(parts), settings.backend.stages[0].name, params)


def import_model(
    request: Request, model: Model, facts: ModelFacts, sizes: Mapping[str, Any] | None = None
) -> ModuleOp:
    """Import a loaded model; return its module of graph ops.

    The entry function names the symbolic sizes of its inputs. These sizes may be 0, unless the
    model needs one or more elements.

    facts: an object whose fields the import sets.
    sizes: the sizes that a version (``specialize``) binds; None: the version for all sizes.

    Errors: see `imported`.
    """
    settings, values = request.settings, request.values
    model = with_variables(model, settings.gradients)
    inputs = tuple(value for value in model.inputs if value.name not in values)
    outputs = tuple(model.declared[name] for name in model.outputs)
    outputs += gradient_outputs(model, settings.gradients)
    facts.signature = ModelSignature(model.name, inputs, outputs, ())
    facts.data_files = model.data_files
    more = [row for extension in settings.extensions for row in extension.converters]
    module = import_for_all_sizes(
        model,
        {**request.shapes, **(sizes or {})},
        values,
        converters=[*more, *CONVERTERS],
        installed=facts.installed,
    )
    change_main(module, settings)
    name_dynamic_sizes(module)
    return module
