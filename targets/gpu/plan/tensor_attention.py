"""Attention by matrix instructions for operands of f16 and bf16.

In: the five computes of an attention whose exponentials have 16 bits.  Out: the steps of its
schedule.

The warps of a block divide tiles of scores and of the result as in a matrix product (tile_cost.py).
Scores are f32 in shared memory, so that all threads compute their exponentials, which are rounded
to 16 bits there: the second product reads them as an operand.  Weighted sums stay in registers;
each step multiplies them by the factor of the new maximum, and adds to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import SSAValue

from ....analysis.patterns.attention import Attention
from ....dialects.te import IntrinsicOp
from ....machines.gpu import GpuLimits
from ....machines.gpu_limits import gpu_limits
from ....machines.target import Target
from ..intrinsics import intrinsic_of
from .attention import AttentionPlanner, AttentionTiles, attention_tiles, depth_of, tiles_first
from .product import divides
from .script import Script
from .tensor_tiles import Sums, sums_of
from .warps import divide_elements, divide_fragments

_ROWS, _KEYS = (64, 32, 16), 32
"""Queries of a block, and keys of a step: the maximum and sum of a row have one thread."""

_BANK_BYTES, _ROW_BYTES, _COPY_BYTES = 16, 5 * 4, 16
_LEAST, _MOST_WARP_ROWS, _MOST_WARP_COLUMNS = 16, 32, 64
"""The rows and columns of an instruction; the most rows of a warp, and the most columns of a warp
with that many rows, whose threads have 64 accumulators each."""


@dataclass(frozen=True)
class TensorTiles(AttentionTiles):
    """The tiles of an attention whose matrix products use an intrinsic.

    intrinsic: its name.
    warp: the number of threads that execute it.
    sums: how a thread holds the accumulators of an instruction.
    depth: the number of features of queries and keys.
    """

    intrinsic: str
    warp: int
    sums: Sums
    depth: int

    @property
    def warp_rows(self) -> int:
        """The rows of the result that a warp computes."""
        most = _MOST_WARP_ROWS if _part(self.columns) <= _MOST_WARP_COLUMNS else _LEAST
        return min(max(self.rows // 2, _LEAST), most)

    @property
    def warps(self) -> tuple[int, int]:
        """The numbers of warps of a block along the rows and the columns."""
        return self.rows // self.warp_rows, self.columns // _part(self.columns)

    @property
    def warp_keys(self) -> int:
        """The columns (keys) of scores that a warp computes."""
        return self.step // min(self.warps[1], self.step // _LEAST)

    @property
    def threads(self) -> tuple[int, int]:
        """The numbers of threads of a block along the rows and the columns."""
        return self.warps[0], self.warps[1] * self.warp

    @property
    def shared_bytes(self) -> int:
        """The bytes of shared memory that a block needs, with operands of 16 bits."""
        rows = self.rows * (6 * self.step + 2 * self.depth + 3 * 2 * _BANK_BYTES + _ROW_BYTES)
        return rows + self.step * 2 * (self.depth + self.columns + 2 * _BANK_BYTES)


def _part(columns: int) -> int:
    """Return the number of columns of the result that a warp computes: all of them, or half.

    With half, two warps share the rows; these warps also divide the keys of a step, which are two
    instructions of 16 keys each.
    """
    is_even = columns > 2 * _LEAST and columns % (2 * _LEAST) == 0
    return columns // 2 if is_even else columns


def tensor_attention_tiles(attention: Attention, target: Target) -> TensorTiles | None:
    """Return the tiles of an attention by matrix instructions; None if no instruction fits."""
    limits, scores = gpu_limits(target), attention.scores.view()
    general = attention_tiles(attention, limits)
    operands = {a.element_type for a in (*scores.inputs, *attention.out.view().inputs)}
    operands -= {attention.exps.view().outputs[0].element_type}
    intrinsic = intrinsic_of(scores, target)
    if general is None or not isinstance(intrinsic, IntrinsicOp) or len(operands) > 1:
        return None
    depth = scores.extents[depth_of(scores)[0]]
    keys = attention.out.view().axes[general.keys]
    is_single = isinstance(keys, int) and keys <= _KEYS
    if depth % _LEAST or general.columns % _LEAST or is_single:
        return None
    for rows in tiles_first(attention.out.view().axes[general.query], _ROWS):
        found = _tiles(attention, general, intrinsic, rows, depth)
        if prod(found.threads) <= limits.threads and found.shared_bytes <= limits.shared_bytes:
            return found
    return None


def _tiles(
    attention: Attention, general: AttentionTiles, intrinsic: IntrinsicOp, rows: int, depth: int
) -> TensorTiles:
    axes = attention.out.view().axes
    sizes = {general.query: rows, general.keys: _KEYS}
    ragged = frozenset(a for a, n in sizes.items() if not divides(n, axes[a]))
    return TensorTiles(
        general.batch, general.query, general.column, general.keys, rows, _KEYS, general.columns,
        ragged, True, intrinsic.label, intrinsic.thread_count, sums_of(intrinsic), depth,
    )  # fmt: skip


# ---- the schedule


class TensorPlanner(AttentionPlanner):
    """The builder of the script of an attention whose products use matrix instructions.

    tiles: the axes and tiles of the attention.
    limits: the limits of the target.
    """

    has_rows_apart = True

    def __init__(
        self, script: Script, attention: Attention, tiles: TensorTiles, limits: GpuLimits
    ) -> None:
        super().__init__(script, attention, tiles, limits)
        self.own = tiles

    def is_separate(self, position: int) -> bool:
        """Return whether a compute accumulates in registers and another one stores the results.

        True for the two matrix products.
        position: the number of the compute: 0 scores, 1 maxima, 2 exponentials, 3 sums, 4 results.
        """
        return position in (0, 4)

    def divide_results(self, handle: SSAValue, *, is_sum: bool = False, query: str = "mi") -> None:
        """Divide the results among threads in the arrangement of the intrinsic's accumulators.

        is_sum: whether the compute has the reduction loop over keys.  query: the name of the axis
        of queries.
        """
        tiles = self.own
        axes, columns = (query, tiles.column), _part(tiles.columns)
        if is_sum:
            self._product(handle, axes, tiles.keys, tiles.step, columns, [])
        else:
            self.divide_fragments(handle, axes, columns, [])

    def divide_squares(
        self, position: int, handle: SSAValue | None = None, *, is_sum: bool = True
    ) -> None:
        """Divide scores among threads in the arrangement of the intrinsic, and exponentials evenly.

        position: 0 scores, 2 exponentials.
        handle: the compute, by default the one at the position.
        is_sum: whether the compute has the reduction loops that scores are summed over.
        """
        tiles, view, keys = self.own, self.views[position], self.attention.keys_of(position)
        assert keys is not None, "there are several keys"
        axes, units = (self.query_of(position), keys), self.units(position)
        handle = self.parts[position] if handle is None else handle
        if position == 2:
            self.spread_elements(handle, view.parallel_axes(), tiles.rows * tiles.step, 1)
        elif is_sum:
            depth = depth_of(view)[0]
            self._product(handle, axes, depth, tiles.depth, tiles.warp_keys, units)
        else:
            self.divide_fragments(handle, axes, tiles.warp_keys, units)

    def divide_rows(self, handle: SSAValue, position: int) -> None:
        """Divide the maxima or sums of the rows of scores among threads, one row per thread.

        position: 1 maxima, 3 sums.
        """
        rows = min(self.own.rows, self.own.warp)
        handle = self.script.split(handle, self.query_of(position), rows, ("wy", "lane"))
        self.script.bind(handle, {"wy": "threadIdx.z", "lane": "threadIdx.x"})

    def copy_tile(
        self,
        handle: SSAValue,
        names: Sequence[str],
        row: str,
        shape: tuple[int, int],
        *,
        is_whole: bool,
    ) -> SSAValue:
        """Let the threads of a block copy a tile, by vectors if no vector is partly padding.

        Return the handle of the copy.
        names: the axes of the copy.
        row: the axis of the queries or keys, which are the rows of the tile.
        shape: the number of rows, and the number of columns.
        is_whole: whether no vector of 16 bytes in a row is partly padding. If False, or if vectors
        do not divide the tile evenly, the threads copy single elements.
        """
        threads, size = prod(self.own.threads), prod(shape)
        parts = [n for n in (_COPY_BYTES // 2, 4, 2) if is_whole and size % (n * threads) == 0]
        return self.spread_elements(handle, names, size, parts[0] if parts else 1)

    def spread_elements(
        self, handle: SSAValue, axes: Sequence[str], size: int, part: int
    ) -> SSAValue:
        """Divide elements evenly among warps; adjacent threads have adjacent elements.

        axes: the axes of the elements.
        size: their number.
        part: the number of adjacent elements in each vector of a thread. Warps that would make the
        division uneven get no elements.
        Returns the compute.
        """
        rows, columns = self.own.warps
        groups = size // part // self.own.warp
        columns = max(n for n in range(1, columns + 1) if groups % n == 0)
        rows = max(n for n in range(1, rows + 1) if groups // columns % n == 0)
        return divide_elements(self.script, handle, axes, part, self.own.warp, (rows, columns))

    def _product(
        self,
        handle: SSAValue,
        axes: tuple[str, str],
        reduced: str,
        terms: int,
        columns: int,
        units: Sequence[str],
    ) -> None:
        """Divide the accumulators of a product among warps, and its reduction into steps.

        axes: the axes of rows and columns.
        reduced: the reduction axis.
        terms: its extent.
        columns: the columns of a warp.
        units: parallel axes of which a block has a single point.
        """
        script, tiles = self.script, self.own
        step = 2 * _LEAST if terms % (2 * _LEAST) == 0 else _LEAST
        handle = script.split(handle, reduced, step, ("ko", "ki"))
        handle = script.split(handle, axes[0], tiles.warp_rows, ("wy", "mw"))
        handle = script.split(handle, axes[1], columns, ("wx", "nw"))
        handle = script.reorder(handle, ["ko", *units, "wy", "wx", "mw", "nw", "ki"])
        handle = script.bind(handle, {"wy": "threadIdx.z", "wx": "threadIdx.y"})
        start, handle = script.decompose_reduction(handle, "ko")
        self.divide_fragments(start, axes, columns, units)
        script.tensorize(handle, tiles.intrinsic, "mw")

    def divide_fragments(
        self, handle: SSAValue, axes: tuple[str, str], columns: int, units: Sequence[str]
    ) -> None:
        """Divide a product's accumulators among threads in the arrangement of the intrinsic.

        axes: the axes of rows and columns.
        columns: the columns of a warp.
        units: parallel axes of which a block has a single point.
        """
        tile = self.own.warp_rows, columns
        divide_fragments(self.script, handle, self.own.sums, axes, tile, units)
