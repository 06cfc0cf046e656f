"""Base class of all graph ops, and typed Python views of their properties.

Builder and verifier of an op share one type rule, ``infer``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from inspect import signature
from typing import Any, Protocol, TypeVar, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue, SSAValues
from xdsl.irdl import IRDLOperation, opt_attr_def, opt_prop_def, prop_def

from ...support.diagnostics import TypeMismatch
from ..shape import Tensor, dims_of, type_of

T_co = TypeVar("T_co", covariant=True)

INTS = DenseArrayBase.constr(i64)
INT = IntegerAttr.constr(i64)


class GraphOp(IRDLOperation):
    """An operator on immutable tensors whose result types follow from operands and properties.

    layout: the storage order of the first result, as an affine map of its dimensions; graph-to-te
    copies it to the te op.
    """

    layout = opt_attr_def(AffineMapAttr)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, field in list(vars(cls).items()):
            if isinstance(field, PropertyField) and f"{name}_attr" not in vars(cls):
                setattr(cls, f"{name}_attr", field.definition)

    def inferred_types(self) -> Sequence[Any]:
        """Return the result types, which ``infer`` derives from operands and properties.

        The parameters of ``infer`` have the names of operands, for their types, and of properties.
        Errors: TypeMismatch if operands or properties violate the op's type rule.
        """
        infer = cast(Any, self).infer
        made = infer(*(_argument(getattr(self, name)) for name in _parameters(infer)))
        return (made,) if isinstance(made, Attribute) else made

    def verify_(self) -> None:
        try:
            inferred = self.inferred_types()
            for result, expected in zip(self.results, inferred, strict=True):
                if result.type != expected:
                    raise TypeMismatch(
                        "wrong result type",
                        expected=expected,
                        got=result.type,
                        hint=f"declare the result as {expected}",
                    )
            self._verify_layout()
        except TypeMismatch as err:
            raise err.at(self) from err.__cause__

    def _verify_layout(self) -> None:
        if self.layout is None:
            return
        rank = len(dims_of(type_of(self.results[0]))) if self.results else None
        if (self.layout.data.num_dims, self.layout.data.num_symbols) != (rank, 0):
            raise TypeMismatch(
                "the layout is not a map from the dimensions of the first result",
                expected="no layout" if rank is None else f"a map from {rank} dimensions",
                got=self.layout,
                hint="remove the layout; cpu-plan-graph chooses layouts",
            )


@cache
def _parameters(function: Callable[..., object]) -> tuple[str, ...]:
    return tuple(signature(function).parameters)


def _argument(value: object) -> object:
    if isinstance(value, SSAValues):
        return [type_of(each) for each in cast(Sequence[SSAValue], value)]
    return type_of(value) if isinstance(value, SSAValue) else value


class Field(Protocol[T_co]):
    """A descriptor that returns a property of an op as a plain Python value."""

    def __get__(self, op: Operation, owner: type[Operation]) -> T_co: ...


class PropertyField(property):
    """A field, and xDSL's definition of the property that it reads."""

    def __init__(self, read: Callable[[Any], object], definition: object) -> None:
        super().__init__(read)
        self.definition = definition


def ints(name: str) -> Field[tuple[int, ...]]:
    """Define an array property, and a field that reads it as a tuple of integers."""
    definition = prop_def(INTS, prop_name=name)
    read = PropertyField(lambda op: tuple(op.properties[name].get_values()), definition)
    return cast(Any, read)


def integer(name: str) -> Field[int]:
    """Define an integer property, and a field that reads it."""
    definition = prop_def(INT, prop_name=name)
    return cast(Any, PropertyField(lambda op: op.properties[name].value.data, definition))


def number(name: str, constraint: Any = FloatAttr) -> Field[float]:
    """Define a float property, and a field that reads it."""
    definition = prop_def(constraint, prop_name=name)
    return cast(Any, PropertyField(lambda op: float(op.properties[name].value.data), definition))


def text(name: str) -> Field[str]:
    """Define a string property, and a field that reads it."""
    definition = prop_def(StringAttr, prop_name=name)
    return cast(Any, PropertyField(lambda op: op.properties[name].data, definition))


def flag(name: str) -> Field[bool]:
    """Define a unit property, and a field that is True if the property is present."""
    definition = opt_prop_def(UnitAttr, prop_name=name)
    return cast(Any, PropertyField(lambda op: name in op.properties, definition))


def int_array(values: Sequence[int]) -> DenseArrayBase[Any]:
    """Return the array attribute of i64 that holds the integers."""
    return DenseArrayBase.from_list(i64, [int(v) for v in values])


def int_attr(value: int) -> Attribute:
    """Return the i64 attribute of an integer."""
    return IntegerAttr(int(value), i64)


def unit_if(present: bool) -> UnitAttr | None:
    """Return a unit attribute if ``present``, else None."""
    return UnitAttr() if present else None


def check_choice(what: str, value: str, choices: Collection[str]) -> None:
    """Raise TypeMismatch unless ``value`` is one of ``choices``."""
    if value not in choices:
        raise TypeMismatch(
            f"unknown {what}",
            expected=", ".join(choices),
            got=value,
            hint=f"set {what} to one of these",
        )


def check_count(what: str, values: Sequence[object], count: int) -> None:
    """Raise TypeMismatch unless there are ``count`` values."""
    if len(values) != count:
        raise TypeMismatch(
            f"wrong number of {what}",
            expected=count,
            got=list(values),
            hint=f"give one value per spatial dimension: {count}",
        )


def check_at_least(what: str, values: Sequence[int], low: int) -> None:
    """Raise TypeMismatch if a value is below ``low``."""
    if any(value < low for value in values):
        raise TypeMismatch(
            f"{what} too small",
            expected=f"{low} or more",
            got=list(values),
            hint=f"raise {what} to {low} or more",
        )


def check_axes(axes: Sequence[int], rank: int) -> None:
    """Raise TypeMismatch unless the axes are distinct and in 0..rank-1."""
    if len(set(axes)) != len(axes) or any(not 0 <= axis < rank for axis in axes):
        raise TypeMismatch(
            "axes are not distinct axes of the operand",
            expected=f"0..{rank - 1}, each at most once",
            got=list(axes),
            hint="list each axis once",
        )


def check_element(what: str, tensor: Tensor, accepted: bool, expected: str) -> None:
    """Raise TypeMismatch unless ``accepted``; ``expected`` describes the valid element types."""
    if not accepted:
        raise TypeMismatch(
            f"{what} is not defined on this element type",
            expected=expected,
            got=tensor,
            hint="insert graph.cast",
        )
