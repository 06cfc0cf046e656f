"""Contractions: the parts, packing and register tiles shared by matrix products and convolutions.

A contraction multiplies a vector operand (indexed by the vector axis, which is contiguous in the
output) with scalar operands (not indexed by it) and sums.  Its register tile is rows x vectors:
rows run along the innermost parallel axis that only scalar operands have.  A contraction with one
such axis is planned as a matrix product (product.py), with two or more as a convolution over
(height, width) (convolution.py), unless these are the leading axes of a product with one matrix.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import takewhile
from math import ceil, prod

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ....analysis.patterns.contraction import Contraction, contraction_of, group_of, slides
from ....analysis.patterns.intrinsics import steps_axis
from ....analysis.patterns.sharing import element_bytes, lane_bits
from ....analysis.strides import axis_stride, divisors_of_axis, lane_stride
from ....dialects.shape import Dim, Extent, likely
from ....dialects.te import Access, ComputeView, IntrinsicOp
from ....dialects.te.verifier import stores_accumulator
from ....machines.target import Target
from ....support.names import Names
from .script import CreatedCompute, Script
from .tiles import MOST_VECTORS, RegisterTile, divisor_at_most, even_part, fits_registers

LIKELY_ROWS = 128
"""The rows that a plan for symbolic rows assumes: several tiles, whose operands fit in L2."""


TRIP_VECTORS = 32
"""Most vectors of sums to which one loop iteration adds, in tiles of symbolic rows.

Fewer steps per iteration are as fast in tall tiles, and the code contains tiles of all heights.
"""

TASK_ROWS = 8
"""The fewest rows of a task, which are the rows of a tile."""


def likely_rows(extent: Extent) -> int:
    """Return a number of rows; for a dynamic (symbolic) extent, a likely number."""
    return extent if isinstance(extent, int) else min(likely(extent), LIKELY_ROWS)


@dataclass(frozen=True)
class ReductionSplit:
    """A reduction axis that is split into blocks of ``size`` elements.

    axis: the axis before the split.
    outer: the name of the axis over blocks.
    inner: the name of the axis inside a block.
    """

    axis: str
    size: int
    outer: str
    inner: str


@dataclass(frozen=True)
class TiledContraction:
    """A contraction, with the properties on which its schedule depends (see the module).

    view: the compute.
    target: the target, with the ports for vectors of ``lanes``.
    lanes: lanes of a vector.
    vector_axis: the axis along which vectors run.
    vector_operand: the position in view.inputs of the operand that is loaded as vectors.
    packs: whether that operand is a weight and can be packed.
    rows: axes that only the scalar operand has, outermost first.
    batch: the other parallel axes except the vector axis.
    reduced: reduction axes after the splits, in loop order.
    splits: splits of reduction axes.
    instruction: the intrinsic that computes a step of the reduction; None: multiply and add
    instructions.
    """

    view: ComputeView
    target: Target
    lanes: int
    vector_axis: str
    vector_operand: int
    packs: bool
    rows: tuple[str, ...]
    batch: tuple[str, ...]
    reduced: tuple[str, ...]
    splits: tuple[ReductionSplit, ...]
    instruction: IntrinsicOp | None = None

    @cached_property
    def terms(self) -> int:
        """The number of adjacent terms of a sum that one step adds to a lane."""
        return 1 if self.instruction is None else terms_of(self.instruction)

    @cached_property
    def temporaries(self) -> int:
        """The number of registers that a step needs in addition to accumulators and operands.

        Instructions such as vpmaddwd need some, for products that another instruction adds.
        """
        return 0 if self.instruction is None else temporaries_of(self.instruction)

    @property
    def together(self) -> int:
        """The number of rows that one instruction multiplies at once."""
        return 1 if self.instruction is None else self.instruction.rows

    @property
    def block_channels(self) -> int:
        """The channels per block of a blocked layout.

        They are the lanes of a vector, or the terms of a matrix instruction if these are more.
        """
        return max(self.lanes, self.terms) if self.together > 1 else self.lanes

    @cached_property
    def columns(self) -> int:
        """The extent of the vector axis."""
        return self.view.extents[self.vector_axis]

    @cached_property
    def group(self) -> int:
        """The number of columns that read the same scalars.

        These are all columns, or those of one group of a grouped convolution.
        """
        scalars = self.view.inputs[1 - self.vector_operand]
        return group_of(self.view, scalars, self.vector_axis) or self.columns

    def split_of(self, axis: str) -> ReductionSplit | None:
        """Return the split that produced an axis; None if no split did."""
        return next((s for s in self.splits if axis in (s.outer, s.inner)), None)

    def base(self, axis: str) -> str:
        """Return the axis of the compute from which a split made an axis.

        The axis itself if no split made it.
        """
        split = self.split_of(axis)
        return axis if split is None else split.axis

    def extent(self, axis: str) -> int:
        """Return the extent of an axis, which may be a part of a split axis."""
        split = self.split_of(axis)
        if split is None:
            return self.view.extents[axis]
        return split.size if axis == split.inner else self.view.extents[split.axis] // split.size

    @cached_property
    def row_count(self) -> int:
        """The number of rows; if an axis of rows is symbolic, a likely number."""
        return prod(self.likely_extent(axis) for axis in self.rows)

    def likely_extent(self, axis: str) -> int:
        """Return the extent of an axis of rows or columns, or a likely one if it is symbolic."""
        return likely_rows(self.view.axes[axis])

    @cached_property
    def has_symbolic_rows(self) -> bool:
        """Whether the extent of a row axis is known only at run time."""
        return any(isinstance(self.view.axes[axis], Dim) for axis in self.rows)

    def step(self, axis: str) -> int:
        """Return the distance along an axis of the compute that one step along ``axis`` covers.

        It is the size of a block for the outer axis of a split, and 1 for all other axes.
        """
        split = self.split_of(axis)
        return 1 if split is None or axis == split.inner else split.size

    def split_last(self, size: int) -> TiledContraction:
        """Return the contraction with its innermost reduction axis split into blocks of a size."""
        *outer, axis = self.reduced
        taken = (n for s in self.splits for n in (s.outer, s.inner))
        split = _split(axis, size, Names([*self.view.axes, *taken]))
        return replace(
            self, splits=(*self.splits, split), reduced=(*outer, split.outer, split.inner)
        )

    def with_tasks_of_rows(self) -> TiledContraction:
        """Return the contraction with one axis of rows; all other row axes move to the batch.

        Each point of the batch is then a task of its own.  The axis that stays is the innermost one
        if it fills a register tile, else the longest.  A tile does not cross the other axes, and
        the rows of a task stay in L2, for example those of one image in ``x[b, k floordiv 64, m, k
        mod 64]``.
        """
        rows = self.rows[-1]
        if self.likely_extent(rows) < TASK_ROWS:
            rows = max(self.rows, key=self.likely_extent)
        batch = {*self.batch, *self.rows} - {rows}
        ordered = tuple(axis for axis in self.view.parallel_axes() if axis in batch)
        return replace(self, rows=(rows,), batch=ordered)

    @property
    def has_symbolic_extents(self) -> bool:
        """Whether the extent of some axis is known only at run time."""
        return any(isinstance(extent, Dim) for extent in self.view.axes.values())

    @cached_property
    def maps_rows(self) -> bool:
        """Whether this is a matrix product whose rows are several leading axes of the result.

        Each of these axes must have stride 1 in the scalar operand, and share no index with a
        reduction axis, as the pixels of a convolution do.  The axes cannot be merged if the scalar
        operand has other dimensions between them, as in ``x[b, h, m, k]``.
        """
        indices = self.view.outputs[0].indices or []
        leading = [e.variable() for e in indices if not e.is_constant][: len(self.rows)]
        scalars = self.view.inputs[1 - self.vector_operand]
        reduced = set(self.view.reduced_axes())
        return tuple(leading) == self.rows and all(
            e.coefficient(axis) in (0, 1) and not (axis in keys and keys & reduced)
            for e in scalars.indices or []
            for keys in (set(e.variables()),)
            for axis in self.rows
        )

    @cached_property
    def has_pixels(self) -> bool:
        """Whether the rows are pixels, so that the contraction is planned as a convolution."""
        return len(self.rows) >= 2 and not self.maps_rows

    @property
    def sums_in_memory(self) -> bool:
        """Whether the output can hold partial sums: it has the type of the accumulators."""
        return stores_accumulator(self.view.outputs[0])

    @cached_property
    def element_bytes(self) -> int:
        """Bytes of one element of the vector operand."""
        return element_bytes(self.view.inputs[self.vector_operand].type)

    @property
    def step_bytes(self) -> int:
        """The bytes of the vector operand that each lane reads in one step."""
        return self.element_bytes * self.terms

    @cached_property
    def steps(self) -> int:
        """The number of steps of a sum; one step adds ``terms`` terms."""
        return prod(self.extent(a) for a in self.reduced) // self.terms

    @cached_property
    def fitting_tiles(self) -> list[RegisterTile]:
        """The register tiles of all heights and widths that fit in the registers.

        Each tile has at least half of the accumulators that hide the latency of multiply-adds,
        unless the product has fewer.  If several heights cut the rows into equally many tiles, only
        the smallest of these heights is listed.
        """
        rows = self.likely_extent(self.rows[-1]) if self.rows else 1
        vectors = ceil(self.group / self.lanes)
        widths = [n for n in range(1, min(MOST_VECTORS, vectors) + 1) if self._fits_groups(n)]
        fewest = min(self.target.fma_latency * self.target.fma_ports // 2, rows * max(widths))
        heights = sorted({even_part(rows, n) for n in range(1, rows + 1)})
        fitting: list[RegisterTile] = []
        for width in widths:
            fits = partial(
                fits_registers,
                vectors=width,
                target=self.target,
                masked=self.columns % self.lanes != 0 and vectors % width == 0,
                temporaries=self.temporaries,
                together=self.together,
            )
            fitting += (RegisterTile(height, width) for height in takewhile(fits, heights))
        most = max(tile.rows * tile.vectors for tile in fitting)
        return [tile for tile in fitting if tile.rows * tile.vectors >= min(fewest, most)]

    def _fits_groups(self, vectors: int) -> bool:
        """Return whether no tile of a number of vectors crosses groups of columns."""
        return self.group == self.columns or ceil(self.group / self.lanes) % vectors == 0


def terms_of(instruction: IntrinsicOp) -> int:
    """Return the number of terms of a sum that an instruction adds to each lane at once."""
    view = instruction.compute.view()
    return prod(view.extents[a] for a in view.reduced_axes())


def temporaries_of(instruction: IntrinsicOp) -> int:
    """Return the number of registers that an instruction needs besides accumulators and operands.

    It is two for an instruction whose products a second instruction adds, because two steps are in
    flight: with one register, loops of 6 x 2 accumulators in 16 registers spilled.
    """
    *_, last = instruction.emission.block.ops
    return 2 if last.prev_op is not instruction.emission.block.first_op else 0


def analyse(
    view: ComputeView, constants: set[SSAValue], target: Target, lanes: int
) -> TiledContraction | None:
    """Return a compute of two operands as a contraction that register tiles compute, or None.

    None if no parallel axis suits: along the vector axis, one operand must be loadable as vectors,
    and the other operand must not change, so that its scalars can be broadcast.
    constants: the arguments of the kernel that are weights.
    lanes: the lanes of a vector.
    """
    found = contraction_of(view)
    if found is None:
        return None
    target = target.for_vectors(lanes * lane_bits(view.accesses()))
    (out,) = view.outputs
    for axis in reversed(view.parallel_axes()):
        extent = view.axes[axis]
        if isinstance(extent, Dim) or extent < 2 or lane_stride(view, out, axis, lanes) != 1:
            continue
        for position in (0, 1):
            tiled = _with_operand(found, axis, position, constants, target, lanes)
            if tiled is not None:
                return tiled
    return None


def _with_operand(
    found: Contraction,
    axis: str,
    position: int,
    constants: set[SSAValue],
    target: Target,
    lanes: int,
) -> TiledContraction | None:
    view = found.view
    access, other = view.inputs[position], view.inputs[1 - position]
    if axis not in access.axes() or access.pad is not None:
        return None
    if axis in other.axes() and lane_stride(view, other, axis, lanes) != 0:
        return None
    packs = access.value in constants and _places(view, access) is not None
    big = [a for a in view.parallel_axes() if view.axes[a] != 1 and a != axis]
    rows = tuple(a for a in big if a in found.only_of(1 - position))
    batch = tuple(a for a in big if a not in rows)
    if not rows and (slides(view, access) or _sums_contiguously(view, axis, access, packs, lanes)):
        return None
    names = Names(view.axes)
    splits: list[ReductionSplit] = []
    reduced: list[str] = []
    for name in view.reduced_axes():
        extent = view.extents[name]
        blocks = [d for d in divisors_of_axis(view, name) if extent % d == 0]
        if blocks and min(blocks) < extent:
            splits.append(_split(name, min(blocks), names))
            reduced.append(splits[-1].outer)
        else:
            reduced.append(name)
    contiguous = [a for a in reduced if a in view.axes and axis_stride(other, a) == 1]
    if not splits and len(contiguous) == 1 and not slides(view, other, contiguous[0]):
        # A single block of channels goes innermost, like the inner part of several blocks:
        # 16 channels, 3x3, on 160 x 160: 4.2 -> 1.8 ms.
        reduced.remove(contiguous[0])
        reduced += contiguous
    loops = (*reduced, *(split.inner for split in splits))
    return TiledContraction(
        view, target, lanes, axis, position, packs, rows, batch, loops, tuple(splits)
    )


def _split(axis: str, size: int, names: Names) -> ReductionSplit:
    return ReductionSplit(axis, size, names.fresh(f"{axis}o"), names.fresh(f"{axis}i"))


def _sums_contiguously(
    view: ComputeView, axis: str, access: Access, packs: bool, lanes: int
) -> bool:
    """Return whether vectors must run along the reduction axis, as for a row-major matrix.

    access: the read of the matrix.
    axis: the other axis along which vectors could run.
    packs: whether the matrix is a weight, which can be packed for vectors along ``axis``; the
    result is then False.

    For example, a computed row-major matrix is multiplied by a vector: vectors across its rows
    would read a cache line per lane (1000 x 512 in one row: 5.4 x onnxruntime's time).
    """
    reduced = [a for a in view.reduced_axes() if view.axes[a] != 1]
    if packs or not reduced or lane_stride(view, access, axis, lanes) == 1:
        return False
    return view.extents[reduced[-1]] >= 2 * lanes and axis_stride(access, reduced[-1]) == 1


def _places(view: ComputeView, access: Access) -> dict[str, AffineExpr] | None:
    """Return the position along each axis as an expression of the indices of an operand's element.

    For ``x[m, h * 64 + k]`` with 64 positions of k, the element at indices (d0, d1) belongs to m =
    d0, h = d1 floordiv 64, and k = d1 mod 64. None if an index has another form than one axis, or
    two axes like h and k.
    """
    found: dict[str, AffineExpr] = {}
    for d, index in enumerate(access.indices or []):
        dim = AffineExpr.dimension(d)
        axes = sorted(((c, a) for a, c in index.terms.items() if isinstance(a, str)), reverse=True)
        match axes:
            case [(1, axis)] if len(index.terms) == 1:
                parts = {axis: dim}
            case [(size, outer), (1, inner)] if (
                view.extents[inner] == size and len(index.terms) == 2
            ):
                parts = {outer: dim // size, inner: dim % size}
            case _:
                parts = None if index.terms else {}
        if parts is None or (parts and index.const) or found.keys() & parts.keys():
            return None
        found |= parts
    return found


def pack_weights(
    script: Script,
    leaf: SSAValue,
    c: TiledContraction,
    width: int,
    outer_block: int,
    *,
    group: int = 1,
    is_reused: bool = False,
) -> SSAValue:
    """Pack the weights of a contraction into panels of columns, in the order of the loops.

    leaf: the handle of the compute; the handle after the step is returned.
    width: the columns of a register tile, which are also those of a panel unless ``is_reused``.
    outer_block: the elements of the first reduction axis that one pass over the reduction covers;
    the panels of a pass are then contiguous (0: one pass; panels are the outermost dimension).
    group: the number of panels that a pass covers before the next group; groups are then the
    outermost dimension.
    is_reused: whether a call reads each weight several times, so that panels may be wider than
    tiles (`_panel_width`).
    """
    width = _panel_width(c, width) if is_reused else width
    access = c.view.inputs[c.vector_operand]
    dims = _places(c.view, access)
    assert dims is not None, "a contraction packs what has a place for each axis"
    column = dims[c.vector_axis]
    panel = column // width
    results = [dims[a] for a in c.batch if a in dims]
    bases = [c.base(axis) for axis in c.reduced]
    first = next(iter(bases), "")
    if group > 1:
        results.append(panel // group)
        panel = panel % group
    if outer_block and first in dims:
        results.append(dims[first] // outer_block)
    results.append(panel)
    for axis, base in zip(c.reduced, bases, strict=True):
        if base not in dims:
            continue
        # The terms of a step are innermost, after the columns.
        terms = c.terms if axis == c.reduced[-1] else 1
        dim = dims[base] // terms if terms > 1 else dims[base]
        split = c.split_of(axis)
        if split is None:
            block = outer_block // terms
            results.append(dim % block if outer_block and base == first else dim)
        elif axis == split.inner:
            results.append(dim % (split.size // terms))
        elif outer_block and base == first:
            results.append(dim // split.size % (outer_block // split.size))
        else:
            results.append(dim // split.size)
    results.append(column % width)
    if c.terms > 1:
        results.append(dims[bases[-1]] % c.terms)
    layout = AffineMapAttr(AffineMap(len(access.dims), 0, tuple(results)))
    return script.pack(leaf, c.vector_operand, layout)


_MOST_PADDING = 8
"""One copy of the weights for several processors has at most this fraction of padding."""


def _panel_width(c: TiledContraction, width: int) -> int:
    """Return the number of columns of a panel for tiles of ``width`` columns.

    In a program for several processors, all read one copy of the weights.  Its panels fit the
    widest vectors; on a processor with narrower vectors, a panel has several tiles.  If that needs
    too much padding, the panel has the width of a tile.  Measured on Zen 4: products of 64 and 256
    rows take 1 to 4 % longer with the code for AVX2, and up to 20 % with the code for SSE2;
    products of one row would take 29 and 65 % longer.
    """
    shared = width * max(1, c.target.panel_bits // c.target.vector_bits)
    padding = -c.columns % shared
    return shared if padding * _MOST_PADDING <= c.columns else width


def pack_groups(
    script: Script, made: CreatedCompute, c: TiledContraction, width: int, copy: SSAValue
) -> None:
    """Store the terms of a step side by side in a copy of the vector operand.

    An instruction then loads the terms of all its lanes as one vector.
    copy: the handle of the compute that copies the operand.
    made: the result of the step that created the copy, for the names of its axes.
    width: the columns of a panel.
    """
    indices = c.view.inputs[c.vector_operand].indices or []
    dims = [AffineExpr.dimension(d) for d in range(len(indices))]
    column, depth = (
        next(d for d, e in enumerate(indices) if axis in set(e.variables()))
        for axis in (c.vector_axis, c.reduced[-1])
    )
    others = [
        dims[d] // c.terms if d == depth else dims[d] for d in range(len(dims)) if d != column
    ]
    layout = (dims[column] // width, *others, dims[column] % width, dims[depth] % c.terms)
    copy = script.relayout(copy, AffineMapAttr(AffineMap(len(dims), 0, layout)))
    sizes = {**dict.fromkeys(made.axes, 1), made.axes[column]: c.lanes, made.axes[depth]: c.terms}
    copy, _ = script.tile(copy, sizes)
    is_contiguous = (
        lane_stride(c.view, c.view.inputs[c.vector_operand], c.vector_axis, c.lanes) == 1
    )
    axis, lanes = (column, c.lanes) if is_contiguous else (depth, c.terms)
    script.vectorize(copy, made.axes[axis], lanes)


def split_blocks(script: Script, leaf: SSAValue, c: TiledContraction) -> SSAValue:
    """Split the reduction axes as the contraction's ``splits`` say, and put all axes in loop order.

    leaf: the handle of the compute; the handle after the steps is returned.
    """
    for split in c.splits:
        leaf = script.split_axis(leaf, split.axis, split.size, (split.outer, split.inner))
    if c.splits or list(c.reduced) != c.view.reduced_axes():
        leaf = script.order(leaf, [*c.view.parallel_axes(), *c.reduced])
    return leaf


def vectorize(
    script: Script,
    leaf: SSAValue,
    c: TiledContraction,
    unrolls: dict[str, int],
    prefetch: int,
    *,
    spread: bool = False,
) -> None:
    """Write the steps that turn an innermost compute into the register tile of a contraction.

    leaf: the handle of the compute.
    unrolls: for each reduction axis, how many of its steps one loop iteration executes; 0: all
    steps.
    prefetch: how far ahead of its loads the vector operand is prefetched, in elements; 0: no
    prefetches.
    spread: whether to divide the prefetches among the surrounding loops in which the vector operand
    is invariant.
    """
    most = c.target.unrolled_steps
    unrolls = {a: u and divisor_at_most(u, most) for a, u in unrolls.items()}
    unrolls = {a: u for a, u in unrolls.items() if u != 1}
    if c.instruction is not None:
        _tensorize(script, leaf, c, unrolls, prefetch, spread=spread)
        return
    options = {"trip": TRIP_VECTORS} if c.has_symbolic_rows and unrolls else {}
    if prefetch:
        options |= {
            "prefetch_operand": c.vector_operand,
            "prefetch": prefetch,
            "prefetch_level": 2 if spread else 3,
        }
        if spread:
            options["prefetch_spread"] = 1
    script.vectorize(leaf, c.vector_axis, c.lanes, unrolls, **options)


def _tensorize(
    script: Script,
    leaf: SSAValue,
    c: TiledContraction,
    unrolls: dict[str, int],
    prefetch: int,
    *,
    spread: bool,
) -> None:
    """Write the schedule steps that compute a register tile by the instruction of the contraction.

    leaf: the handle of the innermost compute, which computes one register tile.
    unrolls: for each reduction axis, how many of its steps one loop iteration executes; 0: all
    steps.
    prefetch: how far ahead of its loads the vector operand is prefetched, in elements; 0: no
    prefetches.
    spread: whether to divide the prefetches among the surrounding loops in which the vector operand
    is invariant.
    """
    assert c.instruction is not None, "the contraction has an instruction"
    inner = c.reduced[-1]
    # A single step has no axis.
    unrolls = {a: u for a, u in unrolls.items() if a != inner or c.extent(inner) > c.terms}
    taken = {*c.view.axes, *(n for s in c.splits for n in (s.outer, s.inner))}
    steps = {steps_axis(taken, a) if a == inner else a: u for a, u in unrolls.items()}
    leaf = script.tensorize(leaf, c.instruction.label, c.vector_axis, steps)
    if prefetch:
        level = 2 if spread else 3
        script.prefetch(leaf, c.vector_operand, prefetch, level, spread=spread)
