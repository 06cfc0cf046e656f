"""The families of random programs, and the program for a family and a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ...frontend.te.program import make_program, signature_of
from .checks import Outcome
from .draw import Draw
from .graph_builder import GraphBuilder, NotInStandard
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
from .program import Model, Program, Text
from .schedules import drawn_schedule
from .te_programs import TE_PROGRAMS

Family: TypeAlias = Callable[[GraphBuilder], None]

_TYPED = (
    "matmul", "matmul_batch", "gemm", "feed_forward", "conv1d", "conv2d", "conv3d", "conv_chain",
    "conv_transpose", "pool", "softmax", "norm_rows", "norm_channels", "attention", "attention_op",
    "encoder", "decoder", "reduce", "movement", "elementwise", "inverted_residual", "einsum",
    "resize", "sort", "gather", "scatter", "centered",
)  # fmt: skip
_DTYPES = ("float16", "float16", "bfloat16", "float64")


def typed(g: GraphBuilder) -> None:
    """Draw a graph of another family in f16, bf16 or f64."""
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

FAMILIES: tuple[str, ...] = (
    *GRAPHS,
    *(f"te.{name}" for name in TE_PROGRAMS),
    *(f"schedule.{name}" for name in TE_PROGRAMS),
    *(f"buffers.{name}" for name in TE_PROGRAMS),
)
"""Graphs; tensor expressions; these with a schedule that arranges loops, or buffers too."""


def drawn_graph(family: str, seed: int) -> GraphBuilder:
    """Return the graph of a family and a seed: the first draw that the standard allows.

    A draw may use an operator with a type that the operator does not have.
    """
    refused: NotInStandard | None = None
    for attempt in ("", " again", " once more"):
        builder = GraphBuilder(Draw(f"{family} {seed}{attempt}"))
        try:
            GRAPHS[family](builder)
            return builder
        except NotInStandard as err:
            refused = err
    raise AssertionError(f"{family} {seed} draws what the standard does not have") from refused


def drawn_program(family: str, seed: int) -> Program:
    """Return the program of a family and a seed."""
    if family in GRAPHS:
        graph = drawn_graph(family, seed)
        return Model(graph.model().SerializeToString(), graph.feeds)
    kind, _, name = family.partition(".")
    if kind == "te":
        tensors = TE_PROGRAMS[name](Draw(f"{family} {seed}"))
        return Text(str(make_program(signature_of(tensors, None), "main")))
    return Text(str(drawn_schedule(name, seed, buffers=kind == "buffers").program()))


def check_drawn(family: str, seed: int, mode: str, targets: Sequence[str]) -> Outcome:
    """Check the program of a family and a seed."""
    return drawn_program(family, seed).check(mode, targets)
