"""Data movement: ops that copy, rearrange or repeat elements. All sizes may be symbolic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeAlias

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch, UnequalSizes
from ..dtypes import is_float, is_number
from ..shape import Dim, Tensor, dims_of, element_count, tensor_type, type_of
from .base import (
    GraphOp,
    check_at_least,
    check_axes,
    check_choice,
    check_count,
    dim_list,
    integer,
    ints,
    text,
)

Size: TypeAlias = Dim | int | str

PAD_MODES = ("constant", "edge", "reflect", "wrap")


@irdl_op_definition
class ReshapeOp(GraphOp):
    """The elements of x in row-major order, in another shape.

    Errors: TypeMismatch if the numbers of elements differ, static or symbolic.
    Source: ONNX Reshape-21; 0 and -1 are resolved by the importer.
    """

    name = "graph.reshape"
    INFERS_FROM_OPERANDS: ClassVar[bool] = False

    x = operand_def(TensorType)
    out = result_def(TensorType)

    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($x) `->` type($out)"

    def __init__(self, x: SSAValue, dims: Sequence[Size]) -> None:
        self.initialize((x,), dims=dims)

    @staticmethod
    def infer(x: Tensor, dims: Sequence[Size]) -> Tensor:
        """Return the type with the element type of x and the sizes ``dims``."""
        out = tensor_type(x.element_type, dims)
        old, new = element_count(dims_of(x)), element_count(dims_of(out))
        if old != new:
            raise UnequalSizes(
                "number of elements differs",
                expected=f"{old} ({x})",
                got=f"{new} ({out})",
                hint="reshape to a shape with as many elements",
                sizes=[(old, new)],
            )
        return out

    @property
    def dims(self) -> tuple[Dim, ...]:
        """The sizes of the result."""
        return dims_of(type_of(self.out))


@irdl_op_definition
class TransposeOp(GraphOp):
    """Permutation of dimensions: dimension i of out is dimension ``perm[i]`` of x.

    Shapes: x (D0, …, Dn-1); out (D[perm[0]], …, D[perm[n-1]]).
    Errors: TypeMismatch if ``perm`` is not a permutation of 0..n-1.
    Source: ONNX Transpose-21.
    """

    name = "graph.transpose"

    x = operand_def(TensorType)
    out = result_def(TensorType)
    perm = ints("perm")

    traits = traits_def(Pure())
    assembly_format = "$x `perm` $perm attr-dict `:` type($x) `->` type($out)"

    def __init__(self, x: SSAValue, perm: Sequence[int]) -> None:
        self.initialize((x,), perm=perm)

    @staticmethod
    def infer(x: Tensor, perm: Sequence[int]) -> Tensor:
        """Return the type of x with permuted dimensions."""
        dims = dims_of(x)
        if sorted(perm) != list(range(len(dims))):
            raise TypeMismatch(
                "perm is not a permutation",
                expected=f"0..{len(dims) - 1}",
                got=list(perm),
                hint="list each axis once",
            )
        return tensor_type(x.element_type, [dims[i] for i in perm])


@irdl_op_definition
class BroadcastOp(GraphOp):
    """Repetition of x along new dimensions and along dimensions of size 1.

    Dimension i of x becomes dimension ``axes[i]`` of out: ``out[p] = x[p[axes]]``, with index 0 in
    dimensions where x has size 1.
    Shapes: x any; out ``dims``.
    Errors: TypeMismatch unless ``axes`` increase and are dimensions of out, and each size of x is 1
        or the size of out.
    Source: ONNX Expand-13 and the implicit broadcasts of ONNX.
    """

    name = "graph.broadcast"
    INFERS_FROM_OPERANDS: ClassVar[bool] = False

    x = operand_def(TensorType)
    out = result_def(TensorType)
    axes = ints("axes")

    traits = traits_def(Pure())
    assembly_format = "$x `axes` $axes attr-dict `:` type($x) `->` type($out)"

    def __init__(self, x: SSAValue, dims: Sequence[Size], axes: Sequence[int]) -> None:
        self.initialize((x,), dims=dims, axes=axes)

    @staticmethod
    def infer(x: Tensor, dims: Sequence[Size], axes: Sequence[int]) -> Tensor:
        """Return the type with the element type of x and the sizes ``dims``."""
        out, old = tensor_type(x.element_type, dims), dims_of(x)
        new = dims_of(out)
        check_count("axes", axes, len(old))
        check_axes(axes, len(new))
        if list(axes) != sorted(axes):
            raise TypeMismatch(
                "axes do not increase",
                expected=sorted(axes),
                got=list(axes),
                hint="insert graph.transpose",
            )
        for dim, axis in zip(old, axes, strict=True):
            if dim.value != 1 and dim != new[axis]:
                raise UnequalSizes(
                    "size does not broadcast",
                    expected=f"{new[axis]} (dimension {axis} of {out}) or 1",
                    got=f"{dim} ({x})",
                    hint="slice the axis, or choose another result shape",
                    sizes=[(new[axis], dim)],
                )
        return out

    @property
    def dims(self) -> tuple[Dim, ...]:
        """The sizes of the result."""
        return dims_of(type_of(self.out))


@irdl_op_definition
class SliceOp(GraphOp):
    """Strided slice: ``out[i] = x[starts + i * steps]`` per dimension; steps may be negative.

    Shapes: x S; out ``sizes``. Starts and sizes may be symbolic.
    Errors: TypeMismatch if there is not one start, size and step per dimension, if a step is 0, or
        if a static slice exceeds the bounds of x.
    Source: ONNX Slice-13, Split-18; clamping is resolved by the importer.
    """

    name = "graph.slice"
    INFERS_FROM_OPERANDS: ClassVar[bool] = False

    x = operand_def(TensorType)
    out = result_def(TensorType)
    starts = dim_list("starts")
    steps = ints("steps")

    traits = traits_def(Pure())
    assembly_format = "$x `starts` $starts `steps` $steps attr-dict `:` type($x) `->` type($out)"

    def __init__(
        self, x: SSAValue, starts: Sequence[Size], sizes: Sequence[Size], steps: Sequence[int]
    ) -> None:
        self.initialize((x,), starts=starts, sizes=sizes, steps=steps)

    @staticmethod
    def infer(
        x: Tensor, starts: Sequence[Size], sizes: Sequence[Size], steps: Sequence[int]
    ) -> Tensor:
        """Return the type with the element type of x and the sizes ``sizes``."""
        dims, out = dims_of(x), tensor_type(x.element_type, sizes)
        check_count("starts", starts, len(dims))
        check_count("sizes", sizes, len(dims))
        check_count("steps", steps, len(dims))
        for i, (start, size) in enumerate(zip(starts, dims_of(out), strict=True)):
            _check_inside(dims[i], Dim.of(start), size, steps[i])
        return out

    @property
    def sizes(self) -> tuple[Dim, ...]:
        """The number of elements per dimension."""
        return dims_of(type_of(self.out))


def _check_inside(dim: Dim, start: Dim, size: Dim, step: int) -> None:
    if step == 0:
        raise TypeMismatch(
            "step is zero",
            expected="a step forward or backward",
            got=step,
            hint="use a positive or negative step",
        )
    if size.value == 0:
        return
    end = start + (size - 1) * step
    for position in (start, end):
        for margin in (position.value, (dim - 1 - position).value):
            if margin is not None and margin < 0:
                raise TypeMismatch(
                    "slice leaves the operand",
                    expected=f"0..{dim - 1}",
                    got=f"{start}..{end}",
                    hint="clamp the start and end, or pad first",
                )


@irdl_op_definition
class ConcatOp(GraphOp):
    """Concatenation of the operands along an axis.

    Shapes: the operands have equal sizes except on ``axis``, where the size of out is their sum.
    Errors: TypeMismatch if there is no operand, or if element types, ranks or other sizes differ.
    Source: ONNX Concat-13.
    """

    name = "graph.concat"

    xs = var_operand_def(TensorType)
    out = result_def(TensorType)
    axis = integer("axis")

    traits = traits_def(Pure())
    assembly_format = "$xs `axis` $axis attr-dict `:` type($xs) `->` type($out)"

    def __init__(self, xs: Sequence[SSAValue], axis: int) -> None:
        self.initialize((xs,), axis=axis)

    @staticmethod
    def infer(xs: Sequence[Tensor], axis: int) -> Tensor:
        """Return the type of the joined tensor."""
        if not xs:
            raise TypeMismatch(
                "nothing to concatenate",
                expected="1 operand or more",
                got=0,
                hint="give an operand",
            )
        first = xs[0]
        dims = list(dims_of(first))
        check_axes((axis,), len(dims))
        for x in xs[1:]:
            other = list(dims_of(x))
            if x.element_type != first.element_type or len(other) != len(dims):
                raise TypeMismatch(
                    "operands differ in element type or rank",
                    expected=first,
                    got=x,
                    hint="cast or reshape the operands",
                )
            dims[axis] = dims[axis] + other[axis]
            rows = [pair for n, pair in enumerate(zip(dims, other, strict=True)) if n != axis]
            if any(a != b for a, b in rows):
                raise UnequalSizes(
                    f"operands differ outside axis {axis}",
                    expected=first,
                    got=x,
                    hint="pad, slice or broadcast the other axes",
                    sizes=rows,
                )
        return tensor_type(first.element_type, dims)


@irdl_op_definition
class AppendOp(GraphOp):
    """The rows of a state, followed by new rows; the result may share the memory of the state.

    A state is a tensor that one call returns and the next call takes, such as a cache of keys.
    Shapes: past (P, ...), new (N, ...), out (P + N, ...).
    Errors: TypeMismatch if the types differ in more than the size of the first axis.
    Source: ONNX Concat-13 along the first axis.
    """

    name = "graph.append"

    past = operand_def(TensorType)
    new = operand_def(TensorType)
    out = result_def(TensorType)

    traits = traits_def(Pure())
    assembly_format = "$past `,` $new attr-dict `:` type($past) `,` type($new) `->` type($out)"

    def __init__(self, past: SSAValue, new: SSAValue) -> None:
        self.initialize((past, new))

    @staticmethod
    def infer(past: Tensor, new: Tensor) -> Tensor:
        """Return the type of the result: the rows of the state ``past`` and the new rows."""
        return ConcatOp.infer([past, new], 0)


@irdl_op_definition
class PadOp(GraphOp):
    """Padding around x: a constant, the edge, a reflection without the edge, or a wrap-around.

    low, high: the number of elements to add before and after x, per dimension.  value: the
    constant.
    Shapes: x S; out S + low + high.
    Errors: TypeMismatch if there is not one pad per dimension and side, if a pad is negative, or if
        a static reflection exceeds x.
    Source: ONNX Pad-21; negative pads are graph.slice.
    """

    name = "graph.pad"

    x = operand_def(TensorType)
    out = result_def(TensorType)
    low = ints("low")
    high = ints("high")
    mode = text("mode")
    value_attr = prop_def(Attribute, prop_name="value")

    traits = traits_def(Pure())
    assembly_format = (
        "$x $mode `low` $low `high` $high `value` $value attr-dict `:` type($x) `->` type($out)"
    )

    def __init__(
        self,
        x: SSAValue,
        low: Sequence[int],
        high: Sequence[int],
        mode: str = "constant",
        value: float | int = 0,
    ) -> None:
        attr = scalar_attr(type_of(x).element_type, value)
        self.initialize((x,), low=low, high=high, mode=mode, value=attr)

    @staticmethod
    def infer(x: Tensor, low: Sequence[int], high: Sequence[int], mode: str) -> Tensor:
        """Return the type of x with its sizes extended by the pads."""
        dims = dims_of(x)
        check_choice("mode", mode, PAD_MODES)
        check_count("low pads", low, len(dims))
        check_count("high pads", high, len(dims))
        check_at_least("pads", (*low, *high), 0)
        for dim, before, after in zip(dims, low, high, strict=True):
            _check_source(dim, max(before, after), mode)
        sizes = [d + a + b for d, a, b in zip(dims, low, high, strict=True)]
        return tensor_type(x.element_type, sizes)

    @property
    def value(self) -> float | int:
        """The padding value of mode ``constant``."""
        attr = self.value_attr
        assert isinstance(attr, FloatAttr | IntegerAttr), attr
        return attr.value.data

    def inferred_types(self) -> tuple[Tensor]:
        x, value = type_of(self.x), self.value_attr
        if not isinstance(value, FloatAttr | IntegerAttr) or value.type != x.element_type:
            raise TypeMismatch(
                "wrong pad value",
                expected=x.element_type,
                got=value,
                hint=f"write the pad value as {x.element_type}",
            )
        return (self.infer(x, self.low, self.high, self.mode),)


def _check_source(dim: Dim, pad: int, mode: str) -> None:
    if dim.value is None or pad == 0 or mode == "constant":
        return
    most = dim.value - 1 if mode == "reflect" else 0 if dim.value == 0 else pad
    if pad > most:
        raise TypeMismatch(
            f"padding by {mode} exceeds the operand",
            expected=f"at most {most}",
            got=pad,
            hint=f"pad by at most {most}, or pad twice",
        )


def scalar_attr(element_type: Attribute, value: float | int) -> Attribute:
    """Return the attribute of a number as a scalar of an element type; bools become 0 and 1."""
    if is_float(element_type):
        return FloatAttr(float(value), element_type)  # pyright: ignore
    return IntegerAttr(int(value), element_type)  # pyright: ignore


@irdl_op_definition
class IotaOp(GraphOp):
    """Positions along an axis: ``out[p] = p[axis]``.

    Shapes: out ``dims`` of ``element_type``.
    Errors: TypeMismatch if the axis is outside the rank or the type is not a number.
    Source: ONNX Range-11, EyeLike-22, OneHot-11, Trilu-14 after decomposition.
    """

    name = "graph.iota"
    INFERS_FROM_OPERANDS: ClassVar[bool] = False

    out = result_def(TensorType)
    axis = integer("axis")

    traits = traits_def(Pure())
    assembly_format = "`axis` $axis attr-dict `:` type($out)"

    def __init__(self, dims: Sequence[Size], axis: int, element_type: Attribute) -> None:
        self.initialize((), dims=dims, axis=axis, element_type=element_type)

    @staticmethod
    def infer(dims: Sequence[Size], axis: int, element_type: Attribute) -> Tensor:
        """Return the type of the positions."""
        check_axes((axis,), len(dims))
        if not is_number(element_type):
            raise TypeMismatch(
                "iota of this type is undefined",
                expected="a number type",
                got=element_type,
                hint="make an iota of i64, then cast it",
            )
        return tensor_type(element_type, dims)

    def inferred_types(self) -> tuple[Tensor]:
        out = type_of(self.out)
        return (self.infer(dims_of(out), self.axis, out.element_type),)
