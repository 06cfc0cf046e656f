"""Matrix products: tiles of both operands in shared memory, a tile of the result per thread.

A convolution is such a product, too (convolution.py): only its copies read by other indices.

In: the view of a compute.  Out: the steps of the product's schedule.

    C[b, m, n] += A[b, m, k] * B[b, k, n]         B may be transposed, and have no b

    A dimension of an operand may have two axes: A[m, h * 64 + k] for the heads of attention.  The
    sum may run through two dimensions: A[k floordiv 64, m, k mod 64] for the results of attention.

All threads of a block copy a tile of each operand to shared memory, then each computes its tile of
the result: an element from global memory is used for a whole row or column of the block.

A thread computes 4 x 4 elements from 8 loads of shared memory.  A block has 16 x 16 threads, or
fewer along an axis if that computes fewer elements; smaller tiles have too little reuse.  With
asynchronous copies, which keep no registers, a thread has up to 8 x 8 elements: the tiles of blocks
and threads have the least time in the model of tile_cost.py.  Threads then have rows, and vectors
of columns, that are a part of the block apart, so that a warp reads different banks.

Where tiles do not divide an axis, they reach beyond it: zeros are read there, and nothing is
stored, so every block runs the same code.  An axis of a dynamic (symbolic) size has tiles of 32,
which compute less padding if the axis is short.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product as pairs
from math import prod

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ....analysis.patterns.contraction import contraction_of
from ....dialects.shape import Dim, Extent, element_count
from ....dialects.simt import WARP
from ....dialects.te import Access, ComputeOp, ComputeView
from ....machines.gpu import GpuLimits
from ....machines.gpu_limits import gpu_limits
from ....machines.gpu_numbers import GpuNumbers, numbers_of
from ....machines.target import Target
from ....support.affine import Atom, Index
from .async_stages import ASYNC_COPY, stages_of
from .convolution import (
    ConvolutionForm,
    convolution_forms,
    direct_clocks,
    divisors,
    stores_end,
    tiled_clocks,
)
from .script import Script
from .thread_per_point import grid_of, points_of_thread
from .tile_cost import BlockStep, TileCost, cheapest, product_cost
from .vectors import LANE_COUNTS, VECTOR_BYTES

_BLOCKS, _LARGEST_BLOCK = (64, 32, 16), 128
_STEPS, _LONGEST_STEP = (16, 8), 64
_DYNAMIC_BLOCK = 32
LEAST = 12
"""The fewest rows or columns of tiles: fewer fill less than 3 of 4 elements of the smallest one."""
_THREAD, _THREADS = 4, (8, 4)
"""Rows and columns of the result per thread; the choices with asynchronous copies."""
_MOST_ROLLED = 16
"""The most elements of a thread with which LLVM unrolls the loop over a step.  LLVM joins the loads
of an unrolled loop to vectors."""
_VECTOR, _INSTRUCTIONS, _DYNAMIC_EXTENT = 4, 24, 1024
"""The elements of a vector; the other instructions of a step; the extent that the model assumes for
a dynamic (symbolic) size."""
_OTHER_REGISTERS, _GUARDED_REGISTERS = 40, 4
"""The registers of a thread besides its sums and their operands, and those of a copy that may be
outside of its operand.  Source: ptxas 12.9 for sm_80 and sm_90a, with tiles of 8 x 8 elements of a
thread: 200 and 223 without such copies, 231 with 6, and more than 255 with 12."""

_BYTES = f32.size
_PADDING = _THREAD
"""The padding between two rows in shared memory, in elements: adjacent rows are then in different
banks, and 4 elements stay at multiples of 16 bytes.  A warp stores filters in 8 rows or more, and
loads 4 elements of up to 8 rows of the left operand."""

_STAGES = 3
"""The most tiles in flight of a convolution: the gathers of one step take longer than its products,
so that two steps hide them."""

_BATCH = "batch"


@dataclass(frozen=True)
class ProductAxes:
    """The axes of a matrix product: rows m, columns n and reduction k.

    batch: the other axes, which become dimensions of the grid.
    shared: the axes that index a dimension of an operand together with another axis.
    blocks: the axes of the batch over blocks of pixels, each of which is a dimension of the grid.
    """

    batch: tuple[str, ...]
    m: str
    n: str
    k: str
    shared: frozenset[str] = frozenset()
    blocks: tuple[str, ...] = ()

    @property
    def grid(self) -> list[str]:
        """The loops that are bound to the grid, the outermost first."""
        inner = [axis for axis in self.batch if axis not in self.blocks]
        return [*inner, "mo", "no", *self.blocks]

    @property
    def outermost(self) -> tuple[str, ...]:
        """The loops of the grid that are fused into one loop."""
        loops = self.grid
        return tuple(loops[: -len(self.blocks)] if self.blocks else loops[:-2])


@dataclass(frozen=True)
class Product:
    """The axes of a matrix product of f32, and its tiles.

    rows, columns: the tile of a block.
    step: the extent of a tile along k.
    ragged: the axes that tiles do not divide.
    grid: the dimension of the grid for each loop.
    form: the form of a convolution; None for other products.
    stages: the tiles of each operand in shared memory.
    thread_rows, thread_columns: the elements of a thread.
    by_sum: for each operand, whether the sum runs along the last dimension of its tile.
    """

    axes: ProductAxes
    rows: int
    columns: int
    step: int
    ragged: frozenset[str]
    grid: Mapping[str, str]
    form: ConvolutionForm | None = None
    stages: int = 1
    thread_rows: int = _THREAD
    thread_columns: int = _THREAD
    by_sum: tuple[bool, bool] = (False, False)

    @property
    def shared_bytes(self) -> int:
        """The bytes of the tiles of one step in shared memory."""
        lhs = (self.rows + (_PADDING if self.form else 0)) * self.step
        lhs += self.rows * _PADDING if self.pads_rows else 0
        columns = self.columns + (_PADDING if self.by_sum[1] else 0)
        return (lhs + columns * self.step) * _BYTES

    @property
    def pads_rows(self) -> bool:
        """Whether the rows of the left tile are padded.

        A quarter of a warp loads 16 bytes per thread at once: elements of several rows if a block
        has few threads along x, else of one row.
        """
        return self.by_sum[0] and self.threads[1] * _VECTOR < WARP

    @property
    def threads(self) -> tuple[int, int]:
        """The numbers of threads of a block along y and x."""
        return self.rows // self.thread_rows, self.columns // self.thread_columns

    @property
    def of_thread(self) -> list[str]:
        """The loops over the elements of a thread; the last loop is over the lanes of a vector."""
        return ["mt", *(["nh"] if self.thread_columns > _THREAD else []), "nt"]

    @property
    def sizes(self) -> dict[str, int]:
        """The size of a block's tile along each axis."""
        return {self.axes.m: self.rows, self.axes.n: self.columns, self.axes.k: self.step}

    def fits(self, limits: GpuLimits) -> bool:
        """Return whether a block's threads and shared memory are within the target's limits."""
        most = limits.shared_bytes if self.stages == 1 else limits.most_shared_bytes
        is_small = self.stages * self.shared_bytes <= most
        return prod(self.threads) <= limits.threads and is_small


def product_of(view: ComputeView, target: Target) -> Product | None:
    """Choose the tiles of a matrix product of f32; None for other computes, and if no tiles fit."""
    limits = gpu_limits(target)
    if any(a.is_index or a.element_type != f32 for a in (*view.inputs, *view.outputs)):
        return None
    axes = product_axes(view)
    if axes is None:
        return None
    batch, m, n = axes.batch, axes.m, axes.n
    if any(n < LEAST for n in (view.axes[m], view.axes[n]) if isinstance(n, int)):
        return None
    if any(isinstance(view.axes[axis], Dim) for axis in batch[1:]):
        return None
    gpu = numbers_of(target)
    found = [p for p in _tiles(view, axes, target, limits) if p.fits(limits)]
    found.sort(key=lambda p: -p.stages)
    return cheapest(found, lambda p: product_cost_of(view, p, gpu)) if found else None


def _tiles(
    view: ComputeView, axes: ProductAxes, target: Target, limits: GpuLimits
) -> Iterator[Product]:
    """Yield the possible tiles of a product, from which the cost model chooses.

    axes: the axes of the product.  Without asynchronous copies a thread has few elements, so that
    other warps hide the loads, and the only choice is the tile with the fewest elements beyond the
    ends of the axes.
    """
    m, n, k = axes.m, axes.n, axes.k
    has_copies = target.has(ASYNC_COPY)
    by_sum = _is_last(view.inputs[0], k), _is_last(view.inputs[1], k)
    choices = [[_tile(view.axes[axis], _BLOCKS)] for axis in (m, n)]
    if has_copies:
        choices = [_sizes(view.axes[axis]) for axis in (m, n)]
    threads = pairs(_THREADS, repeat=2) if has_copies else [(_THREAD, _THREAD)]
    for (rows, columns), of_thread in pairs(pairs(*choices), list(threads)):
        tiles = {m: rows, n: columns, k: _tile(view.axes[k], _STEPS)}
        ragged = frozenset(axis for axis, n in tiles.items() if not divides(n, view.axes[axis]))
        grid = grid_dimensions(view, axes, tiles, limits)
        is_whole = not ragged & axes.shared and stores_end(view, ragged)
        if not is_whole or rows < 4 * of_thread[0] or columns < 4 * of_thread[1]:
            continue
        p = Product(
            axes, rows, columns, tiles[k], ragged, grid,
            thread_rows=of_thread[0], thread_columns=of_thread[1], by_sum=by_sum,
        )  # fmt: skip
        yield from (replace(p, stages=n) for n in stages_of(target, view.axes[k], p.step))


def _is_last(access: Access, axis: str) -> bool:
    """Return whether an axis indexes the last dimension of an operand."""
    return any(axis in index.variables() for index in list(access.indices or ())[-1:])


def _sizes(extent: Extent) -> Sequence[int]:
    """Return the candidate sizes of a block's tile along an axis, each below twice the extent.

    If no candidate is that small, return the smallest one.
    """
    if isinstance(extent, Dim):
        return (_DYNAMIC_BLOCK,)
    return [n for n in (_LARGEST_BLOCK, *_BLOCKS) if n < 2 * extent] or _BLOCKS[-1:]


def product_cost_of(view: ComputeView, p: Product, gpu: GpuNumbers) -> TileCost:
    """Return the modelled cost of a product of f32 with given tiles."""
    extents = {axis: _assumed(view.axes[axis]) for axis in (*p.axes.batch, *p.sizes)}
    blocks = prod(extents[axis] for axis in p.axes.batch)
    blocks *= prod(-(-extents[axis] // p.sizes[axis]) for axis in (p.axes.m, p.axes.n))
    steps = -(-extents[p.axes.k] // p.step)
    step = _block_step(p, gpu, guarded_copies=_guarded_copies(view, p))
    stored_bytes = p.rows * p.columns * _BYTES
    return product_cost(gpu, step, blocks=blocks, steps=steps, stored_bytes=stored_bytes)


def _guarded_copies(view: ComputeView, p: Product) -> int:
    """Return how many copies of a thread in a step may be outside of an operand."""
    counts = {p.axes.m: p.rows, p.axes.n: p.columns}
    return sum(
        size * p.step // prod(p.threads) // _copied_at_once(view, p, operand)
        for operand, size in enumerate(counts.values())
        if p.stages > 1 and view.inputs[operand].axes() & p.ragged
    )


def _block_step(p: Product, gpu: GpuNumbers, guarded_copies: int) -> BlockStep:
    """Return the work of a block in one step along the reduction, for the cost model."""
    threads, elements = prod(p.threads), p.thread_rows * p.thread_columns
    warps, vectors = -(-threads // WARP), p.step / _VECTOR
    # For four elements of k, a thread loads four of each row, and four vectors of columns.  The
    # threads of a warp along x load the same elements of a row.
    loads = p.thread_rows + p.thread_columns
    row_bytes = p.thread_rows * VECTOR_BYTES * max(1, WARP // p.threads[1])
    read_bytes = row_bytes + p.thread_columns * VECTOR_BYTES * min(WARP, threads)
    tile_bytes = (p.rows + p.columns) * p.step * _BYTES
    copied_apart = p.columns * p.step if p.by_sum[1] else 0
    copies = tile_bytes / (VECTOR_BYTES * WARP) + copied_apart * 3 / _VECTOR / WARP
    # The sums of a step are added to those of all steps.
    multiplies = (p.step + 1) * elements * warps * WARP / gpu.lanes
    return BlockStep(
        multiply_clocks=multiplies,
        first_bytes=warps * read_bytes,
        shared_bytes=warps * vectors * read_bytes + tile_bytes,
        issues=warps * (vectors * (4 * elements + loads) + elements + _INSTRUCTIONS) + copies,
        loaded_bytes=tile_bytes,
        threads=threads,
        registers=2 * elements
        + 4 * p.thread_rows
        + 2 * p.thread_columns
        + _OTHER_REGISTERS
        + _GUARDED_REGISTERS * guarded_copies,
        block_bytes=p.stages * p.shared_bytes,
        stages=p.stages,
    )


def _assumed(extent: Extent) -> int:
    return extent if isinstance(extent, int) else _DYNAMIC_EXTENT


def convolution_of(view: ComputeView, target: Target) -> Product | str | None:
    """Choose the tiles of an f32 convolution as a matrix product.

    Return the reason as text if the convolution has no tiles that save time; None for any other
    compute.
    """
    if any(a.is_index or a.element_type != f32 for a in (*view.inputs, *view.outputs)):
        return None
    forms = [form for form in convolution_forms(view) if not form.is_last]
    if not forms:
        return None
    if all(is_small(form) for form in forms):
        return f"fewer than {LEAST} filters of a group, or pixels"
    found = [p for form in forms for p in _form_tiles(form, target)]
    if not found:
        return "no tile divides the sums or a group, or a block has too few threads"
    best = min(found, key=convolution_clocks)
    clocks, direct = convolution_clocks(best), direct_clocks(view, points_of_thread(view))
    if clocks >= direct:
        return f"tiles would take {clocks:.0f} clocks of the model, not {direct:.0f}"
    return best


def is_small(form: ConvolutionForm) -> bool:
    """Return whether a convolution's matrix product has too few rows or columns for tiles."""
    extents = [form.view.axes[axis] for axis in (form.made.rows, form.made.columns)]
    return any(isinstance(n, int) and n < LEAST for n in extents)


def axes_of(form: ConvolutionForm) -> ProductAxes:
    """Return the axes of a convolution's matrix product."""
    made = form.made
    return ProductAxes(made.batch, made.rows, made.columns, made.sum, blocks=made.blocks)


def _form_tiles(form: ConvolutionForm, target: Target) -> Iterator[Product]:
    axes, extents, limits = axes_of(form), form.view.axes, gpu_limits(target)
    steps = list(divisors(form, _STEPS))
    if not steps or is_small(form):
        return
    for rows, columns in pairs(_BLOCKS, repeat=2):
        tiles = {axes.m: rows, axes.n: columns, axes.k: _tile(extents[axes.k], steps)}
        ragged = frozenset(a for a, size in tiles.items() if not divides(size, extents[a]))
        grid = grid_dimensions(form.view, axes, tiles, limits)
        stages = min(_STAGES, max(stages_of(target, extents[axes.k], tiles[axes.k])))
        found = Product(axes, rows, columns, tiles[axes.k], ragged, grid, form, stages)
        if found.fits(limits) and stores_end(form.view, ragged):
            yield found


def convolution_clocks(p: Product) -> float:
    """Return the modelled clocks of a convolution by tiles."""
    assert p.form is not None, "the tiles of a convolution"
    return tiled_clocks(p.form, p.rows, p.columns, prod(p.threads))


def product_axes(view: ComputeView) -> ProductAxes | None:
    """Return the axes of a compute that sums products of two matrices; None for any other."""
    found = contraction_of(view)
    if found is None or not found.is_sum or len(found.sums) != 1:
        return None
    lhs, rhs = (_axes_of(access, shared=True) for access in view.inputs)
    axes, (k,) = _axes_of(view.outputs[0]), found.sums
    if lhs is None or rhs is None or axes is None or len(axes) < 2 or not {k} <= {*lhs} & {*rhs}:
        return None
    *batch, m, n = axes
    if m not in found.rows or n not in found.columns:
        return None
    shared = frozenset(axis for access in view.inputs for axis in _shared_axes(access))
    return ProductAxes(tuple(batch), m, n, k, shared)


def grid_dimensions(
    view: ComputeView, axes: ProductAxes, tiles: Mapping[str, int], limits: GpuLimits
) -> dict[str, str]:
    """Return the dimension of the grid, such as ``blockIdx.x``, for each loop over tiles.

    The result also has an entry for the fused loop over the batch.
    axes: the axes of the product.
    tiles: the size of a block's tile along each axis.
    """
    sizes = {"mo": (axes.m, tiles[axes.m]), "no": (axes.n, tiles[axes.n])}
    counts = {axis: Dim.of(view.axes[axis]) for axis in axes.batch}
    counts |= {loop: Dim.of(view.axes[axis]).ceildiv(size) for loop, (axis, size) in sizes.items()}
    counts[_BATCH] = element_count(counts[loop] for loop in axes.outermost)
    loops = [*reversed(axes.grid[len(axes.outermost) :]), _BATCH]
    return grid_of(loops, [counts[loop].value or 0 for loop in loops], limits)


def _tile(extent: Extent, choices: Sequence[int]) -> int:
    """Return the tile size that computes the fewest elements, the largest of several such sizes."""
    if isinstance(extent, Dim):
        return _DYNAMIC_BLOCK if _DYNAMIC_BLOCK in choices else choices[0]
    return min(choices, key=lambda size: (-(-extent // size) * size, -size))


def divides(size: int, extent: Extent) -> bool:
    """Return whether tiles of a size divide an extent, for all values of symbolic sizes."""
    return Dim.of(extent) % size == Dim.const(0)


def inside_elements(access: Access, *, skips_units: bool = False) -> int:
    """Return how many adjacent elements of a padded operand one bounds check covers, at most 16.

    The result is the largest legal n such that n elements that are adjacent along the last
    dimension, and start at a multiple of n, are all inside or all outside the operand.  For that, n
    must divide the extent of the dimension, and the constant and all coefficients of its index,
    except one coefficient 1.  1 if the elements must be checked one by one.
    skips_units: whether the dimension is the last one that has several elements, as the channels of
    the filters of a 1 x 1 window.
    """
    dims = list(zip(access.indices or (), access.extents, strict=True))
    while skips_units and len(dims) > 1 and dims[-1][1] == 1 and dims[-1][0].is_constant:
        dims.pop()
    last, size = dims[-1][0], Dim.of(dims[-1][1])
    factors = sorted(abs(factor) for factor in last.terms.values())
    if not factors or factors[0] != 1 or any(isinstance(key, Atom) for key in last.terms):
        return 1
    numbers = [*factors[1:], last.const]
    counts = (
        n for n in LANE_COUNTS if size % n == Dim.const(0) and not any(c % n for c in numbers)
    )
    return next(counts, 1)


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
    """Return the axis k of an index ``k floordiv c`` or ``k mod c``; None for other indices.

    c is a multiple of a step, so the elements of a step have the same quotient.
    """
    (key, *others), factors = list(index.terms) or [None], set(index.terms.values())
    if others or index.const or factors != {1} or not isinstance(key, Atom):
        return None
    axis = key.operand.variable()
    return axis if isinstance(axis, str) and key.divisor % _LONGEST_STEP == 0 else None


def steps_within(view: ComputeView, axis: str, steps: Sequence[int]) -> list[int]:
    """Return the step lengths along a reduction axis that keep every quotient in an index constant.

    axis: the axis.  steps: the lengths to choose from.  An index of an operand may contain ``k
    floordiv c``, where k is the axis: all elements of a step have the same quotient if c is a
    multiple of the step.
    """
    atoms = [atom for access in view.inputs for e in access.indices or () for atom in e.atoms()]
    periods = [atom.divisor for atom in atoms if atom.operand.variable() == axis]
    return [step for step in steps if all(n % step == 0 for n in periods)]


def tile_extent(index: Index, sizes: Mapping[str, int]) -> int:
    """Return the extent of a dimension of an operand's tile.

    index: the index of the dimension.
    sizes: the extents of the tile along the axes.
    """
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
    """Write the steps of the schedule of a matrix product of f32."""
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
            tile = script.share(script.match(copy_name(view, product.form, operand)), 0)
        else:
            tile, compute = script.cache_read(compute, operand, names)
        tile, compute = script.compute_at(tile, compute, "ko")
        if product.form is not None and operand == 0:
            tile = script.storage_align(tile, names[-2], 2 * _PADDING, _PADDING)
            names[-2:] = names[:-3:-1]
            tile = script.reorder(tile, names)
        elif operand == 0 and product.pads_rows:
            tile = script.storage_align(tile, names[-2], 2 * _PADDING, _PADDING)
        elif operand == 1 and product.by_sum[1]:
            # Rows of columns by k: a thread loads its four at once.
            compute = _by_columns(script, compute, view, product)
            tile = script.storage_align(tile, names[-1], 2 * _PADDING, _PADDING)
        part = _copied_at_once(view, product, operand)
        tile = _share(script, tile, names, product, part)
        if product.stages > 1:
            script.double_buffer(tile, product.stages)


def _by_columns(script: Script, compute: SSAValue, view: ComputeView, product: Product) -> SSAValue:
    """Store the columns of the right operand's tile innermost; return the product."""
    indices = list(view.inputs[1].indices or ())
    dim = next(n for n, index in enumerate(indices) if product.axes.n in index.variables())
    return script.store_innermost(compute, 1, len(indices), dim)


def gather(
    script: Script,
    compute: SSAValue,
    form: ConvolutionForm,
    multiples: Mapping[str, int],
    orders: Mapping[str, Sequence[str]],
) -> SSAValue:
    """Turn a convolution into a matrix product of copies by sched.im2col; return the compute.

    compute: the handle of the convolution.
    form: the convolution as a matrix product.
    multiples: for each axis of the product, the number of which its extent becomes a multiple.
    orders: the order of dimensions in the copies, for the operands "lhs" and "rhs".
    """
    return script.im2col(compute, multiples, orders, merged=form.merged, blocks=form.blocks)


def copy_name(view: ComputeView, form: ConvolutionForm | None, operand: int) -> str:
    """Return the name that a schedule step gives to the compute that copies an operand.

    The step is sched.im2col for a convolution (``form``), else sched.pad_einsum.  operand: the
    number of the operand.
    """
    if form is not None:
        return f"{view.name}_{('lhs', 'rhs')[operand]}"
    name, value = f"{view.name}_in{operand}", view.inputs[operand].value
    users = () if value is None else (use.operation for use in value.uses)
    # sched.transform_layout gives the name to the packed operand, and the copy gets the next name.
    is_taken = any(isinstance(op, ComputeOp) and op.label == name for op in users)
    return f"{name}_1" if is_taken else name


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
    """Split a block's tile into tiles of threads, with vectors of columns; return the compute.

    handle: the product.
    product: its tiles.
    bind_grid: whether to bind the outer loops to blocks, too.
    """
    axes = product.axes
    m, n = ("mi", "ni") if bind_grid else (axes.m, axes.n)
    handle = _split_threads(script, handle, product, m, n)
    around = axes.grid if bind_grid else axes.batch
    handle = script.reorder(handle, [*around, "my", "nx", *product.of_thread])
    threads = {"my": "threadIdx.y", "nx": "threadIdx.x"}
    if bind_grid:
        handle, _ = bind_blocks(script, handle, axes, product.grid)
    handle = script.bind(handle, threads)
    for axis in product.of_thread[:-1]:
        handle = script.unroll(handle, axis)
    is_apart = product.form is not None and not product.form.has_vectors(_THREAD)
    if bind_grid and (axes.n in product.ragged or is_apart):
        return script.unroll(handle, "nt")
    return script.vectorize(handle, "nt", _THREAD)


def _split_threads(script: Script, handle: SSAValue, product: Product, m: str, n: str) -> SSAValue:
    """Split the rows (axis ``m``) and columns (axis ``n``) among the threads of a block.

    Adjacent threads have adjacent vectors of columns, so that a warp reads all banks of shared
    memory.  If a thread has several vectors, they are interleaved with those of the other threads,
    and so are its rows, unless they are adjacent elements in shared memory.
    """
    if not product.by_sum[0]:
        handle = script.split(handle, m, product.thread_rows, ("my", "mt"))
    else:
        handle = script.split(handle, m, product.threads[0], ("mt", "my"))
    if product.thread_columns == _THREAD:
        return script.split(handle, n, _THREAD, ("nx", "nt"))
    handle = script.split(handle, n, _THREAD, ("nq", "nt"))
    return script.split(handle, "nq", product.threads[1], ("nh", "nx"))


def bind_blocks(
    script: Script, handle: SSAValue, axes: ProductAxes, grid: Mapping[str, str], *, band: int = 1
) -> tuple[SSAValue, str]:
    """Bind the loops of the grid to block indices; return the compute and the innermost loop.

    axes: the axes of the product.
    grid: the dimension of the grid for each loop.
    band: the number of rows of tiles through which blocks run before the next column of tiles.
    """
    outer, inner = axes.outermost, axes.grid[len(axes.outermost) :]
    if band > 1:
        handle = script.split(handle, "mo", band, ("band", "strip"))
        handle = script.reorder(handle, [*outer, "band", "no", "strip"])
        handle, inner = script.fuse(handle, ["band", "no", "strip"], "tile"), ["tile"]
        grid = {**grid, "tile": grid["no"]}
    first = _BATCH if len(outer) > 1 else (outer or ("",))[0]
    handle = script.fuse(handle, outer, _BATCH) if len(outer) > 1 else handle
    loops = {first: grid[_BATCH]} if outer else {}
    return script.bind(handle, loops | {loop: grid[loop] for loop in inner}), inner[-1]


def _updates(script: Script, handle: SSAValue, product: Product) -> SSAValue:
    handle = script.split(handle, product.axes.k, product.step, ("ko", "ki"))
    handle = _split_threads(script, handle, product, product.axes.m, product.axes.n)
    order = ["ko", *product.axes.batch, "my", "nx", "ki", *product.of_thread]
    handle = script.reorder(handle, order)
    handle = script.bind(handle, {"my": "threadIdx.y", "nx": "threadIdx.x"})
    for axis in product.of_thread[:-1]:
        handle = script.unroll(handle, axis)
    if product.thread_rows * product.thread_columns > _MOST_ROLLED:
        handle = script.unroll(handle, "ki")
    return script.vectorize(handle, "nt", _THREAD)


def _copied_at_once(view: ComputeView, product: Product, operand: int) -> int:
    """Return how many adjacent elements of an operand a thread copies at once.

    These are 16 bytes if the copy is asynchronous, keeps the order of the elements, and has no part
    of a vector outside; otherwise one element.  operand: the number of the operand.
    """
    if product.form is not None or (operand == 1 and product.by_sum[1]):
        return 1
    axes, access = product.axes, view.inputs[operand]
    ends = list(access.indices or ())[-1:]
    last = {key for e in ends for key in e.variables() if e.coefficient(key) == 1}
    tile = product.step * (product.rows if axes.m in access.axes() else product.columns)
    is_whole = tile % (prod(product.threads) * _THREAD) == 0
    if access.axes() & product.ragged:
        is_whole = is_whole and inside_elements(access) % _THREAD == 0
    return _THREAD if product.stages > 1 and is_whole and not last & {*axes.batch} else 1


def _share(
    script: Script, handle: SSAValue, axes: Sequence[str], product: Product, part: int
) -> SSAValue:
    """Let all threads of a block copy a tile; adjacent threads copy adjacent elements.

    handle: the compute that copies.
    axes: its axes.
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
