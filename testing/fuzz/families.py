"""The families of random programs, and the case of a family and a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from .checks import Outcome, plan_model, run_model
from .draw import Draw
from .graph_builder import GraphBuilder
from .graphs import (
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
    """A graph of another family in f16, bf16 or f64."""
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

FAMILIES: tuple[str, ...] = (*GRAPHS,)
"""All families."""


def graph_case(family: str, seed: int) -> GraphBuilder:
    """Return the graph of a family and a seed."""
    builder = GraphBuilder(Draw(f"{family} {seed}"))
    GRAPHS[family](builder)
    return builder


def check_case(family: str, seed: int, mode: str, targets: Sequence[str]) -> Outcome:
    """Check the program of a family and a seed; see checks."""
    builder = graph_case(family, seed)
    data = builder.model().SerializeToString()
    return plan_model(data, targets) if mode == "plan" else run_model(data, builder.feeds)


def save_case(family: str, seed: int, path: str) -> str:
    """Write a program to a file, and its inputs beside it; return the file."""
    builder = graph_case(family, seed)
    file = Path(f"{path}.onnx")
    file.write_bytes(builder.model().SerializeToString())
    plain = {name: x for name, x in builder.feeds.items() if x.dtype.kind != "V"}
    np.savez(f"{path}.npz", **plain)  # pyright: ignore[reportArgumentType]
    return str(file)
