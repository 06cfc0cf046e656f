"""Products of matrices: tiles of both operands in shared memory, a tile of the result per thread.

In: the view of a compute.  Out: the steps of the product's schedule.

    C[b, m, n] += A[b, m, k] * B[b, k, n]         B may be transposed, and have no b

    A dimension of an operand may have two axes: A[m, h * 64 + k] for the heads of attention.

G3  All threads of a block copy a tile of each operand to shared memory, then each computes its tile
    of the result: an element from global memory serves a whole row or column of the block.
G4  A thread computes 4 x 4 elements from 8 loads of shared memory.  A block has 16 x 16 threads, or
    fewer along an axis if that computes fewer elements; smaller tiles have too little reuse.
G7  Where tiles do not divide an axis, they reach beyond it: zeros are read there, and nothing is
    stored, so every block runs the same code.  An axis of an open size has tiles of 32, which
    lose less if it is short.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ....dialects.shape import Dim, Extent, element_count
from ....dialects.te import Access, ComputeView
from ....support.gpu_limits import GpuLimits
from .script import Script
from .spread import grid_of

_BLOCKS = (64, 32, 16)
_STEPS = (16, 8)
_OPEN_BLOCK = 32
LEAST = 12
"""The fewest rows or columns of tiles: fewer fill less than 3 of 4 elements of the smallest one."""
_THREAD = 4
"""Rows and columns of a thread."""

_BYTES = 4
_BATCH = "batch"


@dataclass(frozen=True)
class ProductAxes:
    """The axes of a product; batch: axes of the grid.

    shared: the axes that index a dimension of an operand with others.
    """

    batch: tuple[str, ...]
    m: str
    n: str
    k: str
    shared: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Product:
    """The axes of a product and its tiles.

    batch: axes of the grid.  rows, columns: the tile of a block.  step: its extent along k.
    ragged: the axes that tiles do not divide.  grid: the dimensions of the grid for tiles of
    columns, of rows, and for the batch.
    """

    batch: tuple[str, ...]
    m: str
    n: str
    k: str
    rows: int
    columns: int
    step: int
    ragged: frozenset[str]
    grid: Mapping[str, str]

    @property
    def threads(self) -> tuple[int, int]:
        """The numbers of threads along y and x."""
        return self.rows // _THREAD, self.columns // _THREAD


def product_of(view: ComputeView, limits: GpuLimits) -> Product | None:
    """Return the tiles of a compute that is a product, None if it is none or has no such tiles."""
    if any(a.is_index or a.element_type != f32 for a in (*view.inputs, *view.outputs)):
        return None
    axes = product_axes(view)
    if axes is None:
        return None
    batch, m, n, k = axes.batch, axes.m, axes.n, axes.k
    if any(n < LEAST for n in (view.axes[m], view.axes[n]) if isinstance(n, int)):
        return None
    choices = {m: _BLOCKS, n: _BLOCKS, k: _STEPS}
    tiles = {axis: _tile(view.axes[axis], sizes) for axis, sizes in choices.items()}
    ragged = {axis for axis, size in tiles.items() if not divides(size, view.axes[axis])}
    if any(isinstance(view.axes[axis], Dim) for axis in batch[1:]) or ragged & axes.shared:
        return None
    grid = _dimensions(view, batch, {"no": (n, tiles[n]), "mo": (m, tiles[m])}, limits)
    found = Product(batch, m, n, k, tiles[m], tiles[n], tiles[k], frozenset(ragged), grid)
    threads = found.threads[0] * found.threads[1]
    shared = (found.rows + found.columns) * found.step * _BYTES
    fits = threads <= limits.threads and shared <= limits.shared_bytes
    return found if fits else None


def product_axes(view: ComputeView) -> ProductAxes | None:
    """Return the axes of a sum of products of two matrices, None for any other compute."""
    reads, (out, *others) = view.inputs, view.outputs
    if len(reads) != 2 or others or out.combiner != "add" or view.scan is not None:
        return None
    lhs, rhs = (_axes_of(access, shared=True) for access in reads)
    axes, reduced = _axes_of(out), view.reduced_axes()
    if lhs is None or rhs is None or axes is None or len(reduced) != 1 or len(axes) < 2:
        return None
    (*batch, m, n), (k,) = axes, reduced
    if not (m in lhs and m not in rhs and n in rhs and n not in lhs and k in lhs and k in rhs):
        return None
    shared = frozenset(axis for access in reads for axis in _shared_axes(access))
    return ProductAxes(tuple(batch), m, n, k, shared)


def _dimensions(
    view: ComputeView,
    batch: Sequence[str],
    tiles: Mapping[str, tuple[str, int]],
    limits: GpuLimits,
) -> dict[str, str]:
    """Return the dimension of the grid of each loop over tiles, and of the batch."""
    counts = [Dim.of(view.axes[axis]).ceildiv(size) for axis, size in tiles.values()]
    counts.append(element_count(Dim.of(view.axes[axis]) for axis in batch))
    return grid_of([*tiles, _BATCH], [count.value or 0 for count in counts], limits)


def _tile(extent: Extent, choices: Sequence[int]) -> int:
    """Return the size of tiles that compute the fewest elements, the largest of several."""
    if isinstance(extent, Dim):
        return _OPEN_BLOCK if _OPEN_BLOCK in choices else choices[0]
    return min(choices, key=lambda size: (-(-extent // size) * size, -size))


def divides(size: int, extent: Extent) -> bool:
    """Return whether tiles of a size divide an extent."""
    return Dim.of(extent) % size == Dim.const(0)


def _axes_of(access: Access, *, shared: bool = False) -> list[str] | None:
    """Return the axes that index a buffer, None for an index of another form than theirs.

    shared: a dimension may have several axes, such as ``h * 64 + k``.
    """
    axes: list[str] = []
    for index in access.indices or ():
        names = [key for key in index.terms if isinstance(key, str)]
        is_plain = not index.const and len(names) == len(index.terms) and 1 in index.terms.values()
        if not index.is_constant and not (is_plain and (shared or len(names) == 1)):
            return None
        axes += names
    return axes


def _shared_axes(access: Access) -> Iterator[str]:
    """Yield the axes that index a dimension with others."""
    for index in access.indices or ():
        if len(index.terms) > 1:
            yield from (str(key) for key in index.terms)


def plan_product(script: Script, view: ComputeView, product: Product) -> None:
    """Write the steps of a product."""
    ranks = [len(access.indices or ()) for access in view.inputs]
    compute = script.match(view.name)
    if product.ragged:
        tiles = {product.m: product.rows, product.n: product.columns, product.k: product.step}
        compute = script.pad(
            compute, {axis: n for axis, n in tiles.items() if axis in product.ragged}
        )
    compute, copy = script.cache_write(compute)
    copy, grid = _grid(script, copy, product)
    copy = _thread_tiles(script, copy, product, [*grid], bind_grid=True)
    compute, copy = script.compute_at(compute, copy, grid[-1])
    compute = _updates(script, compute, product)
    init, compute = script.decompose_reduction(compute, "ko")
    _thread_tiles(script, init, product, [], bind_grid=False)
    for operand, (rank, access) in enumerate(zip(ranks, view.inputs, strict=True)):
        names = [f"c{dimension}" for dimension in range(rank)]
        if access.axes() & product.ragged:
            tile = script.share(script.match(f"{view.name}_in{operand}"), 0)
        else:
            tile, compute = script.cache_read(compute, operand, names)
        tile, compute = script.compute_at(tile, compute, "ko")
        _share(script, tile, names, product)


def _grid(script: Script, handle: SSAValue, product: Product) -> tuple[SSAValue, list[str]]:
    """Split the copy of the result into blocks; return the loops of the grid."""
    handle = script.split(handle, product.m, product.rows, ("mo", "mi"))
    handle = script.split(handle, product.n, product.columns, ("no", "ni"))
    return handle, [*product.batch, "mo", "no"]


def _thread_tiles(
    script: Script, handle: SSAValue, product: Product, grid: Sequence[str], *, bind_grid: bool
) -> SSAValue:
    """Split a tile of a block into those of threads, which vectors of columns fill."""
    m, n = ("mi", "ni") if bind_grid else (product.m, product.n)
    handle = script.split(handle, m, _THREAD, ("my", "mt"))
    handle = script.split(handle, n, _THREAD, ("nx", "nt"))
    around = list(grid) if bind_grid else list(product.batch)
    handle = script.reorder(handle, [*around, "my", "nx", "mt", "nt"])
    threads = {"my": "threadIdx.y", "nx": "threadIdx.x"}
    if bind_grid:
        if len(product.batch) > 1:
            handle = script.fuse(handle, product.batch, _BATCH)
        first = _BATCH if len(product.batch) > 1 else (product.batch or ("",))[0]
        blocks = {first: product.grid[_BATCH]} if product.batch else {}
        threads = {**blocks, "mo": product.grid["mo"], "no": product.grid["no"], **threads}
    handle = script.bind(handle, threads)
    handle = script.unroll(handle, "mt")
    if bind_grid and product.n in product.ragged:
        return script.unroll(handle, "nt")
    return script.vectorize(handle, "nt", _THREAD)


def _updates(script: Script, handle: SSAValue, product: Product) -> SSAValue:
    """Divide the sums of a block: steps along k, tiles of threads, vectors of columns."""
    handle = script.split(handle, product.k, product.step, ("ko", "ki"))
    handle = script.split(handle, product.m, _THREAD, ("my", "mt"))
    handle = script.split(handle, product.n, _THREAD, ("nx", "nt"))
    order = ["ko", *product.batch, "my", "nx", "ki", "mt", "nt"]
    handle = script.reorder(handle, order)
    handle = script.bind(handle, {"my": "threadIdx.y", "nx": "threadIdx.x"})
    handle = script.unroll(handle, "mt")
    return script.vectorize(handle, "nt", _THREAD)


def _share(script: Script, handle: SSAValue, axes: Sequence[str], product: Product) -> None:
    """Let all threads of the block copy a tile: neighbors copy neighboring elements."""
    rows, columns = product.threads
    handle = script.fuse(handle, axes, "element")
    handle = script.split(handle, "element", columns, ("row", "tx"))
    handle = script.split(handle, "row", rows, ("turn", "ty"))
    script.bind(handle, {"ty": "threadIdx.y", "tx": "threadIdx.x"})
