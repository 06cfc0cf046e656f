"""Convert quantized operators of the domain com.microsoft, which onnxruntime's quantizer writes.

An operator such as QLinearAdd is decomposed into DequantizeLinear, Add and QuantizeLinear. Products
of quantized operands become products of integers, like QLinearMatMul.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from xdsl.dialects.builtin import f32

from ....dialects.dtypes import bit_width
from ....dialects.graph import BlockMatmulOp, DequantizeOp
from ....dialects.shape import Dim, element_count
from ....support.diagnostics import ModelError, UnsupportedOp
from ..builder import Builder, Tensor
from ..converters.elementwise import leaky_relu
from ..converters.matmul import product, without_zero_point
from ..converters.norm import softmax
from ..converters.pool import global_average_pool, pool
from ..converters.quant import (
    dequantize_linear,
    dynamic_quantize_linear,
    qlinear_conv,
    quantize_linear,
    quantized,
    scale_along,
)
from ..converters.recurrent import LSTM, Matrix, direction_of, recurrent_layer
from ..node import Converter, Node, OpConverter
from ..values import Value

DOMAIN = "com.microsoft"
ONE = Dim.const(1)

ROUNDS_TO_BYTES = 4
"""The accuracy_level from which on activations may be quantized to 8 bits."""


def _dequantized(b: Builder, x: Tensor, scale: Tensor, zero: Tensor | None) -> Tensor:
    factor = b.ssa(b.broadcast_to(b.reshape(scale, ()), x.dims))
    shift = None if zero is None else b.ssa(b.broadcast_to(b.reshape(zero, ()), x.dims))
    return b.emit(DequantizeOp(b.ssa(x), factor, shift, f32))


def _quantized(b: Builder, x: Tensor, scale: Tensor, zero: Tensor | None, like: Tensor) -> Tensor:
    """Return ``round(x / scale) + zero``.

    The result has the type of the zero point, or without a zero point the type of ``like``.
    """
    to = like.dtype if zero is None else zero.dtype
    zero = None if zero is None else b.reshape(zero, ())
    return quantized(b, x, b.reshape(scale, ()), zero, to)


def _operand(node: Node, b: Builder, at: int) -> Tensor:
    """Dequantize an input of a node by the scale and the zero point in the next two inputs.

    at: the number of the input.
    """
    return _dequantized(b, node[at], node[at + 1], node.get(at + 2))


def _binary(name: str) -> Converter:
    def convert(node: Node, b: Builder) -> Tensor:
        made = b.apply(name, _operand(node, b, 0), _operand(node, b, 3))
        return _quantized(b, made, node[6], node.get(7), node[0])

    return convert


def _unary(rule: Converter) -> Converter:
    def convert(node: Node, b: Builder) -> Tensor:
        made = rule(replace(node, inputs=(_operand(node, b, 0),)), b)
        return _quantized(b, _one_result(node, made), node[3], node.get(4), node[0])

    return convert


def _softmax(node: Node, b: Builder) -> Tensor:
    """Compute softmax along an axis; before opset 13, over all axes from that axis on."""
    x, axis = node[0], node.axis("axis", -1, node[0].rank)
    if node.integer("opset") >= 13:
        return softmax(b, x, axis)
    rows, columns = element_count(x.dims[:axis]), element_count(x.dims[axis:])
    return b.reshape(softmax(b, b.reshape(x, (rows, columns)), 1), x.dims)


def _one_result(node: Node, made: Value | tuple[Value, ...]) -> Tensor:
    if not isinstance(made, Tensor):
        raise ModelError("a pooling has one result", got=node.op_type)
    return made


def _channels_last(rule: Converter, *, always: bool = False) -> Converter:
    """Return a converter of feature maps whose channels may be the last axis.

    rule: the converter of maps whose channels are axis 1.  always: whether the channels are the
    last axis even without the attribute ``channels_last``.
    """

    def convert(node: Node, b: Builder) -> Value | tuple[Value, ...]:
        if not always and not node.integer("channels_last", 0):
            return rule(node, b)
        x = b.transpose(node[0], [0, node[0].rank - 1, *range(1, node[0].rank - 1)])
        made = _one_result(node, rule(replace(node, inputs=(x, *node.inputs[1:])), b))
        return b.transpose(made, [0, *range(2, made.rank), 1])

    return convert


def qlinear_where(node: Node, b: Builder) -> Tensor:
    """Select elements of two quantized tensors by a condition."""
    condition, *pair = b.broadcast(node[0], _operand(node, b, 1), _operand(node, b, 4))
    return _quantized(b, b.select(condition, *pair), node[7], node.get(8), node[1])


def qlinear_concat(node: Node, b: Builder) -> Tensor:
    """Concatenate quantized tensors; inputs 0 and 1 are the scale and zero point of the result."""
    parts = [_operand(node, b, at) for at in range(2, len(node.inputs), 3)]
    axis = node.axis("axis", None, parts[0].rank)
    return _quantized(b, b.concat(parts, axis), node[0], node[1], node[2])


def qgemm(node: Node, b: Builder) -> Tensor:
    """Multiply quantized matrices, add an i32 bias, and quantize if the result has a scale."""
    lhs = without_zero_point(b, node[0], node.get(2), 0)
    turned = bool(node.integer("transB", 0))
    rhs = without_zero_point(b, node[3], node.get(5), 0 if turned else 1)
    lhs = b.transpose(lhs, (1, 0)) if node.integer("transA", 0) else lhs
    total = product(b, lhs, b.transpose(rhs, (1, 0)) if turned else rhs)
    total = b.plus(total, node.get(6))
    factor = b.apply("mul", b.reshape(node[1], ()), scale_along(b, node[4], 2, 1))
    alpha = node.number("alpha", 1.0)
    factor = factor if alpha == 1.0 else b.apply("mul", factor, alpha)
    if node.get(7) is None:
        return b.apply("mul", b.cast(total, f32), factor)
    scaled = b.apply("mul", b.cast(total, f32), b.apply("div", factor, b.reshape(node[7], ())))
    return _quantized(b, scaled, b.scalar(1.0, f32), node.get(8), node[0])


def matmul_integer_to_float(node: Node, b: Builder) -> Tensor:
    """Multiply integers minus their zero points, scale the result, and add a bias."""
    zeros = node.get(4), node.get(5)
    return quantized_product(b, (node[0], node[1]), (node[2], node[3]), zeros, node.get(6))


def quantized_product(
    b: Builder,
    operands: tuple[Tensor, Tensor],
    scales: tuple[Tensor, Tensor],
    zeros: tuple[Tensor | None, Tensor | None],
    bias: Tensor | None,
) -> Tensor:
    """Multiply integers minus their zero points; return the f32 product times both scales.

    bias: an addend of the result.
    """
    lhs = without_zero_point(b, operands[0], zeros[0], -2)
    rhs = without_zero_point(b, operands[1], zeros[1], -1)
    total = b.cast(product(b, lhs, rhs), f32)
    left, right = scales
    factor = b.apply("mul", b.reshape(left, ()), scale_along(b, right, total.rank, -1))
    return b.plus(b.apply("mul", total, factor), bias)


def dynamic_quantize_matmul(node: Node, b: Builder) -> Tensor:
    """Quantize the left operand by the range of its values, then multiply as quantized matrices."""
    x, scale, zero = dynamic_quantize_linear(node, b)
    return quantized_product(b, (x, node[1]), (scale, node[2]), (zero, node.get(3)), node.get(4))


@dataclass(frozen=True)
class QuantizedMatrix(Matrix):
    """Quantized weights of one direction of a recurrent layer, with a column per gate and unit.

    Operands are quantized by the range of all their values, also of the last states of sequences
    that have ended.  onnxruntime does so with one thread; with several threads it takes a range per
    sequence.
    node: the node.  scale: a scalar, or a vector of columns.  zero: the same for the zero points;
    None for 0.
    """

    node: Node
    scale: Tensor
    zero: Tensor | None

    @property
    def columns(self) -> Dim:
        """The number of rows: inputs, or hidden units."""
        return self.values.dims[0]

    def times(self, b: Builder, x: Tensor) -> Tensor:
        """Append the product of the quantized rows of x and the weights, in f32."""
        made, scale, zero = dynamic_quantize_linear(replace(self.node, inputs=(x,)), b)
        operands, zeros = (made, self.values), (zero, self.zero)
        return quantized_product(b, operands, (scale, self.scale), zeros, None)


def _quantized_weights(node: Node, b: Builder, number: int) -> tuple[Matrix, Matrix]:
    """Return the weights of a direction of a DynamicQuantizeLSTM; their scales are inputs 8, 10."""

    def part(at: int) -> Tensor | None:
        given = node.get(at)
        return None if given is None else direction_of(b, given, number)

    def matrix(at: int, scale_at: int) -> Matrix:
        scale = direction_of(b, node[scale_at], number)
        return QuantizedMatrix(direction_of(b, node[at], number), node, scale, part(scale_at + 1))

    return matrix(1, 8), matrix(2, 10)


def matmul_n_bits(node: Node, b: Builder) -> Tensor:
    """Multiply by transposed weights of few bits, whose rows have a scale per block of elements."""
    bits, block = node.integer("bits", 4), node.integer("block_size")
    if bits not in (2, 4, 8):
        raise UnsupportedOp(
            "weights of this width are not supported", expected="2, 4 or 8", got=bits
        )
    if node.get(4) is not None:
        raise UnsupportedOp("a group index per row is not supported", got="g_idx")
    rows, columns = node.integer("N"), node.integer("K")
    blocks = -(-columns // block)
    stored = node.values_at(1, "the weights of MatMulNBits")
    assert stored is not None, "the input is required"
    if bits != 2 and not _has_float_zeros(node):
        return _block_product(node, b, (rows, blocks, block))
    weights = _unpacked(stored, bits)[:, : blocks * block].reshape(rows, blocks, block)
    zeros = _block_zeros(node, bits, rows, blocks)
    centered = b.cast(Tensor.of_array(weights.astype(np.float32) - zeros), node[0].dtype)
    scales = b.cast(b.reshape(node[2], (rows, blocks, 1)), node[0].dtype)
    matrix = b.reshape(b.apply("mul", centered, scales), (rows, blocks * block))
    matrix = matrix if blocks * block == columns else b.slice(matrix, 1, 0, columns)
    return b.plus(product(b, node[0], b.transpose(matrix, (1, 0))), node.get(5))


def _has_float_zeros(node: Node) -> bool:
    zeros = node.get(3)
    return zeros is not None and bit_width(zeros.dtype) != 8


def _block_product(node: Node, b: Builder, shape: tuple[int, int, int]) -> Tensor:
    """Multiply by packed weights of 4 or 8 bits, without unpacking them first.

    shape: the number of rows of the weights, the blocks per row, and the elements per block.
    """
    rows, blocks, block = shape
    bits = node.integer("bits", 4)
    weights = b.reshape(node[1], (rows, blocks, block * bits // 8))
    scales = b.reshape(node[2], (rows, blocks))
    zero = None
    if node.get(3) is not None:
        zeros = _block_zeros(node, bits, rows, blocks)[..., 0]
        zero = b.ssa(Tensor.of_array(zeros.astype(np.uint8)))
    rounded = node.integer("accuracy_level", 0) == ROUNDS_TO_BYTES
    made = b.emit(
        BlockMatmulOp(b.ssa(node[0]), b.ssa(weights), b.ssa(scales), zero, bits, rounded=rounded)
    )
    return b.plus(made, node.get(5))


def _unpacked(stored: np.ndarray, bits: int) -> np.ndarray:
    """Return the integers that are packed in the bytes of each row, lowest bits first.

    bits: the number of bits of an integer.
    """
    rows = stored.reshape(stored.shape[0], -1).astype(np.uint8)
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    numbers = (rows[..., None] >> shifts) & np.uint8((1 << bits) - 1)
    return numbers.reshape(rows.shape[0], -1)


def _block_zeros(node: Node, bits: int, rows: int, blocks: int) -> np.ndarray:
    """Return the zero point of each block as a float.

    If the node has no zero points, each is half of the range of ``bits`` bits.
    """
    zeros = node.values_at(3, "the zero points of MatMulNBits")
    if zeros is None:
        return np.full((rows, blocks, 1), 1 << (bits - 1), np.float32)
    if zeros.dtype.kind == "f" or bit_width(node[3].dtype) != 8:
        return zeros.reshape(rows, blocks, 1).astype(np.float32)
    packed = _unpacked(zeros.reshape(rows, -1), bits)[:, :blocks]
    return packed.reshape(rows, blocks, 1).astype(np.float32)


_converter = partial(OpConverter, since=1, domain=DOMAIN)

CONVERTERS = (
    _converter("QuantizeLinear", quantize_linear),
    _converter("DequantizeLinear", dequantize_linear, folds=False),
    _converter("QLinearAdd", _binary("add")),
    _converter("QLinearMul", _binary("mul")),
    _converter("QLinearSigmoid", _unary(lambda node, b: b.apply("sigmoid", node[0]))),
    _converter("QLinearLeakyRelu", _unary(leaky_relu)),
    _converter("QLinearSoftmax", _unary(_softmax)),
    _converter("QLinearWhere", qlinear_where),
    _converter("QLinearConv", _channels_last(qlinear_conv)),
    _converter("NhwcMaxPool", _channels_last(pool("max"), always=True)),
    _converter("QLinearConcat", qlinear_concat),
    _converter("QLinearAveragePool", _unary(_channels_last(pool("avg")))),
    _converter("QLinearGlobalAveragePool", _unary(_channels_last(global_average_pool))),
    _converter("QGemm", qgemm),
    _converter("MatMulIntegerToFloat", matmul_integer_to_float),
    _converter("DynamicQuantizeMatMul", dynamic_quantize_matmul),
    _converter("DynamicQuantizeLSTM", recurrent_layer(LSTM, _quantized_weights)),
    _converter("MatMulNBits", matmul_n_bits),
)
