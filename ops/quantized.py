"""Operators on quantized tensors: integers that stand for ``(x - zero) * scale``.

A scale is a positive number or a float tensor, a zero point a number or an integer tensor; one for
the whole tensor, or in `qnn_quantize`, `qnn_dequantize` and `qnn_requantize` one per position along
an axis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from ..dialects.dtypes import numpy_dtype
from ..frontend.te.expr import parse_dtype
from ..frontend.te.tensor import Tensor
from .arrangement import axis_of
from .converted import converted
from .table import TensorLike, call
from .windows import Sizes, per_axis, transposed_conv

Scale: TypeAlias = TensorLike | float
Zero: TypeAlias = TensorLike | int


def qnn_quantize(
    x: Tensor, scale: Scale, zero: Zero = 0, *, axis: int = -1, dtype: str = "int8"
) -> Tensor:
    """Return ``saturate(round_even(x / scale) + zero)`` as integers of a dtype."""
    return converted(
        "qnn_quantize", "QuantizeLinear", x, _number(scale, x.dtype), _number(zero, dtype),
        axis=axis_of(x, axis),
    )  # fmt: skip


def qnn_dequantize(x: Tensor, scale: Scale, zero: Zero = 0, *, axis: int = -1) -> Tensor:
    """Return ``(x - zero) * scale``, in the float type of the scale, or float32 for a number."""
    place = axis_of(x, axis) if x.ndim else 0
    return converted(
        "qnn_dequantize", "DequantizeLinear", x, _number(scale, "float32"),
        _number(zero, x.dtype), axis=place,
    )  # fmt: skip


def _number(value: Any, dtype: str) -> Any:
    is_number = isinstance(value, int | float)
    return np.asarray(value, numpy_dtype(parse_dtype(dtype))) if is_number else value


def qnn_requantize(
    x: Tensor,
    scale: Scale,
    zero: Zero,
    out_scale: Scale,
    out_zero: Zero = 0,
    *,
    axis: int = -1,
    dtype: str = "int8",
) -> Tensor:
    """Return integers of one scale and zero point as integers of others; halves round to even.

    axis: the axis of x along which its scale and zero point may differ.
    """
    wide = qnn_dequantize(x, scale, zero, axis=axis)
    return qnn_quantize(wide, out_scale, out_zero, dtype=dtype)


def qnn_add(
    lhs: Tensor, rhs: Tensor, lhs_scale: Scale, lhs_zero: Zero, rhs_scale: Scale, rhs_zero: Zero,
    out_scale: Scale, out_zero: Zero,
) -> Tensor:  # fmt: skip
    """Return the quantized sum of two quantized tensors, in the dtype of lhs."""
    given = (lhs, lhs_scale, lhs_zero), (rhs, rhs_scale, rhs_zero)
    return _quantized("add", given, out_scale, out_zero)


def qnn_subtract(
    lhs: Tensor, rhs: Tensor, lhs_scale: Scale, lhs_zero: Zero, rhs_scale: Scale, rhs_zero: Zero,
    out_scale: Scale, out_zero: Zero,
) -> Tensor:  # fmt: skip
    """Return the quantized difference of two quantized tensors, in the dtype of lhs."""
    given = (lhs, lhs_scale, lhs_zero), (rhs, rhs_scale, rhs_zero)
    return _quantized("sub", given, out_scale, out_zero)


def qnn_mul(
    lhs: Tensor, rhs: Tensor, lhs_scale: Scale, lhs_zero: Zero, rhs_scale: Scale, rhs_zero: Zero,
    out_scale: Scale, out_zero: Zero,
) -> Tensor:  # fmt: skip
    """Return the quantized product of two quantized tensors, elementwise, in the dtype of lhs."""
    given = (lhs, lhs_scale, lhs_zero), (rhs, rhs_scale, rhs_zero)
    return _quantized("mul", given, out_scale, out_zero)


def _quantized(
    name: str, given: Sequence[tuple[Tensor, Scale, Zero]], out_scale: Scale, out_zero: Zero
) -> Tensor:
    """Apply the operator of a name to quantized tensors; quantize to the dtype of the first."""
    result = call(name, *(qnn_dequantize(*each) for each in given))
    return qnn_quantize(result, out_scale, out_zero, dtype=given[0][0].dtype)


def qnn_map(
    function: Callable[[Tensor], Tensor], x: Tensor, scale: Scale, zero: Zero, out_scale: Scale,
    out_zero: Zero,
) -> Tensor:  # fmt: skip
    """Apply a function of floats, such as ``ops.tanh``, to a quantized tensor; quantize the result.

    The result has the dtype of x.
    """
    made = function(qnn_dequantize(x, scale, zero))
    return qnn_quantize(made, out_scale, out_zero, dtype=x.dtype)


def qnn_concatenate(
    xs: Sequence[Tensor], scales: Sequence[Scale], zeros: Sequence[Zero], out_scale: Scale,
    out_zero: Zero, axis: int = 0,
) -> Tensor:  # fmt: skip
    """Return quantized tensors one after another along an axis, with one scale and zero point."""
    parts = [qnn_dequantize(*part) for part in zip(xs, scales, zeros, strict=True)]
    joined = call("concat", parts, axis_of(xs[0], axis))
    return qnn_quantize(joined, out_scale, out_zero, dtype=xs[0].dtype)


def qnn_dense(x: Tensor, w: Tensor, x_zero: Zero = 0, w_zero: Zero = 0) -> Tensor:
    """Return ``(x - x_zero) @ (w - w_zero).T`` as int32.

    Shapes: x (…, K), w (N, K) of bytes; the result (…, N).
    """
    return qnn_batch_matmul(x, call("transpose", w, [1, 0]), x_zero, w_zero)


def qnn_batch_matmul(x: Tensor, y: Tensor, x_zero: Zero = 0, y_zero: Zero = 0) -> Tensor:
    """Return the matrix products of ``x - x_zero`` and ``y - y_zero``, as int32.

    Shapes: x (…, M, K), y (…, K, N) of bytes; the result (…, M, N).
    """
    zeros = _number(x_zero, x.dtype), _number(y_zero, y.dtype)
    return converted("qnn_batch_matmul", "MatMulInteger", x, y, *zeros)


def qnn_conv2d(
    x: Tensor,
    w: Tensor,
    x_zero: Zero = 0,
    w_zero: Zero = 0,
    *,
    strides: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Cross-correlate ``x - x_zero`` with ``w - w_zero``, as int32; the border stands for 0.

    Shapes: as `conv2d`, of bytes.
    """
    return converted(
        "qnn_conv2d", "ConvInteger", x, w, _number(x_zero, x.dtype), _number(w_zero, w.dtype),
        strides=per_axis("strides", strides, 2), pads=per_axis("padding", padding, 2) * 2,
        dilations=per_axis("dilation", dilation, 2), group=groups,
    )  # fmt: skip


def qnn_conv2d_transpose(
    x: Tensor,
    w: Tensor,
    x_zero: Zero = 0,
    w_zero: Zero = 0,
    *,
    strides: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
) -> Tensor:
    """Return the adjoint of a convolution of ``x - x_zero`` with ``w - w_zero``, as int32.

    Shapes: as `transposed_conv`, of bytes.
    """
    both = (call("sub", call("cast", v, "int32"), z) for v, z in ((x, x_zero), (w, w_zero)))
    return transposed_conv(
        *both, strides=strides, padding=padding, output_padding=output_padding, groups=groups
    )


def simulated_quantize(x: Tensor, scale: Scale, zero: Zero = 0, dtype: str = "int8") -> Tensor:
    """Return the values of `qnn_quantize` as floats."""
    return call("cast", qnn_quantize(x, scale, zero, dtype=dtype), x.dtype)


def simulated_dequantize(x: Tensor, scale: Scale, zero: Zero = 0) -> Tensor:
    """Return ``(x - zero) * scale`` for floats whose values are integers."""
    return call("mul", call("sub", x, cast(Any, zero)), scale)


def fixed_point_multiply(x: Tensor, multiplier: int, shift: int) -> Tensor:
    """Return ``x * multiplier * 2**(shift - 31)``, rounded to the nearest integer, halves up.

    Shapes: x of int32.
    """
    wide = call("mul", call("cast", x, "int64"), multiplier)
    drop = 31 - shift
    return call("cast", call("shr", call("add", wide, 1 << (drop - 1)), drop), "int32")


__all__ = [
    "fixed_point_multiply", "qnn_add", "qnn_batch_matmul", "qnn_concatenate", "qnn_conv2d",
    "qnn_conv2d_transpose", "qnn_dense", "qnn_dequantize", "qnn_map", "qnn_mul", "qnn_quantize",
    "qnn_requantize", "qnn_subtract", "simulated_dequantize", "simulated_quantize",
]  # fmt: skip
