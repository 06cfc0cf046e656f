"""Parameters of a module: the model's initializers, whose values may be replaced.

In: the parameters and recipes that an export lists (driver/params.py writes them), and the packed
weights. Out: new packed weights for new values, and values that the packed weights contain. No
compiler takes part: a recipe (recipes.py) computes each constant of the code that follows from
parameters, with the bits that a compilation would give. Parameters that decided the code have a
reason instead of a recipe.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from .errors import ArgumentError
from .layout import empty_array
from .library import LoadError
from .manifest import ParamSpec
from .ndarray import Array, NDArray, numpy_dtype
from .recipes import PARAM, NotReplayable, Recipe, apply_step, recipes_of, replayed
from .safetensors import arrays_in, parts
from .values import as_array

Params: TypeAlias = "Mapping[str, object] | str | PathLike[str] | bytes"
"""Values by name, the path of a file that `save_params` wrote, or its bytes."""

_NEAR = 3


@dataclass(frozen=True)
class ParamMaps:
    """The parameters of a module, and the constants of its code that follow from them.

    constants: the offset of each in the packed weights, and its recipe.
    """

    specs: Mapping[str, ParamSpec]
    constants: Sequence[tuple[int, Recipe]]

    @staticmethod
    def of_fields(fields: Mapping[str, Any]) -> ParamMaps:
        """Read the fields of an export.

        Errors: LoadError if they are malformed.
        """
        try:
            return ParamMaps._read(fields)
        except (ValueError, KeyError, TypeError, IndexError) as err:
            hint = "export the model again: the file is damaged or of another version"
            raise LoadError("the parameters are malformed", got=repr(err), hint=hint) from err

    @staticmethod
    def _read(fields: Mapping[str, Any]) -> ParamMaps:
        if not fields:
            return ParamMaps({}, ())
        recipes = recipes_of(fields["recipes"])
        specs = [ParamSpec(n, d, tuple(s), reason, h) for n, d, s, reason, h in fields["params"]]
        constants = [(offset, recipes[row]) for offset, row in fields["constants"]]
        return ParamMaps({spec.name: spec for spec in specs}, constants)

    def repacked(self, weights: Array, given: Mapping[str, object], module: str) -> Array:
        """Return packed weights in which the constants follow from new values.

        weights: the packed weights of the other values.
        Errors: ArgumentError for an unknown parameter, one that cannot be replaced, a wrong shape
        or dtype, and values that are combined with others that are not given.
        """
        values = {
            name: array
            for name, value in given.items()
            if (array := self._checked(name, value, module)) is not None
        }
        made = empty_array(weights.shape, weights.dtype)
        made[:] = weights
        for offset, recipe in self.constants:
            if any(name in values for name in recipe.params):
                data = _computed(recipe, self._complete(recipe, values, weights, module), module)
                made[offset : offset + data.nbytes] = data.reshape(-1).view(np.uint8)
        return made

    def stored(self, weights: Array) -> dict[str, Array]:
        """Return the values of the parameters of which the packed weights hold every element."""
        found: dict[str, Array] = {}
        missing: dict[str, Array] = {}
        for offset, recipe in self.constants:
            if not recipe.moves:
                continue
            (name,) = recipe.params
            spec = self.specs[name]
            if name not in found:
                found[name] = np.empty(prod(spec.shape), numpy_dtype(spec.dtype))
                missing[name] = np.ones(prod(spec.shape), bool)
            if missing[name].any():
                self._take(recipe, weights[offset:], found[name], missing[name])
        shapes = {name: self.specs[name].shape for name in found}
        return {n: a.reshape(shapes[n]) for n, a in found.items() if not missing[n].any()}

    def _take(self, recipe: Recipe, data: Array, values: Array, missing: Array) -> None:
        """Copy the elements that a constant holds."""
        spec = self.specs[recipe.params[0]]
        places = _places(recipe, np.arange(1, len(values) + 1).reshape(spec.shape)).reshape(-1)
        elements = data[: places.size * values.itemsize].view(values.dtype)
        held = places > 0
        values[places[held] - 1] = elements[held]
        missing[places[held] - 1] = False

    def _checked(self, name: str, value: object, module: str) -> Array | None:
        """Return a value of a parameter, or None for one that is part of the code and unchanged.

        Errors: ArgumentError.
        """
        spec = self.specs.get(name)
        if spec is None:
            near = difflib.get_close_matches(name, self.specs, _NEAR) or [*self.specs][:_NEAR]
            raise ArgumentError(
                f"{module} has no parameter {name!r}",
                expected=", ".join(near) or "a model with initializers",
                hint="module.metadata.params lists them",
            )
        array = as_array(value, f"{module}: parameter {name}")
        if array.dtype.name != spec.dtype or array.shape != spec.shape:
            raise ArgumentError(
                f"{module}: parameter {name} has another shape or dtype",
                expected=spec,
                got=f"{array.dtype}[{', '.join(map(str, array.shape))}]",
                hint="pass it in the layout of the model",
            )
        array = np.asarray(array, order="C")
        if not spec.reason:
            return array
        if spec.digest == hashlib.sha256(array.tobytes()).hexdigest():
            return None
        raise _refusal(module, name, spec.reason)

    def _complete(
        self, recipe: Recipe, values: Mapping[str, Array], weights: Array, module: str
    ) -> Mapping[str, Array]:
        """Return values for all parameters of a recipe.

        Errors: ArgumentError if the weights do not hold one that is not given.
        """
        missing = [name for name in recipe.params if name not in values]
        if not missing:
            return values
        known = self.stored(weights)
        unknown = [name for name in missing if name not in known]
        if unknown:
            given = ", ".join(name for name in recipe.params if name in values)
            raise ArgumentError(
                f"{module}: a parameter is combined with others, which are not given",
                expected=", ".join(recipe.params),
                got=given,
                hint=f"pass {', '.join(unknown)} too",
            )
        return {**known, **values}


def _computed(recipe: Recipe, values: Mapping[str, Array], module: str) -> Array:
    try:
        return replayed(recipe, values)
    except NotReplayable as err:
        raise _refusal(module, ", ".join(recipe.params), str(err)) from err


def _places(recipe: Recipe, numbers: Array) -> Array:
    """Return the number of the element at each place of a constant, 0 for padding."""
    if recipe.step == PARAM:
        return numbers
    (inner,) = (_places(each, numbers) for each in recipe.operands)
    return inner if recipe.step == "bits" else apply_step(recipe.step, [inner], recipe.arguments)


def _refusal(module: str, name: str, reason: str) -> ArgumentError:
    return ArgumentError(
        f"{module}: parameter {name} cannot be replaced",
        got=reason,
        hint="compile the model with the new values",
    )


def save_param_dict(params: Mapping[str, object]) -> bytes:
    """Return named arrays as the bytes of a safetensors file.

    Errors: ArgumentError for a value that is no array.
    """
    arrays = {name: np.asarray(as_array(value, name)) for name, value in params.items()}
    return b"".join(parts(arrays))


def load_param_dict(data: bytes | memoryview) -> dict[str, NDArray]:
    """Return the named arrays in the bytes of a safetensors file.

    Errors: ArgumentError if the bytes are not of this layout.
    """
    return {name: NDArray(array) for name, array in arrays_in(data).items()}


def values_of(params: Params) -> Mapping[str, object]:
    """Return values by name, from a file if its path or its bytes are given.

    Errors: ArgumentError for another layout, OSError from the disk.
    """
    if isinstance(params, Mapping):
        return params
    if isinstance(params, (bytes, bytearray, memoryview)):
        return load_param_dict(params)
    return load_param_dict(Path(fspath(params)).read_bytes())
