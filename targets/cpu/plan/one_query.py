"""Schedules of attention of one query over a symbolic number of keys, as in decoding.

    s = K q, with scale and mask      vectors along the features, or along keys that are contiguous
    m, e = exp(s - m), l = sum e      vectors along the keys
    out = e V                         vectors along the features

In: the five computes of one query and one head.  Out: the steps of their schedule.  Keys come in
blocks (sched.online_softmax): the scores of a block have a constant size, and a query has one pass
over K and V.  The keys that fill no block are one block of a symbolic size, because each block
rescales the sums: 1 x 500 keys 1.03 times as fast, 13 x 13 1.7 times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from ....analysis.attention import Attention
from ....dialects.shape import Dim, extent_of
from ....dialects.te import ComputeView
from .pointwise import plan_leaf, reduction_axis, row_vector_axis
from .script import Script

KEYS = 128
"""Keys per block: scores and exponentials of a block stay in L1, and the sums of earlier blocks are
rescaled once per block."""

SCORE_KEYS = 4
"""Scores of keys that fill no block per register tile: they share the vectors of the query, and the
horizontal sums of tiles of 4, 3, 2 and 1 are little code."""

COLUMN_VECTORS = 4
"""Vectors of features per tile of the computes that start and finish the sums."""


def plan_single_queries(
    script: Script, attention: Attention, views: Sequence[ComputeView], lanes: int
) -> None:
    """Plan an attention without an axis of queries: a task per head."""
    shared = attention.sharing.root_axes
    leaves = [script.match(view.name) for view in views]
    if shared:
        leaves[-1], loops = script.tile(leaves[-1], dict.fromkeys(shared, 1))
        innermost = [script.parallel(loop) for loop in loops][-1]
        for position in reversed(range(len(leaves) - 1)):
            leaves[position] = script.fuse_into(leaves[position], innermost)
    plan_one_query(script, attention, leaves, views, lanes)


def plan_one_query(
    script: Script,
    attention: Attention,
    leaves: Sequence[SSAValue],
    views: Sequence[ComputeView],
    lanes: int,
) -> None:
    """Plan the five computes inside a loop over heads and queries, one at a time."""
    keys = [attention.keys_of(position) for position in range(len(views))]
    assert keys[-1] is not None, "there are several keys"
    extent = views[-1].axes[keys[-1]]
    if isinstance(extent, int) and extent <= KEYS:
        for leaf, view, own in zip(leaves, views, attention.sharing.axis_of, strict=True):
            row = replace(view, axes={**view.axes, **dict.fromkeys(own.values(), 1)})
            plan_leaf(script, leaf, row, lanes, _free(row))
        return
    made = script.online_softmax(leaves, keys[-1], KEYS)
    rest = extent_of(extent % KEYS)
    counts = [KEYS] if rest == 0 else [KEYS, rest]
    for leaf, view, key, own in zip(
        made.parts, views, keys, attention.sharing.axis_of, strict=True
    ):
        for part, count in zip(_parts(script, leaf, len(counts)), counts, strict=True):
            sizes = {**dict.fromkeys(own.values(), 1), str(key): count}
            block = replace(view, axes={**view.axes, **sizes})
            if isinstance(count, Dim):
                _plan_rest(script, part, block, str(key), lanes)
            else:
                plan_leaf(script, part, block, lanes, _free(block))
    for leaf in (made.zero, made.finish):
        columns = [a for a in _free(views[-1]) if a not in attention.sharing.root_axes]
        if columns:
            sizes = dict.fromkeys(columns, 1) | {columns[-1]: COLUMN_VECTORS * lanes}
            tiled, _ = script.tile(leaf, sizes)
            script.vectorize(tiled, columns[-1], lanes)


def _plan_rest(script: Script, leaf: SSAValue, view: ComputeView, keys: str, lanes: int) -> None:
    """Plan a compute over the keys that fill no block; their number is symbolic."""
    free = _free(view)
    if keys not in free:
        if free:
            # One key at a time: no step unrolls a symbolic number of keys.
            plan_leaf(script, leaf, replace(view, axes={**view.axes, keys: 1}), lanes, free)
        else:
            script.vectorize(leaf, keys, lanes)
        return
    others = dict.fromkeys((axis for axis in free if axis != keys), 1)
    if row_vector_axis(view, lanes, [keys]) is not None:
        leaf, _ = script.tile(leaf, others | {keys: lanes}, rest=lanes)
        script.vectorize(leaf, keys, lanes)
        return
    leaf, _ = script.tile(leaf, others | {keys: SCORE_KEYS}, even=[keys])
    features = reduction_axis(view, lanes)
    if features is not None:
        script.vectorize(leaf, features, lanes, {features: 1})


def _parts(script: Script, leaf: SSAValue, count: int) -> list[SSAValue]:
    """Split a handle of several leaves into handles of one."""
    parts: list[SSAValue] = []
    for left in range(count - 1, 0, -1):
        first, leaf = script.split_handle(leaf, last=left)
        parts.append(first)
    return [*parts, leaf]


def _free(view: ComputeView) -> list[str]:
    return [axis for axis in view.parallel_axes() if view.axes[axis] != 1]
