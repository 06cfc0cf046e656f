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

A new family is a function in a file of this folder, and a line in the table below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

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


_FAMILIES: tuple[Family, ...] = (
    products.matmul,
    products.matmul_batch,
    products.gemm,
    products.einsum,
    products.feed_forward,
    products.gated,
    products.grouped_products,
    convolutions.conv1d,
    convolutions.conv2d,
    convolutions.conv3d,
    convolutions.conv_chain,
    convolutions.conv_transpose,
    convolutions.pool,
    networks.inverted_residual,
    networks.squeeze_excite,
    networks.dense_block,
    networks.bottleneck,
    networks.channels_last,
    networks.concat_conv,
    networks.upsample,
    networks.windows,
    attention.attention,
    attention.attention_op,
    attention.encoder,
    attention.decoder,
    normalizations.softmax,
    normalizations.norm_rows,
    normalizations.norm_channels,
    normalizations.reduce,
    normalizations.centered,
    elementwise.elementwise,
    elementwise.integers,
    movement.movement,
    movement.embedding,
    movement.gather,
    movement.scatter,
    movement.sort,
    recurrent.recurrent,
    recurrent.loop,
    recurrent.branch,
    sampling.resize,
    sampling.sample,
    quantized.quantized_product,
    quantized.quantized_conv,
    mixed.dag,
    typed,
)

GRAPHS: Mapping[str, Family] = {make.__name__: make for make in _FAMILIES}
"""Families of graphs by name."""
