"""The values of ONNX names: a tensor, a tensor of strings, a list of tensors, or nothing.

The value of an optional is its content, or None if it is absent. The lengths of sequences and the
presence of optionals are known at import, so ops have only tensor operands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

from ...dialects.shape import Dim, tensor_type
from ...runtime.strings import encoded
from ...support.diagnostics import UnsupportedOp
from .builder import Tensor


@dataclass(frozen=True)
class TensorList:
    """A sequence of tensors, whose length is known at import."""

    items: tuple[Tensor, ...]


@dataclass(frozen=True)
class StringTensor:
    """A tensor of strings as UTF-8 bytes, along an additional last axis that is padded with zeros.

    A string ends at its first zero byte, so no string contains this byte.
    """

    data: Tensor

    @staticmethod
    def of_array(array: np.ndarray) -> StringTensor:
        """Wrap strings that are known at import."""
        return StringTensor(Tensor.of_array(encoded(array)))

    @property
    def length(self) -> Dim:
        """The number of bytes of each string, including the zeros of the padding."""
        return self.data.dims[-1]


Value: TypeAlias = Tensor | StringTensor | TensorList | None


def flat(values: Iterable[Value]) -> list[Tensor]:
    """Return all tensors in a sequence of values, in order."""
    tensors: list[Tensor] = []
    for value in values:
        if isinstance(value, TensorList):
            tensors += value.items
        elif value is not None:
            tensors.append(value.data if isinstance(value, StringTensor) else value)
    return tensors


def like(values: Iterable[Value], tensors: Iterable[Tensor]) -> tuple[Value, ...]:
    """Return values of the same structure as ``values``, made of other tensors.

    tensors: the new tensors, in the order in which `flat` returns those of ``values``.
    """
    left = iter(tensors)
    made: list[Value] = []
    for value in values:
        if isinstance(value, TensorList):
            made.append(TensorList(tuple(next(left) for _ in value.items)))
        elif isinstance(value, StringTensor):
            made.append(StringTensor(next(left)))
        else:
            made.append(None if value is None else next(left))
    return tuple(made)


def types_of(value: Value) -> Attribute | tuple[Attribute, ...] | None:
    """Return the types of a value's tensors; values with equal types can replace each other.

    The result is one type, a tuple of types for a sequence, or None for an absent value.
    """
    if isinstance(value, TensorList):
        return tuple(tensor_type(x.dtype, x.dims) for x in value.items)
    if isinstance(value, StringTensor):
        return (StringAttr("strings"), tensor_type(value.data.dtype, value.data.dims))
    return None if value is None else tensor_type(value.dtype, value.dims)


def shown_type(value: Value) -> str:
    """Return a value's type as text for messages."""
    if isinstance(value, StringTensor):
        return f"a tensor of strings ({', '.join(map(str, value.data.dims[:-1]))})"
    found = types_of(value)
    if isinstance(found, tuple):
        return f"a sequence of {len(found)} ({', '.join(map(str, found))})"
    return "nothing" if found is None else str(found)


def tensors_only(values: Sequence[Value], what: str) -> list[Tensor]:
    """Check that all values are tensors; return them.

    what: a name for the values in messages.
    Errors: UnsupportedOp if a value is a sequence, a tensor of strings or absent.
    """
    found = [x for x in values if isinstance(x, Tensor)]
    if len(found) < len(values):
        other = next(x for x in values if not isinstance(x, Tensor))
        raise UnsupportedOp(f"{what} is not a tensor", got=shown_type(other))
    return found
