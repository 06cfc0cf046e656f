"""New values of parameters before a compilation: checks, and the constants that follow from them.

In: the parameters of a module, and values by name. Out: arrays. The checks are those of a compiled
module, in machine code; the constants follow by the definitions of the steps, as in a compilation.
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
    """Return the constant that follows from the values of parameters.

    Errors: ArgumentError for values that could not be folded.
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
    """Return new values as arrays, without unchanged ones of parameters in the code.

    Errors: ArgumentError, the errors of `load_params`.
    """
    triple = Target.native().triple
    code = ParamCode(process_pool(lambda: pool_object(triple, user_cache())).library)
    return ParamMaps.of_fields(param_fields(params, (), 0)).check(code, given, module)
