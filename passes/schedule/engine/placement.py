"""Insert loops into a kernel, move and compare ops, and erase dead computes and buffers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ....dialects.loop import AllocOp, ForOp, YieldOp, make_loop_body
from ....dialects.loop.size import size_at_start
from ....dialects.shape import Extent
from ....dialects.te import ComputeOp, KernelOp
from ....support.affine import Index, constant
from ....support.blocks import before_end, enclosing


def insert_loop(
    before: Operation,
    lower: int | Sequence[Index],
    upper: int | Sequence[Index],
    kind: str = "serial",
) -> ForOp:
    """Insert an empty loop before an op, and return it.

    lower, upper: its bounds: the largest of several lower and the least of several upper bounds
    applies.
    kind: serial or parallel.
    """
    body = make_loop_body()
    body.add_op(YieldOp.create())
    loop = ForOp.make(lower, upper, Region(body), kind=kind)
    block_of(before).insert_op_before(loop, before)
    return loop


def size_in_kernel(op: Operation, extent: Extent) -> Index:
    """Return an extent as an index; for a symbolic extent, insert a loop.size in the kernel.

    op: an op of the kernel; the loop.size stands at the start of the kernel.
    """
    if isinstance(extent, int):
        return constant(extent)
    kernel = next(parent for parent in enclosing(op) if isinstance(parent, KernelOp))
    return size_at_start(kernel.body.block, extent)


def append_to(loop: ForOp, op: Operation) -> None:
    """Move an op to the end of a loop's body; the op may be new."""
    if op.parent is not None:
        op.detach()
    Rewriter.insert_op(op, before_end(loop.body.block))


def block_of(op: Operation) -> Block:
    """Return the block in which an op stands."""
    block = op.parent_block()
    assert block is not None, f"{op.name} stands nowhere"
    return block


def is_inside(op: Operation, outer: Operation) -> bool:
    """Return whether an op is in a region of another op, at any depth."""
    return any(parent is outer for parent in enclosing(op))


def walk_nest(op: Operation) -> Iterator[Operation]:
    """Yield the ops inside an op in program order, without the scalar ops inside computes."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                yield inner
                if inner.regions and not isinstance(inner, ComputeOp):
                    yield from walk_nest(inner)


def computes_in(op: Operation) -> list[ComputeOp]:
    """Return all computes inside an op, in program order."""
    return [inner for inner in walk_nest(op) if isinstance(inner, ComputeOp)]


def computes_of(op: Operation) -> list[ComputeOp]:
    """Return the op itself if it is a compute, otherwise all computes inside it."""
    return [op] if isinstance(op, ComputeOp) else computes_in(op)


def loops_in(op: Operation) -> list[ForOp]:
    """Return all loops inside an op, outer ones first."""
    return [inner for inner in walk_nest(op) if isinstance(inner, ForOp)]


def users(value: SSAValue) -> list[Operation]:
    """Return the ops that use a value, without duplicates."""
    return list(dict.fromkeys(use.operation for use in value.uses))


def writers(buffer: SSAValue) -> list[ComputeOp]:
    """Return the computes that write a buffer, without duplicates."""
    return [op for op in users(buffer) if isinstance(op, ComputeOp) and buffer in op.outs]


def comes_before(first: Operation, second: Operation) -> bool:
    """Return whether one op precedes another in program order.

    Neither op is inside the other. Their ancestors in the innermost common block are compared.
    """
    lineage = {block_of(op): op for op in (first, *enclosing(first)) if op.parent is not None}
    for op in (second, *enclosing(second)):
        block = op.parent_block()
        if block is not None and block in lineage:
            return lineage[block].is_before_in_block(op)
    raise AssertionError(f"{first.name} and {second.name} are in different kernels")


def common_op(ops: Sequence[Operation]) -> Operation:
    """Return the first op, in the innermost common block, that is or contains one of the ops."""
    block = block_of(ops[0])
    while True:
        tops = [block.find_ancestor_op_in_block(op) for op in ops]
        found = [op for op in tops if op is not None]
        if len(found) == len(ops):
            return min(found, key=block.get_operation_index)
        parent = block.parent_op()
        assert parent is not None, "computes of one kernel share a block"
        block = block_of(parent)


def erase_compute(op: ComputeOp) -> None:
    """Erase a compute, and its local buffers that have no uses left."""
    buffers = list(op.outs)
    Rewriter.erase_op(op)
    erase_unused(buffers)


def drop_region(op: Operation, region: Region) -> None:
    """Replace a region of an op by an empty one."""
    position = op.regions.index(region)
    kept = list(op.regions)
    for old in kept:
        op.detach_region(old)
    kept[position] = Region()
    for new in kept:
        op.add_region(new)


def erase_unused(buffers: Iterable[SSAValue]) -> None:
    """Erase the local buffers that have no uses."""
    for buffer in buffers:
        owner = buffer.owner
        if isinstance(owner, AllocOp) and owner.parent is not None and not any(buffer.uses):
            Rewriter.erase_op(owner)
