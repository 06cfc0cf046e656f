"""sched.fuse_into: move a producer into a loop and compute only the slice that the loop reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.loop import AllocOp, ForOp
from ....dialects.loop.size import size_of_index
from ....dialects.shape import MOST, Dim, Extent, dims_of, extent_of
from ....dialects.spans import Span
from ....dialects.te import Access, ComputeOp, ComputeView
from ....dialects.te.role import Border
from ....support.affine import Index, Key, constant, variable
from ....support.blocks import enclosing
from ...rewrite.sections import sections
from ...rewrite.stores import fill_compute
from ..buffers.local_buffers import redirect_access, shown
from ..engine.axes import sliceable_axes
from ..engine.footprint import InnerVariables, Slice
from ..engine.placement import (
    append_to,
    block_of,
    comes_before,
    computes_in,
    erase_unused,
    insert_loop,
    is_inside,
    size_in_kernel,
    users,
    writers,
)
from ..engine.step import Handles, Step


def fuse_into(step: Step) -> Handles:
    """Move a producer into loops that read it, and shrink its local buffer to the slice read.

        te.compute @exp [i: 64, j: 128] .. outs(%e[i, j] : memref<64x128xf32>)
        loop.for %r = 0 to 16 { te.compute @scale [i: 4, ..] ins(%e[%r * 4 + i, j] : ..) .. }
        %f = sched.fuse_into %exp, %r
    ==>
        loop.for %r = 0 to 16 {
          %s = loop.alloc "local" : memref<4x128xf32>
          te.compute @exp [i: 4, j: 128] ins(%x[%r * 4 + i, j] ..) outs(%s[i, j] : ..)
          te.compute @scale [i: 4, ..] ins(%s[i, j] : ..) ..
        }

    The slice covers the reads of all computes in the loop. If the distance between two reads
    varies, the slice has the size that the largest distance needs. An axis is sliced if one index
    of every output consists of this axis only; other axes keep their extent. Kernel arguments, and
    buffers that ops outside of the loops read, keep their size; the slices of all iterations must
    then cover them, and readers outside must come later.
    halo: 1 for padded reads, as of a convolution. The slice then includes the border, which is
    filled with the pad value, and the producer runs over the part inside its domain. Without
    ``halo``, the slice must stay inside the domain or have a constant position (``peel``).
    axes: the names of the axes of the computes that fill the border, one per dimension of the
    buffer; by default f0, f1, ..
    Handles: the moved computes; with ``halo`` also the computes that fill the border, if any. The
    given loop handle stays valid.
    Before: the producer precedes the loops, in a block around them. It is one compute, or several
    innermost computes (leaves) that store to the same local buffers, of which the first writes all
    elements (as after ``rfactor``).
    Errors: ScheduleError naming the producer and the reader.
    """
    halo = step.number("halo", 0) != 0
    leaves, borders = fuse_producer(step, step.computes(), step.loops(1), halo)
    return [leaves, borders] if halo else [leaves]


def fuse_producer(
    step: Step,
    producers: Sequence[ComputeOp],
    loops: Sequence[ForOp],
    halo: bool,
    whole: Sequence[str] = (),
) -> tuple[list[Operation], list[Operation]]:
    """Move the innermost computes (leaves) of a producer into loops.

    producers: the computes.  halo: whether the slices include the border that padded reads need.
    whole: the axes of the producer that are not sliced.
    Returns the moved computes, loop by loop, and the computes that fill their borders.
    """
    if not loops:
        raise step.error("the loop handle is empty", hint="split_reduction made no loop there")
    view = producers[0].view()
    if not all(_stands_before(producer, loop) for producer in producers for loop in loops):
        raise step.error(
            f"@{view.name} is not before the loop, in a surrounding block",
            hint="fuse it before the loop around it is made, or into the inner loop",
        )
    buffers = [o.value for o in view.outputs if o.value is not None]
    local = {b for b in buffers if _is_local(b, producers, loops)}
    kept = [b for b in buffers if b not in local]
    if kept or any(list(op.outs) != buffers for op in producers):
        step.only_compute()
    groups = [
        [_LeafFusion(step, op.view(), loop, local, halo, whole) for op in producers]
        for loop in loops
    ]
    for group in groups:
        _plan_together(group)
    if kept:
        _require_repeatable(step, view)
        _require_covered(step, view, kept, [fusion for (fusion,) in groups])
    leaves: list[Operation] = []
    borders: list[Operation] = []
    label = step.fresh_label(f"{view.name}_fill")
    for group in groups:
        pieces = [op if group is groups[-1] else op.clone() for op in producers]
        for fusion, piece in zip(group, pieces, strict=True):
            fusion.move(piece)
        borders += group[0].contract(pieces, label)
        leaves += pieces
    erase_unused(buffers)
    return leaves, borders


def _plan_together(group: Sequence[_LeafFusion]) -> None:
    """Find the slices for innermost computes (leaves) of one producer that fill the same buffers.

    Each computes its own positions. They slice only the axes that all of them can slice, and share
    the sizes of the smaller buffers, which are those that the first one needs.
    """
    for fusion in group:
        fusion.plan()
    axes = set[str].intersection(*(fusion.axes for fusion in group))
    for fusion in group:
        fusion.axes, fusion.held = axes, group[0].held


def _stands_before(producer: ComputeOp, loop: ForOp) -> bool:
    block = block_of(producer)
    top = block.find_ancestor_op_in_block(loop)
    return top is not None and producer.is_before_in_block(top)


def _is_local(buffer: SSAValue, producers: Sequence[ComputeOp], loops: Sequence[ForOp]) -> bool:
    """Return whether a buffer is allocated in the kernel, and all its readers are in the loops.

    producers: the computes that write the buffer.
    """
    return isinstance(buffer.owner, AllocOp) and all(
        any(around in loops for around in enclosing(user))
        for user in users(buffer)
        if user not in producers
    )


@dataclass
class _Reads:
    """The positions along one axis of the producer that the computes in a loop read.

    slice: a range with all these positions.  reader: the label of the last such compute.  padded:
    whether a read may leave the producer's domain.
    """

    slice: Slice
    reader: str
    padded: bool = False


@dataclass
class _LeafFusion:
    """One innermost compute (leaf) of a producer, moved into one loop that reads its results.

    view: the definition of the leaf.
    local: the buffers of the producer that become smaller.
    halo: whether slices include the border that padded reads need.
    whole: axes that keep all their positions.
    computed: for each sliced axis, the positions that the leaf computes.
    held: for each sliced axis, the positions that the smaller buffers contain; with a border, these
    are more than the computed ones.
    clipped: the axes along which the slice can leave the producer's domain in some iterations.
    filled: whether a border must be filled.
    """

    step: Step
    view: ComputeView
    loop: ForOp
    local: set[SSAValue]
    halo: bool
    whole: Sequence[str]
    computed: dict[str, Slice] = field(default_factory=dict[str, Slice])
    held: dict[str, Slice] = field(default_factory=dict[str, Slice])
    clipped: set[str] = field(default_factory=set[str])
    filled: bool = False

    def __post_init__(self) -> None:
        self.inner = InnerVariables(self.loop)
        self.buffers = [o.value for o in self.view.outputs if o.value is not None]
        self.axes = self._sliced_axes()
        self.readers: list[tuple[ComputeOp, ComputeView]] = []

    def _sliced_axes(self) -> set[str]:
        """Return the axes that can be sliced: one index of each output is this axis alone."""
        axes = set(sliceable_axes(self.view)) - {*self.whole}
        for output in self.view.outputs:
            indices = output.indices or []
            plain = [e.variable() for e in indices]
            mixed = {k for e in indices if e.variable() is None for k in e.variables()}
            axes = {a for a in axes if plain.count(a) == 1 and a not in mixed}
        return axes

    def axis_of(self, buffer: SSAValue, dim: int) -> str | None:
        """Return the sliced axis that is the index of dimension ``dim`` of an output, or None."""
        output = next(o for o in self.view.outputs if o.value is buffer)
        key = (output.indices or [])[dim].variable()
        return key if isinstance(key, str) and key in self.axes else None

    def plan(self) -> None:
        """Choose the slice of every axis from the positions that the computes in the loop read.

        Changes only this object, not the program.
        Errors: ScheduleError if no compute in the loop reads the producer, or if a slice is
        impossible.
        """
        for op in computes_in(self.loop):
            view = op.view()
            if any(a.value in self.buffers for a in [*view.inputs, *view.post]):
                self.readers.append((op, view))
        if not self.readers:
            buffers = [u for b in self.buffers for u in users(b)]
            readers = [u.label for u in buffers if isinstance(u, ComputeOp)]
            others = dict.fromkeys(f"@{r}" for r in readers if r != self.view.name)
            raise self.step.error(
                f"nothing in the loop reads @{self.view.name}",
                expected=f"a loop around {' or '.join(others) or 'a reader'}",
            )
        self._require_no_other_writer()
        reads: dict[str, _Reads] = {}
        for _, view in self.readers:
            for access in [*view.inputs, *view.post]:
                if access.value in self.buffers:
                    self._add_reads(view, access, reads)
        for axis, read in reads.items():
            if axis in self.axes:
                self._place(axis, read)
        self.axes &= set(self.computed)

    def _require_no_other_writer(self) -> None:
        labels = [op.label for buffer in self.local for op in writers(buffer)]
        others = [label for label in labels if label != self.view.name]
        if others:
            raise self.step.error(
                f"@{others[0]} writes the buffer of @{self.view.name} too",
                hint="fuse computes that have a buffer of their own",
            )

    def _add_reads(self, view: ComputeView, access: Access, reads: dict[str, _Reads]) -> None:
        if access.indices is None:
            self.axes.clear()
            return
        assert access.value is not None
        for dim, index in enumerate(access.indices):
            axis = self.axis_of(access.value, dim)
            if axis is None:
                continue
            if any(isinstance(view.axes.get(str(key)), Dim) for key in index.variables()):
                self.axes.discard(axis)  # it runs whole
                continue
            found = self.inner.slice_of(index, view)
            if found is None:
                raise self.step.error(
                    f"the part of @{self.view.name} that @{view.name} reads has no constant size",
                    got=f"index {shown(index)} in dimension {dim}",
                    hint="fuse into a loop inside of the one whose bounds vary",
                )
            old = reads.get(axis)
            joined = found if old is None else old.slice.union(found, self.view.range_of)
            if joined is None:
                raise self.step.error(
                    f"@{view.name} and @{old.reader if old else ''} read parts of "
                    f"@{self.view.name} whose distance along axis {axis} has no bound",
                    hint="fuse into an inner loop that holds one of them",
                )
            padded = access.pad is not None or (old is not None and old.padded)
            reads[axis] = _Reads(joined, view.name, padded)

    def _place(self, axis: str, read: _Reads) -> None:
        """Set the slice of an axis to the positions read, clipped to the producer's domain."""
        wanted, size = read.slice, self.view.axes[axis]
        if isinstance(size, Dim) and not read.padded and _holds_all(wanted, size):
            return  # it runs whole
        self.computed[axis] = self.held[axis] = wanted
        if isinstance(size, Dim):
            if not self.inner.is_inside(wanted, size):
                self._clip(axis, read, f"0..{size - 1}", "positions of a symbolic axis")
            return
        extent = size
        low, high = wanted.base.range(self.view.range_of)
        if low >= 0 and high + wanted.size <= extent:
            return
        borders = read.padded and self.halo
        if low == high:
            first, last = max(low, 0), min(low + wanted.size, extent)
            if first >= last:
                raise self.step.error(
                    f"@{read.reader} reads only padding of @{self.view.name} along axis {axis}",
                    hint="peel the loop: the iterations inside the domain can hold the producer",
                )
            self.computed[axis] = Slice(constant(first), last - first)
            self.held[axis] = Slice(constant(low), wanted.size) if borders else self.computed[axis]
            self.filled |= borders
            return
        self._clip(axis, read, f"0..{extent - 1}", f"{low}..{high + wanted.size - 1}")

    def _clip(self, axis: str, read: _Reads, expected: str, got: str) -> None:
        """Restrict the producer, at run time, to the part of a slice inside its domain.

        expected, got: two lines of the error that is raised if a read is padded and the step has no
        ``halo``.
        """
        if read.padded and not self.halo:
            raise self.step.error(
                f"the part of @{self.view.name} that @{read.reader} reads leaves its domain "
                f"along axis {axis}",
                expected=expected,
                got=got,
                hint="give halo = 1, or peel the loop",
            )
        self.clipped.add(axis)
        self.filled |= read.padded

    def move(self, piece: ComputeOp) -> None:
        """Insert ``piece``, an innermost compute (leaf) of the producer, into the loop."""
        body = self.loop.body.block
        tops = (body.find_ancestor_op_in_block(op) for op, _ in self.readers)
        first = min((t for t in tops if t is not None), key=body.get_operation_index)
        axes, values = dict(self.view.axes), dict[Key, Index]()
        around: ForOp | None = None
        for axis in (a for a in self.view.axes if a in self.axes):
            part = self.computed[axis]
            if axis in self.clipped:
                place = first if around is None else around.body.block.last_op
                assert place is not None
                end = size_in_kernel(place, self.view.axes[axis])
                around = insert_loop(place, [constant(0), part.base], [end, part.end])
                axes[axis], values[axis] = 1, variable(around.variable) + variable(axis)
            else:
                axes[axis], values[axis] = part.size, part.base + variable(axis)
        if piece.parent is not None:
            piece.detach()
        if around is None:
            body.insert_op_before(piece, first)
        else:
            append_to(around, piece)
        piece.update(replace(self.view, axes=axes).substitute(values))

    def contract(self, pieces: Sequence[ComputeOp], border: str) -> list[ComputeOp]:
        """Allocate buffers of the slices' sizes in the loop; return the computes that fill borders.

        pieces: the moved computes of the producer.  border: the label of the computes that fill
        borders.
        """
        local = (buffer for buffer in self.buffers if buffer in self.local)
        return [fill for buffer in local for fill in self._contract(buffer, pieces, border)]

    def _contract(
        self, buffer: SSAValue, pieces: Sequence[ComputeOp], border: str
    ) -> list[ComputeOp]:
        assert isinstance(buffer.type, MemRefType)
        sizes = [extent_of(dim) for dim in dims_of(buffer.type)]
        parts = [self._held(buffer, dim, size) for dim, size in enumerate(sizes)]
        assert isinstance(buffer.owner, AllocOp), "only local buffers are contracted"
        # Dimensions that are not sliced keep their sizes.
        kept = zip(parts, sizes, strict=True)
        alloc = buffer.owner.resized([size if p.size == MOST else p.size for p, size in kept])
        Rewriter.insert_op(alloc, InsertPoint.at_start(self.loop.body.block))
        pads: dict[Attribute, None] = {}
        for op in [*pieces, *(op for op, _ in self.readers)]:
            view = op.view()
            for access in view.accesses():
                if access.value is buffer:
                    pads |= move_access(access, alloc.res, parts, view, self.inner)
            op.update(view)
        if not (self.filled and pads):
            return []
        if len(pads) > 1:
            raise self.step.error(
                f"@{self.view.name} is read with different pad values",
                expected="one pad value for all readers",
                got=", ".join(map(str, pads)),
            )
        fills = self._fill_borders(buffer, alloc, next(iter(pads)), border)
        for fill in fills:
            fill.location = pieces[0].location
        return fills

    def _fill_borders(
        self, buffer: SSAValue, alloc: AllocOp, value: Attribute, label: str
    ) -> list[ComputeOp]:
        """Insert computes that store the pad value to the part of a slice outside of the domain.

        There is one compute per side and dimension.
        buffer, alloc: the old buffer, and the allocation of the smaller one.
        value: the pad value.
        label: the label of the computes.
        Returns the computes.
        """
        place = alloc.next_op
        assert place is not None, "the piece stands after its buffer"
        assert isinstance(alloc.res.type, MemRefType)
        shape = [extent_of(dim) for dim in dims_of(alloc.res.type)]
        sides = [
            (dim, *side)
            for dim in range(len(shape))
            if (axis := self.axis_of(buffer, dim)) is not None
            for side in self._sides(axis)
        ]
        axes = self.step.new_axes("axes", "f", len(shape))
        fills: list[ComputeOp] = []
        for dim, lows, highs in sides:
            box: list[tuple[Index, Extent]] = [(constant(0), size) for size in shape]
            at = InsertPoint.before(place)
            if all(e.is_constant for e in (*lows, *highs)):
                first, end = max(e.const for e in lows), min(e.const for e in highs)
                box[dim] = constant(first), end - first
            else:
                loop = insert_loop(place, lows, highs)
                box[dim] = variable(loop.variable), 1
                at = InsertPoint.at_start(loop.body.block)
            fills.append(_fill(label, axes, alloc.res, value, box))
            Rewriter.insert_op(fills[-1], at)
        return fills

    def _sides(self, axis: str) -> list[tuple[list[Index], list[Index]]]:
        """Return the slice's positions before and after the domain of an axis, as loop bounds.

        Each side is (lower bounds, upper bounds) of a loop; an empty side is left out.
        """
        held, extent = self.held[axis], self.view.axes[axis]
        low, high = held.base.range(self.view.range_of)
        sides: list[tuple[list[Index], list[Index]]] = []
        if low < 0:
            sides.append(([constant(0)], [held.base * -1, constant(held.size)]))
        if isinstance(extent, Dim) or high + held.size > extent:
            end = size_in_kernel(self.loop, extent) - held.base
            sides.append(([end, constant(0)], [constant(held.size)]))
        return sides

    def _held(self, buffer: SSAValue, dim: int, size: Extent) -> Slice:
        axis = self.axis_of(buffer, dim)
        return Slice.whole(size) if axis is None else self.held[axis]


def move_access(
    access: Access,
    buffer: SSAValue,
    parts: Sequence[Slice],
    view: ComputeView,
    inner: InnerVariables,
) -> dict[Attribute, None]:
    """Redirect an access of a buffer to the smaller buffer of a slice; return its pad value.

    The returned dict has the pad value as its only key; it is empty for an access without padding.
    If the access provably stays inside of the slice, it becomes an access without padding.
    buffer: the smaller buffer.
    parts: the slice of each dimension.
    view: the compute of the access.
    inner: the loops inside the loop that contains the buffer.
    """
    pad = access.pad
    if access.indices is None:
        access.value = buffer
        return {}
    indices = [e - p.base for e, p in zip(access.indices, parts, strict=True)]
    redirect_access(access, buffer, indices, _held_clip(access, parts))
    places = zip(indices, parts, strict=True)
    if all(p.size < MOST and inner.stays_inside(e, view, p.size) for e, p in places):
        access.pad = None
    return {} if pad is None else {pad: None}


def _held_clip(access: Access, parts: Sequence[Slice]) -> list[Span | None]:
    """Convert the clip of an access to positions in the smaller buffer of the slices.

    Returns a range per dimension; None for a dimension without a clip, or whose slice has no
    constant start.
    parts: the slice of each dimension that the smaller buffer holds.
    """
    clip: Sequence[Span | None] = access.clip or [None] * len(parts)
    return [
        None
        if span is None or not part.base.is_constant
        else (
            max(span[0] - part.base.const, 0),
            extent_of((Dim.of(span[1]) - part.base.const).min(part.size)),
        )
        for span, part in zip(clip, parts, strict=True)
    ]


def _fill(
    label: str,
    names: Sequence[str],
    buffer: SSAValue,
    value: Attribute,
    box: Sequence[tuple[Index, Extent]],
) -> ComputeOp:
    """Return a compute that stores a constant to each element of a box of positions in a buffer.

    label: the label of the compute.
    names: the names of its axes, one per dimension.
    value: the constant.
    box: the start and the extent per dimension.
    """
    axes = {name: extent for name, (_, extent) in zip(names, box, strict=True)}
    indices = [start + variable(axis) for axis, (start, _) in zip(axes, box, strict=True)]
    return fill_compute(label, axes, Access(buffer, indices), value, Border())


def _require_repeatable(step: Step, view: ComputeView) -> None:
    """Check that several iterations may compute the same point.

    They may not if the compute adds to stored values: it would add the same terms again.
    """
    if any(o.reduces and o.init is None for o in view.outputs):
        raise step.error(
            f"@{view.name} adds to values that are stored outside of the loop, whose iterations "
            "may repeat this",
            expected="a compute that starts from its initial values",
            hint="place it first, then use decompose_reduction or split_reduction",
        )


def _require_covered(
    step: Step, view: ComputeView, kept: Iterable[SSAValue], fusions: Sequence[_LeafFusion]
) -> None:
    """Check that the slices of all loops cover the producer, and that other readers come later.

    kept: the buffers that ops outside of the loops use, too, so that they keep their size.
    fusions: the producer moved into each loop.
    """
    loops = [f.loop for f in fusions]
    for buffer in kept:
        for user in users(buffer):
            if any(is_inside(user, loop) for loop in loops) or user in writers(buffer):
                continue
            if not all(comes_before(loop, user) for loop in loops):
                raise step.error(
                    f"@{getattr(user, 'label', user.name)} reads @{view.name} before the loop",
                    hint="fuse into the loop of the first reader, or leave it outside",
                )
    axes = {a for f in fusions for a in f.axes}
    symbolic = {a for a in axes if isinstance(view.axes[a], Dim)}
    untiled = [a for a in symbolic if not _is_tiled(fusions, a)]
    if untiled:
        raise step.error(
            f"@{view.name} is needed outside of the loop too, which may compute only a part of it",
            expected=f"the loops of one tile of axis {untiled[0]}",
            hint="leave it outside, or fuse it into all loops of the tile",
        )
    partial = {a for f in fusions for a in f.axes - symbolic if not _covers(f, a)}
    if len(partial) > 1 or any(not _joined(view, fusions, a) for a in partial):
        raise step.error(
            f"@{view.name} is needed outside of the loop too, which computes only a part of it",
            hint="leave it outside, or fuse it into a loop over the whole range",
        )


def _is_tiled(fusions: Sequence[_LeafFusion], axis: str) -> bool:
    """Return whether the loops of the fusions together run over all tiles of a symbolic axis.

    They are then the loops of one tiling: over full tiles, and over the tiles of the remainder.
    """
    extent = fusions[0].view.axes[axis]
    found: dict[SSAValue, tuple[int, Dim, Dim]] = {}
    for fusion in fusions:
        part = fusion.computed.get(axis)
        around = (op for op in (fusion.loop, *enclosing(fusion.loop)) if isinstance(op, ForOp))
        loop = next((o for o in around if part and o.variable in part.base.terms), None)
        if part is None or loop is None or loop.size_bounds is None:
            return False
        stride = part.base.coefficient(loop.variable)
        first, (low, count) = size_of_index(part.base.without(loop.variable)), loop.size_bounds
        if first is None or stride != part.size or low != Dim.const(0):
            return False
        found[loop.variable] = part.size, first, count
    sizes = [size for size, _, _ in found.values()]
    return any(
        [*found.values()] == [(run.size, Dim.of(run.first), _least(run.bounds)) for run in runs]
        for runs in (sections(extent, sizes[0], rest=rest) for rest in {1, *sizes[1:2]})
    )


def _least(bounds: Sequence[Extent]) -> Dim:
    first, *others = map(Dim.of, bounds)
    return reduce(Dim.min, others, first)


def _holds_all(part: Slice, size: Dim) -> bool:
    """Return whether a slice contains all positions of an axis, for all sizes of the axis."""
    end = part.end
    return part.base.is_constant and part.base.const <= 0 and Dim.of(end.const).is_at_least(size)


def _interval(fusion: _LeafFusion, axis: str) -> tuple[int, int] | None:
    """Return the range [first, end) of positions that all iterations together compute.

    The iterations are those of the loop of ``fusion`` and of the loops around it. None if the range
    is unknown or has gaps.
    """
    if axis not in fusion.axes:
        return 0, fusion.view.extents[axis]
    part = fusion.computed[axis]
    width, range_of = part.size, fusion.view.range_of
    shared = {k for a in fusion.axes if a != axis for k in fusion.computed[a].base.variables()}
    for key, stride in sorted(part.base.terms.items(), key=lambda t: abs(t[1])):
        first, last = Index({key: 1}).range(range_of)
        if key in shared or stride < 0 or stride > width or last - first > 1 << 40:
            return None
        width += stride * (last - first)
    low, _ = part.base.range(range_of)
    return max(0, low), min(low + width, fusion.view.extents[axis])


def _covers(fusion: _LeafFusion, axis: str) -> bool:
    return _interval(fusion, axis) == (0, fusion.view.extents[axis])


def _joined(view: ComputeView, fusions: Sequence[_LeafFusion], axis: str) -> bool:
    """Return whether the positions that all fusions compute cover the whole axis."""
    intervals = [_interval(f, axis) for f in fusions]
    done = 0
    for part in sorted(i for i in intervals if i is not None):
        if part[0] > done:
            return False
        done = max(done, part[1])
    return None not in intervals and done == view.extents[axis]
