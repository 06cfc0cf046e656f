"""Bind input values at import, and find the inputs whose values an import needs.

An exported model may have inputs that determine shapes, such as the target shape of a Reshape. An
input whose value the user gives becomes a constant; `inputs_behind` finds the inputs whose values
the user must give.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects.shape import element_count
from ...runtime.strings import encoded, is_strings
from ...support.diagnostics import ModelError
from .builder import MAX_SIZES, Tensor
from .file.definitions import ValueDef
from .scope import initializer

Values: TypeAlias = "Mapping[str, np.ndarray | Sequence[Any] | float]"
"""Values of inputs, by input name: arrays, lists or numbers."""


def bound_values(inputs: Sequence[ValueDef], given: Values) -> dict[str, Tensor]:
    """Return the inputs to which the user gives values, as constant tensors by name.

    inputs: the declared inputs of the model.  given: the user's values by input name.
    Errors: ModelError if ``given`` names no input, or a value does not have the input's type.
    """
    declared = {value.name: value for value in inputs}
    tensors: dict[str, Tensor] = {}
    for name, number in given.items():
        if name not in declared:
            raise ModelError(
                "values= names an unknown input", expected=", ".join(declared), got=name
            )
        value = declared[name]
        array = array_of(number, value)
        if array.dtype != value.dtype or not _has_shape(array, value):
            raise ModelError(
                f"values= contradicts the type of input {name!r}",
                expected=f"{value.dtype} of shape {value.shape}",
                got=f"{array.dtype} of shape {array.shape}",
            )
        tensors[name] = initializer(array, name)
    return tensors


def array_of(given: object, value: ValueDef) -> np.ndarray:
    """Return the user's value of an input as an array of the input's element type.

    value: the declaration of the input.
    Errors: ModelError if the user's value is no array of numbers.
    """
    if value.is_text and is_strings(given):
        return encoded(given)
    if isinstance(given, np.ndarray):
        return given
    try:
        array = np.asarray(given, value.dtype)
        # A single number is valid for a one-element input of any rank.
        if array.size == 1 and value.shape is not None:
            array = array.reshape((1,) * len(value.shape))
        return array
    except (ValueError, TypeError, OverflowError) as err:
        raise ModelError(
            f"values= of input {value.name!r} is not an array",
            expected=value.dtype,
            got=repr(given),
        ) from err


def _has_shape(array: np.ndarray, value: ValueDef) -> bool:
    shape = value.shape
    return shape is None or (
        len(shape) == array.ndim
        and all(w == g for w, g in zip(shape, array.shape, strict=True) if isinstance(w, int))
    )


def inputs_behind(
    tensors: Sequence[Tensor], names: Mapping[SSAValue, str]
) -> tuple[str, ...] | None:
    """Return the names of the model's inputs from which tensors are computed.

    Return None if one of these inputs is large, that is, has too many elements for users to give
    its values.
    names: for each argument of the function main, the name of its input.
    """
    found: set[str] = set()
    left, seen = [x.ssa for x in tensors if x.ssa is not None], set[SSAValue]()
    while left:
        value = left.pop()
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value.owner, Operation):
            left += _read_by(value.owner)
        elif value in names and _may_be_small(Tensor.of_ssa(value)):
            found.add(names[value])
        else:
            return None
    return tuple(sorted(found))


def _read_by(op: Operation) -> list[SSAValue]:
    inside = [inner for inner in op.walk() if inner is not op]
    own: set[SSAValue] = {result for inner in inside for result in inner.results}
    own.update(a for one in op.walk() for r in one.regions for b in r.blocks for a in b.args)
    captured = {v for inner in inside for v in inner.operands} - own
    return [*op.operands, *captured]


def _may_be_small(x: Tensor) -> bool:
    count = element_count(x.dims).value
    return x.rank <= 1 if count is None else count <= MAX_SIZES
