"""Schedules of attention: a block per head and tile of queries, online softmax over keys.

In: the five computes of an attention.  Out: the steps of its schedule.

    s = q k^T      m = max s      e = exp(s - m)      l = 1 / sum e      out = (e v) * l

A block copies its queries to shared memory once, and a tile of keys (K) and values (V) per step.
Its threads compute a tile of scores, the maximum and the sum of each row, and add the weighted
values to sums in registers, which the factor of the new maximum rescales (sched.online_softmax).
So scores and exponentials never leave the block.  Queries and keys that do not fill a tile are
padded (sched.pad_attention), so every block runs the same code.  Keys that a mask hides from all
queries of a block are skipped.

A thread has 4 rows and 4 columns of the result; threads of adjacent columns are adjacent, so a row
of values is read at once.  Rows of keys are an odd multiple of 16 bytes apart, so that the threads
of scores read them from different banks.  Tiles are the largest ones that fit in shared memory, but
have 16 queries if 32 would compute more padding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ....analysis.patterns.attention import Attention, producer_of
from ....analysis.patterns.bodies import is_narrow
from ....dialects.dtypes import bit_width
from ....dialects.shape import Dim, Extent, element_count
from ....dialects.te import Access, ComputeView
from ....dialects.te.verifier import accumulator_type, stores_accumulator
from ....machines.gpu import GpuLimits
from ....passes.schedule.buffers.clip_stores import leaves_buffer
from .product import LEAST, divides, inside_elements
from .script import Script
from .thread_per_point import GRID, grid_of, runs_of

_ROWS, _KEYS = (32, 16), (32, 16)
_THREAD = 4
"""Rows and columns of the result per thread."""

_BANK_BYTES = 16
"""The length of a row of keys or scores is an odd multiple of this number of bytes."""

_ROW_BUFFERS = 5
"""Buffers with an element per query: two maxima, the factor, the sum and its reciprocal."""


@dataclass(frozen=True)
class AttentionTiles:
    """The axes of an attention's result, and the sizes of its tiles.

    batch: axes of the grid, such as heads.
    query: the axis of queries.
    column: the axis of the values' features.
    keys: the axis of the reduction.
    rows: the queries of a block.
    step: the keys of a step.
    columns: the number of features.
    ragged: the axes that tiles do not divide.
    is_online: whether there are several steps, so that online softmax is needed.
    """

    batch: tuple[str, ...]
    query: str
    column: str
    keys: str
    rows: int
    step: int
    columns: int
    ragged: frozenset[str]
    is_online: bool

    @property
    def threads(self) -> tuple[int, int]:
        """The numbers of threads of a block along y and x."""
        return self.rows // _THREAD, self.columns // _THREAD


def attention_tiles(attention: Attention, limits: GpuLimits) -> AttentionTiles | None:
    """Return the axes and tiles of an attention within a target's limits; None if none fit."""
    views = [op.view() for op in attention.members]
    scores, out, query, keys = views[0], views[4], attention.query, attention.keys_of(4)
    if not are_floats(views):
        return None
    if query is None or keys is None or attention.keys_of(0) is None:
        return None
    shared = set(attention.sharing.root_axes)
    columns = [a for a in out.parallel_axes() if a not in shared and out.axes[a] != 1]
    batch = tuple(a for a in out.parallel_axes() if a != query and a not in columns)
    if len(columns) != 1 or len(runs_of([out], batch)) >= len(GRID):
        return None
    features = out.extents[columns[0]]
    if features % _THREAD or features < _THREAD**2 or len(depth_of(scores)) != 1:
        return None
    if any(is_short(out.axes[axis]) for axis in (query, keys)):
        return None
    if not _are_plain(attention, scores, out, keys):
        return None
    depth = scores.extents[depth_of(scores)[0]]
    for rows, step in product(tiles_first(out.axes[query], _ROWS), _KEYS):
        sizes = {query: rows, keys: step}
        ragged = frozenset(a for a, n in sizes.items() if not divides(n, out.axes[a]))
        if query in ragged and not leaves_buffer(out.outputs[0], query, out.axes[query]):
            continue
        is_online = not isinstance(out.axes[keys], int) or out.extents[keys] > step
        found = AttentionTiles(
            batch, query, columns[0], keys, rows, step, features, ragged, is_online
        )
        size = _bytes(found, depth, views)
        if prod(found.threads) <= limits.threads and size <= limits.shared_bytes:
            return found
    return None


def depth_of(scores: ComputeView) -> list[str]:
    """Return the axes of the features of queries and keys, which the scores reduce."""
    return [a for a in scores.reduced_axes() if scores.axes[a] != 1]


def is_short(extent: Extent) -> bool:
    """Return whether there are fewer queries or keys than tiles need."""
    return isinstance(extent, int) and extent < LEAST


def tiles_first(extent: Extent, sizes: Sequence[int]) -> Sequence[int]:
    """Order the choices of a tile's size: those with the fewest padded positions first.

    extent: the number of positions, such as queries.
    sizes: the choices, the largest first; of those with equally many padded positions, the largest
    comes first. If the extent is symbolic, the choices keep this order, because the padding is
    unknown.
    """
    if isinstance(extent, Dim):
        return sizes
    return sorted(sizes, key=lambda size: (-(-extent // size) * size, -size))


def are_floats(views: Sequence[ComputeView]) -> bool:
    """Return whether the computes of an attention read f32 or 16-bit floats, and add in f32."""
    types = {a.element_type for v in views for a in (*v.inputs, *v.outputs)}
    sums = {accumulator_type(views[n].outputs[0]) for n in (0, 1, 3, 4)}
    return sums == {f32} and all(type_ == f32 or is_narrow(type_) for type_ in types)


def _bytes(tiles: AttentionTiles, depth: int, views: Sequence[ComputeView]) -> int:
    """Return the bytes of shared memory that a block needs.

    depth: the number of features of queries and keys.
    views: the five computes of the attention.
    """
    operand = bit_width(views[0].inputs[0].element_type) // 8
    number = bit_width(f32) // 8
    operands = (tiles.rows + tiles.step) * (operand * depth + 2 * _BANK_BYTES)
    operands += tiles.step * tiles.columns * operand
    squares = 2 * (tiles.step * number + _BANK_BYTES)
    return operands + tiles.rows * (squares + _ROW_BUFFERS * number)


def _are_plain(attention: Attention, scores: ComputeView, out: ComputeView, keys: str) -> bool:
    """Return whether tiles of queries, keys and values can be read from copies in shared memory.

    That is: no read is padded, no index mixes a tiled axis with other axes, and scores and
    exponentials end with the dimensions (queries, keys).  keys: the axis of the keys in ``out``.
    """
    values = [a for a in out.inputs if producer_of(a) is not attention.exps]
    reads = [*scores.inputs, *values]
    if len(scores.inputs) != 2 or any(a.indices is None or a.pad is not None for a in reads):
        return False
    tiled = {attention.sharing.axis_of[0][attention.query or ""], attention.keys_of(0)}
    if not all(_is_alone(access, tiled) for access in scores.inputs):
        return False
    return all(_is_alone(a, {keys}) for a in values) and all(
        _ends_with_keys(attention, position) for position in (0, 2)
    )


def _ends_with_keys(attention: Attention, position: int) -> bool:
    """Return whether the last two dimensions of a compute's result are the queries, then the keys.

    position: 0 for the scores, 2 for the exponentials.
    """
    indices = attention.members[position].view().outputs[0].indices or []
    query = attention.sharing.axis_of[position][attention.query or ""]
    return [e.variable() for e in indices[-2:]] == [query, attention.keys_of(position)]


def _is_alone(access: Access, tiled: set[str | None]) -> bool:
    """Return whether no index of an access combines a tiled axis with other axes or constants."""
    for index in access.indices or ():
        if tiled & set(index.variables()) and index.variable() not in tiled:
            return False
    return True


# ---- the schedule


class AttentionPlanner:
    """The builder of an attention's script.

    limits: the launch limits of the target.
    views, parts: the views and the handles of the five computes, by position: 0 scores, 1 maxima, 2
    exponentials, 3 sums, 4 results.
    sums: by position, the handle of the compute that accumulates in registers, if another compute
    then stores the results.
    has_rows_apart: whether the row pitch of all operands is an odd multiple of 16 bytes.
    has_queries_in_registers: whether each thread loads its queries into registers once, before the
    loop over keys.
    stages: the number of tiles of keys, and of values, in shared memory.
    """

    has_rows_apart = False
    has_queries_in_registers = False
    stages = 1

    def __init__(
        self, script: Script, attention: Attention, tiles: AttentionTiles, limits: GpuLimits
    ) -> None:
        self.script, self.attention, self.tiles, self.limits = script, attention, tiles, limits
        self.views = [op.view() for op in attention.members]
        self.parts = dict(enumerate(script.match(view.name) for view in self.views))
        self.sums: dict[int, SSAValue] = {}

    def plan(self) -> None:
        """Write all steps of the schedule."""
        script, tiles = self.script, self.tiles
        self.pad()
        self.place()
        rows: list[tuple[SSAValue, int]] = []
        results: list[SSAValue] = []
        if tiles.is_online:
            made = script.online_softmax(list(self.parts.values()), tiles.keys, tiles.step)
            self.parts = dict(enumerate(made[:5]))
            self.loop, start, zero, factor, total, finish = made[5:]
            start = script.share(script.share(start, 0), 1)
            rows = [(start, 1), (script.share(factor, 0), 1), (script.share(total, 0), 3)]
            results = [zero, finish]
        else:
            self.parts[3] = script.share(self.parts[3], 0)
        for position in range(3):
            self.parts[position] = script.share(self.parts[position], 0)
        for position in (0, 2):
            output = self.views[position].outputs[0]
            handle = self.parts[position]
            self.parts[position] = self._apart(handle, self.query_of(position), output)
        for position in (0, 4):
            if position not in self.sums and self.is_separate(position):
                made = script.cache_write(self.parts[position])
                self.sums[position], self.parts[position] = made
        rows += [(self.parts[1], 1), (self.parts[3], 3)]
        self.copy_operands()
        for handle in results:
            self.divide_results(handle)
        self.divide_results(self.parts[4], is_sum=4 not in self.sums)
        if 4 in self.sums:
            query = "mi" if tiles.is_online else tiles.query
            self.divide_results(self.sums[4], is_sum=True, query=query)
        for handle, position in rows:
            self.divide_rows(handle, position)
        self.divide_squares(0, is_sum=0 not in self.sums)
        if 0 in self.sums:
            self.divide_squares(0, self.sums[0])
        self.divide_squares(2)

    def pad(self) -> None:
        """Pad the queries and keys to multiples of the tiles that do not divide them."""
        tiles = self.tiles
        if tiles.ragged:
            sizes = {tiles.query: tiles.rows, tiles.keys: tiles.step}
            multiples = {axis: n for axis, n in sizes.items() if axis in tiles.ragged}
            padded = self.script.pad_attention(list(self.parts.values()), multiples)
            self.parts = dict(enumerate(padded))

    def is_separate(self, position: int) -> bool:
        """Return whether a compute accumulates in registers and another compute stores the results.

        position: 0 scores, 1 maxima, 2 exponentials, 3 sums, 4 results.
        """
        return position == 0 and not stores_accumulator(self.views[0].outputs[0])

    def place(self) -> None:
        """Bind loops over heads and tiles of queries to the grid; move all computes into them."""
        script, tiles, view = self.script, self.tiles, self.views[4]
        out, inner = self.parts[4], [tiles.column, tiles.keys]
        if not tiles.is_online and not stores_accumulator(view.outputs[0]):
            self.sums[4], out = script.cache_write(out)
            inner.pop()
        out = script.split(out, tiles.query, tiles.rows, ("mo", "mi"))
        out = script.reorder(out, [*tiles.batch, "mo", "mi", *inner])
        loops, counts = ["mo"], [Dim.of(view.axes[tiles.query]).ceildiv(tiles.rows)]
        for number, run in enumerate(runs_of([view], tiles.batch)):
            loops.insert(1, run[0] if len(run) == 1 else f"batch{number or ''}")
            counts.insert(1, element_count(Dim.of(view.axes[axis]) for axis in run))
            if len(run) > 1:
                out = script.fuse(out, run, loops[1])
        blocks = [count.value or 0 for count in counts]
        out = script.bind(out, grid_of(loops, blocks, self.limits))
        if 4 in self.sums:
            self.sums[4], out = script.compute_at(self.sums[4], out, "mo")
        for position in (3, 2, 1, 0):
            self.parts[position], out = script.compute_at(self.parts[position], out, "mo")
        self.parts[4] = out

    # ---- operands

    def copy_operands(self) -> None:
        """Copy tiles of queries, keys and values to shared memory."""
        query, key = self.query_of(0), self.attention.keys_of(0)
        depth = self.views[0].extents[depth_of(self.views[0])[0]]
        for operand, access in enumerate(self.views[0].inputs):
            is_query = query in access.axes()
            axis = query if is_query else key
            tile = self._copy(0, operand, access, is_block=is_query)
            names, at = _names(access), _dimension(access, axis)
            if is_query and self.has_queries_in_registers:
                self.divide_queries(tile, names, at)
                continue
            if at < len(names) - 1 or self.has_rows_apart:
                tile = self._apart(tile, names[-2], access)
            shape = self.tiles.rows if is_query else self.tiles.step, depth
            is_whole = self._is_whole(0, access, at)
            tile = self.copy_tile(tile, names, names[at], shape, is_whole=is_whole)
            if not is_query and self.stages > 1:
                self.script.double_buffer(tile, self.stages)
        own = self.views[2].outputs[0].value
        operand = next(n for n, a in enumerate(self.views[4].inputs) if a.value is not own)
        access = self.views[4].inputs[operand]
        tile, names = self._copy(4, operand, access, is_block=False), _names(access)
        if self.has_rows_apart:
            tile = self._apart(tile, names[-2], access)
        shape = self.tiles.step, self.tiles.columns
        at = _dimension(access, self.attention.keys_of(4))
        is_whole = self._is_whole(4, access, at)
        tile = self.copy_tile(tile, names, names[at], shape, is_whole=is_whole)
        if self.stages > 1:
            self.script.double_buffer(tile, self.stages)

    def _is_whole(self, position: int, access: Access, row: int) -> bool:
        """Return whether no vector of 16 bytes in a row of an operand is partly padding.

        Threads can then copy the row by such vectors.
        position: the number of the compute, as in ``views``.
        access: its access to the operand.
        row: the dimension of the operand that the queries or keys index.
        """
        if not access.axes() & self._ragged(position):
            return True
        lanes = 8 * _BANK_BYTES // bit_width(access.element_type)
        return row < len(access.indices or ()) - 1 and inside_elements(access) % lanes == 0

    def _copy(self, position: int, operand: int, access: Access, *, is_block: bool) -> SSAValue:
        """Copy an operand of a compute to shared memory; return the handle of the copy.

        position: the number of the compute, as in ``views``.
        operand: the number of the operand.
        access: the access to it.
        is_block: whether to copy once per block; otherwise in each step of the loop over keys.
        """
        script, view, names = self.script, self.views[position], _names(access)
        is_local = is_block and self.has_queries_in_registers
        if access.axes() & self._ragged(position):
            copy = script.match(f"{view.name}_in{operand}")
            copy = copy if is_local else script.share(copy, 0)
        else:
            readers = self.sums if position in self.sums else self.parts
            scope = "local" if is_local else "shared"
            copy, readers[position] = script.cache_read(
                readers[position], operand, names, scope=scope
            )
        if self.tiles.is_online and not is_block:
            return script.fuse_into(copy, self.loop)
        copy, self.parts[4] = script.compute_at(copy, self.parts[4], "mo")
        return copy

    def divide_queries(self, handle: SSAValue, names: Sequence[str], row: int) -> None:
        """Divide the copy of the queries that threads keep in registers among these threads.

        handle: the copy.
        names: its axes.
        row: the position of the axis of the queries among them.
        """
        raise NotImplementedError(self.has_queries_in_registers)

    def _apart(self, handle: SSAValue, axis: str, access: Access) -> SSAValue:
        """Make a buffer's row pitch an odd multiple of 16 bytes, against bank conflicts.

        handle: the compute that writes the buffer; the handle after the step is returned.
        axis: the axis of the rows.
        access: an access to values of the buffer's element type.
        """
        row = 8 * _BANK_BYTES // bit_width(access.element_type)
        return self.script.storage_align(handle, axis, 2 * row, row)

    def _ragged(self, position: int) -> set[str]:
        """Return the axes of one of the five computes that are padded to multiples of tiles.

        position: 0 scores, 1 maxima, 2 exponentials, 3 sums, 4 results.
        """
        tiles, found = self.tiles, set[str]()
        if tiles.query in tiles.ragged:
            found.add(self.query_of(position))
        keys = self.attention.keys_of(position)
        if tiles.keys in tiles.ragged and keys is not None:
            found.add(keys)
        return found

    def copy_tile(
        self,
        handle: SSAValue,
        names: Sequence[str],
        row: str,
        shape: tuple[int, int],
        *,
        is_whole: bool,
    ) -> SSAValue:
        """Let all threads of a block copy a tile; adjacent threads copy adjacent elements.

        Return the handle of the copy.
        names: the axes of the copy.
        row: the axis of the queries or keys, which are the rows of the tile.
        shape: the number of rows, and the number of features.
        is_whole: whether no vector of 16 bytes in a row is partly padding.
        """
        script, (rows, columns) = self.script, self.tiles.threads
        handle = script.fuse(handle, names, "element")
        handle = script.split(handle, "element", rows * columns, ("turn", "thread"), guard=True)
        handle = script.split(handle, "thread", columns, ("ty", "tx"))
        return script.bind(handle, {"ty": "threadIdx.y", "tx": "threadIdx.x"})

    # ---- the computes of a block

    def query_of(self, position: int) -> str:
        """Return the name of the axis of queries in one of the five computes.

        position: 0 scores, 1 maxima, 2 exponentials, 3 sums, 4 results.
        """
        return self.attention.sharing.axis_of[position][self.tiles.query]

    def units(self, position: int) -> list[str]:
        """Return the parallel axes of a compute except queries and keys, such as batch and heads.

        Each block computes a single point of these axes.  position: 0 scores, 1 maxima, 2
        exponentials, 3 sums, 4 results.
        """
        tiled = (self.query_of(position), self.attention.keys_of(position))
        return [a for a in self.views[position].parallel_axes() if a not in tiled]

    def divide_squares(
        self, position: int, handle: SSAValue | None = None, *, is_sum: bool = True
    ) -> None:
        """Divide the queries x keys of scores or exponentials among threads.

        The elements of a thread are far apart, so that adjacent threads have adjacent elements.
        position: 0 scores, 2 exponentials.
        handle: the compute to divide, by default the one at the position.
        is_sum: whether the compute has the reduction loops of the scores.
        """
        script, (rows, columns) = self.script, self.tiles.threads
        keys = self.attention.keys_of(position)
        reduced = self.views[position].reduced_axes() if is_sum else []
        assert keys is not None, "there are several keys"
        across = max(n for n in range(1, columns + 1) if self.tiles.step % n == 0)
        handle = self.parts[position] if handle is None else handle
        handle = script.split(handle, self.query_of(position), rows, ("mt", "my"))
        handle = script.split(handle, keys, across, ("nt", "nx"))
        order = [*self.units(position), "my", "nx", *reduced, "mt", "nt"]
        handle = script.bind(
            script.reorder(handle, order), {"my": "threadIdx.y", "nx": "threadIdx.x"}
        )
        script.unroll(script.unroll(handle, "mt"), "nt")

    def divide_rows(self, handle: SSAValue, position: int) -> None:
        """Divide the maxima or sums of the rows of scores among threads, one row per thread.

        position: 1 maxima, 3 sums.
        """
        script, (rows, _) = self.script, self.tiles.threads
        handle = script.split(handle, self.query_of(position), rows, ("mx", "my"))
        script.bind(handle, {"mx": "threadIdx.x", "my": "threadIdx.y"})

    def divide_results(self, handle: SSAValue, *, is_sum: bool = False, query: str = "mi") -> None:
        """Divide the queries x columns of the result among threads.

        The rows of a thread are far apart, its columns adjacent.
        is_sum: whether the compute has the reduction loop over keys.
        query: the name of the axis of queries.
        """
        script, (rows, _), column = self.script, self.tiles.threads, self.tiles.column
        handle = script.split(handle, query, rows, ("mt", "my"))
        handle = script.split(handle, column, _THREAD, ("nx", "nt"))
        order = ["my", "nx", *([self.tiles.keys] if is_sum else []), "mt", "nt"]
        handle = script.bind(
            script.reorder(handle, order), {"my": "threadIdx.y", "nx": "threadIdx.x"}
        )
        script.vectorize(script.unroll(handle, "mt"), "nt", _THREAD)


def _names(access: Access) -> list[str]:
    return [f"c{n}" for n in range(len(access.indices or ()))]


def _dimension(access: Access, axis: str | None) -> int:
    """Return the dimension of an operand that an axis indexes."""
    return next(n for n, e in enumerate(access.indices or ()) if e.variable() == axis)
