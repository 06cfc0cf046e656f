"""Parameters of a module: the model's initializers, whose values may be replaced.

In: the parameters and recipes in an exported file (driver/params.py writes them), and the packed
weights. Out: new packed weights for new values, and the values that the packed weights contain.
This needs no compiler: a recipe (recipes.py) computes each constant of the code that depends on
parameters, with the same bits as a compilation. A parameter whose values the code itself depends on
has a reason instead of recipes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ..abi.library import LoadError
from ..abi.ndarray import Array, NDArray, numpy_dtype
from ..abi.values import as_array
from ..call.output_buffers import empty_array
from ..errors import ArgumentError
from ..file.manifest import ParamSpec
from ..file.recipes import CONSTANT, PARAM, NotReplayable, Recipe, apply_step, recipes_of, replayed
from ..file.safetensors import arrays_in, parts
from ..spelling import nearest

Params: TypeAlias = "Mapping[str, object] | str | PathLike[str] | bytes"
"""Values by name, the path of a file that `save_params` wrote, or its bytes."""

Dtype: TypeAlias = "np.dtype[Any]"

_NEAR = 3
_WIDE_FLOATS = ("float32", "float64")


@dataclass(frozen=True)
class ParamMaps:
    """The parameters of a module, and the constants of its code that depend on them.

    constants: the offset of each constant in the packed weights, and its recipe.
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

    @staticmethod
    def joined(maps: Sequence[ParamMaps]) -> ParamMaps:
        """Return the parameters of several programs; each program's weights contain its constants.

        If the code of one program depends on the values of a parameter, the result has its reason.
        """
        specs: dict[str, ParamSpec] = {}
        for spec in (spec for each in maps for spec in each.specs.values()):
            if spec.name not in specs or not specs[spec.name].reason:
                specs[spec.name] = spec
        return ParamMaps(specs, [row for each in maps for row in each.constants])

    def repacked(self, weights: Array, given: Mapping[str, object], module: str) -> Array:
        """Return packed weights whose constants are computed from new values.

        weights: the current packed weights, which supply all other values.
        Errors: ArgumentError for an unknown parameter, for one that cannot be replaced, for a wrong
        shape or dtype, and for a parameter that is combined with others whose values are not given.
        """
        values = self.checked(given, module)
        made = empty_array(weights.shape, weights.dtype)
        made[:] = weights
        for offset, recipe in self.constants:
            if any(name in values for name in recipe.params):
                data = computed(recipe, self._complete(recipe, values, weights, module), module)
                made[offset : offset + data.nbytes] = data.reshape(-1).view(np.uint8)
        return made

    def stored(self, weights: Array) -> dict[str, Array]:
        """Return the values of all parameters whose elements are all in the packed weights."""
        found = {name: _Found.of(self.specs[name]) for name in self.used}
        for offset, recipe in self.constants:
            if (held := _held_dtype(recipe, self.specs)) is None:
                continue
            for name in recipe.params:
                if not found[name].is_whole:
                    numbers = _places(recipe, name, self.specs)
                    data = weights[offset : offset + numbers.size * held.itemsize]
                    found[name].take(numbers.reshape(-1), data.view(held))
        return {name: each.array for name, each in found.items() if each.is_whole}

    @cached_property
    def used(self) -> tuple[str, ...]:
        """The names of the parameters on which constants depend."""
        return tuple(dict.fromkeys(n for _, recipe in self.constants for n in recipe.params))

    def combined(self, name: str) -> tuple[str, ...]:
        """Return the names of the parameters that constants combine with a parameter."""
        own = [recipe.params for _, recipe in self.constants if name in recipe.params]
        return tuple(dict.fromkeys(other for names in own for other in names if other != name))

    def checked_name(self, name: str, module: str) -> ParamSpec:
        """Return the parameter of a name.

        Errors: ArgumentError if there is none.
        """
        if (spec := self.specs.get(name)) is not None:
            return spec
        near = nearest(name, self.specs, _NEAR) or [*self.specs][:_NEAR]
        raise ArgumentError(
            f"{module} has no parameter {name!r}",
            expected=", ".join(near) or "a model with initializers",
            hint="module.metadata.params lists them",
        )

    def checked(self, given: Mapping[str, object], module: str) -> dict[str, Array]:
        """Return new values as arrays, without unchanged ones of parameters in the code.

        Errors: ArgumentError for an unknown parameter, one that cannot be replaced, and a wrong
        shape or dtype.
        """
        pairs = [(name, self._checked(name, value, module)) for name, value in given.items()]
        return {name: array for name, array in pairs if array is not None}

    def _checked(self, name: str, value: object, module: str) -> Array | None:
        """Return a new value, or None if the value is part of the code and unchanged.

        Errors: ArgumentError.
        """
        spec = self.checked_name(name, module)
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

        Errors: ArgumentError for a parameter that is neither given nor in the weights.
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


def computed(recipe: Recipe, values: Mapping[str, Array], module: str) -> Array:
    """Return the constant that follows from the values of parameters.

    Errors: ArgumentError for values with which a compilation would give other code.
    """
    try:
        return replayed(recipe, values)
    except NotReplayable as err:
        raise _refusal(module, ", ".join(recipe.params), str(err)) from err


@dataclass
class _Found:
    """The elements of a parameter, in order; is_missing: True for elements not found yet."""

    spec: ParamSpec
    values: Array
    is_missing: Array

    @staticmethod
    def of(spec: ParamSpec) -> _Found:
        size = prod(spec.shape)
        return _Found(spec, np.empty(size, numpy_dtype(spec.dtype)), np.ones(size, bool))

    @property
    def is_whole(self) -> bool:
        """Whether no element is missing."""
        return not self.is_missing.any()

    @property
    def array(self) -> Array:
        """The elements, in the shape of the parameter."""
        return self.values.reshape(self.spec.shape)

    def take(self, numbers: Array, elements: Array) -> None:
        """Add the elements that a constant contains; numbers: the result of `_places`."""
        held = np.flatnonzero(numbers)
        places, taken = np.abs(numbers[held]) - 1, elements[held]
        if taken.dtype.itemsize == self.values.dtype.itemsize:
            taken = taken.view(self.values.dtype)
        taken = taken.astype(self.values.dtype)
        negative = numbers[held] < 0
        taken[negative] = -taken[negative]
        self.values[places], self.is_missing[places] = taken, False


def _held_dtype(recipe: Recipe, specs: Mapping[str, ParamSpec]) -> Dtype | None:
    """Return the dtype of a constant if its elements contain elements of parameters, else None."""
    if recipe.step == PARAM:
        return numpy_dtype(specs[recipe.arguments[0]].dtype)
    if recipe.step == CONSTANT:
        return numpy_dtype(recipe.arguments[0])
    held = [_held_dtype(each, specs) for each in recipe.operands]
    inner = [dtype for dtype in held if dtype is not None]
    if not recipe.holds or len(inner) < len(held):
        return None
    first = inner[0]
    if recipe.step not in ("convert", "finite", "bits"):
        return first
    made = numpy_dtype(recipe.arguments[0])
    is_kept = made == first or (made.itemsize == first.itemsize and recipe.step == "bits")
    return made if is_kept or _is_wider(made, first) else None


def _is_wider(dtype: Dtype, other: Dtype) -> bool:
    """Return whether a floating-point type can represent all values of another type."""
    return dtype.name in _WIDE_FLOATS and dtype.itemsize > other.itemsize


def _places(recipe: Recipe, name: str, specs: Mapping[str, ParamSpec]) -> Array:
    """Return, for each element of a constant, the number (from 1) of a parameter's element in it.

    The number is negative for a negated element, and 0 for padding and other parameters.
    """
    if recipe.step == PARAM:
        spec = specs[recipe.arguments[0]]
        first = 1 if spec.name == name else 0
        return (first * np.arange(1, prod(spec.shape) + 1)).reshape(spec.shape)
    if recipe.step == CONSTANT:
        return np.zeros(recipe.arguments[1], np.int64)
    inner = [_places(each, name, specs) for each in recipe.operands]
    if recipe.step in ("bits", "convert", "finite"):
        return inner[0]
    return apply_step(recipe.step, inner, recipe.arguments)


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
    """Return values by name; params: a mapping, or the path or the bytes of a file.

    Errors: ArgumentError for another layout, OSError from the disk.
    """
    if isinstance(params, Mapping):
        return params
    if isinstance(params, (bytes, bytearray, memoryview)):
        return load_param_dict(params)
    return load_param_dict(Path(fspath(params)).read_bytes())
