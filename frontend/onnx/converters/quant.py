"""Convert quantized operators: quantization, dequantization, and products of integers."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType, Signedness, f32
from xdsl.ir import Attribute

from ....dialects.dtypes import is_float
from ....dialects.graph import DequantizeOp, QuantizeOp
from ....dialects.shape import Dim
from ....support.diagnostics import ModelError
from ..builder import Builder, Tensor
from ..node import Node, OpConverter
from .conv import convolved
from .matmul import product, without_zero_point

ONE = Dim.const(1)
BYTE = IntegerType(8, Signedness.UNSIGNED)


def quantize_linear(node: Node, b: Builder) -> Tensor:
    """Compute ``saturate(round(x / scale) + zero)``.

    The quotient has the type of the scale, or the type in the attribute ``precision``.
    """
    x, scale, zero = node[0], node[1], node.get(2)
    precision = node.dtype("precision") if node.integer("precision", 0) else scale.dtype
    precision = precision if is_float(precision) else f32
    scale = _spread(node, b, b.cast(scale, precision), x)
    to = _stored_type(node, zero)
    zero = None if zero is None or _is_float8(to) else _spread(node, b, zero, x)
    saturate = bool(node.integer("saturate", 1))
    return quantized(b, b.cast(x, precision), scale, zero, to, saturate=saturate)


def _is_float8(dtype: Attribute) -> bool:
    return str(dtype).startswith("f8")


def _stored_type(node: Node, zero: Tensor | None) -> Attribute:
    if zero is not None:
        return zero.dtype
    return node.dtype("output_dtype") if node.integer("output_dtype", 0) else BYTE


def quantized(
    b: Builder,
    x: Tensor,
    scale: Tensor,
    zero: Tensor | None,
    to: Attribute,
    *,
    saturate: bool = True,
) -> Tensor:
    """Compute ``round(x / scale) + zero`` in the type ``to``.

    saturate: whether numbers outside of the range of a float8 type become its largest number.
    """
    given = None if zero is None else b.ssa(b.broadcast_to(zero, x.dims))
    full = b.broadcast_to(scale, x.dims)
    return b.emit(QuantizeOp(b.ssa(x), b.ssa(full), given, to, saturate=saturate))


def dequantize_linear(node: Node, b: Builder) -> Tensor:
    """Compute ``(x - zero) * scale``."""
    x, zero = node[0], node.get(2)
    scale = _spread(node, b, node[1], x)
    has_zero = zero is not None and not _is_float8(x.dtype)
    given = b.ssa(_spread(node, b, zero, x)) if zero is not None and has_zero else None
    to = node.dtype("output_dtype") if node.integer("output_dtype", 0) else scale.dtype
    return b.emit(DequantizeOp(b.ssa(x), b.ssa(scale), given, to))


def _spread(node: Node, b: Builder, value: Tensor, x: Tensor) -> Tensor:
    """Broadcast a scale or zero point of a node to the shape of x.

    value: the scale or zero point: one number for the tensor, for each index of an axis, or for
    each block.
    """
    if value.rank == 0 or (all(dim == ONE for dim in value.dims) and value.rank <= 1):
        return b.broadcast_to(b.reshape(value, ()), x.dims)
    axis = node.axis("axis", 1, x.rank)
    if value.rank == 1:
        return b.broadcast_to(value, x.dims, axis)
    return _per_block(node, b, value, x, axis)


def _per_block(node: Node, b: Builder, value: Tensor, x: Tensor, axis: int) -> Tensor:
    block = node.integer("block_size", 0)
    if value.rank != x.rank or block < 1:
        raise ModelError("a scale per block needs the rank of x and a block_size", got=value.dims)
    before, count, after = value.dims[:axis], value.dims[axis], value.dims[axis + 1 :]
    apart = b.reshape(value, (*before, count, ONE, *after))
    repeated = b.broadcast_to(apart, (*before, count, Dim.const(block), *after))
    joined = b.reshape(repeated, (*before, count * block, *after))
    return joined if joined.dims == x.dims else b.slice(joined, axis, 0, x.dims[axis])


def dynamic_quantize_linear(node: Node, b: Builder) -> tuple[Tensor, Tensor, Tensor]:
    """Quantize to bytes by the range of the input's values and 0.

    Results: the bytes, the scale and the zero point.
    """
    x = node[0]
    axes = list(range(x.rank))
    high = b.apply("max", b.reduce(x, "max", axes, keep=False), 0.0)
    low = b.apply("min", b.reduce(x, "min", axes, keep=False), 0.0)
    extent = b.apply("sub", high, low)
    scale = b.apply("div", b.select(b.apply("eq", extent, 0.0), 1.0, extent), 255.0)
    start = b.apply("neg", b.apply("div", low, scale))
    zero = quantized(b, start, b.scalar(1.0, x.dtype), None, BYTE)
    return quantized(b, x, scale, zero, BYTE), scale, zero


def qlinear_matmul(node: Node, b: Builder) -> Tensor:
    """Multiply quantized matrices in integers, exactly, and quantize the result."""
    lhs, rhs = (_centered(b, node[i], node.get(i + 2), axis) for i, axis in ((0, -2), (3, -1)))
    total = product(b, lhs, rhs)
    left = scale_along(b, node[1], total.rank, -2)
    right = scale_along(b, node[4], total.rank, -1)
    factor = b.apply("div", b.apply("mul", *map(b.widen, (left, right))), b.widen(node[6]))
    return _requantized(b, total, factor, node.get(7), node[0].dtype)


def _centered(b: Builder, x: Tensor, zero: Tensor | None, axis: int) -> Tensor:
    if is_float(x.dtype):
        return b.cast(x, f32)
    return without_zero_point(b, x, zero, axis)


def scale_along(b: Builder, scale: Tensor, rank: int, axis: int) -> Tensor:
    """Reshape a scale, one number or one per index of an axis, so that it broadcasts to a tensor.

    rank: the rank of this tensor.
    """
    if scale.rank != 1 or scale.dims[0] == ONE:
        return b.reshape(scale, ()) if scale.rank == 1 else scale
    dims = [ONE] * rank
    dims[axis] = scale.dims[0]
    return b.reshape(scale, dims)


def _requantized(
    b: Builder, total: Tensor, factor: Tensor, zero: Tensor | None, default: Attribute
) -> Tensor:
    """Round ``total * factor``, add the zero point, and saturate to the zero point's element type.

    default: the element type of the result if there is no zero point.
    """
    scaled = b.apply("mul", b.cast(total, f32), factor)
    to = default if zero is None else zero.dtype
    offset = None if zero is None else b.reshape(zero, ()) if zero.rank == 1 else zero
    return quantized(b, scaled, b.scalar(1.0, f32), offset, to)


def qlinear_conv(node: Node, b: Builder) -> Tensor:
    """Convolve quantized feature maps with quantized weights, and quantize the result."""
    x = without_zero_point(b, node[0], node.get(2), 1)
    w = without_zero_point(b, node[3], node.get(5), 0)
    total = convolved(node, b, x, w, node.get(8))
    scale = scale_along(b, b.widen(node[4]), total.rank - 1, 0)
    given, wanted = (b.reshape(b.widen(node[i]), ()) for i in (1, 6))
    factor = b.apply("div", b.apply("mul", given, scale), wanted)
    return _requantized(b, total, factor, node.get(7), node[0].dtype)


CONVERTERS = (
    OpConverter("QuantizeLinear", quantize_linear, since=10),
    OpConverter("DequantizeLinear", dequantize_linear, since=10, folds=False),
    OpConverter("DynamicQuantizeLinear", dynamic_quantize_linear, since=11),
    OpConverter("QLinearMatMul", qlinear_matmul, since=10),
    OpConverter("QLinearConv", qlinear_conv, since=10),
)
