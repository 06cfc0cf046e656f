"""Convert operators of the domain com.microsoft that are fused blocks of transformers.

onnxruntime's optimizers write these operators. Each is decomposed into the ops from which it was
fused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from xdsl.dialects.builtin import i32

from ....dialects.graph import GatherOp, NormalizeOp
from ....support.diagnostics import UnequalSizes, UnsupportedOp
from ..builder import Builder, Tensor
from ..converters.attention import rotary_embedding
from ..converters.conv import convolved
from ..converters.elementwise import gelu_of, swish
from ..converters.index import check_indices
from ..converters.matmul import gemm, product
from ..converters.norm import normalized
from ..node import Converter, Node, OpConverter

DOMAIN = "com.microsoft"


def fused_matmul(node: Node, b: Builder) -> Tensor:
    """Compute ``alpha * op(A) op(B)``, where op transposes the last two axes if a flag is set."""
    if node.integer("transBatchA", 0) or node.integer("transBatchB", 0):
        raise UnsupportedOp("transposed batch axes are not supported", got="transBatchA/B")
    operands: list[Tensor] = []
    for at, flag in enumerate(("transA", "transB")):
        x = node[at]
        is_turned = bool(node.integer(flag, 0)) and x.rank > 1
        operands.append(b.matrix_transpose(x) if is_turned else x)
    made, alpha = product(b, *operands), node.number("alpha", 1.0)
    return made if alpha == 1.0 else b.apply("mul", made, alpha)


def gelu(node: Node, b: Builder) -> Tensor:
    """Compute ``y * Φ(y)`` with erf, where y is x plus the bias if there is one."""
    return gelu_of(b, b.plus(node[0], node.get(1)))


def fast_gelu(node: Node, b: Builder) -> Tensor:
    """Compute ``y * Φ(y)`` approximated with tanh, where y is x plus the bias if there is one."""
    return gelu_of(b, b.plus(node[0], node.get(1)), by_tanh=True)


def skip_normalization(*, center: bool) -> Converter:
    """Return the converter of an operator that normalizes ``x + skip + bias``.

    Output 3 of the operator is this sum.
    center: true for layer normalization, which subtracts the mean and adds a shift; false for RMS
    normalization.
    """

    def convert(node: Node, b: Builder) -> tuple[Tensor, ...]:
        total = b.plus(b.apply("add", node[0], node[1]), node.get(4 if center else 3))
        eps = node.number("epsilon", 1e-5)
        out, mean, inverse = normalized(b, total, [total.rank - 1], eps, center=center)
        out = b.plus(b.apply("mul", out, node[2]), node.get(3) if center else None)
        return out, mean, inverse, total

    return convert


def simplified_layer_normalization(node: Node, b: Builder) -> tuple[Tensor, Tensor]:
    """Divide by the root mean square over the axes from ``axis`` on, then scale.

    Results: the normalized input, and the reciprocals of the root mean squares.
    """
    x = node[0]
    axes, eps = range(node.axis("axis", -1, x.rank), x.rank), node.number("epsilon", 1e-5)
    out, _, inverse = normalized(b, x, axes, eps, center=False)
    return b.apply("mul", out, node[1]), inverse


def embedding(node: Node, b: Builder) -> tuple[Tensor, Tensor, Tensor]:
    """Add the embeddings of words, positions and segments, and normalize the sum.

    Results: the normalized sum; for each entry of the batch, the number of keys that the mask
    allows; the sum.
    """
    ids = node.ranked(0, 2)
    length = ids.dims[1]
    total = _rows_at(node, b, node[2], ids)
    positions = node.get(8)
    if positions is not None:
        rows = _rows_at(node, b, node[3], positions)
    elif b.facts.min(length, node[3].dims[0]) == length:
        rows = b.slice(node[3], 0, 0, length)
    else:
        least = length.min(node[3].dims[0])
        rule = "the positions are not in the table of positions"
        raise UnequalSizes(rule, expected=node[3].dims[0], got=length, sizes=[(least, length)])
    total = b.apply("add", total, rows)
    segments, table = node.get(1), node.get(4)
    if segments is not None and table is not None:
        total = b.apply("add", total, _rows_at(node, b, table, segments))
    eps = node.number("epsilon", 1e-12)
    out = b.emit(NormalizeOp(b.ssa(total), axes=(2,), eps=eps, center=True))
    out = b.apply("add", b.apply("mul", out, node[5]), node[6])
    mask = node.get(7)
    if mask is None:
        count = b.broadcast_to(b.scalar(0, i32), ids.dims[:1])
    else:
        count = b.reduce(mask, "sum", [1], keep=False)
    return out, count, total


def _rows_at(node: Node, b: Builder, table: Tensor, ids: Tensor) -> Tensor:
    check_indices(node, b, ids, table.dims[:1], wraps=False)
    return b.emit(GatherOp(b.ssa(table), b.ssa(ids), 0))


def fused_conv(node: Node, b: Builder) -> Tensor:
    """Convolve, add an optional tensor, and apply an activation."""
    made = b.plus(convolved(node, b, node[0], node[1], node.get(2)), node.get(3))
    return _activated(node, b, made, node.floats("activation_params", ()))


def fused_gemm(node: Node, b: Builder) -> Tensor:
    """Multiply matrices, add a bias, and apply an activation."""
    names = [f"activation_{name}" for name in ("alpha", "beta", "gamma")]
    return _activated(node, b, gemm(node, b), [node.number(n) for n in names if node.has(n)])


def _activated(node: Node, b: Builder, x: Tensor, numbers: Sequence[float]) -> Tensor:
    """Apply the activation that an attribute of the node names.

    numbers: the parameters of the activation, in order.
    """
    match node.text("activation", ""), *numbers:
        case "", *_:
            return x
        case "Relu", *_:
            return b.apply("max", x, 0)
        case ("Sigmoid" | "Tanh") as name, *_:
            return b.apply(name.lower(), x)
        case "LeakyRelu", alpha, *_:
            return b.select(b.apply("lt", x, 0.0), b.apply("mul", x, alpha), x)
        case "Clip", low, high, *_:
            return b.apply("min", b.apply("max", x, low), high)
        case "HardSigmoid", alpha, beta, *_:
            scaled = b.apply("add", b.apply("mul", x, alpha), beta)
            return b.apply("min", b.apply("max", scaled, 0.0), 1.0)
        case name, *_:
            raise UnsupportedOp("this activation is not supported", got=(name, *numbers))


def rotary(node: Node, b: Builder) -> Tensor:
    """Rotate pairs of features; input 1 has positions, inputs 2 and 3 the cosines and sines."""
    x, positions, cos, sin = (node[at] for at in range(4))
    if positions.rank != 2:
        raise UnsupportedOp("one position for all rows is not supported", expected="rank 2")
    if x.rank == 3 and not node.has("num_heads"):
        raise UnsupportedOp("RotaryEmbedding of rank 3 needs num_heads", got=x.dims)
    if node.number("scale", 1.0) != 1.0:
        raise UnsupportedOp("a scale of positions is not supported", got=node.number("scale"))
    return rotary_embedding(replace(node, inputs=(x, cos, sin, positions)), b)


_converter = partial(OpConverter, since=1, domain=DOMAIN)

CONVERTERS = (
    _converter("FusedMatMul", fused_matmul),
    _converter("TransposeMatMul", fused_matmul),
    _converter("FusedConv", fused_conv),
    _converter("FusedGemm", fused_gemm),
    _converter("EmbedLayerNormalization", embedding),
    _converter("Gelu", gelu),
    _converter("BiasGelu", gelu),
    _converter("FastGelu", fast_gelu),
    _converter("QuickGelu", partial(swish, default=1.702)),
    _converter("SkipLayerNormalization", skip_normalization(center=True)),
    _converter("SkipSimplifiedLayerNormalization", skip_normalization(center=False)),
    OpConverter("SimplifiedLayerNormalization", simplified_layer_normalization, since=1),
    _converter("RotaryEmbedding", rotary),
)
