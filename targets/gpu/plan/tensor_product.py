"""Matrix products of narrow types by matrix instructions: a tile of the result per warp.

In: the view of a compute.  Out: the steps of its schedule, or the reason why it has none.

    C[b, m, n] += A[b, m, k] * B[b, k, n]

    Operands are f16, bf16 or rounded f32, with sums in f32, or bytes, with sums in i32.

Rules of gpu-plan:
G10  All threads of a block copy a tile of each operand to shared memory.  Then each warp multiplies
     its rows by its columns with an intrinsic of targets/gpu/intrinsics.py, and accumulates in
     registers.  Tiles that reach beyond an axis read zeros there, as in G7.
     Rows of a tile are an odd multiple of 16 bytes apart, so the eight rows that ldmatrix reads at
     once are in different banks.  A wave of MFMA has 64 threads.  A convolution is such a product,
     too (G14); bytes of its image are stored by pixel: a thread loads the four bytes of a register
     at once.
G11  The tile of a block has the least time in a model of one multiprocessor: multiply-adds, reads
     of both operands, and whole turns of all multiprocessors.  A warp has a half of the rows, and a
     half or a quarter of the columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from math import prod

from xdsl.dialects.builtin import f32, i8
from xdsl.ir import Attribute, SSAValue

from ....analysis.bodies import is_narrow
from ....analysis.intrinsics import Difference, match_bodies
from ....analysis.strides import flat_address
from ....dialects.dtypes import bit_width
from ....dialects.shape import Dim, Extent
from ....dialects.simt import COPY_BYTES, MFMA, MMA, WMMA, MmaOp
from ....dialects.te import ComputeView, IntrinsicOp
from ....support.gpu_limits import GpuLimits, gpu_limits
from ....support.target import Target
from ..intrinsics import MATRIX_INTRINSICS, make_matrix_intrinsic
from .convolution import (
    PROCESSORS,
    READ_BYTES,
    ConvolutionForm,
    assumed,
    blocks_of,
    convolution_forms,
    direct_clocks,
    stores_end,
)
from .pipeline import pipeline_stages
from .product import (
    LEAST,
    ProductAxes,
    axes_of,
    bind_blocks,
    divides,
    gather,
    grid_dimensions,
    is_small,
    operand_axes,
    product_axes,
    tile_extent,
)
from .script import Script

_SIZES = (128, 64, 32, 16)
_OPEN_SIZE = 64
_OPEN_EXTENT = 1024
"""The tile of an axis of dynamic (symbolic) size, and the extent that the model assumes for it."""

_MULTIPLIES = 1024
"""The f16 multiply-adds of an A100's multiprocessor per cycle; of bytes, twice as many.  Source:
NVIDIA A100 whitepaper, 312e12 operations per second at 1.41 GHz."""

_MOST_WARP_ROWS, _MOST_WARP_COLUMNS = 64, 32
"""A larger tile of a warp needs more than 64 registers of a thread for its accumulators."""

_ROW_BYTES = 16
"""The bytes of a row of ldmatrix, and the bytes that a thread copies at once."""


@dataclass(frozen=True)
class Sums:
    """The accumulators that the threads of a warp hold for one instruction, which has 16 rows.

    columns: the columns of the instruction.  rows, pair: the extents by which rows and columns are
    split.  lane: the parts of rows and columns whose positions make up the number of the thread.
    """

    columns: int
    rows: int
    pair: int
    lane: tuple[str, str]


SUMS = {
    MMA: Sums(8, 8, 2, ("row", "quad")),
    MFMA: Sums(16, 4, 1, ("half", "quad")),
    WMMA: Sums(16, 2, 1, ("row", "quad")),
}
"""The accumulators of each kind of instruction, as in the fragments of its intrinsics' results."""


@dataclass(frozen=True)
class TensorProduct:
    """The axes of a matrix product and its tiles.

    bytes: the size of an operand's element.  rows, columns: the tile of a block.  warp_rows,
    warp_columns: the tile of a warp, which has ``warp`` threads.  step: the extent of a tile along
    k.
    ragged: the axes that tiles do not divide.  form: the form of a convolution; None for other
    products.  stages: the tiles of each operand in shared memory.
    """

    axes: ProductAxes
    intrinsic: str
    warp: int
    sums: Sums
    bytes: int
    rows: int
    columns: int
    step: int
    ragged: frozenset[str]
    form: ConvolutionForm | None = None
    stages: int = 1

    @property
    def sizes(self) -> dict[str, int]:
        """The size of a block's tile along each axis."""
        return {self.axes.m: self.rows, self.axes.n: self.columns, self.axes.k: self.step}

    @property
    def warp_rows(self) -> int:
        """The rows of the result that a warp computes."""
        return min(max(self.rows // 2, 16), _MOST_WARP_ROWS)

    @property
    def warp_columns(self) -> int:
        """The columns of the result that a warp computes."""
        return min(max(self.columns // 2, 16), _MOST_WARP_COLUMNS)

    @property
    def warps(self) -> tuple[int, int]:
        """The numbers of warps of a block along the rows and the columns."""
        return self.rows // self.warp_rows, self.columns // self.warp_columns

    @property
    def is_exact(self) -> bool:
        """Whether the sums are exact, because operands and sums are integers."""
        return self.bytes == 1

    @property
    def row(self) -> int:
        """The number of elements in 16 bytes."""
        return _ROW_BYTES // self.bytes

    @property
    def threads(self) -> int:
        """The number of threads of a block."""
        return prod(self.warps) * self.warp


def tensor_product_of(view: ComputeView, target: Target) -> TensorProduct | str | None:
    """Choose the tiles of a matrix product, or return the reason if it has none.

    None for any other compute.
    """
    if any(x.is_index or not _is_narrow(x.element_type) for x in view.inputs):
        return None
    axes = product_axes(view)
    forms = convolution_forms(view) if axes is None else []
    if axes is None and not forms:
        return None
    intrinsic = intrinsic_of(forms[0].of_copies if forms else view, target)
    if isinstance(intrinsic, str):
        return None if view.inputs[0].element_type == f32 else intrinsic
    if axes is None:
        return _convolution(view, forms, intrinsic, target)
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
        return "tiles do not divide a dimension that has several axes, or is a part of another"
    found = [p for p in whole if _fits(view, p, target)]
    if not found:
        return "the threads or the shared memory of a block of the target are too few"
    return _pipelined(view, min(found, key=lambda p: _cycles(view, p)), intrinsic, target)


def _pipelined(
    view: ComputeView, p: TensorProduct, intrinsic: IntrinsicOp, target: Target
) -> TensorProduct:
    """Return a product with a software pipeline, if asynchronous copies fit its tiles.

    Rule G16 of gpu-plan.  A shorter step leaves shared memory for more stages.
    """
    if any(_copied_at_once(view, p, n) * p.bytes < min(COPY_BYTES) for n in range(2)):
        return p
    for step in (p.step, _least_step(intrinsic)):
        q = replace(p, step=step)
        clocks = q.rows * q.columns * q.step * q.bytes / (2 * _MULTIPLIES)
        stages = pipeline_stages(
            target,
            gpu_limits(target),
            view.axes[q.axes.k],
            step,
            clocks=clocks,
            shared=_shared_bytes(view, q),
        )
        if stages > 1:
            return replace(q, stages=stages)
    return p


def _least_step(op: IntrinsicOp) -> int:
    """Return the length of an intrinsic's reduction axis."""
    (least,) = (op.compute.view().extents[axis] for axis in op.compute.view().reduced_axes())
    return least


def _copied_at_once(view: ComputeView, p: TensorProduct, operand: int) -> int:
    """Return how many adjacent elements a thread copies at once to the tile of an operand."""
    access = (p.form.view if p.form else view).inputs[operand]
    if access.axes() & p.ragged or not _is_contiguous(p, operand):
        return 1
    rows = p.rows if p.axes.m in access.axes() else p.columns
    return _part(rows * p.step, p)


def _convolution(
    view: ComputeView, forms: Sequence[ConvolutionForm], intrinsic: IntrinsicOp, target: Target
) -> TensorProduct | str:
    """Choose the tiles of a convolution, or return the reason why it has none."""
    large = [form for form in forms if not is_small(form)]
    if not large:
        return f"fewer than {LEAST} filters of a group, or pixels"
    tiles = [p for form in large for p in _tiles(form.view, axes_of(form), intrinsic, form=form)]
    if not tiles:
        return "no tile divides the sums or a group"
    found = [p for p in tiles if _fits(view, p, target)]
    if not found:
        return "the threads or the shared memory of a block of the target are too few"
    best = min(found, key=lambda p: _cycles(view, p))
    assert best.form is not None, "the tiles of a convolution"
    clocks = _cycles(view, best) * assumed(best.form.view.axes[best.axes.k])
    direct = direct_clocks(view, 1)
    if clocks >= direct:
        return f"tiles would take {clocks:.0f} clocks of the model, not {direct:.0f}"
    return best


def _is_narrow(type_: Attribute) -> bool:
    return is_narrow(type_) or type_ in (f32, i8)


def intrinsic_of(view: ComputeView, target: Target) -> IntrinsicOp | str:
    """Return the intrinsic that computes the terms of a sum, or the first difference as text."""
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


def sums_of(op: IntrinsicOp) -> Sums:
    """Return the accumulators that a thread holds for an intrinsic."""
    (use,) = (each for each in op.emission.block.ops if isinstance(each, MmaOp))
    return SUMS[use.unit_name]


@cache
def _all() -> tuple[IntrinsicOp, ...]:
    return tuple(make_matrix_intrinsic(name) for name in MATRIX_INTRINSICS)


def _tiles(
    view: ComputeView, axes: ProductAxes, op: IntrinsicOp, *, form: ConvolutionForm | None = None
) -> Iterator[TensorProduct]:
    least = _least_step(op)
    steps = [n for n in (2 * least, least) if divides(n, view.axes[axes.k])]
    if not steps and (form is None or form.is_zero_beyond):
        steps = [least]
    size_bytes = bit_width(view.inputs[0].element_type) // 8
    choices = [_sizes(view.axes[axis]) for axis in (axes.m, axes.n)]
    sums = sums_of(op)
    for step, rows, columns in product(steps[:1], *choices):
        sizes = {axes.m: rows, axes.n: columns, axes.k: step}
        ragged = frozenset(a for a, size in sizes.items() if not divides(size, view.axes[a]))
        if not stores_end(view, ragged):
            continue
        yield TensorProduct(
            axes, op.label, op.thread_count, sums, size_bytes, rows, columns, step, ragged, form
        )


def _sizes(extent: Extent) -> Sequence[int]:
    return (_OPEN_SIZE,) if isinstance(extent, Dim) else _SIZES


def _fits(view: ComputeView, p: TensorProduct, target: Target) -> bool:
    limits = gpu_limits(target)
    return p.threads <= limits.threads and _shared_bytes(view, p) <= limits.shared_bytes


def _shared_bytes(view: ComputeView, p: TensorProduct) -> int:
    """Return the bytes of the tiles of one step in shared memory."""
    shapes = _tile_shapes(view, p)
    return sum(prod(outer) * (columns + p.row) * p.bytes for *outer, columns in shapes)


def _tile_shapes(view: ComputeView, p: TensorProduct) -> list[list[int]]:
    """Return the shape of the tile of each operand."""
    if p.form is not None:
        return [[p.sizes[axis] for axis in order] for order in _orders(p).values()]
    return [
        [tile_extent(index, p.sizes) for index in access.indices or ()] for access in view.inputs
    ]


def _orders(p: TensorProduct) -> dict[str, list[str]]:
    """Return the order of the dimensions of a convolution's tiles, by operand."""
    axes = p.axes
    return {"lhs": [axes.m, axes.k], "rhs": [axes.n, axes.k] if p.is_exact else [axes.k, axes.n]}


def _cycles(view: ComputeView, p: TensorProduct) -> float:
    """Return the modelled cycles of a product per element of k (rule G11 of gpu-plan)."""
    reads = (p.rows + p.columns) * p.bytes / READ_BYTES
    multiplies = p.rows * p.columns * p.bytes / (2 * _MULTIPLIES)
    if p.form is not None:
        # Each element of the image is loaded and stored alone.
        clocks = multiplies + reads + 2 * p.columns / p.warp
        return -(-blocks_of(p.form, p.rows, p.columns) // PROCESSORS) * clocks
    blocks = prod(_extent(view, axis) for axis in p.axes.batch)
    for axis, size in ((p.axes.m, p.rows), (p.axes.n, p.columns)):
        blocks *= -(-_extent(view, axis) // size)
    return -(-blocks // PROCESSORS) * (multiplies + reads)


def _extent(view: ComputeView, axis: str) -> int:
    extent = view.axes[axis]
    return extent if isinstance(extent, int) else _OPEN_EXTENT


# -- the schedule ----------------------------------------------------------------------------------


def plan_tensor_product(
    script: Script, view: ComputeView, p: TensorProduct, limits: GpuLimits
) -> None:
    """Write the steps of a matrix product's schedule by matrix instructions."""
    axes, own = p.axes, p.form.view if p.form else view
    compute = script.match(view.name)
    ragged = {axis: n for axis, n in p.sizes.items() if axis in p.ragged}
    if p.form is not None:
        compute = gather(script, compute, p.form, ragged, _orders(p))
    elif ragged:
        compute = script.pad(compute, ragged)
    compute, copy = script.cache_write(compute, p.form.outputs if p.form else ())
    copy = script.split(copy, axes.m, p.rows, ("mo", "mi"))
    copy = script.split(copy, axes.n, p.columns, ("no", "ni"))
    copy = _fragments(script, copy, p, ("mi", "ni"), axes.grid)
    copy = bind_blocks(script, copy, axes, grid_dimensions(own, axes, p.sizes, limits))
    compute, copy = script.compute_at(compute, copy, axes.grid[-1])
    compute = _warps(script, compute, p)
    start, compute = script.decompose_reduction(compute, "ko")
    _fragments(script, start, p, (axes.m, axes.n), axes.batch, is_whole=True)
    for operand, names in enumerate(operand_axes(view, p.form)):
        access = own.inputs[operand]
        is_ragged = bool(access.axes() & p.ragged)
        if is_ragged or p.form is not None:
            tile = script.share(script.match(f"{view.name}_in{operand}"), 0)
        else:
            tile, compute = script.cache_read(compute, operand, names)
        tile, compute = script.compute_at(tile, compute, "ko")
        tile = script.storage_align(tile, names[-2], 2 * p.row, p.row)
        if p.form is not None and operand == 1 and p.is_exact:
            names[-2:] = names[:-3:-1]
            tile = script.reorder(tile, names)
        tile = _share(script, tile, p, names, _copied_at_once(view, p, operand))
        if p.stages > 1:
            script.double_buffer(tile, p.stages)
    script.tensorize(compute, p.intrinsic, "mw")


def _is_contiguous(p: TensorProduct, operand: int) -> bool:
    """Return whether adjacent elements in the tile of an operand are adjacent in memory."""
    if p.form is None:
        return True
    access, axis = p.form.view.inputs[operand], list(_orders(p).values())[operand][-1]
    shape = tuple(n for n in access.extents if isinstance(n, int))
    if access.pad is not None or len(shape) < len(access.extents):
        return False
    place = flat_address(access.indices or (), shape).merge_atoms()
    return place.coefficient(axis) == 1 and list(place.variables()).count(axis) == 1


def _fragments(
    script: Script,
    handle: SSAValue,
    p: TensorProduct,
    axes: tuple[str, str],
    around: Sequence[str],
    *,
    is_whole: bool = False,
) -> SSAValue:
    """Divide the accumulators among threads as the intrinsic's fragments do.

    axes: the axes of rows and columns.  around: the outer axes.  is_whole: all elements of tiles
    exist.
    """
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
    is_apart = p.form is not None and not p.form.has_vectors(sums.pair)
    if not is_whole and (p.axes.n in p.ragged or is_apart):
        return script.unroll(handle, "pair")
    return script.vectorize(handle, "pair", sums.pair)


def _warps(script: Script, handle: SSAValue, p: TensorProduct) -> SSAValue:
    """Divide the sums of a block: steps along k, tiles of warps."""
    axes = p.axes
    handle = script.split(handle, axes.k, p.step, ("ko", "ki"))
    handle = script.split(handle, axes.m, p.warp_rows, ("wy", "mw"))
    handle = script.split(handle, axes.n, p.warp_columns, ("wx", "nw"))
    handle = script.reorder(handle, ["ko", *axes.batch, "wy", "wx", "mw", "nw", "ki"])
    return script.bind(handle, {"wy": "threadIdx.z", "wx": "threadIdx.y"})


def _part(size: int, p: TensorProduct) -> int:
    """Return how many adjacent elements a thread copies at once; size: the elements of a tile."""
    parts = (n for n in (16, 8, 4, 2, 1) if n <= p.row)
    return next(n for n in parts if size % (n * p.threads) == 0)


def _share(
    script: Script, handle: SSAValue, p: TensorProduct, axes: Sequence[str], part: int
) -> SSAValue:
    """Let all threads of a block copy a tile; adjacent threads copy adjacent elements.

    part: elements that a thread copies at once.
    """
    handle = script.fuse(handle, axes, "element")
    rest = "element"
    if part > 1:
        handle = script.split(handle, rest, part, ("parts", "part"))
        rest = "parts"
    handle = script.split(handle, rest, p.warp, ("groups", "lane"))
    handle = script.split(handle, "groups", p.warps[1], ("turns", "wx"))
    handle = script.split(handle, "turns", p.warps[0], ("turn", "wy"))
    handle = script.bind(handle, {"wy": "threadIdx.z", "wx": "threadIdx.y", "lane": "threadIdx.x"})
    return script.vectorize(handle, "part", part) if part > 1 else handle


__all__ = [
    "Sums", "TensorProduct", "intrinsic_of", "plan_tensor_product", "sums_of", "tensor_product_of",
]  # fmt: skip
