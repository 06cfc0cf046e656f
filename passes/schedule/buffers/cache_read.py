"""sched.cache_read: read an operand through a local copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects.shape import Dim, Extent, dims_of, extent_of
from ....dialects.te import Access, ComputeOp, ComputeView, identity_indices
from ....support.affine import INFINITY, Index
from ....support.blocks import enclosing
from ...rewrite.stores import copy_compute
from ..engine.placement import block_of, common_op, writers
from ..engine.step import Handles, Step
from .local_buffers import make_buffer, read_of, replace_read, shown
from .set_scope import memory_scope


def cache_read(step: Step) -> Handles:
    """Copy an operand to a local buffer and let computes read the copy.

        te.compute @mm .. ins(%A[m, k] : .., %B[k, n] : memref<64x48xf32>) ..
        %copy, %reader = sched.cache_read %c {operand = 1}
    ==>
        %b = loop.alloc "local" : memref<64x48xf32>
        te.compute @mm_in1 [c0: 64, c1: 48] ins(%B[c0, c1] : ..) outs(%b[c0, c1] : ..) ..
        te.compute @mm .. ins(%A[m, k] : .., %b[k, n] : memref<64x48xf32>) ..

    The copy stands before the outermost loop around the readers that does not write the operand.
    ``fuse_into`` then shrinks the copy to the slice that a loop reads, and ``relayout`` packs it. A
    handle may hold several innermost computes (leaves), which share the copy.
    operand: the number of the operand; inputs count first, then post operands. A list such as
    ``[[0], [0, 2]]`` has the operands for each of two handles; all must be the same buffer.
    scope: the memory of the copy, by default local.
    axes: the names of the copy's axes, one per dimension, by default c0, c1, ..
    window: by default 0, and the copy has exactly the elements of the operand. With 1, it has all
    positions that the computes read; positions outside of the operand have the value of the
    padding, and the computes read the copy without padding. With n > 1, in addition, its positions
    along the last dimension begin and end at multiples of n, so that aligned vectors of n elements
    are entirely inside or outside of an operand whose last dimension is a multiple of n.
    Handles: the copy, then the readers of each given handle.
    Before: no compute after the copy writes the operand.
    Errors: ScheduleError otherwise, or if the operands are different buffers.
    """
    operands = _operands(step)
    readers = [step.computes(handle) for handle in range(len(operands))]
    reads = [(op, numbers) for ops, numbers in zip(readers, operands, strict=True) for op in ops]
    source = _source(step, reads)
    place = _place(step, source, [op for op, _ in reads])
    assert isinstance(source.type, MemRefType)
    region = _region(step, source, reads)
    shape = [extent_of(Dim.of(end) - first) for first, end in region.spans]
    scope = memory_scope(step, "local")
    alloc = make_buffer(source.type.element_type, shape, scope)
    axes = dict(zip(step.new_axes("axes", "c", len(shape)), shape, strict=True))
    places, firsts = identity_indices(axes), [first for first, _ in region.spans]
    positions = [place + first for place, first in zip(places, firsts, strict=True)]
    read, write = Access(source, positions, pad=region.pad), Access(alloc.res, places)
    label = step.fresh_label(f"{readers[0][0].label}_in{operands[0][0]}")
    copy = copy_compute(label, axes, read, write)
    copy.location = readers[0][0].location
    block_of(place).insert_ops_before([alloc, copy], place)
    for op, numbers in reads:
        view = op.view()
        for number in numbers:
            access = replace(view.reads[number], value=alloc.res)
            if region.is_window:
                moved = zip(access.indices or (), firsts, strict=True)
                access = replace(access, indices=[e - first for e, first in moved], pad=None)
            replace_read(view, number, access)
        op.update(view)
    return [[copy], *readers]


@dataclass(frozen=True)
class _CopiedRegion:
    """The part of an operand that its local copy contains.

    spans: for each dimension, the first position and the end.
    pad: the value at positions outside of the operand; None if there are none.
    is_window: whether the copy has all positions that computes read, also those outside of the
    operand, so that the computes need no padding.
    """

    spans: Sequence[tuple[int, Extent]]
    pad: Attribute | None = None
    is_window: bool = False


def _region(
    step: Step, source: SSAValue, reads: Sequence[tuple[ComputeOp, Sequence[int]]]
) -> _CopiedRegion:
    """Return the part of ``source`` to copy: all of it, or with ``window`` all positions read.

    reads: the computes that read the copy, each with the numbers of the operands.
    """
    assert isinstance(source.type, MemRefType)
    sizes = [extent_of(dim) for dim in dims_of(source.type)]
    multiple = step.number("window", 0)
    if not multiple:
        return _CopiedRegion([(0, size) for size in sizes])
    views = [(op.view(), numbers) for op, numbers in reads]
    found = [(view, view.reads[number]) for view, numbers in views for number in numbers]
    pads = {access.pad for _, access in found if access.pad is not None}
    if len(pads) > 1 or any(access.is_whole for _, access in found):
        raise step.error(
            "the reads have no common window",
            expected="reads of single elements, with the same value as padding",
        )
    spans = [
        [_span(step, view, (access.indices or [])[dim], size) for view, access in found]
        for dim, size in enumerate(sizes)
    ]
    hulls = [_hull(step, each) for each in spans]
    if hulls:
        first, end = hulls[-1]
        hulls[-1] = first // multiple * multiple, Dim.of(end).ceildiv(multiple) * multiple
    return _CopiedRegion(hulls, next(iter(pads), None), is_window=True)


def _span(step: Step, view: ComputeView, index: Index, size: Extent) -> tuple[int, Extent]:
    """Return the first position that an index of a read takes, and the end after the last one.

    index: the index of the read in one dimension of its operand.
    size: the size of the operand in this dimension.
    Errors: ScheduleError if the range of the index has no known end.
    """
    axis = index.variable()
    if isinstance(axis, str) and view.axes[axis] == size:
        return 0, size
    low, high = index.range(view.range_of)
    if high >= INFINITY // 2:
        raise step.error(
            f"@{view.name} reads a symbolic dimension at {shown(index)}",
            expected="an axis that has the size of this dimension",
        )
    return low, high + 1


def _hull(step: Step, spans: Sequence[tuple[int, Extent]]) -> tuple[int, Extent]:
    (first, *others) = dict.fromkeys(spans)
    if not others:
        return first
    ends = [end for _, end in spans if isinstance(end, int)]
    if len(ends) < len(spans):
        raise step.error("the reads of a symbolic dimension differ", expected="equal indices")
    return min(first for first, _ in spans), max(ends)


def _operands(step: Step) -> list[list[int]]:
    given = step.params.get("operand")
    lists = given if isinstance(given, list) else [[step.number("operand")]]
    numbers = [each if isinstance(each, list) else [] for each in lists]
    if len(lists) != len(step.handles) or not all(
        each and all(isinstance(n, int) for n in each) for each in numbers
    ):
        raise step.error(
            "parameter operand is a number, or a list of numbers per handle",
            expected=f"operand = [{', '.join('[0]' for _ in step.handles)}]",
            got=given,
        )
    return cast("list[list[int]]", numbers)


def _source(step: Step, reads: Sequence[tuple[ComputeOp, Sequence[int]]]) -> SSAValue:
    """Return the buffer that all these operands read.

    reads: computes, each with the numbers of the operands.
    Errors: ScheduleError if the operands are different buffers.
    """
    found = {read_of(step, op.view(), n).value: (op, n) for op, numbers in reads for n in numbers}
    source, *others = found
    if others or source is None:
        raise step.error(
            "the operands are different buffers",
            expected="one buffer that all of them read",
            got=", ".join(f"operand {n} of @{op.label}" for op, n in found.values()),
            hint="use cache_read before the loops around the compute are split",
        )
    return source


def _place(step: Step, source: SSAValue, readers: Sequence[Operation]) -> Operation:
    """Return the op before which to insert the copy of an operand.

    It is the outermost op around the readers at which ``source`` is complete and no reader has run.
    """
    place: Operation | None = None
    inside = common_op(readers)
    late: str = ""
    for candidate in (inside, *enclosing(inside)):
        block = candidate.parent_block()
        if block is None or candidate is step.kernel:
            break
        late = _late_writer(source, block, candidate) or ""
        if not late:
            place = candidate
        if block is (source.owner if isinstance(source.owner, Block) else source.owner.parent):
            break
    if place is None:
        raise step.error(
            f"@{late} still writes the operand there",
            expected="an operand that is complete before the reader, in a block around it",
        )
    return place


def _late_writer(source: SSAValue, block: Block, place: Operation) -> str | None:
    """Return the label of a compute of ``block`` that writes the operand at or after ``place``.

    None if no compute does.
    """
    for op in writers(source):
        top = block.find_ancestor_op_in_block(op)
        if top is not None and not top.is_before_in_block(place):
            return op.label
    return None
