"""Families of random graphs: each function draws one graph with a GraphBuilder.

layers           pieces of networks that several families share
products         MatMul, Gemm, Einsum, feed-forward blocks, products by group
convolutions     Conv in 1, 2 and 3 dimensions, ConvTranspose, chains of 3x3, pooling
networks         blocks of convolutional networks
attention        the Attention operator, and attention written out; encoder and decoder blocks
normalizations   norms, Softmax and its variants, reductions
elementwise      chains with broadcasts, integers, other types
movement         transposes, slices, pads, concats; gathers, scatters, sorting
recurrent        LSTM, GRU, RNN, Scan and Loop, If
sampling         Resize, GridSample, RoiAlign, DeformConv
quantized        integer products and convolutions, quantized weights
mixed            random DAGs of 12 to 40 nodes of all kinds

A new family is a public function of the builder ``g`` in one of these files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ..draw import functions_of
from ..graph_builder import GraphBuilder
from . import (
    attention,
    convolutions,
    elementwise,
    mixed,
    movement,
    networks,
    normalizations,
    products,
    quantized,
    recurrent,
    sampling,
)

Family: TypeAlias = Callable[[GraphBuilder], None]

_TYPED = (
    "matmul", "matmul_batch", "gemm", "feed_forward", "conv1d", "conv2d", "conv3d", "conv_chain",
    "conv_transpose", "pool", "softmax", "norm_rows", "norm_channels", "attention", "attention_op",
    "encoder", "decoder", "reduce", "movement", "elementwise", "inverted_residual", "einsum",
    "resize", "sort", "gather", "scatter", "centered",
)  # fmt: skip
_DTYPES = ("float16", "float16", "bfloat16", "float64")


def typed(g: GraphBuilder) -> None:
    """Draw a graph of one of the other families, with the element type f16, bf16 or f64."""
    g.set_dtype(g.draw.one(*_DTYPES))
    GRAPHS[g.draw.one(*_TYPED)](g)


_MODULES = (
    products, convolutions, networks, attention, normalizations, elementwise, movement, recurrent,
    sampling, quantized, mixed,
)  # fmt: skip

_FOUND = (functions_of(module, "g") for module in _MODULES)
GRAPHS: Mapping[str, Family] = {
    **{name: make for each in _FOUND for name, make in each.items()},
    "typed": typed,
}
"""Families of graphs by name."""
