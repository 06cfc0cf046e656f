"""Schedules of attention: one task per head and block of queries, with scores in a local buffer.

The lanes of scores are queries, so that maxima and sums are vertical:

    q^T  = copy of the block's queries, feature-major      (features x queries)
    s^T  = K q^T, with scale and mask                      (keys x queries)
    m, e^T = exp(s^T - m), l = 1 / sum e^T
    out  = (e V) * l                                       (queries x features)

If positions mask part of the scores, or a row of scores exceeds the caches, keys are processed in
blocks (sched.online_softmax); fully masked blocks are skipped.  Blocks need not divide the queries
or the keys: the last block is smaller and peeled, which costs code (997 causal queries with
AVX-512: 35 GFLOP/s in one block of all keys, 77 in blocks of 32).

K and V are read in place.  Queries that do not fill a vector share a task, with products along the
features (few_queries.py); a single query (decoding) runs row by row.  A dynamic (symbolic) number
of queries is processed in blocks of 16, and the remaining queries in groups of up to three
(query_groups.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import f32, f64
from xdsl.ir import SSAValue

from ....analysis.patterns.attention import Attention
from ....analysis.patterns.attention_mask import visible_end
from ....analysis.patterns.sharing import element_bytes
from ....analysis.strides import lane_stride
from ....dialects.shape import Dim
from ....dialects.te import Access, ComputeView
from ....machines.cpu_numbers import FAR_LOADS
from ....machines.target import Target
from ....passes.schedule.compute.online_softmax import first_block
from .computes import plan_rows
from .few_queries import few_queries
from .one_compute import lanes_of
from .query_groups import QUERIES, plan_groups, plan_query_groups
from .script import CreatedCompute, Script
from .tiles import RegisterTile, block_size, choose_register_tile, divisor_at_most

FEW = 4
"""Queries that fill at most a quarter of a vector run one by one, unless they share a task."""

KEYS = 128
"""Keys per block if a row of scores exceeds the caches: 4096 keys 1.20x faster in blocks of 64 to
256 than with fewer queries per task, 2048 keys of 128 features 1.17x."""

MASKED_BLOCK = 32
"""Queries and keys per block if later keys are masked: smaller blocks skip more keys, larger blocks
have larger tiles.  1024 keys: 32 and 64 are equal, 16 costs 1.3x (AVX2); 128 keys: 32 is 1.17x
faster than 64; 64 keys: 16 is 1.12x faster than 32."""

MOST_SEEN = 0.875
"""Masks that hide less than an eighth of the scores are not worth blocks."""

UNROLL = 4
"""Steps of a reduction per loop iteration; the size of key blocks is a multiple of it."""

SYMBOLIC = 1 << 20
"""The number of keys that a plan for a symbolic number of keys assumes: many blocks, because no
buffer holds the scores of a symbolic number of keys."""

SYMBOLIC_QUERIES = 16
"""Queries per block if their number is symbolic: one vector of AVX-512 or two of AVX2, where tiles
of one vector wait for loads.  Larger blocks leave more queries to groups, or need more code."""

SYMBOLIC_MASKED = 16
"""Keys per block if later keys are masked and queries and keys are symbolic: 32 causal queries are
1.2x faster than in blocks of 32 keys, 200 1.04x, 300 to 1024 up to 4 % slower."""

SYMBOLIC_ROWS = 8
"""Most keys per register tile of scores if their number is symbolic, so that few keys remain."""

SWEEP_VECTORS = 4
"""Vectors per step of maxima and sums."""


@dataclass(frozen=True)
class AttentionPlan:
    """The numbers of an attention's schedule.

    queries: queries per parallel task.
    keys: keys per block.
    scores: the register tile (keys x queries) of the scores.
    out: the register tile (queries x features) of the result.
    unroll: steps of the reductions per loop iteration. It is smaller if a smaller last block of
    keys, or tiles of two heights inside blocks of keys, double the code.
    """

    queries: int
    keys: int
    scores: RegisterTile
    out: RegisterTile
    unroll: int


def plan_attention_numbers(
    queries: int,
    keys: int,
    features: int,
    lanes: int,
    item: int,
    target: Target,
    seen: float = 1.0,
    *,
    online: bool = True,
) -> AttentionPlan:
    """Choose the numbers of an attention's schedule.

    queries, keys, features: the sizes of the attention.
    lanes: lanes of a vector.
    item: bytes per element.
    seen: the fraction of the scores that no mask by position hides.
    online: whether keys may be split into blocks.
    """
    block, part = _blocks(queries, keys, features, lanes, item, target, seen if online else 1.0)
    if part < keys and not online:
        block, part = min(queries, lanes), keys
    scores = choose_register_tile(part, block, lanes, target, divides=True)
    out = choose_register_tile(block, features, lanes, target, FAR_LOADS)
    return AttentionPlan(
        block,
        part,
        _dividing(scores, part, target),
        _dividing(out, block, target),
        UNROLL // 2
        if queries % block or (part < keys and target.vector_registers <= 16)
        else UNROLL,
    )


def _blocks(
    queries: int, keys: int, features: int, lanes: int, item: int, target: Target, seen: float
) -> tuple[int, int]:
    """Return the number of queries per task, and the number of keys per block.

    queries, keys, features: the sizes of the attention.
    lanes: lanes of a vector.
    item: bytes per element.
    seen: the fraction of the scores that no mask by position hides.
    """
    few = max(lanes, MASKED_BLOCK if keys >= 4 * MASKED_BLOCK else MASKED_BLOCK // 2)
    if seen <= MOST_SEEN and keys >= 2 * few:
        return min(queries, few), few
    # 64 queries with 32 registers (tiles 6 x 64), 32 with 16 (6 x 16) share each row of K.
    most = min(queries, lanes * (4 if target.vector_registers > 16 else max(2, 32 // lanes)))
    # Scores and exponentials of a block fit in half of L2, the values (V) in L2.
    bytes_per_query = 2 * keys * item
    fits = most <= target.l2_bytes // 2 // bytes_per_query
    fits = fits and keys * features * item <= target.l2_bytes
    return most, keys if fits else block_size(keys, KEYS, UNROLL)


def _dividing(tile: RegisterTile, rows: int, target: Target) -> RegisterTile:
    """Return a register tile whose height divides ``rows``, if it keeps the FMA units busy.

    Otherwise the height is not reduced.  With a divisor, the kernel has one innermost compute
    instead of two of different heights.  With 32 registers, tiles of 8x2 and 4x4 are 2 % slower
    than 13x2.
    rows: the number of rows that tiles cover.
    """
    tile = _without_fma(tile, target)
    height = divisor_at_most(rows, tile.rows)
    busy = 2 * target.fma_latency * target.fma_ports
    return RegisterTile(height, tile.vectors) if height * tile.vectors >= busy else tile


def _without_fma(tile: RegisterTile, target: Target) -> RegisterTile:
    """Return a register tile with as many rows as fit in the registers without FMA.

    The products, and the copies of their operands, then need registers, too.  With FMA, the tile is
    unchanged.  SSE2: 4x2 and 6x2 are equally fast; 6x2 spills 9 vectors per 48 products.
    """
    if target.has_fma:
        return tile
    most = (target.vector_registers - 4) // tile.vectors - 2
    return RegisterTile(min(tile.rows, max(1, most)), tile.vectors)


@dataclass(frozen=True)
class _Copy:
    """A copy of an operand of the scores in which queries are contiguous.

    made: the compute that copies.  dimension: the dimension of the operand that the query axis
    indexes.
    """

    made: CreatedCompute
    dimension: int


class _Planner:
    """The builder of an attention's script: handles of its five computes and their axes."""

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
        self.leaves = [script.match(view.name) for view in self.views]

    def _query_of(self, position: int) -> str:
        """Return the name of the query axis in a compute of the attention.

        position: 0 scores, 1 maxima, 2 exponentials, 3 sums, 4 weighted sums.
        """
        return self.attention.sharing.axis_of[position][self._root_query()]

    def _free(self, position: int) -> list[str]:
        """Return the parallel axes of a compute except the axes of heads and queries.

        position: 0 scores, 1 maxima, 2 exponentials, 3 sums, 4 weighted sums.
        """
        view = self.views[position]
        shared = set(self.attention.sharing.axis_of[position].values())
        return [a for a in view.parallel_axes() if view.axes[a] != 1 and a not in shared]

    @staticmethod
    def _reduced(view: ComputeView) -> list[str]:
        return [a for a in view.reduced_axes() if view.axes[a] != 1]

    def _root_query(self) -> str:
        """Return the name of the query axis in the weighted sums."""
        query = self.attention.query
        assert query is not None, "there are several queries"
        return query

    def _queries(self) -> int:
        extent = self.out.axes[self._root_query()]
        return extent if isinstance(extent, int) else max(self.lanes, SYMBOLIC_QUERIES)

    def keys(self) -> int:
        """Return the number of keys to plan for.

        If the number is symbolic, return a large number that stands for many blocks of keys.
        """
        extent = self.scores.axes[self._free(0)[0]] if self._free(0) else 1
        return extent if isinstance(extent, int) else SYMBOLIC

    def _seen(self) -> float:
        query, key = self._query_of(0), self.attention.keys_of(0)
        end = None if key is None else visible_end(self.scores, key)
        if end is not None and isinstance(self.scores.axes[query], Dim):
            return 0.5
        if end is None or set(end.variables()) != {query}:
            return 1.0
        queries, keys = self.scores.extents[query], self.keys()
        ends = (end.coefficient(query) * m + end.const for m in range(queries))
        return sum(min(max(n, 0), keys) for n in ends) / (queries * keys)

    def block(self) -> None:
        """Write the schedule of an attention whose tasks process a block of queries each."""
        query, columns = self._root_query(), self._free(4)
        features = self.out.extents[columns[-1]] if columns else 1
        item = element_bytes(self.out.outputs[0].type)
        # Online softmax is as exact as one sum over all keys only if no partial result is rounded.
        types = {view.outputs[0].element_type for view in self.views}
        numbers = plan_attention_numbers(
            self._queries(),
            self.keys(),
            features,
            self.lanes,
            item,
            self.target,
            self._seen(),
            online=len(types) == 1 and types <= {f32, f64},
        )
        if self.keys() == SYMBOLIC:
            numbers = self._symbolic(numbers)
        sizes = {**dict.fromkeys(self.shared, 1), query: numbers.queries}
        if isinstance(self.out.axes[query], Dim):
            loop = self._symbolic_tasks(sizes, query)
            copies = self._query_major()
        else:
            copies = self._query_major()
            loop = self._tasks(sizes)
        for copy in copies:
            self._turned_copy(copy, loop)
        if numbers.keys < self.keys():
            self._online(numbers.keys, columns)
        self._turn(0)
        self._turn(2)
        self._plan_scores(numbers)
        self._sweep(1, numbers)
        self._plan_exponentials()
        self._sweep(3, numbers)
        self._plan_out(numbers, columns)

    def _symbolic(self, numbers: AttentionPlan) -> AttentionPlan:
        """Adapt the parameters to a symbolic number of keys: less unrolling, smaller blocks.

        The kernel then has code for the first block of keys and for all others.
        """
        is_masked = numbers.keys < KEYS and isinstance(self.out.axes[self._root_query()], Dim)
        keys = min(numbers.keys, SYMBOLIC_MASKED) if is_masked else numbers.keys
        return replace(numbers, keys=keys, unroll=UNROLL // 2)

    def _tasks(self, sizes: dict[str, int], rest: int = 0, even: Sequence[str] = ()) -> SSAValue:
        """Move the computes into parallel loops over heads and query blocks; return the inner loop.

        sizes: the tile size of each axis.
        rest: the tile size in the remainder of a symbolic axis; 0: single positions.
        even: axes whose tiles have nearly equal sizes.
        """
        self.leaves[4], loops = self.script.tile(self.leaves[4], sizes, rest=rest, even=even)
        loop = self.script.parallel_each(loops)[-1]
        self.script.fuse_others(self.leaves, loop)
        return loop

    def _symbolic_tasks(self, sizes: dict[str, int], query: str) -> SSAValue:
        """Plan a symbolic number of queries: tasks for full blocks, and groups for the others.

        sizes: the tile size of each axis.
        query: the axis of the queries.
        Returns the loop over full blocks.
        """
        most = min(QUERIES, sizes[query] - 1)
        loop = self._tasks(sizes, most, [query])
        counts = list(range(most, 0, -1))
        parts = [self.script.split_handle(leaf, last=len(counts)) for leaf in (*self.leaves, loop)]
        *self.leaves, loop = (first for first, _ in parts)
        groups = [rest for _, rest in parts[:-1]]
        plan_groups(
            self.script, self.attention, groups, self.views, counts, self.lanes, self.target
        )
        return loop

    def _online(self, size: int, columns: list[str]) -> None:
        """Apply online softmax in blocks of keys, and plan the computes that it adds.

        size: keys per block.
        columns: the axes of the result's features.
        """
        keys = self.attention.keys_of(4)
        assert keys is not None, "there are several keys"
        made = self.script.online_softmax(self.leaves, keys, size)
        self.leaves = made.parts
        starts = first_block(self.scores.axes[self._free(0)[0]], size) == 0
        rows = [(made.factor, 1), (made.total, 3)]
        for leaf, position in [(made.start, 1), *rows] if starts else rows:
            query = self._query_of(position)
            tiled, _ = self.script.tile(leaf, {query: self.lanes})
            self.script.vectorize(tiled, query, self.lanes)
        query = self._query_of(4)
        for leaf in [made.zero, made.finish] if starts else [made.finish]:
            sizes = {query: 1} | dict.fromkeys(columns, 1)
            if columns:
                sizes[columns[-1]] = SWEEP_VECTORS * self.lanes
            tiled, _ = self.script.tile(leaf, sizes)
            if columns:
                self.script.vectorize(tiled, columns[-1], self.lanes)

    def _query_major(self) -> list[_Copy]:
        """Make queries contiguous in the operands of the scores in which they are strided.

        Constant operands are packed, others copied.  Return the copies, which are not yet in loops.
        """
        found: list[_Copy] = []
        for position, access in enumerate(self.scores.reads):
            dimension = self._turning(access)
            if dimension is None:
                continue
            leaf, rank = self.leaves[0], len(access.dims)
            if access.value in self.constants:
                self.leaves[0] = self.script.pack_last(leaf, position, rank, dimension)
            else:
                made, self.leaves[0] = self.script.cache_read(leaf, position, rank)
                found.append(_Copy(made, dimension))
        return found

    def _turning(self, access: Access) -> int | None:
        """Return the dimension of an operand of the scores along which queries are strided.

        None if adjacent queries are adjacent in memory already, or if several indices contain the
        query axis, so that no single dimension holds the queries.
        """
        if access.is_index:
            return None
        query = self._query_of(0)
        at = [d for d, e in enumerate(access.indices or ()) if query in set(e.variables())]
        if len(at) != 1 or lane_stride(self.scores, access, query, self.lanes) in (None, 1):
            return None
        others = set((access.indices or [])[at[0]].variables()) - {query}
        own = set(self.attention.sharing.axis_of[0].values())
        units = {a for a, n in self.scores.axes.items() if n == 1}
        return at[0] if others <= own | units else None

    def _turned_copy(self, copy: _Copy, loop: SSAValue) -> None:
        axes, dimension = copy.made.axes, copy.dimension
        leaf = self.script.fuse_into(copy.made.handle, loop)
        leaf = self.script.store_last(leaf, len(axes), dimension)
        inner = max(d for d in range(len(axes)) if d != dimension)
        leaf, _ = self.script.tile(leaf, {axes[inner]: self._square(), axes[dimension]: self.lanes})
        self.script.vectorize(leaf, axes[dimension], self.lanes)

    def _square(self) -> int:
        """Return the side of the squares of queries x features to transpose in registers.

        It is the number of lanes of a vector; or 1, which transposes nothing, if the lanes do not
        divide the queries and features, because a remainder would need its own code.
        """
        query, reduced = self._query_of(0), self._reduced(self.scores)
        sizes = (self.scores.axes[axis] for axis in (query, *reduced[-1:]))
        return 1 if any(isinstance(n, int) and n % self.lanes for n in sizes) else self.lanes

    @staticmethod
    def _dimension(access: Access, axis: str) -> int:
        return next(d for d, e in enumerate(access.indices or ()) if axis in set(e.variables()))

    def _turn(self, position: int) -> None:
        output = self.views[position].outputs[0]
        at = self._dimension(output, self._query_of(position))
        leaf = self.leaves[position]
        self.leaves[position] = self.script.store_last(leaf, len(output.dims), at)

    def _plan_scores(self, numbers: AttentionPlan) -> None:
        view, query = self.scores, self._query_of(0)
        sizes, rows = {query: numbers.scores.vectors * self.lanes}, numbers.scores.rows
        even, rest = [a for a in self._free(0) if isinstance(view.axes[a], int)], 0
        if self._free(0) and not even:
            # Even tiles of a symbolic number of keys have an innermost compute for each height.
            rest = max(1, min(rows, SYMBOLIC_ROWS) // 2)
            rows = 2 * rest
        sizes |= dict.fromkeys(self._free(0), rows)
        leaf, _ = self.script.tile(self.leaves[0], sizes, even=even, rest=rest)
        self.script.vectorize(leaf, query, self.lanes, self._unrolled(view, numbers.unroll))

    def _unrolled(self, view: ComputeView, most: int) -> dict[str, int]:
        """Choose the unroll factor of a compute's innermost reduction axis.

        most: the largest factor.
        Returns {axis: factor}; empty without unrolling.
        """
        reduced = self._reduced(view)
        if not reduced:
            return {}
        extent = view.axes[reduced[-1]]
        factor = 1 if isinstance(extent, Dim) else min(extent, most)
        return {reduced[-1]: factor} if factor > 1 else {}

    def _sweep(self, position: int, numbers: AttentionPlan) -> None:
        """Plan a reduction of scores along the keys, in register tiles of several query vectors.

        position: the number of the compute in the attention; 1 maxima, 3 sums.
        """
        view, query = self.views[position], self._query_of(position)
        leaf, _ = self.script.tile(self.leaves[position], {query: SWEEP_VECTORS * self.lanes})
        self.script.vectorize(leaf, query, self.lanes, self._unrolled(view, numbers.unroll))

    def _plan_exponentials(self) -> None:
        query = self._query_of(2)
        sizes = {**dict.fromkeys(self._free(2), 1), query: self.lanes}
        leaf, _ = self.script.tile(self.leaves[2], sizes)
        self.script.vectorize(leaf, query, self.lanes)

    def _plan_out(self, numbers: AttentionPlan, columns: list[str]) -> None:
        query = self._root_query()
        sizes = {a: numbers.out.vectors * self.lanes if a == columns[-1] else 1 for a in columns}
        sizes[query] = numbers.out.rows
        leaf, _ = self.script.tile(self.leaves[4], sizes, even=[query])
        if columns:
            self.script.vectorize(
                leaf, columns[-1], self.lanes, self._unrolled(self.out, numbers.unroll)
            )


def plan_attention(
    script: Script, attention: Attention, constants: Collection[SSAValue], target: Target
) -> None:
    """Write the schedule of an attention.

    constants: the arguments of the kernel that are weights.
    """
    views = [op.view() for op in attention.members]
    lanes = min(lanes_of(view, target) for view in views)
    if any(isinstance(extent, Dim) for view in views for extent in view.axes.values()):
        queries = 1 if attention.query is None else views[-1].axes[attention.query]
        if isinstance(queries, int) and queries * FEW <= lanes:
            plan_query_groups(script, attention, views, lanes, target)
        else:
            _Planner(script, attention, lanes, constants, target).block()
        return
    query = _blocked_query(attention, views)
    few = few_queries(attention, views, lanes, target)
    if few is not None and (query is None or views[-1].axes[query] % lanes):
        few.plan(script)
    elif query is None or views[-1].extents[query] * FEW <= lanes:
        plan_rows(script, views, attention.sharing, lanes, target)
    else:
        _Planner(script, attention, lanes, constants, target).block()


def _blocked_query(attention: Attention, views: list[ComputeView]) -> str | None:
    """Return the query axis if vectors may run along it, else None.

    Vectors may not run along it if an index mixes it with a reduction axis.
    """
    query = attention.query
    if query is None:
        return None
    own, reduced = attention.sharing.axis_of[0][query], set(views[0].reduced_axes())
    for access in views[0].inputs:
        if own in access.axes():
            mixed = [set(e.variables()) for e in access.indices or () if own in set(e.variables())]
            return None if any(keys & reduced for keys in mixed) else query
    return None
