"""Convert attention and rotary embeddings to products, softmax and index maps.

Reshape and transpose split and join the heads of a rank-3 input; a broadcast shares a key head
among query heads. Kernels read all three through their index maps, so nothing is copied.
Scale, soft cap and masks are elementwise and become the epilogue of the first product.
Scores of f16 and bf16 inputs stay in f32 until after the softmax.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import inf, sqrt

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute

from ...dialects.dtypes import compute_type, is_bool, numpy_dtype
from ...dialects.graph import GatherOp, MatmulOp, PadOp
from ...dialects.shape import Dim
from ...support.diagnostics import ModelError, NeedsBinding, UnequalSizes, UnsupportedOp
from .builder import Builder, Tensor, size_array
from .index import check_indices
from .node import Node, OpConverter, static
from .norm import softmax
from .values import tensors_only

ONE = Dim.const(1)
RAW, CAPPED, BIASED, PROBABILITIES = range(4)
"""The content of the optional fourth output (``qk_matmul_output_mode``)."""


def attention(node: Node, b: Builder) -> tuple[Tensor | None, ...]:
    """Compute ``softmax(scale * Q K^T + bias) V`` per head, with the key and value cache."""
    queries = _heads(b, node[0], node, "q_num_heads")
    key = _with_past(b, _heads(b, node[1], node, "kv_num_heads"), node.get(4))
    value = _with_past(b, _heads(b, node[2], node, "kv_num_heads"), node.get(5))
    raw = _scores(node, b, queries, _shared(b, key, queries))
    capped = _capped(b, raw, node.number("softcap", 0.0))
    mask = _mask(node, b, queries, key)
    biased = mask.on(b, capped)
    weights = _weights(node, b, biased)
    mode = node.integer("qk_matmul_output_mode", RAW)
    if mode == PROBABILITIES and node.wants(3):
        weights = mask.without_empty_rows(b, weights)
    out = mask.without_empty_rows(b, _weighted(b, weights, queries, value))
    shown = {RAW: raw, CAPPED: capped, BIASED: biased, PROBABILITIES: weights}.get(mode)
    if shown is None:
        raise UnsupportedOp("unknown qk_matmul_output_mode", expected="0 to 3", got=mode)
    return _joined(b, out, node[0].rank), key, value, _shown(node, b, shown)


def flex_attention(node: Node, b: Builder) -> Tensor:
    """Compute attention whose scores and probabilities are modified by subgraphs of the node."""
    queries, key, value = (node.ranked(i, 4) for i in range(3))
    wide = compute_type(queries.dtype)
    precision = node.dtype("softmax_precision") if node.has("softmax_precision") else wide
    scores = b.cast(_scores(node, b, queries, _shared(b, key, queries)), precision)
    scores = _modified(node, b, "score_mod", scores)
    weights = _modified(node, b, "prob_mod", softmax(b, scores, 3))
    return _weighted(b, b.cast(weights, wide), queries, value)


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
    """Return the input as (batch, heads, sequence, head size)."""
    if x.rank == 4:
        return x
    if x.rank != 3:
        raise ModelError("input has a wrong rank", expected="3 or 4", got=x.rank)
    batch, length, hidden = x.dims
    heads = Dim.of(node.integer(attribute))
    split = b.reshape(x, (batch, length, heads, hidden // heads))
    return b.transpose(split, (0, 2, 1, 3))


def _joined(b: Builder, x: Tensor, rank: int) -> Tensor:
    """Return the result as (batch, sequence, hidden size) if the inputs had rank 3."""
    if rank == 4:
        return x
    turned = b.transpose(x, (0, 2, 1, 3))
    batch, length, heads, size = turned.dims
    return b.reshape(turned, (batch, length, heads * size))


def _with_past(b: Builder, x: Tensor, past: Tensor | None) -> Tensor:
    return x if past is None else b.concat([past, x], 2)


def _check_ratio(multiple: Dim, wanted: Dim, heads: Dim) -> None:
    """Check that the heads of Q are a multiple of the heads of K.

    multiple: the largest one that is not larger.
    Errors: UnequalSizes for a number of heads of K, so that the import begins again if the heads of
    Q are a symbol; NeedsBinding for symbolic heads of K.
    """
    if multiple == wanted:
        return
    rule = "the heads of Q are not a multiple of the heads of K"
    if heads.value is None:
        raise NeedsBinding(rule, expected=heads, got=wanted, hint="bind them with shapes=")
    raise UnequalSizes(rule, expected=heads, got=wanted, sizes=[(wanted, multiple)])


def _shared(b: Builder, x: Tensor, queries: Tensor) -> Tensor:
    """Broadcast keys or values to one head per query head; neighbouring query heads share one."""
    batch, heads, length, size = x.dims
    wanted = queries.dims[1]
    if heads == wanted:
        return x
    ratio = wanted // heads
    _check_ratio(ratio * heads, wanted, heads)
    apart = b.reshape(x, (batch, heads, ONE, length, size))
    repeated = b.broadcast_to(apart, (batch, heads, ratio, length, size))
    return b.reshape(repeated, (batch, wanted, length, size))


def _scores(node: Node, b: Builder, queries: Tensor, keys: Tensor) -> Tensor:
    """Compute ``scale * Q K^T`` in at least f32, to avoid overflow before scaling."""
    wide = compute_type(queries.dtype)
    product = b.emit(MatmulOp(b.ssa(queries), b.ssa(keys), transpose_rhs=True, acc=wide))
    features = queries.dims[3]
    if node.has("scale") or features.value is not None:
        default = 1.0 if features.value is None else 1 / sqrt(max(features.value, 1))
        return b.apply("mul", product, node.number("scale", default))
    root = b.apply("sqrt", b.cast(Tensor.of_sizes(size_array([features], 0)), wide))
    return b.apply("div", product, root)


def _weighted(b: Builder, weights: Tensor, queries: Tensor, value: Tensor) -> Tensor:
    """Return the weighted sum of values, rounded once to the dtype of Q."""
    values = _shared(b, b.cast(value, weights.dtype), queries)
    return b.cast(b.emit(MatmulOp(b.ssa(weights), b.ssa(values))), queries.dtype)


def _capped(b: Builder, scores: Tensor, cap: float) -> Tensor:
    """Compute ``cap * tanh(scores / cap)``, or the scores without a cap."""
    if cap <= 0:
        return scores
    return b.apply("mul", b.apply("tanh", b.apply("div", scores, cap)), cap)


def _weights(node: Node, b: Builder, scores: Tensor) -> Tensor:
    """Compute the softmax over keys, in the precision that the node specifies."""
    if not node.has("softmax_precision"):
        return softmax(b, scores, 3)
    asked = b.cast(scores, node.dtype("softmax_precision"))
    return b.cast(softmax(b, asked, 3), scores.dtype)


def _shown(node: Node, b: Builder, scores: Tensor) -> Tensor | None:
    return b.cast(scores, node[0].dtype) if node.wants(3) else None


@dataclass(frozen=True)
class _Mask:
    """An attention mask: a condition and an addend that broadcast to the scores.

    total: whether for any data every row has at least one allowed key.
    """

    allowed: Tensor | None
    addend: Tensor | None
    total: bool

    def on(self, b: Builder, scores: Tensor) -> Tensor:
        """Add the addend to scores, and set them to -inf where a key is masked out."""
        if self.addend is not None:
            scores = b.apply("add", scores, b.cast(self.addend, scores.dtype))
        return scores if self.allowed is None else b.select(self.allowed, scores, -inf)

    def without_empty_rows(self, b: Builder, x: Tensor) -> Tensor:
        """Zero the rows of queries without an allowed key, as their softmax is 0 / 0."""
        if self.total:
            return x
        largest = b.reduce(self._bias(b, x.dtype), "max", [-1 % self._rank])
        return b.select(b.apply("eq", largest, -inf), b.scalar(0, x.dtype), x)

    @property
    def _rank(self) -> int:
        return max(x.rank for x in (self.allowed, self.addend) if x is not None)

    def _bias(self, b: Builder, dtype: Attribute) -> Tensor:
        if self.addend is None:
            assert self.allowed is not None, "a mask without parts lets everything through"
            return b.select(self.allowed, b.scalar(0, dtype), -inf)
        addend = b.cast(self.addend, dtype)
        return addend if self.allowed is None else b.select(self.allowed, addend, -inf)


def _mask(node: Node, b: Builder, queries: Tensor, key: Tensor) -> _Mask:
    """Combine the mask input, causality, window and number of valid keys into one mask."""
    given, lengths = _padded(b, node.get(3), key.dims[2]), node.get(6)
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
        valid = b.reshape(lengths, (lengths.dims[0], ONE, ONE, ONE))
        conditions.append(b.apply("lt", columns, b.cast(valid, i64)))
    allowed = reduce(lambda x, y: b.apply("and", x, y), conditions) if conditions else None
    addend = None if given is None or is_bool(given.dtype) else given
    total = given is None and lengths is None and left < 0
    return _Mask(allowed, addend, total)


def _positions(node: Node, b: Builder, rows: Tensor, length: Dim) -> Tensor:
    """Return the position of each query among the keys, after the cached keys."""
    past, lengths = node.get(4), node.get(6)
    if past is not None:
        return b.apply("add", rows, b.size(past.dims[2]))
    if lengths is None:
        return rows
    offset = b.apply("sub", b.cast(lengths, i64), b.size(length))
    return b.apply("add", rows, b.reshape(offset, (lengths.dims[0], ONE, ONE, ONE)))


def _padded(b: Builder, mask: Tensor | None, length: Dim) -> Tensor | None:
    """Extend the mask to all keys; keys beyond its end are masked out.

    As in the standard's reference, that holds for a mask of one key, too.
    """
    if mask is None or mask.dims[-1] == length:
        return mask
    missing = length - mask.dims[-1]
    value = 0 if is_bool(mask.dtype) else -inf
    if missing.value is None:
        return b.padded(mask, mask.rank - 1, Dim.const(0), missing, value)
    high = [0] * (mask.rank - 1) + [missing.value]
    return b.emit(PadOp(b.ssa(mask), [0] * mask.rank, high, value=value))


def rotary_embedding(node: Node, b: Builder) -> Tensor:
    """Rotate pairs of features by the angles of their position.

    For features as (…, 2, half) or (…, half, 2): ``x * cos + swapped(x) * sin * (-1, 1)``.
    """
    x = node[0]
    split = x if x.rank == 4 else _features(node, b, x)
    size = static(split.dims[3], "rotary_embedding_dim")
    turned = node.integer("rotary_embedding_dim", 0) or size
    out = _turned(node, b, b.slice(split, 3, 0, turned) if turned < size else split)
    if turned < size:
        out = b.concat([out, b.slice(split, 3, turned, size - turned)], 3)
    return b.reshape(out, x.dims)


def _features(node: Node, b: Builder, x: Tensor) -> Tensor:
    heads = Dim.of(node.integer("num_heads"))
    return b.reshape(x, (*x.dims[:2], heads, x.dims[2] // heads))


def _turned(node: Node, b: Builder, x: Tensor) -> Tensor:
    half = x.dims[3] // 2
    interleaved = bool(node.integer("interleaved", 0))
    pair = (half, Dim.const(2)) if interleaved else (Dim.const(2), half)
    along = 4 if interleaved else 3
    pairs = b.reshape(x, (*x.dims[:3], *pair))
    cos, sin = (_angles(node, b, i, along) for i in (1, 2))
    signs = Tensor.of_array(np.array([-1, 1], numpy_dtype(x.dtype)))
    swapped = b.slice(pairs, along, 1, 2, -1)
    crossed = b.apply("mul", swapped, b.apply("mul", sin, _along(b, signs, along)))
    return b.reshape(b.apply("add", b.apply("mul", pairs, cos), crossed), x.dims)


def _along(b: Builder, x: Tensor, axis: int) -> Tensor:
    """Return a vector as (…, 2, 1) or (…, 2), to broadcast to the pairs."""
    return x if axis == 4 else b.reshape(x, (*x.dims, ONE))


def _angles(node: Node, b: Builder, index: int, along: int) -> Tensor:
    """Return cosines or sines by position and pair, with size 1 along heads and within pairs."""
    table, positions = node[index], node.get(3)
    if positions is not None:
        check_indices(node, b, positions, table.dims[:1], wraps=False)
        table = b.emit(GatherOp(b.ssa(table), b.ssa(positions), 0))
    batch, length, half = table.dims
    rows: Sequence[Dim] = (batch, ONE, length) if node[0].rank == 4 else (batch, length, ONE)
    return b.reshape(table, (*rows, *((half, ONE) if along == 4 else (ONE, half))))


CONVERTERS = (
    OpConverter("Attention", attention, since=23),
    OpConverter("FlexAttention", flex_attention, since=1, domain="ai.onnx.preview"),
    OpConverter("RotaryEmbedding", rotary_embedding, since=23),
)
