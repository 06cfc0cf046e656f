"""Base class of all graph ops, and typed Python views of their properties.

Builder and verifier of an op share one type rule, ``infer``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from inspect import signature
from typing import Any, ClassVar, Protocol, TypeVar, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue, SSAValues
from xdsl.irdl import IRDLOperation, opt_attr_def, opt_prop_def, prop_def

from ...support.diagnostics import TypeMismatch
from ..shape import Dim, DimsAttr, Tensor, dims_of, type_of

T = TypeVar("T")
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

    def initialize(
        self, operands: Sequence[SSAValue | Sequence[SSAValue] | None], **given: Any
    ) -> None:
        """Initialize a new op, whose result types ``infer`` derives.

        operands: the operands in the order of their definitions: a list for a variadic operand,
        None for an absent optional operand.
        given: by name, the properties, as Python values or attributes, and values of parameters of
        ``infer`` that are neither operands nor properties.
        """
        definition, infer = self.get_irdl_definition(), cast(Any, self).infer
        names = (name for name, _ in definition.operands)
        known = {**dict(zip(names, map(_types, operands), strict=True)), **given}
        made = infer(*(known[name] for name in _parameters(infer)))
        fields = _fields(type(self))
        properties = {
            name: fields[name].encode(value) if name in fields else value
            for name, value in given.items()
            if name in fields or (name in definition.properties and isinstance(value, Attribute))
        }
        super().__init__(
            operands=operands,
            result_types=(made,) if isinstance(made, Attribute) else made,
            properties=properties,
        )

    INFERS_FROM_OPERANDS: ClassVar[bool] = True
    """False for an op class that reads the types of its results to infer them."""

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


@cache
def _fields(op_class: type[GraphOp]) -> dict[str, PropertyField]:
    members = (item for base in reversed(op_class.__mro__) for item in vars(base).items())
    return {name: field for name, field in members if isinstance(field, PropertyField)}


def _argument(value: object) -> object:
    return _types(value) if isinstance(value, SSAValue | SSAValues) else value


def _types(operand: SSAValue | Sequence[SSAValue] | None) -> Tensor | list[Tensor] | None:
    if operand is None or isinstance(operand, SSAValue):
        return None if operand is None else type_of(operand)
    return [type_of(value) for value in operand]


class Field(Protocol[T_co]):
    """The interface of a descriptor whose value is a property of an op, as a plain Python value."""

    def __get__(self, op: Operation, owner: type[Operation]) -> T_co: ...


class PropertyField(property):
    """The descriptor that decodes a property of an op, and that can encode values of the property.

    definition: the definition of the property in xDSL, which the op class needs.
    encode: a function from a Python value to the attribute of the property; it returns None if the
    property is absent for this value.
    """

    def __init__(
        self,
        read: Callable[[Any], object],
        definition: object,
        encode: Callable[[Any], Attribute | None],
    ) -> None:
        super().__init__(read)
        self.definition, self.encode = definition, encode


def _required(
    name: str,
    constraint: Any,
    decode: Callable[[Any], object],
    encode: Callable[[Any], Attribute],
) -> Any:
    definition = prop_def(constraint, prop_name=name)
    return PropertyField(lambda op: decode(op.properties[name]), definition, encode)


def _optional(
    name: str,
    constraint: Any,
    decode: Callable[[Any], object],
    encode: Callable[[Any], Attribute],
    default: object,
) -> Any:
    def read(op: Operation) -> object:
        attr = op.properties.get(name)
        return default if attr is None else decode(attr)

    def attribute_of(value: object) -> Attribute | None:
        return None if value == default else encode(value)

    return PropertyField(read, opt_prop_def(constraint, prop_name=name), attribute_of)


def ints(name: str) -> Field[tuple[int, ...]]:
    """Define an array property, and a field that reads it as a tuple of integers."""
    return _required(name, INTS, lambda attr: tuple(attr.get_values()), int_array)


def integer(name: str) -> Field[int]:
    """Define an integer property, and a field that reads it."""
    return _required(name, INT, lambda attr: attr.value.data, int_attr)


def optional_integer(name: str, default: T) -> Field[int | T]:
    """Define an integer property that is absent for one value, and a field that reads it.

    default: the value of the field if the property is absent.
    """
    return _optional(name, INT, lambda attr: attr.value.data, int_attr, default)


def number(name: str, constraint: Any = FloatAttr) -> Field[float]:
    """Define a float property, and a field that reads it.

    name: the name of the property.  constraint: the attributes that the property accepts. New ops
    have an f64.
    """
    return _required(name, constraint, lambda attr: float(attr.value.data), _f64_attr)


def optional_number(name: str) -> Field[float | None]:
    """Define an optional float property, and a field that reads it; None if it is absent."""
    return _optional(name, FloatAttr, lambda attr: float(attr.value.data), _f64_attr, None)


def _f64_attr(value: float) -> Attribute:
    return FloatAttr(value, f64)


def text(name: str) -> Field[str]:
    """Define a string property, and a field that reads it."""
    return _required(name, StringAttr, lambda attr: attr.data, StringAttr)


def flag(name: str) -> Field[bool]:
    """Define a unit property, and a field that is True if the property is present."""
    return _optional(name, UnitAttr, lambda _: True, lambda _: UnitAttr(), False)


def dim_list(name: str) -> Field[tuple[Dim, ...]]:
    """Define a property that holds size expressions, and a field that reads them."""
    return _required(name, DimsAttr, lambda attr: attr.data, DimsAttr.of)


def int_array(values: Sequence[int]) -> DenseArrayBase[Any]:
    """Return the array attribute of i64 that holds ``values``."""
    return DenseArrayBase.from_list(i64, [int(v) for v in values])


def int_attr(value: int) -> Attribute:
    """Return the i64 attribute of an integer."""
    return IntegerAttr(int(value), i64)


def unit_if(present: bool) -> UnitAttr | None:
    """Return a unit attribute if ``present``, else None."""
    return UnitAttr() if present else None


def check_choice(what: str, value: str, choices: Collection[str]) -> None:
    """Raise TypeMismatch unless ``value`` is one of ``choices``.

    The error calls the value ``what``.
    """
    if value not in choices:
        raise TypeMismatch(
            f"unknown {what}",
            expected=", ".join(choices),
            got=value,
            hint=f"set {what} to one of these",
        )


def check_count(what: str, values: Sequence[object], count: int) -> None:
    """Raise TypeMismatch unless there are ``count`` values; the error calls the values ``what``."""
    if len(values) != count:
        raise TypeMismatch(
            f"wrong number of {what}",
            expected=count,
            got=list(values),
            hint=f"give one value per spatial dimension: {count}",
        )


def check_at_least(what: str, values: Sequence[int], low: int) -> None:
    """Raise TypeMismatch if a value is below ``low``; the error calls the values ``what``."""
    if any(value < low for value in values):
        raise TypeMismatch(
            f"{what} too small",
            expected=f"{low} or more",
            got=list(values),
            hint=f"raise {what} to {low} or more",
        )


def check_axes(axes: Sequence[int], rank: int) -> None:
    """Raise TypeMismatch unless the axes are distinct and lie in 0..rank-1."""
    if len(set(axes)) != len(axes) or any(not 0 <= axis < rank for axis in axes):
        raise TypeMismatch(
            "axes are not distinct axes of the operand",
            expected=f"0..{rank - 1}, each at most once",
            got=list(axes),
            hint="list each axis once",
        )


def check_element(what: str, tensor: Tensor, accepted: bool, expected: str) -> None:
    """Raise TypeMismatch unless an op accepts the element type of a tensor.

    what: names the op in the error.  accepted: whether the type is accepted.  expected: describes
    the accepted types.
    """
    if not accepted:
        raise TypeMismatch(
            f"{what} is not defined on this element type",
            expected=expected,
            got=tensor,
            hint="insert graph.cast",
        )
