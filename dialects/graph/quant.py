"""Quantization: store the value x as ``zero + round(x / scale)`` in a narrow type.

The ops are elementwise; a scale per tensor, axis or block is broadcast to the shape of x first.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch
from ..dtypes import bit_width, is_float, is_integer
from ..shape import Tensor, dims_of, tensor_type, type_of
from .base import GraphOp, check_element, flag


def is_stored(element_type: Attribute) -> bool:
    """Return whether a type can hold quantized values.

    These types are integers of at most 16 bits and floats of at most 8 bits.
    """
    return bit_width(element_type) <= (16 if is_integer(element_type) else 8) and (
        is_integer(element_type) or is_float(element_type)
    )


def _check_zero(stored: Tensor, zero: Tensor | None) -> None:
    if zero is not None and zero != stored:
        raise TypeMismatch(
            "the types of zero point and quantized tensor differ",
            expected=stored,
            got=zero,
            hint="give the zero point the quantized type",
        )


class QuantizationOp(GraphOp):
    """Base of the conversions between floats and quantized values, which scale each element."""

    x = operand_def(TensorType)
    scale = operand_def(TensorType)
    zero = opt_operand_def(TensorType)
    out = result_def(TensorType)

    traits = traits_def(Pure())

    @property
    def to(self) -> Attribute:
        """The element type of the result."""
        return type_of(self.out).element_type


@irdl_op_definition
class QuantizeOp(QuantizationOp):
    """``saturate(round_even(x / scale) + zero)``; without round_even for stored floats.

    The quotient is rounded to the type of x; NaN gives an arbitrary integer. With ``overflow``,
    values beyond the range of a float8 become NaN or inf, as in graph.cast.
    Shapes: x and scale of shape S and the same float type; zero and out of shape S and the stored
    type.
    Errors: TypeMismatch if types or sizes differ, or the stored type is wider than 16 bits.
    Source: ONNX QuantizeLinear-23.
    """

    name = "graph.quantize"
    INFERS_FROM_OPERANDS: ClassVar[bool] = False

    overflow = flag("overflow")

    assembly_format = (
        "$x `,` $scale (`zero` $zero^ `:` type($zero))? (`overflow` $overflow^)? attr-dict "
        "`:` type($x) `,` type($scale) `->` type($out)"
    )

    def __init__(
        self,
        x: SSAValue,
        scale: SSAValue,
        zero: SSAValue | None,
        to: Attribute,
        *,
        saturate: bool = True,
    ) -> None:
        self.initialize((x, scale, zero), to=to, overflow=not saturate)

    @staticmethod
    def infer(x: Tensor, scale: Tensor, zero: Tensor | None, to: Attribute) -> Tensor:
        """Return the type with the shape of x and elements of the stored type."""
        check_element("quantize", x, is_float(x.element_type), "a float type")
        if x != scale:
            raise TypeMismatch(
                "the element types of x and scale differ",
                expected=x,
                got=scale,
                hint="cast the scale",
            )
        out = tensor_type(to, dims_of(x))
        check_element("quantized storage", out, is_stored(to), "16 bits or less (floats: 8)")
        _check_zero(out, zero)
        return out

    @property
    def saturate(self) -> bool:
        """Whether values beyond the range of a float8 become its largest finite value."""
        return not self.overflow


@irdl_op_definition
class DequantizeOp(QuantizationOp):
    """``(x - zero) * scale``; the product is computed in f32 at least and rounded once.

    Shapes: x and zero of shape S and the stored type; scale and out of shape S and float types.
    Errors: TypeMismatch if shapes differ, or the elements of x are neither of a stored type nor
    i32.
    Source: ONNX DequantizeLinear-23.
    """

    name = "graph.dequantize"
    INFERS_FROM_OPERANDS: ClassVar[bool] = False

    assembly_format = (
        "$x `,` $scale (`zero` $zero^ `:` type($zero))? attr-dict "
        "`:` type($x) `,` type($scale) `->` type($out)"
    )

    def __init__(self, x: SSAValue, scale: SSAValue, zero: SSAValue | None, to: Attribute) -> None:
        self.initialize((x, scale, zero), to=to)

    @staticmethod
    def infer(x: Tensor, scale: Tensor, zero: Tensor | None, to: Attribute) -> Tensor:
        """Return the type with the shape of x and elements of the float type."""
        known = is_stored(x.element_type) or x.element_type == i32
        check_element("dequantize", x, known, "i32, or 16 bits or less (floats: 8)")
        check_element("a scale", scale, is_float(scale.element_type), "a float type")
        if dims_of(x) != dims_of(scale):
            raise TypeMismatch(
                "the shapes of x and scale differ",
                expected=x,
                got=scale,
                hint="broadcast the scale to the shape of x",
            )
        _check_zero(x, zero)
        out = tensor_type(to, dims_of(x))
        check_element("a dequantized number", out, is_float(to), "a float type")
        return out
