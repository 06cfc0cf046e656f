"""Gathers at computed positions, and the run-time check of their i32 or i64 indices.

An index outside its axis is a run-time error. graph.check_indices raises the error once per tensor
of indices, before the ops that use the tensor. The op becomes packed.check_indices in the host
program, so kernels contain no check. Reads clamp positions outside the axis and writes drop them,
so memory accesses are in bounds even without the check.
Range: after a graph.check_indices, in its block and nested regions, every element of its operand is
in 0..size-1, or in -size..size-1 with ``wraps``.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, i32, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import MemoryWriteEffect, Pure

from ...support.diagnostics import TypeMismatch
from ..shape import Dim, Tensor, dims_of, tensor_type
from .base import (
    GraphOp,
    check_axes,
    check_element,
    dim_list,
    flag,
    integer,
    text,
)


def check_indices(indices: Tensor) -> None:
    """Raise TypeMismatch unless the elements of an index tensor are i32 or i64."""
    check_element("an index", indices, indices.element_type in (i32, i64), "i32 or i64")


def check_one_index_each(x: Tensor, indices: Tensor, axis: int) -> None:
    """Raise TypeMismatch unless an index tensor fits x for a gather or scatter of single elements.

    The indices must have the rank of x, and must not be longer than x along any axis except
    ``axis``, the axis that they index.
    """
    dims, taken = dims_of(x), dims_of(indices)
    if len(dims) != len(taken):
        raise TypeMismatch(
            "x and indices differ in rank",
            expected=x,
            got=indices,
            hint="reshape or broadcast the operands",
        )
    check_axes((axis,), len(dims))
    check_indices(indices)
    for other, (size, count) in enumerate(zip(dims, taken, strict=True)):
        if other != axis and count.exceeds(size):
            raise TypeMismatch(
                f"indices are larger than x on axis {other}",
                expected=size,
                got=count,
                hint=f"slice the indices on axis {other}",
            )


@irdl_op_definition
class CheckIndicesOp(GraphOp):
    """Run-time check that every element of x is an index in 0..size-1.

    sizes: one size for all elements, or one size per element of the last axis.  wraps: indices from
    -size to -1 are valid, too.  place: names the operator that uses the indices, for the message.
    Errors: TypeMismatch if the elements of x are not i32 or i64, or if the number of sizes is
        neither 1 nor the size of the last axis.
    """

    name = "graph.check_indices"

    x = operand_def(TensorType)
    sizes = dim_list("sizes")
    wraps = flag("wraps")
    place = text("place")

    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$x `below` $sizes (`wraps` $wraps^)? `of` $place attr-dict `:` type($x)"

    def __init__(
        self, x: SSAValue, sizes: Sequence[Dim | int], place: str, *, wraps: bool = False
    ) -> None:
        self.initialize((x,), sizes=sizes, wraps=wraps, place=place)

    @staticmethod
    def infer(x: Tensor, sizes: Sequence[Dim]) -> tuple[()]:
        """Check the operand; return no types, because the op has no result."""
        check_indices(x)
        check_columns(dims_of(x)[-1:], len(sizes))
        return ()


def check_columns(last: Sequence[Dim], count: int) -> None:
    """Raise TypeMismatch unless an index check has one size for all indices, or one per column.

    last: the size of the last axis of the index tensor, as a list of one element; empty for a
    scalar.
    count: the number of sizes of the check.
    """
    if count != 1 and list(last) != [Dim.const(count)]:
        raise TypeMismatch(
            "the number of sizes is neither 1 nor the number of columns",
            expected=" or ".join(["1", *map(str, last)]),
            got=count,
            hint="broadcast the indices along their last axis",
        )


class AxisGatherOp(GraphOp):
    """Base of the ops that read elements or slices of x at indices along one axis."""

    x = operand_def(TensorType)
    indices = operand_def(TensorType)
    out = result_def(TensorType)
    axis = integer("axis")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `,` $indices `axis` $axis attr-dict `:` type($x) `,` type($indices) `->` type($out)"
    )

    def __init__(self, x: SSAValue, indices: SSAValue, axis: int) -> None:
        self.initialize((x, indices), axis=axis)


@irdl_op_definition
class GatherOp(AxisGatherOp):
    """Slices of x by index: ``out[a…, i…, b…] = x[a…, indices[i…], b…]``.

    An index outside 0..size-1 is a run-time error; the importer makes negative indices positive.
    Shapes: x S; indices I; out S[:axis] + I + S[axis+1:].
    Errors: TypeMismatch if the axis is outside the rank or indices are not i32 or i64.
    Source: ONNX Gather-13.
    """

    name = "graph.gather"

    @staticmethod
    def infer(x: Tensor, indices: Tensor, axis: int) -> Tensor:
        """Return the type of the gathered slices."""
        dims = dims_of(x)
        check_axes((axis,), len(dims))
        check_indices(indices)
        return tensor_type(x.element_type, (*dims[:axis], *dims_of(indices), *dims[axis + 1 :]))


@irdl_op_definition
class GatherElementsOp(AxisGatherOp):
    """Elements of x by index: ``out[i…, j, k…] = x[i…, indices[i…, j, k…], k…]``.

    An index outside 0..size-1 is a run-time error; the importer makes negative indices positive.
    Shapes: x S; indices I of S's rank, not larger than S except on ``axis``; out I.
    Errors: TypeMismatch if ranks differ, if a size of I is known to exceed the size of S,
        if the axis is outside the rank or indices are not i32 or i64.
    Source: ONNX GatherElements-13.
    """

    name = "graph.gather_elements"

    @staticmethod
    def infer(x: Tensor, indices: Tensor, axis: int) -> Tensor:
        """Return the type of the gathered elements."""
        check_one_index_each(x, indices, axis)
        return tensor_type(x.element_type, dims_of(indices))


@irdl_op_definition
class GatherNdOp(GraphOp):
    """Slices of x by index in several axes: ``out[b…, i…, c…] = x[b…, *indices[b…, i…, :], c…]``.

    The last axis of indices holds one index per axis of x after the first ``batch_dims``.
    An index outside 0..size-1 is a run-time error; the importer makes negative indices positive.
    Shapes: x B + S; indices B + I + (k,); out B + I + S[k:].
    Errors: TypeMismatch if the batch sizes differ, if k is symbolic or exceeds the rank of S, or
        indices are not i32 or i64.
    Source: ONNX GatherND-13.
    """

    name = "graph.gather_nd"

    x = operand_def(TensorType)
    indices = operand_def(TensorType)
    out = result_def(TensorType)
    batch_dims = integer("batch_dims")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `,` $indices `batch_dims` $batch_dims attr-dict "
        "`:` type($x) `,` type($indices) `->` type($out)"
    )

    def __init__(self, x: SSAValue, indices: SSAValue, batch_dims: int = 0) -> None:
        self.initialize((x, indices), batch_dims=batch_dims)

    @staticmethod
    def infer(x: Tensor, indices: Tensor, batch_dims: int) -> Tensor:
        """Return the type of the gathered slices."""
        dims, taken, batch = dims_of(x), dims_of(indices), batch_dims
        if not 0 <= batch < len(taken) or dims[:batch] != taken[:batch]:
            raise TypeMismatch(
                "batch dimensions differ",
                expected=f"{batch} leading sizes of {x}",
                got=indices,
                hint="broadcast the operands",
            )
        count = taken[-1].value
        if count is None or batch + count > len(dims):
            raise TypeMismatch(
                "the last axis of indices is too long",
                expected=f"at most {len(dims) - batch} ({x})",
                got=taken[-1],
                hint="shorten the last axis of indices",
            )
        check_indices(indices)
        return tensor_type(x.element_type, (*taken[:-1], *dims[batch + count :]))
