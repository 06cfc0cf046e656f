"""Schedules of attention with few queries: a task per head reads its keys once for all queries.

    s    = K q^T, with scale and mask        tiles of queries x keys, vectors along the features,
                                             or along keys where features are few or keys contiguous
    m, e = exp(s - m), l = 1 / sum e         query by query, vectors along the keys
    out  = (e V) * l                         tiles of queries x vectors of features

In: an attention in buffer form.  Out: the steps of its script.  Speculative decoding and cross
attention have few queries.  A single query runs row by row (computes.plan_rows).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil, prod

from xdsl.ir import SSAValue

from ....analysis.patterns.attention import Attention
from ....analysis.patterns.sharing import element_bytes
from ....dialects.te import ComputeView
from ....machines.target import Target
from .pointwise import plan_leaf, reduction_axis, row_vector_axis
from .script import Script
from .tiles import even_part, fits_registers

MOST_QUERIES, MOST_VECTORS = 8, 8
"""Most queries of a task, and most vectors per query in a register tile.

AVX-512, 512 keys: 2 queries 1.2-1.5x, 4 1.8-2.3x, 8 1.1-2.1x faster than one by one or along the
lanes, for heads of 9 to 256 features.  AVX2: 1.1-1.5x up to 6, equal at 8, which fill a vector.
"""

UNROLL = 4
"""Steps of a reduction per loop iteration."""


@dataclass(frozen=True)
class FewQueries:
    """An attention whose tasks read the keys of a head once for all queries.

    views: the five computes (scores, maxima, exponentials, sums, weighted sums).
    queries: the axes of the queries in the weighted sums, outermost first. They are the axes that
    do not index the values (V). None of them is tiled.
    lanes: the lanes of a vector.
    """

    attention: Attention
    views: list[ComputeView]
    queries: tuple[str, ...]
    lanes: int
    target: Target

    @cached_property
    def count(self) -> int:
        """The number of queries that a task computes."""
        return prod(self.views[-1].extents[axis] for axis in self.queries)

    @cached_property
    def keys(self) -> str:
        """The axis of the keys in the scores."""
        keys = self.attention.keys_of(0)
        assert keys is not None, "there are several keys"
        return keys

    def fits(self) -> bool:
        """Return whether the scores and exponentials of a task fit in half of L2."""
        keys, item = self.views[0].extents[self.keys], element_bytes(self.views[-1].outputs[0].type)
        return 2 * self.count * keys * item <= self.target.l2_bytes // 2

    def _own(self, position: int) -> list[str]:
        """Return the query axes of one of the five computes of the attention.

        position: 0 scores, 1 maxima, 2 exponentials, 3 sums, 4 weighted sums.
        """
        return [self.attention.sharing.axis_of[position][axis] for axis in self.queries]

    def _along_keys(self) -> bool:
        return row_vector_axis(self.views[0], self.lanes, [self.keys]) is not None

    def plan(self, script: Script) -> None:
        """Write the steps of the schedule: loops over heads that contain the five computes."""
        leaves = [script.match(view.name) for view in self.views]
        heads = [a for a in self.attention.sharing.root_axes if a not in self.queries]
        if heads:
            leaves[-1], loops = script.tile(leaves[-1], dict.fromkeys(heads, 1))
            innermost = script.parallel_each(loops)[-1]
            script.fuse_others(leaves, innermost)
        self._plan_scores(script, leaves[0])
        for position in (1, 2, 3):
            view, own = self.views[position], set(self._heads(position, heads))
            free = [a for a in view.parallel_axes() if a not in own and view.extents[a] > 1]
            plan_leaf(script, leaves[position], view, self.lanes, free, self.target)
        self._plan_out(script, leaves[-1], heads)

    def _heads(self, position: int, heads: list[str]) -> list[str]:
        axes: Mapping[str, str] = self.attention.sharing.axis_of[position]
        return [axes[axis] for axis in heads]

    def _plan_scores(self, script: Script, leaf: SSAValue) -> None:
        view, keys = self.views[0], self.views[0].extents[self.keys]
        queries = {axis: view.extents[axis] for axis in self._own(0)}
        if self._along_keys():
            sizes = queries | {self.keys: self._vectors(ceil(keys / self.lanes)) * self.lanes}
            leaf, _ = script.tile(leaf, sizes)
            script.vectorize(leaf, self.keys, self.lanes, _unrolled(view))
            return
        leaf, _ = script.tile(leaf, queries | {self.keys: self._vectors(keys)}, even=[self.keys])
        features = reduction_axis(view, self.lanes)
        if features is not None:
            script.vectorize(leaf, features, self.lanes, {features: 1})

    def _vectors(self, most: int) -> int:
        return even_part(
            most, max(n for n in range(1, MOST_VECTORS + 1) if n == 1 or self._holds(n))
        )

    def _holds(self, vectors: int) -> bool:
        """Return whether a register tile of all queries fits in registers.

        Without FMA, products take registers, too.  vectors: the width of the tile, in vectors.
        """
        rest = self.target.vector_registers - 4
        return fits_registers(self.count, vectors, self.target) and (
            self.target.has_fma or self.count <= rest // vectors - 2
        )

    def _plan_out(self, script: Script, leaf: SSAValue, heads: list[str]) -> None:
        view = self.views[-1]
        queries = {axis: view.extents[axis] for axis in self.queries}
        taken = {*heads, *queries}
        columns = [a for a in view.parallel_axes() if a not in taken and view.extents[a] > 1]
        sizes = dict.fromkeys(columns, 1)
        if columns:
            vectors = self._vectors(ceil(view.extents[columns[-1]] / self.lanes))
            sizes[columns[-1]] = vectors * self.lanes
        leaf, _ = script.tile(leaf, queries | sizes)
        if columns:
            script.vectorize(leaf, columns[-1], self.lanes, _unrolled(view))


def _unrolled(view: ComputeView) -> dict[str, int]:
    """Return the unroll factor of a compute's innermost reduction axis, by axis name."""
    reduced = [a for a in view.reduced_axes() if view.extents[a] > 1]
    return {reduced[-1]: min(view.extents[reduced[-1]], UNROLL)} if reduced else {}


def few_queries(
    attention: Attention, views: list[ComputeView], lanes: int, target: Target
) -> FewQueries | None:
    """Return an attention as one whose few queries share a task; None for one or for many queries.

    views: its five computes.
    lanes: lanes of a vector.
    """
    out = views[-1]
    written = {output.value for view in views for output in view.outputs}
    values = next(a for a in out.inputs if a.value not in written)
    queries = tuple(a for a in attention.sharing.root_axes if a not in values.axes())
    if not queries or attention.keys_of(0) is None:
        return None
    found = FewQueries(attention, views, queries, lanes, target)
    return found if 1 < found.count <= MOST_QUERIES and found.fits() else None
