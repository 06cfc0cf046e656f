"""from_onnx: import a model as a module of graph ops and its parameters, which `build` compiles.

`compile` imports and builds in one call. With two calls, the user can read the module, run passes
on it, or give the parameters other values before the build.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..dialects.params import Param, ParamTable
from ..dialects.weights import Weight, WeightAttr
from ..frontend.frameworks import plain_model
from ..runtime.abi.ndarray import NDArray
from ..runtime.errors import ArgumentError
from ..runtime.nd import array
from ..runtime.spelling import suggests_arguments
from .given import check_sizes
from .model_import import ModelFacts, import_model
from .param_values import checked_values, computed
from .request import Request
from .settings import DEFAULT, settings_for
from .source import ModelSource

if TYPE_CHECKING:
    import onnx

    from ..frontend.onnx.signature import Shapes

_WHAT = "the module"


@suggests_arguments
def from_onnx(
    model: str | PathLike[str] | bytes | onnx.ModelProto, shape: Shapes | None = None
) -> tuple[ModuleOp, dict[str, NDArray]]:
    """Import a model; return its module at level graph, and its parameters by name.

    ``mod, params = from_onnx(model, shape={"x": (1, 3, 224, 224)})``, then ``build(mod,
    params=params)``.  The module contains the values of the parameters, so that passes can fold
    them. params: copies of the initializers whose values `build` can replace; other initializers,
    such as integers, are only part of the module.
    model: see compile.  shape: sizes of inputs, as shapes= of compile; other symbolic sizes stay.
    Errors: see compile; NeedsBinding if the import needs a size or the values of an input.

    >>> mod, params = tilewright.from_onnx("model.onnx")
    >>> sorted(params)
    ['w']
    >>> module = tilewright.build(mod, params=params)
    """
    check_sizes(shapes=shape)
    source = ModelSource(plain_model(model, None))
    loaded = replace(source.load(), params=ParamTable())
    request = Request(source, settings_for(context=DEFAULT), shape or {})
    module = import_model(request, loaded, ModelFacts())
    names = [name for name, param in _params(module).items() if not param.reason]
    return module, {name: array(loaded.initializers[name]) for name in names}


def bind_params(module: ModuleOp, given: Mapping[str, object]) -> list[Param]:
    """Recompute the weights of a module from new parameter values; return all parameters.

    given: the new values by parameter name; weights that depend on none of these parameters are
    unchanged.
    After: the weights refer to new Param objects, which no other module shares.
    Errors: ArgumentError for an unknown parameter, another shape or dtype, a parameter that cannot
    be replaced, and for a weight computed from several parameters of which only some are given.
    """
    params = {name: copy(param) for name, param in _params(module).items()}
    values = checked_values(list(params.values()), given, _WHAT)
    params |= {name: Param(name, value) for name, value in values.items()}
    for op, name, weight in list(_weights(module)):
        recipe, stored = weight.recipe, weight.stored
        assert recipe is not None, "a weight that follows from parameters has a recipe"
        missing = [each for each in recipe.params if each not in values]
        if not missing:
            stored = WeightAttr.of(computed(recipe, values, _WHAT)).stored
        elif len(missing) < len(recipe.params):
            raise ArgumentError(
                f"{_WHAT}: a parameter is combined with others, which are not given",
                expected=", ".join(recipe.params),
                got=", ".join(each for each in recipe.params if each in values),
                hint=f"pass {', '.join(missing)} too",
            )
        sources = tuple(params[source.name] for source in weight.sources)
        op.properties[name] = WeightAttr(Weight(stored, "", recipe, sources))
    return list(params.values())


def _weights(module: ModuleOp) -> Iterator[tuple[Operation, str, WeightAttr]]:
    """Yield each weight that is computed from parameters, with its op and the op's property."""
    for op in module.walk():
        for name, value in op.properties.items():
            if isinstance(value, WeightAttr) and value.sources:
                yield op, name, value


def _params(module: ModuleOp) -> dict[str, Param]:
    """Return, by name, the parameters from which the weights of a module are computed."""
    sources: Iterator[Any] = (each for _, _, weight in _weights(module) for each in weight.sources)
    return {each.name: cast("Param", each) for each in sources}
