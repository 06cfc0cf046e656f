"""Reductions over axes: to one element, to the position of an element, or to partial results."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ..dtypes import is_integer, is_number
from ..shape import Dim, Tensor, dims_of, tensor_type
from .base import (
    GraphOp,
    check_axes,
    check_choice,
    check_element,
    flag,
    integer,
    ints,
    text,
)

REDUCE_KINDS = ("sum", "prod", "max", "min", "and")
CUMULATIVE_KINDS = ("sum", "prod", "max", "min")
ARG_KINDS = ("max", "min")


def without_axes(dims: Sequence[Dim], axes: Sequence[int], *, keep: bool) -> tuple[Dim, ...]:
    """Return the sizes after a reduction: ``axes`` are dropped, or have size 1 if ``keep``."""
    if keep:
        return tuple(Dim.const(1) if i in axes else dim for i, dim in enumerate(dims))
    return tuple(dim for i, dim in enumerate(dims) if i not in axes)


def _check_operand(op: str, x: Tensor, axes: Sequence[int]) -> None:
    check_axes(axes, len(dims_of(x)))
    check_element(op, x, is_number(x.element_type), "a float or integer type")


class ReductionOp(GraphOp):
    """Base of the reductions over axes; ``kind`` names the combination of two elements."""

    x = operand_def(TensorType)
    out = result_def(TensorType)
    kind = text("kind")

    traits = traits_def(Pure())


@irdl_op_definition
class ReduceOp(ReductionOp):
    """Sum, product, maximum, minimum or (for integers) bitwise "and" over axes.

    An empty sum is 0, an empty product is 1, an empty maximum is the smallest value (-inf for
    floats), an empty minimum the largest value, and an empty "and" has all bits set.
    Integers wrap; NaN propagates; floats narrower than f32 accumulate in f32.
    Shapes: x S; out S without ``axes``, or with 1 there if ``keep``.
    Errors: TypeMismatch if axes repeat or are outside the rank.
    Source: ONNX ReduceSum-13 and its siblings; empty axes are resolved by the importer.
    """

    name = "graph.reduce"

    axes = ints("axes")
    keep = flag("keep")

    assembly_format = (
        "$x $kind `axes` $axes (`keep` $keep^)? attr-dict `:` type($x) `->` type($out)"
    )

    def __init__(self, x: SSAValue, *, kind: str, axes: Sequence[int], keep: bool = False) -> None:
        self.initialize((x,), kind=kind, axes=axes, keep=keep)

    @staticmethod
    def infer(x: Tensor, kind: str, axes: Sequence[int], keep: bool) -> Tensor:
        """Return the type of the reduced tensor."""
        check_choice("kind", kind, REDUCE_KINDS)
        _check_operand("reduce", x, axes)
        if kind == "and":
            check_element("reduce and", x, is_integer(x.element_type), "an integer type")
        return tensor_type(x.element_type, without_axes(dims_of(x), axes, keep=keep))


@irdl_op_definition
class ArgReduceOp(ReductionOp):
    """Position of the largest or smallest element along an axis, as i64.

    The first NaN wins; among equal elements the first wins, or with ``last`` the last.
    Shapes: x S; out S without ``axis``, or with 1 there if ``keep``.
    Errors: TypeMismatch if the axis is outside the rank.
    Source: ONNX ArgMax-13, ArgMin-13.
    """

    name = "graph.arg_reduce"

    axis = integer("axis")
    keep = flag("keep")
    last = flag("last")

    assembly_format = (
        "$x $kind `axis` $axis (`keep` $keep^)? (`last` $last^)? attr-dict "
        "`:` type($x) `->` type($out)"
    )

    def __init__(
        self, x: SSAValue, *, kind: str, axis: int, keep: bool = False, last: bool = False
    ) -> None:
        self.initialize((x,), kind=kind, axis=axis, keep=keep, last=last)

    @staticmethod
    def infer(x: Tensor, kind: str, axis: int, keep: bool) -> Tensor:
        """Return the type of the positions."""
        check_choice("kind", kind, ARG_KINDS)
        _check_operand("arg_reduce", x, (axis,))
        return tensor_type(i64, without_axes(dims_of(x), (axis,), keep=keep))


@irdl_op_definition
class CumulativeOp(ReductionOp):
    """Cumulative sum, product, maximum or minimum along an axis.

    ``exclusive`` omits the current element, so the first result is the value of an empty reduction:
    0 for a sum, 1 for a product, the smallest or largest value for a maximum or minimum;
    ``reverse`` starts at the end of the axis.
    Shapes: x S; out S.
    Errors: TypeMismatch if the axis is outside the rank.
    Source: ONNX CumSum-14, CumProd-26.
    """

    name = "graph.cumulative"

    axis = integer("axis")
    exclusive = flag("exclusive")
    reverse = flag("reverse")

    assembly_format = (
        "$x $kind `axis` $axis (`exclusive` $exclusive^)? (`reverse` $reverse^)? attr-dict "
        "`:` type($x) `->` type($out)"
    )

    def __init__(
        self,
        x: SSAValue,
        *,
        kind: str,
        axis: int,
        exclusive: bool = False,
        reverse: bool = False,
    ) -> None:
        self.initialize((x,), kind=kind, axis=axis, exclusive=exclusive, reverse=reverse)

    @staticmethod
    def infer(x: Tensor, kind: str, axis: int) -> Tensor:
        """Return the type of the cumulative results."""
        check_choice("kind", kind, CUMULATIVE_KINDS)
        _check_operand("cumulative", x, (axis,))
        return x
