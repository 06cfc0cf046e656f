"""Base class of all graph ops, and typed Python views of their properties.

Builder and verifier of an op share one type rule, ``infer``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Protocol, TypeVar, cast

from xdsl.dialects.builtin import AffineMapAttr, DenseArrayBase, IntegerAttr, UnitAttr, i64
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, opt_attr_def

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

    def inferred_types(self) -> Sequence[Attribute]:
        """Return the result types that follow from operands and properties.

        Errors: TypeMismatch if operands or properties violate the op's type rule.
        """
        raise NotImplementedError(self.name)

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


class Field(Protocol[T_co]):
    """A descriptor that returns a property of an op as a plain Python value."""

    def __get__(self, op: Operation, owner: type[Operation]) -> T_co: ...


def ints(name: str) -> Field[tuple[int, ...]]:
    """Return a field that reads an array property as a tuple of integers."""
    return cast(Any, property(lambda op: tuple(op.properties[name].get_values())))


def integer(name: str) -> Field[int]:
    """Return a field that reads an integer property."""
    return cast(Any, property(lambda op: op.properties[name].value.data))


def number(name: str) -> Field[float]:
    """Return a field that reads a float property."""
    return cast(Any, property(lambda op: float(op.properties[name].value.data)))


def text(name: str) -> Field[str]:
    """Return a field that reads a string property."""
    return cast(Any, property(lambda op: op.properties[name].data))


def flag(name: str) -> Field[bool]:
    """Return a field that is True if a unit property is present."""
    return cast(Any, property(lambda op: name in op.properties))


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
