"""Products of narrow numbers with matrix instructions: a tile of the result per warp.

In: the view of a compute.  Out: the steps of its schedule, or the reason why it has none.

    C[b, m, n] += A[b, m, k] * B[b, k, n]

    Operands are f16, bf16 or rounded f32, with sums in f32, or bytes, with sums in i32.

G10  All threads of a block copy a tile of each operand to shared memory.  Then each warp multiplies
     its rows by its columns with an intrinsic of targets/gpu/intrinsics.py, and keeps the sums in
     registers.  Tiles that reach beyond an axis read zeros there, as in G7.
     Rows of a tile are an odd multiple of 16 bytes apart, so the eight rows that ldmatrix reads at
     once are in different banks.  A warp of MFMA has 64 threads.
G11  The tile of a block has the least time in a model of one multiprocessor: multiply-adds, reads
     of both operands, and whole turns of all multiprocessors.  A warp has a half of the rows, and a
     half or a quarter of the columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

from xdsl.dialects.builtin import BFloat16Type, Float16Type, f32, i8
from xdsl.ir import Attribute, SSAValue

from ....analysis.intrinsics import Difference, match_bodies
from ....dialects.dtypes import bit_width
from ....dialects.shape import Dim, Extent
from ....dialects.simt import MFMA, MMA, WMMA, MmaOp
from ....dialects.te import ComputeView, IntrinsicOp
from ....support.gpu_limits import gpu_limits
from ....support.target import Target
from ..intrinsics import MATRIX_INTRINSICS, make_matrix_intrinsic
from .product import LEAST, ProductAxes, divides, product_axes
from .script import Script

_SIZES = (128, 64, 32, 16)
_OPEN_SIZE = 64
_OPEN_EXTENT = 1024
"""The tile of an axis of an open size, and the extent that the model takes for it."""

_PROCESSORS, _MULTIPLIES, _READ_BYTES = 108, 1024, 48
"""Multiprocessors of an A100, and what one does per cycle: f16 multiply-adds, twice as many of
bytes; bytes read from the L2 cache.  Source: NVIDIA A100 whitepaper, 312e12 operations per second
at 1.41 GHz, 5120 bytes per cycle."""

_MOST_WARP_ROWS, _MOST_WARP_COLUMNS = 64, 32
"""A larger tile of a warp needs more than 64 registers of a thread for its sums."""

_ROW_BYTES = 16
"""The bytes of a row of ldmatrix, and those that a thread copies at once."""


@dataclass(frozen=True)
class _Sums:
    """The sums that the threads of a warp have of one instruction, which has 16 rows.

    columns: those of the instruction.  rows, pair: the extents that rows and columns are split by.
    lane: the parts of rows and columns whose positions are the number of the thread.
    """

    columns: int
    rows: int
    pair: int
    lane: tuple[str, str]


_SUMS = {
    MMA: _Sums(8, 8, 2, ("row", "quad")),
    MFMA: _Sums(16, 4, 1, ("half", "quad")),
    WMMA: _Sums(16, 2, 1, ("row", "quad")),
}
"""By the unit: as the fragments of the results of its intrinsics say."""


@dataclass(frozen=True)
class TensorProduct:
    """The axes of a product and its tiles.

    bytes: the size of an element.  rows, columns: the tile of a block.  warp_rows, warp_columns:
    that of a warp, which has ``warp`` threads.  step: the extent along k.  ragged: the axes that
    tiles do not divide.
    """

    axes: ProductAxes
    intrinsic: str
    warp: int
    sums: _Sums
    bytes: int
    rows: int
    columns: int
    step: int
    ragged: frozenset[str]

    @property
    def warp_rows(self) -> int:
        """The rows of a warp."""
        return min(max(self.rows // 2, 16), _MOST_WARP_ROWS)

    @property
    def warp_columns(self) -> int:
        """The columns of a warp."""
        return min(max(self.columns // 2, 16), _MOST_WARP_COLUMNS)

    @property
    def warps(self) -> tuple[int, int]:
        """The numbers of warps along the rows and the columns."""
        return self.rows // self.warp_rows, self.columns // self.warp_columns

    @property
    def is_exact(self) -> bool:
        """Whether the sums are those of integers."""
        return self.bytes == 1

    @property
    def row(self) -> int:
        """The elements of 16 bytes."""
        return _ROW_BYTES // self.bytes

    @property
    def threads(self) -> int:
        """The number of threads of a block."""
        return prod(self.warps) * self.warp


def tensor_product_of(view: ComputeView, target: Target) -> TensorProduct | str | None:
    """Return the tiles of a product; the reason if it has none, None for any other compute."""
    if any(x.is_index or not _is_narrow(x.element_type) for x in view.inputs):
        return None
    axes = product_axes(view)
    if axes is None:
        return None
    intrinsic = _intrinsic(view, target)
    if isinstance(intrinsic, str):
        return None if view.inputs[0].element_type == f32 else intrinsic
    extents = [view.axes[axis] for axis in (axes.m, axes.n)]
    if any(isinstance(n, int) and n < LEAST for n in extents):
        return f"fewer than {LEAST} rows or columns"
    if any(isinstance(view.axes[axis], Dim) for axis in axes.batch[1:]):
        return "an open size of a batch axis that is not the outermost"
    lasts = [e.variable() for access in view.inputs for e in list(access.indices or ())[-1:]]
    if any(axis in axes.batch for axis in lasts):
        return "an operand whose neighbors belong to other products"
    whole = [p for p in _tiles(view, axes, intrinsic) if not p.ragged & axes.shared]
    if not whole:
        return "a dimension that tiles do not divide has several axes"
    found = [p for p in whole if _fits(view, p, target)]
    if not found:
        return "the threads or the shared memory of a block of the target are too few"
    return min(found, key=lambda p: _cycles(view, p))


def _is_narrow(type_: Attribute) -> bool:
    return isinstance(type_, Float16Type | BFloat16Type) or type_ in (f32, i8)


def _intrinsic(view: ComputeView, target: Target) -> IntrinsicOp | str:
    """Return the intrinsic that computes the terms of a sum, or the first difference."""
    known = [op for op in _all() if all(target.has(feature.data) for feature in op.features)]
    if not known:
        return "the target has no matrix instructions"
    reason = "no matrix instruction for its types"
    for op in known:
        found = match_bodies(op.compute.view(), view)
        # An input of the other sign may only be the other operand.
        if found == {0: 0, 1: 1}:
            return op
        is_alike = op.compute.view().inputs[0].element_type == view.inputs[0].element_type
        if isinstance(found, Difference) and is_alike:
            reason = f"{found.rule}: expected {found.expected}, got {found.got}"
    return reason


@cache
def _all() -> tuple[IntrinsicOp, ...]:
    return tuple(make_matrix_intrinsic(name) for name in MATRIX_INTRINSICS)


def _tiles(view: ComputeView, axes: ProductAxes, op: IntrinsicOp) -> Iterator[TensorProduct]:
    (least,) = (op.compute.view().extents[axis] for axis in op.compute.view().reduced_axes())
    steps = [n for n in (2 * least, least) if divides(n, view.axes[axes.k])] or [least]
    size_bytes = bit_width(view.inputs[0].element_type) // 8
    choices = [_sizes(view.axes[axis]) for axis in (axes.m, axes.n)]
    (use,) = (each for each in op.emission.block.ops if isinstance(each, MmaOp))
    sums = _SUMS[use.unit_name]
    for rows, columns in product(*choices):
        sizes = {axes.m: rows, axes.n: columns, axes.k: steps[0]}
        ragged = frozenset(a for a, size in sizes.items() if not divides(size, view.axes[a]))
        yield TensorProduct(
            axes, op.label, op.thread_count, sums, size_bytes, rows, columns, steps[0], ragged
        )


def _sizes(extent: Extent) -> Sequence[int]:
    return (_OPEN_SIZE,) if isinstance(extent, Dim) else _SIZES


def _fits(view: ComputeView, p: TensorProduct, target: Target) -> bool:
    limits, axes = gpu_limits(target), p.axes
    sizes = {axes.m: p.rows, axes.n: p.columns, axes.k: p.step}
    shared = 0
    for access in view.inputs:
        extents = (prod(sizes.get(str(a), 1) for a in e.terms) for e in access.indices or ())
        *outer, columns = extents
        shared += prod(outer) * (columns + p.row) * p.bytes
    return p.threads <= limits.threads and shared <= limits.shared_bytes


def _cycles(view: ComputeView, p: TensorProduct) -> float:
    """Return the cycles of a product per element of k (G11)."""
    blocks = prod(_extent(view, axis) for axis in p.axes.batch)
    for axis, size in ((p.axes.m, p.rows), (p.axes.n, p.columns)):
        blocks *= -(-_extent(view, axis) // size)
    reads = (p.rows + p.columns) * p.bytes / _READ_BYTES
    multiplies = p.rows * p.columns * p.bytes / (2 * _MULTIPLIES)
    return -(-blocks // _PROCESSORS) * (multiplies + reads)


def _extent(view: ComputeView, axis: str) -> int:
    extent = view.axes[axis]
    return extent if isinstance(extent, int) else _OPEN_EXTENT


# -- the schedule ----------------------------------------------------------------------------------


def plan_tensor_product(script: Script, view: ComputeView, p: TensorProduct) -> None:
    """Write the steps of a product."""
    axes = p.axes
    ranks = [len(access.indices or ()) for access in view.inputs]
    compute = script.match(view.name)
    if p.ragged:
        sizes = {axes.m: p.rows, axes.n: p.columns, axes.k: p.step}
        compute = script.pad(compute, {a: n for a, n in sizes.items() if a in p.ragged})
    compute, copy = script.cache_write(compute)
    copy = script.split(copy, axes.m, p.rows, ("mo", "mi"))
    copy = script.split(copy, axes.n, p.columns, ("no", "ni"))
    copy = _fragments(script, copy, p, ("mi", "ni"), [*axes.batch, "mo", "no"])
    copy = script.bind(_fused_batch(script, copy, axes), _blocks(axes))
    compute, copy = script.compute_at(compute, copy, "no")
    compute = _warps(script, compute, p)
    start, compute = script.decompose_reduction(compute, "ko")
    _fragments(script, start, p, (axes.m, axes.n), axes.batch, is_whole=True)
    for operand, (rank, access) in enumerate(zip(ranks, view.inputs, strict=True)):
        names, is_ragged = [f"c{n}" for n in range(rank)], bool(access.axes() & p.ragged)
        if is_ragged:
            tile = script.share(script.match(f"{view.name}_in{operand}"), 0)
        else:
            tile, compute = script.cache_read(compute, operand, names)
        tile, compute = script.compute_at(tile, compute, "ko")
        tile = script.storage_align(tile, names[-2], 2 * p.row, p.row)
        size = (p.rows if axes.m in access.axes() else p.columns) * p.step
        _share(script, tile, p, names, 1 if is_ragged else _part(size, p))
    script.tensorize(compute, p.intrinsic, "mw")


def _fragments(
    script: Script,
    handle: SSAValue,
    p: TensorProduct,
    axes: tuple[str, str],
    around: Sequence[str],
    *,
    is_whole: bool = False,
) -> SSAValue:
    """Give each thread the elements that it has of the sums: see the fragments of the intrinsic."""
    handle = script.split(handle, axes[0], p.warp_rows, ("wy", "mw"))
    handle = script.split(handle, axes[1], p.warp_columns, ("wx", "nw"))
    handle = script.split(handle, "mw", 16, ("mt", "mq"))
    sums, first = p.sums, p.sums.lane[0]
    rest = "half" if first == "row" else "row"
    handle = script.split(handle, "mq", sums.rows, ("half", "row"))
    pair = ["pair"] if sums.pair > 1 else []
    handle = script.split(handle, "nw", sums.columns, ("nt", "nq" if pair else "quad"))
    if pair:
        handle = script.split(handle, "nq", sums.pair, ("quad", "pair"))
    order = [*around, "wy", "wx", *sums.lane, "mt", rest, "nt", *pair]
    handle = script.fuse(script.reorder(handle, order), sums.lane, "lane")
    handle = script.bind(handle, {"wy": "threadIdx.z", "wx": "threadIdx.y", "lane": "threadIdx.x"})
    for axis in ("mt", rest, "nt"):
        handle = script.unroll(handle, axis)
    if not pair:
        return handle
    if not is_whole and p.axes.n in p.ragged:
        return script.unroll(handle, "pair")
    return script.vectorize(handle, "pair", sums.pair)


def _fused_batch(script: Script, handle: SSAValue, axes: ProductAxes) -> SSAValue:
    return script.fuse(handle, axes.batch, "batch") if len(axes.batch) > 1 else handle


def _blocks(axes: ProductAxes) -> dict[str, str]:
    """Return the loops that are bound to blocks."""
    first = "batch" if len(axes.batch) > 1 else (axes.batch or ("",))[0]
    batch = {first: "blockIdx.z"} if axes.batch else {}
    return {**batch, "mo": "blockIdx.y", "no": "blockIdx.x"}


def _warps(script: Script, handle: SSAValue, p: TensorProduct) -> SSAValue:
    """Divide the sums of a block: steps along k, tiles of warps."""
    axes = p.axes
    handle = script.split(handle, axes.k, p.step, ("ko", "ki"))
    handle = script.split(handle, axes.m, p.warp_rows, ("wy", "mw"))
    handle = script.split(handle, axes.n, p.warp_columns, ("wx", "nw"))
    handle = script.reorder(handle, ["ko", *axes.batch, "wy", "wx", "mw", "nw", "ki"])
    return script.bind(handle, {"wy": "threadIdx.z", "wx": "threadIdx.y"})


def _part(size: int, p: TensorProduct) -> int:
    """Return the number of neighbors that a thread copies at once."""
    parts = (n for n in (16, 8, 4, 2, 1) if n <= p.row)
    return next(n for n in parts if size % (n * p.threads) == 0)


def _share(
    script: Script, handle: SSAValue, p: TensorProduct, axes: Sequence[str], part: int
) -> None:
    """Let all threads of the block copy a tile: neighbors copy neighboring elements."""
    handle = script.fuse(handle, axes, "element")
    rest = "element"
    if part > 1:
        handle = script.split(handle, rest, part, ("parts", "part"))
        rest = "parts"
    handle = script.split(handle, rest, p.warp, ("groups", "lane"))
    handle = script.split(handle, "groups", p.warps[1], ("turns", "wx"))
    handle = script.split(handle, "turns", p.warps[0], ("turn", "wy"))
    handle = script.bind(handle, {"wy": "threadIdx.z", "wx": "threadIdx.y", "lane": "threadIdx.x"})
    if part > 1:
        script.vectorize(handle, "part", part)


__all__ = ["TensorProduct", "plan_tensor_product", "tensor_product_of"]
