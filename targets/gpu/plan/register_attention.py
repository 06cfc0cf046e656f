"""Attention whose scores stay in registers.

In: the five computes of an attention whose exponentials have 16 bits.  Out: the steps of its
schedule.

A warp computes all scores of its queries, so a row of scores belongs to a few adjacent threads (4
for mma.m16n8k16), each of which has some of its columns.  A thread reduces its own columns, and
these threads exchange the results by shuffles.  The maximum, the sum and the factor of a row have a
copy in each of these threads (sched.replicate).  The accumulators of scores are, rounded, the left
operand of the second product, if the fragments of the instruction agree.  So only keys and values
are in shared memory, and the queries if registers are scarce with the fewest keys per step.  Tiles
of keys and values are copied while the block computes the tile before, and a step has one barrier.
A block has 64 queries, or fewer if there are fewer blocks than multiprocessors: the warps of a
block share nothing but copies of tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd, prod

from xdsl.ir import SSAValue

from ....analysis.patterns.attention import Attention
from ....analysis.patterns.attention_mask import visible_end
from ....dialects.shape import Dim
from ....dialects.te import ComputeView, IntrinsicOp
from ....machines.gpu import GpuLimits
from ....machines.gpu_limits import gpu_limits
from ....machines.gpu_numbers import numbers_of
from ....machines.target import Target
from ..intrinsics import intrinsic_of
from .attention import AttentionTiles, depth_of, tiles_first
from .product import divides
from .script import Script
from .tensor_attention import TensorPlanner, TensorTiles, tensor_attention_tiles
from .tile_cost import MOST_REGISTERS

_ROWS, _KEYS = (64, 32), (64, 32)
"""Queries of a block, and keys of a step.  Two blocks of four warps share a multiprocessor: one of
them multiplies while the other one computes exponentials or waits.  Source: on an H100, 32 heads of
2048 queries and 128 features, causal, take 203 us with 128 queries per block, 186 us with 64."""

_ROW = 16
"""The rows of an instruction, and of the result of a warp."""

_HALF = 8
"""The elements by which rows in shared memory are apart, which are 16 bytes."""

_SHUFFLE = "shuffle"
"""The feature of targets whose threads exchange values without shared memory."""

_COPIED = 8
"""The elements that a thread copies at once."""


@dataclass(frozen=True)
class RegisterTiles(TensorTiles):
    """The tiles of an attention whose scores stay in registers.

    parts: the number of tiles of 16 queries that a warp computes.
    keeps_queries: whether a thread keeps the queries that it multiplies in registers.
    stages: the number of tiles of keys, and of values, in shared memory.
    """

    parts: int = 1
    keeps_queries: bool = True
    stages: int = 2

    @property
    def warp_rows(self) -> int:
        """The rows of the result that a warp computes."""
        return _ROW * self.parts

    @property
    def warps(self) -> tuple[int, int]:
        """The numbers of warps of a block along the rows and the columns of the result."""
        return self.rows // self.warp_rows, 1

    @property
    def shared_bytes(self) -> int:
        """The bytes of shared memory that a block needs, with operands of 16 bits."""
        queries = 0 if self.keeps_queries else self.rows * 2 * (self.depth + _HALF)
        return queries + self.stages * self.step * 2 * (self.depth + self.columns + 2 * _HALF)

    @property
    def held_registers(self) -> int:
        """The registers of a thread for results, scores and queries.

        If the last step has fewer keys than the others, each score has a position that the thread
        compares with the end.
        """
        scores = self.warp_rows * self.step // self.warp
        positions = scores if self.keys in self.ragged else 0
        queries = self.warp_rows * self.depth // 2 // self.warp
        return self.warp_rows * self.columns // self.warp + scores + positions + queries

    @property
    def is_scarce(self) -> bool:
        """Whether a thread that keeps its queries has few registers left for other values.

        Results, scores and queries then take more than half of them.  Source: with 160 of 256,
        ptxas 12.9 spills for sm_90a in tests/targets/gpu/plan/test_machine_code.py.
        """
        return 2 * self.held_registers > MOST_REGISTERS

    @property
    def copies(self) -> int:
        """The number of threads that share a row of scores; each has a copy of its maximum."""
        return self.sums.columns // self.sums.pair


def register_attention_tiles(attention: Attention, target: Target) -> RegisterTiles | None:
    """Return the tiles of an attention whose scores stay in registers; None if none fit."""
    general, limits = tensor_attention_tiles(attention, target), gpu_limits(target)
    intrinsic = intrinsic_of(attention.scores.view(), target)
    if general is None or not isinstance(intrinsic, IntrinsicOp) or not agrees(intrinsic):
        return None
    if not target.has(_SHUFFLE):
        return None
    axes = attention.out.view().axes
    keys = axes[general.keys]
    if not isinstance(keys, int):
        return None
    made: list[RegisterTiles] = []
    for step in _KEYS:
        for rows in _row_choices(attention.out.view(), general, target):
            sizes = {general.query: rows, general.keys: step}
            ragged = frozenset(a for a, n in sizes.items() if not divides(n, axes[a]))
            found = RegisterTiles(
                general.batch, general.query, general.column, general.keys, rows, step,
                general.columns, ragged, keys > step, general.intrinsic, general.warp,
                general.sums, general.depth,
            )  # fmt: skip
            found = _released(found, target)
            fits = found.shared_bytes <= limits.most_shared_bytes
            if found.is_online and fits and prod(found.threads) <= limits.threads:
                made.append(found)
    # Fewer keys per step leave registers for the masks of the last keys and for addresses.
    enough = (tiles for tiles in made if not tiles.is_scarce)
    released = [tiles for tiles in made if not tiles.keeps_queries]
    least = min(released or made[:1], key=lambda tiles: tiles.held_registers, default=None)
    return next(enough, least)


def _released(tiles: RegisterTiles, target: Target) -> RegisterTiles:
    """Return tiles whose threads load the queries again in each step, if registers are scarce.

    The queries stay in registers if two blocks could not share a multiprocessor otherwise.
    """
    shared = replace(tiles, keeps_queries=False)
    has_room = 2 * shared.shared_bytes <= numbers_of(target).shared_bytes
    return shared if tiles.is_scarce and has_room else tiles


def _row_choices(out: ComputeView, general: AttentionTiles, target: Target) -> Sequence[int]:
    """Return the numbers of queries per block to try, the best first.

    out: the compute of the results.
    general: the axes of the attention. Numbers with fewer blocks than multiprocessors come last,
    the smallest first among them.
    """
    choices = tiles_first(out.axes[general.query], _ROWS)
    counts = [out.axes[axis] for axis in (*general.batch, general.query)]
    if any(isinstance(n, Dim) for n in counts):
        return choices
    heads, queries = prod(out.extents[a] for a in general.batch), out.extents[general.query]
    most = numbers_of(target).multiprocessors
    enough = [rows for rows in choices if heads * -(-queries // rows) >= most]
    return [*enough, *sorted({*_ROWS, _ROW} - {*enough})]


def agrees(intrinsic: IntrinsicOp) -> bool:
    """Return whether an instruction's accumulators can be the left operand of the same instruction.

    They can if each thread holds the same elements in the accumulators of adjacent instructions as
    in the left operand, so that no data moves between threads.
    """
    sums, lhs = intrinsic.places(0), intrinsic.places(1)
    columns = {column for lane in sums for _, column in lane}
    width = max(columns) + 1
    count = max(column for lane in lhs for _, column in lane) // width + 1
    return all(
        sorted(mine) == sorted((row, column + width * n) for row, column in theirs
                               for n in range(count))
        for mine, theirs in zip(lhs, sums, strict=True)
    )  # fmt: skip


# ---- the schedule


class RegisterPlanner(TensorPlanner):
    """The builder of the script of an attention whose scores stay in registers.

    tiles: the axes and sizes of the attention.
    limits: the limits of the target.
    """

    def __init__(
        self, script: Script, attention: Attention, tiles: RegisterTiles, limits: GpuLimits
    ) -> None:
        super().__init__(script, attention, tiles, limits)
        self.register_tiles = tiles
        self.stages, self.has_queries_in_registers = tiles.stages, tiles.keeps_queries

    def plan(self) -> None:
        """Write all steps of the schedule."""
        script, tiles = self.script, self.register_tiles
        self.pad()
        self.place()
        made = script.online_softmax(
            list(self.parts.values()), tiles.keys, tiles.step, in_place=True
        )
        self.parts = dict(enumerate(made[:5]))
        if self._grows():
            self.parts[4] = script.reverse(self.parts[4], "mo")
        self.loop, start, zero, factor, total, finish, rescale = made[5:]
        partial = [part for position in (1, 3) for part in self._reduce(position)]
        rows = [start, factor, total, self.parts[1], self.parts[3]]
        script.replicate(rows, "copy", tiles.copies, tiles.sums.pair)
        self.sums[0], self.parts[0] = script.cache_write(self.parts[0])
        self.parts[0] = script.split_mask(self.parts[0])
        self.copy_operands()
        for handle in (zero, finish, rescale):
            self.divide_fragments(handle, ("mi", tiles.column), tiles.columns, [])
        for position in (0, 2):
            keys = self.attention.keys_of(position)
            assert keys is not None, "there are several keys"
            axes = (self.query_of(position), keys)
            self.divide_fragments(self.parts[position], axes, tiles.step, self.units(position))
        for handle, position in zip(rows, (1, 1, 3, 1, 3), strict=True):
            self.divide_copies(handle, position)
        for handle, position, name in partial:
            self._divide_partial(handle, position, name)
        self._multiply()

    def _grows(self) -> bool:
        """Return whether later tiles of queries have more keys, as in a causal attention."""
        view, keys = self.views[0], self.attention.keys_of(0)
        end = None if keys is None else visible_end(view, keys)
        return end is not None and end.coefficient(self.query_of(0)) > 0 and self._is_static()

    def _is_static(self) -> bool:
        return isinstance(self.views[4].axes[self.tiles.query], int)

    def _reduce(self, position: int) -> list[tuple[SSAValue, int, str]]:
        """Divide the reduction of scores along the keys into two partial ones and a final one.

        First each thread reduces its columns of each instruction to one result per column of the
        instruction; then pairs of these results are reduced.  The final reduction combines the
        threads that share a row.
        position: the number of the compute: 1 maxima, 3 sums.
        Returns a tuple for each of the two partial reductions: its handle, ``position``, and the
        name of the axis over its results.
        """
        script, sums = self.script, self.own.sums
        axis = self.attention.keys_of(position)
        assert axis is not None, "there are several keys"
        first, final = script.rfactor(self.parts[position], axis, sums.columns, ("nt", "nq"))
        second, final = script.rfactor(final, "nq", sums.pair, ("quad", "pair"), part="outer")
        second = script.share(second, 0)
        self.parts[position] = final
        return [(first, position, "nq"), (second, position, "quad")]

    # ---- the threads of each compute

    def copy_tile(
        self,
        handle: SSAValue,
        names: Sequence[str],
        row: str,
        shape: tuple[int, int],
        *,
        is_whole: bool,
    ) -> SSAValue:
        """Let the threads of a block copy a tile; a warp copies parts of adjacent rows at a time.

        The number of rows, and of parts per row, is a power of 2, so that the position of an
        element determines the thread that copies it.  Return the handle of the copy.
        names: the axes of the copy.
        row: the axis of the queries or keys, which are the rows of the tile.
        shape: the number of rows, and the number of columns.
        is_whole: whether no vector of 16 bytes in a row is partly padding.
        """
        script, tiles, last = self.script, self.register_tiles, names[-1]
        part = _COPIED if is_whole else 1
        rows, features = shape
        across = gcd(features // part, tiles.warp)
        down = min(tiles.warp // across, rows)
        if part > 1:
            handle = script.split(handle, last, part, ("parts", "part"))
            last = "parts"
        handle = script.split(handle, last, across, ("again", "lx"))
        handle = script.split(handle, row, down, ("groups", "ly"))
        warps = min(tiles.warps[0], rows // down)
        handle = script.split(handle, "groups", warps, ("turn", "wy"))
        others = [name for name in names[:-1] if name != row]
        order = [*others, "turn", "again", "wy", "ly", "lx", *(["part"] if part > 1 else [])]
        handle = script.fuse(script.reorder(handle, order), ["ly", "lx"], "lane")
        handle = script.bind(handle, {"wy": "threadIdx.z", "lane": "threadIdx.x"})
        return script.vectorize(handle, "part", part) if part > 1 else handle

    def divide_copies(self, handle: SSAValue, position: int) -> None:
        """Divide the maxima or sums of rows among threads: each computes its own copy.

        handle: the compute.
        position: 1 maxima, 3 sums.
        """
        is_final = handle is self.parts[position]
        handle = self._divide_row(handle, position, "copy", ["quad"] if is_final else [])
        if is_final:
            self.script.vectorize(handle, "quad", self.register_tiles.copies)

    def _divide_partial(self, handle: SSAValue, position: int, name: str) -> None:
        """Divide the results of a partial reduction among the threads that share a row of scores.

        handle: the partial reduction.
        position: the compute that it is a part of; 1 maxima, 3 sums.
        name: the axis over the partial results.
        """
        if name == "quad":
            handle = self._divide_row(handle, position, "quad", ["pair"])
            self.script.unroll(handle, "pair")
            return
        handle = self.script.split(handle, name, self.own.sums.pair, ("quad", "pair"))
        handle = self._divide_row(handle, position, "quad", ["pair", "nt"])
        for axis in ("pair", "nt"):
            handle = self.script.unroll(handle, axis)

    def _divide_row(
        self, handle: SSAValue, position: int, lanes: str, inner: Sequence[str]
    ) -> SSAValue:
        """Divide a compute on rows of scores among warps, and among the threads that share a row.

        handle: the compute.
        position: which of the five computes it belongs to.
        lanes: the axis whose positions are the threads that share a row.
        inner: the loops inside of a thread.
        """
        script = self.script
        handle = self._split_row(handle, self.query_of(position))
        order = [*self.units(position), "wy", "row", lanes, "mt", "half", *inner]
        handle = script.fuse(script.reorder(handle, order), ["row", lanes], "lane")
        handle = script.bind(handle, {"wy": "threadIdx.z", "lane": "threadIdx.x"})
        return script.unroll(script.unroll(handle, "mt"), "half")

    def _split_row(self, handle: SSAValue, axis: str) -> SSAValue:
        """Split an axis of queries into warps, tiles of a warp, and the rows of a fragment."""
        script = self.script
        handle = script.split(handle, axis, self.own.warp_rows, ("wy", "mw"))
        handle = script.split(handle, "mw", _ROW, ("mt", "mq"))
        return script.split(handle, "mq", self.own.sums.rows, ("half", "row"))

    def divide_queries(self, handle: SSAValue, names: Sequence[str], row: int) -> None:
        """Load the queries into registers in the arrangement of the instruction's left operand.

        handle: the copy of the queries.
        names: its axes.
        row: the position of the axis of the queries among them.
        """
        script, sums, depth = self.script, self.own.sums, names[-1]
        others = [name for name in names[:-1] if name != names[row]]
        handle = self._split_row(handle, names[row])
        handle = script.split(handle, depth, sums.columns, ("nt", "nq"))
        handle = script.split(handle, "nq", sums.pair, ("quad", "pair"))
        order = [*others, "wy", "row", "quad", "mt", "half", "nt", "pair"]
        handle = script.fuse(script.reorder(handle, order), ["row", "quad"], "lane")
        handle = script.bind(handle, {"wy": "threadIdx.z", "lane": "threadIdx.x"})
        for axis in ("mt", "half", "nt"):
            handle = script.unroll(handle, axis)
        script.vectorize(handle, "pair", sums.pair)

    def _multiply(self) -> None:
        """Compute both matrix products by the instruction, in loops over the terms of a step."""
        script, tiles, attention = self.script, self.register_tiles, self.attention
        keys, depth = attention.keys_of(0), depth_of(self.views[0])[0]
        assert keys is not None, "there are several keys"
        rows = tiles.warp_rows
        handle = script.split(self.sums[0], self.query_of(0), rows, ("wy", "mw"))
        handle = script.reorder(handle, [*self.units(0), "wy", "mw", keys, depth])
        handle = script.bind(handle, {"wy": "threadIdx.z"})
        script.tensorize(handle, tiles.intrinsic, "mw")
        handle = script.split(self.parts[4], "mi", rows, ("wy", "mw"))
        handle = script.reorder(handle, ["wy", "mw", tiles.column, tiles.keys])
        handle = script.bind(handle, {"wy": "threadIdx.z"})
        script.tensorize(handle, tiles.intrinsic, "mw")
