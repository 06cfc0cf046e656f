"""Convert attention operators of the domain com.microsoft: GroupQueryAttention and others.

onnxruntime's optimizers and exporters of language models write these operators.  Each becomes
matrix products, a softmax and index maps, like the standard's Attention.  If every entry of the
batch has its new keys and values at the end, the cache is a concat of the old and new rows.
Otherwise `seqlens_k` determines where the new rows of each entry replace rows of the cache.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from math import inf

from xdsl.dialects.builtin import i64

from ....dialects.graph import GatherOp, UpdateSliceOp
from ....dialects.shape import Dim
from ....support.diagnostics import UnequalSizes, UnsupportedOp
from ..builder import Builder, Tensor
from ..converters.heads import (
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
from ..converters.index import check_indices
from ..converters.matmul import product
from ..converters.norm import softmax
from ..node import Node, OpConverter
from .quant import quantized_product

DOMAIN = "com.microsoft"
FILTERED = -10000.0
"""The default of the attribute mask_filter_value, which is added to the scores of masked keys."""

_UNSUPPORTED_INPUTS = {12: "k_scale", 13: "v_scale", 14: "q_norm_weight"}
_UNSUPPORTED_FLAGS = ("sliding_window_cache", "qk_output")


@dataclass(frozen=True)
class _QueryPositions:
    """The positions of the queries of an attention among the keys, for a batch.

    count: the number of queries.
    first: the position of the first query, if it is the same for all entries of the batch and known
    as a size; else None.
    starts: the position of the first query for each entry of the batch; None if ``first`` is set.
    ends: the number of keys of each entry; None if every entry has all keys.
    """

    count: Dim
    first: Dim | None
    starts: Tensor | None
    ends: Tensor | None

    def positions(self, b: Builder, columns: Dim) -> Tensor:
        """Return the positions of the queries, as a tensor of shape (queries, keys).

        If they differ between the entries of the batch, the tensor also has leading axes for batch
        and heads.
        columns: the number of keys.
        """
        rows = b.iota((self.count, columns), 0, i64)
        if self.starts is not None:
            return b.apply("add", rows, per_entry(b, self.starts))
        assert self.first is not None, "rows begin at a size or at a position per entry"
        return rows if self.first.value == 0 else b.apply("add", rows, b.size(self.first))


def group_query_attention(node: Node, b: Builder) -> tuple[Tensor, Tensor, Tensor]:
    """Compute causal attention in which several query heads share a key head.

    Results: the attention, and the caches of keys and values after the call.
    """
    _refuse_forms(node)
    query, key, value = _projections(node, b)
    rows, capacity = _rows(node, b, query)
    if node.integer("do_rotary", 0):
        query, key = _with_angles(node, b, (query, key), rows)
    key = _in_cache(b, node.get(3), key, rows, capacity)
    value = _in_cache(b, node.get(4), value, rows, capacity)
    scale = node.number("scale", 0.0)
    scores = scaled_scores(b, query, key, scale or None)
    scores = capped_scores(b, scores, node.number("softcap", 0.0))
    scores = _group_mask(node, b, rows, capacity).on(b, scores)
    weights = _weights_with_sink(node, b, scores)
    return join_heads(b, weighted_values(b, weights, query, value)), key, value


def _refuse_forms(node: Node) -> None:
    for name in _UNSUPPORTED_FLAGS:
        if node.integer(name, 0):
            raise UnsupportedOp("this form of attention is not supported", got=name)
    for at, name in _UNSUPPORTED_INPUTS.items():
        if node.get(at) is not None:
            raise UnsupportedOp("this input is not supported", got=name)
    for name in ("k_quant_type", "v_quant_type"):
        if node.text(name, "NONE") != "NONE":
            raise UnsupportedOp("a quantized cache is not supported", got=name)


def _projections(node: Node, b: Builder) -> tuple[Tensor, Tensor, Tensor]:
    """Return queries, keys and values, which may be packed in one input, with an axis of heads."""
    heads, shared = node.integer("num_heads"), node.integer("kv_num_heads")
    key, value = node.get(1), node.get(2)
    if key is not None and value is not None:
        return (
            split_heads(b, node[0], heads),
            split_heads(b, key, shared),
            split_heads(b, value, shared),
        )
    packed = split_heads(b, node[0], heads + 2 * shared)
    query, key, value = b.split(packed, 1, (heads, shared, shared))
    return query, key, value


def _rows(node: Node, b: Builder, query: Tensor) -> tuple[_QueryPositions, Dim]:
    """Return the positions of the queries among the keys, and the number of rows of the cache."""
    count, batch, past = query.dims[2], query.dims[0], node.get(3)
    ends = b.apply("add", b.cast(b.reshape(node[5], (batch,)), i64), 1)
    valid = node.get(16)
    if past is None:
        _check_prompt(node, count)
        return _QueryPositions(count, Dim.const(0), None, None if batch == ONE else ends), count
    before = past.dims[2]
    capacity = _capacity(node, b, before, count)
    if valid is None and capacity == before + count and (batch == ONE or _is_full(node, capacity)):
        return _QueryPositions(count, before, None, None), capacity
    if valid is None:
        starts = b.apply("max", b.apply("sub", ends, b.size(count)), b.scalar(0, i64))
    else:
        starts = b.apply("sub", ends, b.cast(b.reshape(valid, (batch,)), i64))
    check_indices(node, b, starts, [capacity - count + 1], wraps=False)
    return _QueryPositions(count, None, starts, ends), capacity


def _is_full(node: Node, capacity: Dim) -> bool:
    last = node[5].sizes
    return last is not None and all(size + 1 == capacity for size in last.reshape(-1))


def _check_prompt(node: Node, count: Dim) -> None:
    """Check that a node without a cache has as many keys as queries.

    count: the number of queries.
    Errors: UnequalSizes if the number of keys may differ.
    """
    total = node[6].sizes
    if total is not None and total.reshape(-1)[0] != count:
        length = total.reshape(-1)[0]
        rule = "without a past there are as many keys as queries"
        raise UnequalSizes(rule, expected=count, got=length, sizes=[(length, count)])


def _capacity(node: Node, b: Builder, before: Dim, count: Dim) -> Dim:
    """Return the number of rows of the cache after the call.

    before: the rows of the cache before the call.  count: the number of new rows.  A cache of fixed
    size keeps its number of rows.
    Errors: UnequalSizes if the total length may contradict these numbers; then the import starts
    again under the assumption that it does not.
    """
    sizes = node.sizes_at(6, "the total length of GroupQueryAttention")
    assert sizes, "the input is required"
    total = sizes[0]
    if total == before + count:
        return total
    if total.value is not None and before.value is not None:
        return total.max(before)
    if before.value is None:
        rule = "the keys are not those of the past and the new ones"
        raise UnequalSizes(
            rule, expected=before + count, got=total, sizes=[(total, before + count)]
        )
    rule = "the keys do not fit into the cache"
    if (least := b.facts.min(total, before)) != total:
        raise UnequalSizes(rule, expected=before, got=total, sizes=[(least, total)])
    return before


def _in_cache(
    b: Builder, past: Tensor | None, x: Tensor, rows: _QueryPositions, capacity: Dim
) -> Tensor:
    """Return the cache of keys or values after the new rows are added.

    past: the cache before the call.  x: the new rows.  rows: the positions of the queries, at which
    the new rows are written.  capacity: the number of rows of the result.
    """
    if past is None:
        return x
    if rows.starts is None:
        return b.concat([past, x], 2)
    missing = capacity - past.dims[2]
    if missing.value != 0:
        past = b.padded(past, 2, Dim.const(0), missing, 0)
    return b.emit(UpdateSliceOp(b.ssa(past), b.ssa(x), b.ssa(rows.starts), 2))


def _with_angles(
    node: Node, b: Builder, xs: tuple[Tensor, Tensor], rows: _QueryPositions
) -> tuple[Tensor, Tensor]:
    cos, sin = (_angles(node, b, node[at], rows) for at in (7, 8))
    interleaved = bool(node.integer("rotary_interleaved", 0))
    first, second = (rotated(b, x, (cos, sin), interleaved=interleaved) for x in xs)
    return first, second


def _angles(node: Node, b: Builder, table: Tensor, rows: _QueryPositions) -> Tensor:
    """Return the cosines or sines at the positions of the queries.

    table: the cosines or sines by position.  rows: the positions of the queries.
    Shapes: (batch or 1, 1, queries, angles).
    """
    length, half = table.dims
    positions = node.get(9)
    if positions is None and rows.first is not None:
        end = rows.first + rows.count
        if (least := b.facts.min(end, length)) != end:
            rule = "the positions are not in the tables of angles"
            raise UnequalSizes(rule, expected=length, got=end, sizes=[(least, end)])
        return b.reshape(b.slice(table, 0, rows.first, rows.count), (ONE, ONE, rows.count, half))
    if positions is None:
        assert rows.starts is not None, "rows begin at a size or at a position per entry"
        starts = b.reshape(rows.starts, (rows.starts.dims[0], ONE))
        positions = b.apply("add", starts, b.iota((ONE, rows.count), 1, i64))
    check_indices(node, b, positions, [length], wraps=False)
    taken = b.emit(GatherOp(b.ssa(table), b.ssa(positions), 0))
    return b.reshape(taken, (taken.dims[0], ONE, rows.count, half))


def _group_mask(node: Node, b: Builder, rows: _QueryPositions, capacity: Dim) -> Mask:
    window, conditions = node.integer("local_window_size", -1), list[Tensor]()
    columns = b.iota((rows.count, capacity), 1, i64)
    if node.integer("causal", 1):
        gap = b.apply("sub", rows.positions(b, capacity), columns)
        conditions.append(b.apply("le", b.scalar(0, i64), gap))
        if window > 0:
            conditions.append(b.apply("lt", gap, window))
    elif rows.ends is not None:
        conditions.append(b.apply("lt", columns, per_entry(b, rows.ends)))
    bias = extended_mask(b, node.get(10), capacity)
    return Mask.of(b, conditions, bias, total=True)


def _weights_with_sink(node: Node, b: Builder, scores: Tensor) -> Tensor:
    """Return the softmax of scores, to whose denominator an attention sink adds a term per head."""
    sink = node.get(11)
    if sink is None and node.integer("smooth_softmax", 0) != 1:
        return softmax(b, scores, 3)
    column = (*scores.dims[:3], ONE)
    if sink is None:
        more = b.broadcast_to(b.scalar(0, scores.dtype), column)
    else:
        by_head = b.reshape(b.cast(sink, scores.dtype), (ONE, sink.dims[0], ONE, ONE))
        more = b.broadcast_to(by_head, column)
    whole = softmax(b, b.concat([scores, more], 3), 3)
    return b.slice(whole, 3, 0, scores.dims[3])


def multi_head_attention(node: Node, b: Builder) -> tuple[Tensor, ...]:
    """Compute attention of projected queries, keys and values, with an optional bias and cache.

    Results: the attention, the keys and values with those of the cache before them, and the
    weights.
    """
    if node.get(8) is not None or node.get(9) is not None:
        raise UnsupportedOp("a cache of a fixed size is not supported", got="past_sequence_length")
    heads = node.integer("num_heads")
    projections = [x for x in map(node.get, range(3)) if x is not None]
    if len(projections) != 3 or any(x.rank == 5 for x in projections):
        raise UnsupportedOp("packed keys and values are not supported", expected="three inputs")
    bias = node.get(3)
    # The parts of the bias for queries, keys and values.
    columns = [x.dims[-1] for x in projections if x.rank == 3]
    parts = [] if bias is None else b.split(bias, 0, columns)
    query, key, value = (
        split_heads(b, b.plus(x, part), heads) if x.rank == 3 else x
        for x, part in zip_longest(projections, parts)
    )
    key, value = after_past(b, node.get(6), key), after_past(b, node.get(7), value)
    out, weights = _masked(node, b, (query, key, value), node.get(4), node.get(5))
    return out, key, value, weights


def attention(node: Node, b: Builder) -> tuple[Tensor, Tensor]:
    """Project the input to queries, keys and values, and compute attention.

    Results: the attention, and the cache of keys and values after the call.
    """
    if node.get(6) is not None:
        raise UnsupportedOp("a cache of a fixed size is not supported", got="past_sequence_length")
    made = b.plus(product(b, node[0], node[1]), node.get(2))
    return _self_attention(node, b, made, (node.get(3), node.get(4), node.get(5)))


def quantized_attention(node: Node, b: Builder) -> tuple[Tensor, Tensor]:
    """Project 8-bit integers to queries, keys and values, and compute attention in f32.

    Results: the attention, and the cache of keys and values after the call.
    """
    made = quantized_product(
        b, (node[0], node[1]), (node[3], node[4]), (node.get(6), node.get(7)), node[2]
    )
    return _self_attention(node, b, made, (node.get(5), node.get(8), None))


def _self_attention(
    node: Node, b: Builder, made: Tensor, more: tuple[Tensor | None, Tensor | None, Tensor | None]
) -> tuple[Tensor, Tensor]:
    """Compute attention of packed projections; return the result, and the cache of keys and values.

    made: the projections: queries, keys and values, concatenated along the last axis.  more: the
    mask, the previous cache, and the bias.
    """
    if node.integer("do_rotary", 0) or node.integer("past_present_share_buffer", 0):
        raise UnsupportedOp("this form is not supported", got="do_rotary or a shared cache")
    mask, past, bias = more
    third = made.dims[2] // 3
    given = node.ints("qkv_hidden_sizes", ())
    sizes = [Dim.const(size) for size in given] or [third] * 3
    heads = node.integer("num_heads")
    query, key, value = (split_heads(b, part, heads) for part in b.split(made, 2, sizes))
    if past is not None:
        stored = past.dims[1:]
        before = [b.reshape(b.slice(past, 0, at, 1), stored) for at in range(2)]
        key, value = (after_past(b, x, y) for x, y in zip(before, (key, value), strict=True))
    out, _ = _masked(node, b, (query, key, value), mask, bias)
    if not node.wants(1):
        return out, out
    states = [b.reshape(x, (ONE, *x.dims)) for x in (key, value)]
    return out, b.concat(states, 0)


def _masked(
    node: Node,
    b: Builder,
    operands: tuple[Tensor, Tensor, Tensor],
    mask: Tensor | None,
    bias: Tensor | None,
) -> tuple[Tensor, Tensor]:
    """Compute attention; return its result, and its weights, which are the softmax of the scores.

    operands: queries, keys and values.  mask: determines the masked keys, as in `_allowed`; the
    attribute mask_filter_value is added to their scores.  bias: an addend of all scores.
    """
    query, key, value = operands
    count, length = query.dims[2], key.dims[2]
    scores = scaled_scores(b, query, key, node.number("scale", 0.0) or None)
    if mask is not None:
        allowed = _allowed(b, mask, query.dims[0], length)
        number = node.number("mask_filter_value", FILTERED)
        zero = b.scalar(0, scores.dtype)
        scores = b.apply("add", scores, b.select(allowed, zero, number))
    if bias is not None:
        scores = b.apply("add", scores, b.cast(bias, scores.dtype))
    if node.integer("unidirectional", 0):
        rows = _QueryPositions(count, length - count, None, None).positions(b, length)
        later = b.apply("lt", rows, b.iota((count, length), 1, i64))
        scores = b.select(later, b.scalar(-inf, scores.dtype), scores)
    weights = softmax(b, scores, 3)
    return join_heads(b, weighted_values(b, weights, query, value)), weights


def _allowed(b: Builder, mask: Tensor, batch: Dim, length: Dim) -> Tensor:
    """Return a mask of the allowed keys, which broadcasts to (batch, head, query, key).

    mask: of rank 1, the number of keys of each batch entry, as in `_between`; of rank 2, a flag for
    each key; of rank 3, a flag for each query and key.  length: the number of keys.
    """
    if mask.rank == 1:
        return _between(b, mask, batch, length)
    if mask.rank not in (2, 3):
        raise UnsupportedOp(
            "a mask of this rank is not supported", expected="1 to 3", got=mask.rank
        )
    shown = b.apply("lt", b.scalar(0, mask.dtype), mask)
    rows = shown.dims[1:-1] or (ONE,)
    return b.reshape(shown, (shown.dims[0], ONE, *rows, shown.dims[-1]))


def _between(b: Builder, mask: Tensor, batch: Dim, length: Dim) -> Tensor:
    """Return a mask that allows the keys between the start and the end of each batch entry.

    mask: the end of each batch entry (exclusive), optionally followed by the start of each entry;
    without starts, all entries start at 0.  length: the number of keys.
    """
    columns = b.iota((ONE, length), 1, i64)
    count = mask.dims[0]
    if count not in (batch, batch * 2):
        rule = "the mask has neither an end per entry nor an end and a start"
        raise UnequalSizes(rule, expected=batch, got=count, sizes=[(count, batch)])
    numbers = b.cast(mask, i64)
    ends = per_entry(b, b.slice(numbers, 0, 0, batch))
    allowed = b.apply("lt", columns, ends)
    if count == batch:
        return allowed
    starts = per_entry(b, b.slice(numbers, 0, batch, batch))
    return b.apply("and", allowed, b.apply("le", starts, columns))


_converter = partial(OpConverter, since=1, domain=DOMAIN)

CONVERTERS = (
    _converter("GroupQueryAttention", group_query_attention),
    _converter("MultiHeadAttention", multi_head_attention),
    _converter("Attention", attention),
    _converter("QAttention", quantized_attention),
)
