"""Attention of few queries over few keys: a block per query of each head.

In: the five computes of an attention.  Out: the steps of its schedule; None for any other.

    s = q k^T      m = max s      e = exp(s - m)      l = 1 / sum e      out = (e v) * l

A block computes one row of scores: a warp per key, whose threads read adjacent features.  Then its
threads find the maximum and the sum of the row, as in rows.py, and groups of threads add the
weighted values (V), which the block combines from shared memory in the order of the groups.  So a
decoding step is one launch, where two products and a softmax are three.  The rule applies where
reading the keys and values of a row takes less time than the two other launches: one multiprocessor
reads them from the L2 cache.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ....analysis.patterns.attention import Attention, producer_of
from ....dialects.dtypes import bit_width
from ....dialects.simt import WARP
from ....machines.gpu import GpuLimits
from ....machines.gpu_limits import gpu_limits
from ....machines.gpu_numbers import numbers_of
from ....machines.target import Target
from ....support.affine import ZERO
from .attention import are_floats, depth_of
from .product import LEAST
from .script import Script
from .streams import LAUNCH_SECONDS
from .thread_per_point import grid_of

_WARPS = 8
"""The most warps of a block."""

_VECTOR = 4
"""The adjacent features of the values that a thread adds up."""


@dataclass(frozen=True)
class RowAttention:
    """The axes of an attention whose rows have a block each.

    rows: the axes of the result that select a row: batch, heads and queries.
    column: the axis of the values' features.
    keys: the axis of the reduction.
    warps: the warps of a block.
    """

    rows: tuple[str, ...]
    column: str
    keys: str
    warps: int

    @property
    def threads(self) -> int:
        """The threads of a block."""
        return self.warps * WARP


def row_attention_of(attention: Attention, target: Target) -> RowAttention | None:
    """Return the axes of an attention with a block per row; None if such blocks do not pay."""
    views, limits = [op.view() for op in attention.members], gpu_limits(target)
    scores, out, keys = views[0], views[4], attention.keys_of(4)
    if keys is None or attention.keys_of(0) is None or not are_floats(views):
        return None
    if not all(isinstance(n, int) and n > 0 for view in views for n in view.axes.values()):
        return None
    if attention.query is not None and out.extents[attention.query] >= LEAST:
        return None
    shared = set(attention.sharing.root_axes)
    columns = [a for a in out.parallel_axes() if a not in shared and out.axes[a] != 1]
    if len(columns) != 1 or len(depth_of(scores)) != 1 or out.extents[columns[0]] % _VECTOR:
        return None
    warps = min(_WARPS, limits.threads // WARP)
    found = RowAttention(
        tuple(a for a in out.parallel_axes() if a != columns[0]), columns[0], keys, warps
    )
    is_small = found.rows and out.extents[columns[0]] <= found.threads
    return found if is_small and _pays(attention, found, target) and _is_plain(attention) else None


def _pays(attention: Attention, made: RowAttention, target: Target) -> bool:
    """Return whether a block per row takes less time than three launches, and fits."""
    numbers, limits = numbers_of(target), gpu_limits(target)
    scores, out = attention.scores.view(), attention.out.view()
    depth, columns = scores.extents[depth_of(scores)[0]], out.extents[made.column]
    keys, number = out.extents[made.keys], bit_width(f32) // 8
    shared = (2 * (keys + WARP) + (_VECTOR + 1) * made.threads) * number
    if shared > limits.shared_bytes:
        return False
    row_bytes = keys * (depth + columns) * (bit_width(scores.inputs[0].element_type) // 8)
    rows = prod(out.extents[axis] for axis in made.rows)
    rate = numbers.l2_bytes * numbers.clock_hz
    turns = -(-rows // numbers.multiprocessors)
    spread = rows / numbers.multiprocessors
    return (turns - spread) * row_bytes / rate <= 2 * LAUNCH_SECONDS


def _is_plain(attention: Attention) -> bool:
    """Return whether adjacent features of queries, keys and values are adjacent elements."""
    scores, out = attention.scores.view(), attention.out.view()
    (depth,) = depth_of(scores)
    values = [a for a in out.inputs if producer_of(a) is not attention.exps]
    columns = {a for a in out.parallel_axes() if a not in set(attention.sharing.root_axes)}
    ends = [(a, {depth}) for a in scores.inputs] + [(a, columns) for a in values]
    return len(scores.inputs) == 2 and all(
        a.pad is None and (a.indices or [ZERO])[-1].variable() in axes for a, axes in ends
    )


class RowAttentionPlanner:
    """The builder of the script of an attention with a block per row.

    parts: the handles of the five computes, by position: 0 scores, 1 maxima, 2 exponentials, 3
    sums, 4 results.
    """

    def __init__(
        self, script: Script, attention: Attention, made: RowAttention, limits: GpuLimits
    ) -> None:
        self.script, self.attention, self.made, self.limits = script, attention, made, limits
        self.views = [op.view() for op in attention.members]
        self.parts = [script.match(view.name) for view in self.views]

    def plan(self) -> None:
        """Write all steps of the schedule."""
        self._pad()
        weighted = self._place()
        self._divide_weighted(weighted)
        for position in (1, 3):
            self._divide_row(position)
        self._divide_exponentials()
        self._divide_scores()

    def _pad(self) -> None:
        """Pad the keys to a multiple of a warp's threads; reads beyond the last key are padded."""
        script, made, out = self.script, self.made, self.views[4]
        if out.extents[made.keys] % WARP == 0:
            return
        self.parts = list(script.pad_attention(self.parts, {made.keys: WARP}))
        for position in (0, 4):
            keys = self.attention.keys_of(position)
            for operand, access in enumerate(self.views[position].inputs):
                if keys in access.axes() and producer_of(access) is not self.attention.exps:
                    script.inline(f"{self.views[position].name}_in{operand}")

    def _place(self) -> SSAValue:
        """Bind the rows to blocks, and move all computes into them; return the weighted sums."""
        script, made, view = self.script, self.made, self.views[4]
        groups = made.threads * _VECTOR // view.extents[made.column]
        weighted, out = script.rfactor(self.parts[4], made.keys, groups, ("turn", "group"))
        out = script.reorder(out, [*made.rows, made.column, "group"])
        row = "row" if len(made.rows) > 1 else "".join(made.rows)
        out = script.fuse(out, list(made.rows), row) if len(made.rows) > 1 else out
        count = prod(view.extents[axis] for axis in made.rows)
        out = script.bind(out, grid_of([row], [count], self.limits))
        out = self._bind_threads(out, made.column)
        weighted, out = script.compute_at(weighted, out, row)
        for position in (3, 2, 1, 0):
            self.parts[position], out = script.compute_at(self.parts[position], out, row)
        return weighted

    def _bind_threads(self, handle: SSAValue, axis: str, inner: tuple[str, ...] = ()) -> SSAValue:
        """Divide an axis among the threads of a block; inner: the loops inside of a thread."""
        script = self.script
        handle = script.split(handle, axis, WARP, ("wy", "lx"), guard=True)
        handle = script.reorder(handle, ["wy", "lx", *inner])
        return script.bind(handle, {"wy": "threadIdx.y", "lx": "threadIdx.x"})

    def _divide_weighted(self, handle: SSAValue) -> None:
        """Divide the weighted values among groups of threads; a thread adds four features."""
        script, made = self.script, self.made
        handle = script.split(handle, made.column, _VECTOR, ("lane", "near"))
        handle = script.reorder(handle, ["group", "lane", "turn", "near"])
        handle = script.fuse(handle, ["group", "lane"], "thread")
        handle = self._bind_threads(handle, "thread", ("turn", "near"))
        script.share(script.vectorize(handle, "near", _VECTOR), 0)

    def _divide_row(self, position: int) -> None:
        """Reduce a row: each thread some keys, then each warp in a tree, then one thread."""
        script, made, keys = self.script, self.made, self.attention.keys_of(position)
        assert keys is not None, "there are several keys"
        partial, final = script.rfactor(self.parts[position], keys, made.threads, ("turn", "lane"))
        second, final = script.rfactor(final, "lane", WARP, ("outer", "inner"), part="outer")
        second = script.vectorize(second, "inner", WARP)
        script.share(script.vectorize(final, "outer", made.warps), 0)
        script.share(self._bind_threads(partial, "lane", ("turn",)), 0)
        script.share(script.bind(second, {"outer": "threadIdx.y"}), 0)

    def _divide_exponentials(self) -> None:
        script, keys = self.script, self.attention.keys_of(2)
        assert keys is not None, "there are several keys"
        handle = script.split(self.parts[2], keys, WARP, ("part", "lx"))
        handle = script.split(handle, "part", self.made.warps, ("turn", "wy"), guard=True)
        handle = script.reorder(handle, ["turn", "wy", "lx"])
        handle = script.bind(handle, {"wy": "threadIdx.y", "lx": "threadIdx.x"})
        script.share(handle, 0)

    def _divide_scores(self) -> None:
        """Let each warp compute the score of a key at a time."""
        script, made, view = self.script, self.made, self.views[0]
        keys, (depth,) = self.attention.keys_of(0), depth_of(view)
        assert keys is not None, "there are several keys"
        sums, final = script.rfactor(self.parts[0], depth, WARP, ("again", "lane"))
        final = script.split(final, keys, made.warps, ("turn", "warp"))
        units = [a for a in view.parallel_axes() if a != keys]
        final = script.reorder(final, [*units, "turn", "warp", "lane"])
        final = script.bind(final, {"warp": "threadIdx.y"})
        sums, final = script.compute_at(sums, final, "turn")
        final = script.vectorize(final, "lane", WARP)
        script.share(final, 0)
        sums = script.reorder(sums, [keys, "lane", "again"])
        sums = script.bind(sums, {keys: "threadIdx.y", "lane": "threadIdx.x"})
        script.share(sums, 0)
