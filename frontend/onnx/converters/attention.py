"""Convert attention and rotary embeddings to matrix products, softmax and index maps.

The scale, the soft cap and masks are elementwise ops, which become the epilogue of the first
product. Scores of f16 and bf16 inputs stay in f32 until after the softmax.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i64

from ....dialects.dtypes import compute_type, is_bool
from ....dialects.graph import GatherOp
from ....dialects.shape import Dim
from ....support.diagnostics import ModelError, UnequalSizes, UnsupportedOp
from ..builder import Builder, Tensor
from ..node import Node, OpConverter, static
from ..values import tensors_only
from .heads import (
    ONE,
    Mask,
    after_past,
    capped_scores,
    extended_mask,
    join_heads,
    per_entry,
    rotated,
    scaled_scores,
    split_heads,
    weighted_values,
)
from .index import check_indices
from .norm import softmax

RAW, CAPPED, BIASED, PROBABILITIES = range(4)
"""The possible contents of the fourth output, as ``qk_matmul_output_mode`` encodes them."""


def attention(node: Node, b: Builder) -> tuple[Tensor | None, ...]:
    """Compute ``softmax(scale * Q K^T + bias) V`` per head.

    Results: the attention, the keys and the values with those of the cache before them, and the
    scores or probabilities that the attribute qk_matmul_output_mode selects, or None if no node
    reads them.
    """
    queries = _heads(b, node[0], node, "q_num_heads")
    key = after_past(b, node.get(4), _heads(b, node[1], node, "kv_num_heads"))
    value = after_past(b, node.get(5), _heads(b, node[2], node, "kv_num_heads"))
    raw = scaled_scores(b, queries, key, _scale(node))
    capped = capped_scores(b, raw, node.number("softcap", 0.0))
    mask = _mask(node, b, queries, key)
    biased = mask.on(b, capped)
    weights = _weights(node, b, biased)
    mode = node.integer("qk_matmul_output_mode", RAW)
    if mode == PROBABILITIES and node.wants(3):
        weights = mask.without_empty_rows(b, weights)
    out = mask.without_empty_rows(b, weighted_values(b, weights, queries, value))
    shown = {RAW: raw, CAPPED: capped, BIASED: biased, PROBABILITIES: weights}.get(mode)
    if shown is None:
        raise UnsupportedOp("unknown qk_matmul_output_mode", expected="0 to 3", got=mode)
    scores = b.cast(shown, node[0].dtype) if node.wants(3) else None
    return (out if node[0].rank == 4 else join_heads(b, out)), key, value, scores


def flex_attention(node: Node, b: Builder) -> Tensor:
    """Compute an attention; graphs in attributes modify the scores and probabilities."""
    queries, key, value = (node.ranked(i, 4) for i in range(3))
    wide = compute_type(queries.dtype)
    precision = node.dtype("softmax_precision") if node.has("softmax_precision") else wide
    scores = b.cast(scaled_scores(b, queries, key, _scale(node)), precision)
    scores = _modified(node, b, "score_mod", scores)
    weights = _modified(node, b, "prob_mod", softmax(b, scores, 3))
    return weighted_values(b, b.cast(weights, wide), queries, value)


def _scale(node: Node) -> float | None:
    return node.number("scale") if node.has("scale") else None


def _modified(node: Node, b: Builder, attribute: str, x: Tensor) -> Tensor:
    if not node.has(attribute):
        return x
    graph = node.graph(attribute)
    graph.check_inputs(1)
    results = tensors_only(graph(b, [x]), f"the result of {attribute}")
    if [(r.dtype, r.dims) for r in results] != [(x.dtype, x.dims)]:
        raise ModelError(
            f"{attribute} returns another type than its argument",
            expected=_type(x),
            got=", ".join(map(_type, results)) or "nothing",
            hint="correct the graph in the attribute",
        )
    return results[0]


def _type(x: Tensor) -> str:
    return f"{x.dtype} ({', '.join(map(str, x.dims))})"


def _heads(b: Builder, x: Tensor, node: Node, attribute: str) -> Tensor:
    if x.rank not in (3, 4):
        raise ModelError("input has a wrong rank", expected="3 or 4", got=x.rank)
    return x if x.rank == 4 else split_heads(b, x, node.integer(attribute))


def _weights(node: Node, b: Builder, scores: Tensor) -> Tensor:
    if not node.has("softmax_precision"):
        return softmax(b, scores, 3)
    asked = b.cast(scores, node.dtype("softmax_precision"))
    return b.cast(softmax(b, asked, 3), scores.dtype)


def _mask(node: Node, b: Builder, queries: Tensor, key: Tensor) -> Mask:
    """Return one mask that combines the node's mask input, causality, window and key counts.

    queries, key: the queries and keys, whose shapes determine the shape of the mask.
    """
    given, lengths = extended_mask(b, node.get(3), key.dims[2]), node.get(6)
    left, right = (node.integer(f"{side}_window_size", -1) for side in ("left", "right"))
    conditions = [] if given is None or not is_bool(given.dtype) else [given]
    rows, columns = (b.iota((queries.dims[2], key.dims[2]), axis, i64) for axis in (0, 1))
    gap = b.apply("sub", _positions(node, b, rows, queries.dims[2]), columns)
    if node.integer("is_causal", 0):
        conditions.append(b.apply("le", b.scalar(0, i64), gap))
    if left >= 0:
        conditions.append(b.apply("le", gap, left))
    if right >= 0:
        conditions.append(b.apply("le", b.scalar(-right, i64), gap))
    if lengths is not None:
        conditions.append(b.apply("lt", columns, b.cast(per_entry(b, lengths), i64)))
    addend = None if given is None or is_bool(given.dtype) else given
    total = given is None and lengths is None and left < 0
    return Mask.of(b, conditions, addend, total=total)


def _positions(node: Node, b: Builder, rows: Tensor, length: Dim) -> Tensor:
    """Return the position of each query among the keys, where cached keys come before the queries.

    rows: a tensor of shape (queries, keys) that contains in row n the number n.  length: the number
    of queries.
    """
    past, lengths = node.get(4), node.get(6)
    if past is not None:
        return b.apply("add", rows, b.size(past.dims[2]))
    if lengths is None:
        return rows
    offset = b.apply("sub", b.cast(lengths, i64), b.size(length))
    return b.apply("add", rows, per_entry(b, offset))


def rotary_embedding(node: Node, b: Builder) -> Tensor:
    """Rotate pairs of features by angles that depend on their position in the sequence."""
    x = node[0]
    split = x if x.rank == 4 else _features(node, b, x)
    size = static(split.dims[3], "rotary_embedding_dim")
    turned = node.integer("rotary_embedding_dim", 0) or size
    angles = _angles(node, b, 1, turned), _angles(node, b, 2, turned)
    interleaved = bool(node.integer("interleaved", 0))
    return b.reshape(rotated(b, split, angles, interleaved=interleaved), x.dims)


def _features(node: Node, b: Builder, x: Tensor) -> Tensor:
    heads = Dim.of(node.integer("num_heads"))
    return b.reshape(x, (*x.dims[:2], heads, x.dims[2] // heads))


def _angles(node: Node, b: Builder, index: int, turned: int) -> Tensor:
    """Return the cosines or sines of a RotaryEmbedding at the positions of its input.

    An axis of size 1 is added for the heads, so that the result broadcasts to the input.
    index: the number of the node's input that holds the table of cosines or of sines.  turned: the
    number of features of a head that are rotated; two features share an angle.
    Errors: UnequalSizes if the table has another number of angles.
    """
    table, positions = node[index], node.get(3)
    if positions is not None:
        check_indices(node, b, positions, table.dims[:1], wraps=False)
        table = b.emit(GatherOp(b.ssa(table), b.ssa(positions), 0))
    batch, length, half = table.dims
    pairs = Dim.of(turned // 2)
    if half != pairs:
        rule = "the tables have another number of angles than there are pairs"
        raise UnequalSizes(rule, expected=pairs, got=half, sizes=[(half, pairs)])
    rows: Sequence[Dim] = (batch, ONE, length) if node[0].rank == 4 else (batch, length, ONE)
    return b.reshape(table, (*rows, half))


CONVERTERS = (
    OpConverter("Attention", attention, since=23),
    OpConverter("FlexAttention", flex_attention, since=1, domain="ai.onnx.preview"),
    OpConverter("RotaryEmbedding", rotary_embedding, since=23),
)
