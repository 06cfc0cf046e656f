"""Choose the storage of each tensor between kernels: layout, halo, or a slice of a concat's buffer.

Input: main on tensors, and its kernels.  Output: one Storage per call result.  The rules:
- layout: as annotated on the compute that defines the value;
- halo: a border as wide as the farthest padded read of any consumer; te-winograd reads whole tiles.
  A halo has one pad value.  If consumers use several pad values, the value has no halo and the
  reads stay padded (te-insert-padded-copies copies values read along rows).  A dilated convolution
  that skips all window positions outside of the value needs no halo.  If the caller asks for
  guards, no value has a halo, and all reads stay padded;
- concat: operands of a concat become slices of its buffer if their offsets are multiples of the
  layout's blocks; the concat then computes nothing.  Other readers of an operand must not read past
  it along the axis of the concat, because they would read elements of the next operand.  If some
  operands cannot be slices, a concat with a layout copies all operands, and another one copies
  them and those with a layout;
- plain: a value is row-major, without halo and not a slice, if main returns it or passes it to
  control flow, a body reads it as a whole (te.at), a te.scatter changes it, or a te.sort or
  te.loops reads or writes it;
- in place: a te.scatter writes to the buffer of its base if no later op reads the base.
Arguments and weights have no Storage, because they stay row-major.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from xdsl.dialects.builtin import AffineMapAttr, MemRefType, TensorType, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.ir.core import OpResult

from ...dialects import packed
from ...dialects.shape import MOST, Dim, Extent, dims_of, extent_of, memref_type
from ...dialects.spans import Span
from ...dialects.te import (
    Access,
    ComputeOp,
    ComputeView,
    KernelOp,
    LoopsOp,
    ScatterOp,
    SortOp,
    TensorOp,
)
from ...dialects.te.layout import block_sizes, identity_layout, layout_indices, layout_shape
from ...dialects.te.role import Concat
from ...support.affine import Atom, Index, RangeOf, key_range
from ...support.blocks import returned
from ...support.diagnostics import LoweringError
from .winograd import whole_tiles

MOST_SLICED_GROUPS = 4
"""Largest number of operand concats for which a concat is in place."""


MOST_INSIDE = 0.9
"""Skipping taps outside of the value pays for a separate loop below this share of taps inside."""


@dataclass
class Storage:
    """Where and how one tensor is stored: its layout, and its place in a buffer.

    value: the tensor.
    root, offset: the value whose buffer contains the tensor as a slice, and the slice's position;
    if it is no slice, the tensor itself and zeros.
    shape: the logical sizes of the tensor.
    element_type: the type of the elements.
    layout: the storage order, which maps logical to stored positions.
    halo: the numbers of border elements before and after, per dimension.
    pad: the value of border elements.
    root_shape: the logical sizes of ``root``.
    concat: the result of the concat that has the tensor as a slice; None if it is no slice.
    has_slices: for the result of a concat, whether an operand is a slice of it.
    is_in_place: for the result of a concat, whether the kernels of the operands write their slices
    of the result, so that the concat's own kernel is erased.
    updates_base: whether the kernel writes to the buffer of another value, which is not read again.
    """

    value: SSAValue
    root: SSAValue
    shape: tuple[Extent, ...]
    element_type: Attribute
    layout: AffineMapAttr
    offset: list[int]
    halo: list[tuple[int, int]] = field(default_factory=list)
    pad: Attribute | None = None
    root_shape: tuple[Extent, ...] = ()
    concat: SSAValue | None = None
    has_slices: bool = False
    is_in_place: bool = False
    updates_base: bool = False

    def form(self) -> Hashable:
        """Return a hash key of the type of the buffer and of the position of the tensor in it.

        Two tensors with equal keys can be passed to the same kernel.
        """
        place = (tuple(self.offset), tuple(self.halo), self.pad)
        return self.shape, self.root_shape, self.element_type, self.layout, place

    def buffer_type(self) -> MemRefType:
        """Return the type of the whole buffer."""
        return memref_type(self.element_type, layout_shape(self.layout, self._padded_shape()))

    def _padded_shape(self) -> list[Extent]:
        return [n + a + b for n, (a, b) in zip(self.root_shape, self.halo, strict=True)]

    def place(self, indices: Sequence[Index], range_of: RangeOf) -> list[Index]:
        """Return the position in the buffer at which an element of the tensor is stored.

        indices: the logical position of the element.
        range_of: returns the range of a variable of the indices.
        """
        moved = [
            e + (offset + before)
            for e, offset, (before, _) in zip(indices, self.offset, self.halo, strict=True)
        ]
        return layout_indices(self.layout, moved, range_of)

    def elements(self) -> tuple[Span, ...]:
        """Return, per dimension, the range of buffer positions inside of the halo.

        Along a dimension that is blocked, or along which the value is a slice, the range is the
        whole dimension.
        """
        spans: list[Span] = []
        stored = layout_shape(self.layout, self._padded_shape())
        for size, expression in zip(stored, self.layout.data.results, strict=True):
            span: Span = (0, size)
            if isinstance(expression, AffineDimExpr):
                d = expression.position
                if self.offset[d] == 0 and self.shape[d] == self.root_shape[d]:
                    before = self.halo[d][0]
                    span = (before, extent_of(Dim.of(self.shape[d]) + before))
            spans.append(span)
        return tuple(spans)

    def covers(self, access: Access, view: ComputeView) -> bool:
        """Return whether a read of the tensor is unpadded, or finds its padding in the halo.

        view: the compute that reads.
        """
        if access.pad is None:
            return True
        if self.pad != access.pad:
            return False
        return all(
            (found := outside(index, size, view)) is not None
            and found[0] <= before
            and found[1] <= after
            for index, size, (before, after) in zip(
                access.indices or (), self.shape, self.halo, strict=True
            )
        )


def outside(index: Index, size: Extent, view: ComputeView) -> tuple[int, int] | None:
    """Return by how many positions an index leaves a dimension at its start and at its end.

    None if one of the distances has no bound.
    size: the size of the dimension.  view: the compute whose axes the index uses.
    """
    low, high = index.range(view.range_of)
    if not isinstance(size, int) or high > MOST:
        last = _last_position(index, view)
        excess = None if last is None else (size - 1 - last).lower_bound()
        if excess is None:
            return None
        high = -excess
    else:
        high -= size - 1
    return None if low < -MOST else (max(0, -low), max(0, high))


def _last_position(index: Index, view: ComputeView) -> Dim | None:
    """Return the largest value of an index over axes of symbolic extents; None if unknown."""
    last = Dim.const(index.const)
    for key, coefficient in index.terms.items():
        axis = view.axes.get(key) if isinstance(key, str) else None
        if axis is not None:
            last += (Dim.of(axis) - 1) * max(coefficient, 0)
            continue
        if isinstance(key, Atom) and key.kind == "floordiv" and coefficient > 0:
            inner = _last_position(key.operand, view)
            if inner is None:
                return None
            last += inner // key.divisor * coefficient
            continue
        low, high = key_range(key, view.range_of)
        bound = high if coefficient > 0 else low
        if abs(bound) > MOST:
            return None
        last += bound * coefficient
    return last


def assign_storage(
    func: FuncOp, kernels: Mapping[str, KernelOp], *, has_guards: bool = False
) -> dict[SSAValue, Storage]:
    """Return the storage of the result of every call in the main function.

    kernels: the kernels by label.
    has_guards: whether no value gets a halo.
    """
    ops = list(packed.host_ops(func.body.block))
    calls = [op for op in ops if isinstance(op, packed.CallOp)]
    passed_on = {v for op in ops if not isinstance(op, packed.CallOp) for v in op.operands}
    plain = {*passed_on, *_accessed_whole(calls, kernels)}
    storage: dict[SSAValue, Storage] = {}
    for op in ops:
        if isinstance(op, packed.ExternOp | packed.ConcatOp):
            storage |= {result: _row_major(result) for result in op.results}
    plain |= storage.keys()
    for call in calls:
        for result in call.results:
            storage[result] = _own_storage(result, kernels[call.kernel_name], result in plain)
    beyond = _read_beyond(calls, kernels)
    for call in reversed(calls):
        _alias_concat(call, kernels, storage, plain, beyond)
    if not has_guards:
        _assign_halos(calls, kernels, storage, plain)
    _update_in_place(calls, kernels, storage, passed_on)
    return storage


def _accessed_whole(
    calls: Sequence[packed.CallOp], kernels: Mapping[str, KernelOp]
) -> set[SSAValue]:
    """Return the values that some kernel needs in row-major order without halo.

    These are values that an op reads as a whole, at computed positions, or changes in place.
    kernels: the kernels by label.
    """
    found: set[SSAValue] = set()
    for call in calls:
        block = kernels[call.kernel_name].body.block
        homes: dict[SSAValue, SSAValue] = dict(zip(block.args, call.arguments, strict=True))
        homes.update(zip(returned(block), call.results, strict=True))
        for op in (o for o in block.ops if isinstance(o, TensorOp)):
            found.update(homes[v] for v in _whole_values(op) if v in homes)
    return found


def _whole_values(op: TensorOp) -> list[SSAValue]:
    """Return the operands and results of an op that must be row-major and without halo.

    These are all values of a te.sort or te.loops, the base and the result of a te.scatter, and
    operands that a body, or the region after a reduction, reads as a whole.
    """
    if isinstance(op, SortOp | LoopsOp):
        return [*op.operands, *op.results]
    given = op.view().reads if any(isinstance(m, UnitAttr) for m in op.maps) else []
    reads = [a.value for a in given if a.is_whole and a.value is not None]
    return [op.base, *op.res, *reads] if isinstance(op, ScatterOp) else reads


@dataclass(frozen=True)
class Change:
    """The argument that the te.scatter of a kernel updates, and the result with the updated value.

    argument, result: the number of the argument, and of the result.
    is_only_use: whether no other op of the kernel reads the argument.
    """

    argument: int
    result: int
    is_only_use: bool


def change_of(kernel: KernelOp) -> Change | None:
    """Return the argument that the te.scatter of a kernel on tensors updates.

    None if the kernel has no te.scatter.
    Errors: LoweringError if the base is not an argument, or its updated value is not a result.
    """
    block = kernel.body.block
    scatters = [op for op in block.ops if isinstance(op, ScatterOp)]
    if not scatters:
        return None
    op, base = scatters[0], scatters[0].base
    if len(scatters) > 1 or base.owner is not block or op.res[0] not in returned(block):
        raise LoweringError(
            f"@{kernel.label}: a te.scatter must be the only compute of its kernel and update an "
            "argument in place",
            hint="run te-outline on main",
        ).at(op)
    position = list(block.args).index(base)  # pyright: ignore[reportArgumentType]
    return Change(position, list(returned(block)).index(op.res[0]), base.has_one_use())


def _update_in_place(
    calls: Sequence[packed.CallOp],
    kernels: Mapping[str, KernelOp],
    storage: dict[SSAValue, Storage],
    passed_on: set[SSAValue],
) -> None:
    """Give the result of a scatter the buffer of its base if no op reads the base later.

    calls, kernels: the calls of main, and the kernels by label.
    storage: the storages so far, which are changed.
    passed_on: values that control flow passes on; they keep their buffers, because other values may
    refer to them.
    """
    for call in calls:
        change = change_of(kernels[call.kernel_name])
        if change is None or not change.is_only_use:
            continue
        base, result = call.arguments[change.argument], call.results[change.result]
        own = storage.get(base)
        # The slices of a concat stay live in its buffer.
        if own is None or own.has_slices or base in passed_on or not _dies_at(base, call):
            continue
        if own.root is base or own.updates_base:
            storage[result].root, storage[result].updates_base = own.root, True


def _dies_at(value: SSAValue, call: packed.CallOp) -> bool:
    """Return whether no op reads a value after a call, and the call reads the value once.

    False for a value that another block defines, because its later readers are not known here.
    """
    owner, block = value.owner, call.parent
    if not isinstance(owner, Operation) or block is None or owner.parent is not block:
        return False
    if list(call.arguments).count(value) != 1:
        return False
    users = (block.find_ancestor_op_in_block(use.operation) for use in value.uses)
    return not any(op is not None and call.is_before_in_block(op) for op in users)


def _own_storage(result: OpResult, kernel: KernelOp, is_plain: bool) -> Storage:
    defined = returned(kernel.body.block)[result.index]
    layout = None
    if isinstance(defined.owner, ComputeOp) and defined.owner.layouts and not is_plain:
        layout = defined.owner.layouts.data[defined.index]  # pyright: ignore
    return _row_major(result, layout if isinstance(layout, AffineMapAttr) else None)


def _row_major(result: SSAValue, layout: AffineMapAttr | None = None) -> Storage:
    type_ = result.type
    assert isinstance(type_, TensorType)
    shape = tuple(map(extent_of, dims_of(type_)))
    return Storage(
        value=result,
        root=result,
        shape=shape,
        element_type=type_.get_element_type(),
        layout=layout or identity_layout(len(shape)),
        offset=[0] * len(shape),
        halo=[(0, 0)] * len(shape),
        root_shape=shape,
    )


def _read_beyond(
    calls: Sequence[packed.CallOp], kernels: Mapping[str, KernelOp]
) -> dict[SSAValue, set[int]]:
    """Return for each value the dimensions along which some kernel reads outside of the value.

    Such reads are padded.
    kernels: the kernels by label.
    """
    found: dict[SSAValue, set[int]] = {}
    for call in calls:
        for value, access, view in padded_reads(call, kernels[call.kernel_name]):
            type_ = value.type
            assert isinstance(type_, TensorType)
            pairs = zip(access.indices or (), map(extent_of, dims_of(type_)), strict=True)
            leaving = {d for d, (e, n) in enumerate(pairs) if outside(e, n, view) != (0, 0)}
            found.setdefault(value, set()).update(leaving)
    return found


def _alias_concat(
    call: packed.CallOp,
    kernels: Mapping[str, KernelOp],
    storage: dict[SSAValue, Storage],
    plain: set[SSAValue],
    beyond: Mapping[SSAValue, set[int]],
) -> None:
    """Make operands of a concat slices of the buffer of its result.

    If some operands cannot be slices, a concat with a layout copies all operands, and another one
    copies them and those with a layout.  An operand cannot be a slice if it is defined in another
    block, is a slice already, is in ``plain`` or is an operand twice; if its offset is inside of
    one of several blocks of the layout; or if a read leaves it along the axis of the concat.
    kernels: the kernels by label.  storage: the storages so far, which are changed.  plain: values
    that must be row-major and without halo.  beyond: for each value, the dimensions along which a
    read leaves it.
    """
    kernel = kernels[call.kernel_name]
    concat = concat_of(kernel)
    if concat is None or _has_many_groups(call, kernels) or len(kernel.body.block.ops) != 2:
        return
    first, axis = concat
    whole = storage[call.results[0]]
    length = whole.shape[axis]
    if not isinstance(length, int):
        return
    block_size = block_sizes(whole.layout).get(axis, 1)
    has_one_block = block_size >= length
    offsets: dict[SSAValue, int] = {}
    accesses = [a for a in first.view().inputs if not a.is_index]
    for access in accesses:
        argument = access.value
        if argument is None or access.indices is None or argument.owner is not kernel.body.block:
            return
        operand = call.arguments[argument.index]  # pyright: ignore[reportAttributeAccessIssue]
        part = storage.get(operand)
        offset = whole.offset[axis] - access.indices[axis].const
        # A value of another block may be read again by the next iteration of a loop.
        can_be_slice = (
            part is not None
            and [a.value for a in accesses].count(argument) == 1
            and list(call.arguments).count(operand) == 1
            and operand not in plain
            and part.root is operand
            and operand.owner.parent is call.parent  # pyright: ignore
            and (has_one_block or offset % block_size == 0)
            and not part.has_slices
            and axis not in beyond.get(operand, ())
        )
        if can_be_slice:
            offsets[operand] = offset
    if len(offsets) < len(accesses):
        if first.layouts is not None:
            return
        # A kernel that writes blocks is fast, and the copy rearranges them.
        offsets = {v: n for v, n in offsets.items() if storage[v].layout == whole.layout}
    for operand, offset in offsets.items():
        part = storage[operand]
        part.root, part.layout, part.root_shape = whole.root, whole.layout, whole.root_shape
        part.offset, part.concat = [*whole.offset], whole.value
        part.offset[axis] = offset
    whole.has_slices = bool(offsets)
    whole.is_in_place = len(offsets) == len(accesses)


def concat_of(kernel: KernelOp) -> tuple[ComputeOp, int] | None:
    """Return the concat at the start of a kernel and its dimension; None if there is no concat."""
    first = kernel.body.block.first_op
    if isinstance(first, ComputeOp) and first.role and isinstance(first.role.data, Concat):
        return first, first.role.data.axis
    return None


def _has_many_groups(call: packed.CallOp, kernels: Mapping[str, KernelOp]) -> bool:
    """Return whether a concat joins many other concats, as a concat of hundreds of operands does.

    As slices, the inner concats would be compiled once per offset. With separate buffers, equal
    ones are compiled once (1,000 operands: 12 s against 1 s), and their results are copied.
    """
    writers = [a.owner for a in call.arguments if isinstance(a.owner, packed.CallOp)]
    groups = [w for w in writers if concat_of(kernels[w.kernel_name])]
    return len(groups) > MOST_SLICED_GROUPS


def _assign_halos(
    calls: list[packed.CallOp],
    kernels: Mapping[str, KernelOp],
    storage: dict[SSAValue, Storage],
    plain: set[SSAValue],
) -> None:
    reads: dict[SSAValue, list[tuple[Storage, Access, ComputeView]]] = {}
    for call in calls:
        if storage[call.results[0]].is_in_place:
            continue
        for value, access, view in padded_reads(call, kernels[call.kernel_name]):
            if value in storage:
                part = storage[value]
                reads.setdefault(part.root, []).append((part, access, view))
    for root, found in reads.items():
        pads = {access.pad for _, access, _ in found}
        if len(pads) != 1 or root in plain:
            continue
        halo = _widest(found)
        if halo is None:
            continue
        for part in storage.values():
            if part.root is root:
                part.halo, part.pad = halo, next(iter(pads))


def padded_reads(
    call: packed.CallOp, kernel: KernelOp
) -> list[tuple[SSAValue, Access, ComputeView]]:
    """Return the padded reads of a call's arguments, each as argument, access and reader.

    Reads by a concat are excluded, because a concat drops the elements beyond an operand.
    """
    out: list[tuple[SSAValue, Access, ComputeView]] = []
    arguments: list[SSAValue | None] = list(kernel.body.block.args)
    for op in kernel.body.block.ops:
        if not isinstance(op, ComputeOp | ScatterOp):
            continue
        if isinstance(op, ComputeOp) and (op.has_role(Concat) or not op.has_pads):
            continue
        view = op.view()
        for access in (*view.inputs, *view.post):
            if access.pad is not None and access.value in arguments:
                value = call.arguments[arguments.index(access.value)]
                out.append((value, access, whole_tiles(view)))
    return out


def _widest(
    found: list[tuple[Storage, Access, ComputeView]],
) -> list[tuple[int, int]] | None:
    """Return the smallest halo for all padded reads of a value, as (before, after) per dimension.

    None if no halo is possible: the distance of a read has no bound, as for a symbolic shift; or a
    read leaves the value along the axis of a concat, where the next operand's elements are, or at
    the start of a blocked dimension, because a halo would shift elements to other blocks.
    found: for each read, the storage of the value, the access and the reader.
    """
    blocked = block_sizes(found[0][0].layout)
    halo = [(0, 0)] * len(found[0][0].shape)
    for part, access, view in found:
        for d, (index, size) in enumerate(zip(access.indices or (), part.shape, strict=True)):
            reach = outside(index, size, view)
            if reach is None:
                return None
            before, after = reach
            if _leaves_taps_out(access, view, d, size):
                before = after = 0
            if ((before or after) and part.root_shape[d] != size) or (before and d in blocked):
                return None
            halo[d] = (max(halo[d][0], before), max(halo[d][1], after))
    return halo


def _leaves_taps_out(access: Access, view: ComputeView, dim: int, size: Extent) -> bool:
    """Return whether a reader should skip the window positions (taps) outside of a value.

    A convolution with a blocked result runs row by row, so its loop over the taps of a dilated
    window can be limited to the taps inside the value. Along the row this is impossible: for the
    pixels of one register tile, different taps are inside.
    dim: the dimension of the value.  size: its size.
    """
    index = (access.indices or [])[dim]
    variables = [a for a in index.variables() if isinstance(a, str)]
    rows = [a for a in variables if a in view.parallel_axes()]
    taps = [a for a in variables if a in view.reduced_axes()]
    if len(rows) != 1 or len(taps) != 1 or list(index.atoms()) or index.coefficient(taps[0]) < 2:
        return False
    pixels = [a for a in view.parallel_axes() if a in access.axes() and view.axes[a] != 1]
    sums = any(e.variable() in view.reduced_axes() for e in access.indices or [])
    if rows[0] == pixels[-1] or not sums or view.outputs[0].layout is None:
        return False
    if isinstance(size, Dim) or isinstance(view.axes[rows[0]], Dim):
        return False
    points = product(range(view.extents[rows[0]]), range(view.extents[taps[0]]))
    step, dilation = index.coefficient(rows[0]), index.coefficient(taps[0])
    inside = sum(0 <= y * step + k * dilation + index.const < size for y, k in points)
    return inside < MOST_INSIDE * view.extents[rows[0]] * view.extents[taps[0]]
