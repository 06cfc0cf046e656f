"""Attention of few queries: a block per query of each head and part of the keys.

In: the five computes of an attention.  Out: the steps of its schedule; None for any other.

    s = q k^T      m = max s      e = exp(s - m)      l = 1 / sum e      out = (e v) * l

A block computes one row of scores: a warp per key, whose threads read adjacent features.  Then its
threads find the maximum and the sum of the row, as in rows.py, and groups of threads add the
weighted values (V), which the block combines from shared memory in the order of the groups.

Few keys have one launch: one multiprocessor reads them from the L2 cache in less time than two
launches take.  Otherwise the keys are divided into parts (sched.split_keys, flash-decoding): a
first launch has a block per row and part, and the threads of a second launch merge the parts in
their order, each for some adjacent features.  The number of keys per part has the least modelled
time (streams.py); for a symbolic number of keys, that of 1024 keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd, prod

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ....analysis.patterns.attention import Attention, producer_of
from ....dialects.dtypes import bit_width
from ....dialects.shape import Dim
from ....dialects.simt import WARP
from ....dialects.te import Access, ComputeView, KernelOp
from ....machines.gpu_limits import gpu_limits
from ....machines.gpu_numbers import GpuNumbers, numbers_of
from ....machines.target import Target
from ....support.affine import ZERO
from .attention import are_floats, depth_of, is_short
from .rewrites import after_steps, computes_in
from .script import Script
from .streams import LAUNCH_SECONDS, Stream
from .thread_per_point import GRID, grid_of, points_of
from .vectors import VECTOR_BYTES, aligned_lanes

_WARPS = 8
"""The most warps of a block."""

_VECTOR = 4
"""The adjacent features of the values that a thread adds up."""


@dataclass(frozen=True)
class RowAttention:
    """The axes of an attention whose rows have blocks of their own.

    rows: the axes of the result that select a row: batch, heads and queries.
    units: the other axes of the result that have a single point.
    column: the axis of the values' features.
    keys: the axis of the reduction.
    warps: the warps of a block.
    part: the number of keys per part; 0 for a single launch.
    """

    rows: tuple[str, ...]
    units: tuple[str, ...]
    column: str
    keys: str
    warps: int
    part: int = 0

    @property
    def threads(self) -> int:
        """The threads of a block."""
        return self.warps * WARP


def row_attention_of(attention: Attention, target: Target) -> RowAttention | None:
    """Return the axes of an attention with blocks per row; None for other attentions."""
    views, limits = [op.view() for op in attention.members], gpu_limits(target)
    scores, out, keys = views[0], views[4], attention.keys_of(4)
    if keys is None or attention.keys_of(0) is None or not are_floats(views):
        return None
    if any(extent == 0 for view in views for extent in view.axes.values()):
        return None
    query = None if attention.query is None else out.axes[attention.query]
    if query is not None and not is_short(query):
        return None
    shared = set(attention.sharing.root_axes)
    columns = [a for a in out.parallel_axes() if a not in shared and out.axes[a] != 1]
    if len(columns) != 1 or len(depth_of(scores)) != 1 or out.extents[columns[0]] % _VECTOR:
        return None
    parallel = [a for a in out.parallel_axes() if a != columns[0]]
    long = [a for a in parallel if out.axes[a] != 1] or parallel
    rows = tuple(sorted(long, key=lambda axis: isinstance(out.axes[axis], int)))
    units = tuple(a for a in parallel if a not in rows)
    warps = min(_WARPS, limits.threads // WARP)
    found = RowAttention(rows, units, columns[0], keys, warps)
    if not rows or out.extents[columns[0]] > found.threads or not _is_plain(attention):
        return None
    if len(_runs(out, rows)) >= len(GRID):
        return None
    return _fastest(attention, found, target)


def _runs(view: ComputeView, axes: Sequence[str]) -> list[list[str]]:
    """Split axes into runs to fuse; an axis of symbolic size is a run of its own.

    Then each position on such an axis is a loop variable, so that sched.compute_at can prove that
    the blocks compute all results of the parts.
    """
    runs: list[list[str]] = []
    for axis in axes:
        is_static = isinstance(view.axes[axis], int)
        if is_static and runs and isinstance(view.axes[runs[-1][-1]], int):
            runs[-1].append(axis)
        else:
            runs.append([axis])
    return runs


def _fastest(attention: Attention, made: RowAttention, target: Target) -> RowAttention | None:
    """Return an attention with the fastest number of keys per part; None if no block fits."""
    numbers, limits = numbers_of(target), gpu_limits(target)
    scores, out = attention.scores.view(), attention.out.view()
    number = bit_width(f32) // 8
    width = out.extents[made.column]
    key_bytes = scores.extents[depth_of(scores)[0]] + width
    key_bytes *= bit_width(scores.inputs[0].element_type) // 8
    rows = prod(n for axis in made.rows if isinstance(n := out.axes[axis], int))

    def fits(keys: int) -> bool:
        shared = 2 * (keys + WARP) + (_VECTOR + 1) * made.threads
        return shared * number <= limits.shared_bytes

    keys = out.axes[made.keys]
    if isinstance(keys, int) and fits(keys) and _is_short(rows, keys * key_bytes, numbers):
        return made
    count, results = keys if isinstance(keys, int) else WARP * WARP, rows * (width + 2) * number
    # The loads of a part are independent, so that a thread has several vectors in flight.
    stream = Stream(rows, count * key_bytes, made.threads, _VECTOR * VECTOR_BYTES, results)
    choices = [WARP * n for n in range(1, WARP) if n & (n - 1) == 0 and fits(WARP * n)]
    if not choices:
        return None
    part = min(choices, key=lambda part: (stream.seconds(numbers, -(-count // part)), part))
    return replace(made, part=part)


def _is_short(rows: int, row_bytes: int, numbers: GpuNumbers) -> bool:
    """Return whether blocks that read whole rows take less time than two launches.

    A single launch pays beyond the modelled time of the second launch, because each launch also
    costs the host time.
    row_bytes: the bytes of the keys and values of a row.
    """
    turns = -(-rows // numbers.multiprocessors)
    spread = rows / numbers.multiprocessors
    seconds = (turns - spread) * row_bytes / (numbers.l2_bytes * numbers.clock_hz)
    return seconds <= 2 * LAUNCH_SECONDS


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
    """The builder of the script of an attention with blocks per row.

    script, kernel: the script to write, and the kernel that contains only the attention.
    keys: the key axis of each of the five computes.
    parts: the handles of the five computes, by position: 0 scores, 1 maxima, 2 exponentials, 3
    sums, 4 results.
    views: their views.
    """

    def __init__(
        self,
        script: Script,
        kernel: KernelOp,
        attention: Attention,
        made: RowAttention,
        target: Target,
    ) -> None:
        self.script, self.kernel, self.attention, self.made = script, kernel, attention, made
        self.limits = gpu_limits(target)
        self.keys = [attention.keys_of(position) or "" for position in range(5)]
        self.views = [op.view() for op in attention.members]
        self.rows = made.rows

    def plan(self) -> None:
        """Write all steps of the schedule."""
        self.parts, merge = self._begin(self.script)
        if merge:
            split = after_steps(self.kernel, self._begin)
            views = {op.label: op.view() for op in computes_in(split)}
            self._merge(merge, views)
            self.views = [views[view.name] for view in self.views]
            first = next(iter(self.views[4].axes))
            self.rows = (*self.made.rows, first)
        weighted = self._place()
        self._divide_weighted(weighted)
        for position in (1, 3):
            self._divide_row(position)
        self._divide_exponentials()
        self._divide_scores()

    def _begin(self, script: Script) -> tuple[list[SSAValue], list[SSAValue]]:
        """Pad the keys and divide them into parts; reads beyond the last key are padded.

        Return the handles of the five computes, and those of the computes that merge parts.
        """
        made, out = self.made, self.views[4]
        parts = [script.match(view.name) for view in self.views]
        multiple, extent = made.part or WARP, out.axes[made.keys]
        if isinstance(extent, Dim) or extent % multiple:
            parts = script.pad_attention(parts, {made.keys: multiple})
            for position in (0, 4):
                view = self.attention.members[position].view()
                for operand, access in enumerate(view.inputs):
                    if self.keys[position] in access.axes() and not self._is_weight(access):
                        script.inline(f"{view.name}_in{operand}")
        if not made.part:
            return parts, []
        handles = script.split_keys(parts, made.keys, made.part)
        return handles[:5], handles[5:]

    def _is_weight(self, access: Access) -> bool:
        return producer_of(access) is self.attention.exps

    def _place(self) -> SSAValue:
        """Bind the rows to blocks, and move all computes into them; return the weighted sums."""
        script, made, view = self.script, self.made, self.views[4]
        groups = made.threads * _VECTOR // view.extents[made.column]
        weighted, out = script.rfactor(self.parts[4], made.keys, groups, ("turn", "group"))
        out = script.reorder(out, [*self.rows, *made.units, made.column, "group"])
        out, row = self._bind_rows(out, view, self.rows)
        out = self._bind_threads(out, made.column)
        weighted, out = script.compute_at(weighted, out, row)
        for position in (3, 2, 1, 0):
            self.parts[position], out = script.compute_at(self.parts[position], out, row)
        return weighted

    def _bind_rows(
        self, handle: SSAValue, view: ComputeView, rows: Sequence[str]
    ) -> tuple[SSAValue, str]:
        """Bind the axes of rows to blocks; return the compute and its innermost loop over rows."""
        script, loops, runs = self.script, list[str](), _runs(view, rows)
        for run in runs:
            loops.append(run[0] if len(run) == 1 else f"points{len(loops)}")
            handle = script.fuse(handle, run, loops[-1]) if len(run) > 1 else handle
        counts = [points_of([view], run) for run in reversed(runs)]
        return script.bind(handle, grid_of(loops[::-1], counts, self.limits)), loops[-1]

    def _merge(self, handles: Sequence[SSAValue], views: Mapping[str, ComputeView]) -> None:
        """Divide the merge of the parts: a block per row, whose threads have adjacent features."""
        script, made = self.script, self.made
        most, sums, out = handles
        (view,) = (v for name, v in views.items() if name.endswith("_merge"))
        (part,) = view.reduced_axes()
        out = script.split(out, made.column, _VECTOR, ("thread", "near"))
        out = script.reorder(out, [*made.rows, *made.units, "thread", "near"])
        out, _ = self._bind_rows(out, view, made.rows)
        out = script.bind(out, {"thread": "threadIdx.x"})
        sums, out = script.compute_at(sums, out, "thread")
        _, out = script.compute_at(most, out, "thread")
        sums = script.reorder(sums, [*made.rows, *made.units, part, made.column])
        script.vectorize(sums, made.column, _VECTOR)
        script.vectorize(out, "near", _VECTOR)

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
        script, made, keys = self.script, self.made, self.keys[position]
        partial, final = script.rfactor(self.parts[position], keys, made.threads, ("turn", "lane"))
        second, final = script.rfactor(final, "lane", WARP, ("outer", "inner"), part="outer")
        second = script.vectorize(second, "inner", WARP)
        final = script.vectorize(final, "outer", made.warps)
        if not made.part:
            script.share(final, 0)
        script.share(self._bind_threads(partial, "lane", ("turn",)), 0)
        script.share(script.bind(second, {"outer": "threadIdx.y"}), 0)

    def _divide_exponentials(self) -> None:
        script = self.script
        handle = script.split(self.parts[2], self.keys[2], WARP, ("some", "lx"))
        handle = script.split(handle, "some", self.made.warps, ("turn", "wy"), guard=True)
        handle = script.reorder(handle, ["turn", "wy", "lx"])
        handle = script.bind(handle, {"wy": "threadIdx.y", "lx": "threadIdx.x"})
        script.share(handle, 0)

    def _divide_scores(self) -> None:
        """Let each warp compute the score of a key at a time, from vectors of adjacent features."""
        script, made, view = self.script, self.made, self.views[0]
        keys, (depth,) = self.keys[0], depth_of(view)
        lanes = self._lanes_of(view, depth)
        sums, final = script.rfactor(self.parts[0], depth, WARP * lanes, ("again", "spot"))
        own = None
        if lanes > 1:
            own, final = script.rfactor(final, "spot", lanes, ("lane", "element"), part="outer")
        lane = "spot" if own is None else "lane"
        final = script.split(final, keys, made.warps, ("turn", "warp"))
        units = [a for a in view.parallel_axes() if a != keys]
        final = script.reorder(final, [*units, "turn", "warp", lane])
        final = script.bind(final, {"warp": "threadIdx.y"})
        if own is not None:
            own, final = script.compute_at(own, final, "turn")
        sums, final = script.compute_at(sums, final, "turn")
        final = script.vectorize(final, lane, WARP)
        script.share(final, 0)
        if own is None:
            sums = script.reorder(sums, [keys, "spot", "again"])
            sums = script.bind(sums, {keys: "threadIdx.y", "spot": "threadIdx.x"})
            script.share(sums, 0)
            return
        own = script.reorder(own, [keys, "lane", "element"])
        own = script.bind(own, {keys: "threadIdx.y", "lane": "threadIdx.x"})
        script.share(script.vectorize(own, "element", lanes), 0)
        sums = script.split(sums, "spot", lanes, ("lane", "near"))
        sums = script.reorder(sums, [keys, "lane", "again", "near"])
        sums = script.bind(sums, {keys: "threadIdx.y", "lane": "threadIdx.x"})
        script.vectorize(sums, "near", lanes)

    def _lanes_of(self, view: ComputeView, depth: str) -> int:
        """Return the adjacent features that a thread of a warp loads at once.

        view: the compute of the scores.  depth: the axis of the features.
        """
        allowed = [aligned_lanes(view, replace(a, pad=None), depth) for a in view.inputs]
        return min(gcd(view.extents[depth], WARP * n) // WARP or 1 for n in allowed)
