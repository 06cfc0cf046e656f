"""Schedules of attention of up to three queries over a symbolic number of keys, as in decoding.

    s = K q, with scale and mask      tiles of queries x keys, vectors along the features, whose
                                      lanes are added for four keys together; or vectors along
                                      keys that are contiguous
    m, e = exp(s - m), l = sum e      query by query, vectors along the keys
    out = e V                         tiles of queries x vectors of features

In: the five computes of one head and a group of queries.  Out: the steps of their schedule.  Keys
are processed in blocks (sched.online_softmax), so that the scores of a block have a constant size
and a group reads K and V once.  The first block holds the keys that do not fill a whole block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from ....analysis.patterns.attention import Attention
from ....dialects.shape import Dim, Extent
from ....dialects.te import ComputeView
from ....machines.target import Target
from ....passes.rewrite.sections import sections
from ....passes.schedule.compute.online_softmax import first_block
from .pointwise import plan_leaf, reduction_axis, row_vector_axis
from .script import OnlineSoftmax, Script

QUERIES = 3
"""Most queries of a group.  Each vector of K and V is loaded once for a group: three products take
longer than the load from L2, so larger groups are not faster."""

KEYS = 128
"""Keys per block: scores and exponentials of a block stay in L1, and the sums of earlier blocks are
rescaled once per block."""

SCORES = 4
"""Scores of a query per register tile: their keys share the vectors of the query, and a horizontal
reduction adds the lanes of all.  AVX-512, 12 heads of 64 features, 203 to 231 keys: 3 to 31 queries
are 1.12x faster than with a horizontal reduction per score; 8 scores are slower and cost a tenth
more code.  If a vector has no more lanes than this, a tile has this number of scores for all
queries together, at least two per query, and a horizontal reduction per score: with SSE2, 12 scores
do not fit in registers, and reductions of two scores together are 1.08x slower."""

COLUMN_VECTORS = 4
"""Vectors of features per tile of the weighted sums."""

UNROLL = 2
"""Keys of a weighted sum per loop iteration."""

PARTIALS = 2
"""Vectors that a maximum or a sum of a query accumulates in parallel."""


def plan_query_groups(
    script: Script,
    attention: Attention,
    views: Sequence[ComputeView],
    lanes: int,
    target: Target,
) -> None:
    """Plan an attention of up to three queries per head; a task computes one group of queries.

    A single query may have no axis of its own.  views: the five computes of the attention.
    """
    shared, query = attention.sharing.root_axes, attention.query
    leaves = [script.match(view.name) for view in views]
    counts = [1]
    if shared:
        sizes = dict.fromkeys(shared, 1)
        even: list[str] = []
        if query is not None:
            even, sizes[query] = [query], QUERIES
            runs = sections(views[-1].axes[query], QUERIES, even=True)
            counts = [run.size for run in runs if isinstance(run.size, int)]
        leaves[-1], loops = script.tile(leaves[-1], sizes, even=even)
        innermost = script.parallel_each(loops)[-1]
        script.fuse_others(leaves, innermost)
    plan_groups(script, attention, leaves, views, counts, lanes, target)


def plan_groups(
    script: Script,
    attention: Attention,
    leaves: Sequence[SSAValue],
    views: Sequence[ComputeView],
    counts: Sequence[int],
    lanes: int,
    target: Target,
) -> None:
    """Plan the five computes of an attention in each of several loops over groups of queries.

    leaves: for each compute, a handle of its copies in all loops.
    views: the computes.
    counts: for each loop, the number of queries per group.
    """
    parts = [split_leaves(script, leaf, len(counts)) for leaf in leaves]
    for count, group in zip(counts, zip(*parts, strict=True), strict=True):
        _QueryGroups(script, attention, views, count, lanes, target).plan(group)


def split_leaves(script: Script, leaf: SSAValue, count: int) -> list[SSAValue]:
    """Split a handle of several innermost computes into handles of one compute each.

    count: the number of computes.
    """
    parts: list[SSAValue] = []
    for left in range(count - 1, 0, -1):
        first, leaf = script.split_handle(leaf, last=left)
        parts.append(first)
    return [*parts, leaf]


class _QueryGroups:
    """The planner of one loop over groups of queries: writes the schedule of the loop's computes.

    views: the five computes of the attention.
    count: the number of queries in a group.
    lanes: the lanes of a vector.
    """

    def __init__(
        self,
        script: Script,
        attention: Attention,
        views: Sequence[ComputeView],
        count: int,
        lanes: int,
        target: Target,
    ) -> None:
        self.script, self.attention, self.count, self.lanes = script, attention, count, lanes
        self.target = target
        self.keys = [str(attention.keys_of(position)) for position in range(len(views))]
        self.views = [self._sized(position, view) for position, view in enumerate(views)]

    def _own(self, position: int) -> dict[str, Extent]:
        """Return the extents, in one group of queries, of the axes that all five computes share.

        The shared axes are the batch and the heads, which have extent 1 in a group, and the
        queries, if they have an axis. The extents are returned by axis name.
        position: the compute whose names of the axes to use: 0 scores, 1 maxima, 2 exponentials, 3
        sums, 4 results.
        """
        axes, query = self.attention.sharing.axis_of[position], self.attention.query
        return {own: self.count if axis == query else 1 for axis, own in axes.items()}

    def _sized(self, position: int, view: ComputeView) -> ComputeView:
        return replace(view, axes={**view.axes, **self._own(position)})

    def plan(self, leaves: Sequence[SSAValue]) -> None:
        """Plan the five computes of a group.

        leaves: the handle of each one inside the loops.
        """
        extent = self.views[-1].axes[self.keys[-1]]
        if isinstance(extent, int) and extent <= KEYS:
            for leaf, view in zip(leaves, self.views, strict=True):
                plan_leaf(self.script, leaf, view, self.lanes, _free(view), self.target)
            return
        first, rest = first_block(extent, KEYS), extent % KEYS
        lanes = 1 if first == 0 else self.lanes
        made = self.script.online_softmax(leaves, self.keys[-1], KEYS, lanes)
        lengths = [first, KEYS] if first else [KEYS]
        if isinstance(rest, int) and rest:
            lengths.append(rest)
        for position, leaf in enumerate(made.parts):
            parts = split_leaves(self.script, leaf, len(lengths))
            for part, length in zip(parts, lengths, strict=True):
                self._plan_block(position, part, length)
        self._plan_sums(made, starts=first == 0)

    def _plan_block(self, position: int, leaf: SSAValue, length: Extent) -> None:
        """Plan one of the five computes of an attention for a block of ``length`` keys.

        position: 0 scores, 1 maxima, 2 exponentials, 3 sums, 4 results.
        """
        view, keys = self.views[position], self.keys[position]
        view = replace(view, axes={**view.axes, keys: length})
        if position == 0:
            self._plan_scores(leaf, view, keys)
        elif position == 2:
            self._plan_along_keys(leaf, view, keys)
        elif position == 4 and self._columns():
            self._plan_columns(leaf, {} if isinstance(length, Dim) else {keys: UNROLL})
        else:
            partials = 1 if isinstance(length, Dim) else min(PARTIALS, length // self.lanes) or 1
            self.script.vectorize(leaf, keys, self.lanes, {keys: partials})

    def _plan_scores(self, leaf: SSAValue, view: ComputeView, keys: str) -> None:
        sizes = {axis: view.extents[axis] for axis in _free(view) if axis != keys}
        if row_vector_axis(view, self.lanes, [keys]) is not None:
            self._plan_along_keys(leaf, view, keys, rest=self.lanes)
            return
        joins = self.lanes > SCORES
        leaf, _ = self.script.tile(
            leaf, sizes | {keys: SCORES if joins else max(2, SCORES // self.count)}
        )
        features = reduction_axis(view, self.lanes)
        if features is not None:
            self.script.vectorize(
                leaf, features, self.lanes, {features: 1}, together=SCORES if joins else 1
            )

    def _plan_along_keys(self, leaf: SSAValue, view: ComputeView, keys: str, rest: int = 0) -> None:
        """Plan a compute with vectors along the axis of the keys.

        keys: the name of that axis.  rest: the tile size in the remainder of a symbolic axis; 0:
        single positions.
        """
        others = dict.fromkeys((axis for axis in _free(view) if axis != keys), 1)
        leaf, _ = self.script.tile(leaf, others | {keys: self.lanes}, rest=rest)
        self.script.vectorize(leaf, keys, self.lanes)

    def _plan_sums(self, made: OnlineSoftmax, *, starts: bool) -> None:
        """Plan the computes that online softmax adds: initial values, factors, totals and results.

        made: the handles of these computes.
        starts: whether initial values are stored before the loop over blocks, because the first
        block may be empty.
        """
        rows = [(made.factor, 1), (made.total, 3), *([(made.start, 1)] if starts else [])]
        for leaf, position in rows:
            if self.count > 1:
                query = self.attention.sharing.axis_of[position][str(self.attention.query)]
                self.script.vectorize(leaf, query, self.lanes)
        for leaf in (made.finish, *([made.zero] if starts else [])):
            if self._columns():
                self._plan_columns(leaf, {})

    def _columns(self) -> list[str]:
        return [a for a in _free(self.views[-1]) if a not in self.attention.sharing.root_axes]

    def _plan_columns(self, leaf: SSAValue, unrolls: dict[str, int]) -> None:
        columns = self._columns()
        sizes = dict.fromkeys(columns, 1) | {columns[-1]: COLUMN_VECTORS * self.lanes}
        leaf, _ = self.script.tile(leaf, sizes)
        self.script.vectorize(leaf, columns[-1], self.lanes, unrolls)


def _free(view: ComputeView) -> list[str]:
    return [axis for axis in view.parallel_axes() if view.axes[axis] != 1]
