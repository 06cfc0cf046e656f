"""Write the parameters of a compiled model as JSON, from which the runtime replaces their values.

In: the parameters that the importer recorded, and the offset of each packed weight. Out:

    {"params": [[name, dtype, shape, reason, digest], …],
     "combined": {name: [names of parameters that constants combine with it], …},
     "table": the table of param_table.py, with short runs of zeros, in base64}

A parameter with a reason cannot be replaced. If the compiler combined two parameters and one of
them cannot be replaced, neither can the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias, cast

from ..dialects.params import Param
from ..dialects.recipes import Recipe
from ..dialects.weights import WeightAttr
from ..runtime.module.params import packed_table
from .param_table import combined_params, param_table

Params: TypeAlias = Iterable[Param]


def params_text(
    params: Params, placed: Mapping[WeightAttr, int] | None, weights_bytes: int = 0
) -> str:
    """Return the JSON text that describes the parameters.

    placed: the offset of each constant in the packed weights; None if the code itself contains all
    weights.
    """
    found = {id(param): param for param in params}
    if placed is None:
        for param in found.values():
            param.refuse("the code for this target contains its values")
    for weight in placed or {}:
        found |= {id(source): cast("Param", source) for source in weight.sources}
    known = list(found.values())
    _refuse_namesakes(known)
    constants = [
        (offset, weight.recipe) for weight, offset in (placed or {}).items() if weight.sources
    ]
    kept = _replaceable(known, [(at, recipe) for at, recipe in constants if recipe is not None])
    return json.dumps(param_fields(known, kept, weights_bytes))


def param_fields(
    params: Sequence[Param], constants: Sequence[tuple[int, Recipe]], weights_bytes: int
) -> dict[str, object]:
    """Return the fields of the JSON that describes the parameters.

    constants: the offset of each constant in the packed weights, and the recipe that computes it.
    """
    return {
        "params": [[p.name, p.dtype, p.shape, p.reason, p.digest] for p in params],
        "combined": combined_params(constants),
        "table": packed_table(param_table(params, constants, weights_bytes)),
    }


def _refuse_namesakes(params: list[Param]) -> None:
    """Mark all parameters that share their name with another parameter as not replaceable."""
    seen: dict[str, Param] = {}
    for param in params:
        if seen.setdefault(param.name, param) is not param:
            for each in (param, seen[param.name]):
                each.refuse("two constants have this name")


def _replaceable(
    params: list[Param], constants: list[tuple[int, Recipe]]
) -> list[tuple[int, Recipe]]:
    """Return the constants that the runtime can recompute from new parameter values.

    A parameter whose values are part of the code cannot be replaced. If a constant combines such a
    parameter with others, the others are marked as not replaceable, too.
    """
    by_name = {param.name: param for param in params}
    while True:
        kept: list[tuple[int, Recipe]] = []
        for offset, recipe in constants:
            refused = [name for name in recipe.params if by_name[name].reason]
            if not refused:
                kept.append((offset, recipe))
            for name in recipe.params if refused else ():
                by_name[name].refuse(f"it is combined with {refused[0]}, which is part of the code")
        if len(kept) == len(constants):
            return kept
        constants = kept
