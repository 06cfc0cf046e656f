"""Attention by heads: split heads, share key heads, score, mask, and join heads again.

In: projections of rank 3 or 4.  Out: ops.  The converters of all attention operators share these
functions.  Reshapes and transposes split and join the heads of a rank-3 input; a broadcast shares a
key head among query heads.  Kernels read the results of all three through index maps, so no data is
copied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import inf, sqrt

import numpy as np
from xdsl.ir import Attribute

from ....dialects.dtypes import compute_type, is_bool, numpy_dtype
from ....dialects.graph import MatmulOp, PadOp
from ....dialects.shape import Dim
from ....support.diagnostics import ModelError, NeedsBinding, UnequalSizes
from ..builder import Builder, Tensor

ONE = Dim.const(1)


def split_heads(b: Builder, x: Tensor, heads: int) -> Tensor:
    """Reshape (batch, sequence, heads * head size) to (batch, heads, sequence, head size)."""
    if x.rank != 3:
        raise ModelError("input has a wrong rank", expected="3", got=x.rank)
    batch, length, hidden = x.dims
    split = b.reshape(x, (batch, length, Dim.of(heads), hidden // Dim.of(heads)))
    return b.transpose(split, (0, 2, 1, 3))


def join_heads(b: Builder, x: Tensor) -> Tensor:
    """Reshape (batch, heads, sequence, head size) to (batch, sequence, heads * head size)."""
    turned = b.transpose(x, (0, 2, 1, 3))
    batch, length, heads, size = turned.dims
    return b.reshape(turned, (batch, length, heads * size))


def per_entry(b: Builder, x: Tensor) -> Tensor:
    """Reshape a vector with one number per batch entry to (batch, 1, 1, 1).

    In this shape, it broadcasts to scores of shape (batch, head, query, key).
    """
    return b.reshape(x, (x.dims[0], ONE, ONE, ONE))


def after_past(b: Builder, past: Tensor | None, x: Tensor) -> Tensor:
    """Append keys or values to those of a cache; return all of them.

    past: the keys or values of the cache; None if there is no cache.  x: the new keys or values.
    """
    return x if past is None else b.concat([past, x], 2)


def shared_heads(b: Builder, x: Tensor, queries: Tensor) -> Tensor:
    """Broadcast keys or values to as many heads as the queries have.

    Adjacent query heads share a head of ``x``.
    """
    *batch, heads, length, size = x.dims
    wanted = queries.dims[-3]
    if heads == wanted:
        return x
    ratio = wanted // heads
    _check_ratio(ratio * heads, wanted, heads)
    apart = b.reshape(x, (*batch, heads, ONE, length, size))
    repeated = b.broadcast_to(apart, (*batch, heads, ratio, length, size))
    return b.reshape(repeated, (*batch, wanted, length, size))


def _check_ratio(multiple: Dim, wanted: Dim, heads: Dim) -> None:
    """Check that the number of query heads is a multiple of the number of key heads.

    multiple: the largest multiple of the number of key heads that is at most ``wanted``.  wanted:
    the number of query heads.  heads: the number of key heads.
    Errors: UnequalSizes if ``wanted`` may not be a multiple; then the import starts again if the
    number of query heads is a symbol.  NeedsBinding for a symbolic number of key heads.
    """
    if multiple == wanted:
        return
    rule = "the heads of Q are not a multiple of the heads of K"
    if heads.value is None:
        raise NeedsBinding(rule, expected=heads, got=wanted, hint="bind them with shapes=")
    raise UnequalSizes(rule, expected=heads, got=wanted, sizes=[(wanted, multiple)])


def scaled_scores(b: Builder, queries: Tensor, key: Tensor, scale: float | None) -> Tensor:
    """Compute the scores ``scale * Q K^T`` in at least f32, to avoid overflow before scaling.

    scale: None for one divided by the square root of the head size.
    """
    wide = compute_type(queries.dtype)
    keys = b.ssa(shared_heads(b, key, queries))
    product = b.emit(MatmulOp(b.ssa(queries), keys, transpose_rhs=True, acc=wide))
    features = queries.dims[3]
    if scale is not None:
        return b.apply("mul", product, scale)
    if features.value is not None:
        return b.apply("mul", product, 1 / sqrt(max(features.value, 1)))
    return b.apply("div", product, b.apply("sqrt", b.size(features, wide)))


def weighted_values(b: Builder, weights: Tensor, queries: Tensor, value: Tensor) -> Tensor:
    """Return the sum of values multiplied by weights, rounded once to the dtype of the queries.

    queries: the queries of the attention, whose heads may share heads of the values.
    """
    values = shared_heads(b, b.cast(value, weights.dtype), queries)
    return b.cast(b.emit(MatmulOp(b.ssa(weights), b.ssa(values))), queries.dtype)


def capped_scores(b: Builder, scores: Tensor, cap: float) -> Tensor:
    """Compute ``cap * tanh(scores / cap)``; return the scores unchanged if cap is 0."""
    if cap <= 0:
        return scores
    return b.apply("mul", b.apply("tanh", b.apply("div", scores, cap)), cap)


@dataclass(frozen=True)
class Mask:
    """An attention mask that is broadcast to the scores.

    allowed: a condition that is true for keys that a query may read.  addend: an addend of the
    scores.
    total: whether every query is known to have at least one allowed key, so that no softmax is
    empty.
    """

    allowed: Tensor | None
    addend: Tensor | None
    total: bool

    @staticmethod
    def of(b: Builder, conditions: Sequence[Tensor], addend: Tensor | None, *, total: bool) -> Mask:
        """Return a mask that allows the keys for which all conditions hold.

        addend: an addend of the scores.  total: whether every query is known to have an allowed
        key.
        """
        allowed = reduce(lambda x, y: b.apply("and", x, y), conditions) if conditions else None
        return Mask(allowed, addend, total)

    def on(self, b: Builder, scores: Tensor) -> Tensor:
        """Add the addend to the scores, and set the scores of masked keys to -inf."""
        if self.addend is not None:
            scores = b.apply("add", scores, b.cast(self.addend, scores.dtype))
        return scores if self.allowed is None else b.select(self.allowed, scores, -inf)

    def without_empty_rows(self, b: Builder, x: Tensor) -> Tensor:
        """Replace the rows of ``x`` that belong to queries without an allowed key by zeros.

        Their softmax is 0 / 0.
        """
        if self.total:
            return x
        bias = self._bias(b, x.dtype)
        largest = b.reduce(bias, "max", [bias.rank - 1])
        return b.select(b.apply("eq", largest, -inf), b.scalar(0, x.dtype), x)

    def _bias(self, b: Builder, dtype: Attribute) -> Tensor:
        if self.addend is None:
            assert self.allowed is not None, "a mask without parts lets everything through"
            return b.select(self.allowed, b.scalar(0, dtype), -inf)
        addend = b.cast(self.addend, dtype)
        return addend if self.allowed is None else b.select(self.allowed, addend, -inf)


def extended_mask(b: Builder, mask: Tensor | None, length: Dim) -> Tensor | None:
    """Extend a mask to ``length`` keys, all of which are masked after the mask's own end.

    Return None for None. As in the standard's reference implementation, a mask of one key is not
    broadcast.
    """
    if mask is None or mask.dims[-1] == length:
        return mask
    missing = length - mask.dims[-1]
    value = 0 if is_bool(mask.dtype) else -inf
    if missing.value is None:
        return b.padded(mask, mask.rank - 1, Dim.const(0), missing, value)
    high = [0] * (mask.rank - 1) + [missing.value]
    return b.emit(PadOp(b.ssa(mask), [0] * mask.rank, high, value=value))


def rotated(b: Builder, x: Tensor, angles: tuple[Tensor, Tensor], *, interleaved: bool) -> Tensor:
    """Rotate pairs of features by angles, given as their cosines and sines.

    With the features as (…, 2, half) or (…, half, 2), the result is ``x * cos + swapped(x) * sin *
    (-1, 1)``. Features beyond the pairs of the angles are unchanged.
    interleaved: whether the features of a pair are adjacent, (…, half, 2), instead of ``half``
    apart.
    Shapes: x of rank 4; angles of rank 4, with one feature per pair, broadcast to x.
    """
    half, size = angles[0].dims[3], x.dims[3]
    turned = half * 2
    first = x if turned == size else b.slice(x, 3, 0, turned)
    pair = (half, Dim.const(2)) if interleaved else (Dim.const(2), half)
    along = 4 if interleaved else 3
    pairs = b.reshape(first, (*first.dims[:3], *pair))
    spread = (half, ONE) if interleaved else (ONE, half)
    cos, sin = (b.reshape(a, (*a.dims[:3], *spread)) for a in angles)
    signs = Tensor.of_array(np.array([-1, 1], numpy_dtype(x.dtype)))
    signs = signs if interleaved else b.reshape(signs, (*signs.dims, ONE))
    swapped = b.slice(pairs, along, 1, 2, -1)
    crossed = b.apply("mul", swapped, b.apply("mul", sin, signs))
    out = b.reshape(b.apply("add", b.apply("mul", pairs, cos), crossed), first.dims)
    return out if turned == size else b.concat([out, b.slice(x, 3, turned, size - turned)], 3)
