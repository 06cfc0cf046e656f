"""Emit the loops around a register tile: over all parallel axes that are not in the tile.

A compute without a register tile has a single cell.  It becomes serial loops over its parallel
axes, loops over its reduced axes that carry the accumulators, and one scalar store.  Every compute
can be lowered this way.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ...dialects.shape import Dim
from ...dialects.te import ComputeOp
from ...support.affine import ZERO, Index, Key, constant
from .collective import CollectiveTile
from .context import Leaf
from .emitter import LoopEmitter
from .horizontal_reduction import HorizontalReduction
from .intrinsic_leaf import intrinsic_of
from .leaf import LeafTile
from .matrix_tile import MatrixTile
from .outputs import output_groups
from .prefetch import Sharing
from .vector_scan import VectorScan

MOST_CELLS = 64
"""Most cells of one tile; loops cover larger tiles, so that code stays small."""

_BLOCK_CHUNKS = 8
"""Vectors per trip of a loop along a long vector axis."""


def emit_leaves(op: ComputeOp, emitter: LoopEmitter, iterations: Sharing | None) -> None:
    """Emit a compute: one tile of an intrinsic for several rows, or loops per group of outputs.

    iterations: how loop iterations share the prefetches of the compute; None if they do not.
    """
    intrinsic = intrinsic_of(op)
    if intrinsic is not None and intrinsic.is_collective:
        CollectiveTile(op, intrinsic, emitter).emit()
    elif intrinsic is not None and intrinsic.is_tile:
        MatrixTile(op, intrinsic, emitter).emit()
    else:
        for group in output_groups(op):
            emit_leaf(Leaf(group, emitter, iterations, op))


def emit_leaf(leaf: Leaf) -> None:
    """Emit an innermost compute (leaf): loops over its parallel axes, and register tiles inside."""
    looped, tiled = _split_axes(leaf)
    axes = {axis: leaf.axes[axis] for axis in looped}
    leaf.emitter.nest(axes, {}, lambda outer: _emit_tiles(leaf, tiled, outer))


def _split_axes(leaf: Leaf) -> tuple[list[str], list[str]]:
    """Divide the parallel axes of a leaf among the loops around the register tile and the tile.

    Returns the axes of the loops, outermost first, and the axes of the tile.
    """
    if not leaf.view.register_tile:
        return leaf.parallel, []
    looped = [a for a in leaf.parallel if isinstance(leaf.axes[a], Dim)]
    tiled = [a for a in leaf.parallel if a not in looped]
    vectors = 1 if leaf.reduces_lanes else min(_chunks(leaf), _BLOCK_CHUNKS)
    while tiled and vectors * prod(leaf.extents[a] for a in tiled) > MOST_CELLS:
        looped.append(tiled.pop(0))
    return looped, tiled


def _chunks(leaf: Leaf) -> int:
    return 1 if leaf.vec is None else -(-leaf.extents[leaf.vec] // leaf.lanes)


def _emit_tiles(leaf: Leaf, tiled: Sequence[str], outer: dict[Key, Index]) -> None:
    """Emit the register tiles along the vector axis: one, or a loop and a remainder.

    tiled: the other axes of the tile.
    outer: the positions along the axes that are fixed outside of the tile.
    """
    if leaf.reduces_lanes:
        HorizontalReduction(leaf, tiled, outer).emit()
        return
    if leaf.vec is not None and leaf.vec == leaf.view.scan:
        VectorScan(leaf, tiled, outer).emit()
        return
    length = leaf.extents[leaf.vec] if leaf.vec is not None else 1
    if _chunks(leaf) * prod(leaf.extents[a] for a in tiled) <= MOST_CELLS:
        LeafTile(leaf, tiled, outer, (ZERO, length)).emit()
        return
    block = _BLOCK_CHUNKS * leaf.lanes
    trips, rest = divmod(length, block)

    def body(index: Index, _carried: object) -> tuple[()]:
        LeafTile(leaf, tiled, outer, (index * block, block)).emit()
        return ()

    leaf.emitter.loop(0, trips, (0, trips - 1), (), body)
    if rest:
        LeafTile(leaf, tiled, outer, (constant(trips * block), rest)).emit()
