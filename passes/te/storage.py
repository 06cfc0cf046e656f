"""Where each tensor of main lives: layout, halo, or a slice of the concat that it goes into.

In: main in value form and its kernels.  Out: one Storage per call result.  The rules:
- layout: as annotated on the compute that defines the value;
- halo: the padded reads of all consumers, if they agree on the pad value; the largest reach wins.
  Otherwise they keep their padded reads: a halo would hand some of them the wrong pad;
- concat: operands of a concat whose block boundaries fit become slices of its buffer, whatever
  else reads them; the concat itself then computes nothing;
- plain: values that main returns, or that a body reads whole (te.at), are row-major, without a halo
  and no slices.
Arguments and weights have no Storage: they stay row-major.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr, MemRefType, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.core import OpResult

from ...dialects import packed
from ...dialects.te import Access, ComputeOp, ComputeView, KernelOp
from ...dialects.te.layout import block_sizes, identity_layout, layout_indices, layout_shape
from ...support.affine import Index, RangeOf


@dataclass
class Storage:
    """How one tensor is stored.

    shape: logical sizes.  halo: per dimension, elements before and after.  pad: their value.
    root, offset: the value whose buffer this is a slice of, and where the slice begins.
    is_in_place: nothing has to be computed, because the writers of the slices did it.
    """

    value: SSAValue
    root: SSAValue
    shape: tuple[int, ...]
    element_type: Attribute
    layout: AffineMapAttr
    offset: list[int]
    halo: list[tuple[int, int]] = field(default_factory=list)
    pad: Attribute | None = None
    root_shape: tuple[int, ...] = ()
    is_in_place: bool = False

    def buffer_type(self) -> MemRefType:
        """Return the type of the whole buffer."""
        padded = [n + a + b for n, (a, b) in zip(self.root_shape, self.halo, strict=True)]
        return MemRefType(self.element_type, layout_shape(self.layout, padded))

    def place(self, indices: Sequence[Index], range_of: RangeOf) -> list[Index]:
        """Return the position in the buffer of a logical position of the value."""
        moved = [
            e + (offset + before)
            for e, offset, (before, _) in zip(indices, self.offset, self.halo, strict=True)
        ]
        return layout_indices(self.layout, moved, range_of)

    def covers(self, access: Access, view: ComputeView) -> bool:
        """True if a padded read stays inside the halo and finds its own pad value there."""
        if access.pad is None:
            return True
        if self.pad != access.pad:
            return False
        return all(
            low >= -before and high <= size - 1 + after
            for (low, high), size, (before, after) in zip(
                _reach(access, view), self.shape, self.halo, strict=True
            )
        )


def _reach(access: Access, view: ComputeView) -> list[tuple[int, int]]:
    return [e.range(view.range_of) for e in access.indices or []]


def assign_storage(func: FuncOp, kernels: Mapping[str, KernelOp]) -> dict[SSAValue, Storage]:
    """Return the storage of every call result of main."""
    block = func.body.block
    last = block.last_op
    assert isinstance(last, ReturnOp)
    calls = [op for op in block.ops if isinstance(op, packed.CallOp)]
    plain = {*last.operands, *_read_whole(calls, kernels)}
    storage: dict[SSAValue, Storage] = {}
    for call in calls:
        for result in call.results:
            storage[result] = _own_storage(result, kernels[call.kernel_name], result in plain)
    for call in reversed(calls):
        _alias_concat(call, kernels[call.kernel_name], storage, plain)
    _assign_halos(calls, kernels, storage, plain)
    return storage


def _read_whole(calls: Sequence[packed.CallOp], kernels: Mapping[str, KernelOp]) -> set[SSAValue]:
    """Return the values that a body reads at computed positions."""
    found: set[SSAValue] = set()
    for call in calls:
        arguments: list[SSAValue | None] = list(kernels[call.kernel_name].body.block.args)
        for op in kernels[call.kernel_name].body.block.ops:
            for access in op.view().inputs if isinstance(op, ComputeOp) else ():
                if access.is_whole and access.value in arguments:
                    found.add(call.arguments[arguments.index(access.value)])
    return found


def _own_storage(result: OpResult, kernel: KernelOp, is_plain: bool) -> Storage:
    type_ = result.type
    assert isinstance(type_, TensorType)
    last = kernel.body.block.last_op
    assert last is not None
    defined = last.operands[result.index]
    layout = None
    if isinstance(defined.owner, ComputeOp) and not is_plain:
        layout = defined.owner.view().outputs[defined.index].layout  # pyright: ignore
    shape = type_.get_shape()
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


def _alias_concat(
    call: packed.CallOp,
    kernel: KernelOp,
    storage: dict[SSAValue, Storage],
    plain: set[SSAValue],
) -> None:
    """Make the operands of a concat slices of its result, if all of them can be."""
    first = kernel.body.block.first_op
    axis_attr = first.attributes.get("concat") if isinstance(first, ComputeOp) else None
    if not isinstance(first, ComputeOp) or not isinstance(axis_attr, IntegerAttr):
        return
    axis = axis_attr.value.data
    whole = storage[call.results[0]]
    block_size = block_sizes(whole.layout).get(axis, 1)
    offsets: dict[SSAValue, int] = {}
    for access in (a for a in first.view().inputs if not a.is_index):
        argument = access.value
        if argument is None or access.indices is None or argument.owner is not kernel.body.block:
            return
        operand = call.arguments[argument.index]  # pyright: ignore[reportAttributeAccessIssue]
        part = storage.get(operand)
        offset = -access.indices[axis].const
        if part is None or operand in plain or operand in offsets or part.root is not operand:
            return
        if offset % block_size or part.is_in_place:
            return
        offsets[operand] = offset
    if len(kernel.body.block.ops) != 2 or whole.root is not whole.value:
        return
    for operand, offset in offsets.items():
        part = storage[operand]
        part.root, part.layout, part.root_shape = whole.value, whole.layout, whole.root_shape
        part.offset[axis] = offset
    whole.is_in_place = True


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
        for value, access, view in _padded_reads(call, kernels[call.kernel_name]):
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


def _padded_reads(
    call: packed.CallOp, kernel: KernelOp
) -> list[tuple[SSAValue, Access, ComputeView]]:
    out: list[tuple[SSAValue, Access, ComputeView]] = []
    arguments: list[SSAValue | None] = list(kernel.body.block.args)
    for op in kernel.body.block.ops:
        if not isinstance(op, ComputeOp):
            continue
        view = op.view()
        for access in (*view.inputs, *view.post):
            if access.pad is not None and access.value in arguments:
                out.append((call.arguments[arguments.index(access.value)], access, view))
    return out


def _widest(
    found: list[tuple[Storage, Access, ComputeView]],
) -> list[tuple[int, int]] | None:
    """Return the reach of all reads outside the value, or None if no halo can hold it.

    A halo across the seam of a slice would be a neighbour's data; one along a blocked dimension
    would shift elements across blocks.
    """
    blocked = block_sizes(found[0][0].layout)
    halo = [(0, 0)] * len(found[0][0].shape)
    for part, access, view in found:
        for d, ((low, high), size) in enumerate(zip(_reach(access, view), part.shape, strict=True)):
            before, after = max(0, -low), max(0, high - (size - 1))
            if (before or after) and (part.root_shape[d] != size or d in blocked):
                return None
            halo[d] = (max(halo[d][0], before), max(halo[d][1], after))
    return halo
