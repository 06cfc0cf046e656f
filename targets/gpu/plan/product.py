"""Matrix products: tiles of both operands in shared memory, a tile of the result per thread.

A convolution is such a product, too (G14, convolution.py): only its copies read by other indices.

In: the view of a compute.  Out: the steps of the product's schedule.

    C[b, m, n] += A[b, m, k] * B[b, k, n]         B may be transposed, and have no b

    A dimension of an operand may have two axes: A[m, h * 64 + k] for the heads of attention.  The
    sum may run through two dimensions: A[k floordiv 64, m, k mod 64] for the results of attention.

Rules of gpu-plan:
G3  All threads of a block copy a tile of each operand to shared memory, then each computes its tile
    of the result: an element from global memory is used for a whole row or column of the block.
G4  A thread computes 4 x 4 elements from 8 loads of shared memory.  A block has 16 x 16 threads, or
    fewer along an axis if that computes fewer elements; smaller tiles have too little reuse.
G7  Where tiles do not divide an axis, they reach beyond it: zeros are read there, and nothing is
    stored, so every block runs the same code.  An axis of a dynamic (symbolic) size has tiles of
    32, which compute less padding if the axis is short.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product as pairs
from math import prod

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ....dialects.shape import Dim, Extent, element_count
from ....dialects.te import Access, ComputeView
from ....support.affine import Atom, Index
from ....support.gpu_limits import GpuLimits, gpu_limits
from ....support.target import Target
from .convolution import (
    LANES,
    ConvolutionForm,
    convolution_forms,
    direct_clocks,
    divisors,
    stores_end,
    tiled_clocks,
)
from .pipeline import pipeline_stages
from .script import Script
from .spread import grid_of, points_of_thread

_BLOCKS = (64, 32, 16)
_STEPS, _LONGEST_STEP = (16, 8), 64
_OPEN_BLOCK = 32
LEAST = 12
"""The fewest rows or columns of tiles: fewer fill less than 3 of 4 elements of the smallest one."""
_THREAD = 4
"""Rows and columns of the result per thread."""

_BYTES = 4
_PADDING = _THREAD
"""The padding between two rows of filters in shared memory, in elements: a warp stores 8 rows or
more, which are then in different banks, and 4 elements stay at multiples of 16 bytes."""

_BATCH = "batch"


@dataclass(frozen=True)
class ProductAxes:
    """The axes of a matrix product: rows m, columns n and reduction k.

    batch: axes of the grid.  shared: the axes that index a dimension of an operand together with
    another axis.  blocks: the axes of the batch over blocks of pixels, each of which is a dimension
    of the grid.
    """

    batch: tuple[str, ...]
    m: str
    n: str
    k: str
    shared: frozenset[str] = frozenset()
    blocks: tuple[str, ...] = ()

    @property
    def grid(self) -> list[str]:
        """The loops that are bound to the grid."""
        inner = [axis for axis in self.batch if axis not in self.blocks]
        return [*inner, "mo", "no", *self.blocks]

    @property
    def outermost(self) -> tuple[str, ...]:
        """The loops of the grid that are fused into one loop."""
        loops = self.grid
        return tuple(loops[: -len(self.blocks)] if self.blocks else loops[:-2])


@dataclass(frozen=True)
class Product:
    """The axes of a matrix product and its tiles.

    rows, columns: the tile of a block.  step: the extent of a tile along k.  ragged: the axes that
    tiles do not divide.  grid: the dimension of the grid for each loop.  form: the form of a
    convolution; None for other products.  stages: the tiles of each operand in shared memory.
    """

    axes: ProductAxes
    rows: int
    columns: int
    step: int
    ragged: frozenset[str]
    grid: Mapping[str, str]
    form: ConvolutionForm | None = None
    stages: int = 1

    @property
    def shared_bytes(self) -> int:
        """The bytes of the tiles of one step in shared memory."""
        rows = self.rows + (_PADDING if self.form else 0)
        return (rows + self.columns) * self.step * _BYTES

    @property
    def threads(self) -> tuple[int, int]:
        """The numbers of threads of a block along y and x."""
        return self.rows // _THREAD, self.columns // _THREAD

    @property
    def sizes(self) -> dict[str, int]:
        """The size of a block's tile along each axis."""
        return {self.axes.m: self.rows, self.axes.n: self.columns, self.axes.k: self.step}

    def fits(self, limits: GpuLimits) -> bool:
        """Return whether a block's threads and shared memory are within the target's limits."""
        is_small = self.shared_bytes <= limits.shared_bytes
        return prod(self.threads) <= limits.threads and is_small

    def pipelined(self, extent: Extent, target: Target) -> Product:
        """Return the product with a software pipeline (gpu-plan G16); extent: length of the sum."""
        clocks = self.rows * self.columns * self.step / LANES
        stages = pipeline_stages(
            target,
            gpu_limits(target),
            extent,
            self.step,
            clocks=clocks,
            shared=self.shared_bytes,
        )
        return replace(self, stages=stages)


def product_of(view: ComputeView, target: Target) -> Product | None:
    """Choose the tiles of a matrix product; None for other computes, or if no such tiles exist."""
    limits = gpu_limits(target)
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
    if not stores_end(view, ragged):
        return None
    grid = grid_dimensions(view, axes, tiles, limits)
    found = Product(axes, tiles[m], tiles[n], tiles[k], frozenset(ragged), grid)
    return found.pipelined(view.axes[k], target) if found.fits(limits) else None


def convolution_of(view: ComputeView, limits: GpuLimits) -> Product | str | None:
    """Choose the tiles of a convolution as a matrix product (rule G15 of gpu-plan).

    Return the reason if it has no such tiles; None for any other compute.
    """
    if any(a.is_index or a.element_type != f32 for a in (*view.inputs, *view.outputs)):
        return None
    forms = convolution_forms(view)
    if not forms:
        return None
    if all(is_small(form) for form in forms):
        return f"fewer than {LEAST} filters of a group, or pixels"
    found = [p for form in forms for p in _form_tiles(form, limits)]
    if not found:
        return "no tile divides the sums or a group, or a block has too few threads"
    best = min(found, key=_clocks)
    clocks, direct = _clocks(best), direct_clocks(view, points_of_thread(view))
    if clocks >= direct:
        return f"tiles would take {clocks:.0f} clocks of the model, not {direct:.0f}"
    return best


def is_small(form: ConvolutionForm) -> bool:
    """Return whether the product of a convolution has too few rows or columns for tiles."""
    extents = [form.view.axes[axis] for axis in (form.made.rows, form.made.columns)]
    return any(isinstance(n, int) and n < LEAST for n in extents)


def axes_of(form: ConvolutionForm) -> ProductAxes:
    """Return the axes of a convolution's matrix product."""
    made = form.made
    return ProductAxes(made.batch, made.rows, made.columns, made.sum, blocks=made.blocks)


def _form_tiles(form: ConvolutionForm, limits: GpuLimits) -> Iterator[Product]:
    axes, extents = axes_of(form), form.view.axes
    steps = list(divisors(form, _STEPS))
    if not steps or is_small(form):
        return
    for rows, columns in pairs(_BLOCKS, repeat=2):
        tiles = {axes.m: rows, axes.n: columns, axes.k: _tile(extents[axes.k], steps)}
        ragged = frozenset(a for a, size in tiles.items() if not divides(size, extents[a]))
        grid = grid_dimensions(form.view, axes, tiles, limits)
        found = Product(axes, rows, columns, tiles[axes.k], ragged, grid, form)
        if found.fits(limits) and stores_end(form.view, ragged):
            yield found


def _clocks(p: Product) -> float:
    assert p.form is not None, "the tiles of a convolution"
    return tiled_clocks(p.form, p.rows, p.columns, prod(p.threads))


def product_axes(view: ComputeView) -> ProductAxes | None:
    """Return the axes of a sum of products of two matrices; None for any other compute."""
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


def grid_dimensions(
    view: ComputeView, axes: ProductAxes, tiles: Mapping[str, int], limits: GpuLimits
) -> dict[str, str]:
    """Return the dimension of the grid for each loop over tiles, and for the batch."""
    sizes = {"mo": (axes.m, tiles[axes.m]), "no": (axes.n, tiles[axes.n])}
    counts = {axis: Dim.of(view.axes[axis]) for axis in axes.batch}
    counts |= {loop: Dim.of(view.axes[axis]).ceildiv(size) for loop, (axis, size) in sizes.items()}
    counts[_BATCH] = element_count(counts[loop] for loop in axes.outermost)
    loops = [*reversed(axes.grid[len(axes.outermost) :]), _BATCH]
    return grid_of(loops, [counts[loop].value or 0 for loop in loops], limits)


def _tile(extent: Extent, choices: Sequence[int]) -> int:
    """Return the tile size that computes the fewest elements, the largest of several such sizes."""
    if isinstance(extent, Dim):
        return _OPEN_BLOCK if _OPEN_BLOCK in choices else choices[0]
    return min(choices, key=lambda size: (-(-extent // size) * size, -size))


def divides(size: int, extent: Extent) -> bool:
    """Return whether tiles of a size divide an extent, for all values of symbolic sizes."""
    return Dim.of(extent) % size == Dim.const(0)


def _axes_of(access: Access, *, shared: bool = False) -> list[str] | None:
    """Return the axes that index a buffer; None if an index has another form than an axis.

    shared: a dimension may have several axes, such as ``h * 64 + k``.
    """
    axes: list[str] = []
    for index in access.indices or ():
        if shared and (axis := _divided(index)) is not None:
            axes += [axis] if axis not in axes else []
            continue
        names = [key for key in index.terms if isinstance(key, str)]
        is_plain = not index.const and len(names) == len(index.terms) and 1 in index.terms.values()
        if not index.is_constant and not (is_plain and (shared or len(names) == 1)):
            return None
        axes += names
    return axes


def _divided(index: Index) -> str | None:
    """Return the axis of an index ``k floordiv c`` or ``k mod c``; None for other indices.

    c is a multiple of all steps, so the elements of a step have the same quotient.
    """
    (key, *others), factors = list(index.terms) or [None], set(index.terms.values())
    if others or index.const or factors != {1} or not isinstance(key, Atom):
        return None
    axis = key.operand.variable()
    return axis if isinstance(axis, str) and key.divisor % _LONGEST_STEP == 0 else None


def tile_extent(index: Index, sizes: Mapping[str, int]) -> int:
    """Return the extent of a dimension of an operand's tile; sizes: the extents of the axes."""
    axis = _divided(index)
    if axis is not None:
        return sizes.get(axis, 1) if any(a.kind == "mod" for a in index.atoms()) else 1
    return prod(sizes.get(str(key), 1) for key in index.terms)


def _shared_axes(access: Access) -> Iterator[str]:
    """Yield the axes that index a dimension together with another axis."""
    for index in access.indices or ():
        if (axis := _divided(index)) is not None:
            yield axis
        elif len(index.terms) > 1:
            yield from (str(key) for key in index.terms)


def plan_product(script: Script, view: ComputeView, product: Product) -> None:
    """Write the steps of a matrix product's schedule."""
    compute = script.match(view.name)
    ragged = {axis: n for axis, n in product.sizes.items() if axis in product.ragged}
    if product.form is not None:
        # Rows of filters by k: a thread loads its four at once.
        orders = {"lhs": [product.axes.k, product.axes.m]}
        compute = gather(script, compute, product.form, ragged, orders)
    elif ragged:
        compute = script.pad(compute, ragged)
    compute, copy = script.cache_write(compute, product.form.outputs if product.form else ())
    copy = script.split(copy, product.axes.m, product.rows, ("mo", "mi"))
    copy = script.split(copy, product.axes.n, product.columns, ("no", "ni"))
    copy = _thread_tiles(script, copy, product, bind_grid=True)
    compute, copy = script.compute_at(compute, copy, product.axes.grid[-1])
    compute = _updates(script, compute, product)
    init, compute = script.decompose_reduction(compute, "ko")
    _thread_tiles(script, init, product, bind_grid=False)
    for operand, names in enumerate(operand_axes(view, product.form)):
        is_copied = product.form or view.inputs[operand].axes() & product.ragged
        if is_copied:
            tile = script.share(script.match(f"{view.name}_in{operand}"), 0)
        else:
            tile, compute = script.cache_read(compute, operand, names)
        tile, compute = script.compute_at(tile, compute, "ko")
        if product.form is not None and operand == 0:
            tile = script.storage_align(tile, names[-2], 2 * _PADDING, _PADDING)
            names[-2:] = names[:-3:-1]
            tile = script.reorder(tile, names)
        part = 1 if is_copied else _copied_at_once(view, product, operand)
        tile = _share(script, tile, names, product, part)
        if product.stages > 1:
            script.double_buffer(tile, product.stages)


def gather(
    script: Script,
    compute: SSAValue,
    form: ConvolutionForm,
    multiples: Mapping[str, int],
    orders: Mapping[str, Sequence[str]],
) -> SSAValue:
    """Turn a convolution into a matrix product of copies by sched.im2col.

    multiples: sizes to which axes are padded.  orders: the order of dimensions in the copies.
    """
    return script.im2col(compute, multiples, orders, merged=form.merged, blocks=form.blocks)


def operand_axes(view: ComputeView, form: ConvolutionForm | None) -> list[list[str]]:
    """Return names for the dimensions of both operands' copies."""
    if form is None:
        ranks = [len(access.indices or ()) for access in view.inputs]
    else:
        ranks = [2 + len(access.axes() & set(form.made.batch)) for access in form.view.inputs]
    return [[f"c{dimension}" for dimension in range(rank)] for rank in ranks]


def _thread_tiles(
    script: Script, handle: SSAValue, product: Product, *, bind_grid: bool
) -> SSAValue:
    """Split a block's tile into tiles of threads, with vectors of columns.

    bind_grid: also bind the outer loops to blocks.
    """
    axes = product.axes
    m, n = ("mi", "ni") if bind_grid else (axes.m, axes.n)
    handle = script.split(handle, m, _THREAD, ("my", "mt"))
    handle = script.split(handle, n, _THREAD, ("nx", "nt"))
    around = axes.grid if bind_grid else axes.batch
    handle = script.reorder(handle, [*around, "my", "nx", "mt", "nt"])
    threads = {"my": "threadIdx.y", "nx": "threadIdx.x"}
    if bind_grid:
        handle = bind_blocks(script, handle, axes, product.grid)
    handle = script.bind(handle, threads)
    handle = script.unroll(handle, "mt")
    is_apart = product.form is not None and not product.form.has_vectors(_THREAD)
    if bind_grid and (axes.n in product.ragged or is_apart):
        return script.unroll(handle, "nt")
    return script.vectorize(handle, "nt", _THREAD)


def bind_blocks(
    script: Script, handle: SSAValue, axes: ProductAxes, grid: Mapping[str, str]
) -> SSAValue:
    """Bind the loops of the grid to block indices."""
    outer = axes.outermost
    first = _BATCH if len(outer) > 1 else (outer or ("",))[0]
    handle = script.fuse(handle, outer, _BATCH) if len(outer) > 1 else handle
    loops = {first: grid[_BATCH]} if outer else {}
    loops |= {loop: grid[loop] for loop in axes.grid[len(outer) :]}
    return script.bind(handle, loops)


def _updates(script: Script, handle: SSAValue, product: Product) -> SSAValue:
    """Divide the sums of a block: steps along k, tiles of threads, vectors of columns."""
    handle = script.split(handle, product.axes.k, product.step, ("ko", "ki"))
    handle = script.split(handle, product.axes.m, _THREAD, ("my", "mt"))
    handle = script.split(handle, product.axes.n, _THREAD, ("nx", "nt"))
    order = ["ko", *product.axes.batch, "my", "nx", "ki", "mt", "nt"]
    handle = script.reorder(handle, order)
    handle = script.bind(handle, {"my": "threadIdx.y", "nx": "threadIdx.x"})
    handle = script.unroll(handle, "mt")
    return script.vectorize(handle, "nt", _THREAD)


def _copied_at_once(view: ComputeView, product: Product, operand: int) -> int:
    """Return how many adjacent elements a thread copies at once: 16 bytes if asynchronously."""
    axes, access = product.axes, view.inputs[operand]
    ends = list(access.indices or ())[-1:]
    last = {key for e in ends for key in e.variables() if e.coefficient(key) == 1}
    tile = product.step * (product.rows if axes.m in access.axes() else product.columns)
    is_whole = tile % (prod(product.threads) * _THREAD) == 0
    return _THREAD if product.stages > 1 and is_whole and not last & {*axes.batch} else 1


def _share(
    script: Script, handle: SSAValue, axes: Sequence[str], product: Product, part: int
) -> SSAValue:
    """Let all threads of a block copy a tile; adjacent threads copy adjacent elements.

    part: elements that a thread copies at once.
    """
    rows, columns = product.threads
    handle, rest = script.fuse(handle, axes, "element"), "element"
    if part > 1:
        handle, rest = script.split(handle, rest, part, ("parts", "part")), "parts"
    handle = script.split(handle, rest, columns, ("row", "tx"))
    handle = script.split(handle, "row", rows, ("turn", "ty"))
    handle = script.bind(handle, {"ty": "threadIdx.y", "tx": "threadIdx.x"})
    return script.vectorize(handle, "part", part) if part > 1 else handle
