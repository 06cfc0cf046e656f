"""Writes at computed positions: a copy of a tensor with elements replaced or combined.

Indices are i32 or i64 and are 0 or more.  Updates at an index outside 0..size-1 are dropped.
Updates are applied one by one, in row-major order of their elements: each update replaces the
current element at its position, or combines with it.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch
from ..dtypes import is_bool, is_number
from ..equal_shapes import unlike
from ..shape import Tensor, dims_of, tensor_type
from .base import (
    GraphOp,
    check_axes,
    check_choice,
    check_element,
    flag,
    integer,
    text,
)
from .index import check_indices, check_one_index_each

SCATTER_KINDS = ("none", "add", "mul", "max", "min")
"""The kinds of scatter: how an update combines with the element; ``none`` replaces the element."""


def _check_operands(x: Tensor, indices: Tensor, updates: Tensor, kind: str) -> None:
    check_choice("kind", kind, SCATTER_KINDS)
    check_indices(indices)
    combines = is_number(x.element_type) or is_bool(x.element_type)
    check_element(f"scatter {kind}", x, kind == "none" or combines, "a float, integer or bool")
    if updates.element_type != x.element_type:
        raise TypeMismatch(
            "the element types of x and updates differ",
            expected=x,
            got=updates,
            hint="cast one operand",
        )


class ScatterOp(GraphOp):
    """Base of the ops that write updates at indices; ``kind`` is one of ``SCATTER_KINDS``."""

    x = operand_def(TensorType)
    indices = operand_def(TensorType)
    updates = operand_def(TensorType)
    out = result_def(TensorType)
    kind = text("kind")

    traits = traits_def(Pure())


@irdl_op_definition
class ScatterElementsOp(ScatterOp):
    """Elements written by index: ``out[i…, indices[i…, j, k…], k…] = updates[i…, j, k…]``.

    Shapes: x and out S; indices and updates I, with the rank of S and no larger sizes except on
        ``axis``.
    Errors: TypeMismatch if ranks or sizes do not fit, or if the axis is outside the rank.
    Source: ONNX ScatterElements-18.
    """

    name = "graph.scatter_elements"

    axis = integer("axis")

    assembly_format = (
        "$x `,` $indices `,` $updates $kind `axis` $axis attr-dict "
        "`:` type($x) `,` type($indices) `,` type($updates) `->` type($out)"
    )

    def __init__(
        self, x: SSAValue, indices: SSAValue, updates: SSAValue, axis: int, kind: str = "none"
    ) -> None:
        self.initialize((x, indices, updates), axis=axis, kind=kind)

    @staticmethod
    def infer(x: Tensor, indices: Tensor, updates: Tensor, axis: int, kind: str) -> Tensor:
        """Return the type of the changed tensor."""
        _check_operands(x, indices, updates, kind)
        check_one_index_each(x, indices, axis)
        if dims_of(indices) != dims_of(updates):
            wanted = tensor_type(updates.element_type, dims_of(indices))
            hint = "broadcast or slice the updates"
            raise unlike("indices and updates differ in shape", wanted, updates, hint=hint)
        return x


@irdl_op_definition
class ScatterNdOp(ScatterOp):
    """Slices written by index in the first axes: ``out[*indices[i…, :], c…] = updates[i…, c…]``.

    Shapes: x S; indices I + (k,); updates I + S[k:]; out S.
    Errors: TypeMismatch if sizes do not fit, or if k is symbolic or exceeds the rank of S.
    Source: ONNX ScatterND-18.
    """

    name = "graph.scatter_nd"

    assembly_format = (
        "$x `,` $indices `,` $updates $kind attr-dict "
        "`:` type($x) `,` type($indices) `,` type($updates) `->` type($out)"
    )

    def __init__(
        self, x: SSAValue, indices: SSAValue, updates: SSAValue, kind: str = "none"
    ) -> None:
        self.initialize((x, indices, updates), kind=kind)

    @staticmethod
    def infer(x: Tensor, indices: Tensor, updates: Tensor, kind: str) -> Tensor:
        """Return the type of the changed tensor."""
        _check_operands(x, indices, updates, kind)
        dims, taken = dims_of(x), dims_of(indices)
        count = taken[-1].value if taken else None
        if count is None or count > len(dims):
            raise TypeMismatch(
                "the last axis of indices is too long",
                expected=f"at most {len(dims)} ({x})",
                got=indices,
                hint="shorten the last axis of indices",
            )
        if dims_of(updates) != (*taken[:-1], *dims[count:]):
            wanted = tensor_type(updates.element_type, (*taken[:-1], *dims[count:]))
            hint = "reshape the updates to the indexed slices of x"
            raise unlike("updates are not one slice per index", wanted, updates, hint=hint)
        return x


@irdl_op_definition
class UpdateSliceOp(GraphOp):
    """One slice written per batch entry: ``out[b, i…, starts[b] + j, k…] = updates[b, i…, j, k…]``.

    With ``circular``, positions wrap around at the end of the axis; otherwise updates outside x are
    dropped.
    Shapes: x (B,) + S; updates the same, but with a smaller or equal size on ``axis``; starts (B,).
    Errors: TypeMismatch if sizes do not fit, or if the axis is 0 or outside the rank.
    Source: ONNX TensorScatter-24.
    """

    name = "graph.update_slice"

    x = operand_def(TensorType)
    updates = operand_def(TensorType)
    starts = operand_def(TensorType)
    out = result_def(TensorType)
    axis = integer("axis")
    circular = flag("circular")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `,` $updates `,` $starts `axis` $axis (`circular` $circular^)? attr-dict "
        "`:` type($x) `,` type($updates) `,` type($starts) `->` type($out)"
    )

    def __init__(
        self,
        x: SSAValue,
        updates: SSAValue,
        starts: SSAValue,
        axis: int,
        *,
        circular: bool = False,
    ) -> None:
        self.initialize((x, updates, starts), axis=axis, circular=circular)

    @staticmethod
    def infer(x: Tensor, updates: Tensor, starts: Tensor, axis: int) -> Tensor:
        """Return the type of the changed tensor."""
        _check_operands(x, starts, updates, "none")
        dims, part = dims_of(x), dims_of(updates)
        check_axes((axis,), len(dims))
        if axis == 0:
            raise TypeMismatch(
                "the axis is the batch axis",
                expected="1 or more",
                got=axis,
                hint="choose another axis than 0",
            )
        if (*part[:axis], *part[axis + 1 :]) != (*dims[:axis], *dims[axis + 1 :]):
            raise TypeMismatch(
                "x and updates differ in shape",
                expected=x,
                got=updates,
                hint="make all axes but the written one equal",
            )
        if len(part) != len(dims) or part[axis].exceeds(dims[axis]):
            raise TypeMismatch(
                "the slice is longer than x", expected=x, got=updates, hint="slice the updates"
            )
        if dims_of(starts) != dims[:1]:
            raise TypeMismatch(
                "the number of starts is not the batch size",
                expected=dims[0],
                got=starts,
                hint="give one start per entry of the batch",
            )
        return x
