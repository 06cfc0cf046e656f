"""The steps by which the warps of a block divide copies, and the sums of matrix instructions.

In: the handle of a compute.  Out: its loops, bound to the warps and the threads of a block.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from .script import Script
from .tensor_tiles import INSTRUCTION_ROWS, Sums

_THREADS = {"wy": "threadIdx.z", "wx": "threadIdx.y", "lane": "threadIdx.x"}


def divide_elements(
    script: Script,
    handle: SSAValue,
    axes: Sequence[str],
    part: int,
    warp: int,
    warps: tuple[int, int],
) -> SSAValue:
    """Divide elements among warps; adjacent threads have adjacent elements.  Return the compute.

    axes: the axes of the elements.
    part: the elements that a thread accesses at once.
    warp: the threads of a warp.
    warps: the numbers of warps along the rows and the columns of the block.
    """
    handle, rest = script.fuse(handle, axes, "element"), "element"
    if part > 1:
        handle, rest = script.split(handle, rest, part, ("parts", "part")), "parts"
    handle = script.split(handle, rest, warp, ("groups", "lane"))
    handle = script.split(handle, "groups", warps[1], ("turns", "wx"))
    handle = script.split(handle, "turns", warps[0], ("turn", "wy"))
    handle = script.bind(handle, _THREADS)
    return script.vectorize(handle, "part", part) if part > 1 else handle


def divide_fragments(
    script: Script,
    handle: SSAValue,
    sums: Sums,
    axes: tuple[str, str],
    tile: tuple[int, int],
    around: Sequence[str],
    *,
    has_pairs: bool = True,
) -> SSAValue:
    """Divide a product's sums among threads in the arrangement of a matrix instruction.

    sums: how a thread holds the sums of an instruction.
    axes: the axes of rows and columns.
    tile: the rows and columns of a warp.
    around: the axes of the loops outside of the loops over the tile.
    has_pairs: whether pairs of adjacent sums may be stored as vectors.
    Returns the compute.
    """
    handle = script.split(handle, axes[0], tile[0], ("wy", "mw"))
    handle = script.split(handle, axes[1], tile[1], ("wx", "nw"))
    handle = script.split(handle, "mw", INSTRUCTION_ROWS, ("mt", "mq"))
    rest = "half" if sums.lane[0] == "row" else "row"
    handle = script.split(handle, "mq", sums.rows, ("half", "row"))
    pair = ["pair"] if sums.pair > 1 else []
    handle = script.split(handle, "nw", sums.columns, ("nt", "nq" if pair else "quad"))
    if pair:
        handle = script.split(handle, "nq", sums.pair, ("quad", "pair"))
    order = [*around, "wy", "wx", *sums.lane, "mt", rest, "nt", *pair]
    handle = script.fuse(script.reorder(handle, order), sums.lane, "lane")
    handle = script.bind(handle, _THREADS)
    for axis in ("mt", rest, "nt"):
        handle = script.unroll(handle, axis)
    if not pair:
        return handle
    if not has_pairs:
        return script.unroll(handle, "pair")
    return script.vectorize(handle, "pair", sums.pair)
