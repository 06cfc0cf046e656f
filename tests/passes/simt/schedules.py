"""Fork-join schedules of products, softmax and convolutions, and their mapped kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.dialects.func import FuncOp

from tilewright import te
from tilewright.analysis.bounds.positions import verify_positions
from tilewright.lowering.te_to_loop.te_to_loop import lower_kernel
from tilewright.machines.gpu import GpuLimits
from tilewright.passes.simt.check_threads import check_threads
from tilewright.passes.simt.map_threads import map_threads
from tilewright.passes.simt.place_barriers import place_barriers
from tilewright.passes.simt.private_buffers import shrink_buffers

LIMITS = GpuLimits()


@dataclass(frozen=True)
class Tiles:
    """The tiles of a product: of a block, of a step along k, of a thread; lanes of a vector."""

    block: int = 32
    step: int = 8
    thread: int = 4
    lanes: int = 4


TILES = Tiles()


def matmul(
    m: int,
    n: int,
    k: Any,
    tiles: Tiles = TILES,
    *,
    decompose: bool = True,
    transpose: bool = False,
    double: bool = False,
    stages: int = 2,
    late: bool = False,
    stage: bool = False,
) -> tuple[Any, list[Any]]:
    """A product with tiles of both operands in shared memory.

    decompose: zero the accumulators first.  transpose: store the left tile by columns.  double:
    several tiles per operand, with stages and late as there.  stage: load a tile to registers
    before it is stored.
    """
    a, b = te.placeholder((m, k), name="A"), te.placeholder((k, n), name="B")
    r = te.reduce_axis((0, k), name="k")
    c = te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="C")
    s = te.create_schedule(c.op)
    local = s[c].cache_write("local")
    inner = _block_tiles(s[c], c.op.axis, tiles)
    local.compute_at(s[c], inner)
    ko, _ = _accumulate(local, tiles)
    if decompose:
        _per_thread(local.decompose_reduction(ko), tiles)
    for operand in (a, b):
        tile = local.cache_read(operand, "shared")
        tile.compute_at(local, ko)
        vectorize = not (transpose and operand is a)
        _share(tile, tiles, vectorize=vectorize)
        if stage:
            registers = tile.cache_read(0, "local")
            registers.compute_at(local, ko)
            _share(registers, tiles, vectorize=True)
            registers.double_buffer()
        if transpose and operand is a:
            tile.transform_layout(lambda i, j: (j, i))
        if double:
            tile.double_buffer(stages=stages, late=late)
    return s, [a, b, c]


def _block_tiles(stage: Any, axes: Any, tiles: Tiles) -> Any:
    mo, mi = stage.split(axes[0], factor=tiles.block)
    no, ni = stage.split(axes[1], factor=tiles.block)
    my, mii = stage.split(mi, factor=tiles.thread)
    nx, nii = stage.split(ni, factor=tiles.thread)
    stage.reorder(mo, no, my, nx, mii, nii)
    for axis, thread in zip(
        (mo, no, my, nx), ("blockIdx.y", "blockIdx.x", "threadIdx.y", "threadIdx.x"), strict=True
    ):
        stage.bind(axis, thread)
    stage.unroll(mii)
    stage.vectorize(nii, tiles.lanes)
    return no


def _accumulate(stage: Any, tiles: Tiles) -> tuple[Any, Any]:
    (m, n), (k,) = stage.op.axis, stage.op.reduce_axis
    ko, ki = stage.split(k, factor=tiles.step)
    my, mi = stage.split(m, factor=tiles.thread)
    nx, ni = stage.split(n, factor=tiles.thread)
    stage.reorder(ko, my, nx, ki, mi, ni)
    stage.bind(my, "threadIdx.y")
    stage.bind(nx, "threadIdx.x")
    stage.unroll(mi)
    stage.vectorize(ni, tiles.lanes)
    return ko, ki


def _per_thread(stage: Any, tiles: Tiles) -> None:
    i, j = stage.op.axis
    io, ii = stage.split(i, factor=tiles.thread)
    jo, ji = stage.split(j, factor=tiles.thread)
    stage.reorder(io, jo, ii, ji)
    stage.bind(io, "threadIdx.y")
    stage.bind(jo, "threadIdx.x")
    stage.unroll(ii)
    stage.vectorize(ji, tiles.lanes)


def _share(stage: Any, tiles: Tiles, *, vectorize: bool) -> None:
    """Let all threads of the block copy a tile."""
    threads = tiles.block // tiles.thread
    fused, lane = stage.split(stage.fuse(*stage.op.axis), factor=tiles.lanes)
    fused, tx = stage.split(fused, factor=threads)
    fused, ty = stage.split(fused, factor=threads)
    stage.bind(ty, "threadIdx.y")
    stage.bind(tx, "threadIdx.x")
    if vectorize:
        stage.vectorize(lane, tiles.lanes)


def softmax(rows: int, columns: int, threads: int) -> tuple[Any, list[Any]]:
    """A softmax with one block per row; the threads have partial results in shared memory."""
    x = te.placeholder((rows, columns), name="X")
    k, q = (te.reduce_axis((0, columns), name=name) for name in "kq")
    most = te.compute((rows,), lambda i: te.max(x[i, k], axis=k), name="most")
    power = te.compute((rows, columns), lambda i, j: te.exp(x[i, j] - most[i]), name="power")
    total = te.compute((rows,), lambda i: te.sum(power[i, q], axis=q), name="total")
    y = te.compute((rows, columns), lambda i, j: power[i, j] / total[i], name="Y")
    s = te.create_schedule(y.op)
    row = y.op.axis[0]
    s[y].bind(row, "blockIdx.x")
    s[y].bind(s[y].split(y.op.axis[1], factor=threads)[1], "threadIdx.x")
    partials: list[Any] = []
    s[total].compute_at(s[y], row)
    partials.append(s[total].rfactor(q, threads))
    s[power].compute_at(s[y], row)
    s[most].compute_at(s[y], row)
    partials.append(s[most].rfactor(k, threads))
    s[power].bind(s[power].split(power.op.axis[1], factor=threads)[1], "threadIdx.x")
    for stage in partials:
        lane = next(a for a in stage.loops if a[0] in "kq" and a.endswith("i"))
        stage.bind(lane, "threadIdx.x")
        stage.set_scope("shared")
    for tensor in (total, power, most):
        s[tensor].set_scope("shared")
    return s, [x, y]


def conv(channels: int, size: int, filters: int) -> tuple[Any, list[Any]]:
    """A padded 3x3 convolution without shared memory."""
    x = te.placeholder((channels, size, size), name="X")
    w = te.placeholder((filters, channels, 3, 3), name="W")
    c, r, q = (
        te.reduce_axis((0, n), name=name) for n, name in ((channels, "c"), (3, "r"), (3, "q"))
    )
    padded = te.compute(
        (channels, size + 2, size + 2),
        lambda c, i, j: te.if_then_else(
            te.all(i >= 1, i < size + 1, j >= 1, j < size + 1), x[c, i - 1, j - 1], 0.0
        ),
        name="P",
    )
    y = te.compute(
        (filters, size, size),
        lambda f, i, j: te.sum(padded[c, i + r, j + q] * w[f, c, r, q], axis=[c, r, q]),
        name="Y",
    )
    s = te.create_schedule(y.op)
    s[padded].compute_inline()
    f, i, j = y.op.axis
    fo, fi = s[y].split(f, factor=4)
    io, ii = s[y].split(i, factor=4)
    s[y].reorder(fo, io, ii, j, fi)
    for axis, thread in zip(
        (fo, io, ii, j), ("blockIdx.y", "blockIdx.x", "threadIdx.y", "threadIdx.x"), strict=True
    ):
        s[y].bind(axis, thread)
    s[y].unroll(fi)
    return s, [x, w, y]


LARGE = Tiles(block=128, step=8, thread=8, lanes=4)
SPILL_FREE = {
    "product": lambda: matmul(1024, 1024, 1024, LARGE),
    "product_double": lambda: matmul(1024, 1024, 1024, LARGE, transpose=True, double=True),
    "softmax": lambda: softmax(64, 1024, 128),
    "conv": lambda: conv(16, 32, 32),
}
"""Schedules whose kernels need no spills on any GPU."""


def fork_join(schedule: Any) -> FuncOp:
    """Return the only kernel of a schedule as loops."""
    (kernel,) = schedule.kernels
    return lower_kernel(kernel.clone())


def mapped(function: FuncOp, limits: GpuLimits = LIMITS) -> FuncOp:
    """Run all passes of the simt level on a kernel, and prove the positions after it."""
    check_threads(function, limits)
    place_barriers(function)
    map_threads(function)
    shrink_buffers(function)
    function.verify()
    verify_positions(function)
    return function
