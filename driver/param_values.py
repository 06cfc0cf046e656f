"""New values of parameters that are given before a compilation: check them, and compute constants.

In: the parameters of a module, and values by name. Out: arrays. The native code that checks new
values of a compiled module also checks them here. The constants are computed in Python by the steps
of their recipes, as in a compilation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..codegen.objects import pool_object
from ..dialects.params import Param
from ..dialects.recipes import NotReplayable, Recipe, replayed
from ..machines.target import Target
from ..runtime.abi.ndarray import Array
from ..runtime.abi.param_code import ParamCode
from ..runtime.abi.threads import process_pool
from ..runtime.errors import ArgumentError
from ..runtime.module.params import ParamMaps
from ..support.cache import user_cache
from .params import param_fields


def computed(recipe: Recipe, values: Mapping[str, Array], module: str) -> Array:
    """Compute a constant from the values of parameters, by the constant's recipe.

    module: the name of the module in messages.
    Errors: ArgumentError if a step of the recipe does not work for these values.
    """
    try:
        return replayed(recipe, values)
    except NotReplayable as err:
        raise ArgumentError(
            f"{module}: parameter {', '.join(recipe.params)} cannot be replaced",
            got=str(err),
            hint="compile the model with the new values",
        ) from err


def checked_values(
    params: Sequence[Param], given: Mapping[str, object], module: str
) -> dict[str, Array]:
    """Check new values of parameters; return those that differ from the present ones, as arrays.

    A parameter that is part of the code accepts only its present value, which is not returned.
    module: the name of the module in messages.
    Errors: ArgumentError, the errors of `load_params`.
    """
    triple = Target.native().triple
    code = ParamCode(process_pool(lambda: pool_object(triple, user_cache())).library)
    return ParamMaps.of_fields(param_fields(params, (), 0)).check(code, given, module)
