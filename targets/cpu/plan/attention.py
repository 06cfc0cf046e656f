"""Schedules of attention: one task per head and block of queries, scores in a local buffer.

R19: queries run along the lanes of scores, so that maxima and sums are vertical:

    q^T  = copy of the block's queries, feature-major      (features x queries)
    s^T  = K q^T, with scale and mask                      (keys x queries)
    m, e^T = exp(s^T - m), l = 1 / sum e^T
    out  = (e V) * l                                       (queries x features)

K and V are read where they are.  A few queries (decoding) run row by row: products along the
features of each key, the rest along the keys.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ....analysis.attention import Attention
from ....analysis.sharing import element_bytes
from ....analysis.strides import lane_stride
from ....dialects.te import Access, ComputeView
from ....support.target import Target
from .pointwise import plan_rows
from .script import Script
from .tiles import RegisterTile, choose_register_tile, divisor_at_most

FEW = 4
"""Queries that fill at most a quarter of a vector are computed one by one."""

SWEEP_VECTORS = 4
"""Vectors per step of maxima, exponentials and sums."""


@dataclass(frozen=True)
class AttentionPlan:
    """Parameters of an attention's schedule.

    queries: per task.  scores: tile of keys x queries.  out: tile of queries x features.
    unroll: steps per trip of the sums; fewer where a last block of another size doubles the code.
    """

    queries: int
    scores: RegisterTile
    out: RegisterTile
    unroll: int


def plan_attention_numbers(
    queries: int, keys: int, features: int, lanes: int, item: int, target: Target
) -> AttentionPlan:
    """R19: choose the numbers of an attention per head; item: bytes per element."""
    # 64 queries on 32 registers (tiles 6 x 64), 32 on 16 (6 x 16): a K row is loaded for all.
    most = lanes * (4 if target.vector_registers > 16 else max(2, 32 // lanes))
    # Scores and exponentials of a block stay in half of L2.
    fitting = target.l2_bytes // 2 // (2 * keys * item) // lanes * lanes
    block = max(lanes, min(most, fitting))
    if queries < block:
        block = queries
    scores = choose_register_tile(keys, block, lanes, target, vector_cost=0.04, divides=True)
    out = choose_register_tile(block, features, lanes, target, vector_cost=0.08)
    ragged = queries % block != 0
    return AttentionPlan(
        block,
        _dividing(scores, keys, target),
        _dividing(out, block, target),
        2 if ragged else 4,
    )


def _dividing(tile: RegisterTile, rows: int, target: Target) -> RegisterTile:
    """Return a tile of fewer rows that divides all rows, if it keeps the FMA units busy.

    One leaf instead of two of uneven height; 8x2 and 4x4 of 32 registers lose 2 % to 13x2.
    """
    height = divisor_at_most(rows, tile.rows)
    busy = 2 * target.fma_latency * target.fma_ports
    return RegisterTile(height, tile.vectors) if height * tile.vectors >= busy else tile


class _Planner:
    """Writes one script; axes of the five computes by their names in the kernel."""

    def __init__(
        self,
        script: Script,
        attention: Attention,
        lanes: int,
        constants: Collection[SSAValue],
        target: Target,
    ) -> None:
        self.script, self.attention, self.lanes, self.target = script, attention, lanes, target
        self.constants = constants
        self.views = [op.view() for op in attention.members]
        self.scores, self.largest, self.exps, self.total, self.out = self.views
        self.shared = list(attention.sharing.root_axes)

    def _query_of(self, position: int) -> str:
        """Return the name of the query axis in one of the computes."""
        query = self.attention.query
        assert query is not None, "there are several queries"
        return self.attention.sharing.axis_of[position][query]

    def _free(self, position: int) -> list[str]:
        """Return the parallel axes that a task runs through, besides the query's."""
        view = self.views[position]
        shared = set(self.attention.sharing.axis_of[position].values())
        return [a for a in view.parallel_axes() if view.axes[a] > 1 and a not in shared]

    @staticmethod
    def _reduced(view: ComputeView) -> list[str]:
        return [a for a in view.reduced_axes() if view.axes[a] > 1]

    def keys(self) -> int:
        """Keys per query."""
        return self.scores.axes[self._free(0)[0]] if self._free(0) else 1

    def block(self) -> None:
        """Plan tasks of many queries."""
        query = self.attention.query
        assert query is not None, "there are several queries"
        columns = self._free(4)
        features = self.out.axes[columns[-1]] if columns else 1
        item = element_bytes(self.out.outputs[0].type)
        numbers = plan_attention_numbers(
            self.out.axes[query], self.keys(), features, self.lanes, item, self.target
        )
        copies = self._query_major()
        loop = self._tasks({**dict.fromkeys(self.shared, 1), query: numbers.queries})
        for view in self.views[-2::-1]:
            self.script.fuse_into(self.script.match(view.name), loop)
        for position, dimension in copies:
            self._turned_copy(position, dimension, loop)
        self._turn(0)
        self._turn(2)
        self._plan_scores(numbers)
        self._sweep(1)
        self._plan_exponentials()
        self._sweep(3)
        self._plan_out(numbers, columns)

    def _tasks(self, sizes: dict[str, int]) -> SSAValue:
        """Make the loops over heads and blocks of queries; return the innermost."""
        leaf = self.script.match(self.out.name)
        _, loops = self.script.tile(leaf, sizes)
        return [self.script.parallel(loop) for loop in loops][-1]

    def _query_major(self) -> list[tuple[int, int]]:
        """Read what scores need query by query through copies; store constants that way.

        Returns operands and their query dimensions, for the copies to be placed.
        """
        found: list[tuple[int, int]] = []
        for position, access in enumerate(self.scores.reads):
            dimension = self._turning(access)
            if dimension is None:
                continue
            leaf = self.script.match(self.scores.name)
            if access.value in self.constants:
                self.script.pack(leaf, position, _to_the_end(len(access.shape), dimension))
            else:
                self.script.cache_read(leaf, position)
                found.append((position, dimension))
        return found

    def _turning(self, access: Access) -> int | None:
        """Return the dimension of the queries if it is one, and not contiguous."""
        query = self._query_of(0)
        at = [d for d, e in enumerate(access.indices or ()) if query in set(e.variables())]
        if len(at) != 1 or lane_stride(self.scores, access, query, self.lanes) in (None, 1):
            return None
        others = set((access.indices or [])[at[0]].variables()) - {query}
        own = set(self.attention.sharing.axis_of[0].values())
        units = {a for a, n in self.scores.axes.items() if n == 1}
        return at[0] if others <= own | units else None

    def _turned_copy(self, position: int, dimension: int, loop: SSAValue) -> None:
        """Place a copy in the task, stored with the query innermost."""
        name = f"{self.scores.name}_in{position}"
        access = self.scores.reads[position]
        copy = self.script.fuse_into(self.script.match(name), loop)
        copy = self.script.relayout(copy, _to_the_end(len(access.shape), dimension))
        inner = max(d for d in range(len(access.shape)) if d != dimension)
        copy = self.script.match(name)
        copy, _ = self.script.tile(copy, {f"c{inner}": 4, f"c{dimension}": self.lanes})
        self.script.vectorize(copy, f"c{dimension}", self.lanes)

    @staticmethod
    def _dimension(access: Access, axis: str) -> int:
        return next(d for d, e in enumerate(access.indices or ()) if axis in set(e.variables()))

    def _turn(self, position: int) -> None:
        """Store a local result with the query innermost."""
        output = self.views[position].outputs[0]
        at = self._dimension(output, self._query_of(position))
        writer = self.script.match(self.views[position].name)
        self.script.relayout(writer, _to_the_end(len(output.shape), at))

    def _plan_scores(self, numbers: AttentionPlan) -> None:
        view, query = self.scores, self._query_of(0)
        sizes = {query: numbers.scores.vectors * self.lanes}
        even: list[str] = []
        for axis in self._free(0):
            sizes[axis] = numbers.scores.rows
            even.append(axis)
        leaf, _ = self.script.tile(self.script.match(view.name), sizes, even=even)
        self.script.vectorize(leaf, query, self.lanes, **self._unrolled(view, numbers.unroll))

    def _unrolled(self, view: ComputeView, most: int) -> dict[str, int]:
        """R3: some steps of the innermost reduced axis per trip."""
        reduced = self._reduced(view)
        if not reduced:
            return {}
        factor = divisor_at_most(view.axes[reduced[-1]], most)
        return {reduced[-1]: factor} if factor > 1 else {}

    def _sweep(self, position: int) -> None:
        """Reduce along keys, some vectors of queries side by side."""
        view, query = self.views[position], self._query_of(position)
        leaf, _ = self.script.tile(
            self.script.match(view.name), {query: SWEEP_VECTORS * self.lanes}
        )
        self.script.vectorize(leaf, query, self.lanes, **self._unrolled(view, 4))

    def _plan_exponentials(self) -> None:
        query = self._query_of(2)
        # The constants of the polynomial leave room for two of 16 registers.
        vectors = SWEEP_VECTORS if self.target.vector_registers > 16 else 2
        sizes = {**dict.fromkeys(self._free(2), 1), query: vectors * self.lanes}
        leaf, _ = self.script.tile(self.script.match(self.exps.name), sizes)
        self.script.vectorize(leaf, query, self.lanes)

    def _plan_out(self, numbers: AttentionPlan, columns: list[str]) -> None:
        query = self.attention.query
        assert query is not None, "there are several queries"
        sizes = {a: numbers.out.vectors * self.lanes if a == columns[-1] else 1 for a in columns}
        sizes[query] = numbers.out.rows
        leaf, _ = self.script.tile(self.script.match(self.out.name), sizes, even=[query])
        if columns:
            self.script.vectorize(
                leaf, columns[-1], self.lanes, **self._unrolled(self.out, numbers.unroll)
            )


def _to_the_end(rank: int, dim: int) -> AffineMapAttr:
    """Return the layout that stores one dimension innermost."""
    dims = [AffineExpr.dimension(d) for d in range(rank)]
    return AffineMapAttr(AffineMap(rank, 0, (*dims[:dim], *dims[dim + 1 :], dims[dim])))


def plan_attention(
    script: Script,
    attention: Attention,
    lanes: int,
    constants: Collection[SSAValue],
    target: Target,
) -> None:
    """Write the schedule of an attention."""
    views = [op.view() for op in attention.members]
    query = _blocked_query(attention, views)
    if query is None or views[-1].axes[query] * FEW <= lanes:
        plan_rows(script, views, attention.sharing, lanes)
    else:
        _Planner(script, attention, lanes, constants, target).block()


def _blocked_query(attention: Attention, views: list[ComputeView]) -> str | None:
    """Return the query axis if the queries can be copied with it innermost."""
    query = attention.query
    if query is None:
        return None
    own, reduced = attention.sharing.axis_of[0][query], set(views[0].reduced_axes())
    for access in views[0].inputs:
        if own in access.axes():
            mixed = [set(e.variables()) for e in access.indices or () if own in set(e.variables())]
            return None if len(mixed) != 1 or mixed[0] & reduced else query
    return None
