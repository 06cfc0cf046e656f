"""Ops with data-dependent result sizes: non-zero positions, unique elements, selected boxes.

Each op binds its data-dependent size to a symbol: ``binds "u0"``. The symbol occurs in the result
type, and all later ops may use it. ``BindingOp.bound`` computes its upper bound from the sizes of
the operands. If the size must be equal to an earlier size, ``binds "u1" equal #te.dims<u0>``, the
result type has the earlier size.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def

from ...support.diagnostics import TypeMismatch
from ..dtypes import bit_width, is_bool, is_float, is_number
from ..shape import Dim, Tensor, dims_of, element_count, tensor_type, type_of
from .base import (
    check_axes,
    check_element,
    flag,
    integer,
    number,
    optional_integer,
    optional_number,
)
from .size import BindingOp, BindsSymbol


def _check_values(op: str, x: Tensor) -> None:
    accepted = is_number(x.element_type) or is_bool(x.element_type)
    check_element(op, x, accepted, "a float, integer or bool type")


@irdl_op_definition
class NonZeroOp(BindingOp):
    """Positions of the elements that are not zero, in row-major order; NaN is not zero.

    Shapes: x S of rank r; out (r, u) of i64: one row per dimension of x.
    Source: ONNX NonZero-13.
    """

    name = "graph.non_zero"

    x = operand_def(TensorType)
    out = result_def(TensorType)

    traits = traits_def(BindsSymbol())
    assembly_format = "$x `binds` $symbol (`equal` $size^)? attr-dict `:` type($x) `->` type($out)"

    def __init__(self, x: SSAValue, symbol: str, size: Dim | None = None) -> None:
        self.initialize_binding((x,), symbol, size)

    @staticmethod
    def infer(x: Tensor, size: Dim) -> Tensor:
        """Return the type of the positions.

        size: the number of elements that are not zero, which is known only at run time: a symbol.
        """
        _check_values("non_zero", x)
        return tensor_type(i64, (len(dims_of(x)), size))

    @property
    def bound(self) -> Dim:
        return element_count(dims_of(type_of(self.x)))


@irdl_op_definition
class UniqueOp(BindingOp):
    """The distinct elements of x, or its distinct slices along an axis.

    The results are in ascending order (NaN last, all NaN equal; slices compare by their first
    differing element), or with ``unsorted`` in the order of their first occurrence.
    Shapes: x S; out (u), or S with u at ``axis``; first, counts (u): first position and number of
        occurrences in x; inverse (n): the position in out of each element or slice of x. first,
        counts and inverse have the element type i64.
    Errors: TypeMismatch if the axis is outside the rank.
    Source: ONNX Unique-11.
    """

    name = "graph.unique"

    x = operand_def(TensorType)
    out = result_def(TensorType)
    first = result_def(TensorType)
    inverse = result_def(TensorType)
    counts = result_def(TensorType)
    axis = optional_integer("axis", None)
    unsorted = flag("unsorted")

    traits = traits_def(BindsSymbol())
    assembly_format = (
        "$x (`axis` $axis^)? (`unsorted` $unsorted^)? `binds` $symbol (`equal` $size^)? attr-dict "
        "`:` type($x) `->` type($out) `,` type($first) `,` type($inverse) `,` type($counts)"
    )

    def __init__(
        self,
        x: SSAValue,
        symbol: str,
        size: Dim | None = None,
        *,
        axis: int | None = None,
        unsorted: bool = False,
    ) -> None:
        self.initialize_binding((x,), symbol, size, axis=axis, unsorted=unsorted)

    @staticmethod
    def infer(x: Tensor, size: Dim, axis: int | None) -> tuple[Tensor, ...]:
        """Return the types of the elements, first positions, inverse and counts.

        size: the number of distinct elements or slices, which is known only at run time: a symbol.
        axis: the axis of the slices; None for elements.
        """
        _check_values("unique", x)
        dims = list(dims_of(x))
        if axis is None:
            out, count = [size], element_count(dims)
        else:
            check_axes((axis,), len(dims))
            out, count = [*dims[:axis], size, *dims[axis + 1 :]], dims[axis]
        sizes = tensor_type(i64, (size,))
        return tensor_type(x.element_type, out), sizes, tensor_type(i64, (count,)), sizes

    @property
    def bound(self) -> Dim:
        (count,) = dims_of(type_of(self.inverse))
        return count


@irdl_op_definition
class NmsOp(BindingOp):
    """Non-maximum suppression: keep boxes that no better box of the same class overlaps.

    Per batch and class, among the boxes with a score above ``above`` (default: any score but NaN):
    select the box of the highest score (the first of equal scores), drop the boxes whose
    intersection over union with this box exceeds ``iou``, and repeat until ``limit`` boxes are
    selected or no box is left. A box is two corners (y, x, y, x), or with ``center`` (x, y, width,
    height).
    Shapes: boxes (B, N, 4); scores (B, C, N); out (u, 3) of i64: batch, class, box.
    Errors: TypeMismatch if sizes do not fit, or the operands are not of the same float type of at
    most 32 bits.
    Source: ONNX NonMaxSuppression-11.
    """

    name = "graph.nms"

    boxes = operand_def(TensorType)
    scores = operand_def(TensorType)
    out = result_def(TensorType)
    limit = integer("limit")
    iou = number("iou")
    above = optional_number("above")
    center = flag("center")

    traits = traits_def(BindsSymbol())
    assembly_format = (
        "$boxes `,` $scores `limit` $limit `iou` $iou (`above` $above^)? (`center` $center^)? "
        "`binds` $symbol (`equal` $size^)? attr-dict "
        "`:` type($boxes) `,` type($scores) `->` type($out)"
    )

    def __init__(
        self,
        boxes: SSAValue,
        scores: SSAValue,
        symbol: str,
        size: Dim | None = None,
        *,
        limit: int,
        iou: float = 0.0,
        above: float | None = None,
        center: bool = False,
    ) -> None:
        self.initialize_binding(
            (boxes, scores), symbol, size, limit=limit, iou=iou, above=above, center=center
        )

    @staticmethod
    def infer(boxes: Tensor, scores: Tensor, size: Dim, limit: int) -> Tensor:
        """Return the type of the result, which has one row of indices per selected box.

        size: the number of selected boxes, a symbol because the number is known only at run time.
        limit: the largest number of selected boxes per batch and class.
        """
        element = boxes.element_type
        is_narrow = is_float(element) and bit_width(element) <= 32
        check_element("nms", boxes, is_narrow, "a float type of at most 32 bits")
        if scores.element_type != boxes.element_type:
            raise TypeMismatch(
                "operands differ in type",
                expected=boxes.element_type,
                got=scores.element_type,
                hint="cast one operand",
            )
        sizes, marks = dims_of(boxes), dims_of(scores)
        if len(sizes) != 3 or sizes[2].value != 4:
            raise TypeMismatch(
                "boxes are not (batches, boxes, 4)", got=boxes, hint="reshape the operand"
            )
        if len(marks) != 3 or (marks[0], marks[2]) != (sizes[0], sizes[1]):
            raise TypeMismatch(
                "scores are not (batches, classes, boxes)",
                expected=f"({sizes[0]}, classes, {sizes[1]})",
                got=scores,
                hint="reshape or transpose the scores",
            )
        if limit < 0:
            raise TypeMismatch(
                "limit is negative", expected="0 or more", got=limit, hint="use 0 for no boxes"
            )
        return tensor_type(i64, (size, 3))

    @property
    def bound(self) -> Dim:
        batches, classes, boxes = dims_of(type_of(self.scores))
        return batches * classes * boxes.min(self.limit)
