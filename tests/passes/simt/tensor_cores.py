"""Schedules of products that the warps of a GPU multiply with matrix instructions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewright import te
from tilewright.frontend.te.intrinsic import Intrinsic
from tilewright.targets.gpu.intrinsics import make_matrix_intrinsic

DTYPES = {"f16": "float16", "bf16": "bfloat16"}
WARP = 32


@dataclass(frozen=True)
class WarpTiles:
    """Rows and columns of a block and of a warp, and the step along k."""

    block: tuple[int, int] = (64, 64)
    warp: tuple[int, int] = (32, 32)
    step: int = 32


TILES = WarpTiles()


def tensor_product(
    m: int, n: int, k: int, dtype: str = "f16", tiles: WarpTiles = TILES
) -> tuple[Any, list[Any]]:
    """A product of 16-bit floats: shared tiles, and a tile of the result per warp."""
    a = te.placeholder((m, k), DTYPES[dtype], name="A")
    b = te.placeholder((k, n), DTYPES[dtype], name="B")
    r = te.reduce_axis((0, k), name="k")
    c = te.compute(
        (m, n),
        lambda i, j: te.sum(a[i, r].astype("float32") * b[r, j].astype("float32"), axis=r),
        name="C",
    )
    s = te.create_schedule(c.op)
    sums = s[c].cache_write("local")
    mo, mi = s[c].split(c.op.axis[0], factor=tiles.block[0])
    no, ni = s[c].split(c.op.axis[1], factor=tiles.block[1])
    _fragments(s[c], (mi, ni), tiles, [mo, no])
    s[c].bind(mo, "blockIdx.y")
    s[c].bind(no, "blockIdx.x")
    sums.compute_at(s[c], no)
    (i, j), (kk,) = sums.op.axis, sums.op.reduce_axis
    ko, ki = sums.split(kk, factor=tiles.step)
    wy, mw = sums.split(i, factor=tiles.warp[0])
    wx, nw = sums.split(j, factor=tiles.warp[1])
    sums.reorder(ko, wy, wx, mw, nw, ki)
    sums.bind(wy, "threadIdx.z")
    sums.bind(wx, "threadIdx.y")
    start = sums.decompose_reduction(ko)
    _fragments(start, start.op.axis, tiles, [])
    for operand in (a, b):
        tile = sums.cache_read(operand, "shared")
        tile.compute_at(sums, ko)
        _share(tile, tiles)
    sums.tensorize(mw, Intrinsic(make_matrix_intrinsic(f"mma_m16n8k16_{dtype}")))
    return s, [a, b, c]


def _fragments(stage: Any, axes: Any, tiles: WarpTiles, around: list[Any]) -> None:
    """Give each thread the elements that it holds of the sums of a matrix instruction."""
    wy, mw = stage.split(axes[0], factor=tiles.warp[0])
    wx, nw = stage.split(axes[1], factor=tiles.warp[1])
    mt, mq = stage.split(mw, factor=16)
    half, row = stage.split(mq, factor=8)
    nt, nq = stage.split(nw, factor=8)
    quad, pair = stage.split(nq, factor=2)
    stage.reorder(*around, wy, wx, row, quad, mt, half, nt, pair)
    lane = stage.fuse(row, quad)
    for axis, thread in ((wy, "z"), (wx, "y"), (lane, "x")):
        stage.bind(axis, f"threadIdx.{thread}")
    for axis in (mt, half, nt):
        stage.unroll(axis)
    stage.vectorize(pair, 2)


def _share(stage: Any, tiles: WarpTiles) -> None:
    """Let all threads of the block copy a tile, 16 bytes each."""
    rest, part = stage.split(stage.fuse(*stage.op.axis), factor=8)
    rest, lane = stage.split(rest, factor=WARP)
    rest, wx = stage.split(rest, factor=tiles.block[1] // tiles.warp[1])
    _, wy = stage.split(rest, factor=tiles.block[0] // tiles.warp[0])
    for axis, thread in ((wy, "z"), (wx, "y"), (lane, "x")):
        stage.bind(axis, f"threadIdx.{thread}")
    stage.vectorize(part, 8)
