"""Options of `compile` that change the main function of a model: ``gradient`` and ``state``.

    compile(model, gradient=["w"])      y = f(x, w)    →    y, d_w = f(x, w)

A named initializer becomes an input.  The gradients are those of the sum of the first output.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects.results import ARG_NAMES, record_states, recorded_texts
from ...frontend.onnx.file.definitions import Model, ValueDef
from ...gradient.graph_gradient import append_gradients
from ...passes.graph.append_states import AppendStates
from ...runtime.errors import ArgumentError
from ...support.entry import entry_of
from ..settings import CompilationSettings


def with_variables(model: Model, names: Sequence[str]) -> Model:
    """Return a model in which the named initializers are inputs, after the other inputs.

    Errors: ArgumentError for a name that is neither an input nor an initializer.
    """
    inputs = {value.name for value in model.inputs}
    for name in names:
        if name not in inputs and name not in model.initializers:
            raise ArgumentError(
                f"gradient= names {name!r}, which is no input or initializer of the model",
                expected=", ".join([*inputs, *model.initializers]),
                got=name,
            )
    moved = [name for name in names if name not in inputs]
    added = {
        name: ValueDef(name, model.initializers[name].dtype, model.initializers[name].shape)
        for name in moved
    }
    kept = {name: a for name, a in model.initializers.items() if name not in added}
    return replace(
        model,
        inputs=(*model.inputs, *added.values()),
        initializers=kept,
        declared={**model.declared, **added},
    )


def gradient_outputs(model: Model, names: Sequence[str]) -> tuple[ValueDef, ...]:
    """Return the declarations of the gradient outputs.

    Each has the type of the input with respect to which it is computed, and the name ``d_<input>``.
    """
    inputs = {value.name: value for value in model.inputs}
    return tuple(replace(inputs[name], name=f"d_{name}") for name in names)


def change_main(module: ModuleOp, settings: CompilationSettings) -> None:
    """Make main return gradients, and record its states.

    Errors: those of the options, see `compile`.
    """
    if settings.gradients:
        _return_gradients(module, settings.gradients)
    if settings.states:
        record_states(entry_of(module), dict(settings.states))
        AppendStates().apply(Context(), module)


def _return_gradients(module: ModuleOp, names: Sequence[str]) -> None:
    """Append the gradients with respect to the named inputs to the results of main.

    Errors: NoGradient for a model with an op without a gradient; ArgumentError for an input that
    became a constant.
    """
    main = entry_of(module)
    known = recorded_texts(main, ARG_NAMES)
    missing = [name for name in names if name not in known]
    if missing:
        raise ArgumentError(
            f"gradient= names {missing[0]!r}, which is no tensor that a call passes",
            expected=", ".join(known),
            got=missing[0],
            hint="leave the input out of values=",
        )
    append_gradients(main, [known.index(name) for name in names])
