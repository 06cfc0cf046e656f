"""simt-async-copies: copy the tiles of a pipelined loop while threads compute.

    .. %s[0, %tx] ..                                 simt.async_copy { .. %s[0, %tx] .. }
                                                     simt.async_commit
    loop.for %k = 0 to 8 {                           loop.for %k = 0 to 8 {
                                                       simt.async_wait 0
      simt.barrier shared                              simt.barrier shared
      loop.for %f = %k + 1 to min(8, %k + 2) {         loop.for %f = %k + 1 to min(8, %k + 2) {
        %v = loop.load %x[%f * 64 + %tx] .. pad 0  ==>   simt.async_copy {
        loop.store %v, %s[%f mod 2, %tx] .. }              %v = loop.load .. loop.store .. } }
                                                       simt.async_commit
      .. loop.load %s[%k mod 2, ..] ..                 .. loop.load %s[%k mod 2, ..] ..
    }                                                }

A loop of this form comes from ``sched.double_buffer``. The copies to a buffer become asynchronous
if all stores to it have 4, 8 or 16 aligned bytes, all of which are inside of the source or outside,
all reads of it are in the loop, and the only barrier of the loop precedes the reads. Each iteration
commits a group of copies, which may be empty, so a thread waits for all groups except those of
later iterations. Copies of another form stay loads and stores.

Before: simt-private-buffers ran.  After: no copy of a pipelined loop goes through registers, on a
target with the feature ``async-copy``, if its form allows this.
Exact: every copy is complete at the barrier before other threads read the element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.bounds.loop_ranges import LoopRanges
from ...analysis.strides import row_major_strides
from ...dialects.dtypes import bit_width
from ...dialects.loop import AccessOp, AllocOp, ForOp, LoadOp, StoreOp
from ...dialects.shape import Dim, dims_of
from ...dialects.simt import (
    COPY_BYTES,
    AsyncCommitOp,
    AsyncCopyOp,
    AsyncWaitOp,
    BarrierOp,
    copied_bytes,
    is_copy,
)
from ...machines.target_passes import TargetedPass
from ...support.affine import Atom, Index, variable
from ...support.blocks import enclosing, op_in_block
from .kernels import mapped_kernels

_FEATURE = "async-copy"
_MOST_STEPS = 64
"""The longest loop whose positions without a modulus are compared one by one."""


@dataclass(frozen=True)
class AsyncCopies(TargetedPass):
    """Make the copies of pipelined loops asynchronous in all mapped kernels of a module."""

    name = "simt-async-copies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.target.has(_FEATURE):
            for function in mapped_kernels(op):
                copy_asynchronously(function)


def copy_asynchronously(function: FuncOp) -> None:
    """Make the copies of the pipelined loops of one kernel asynchronous."""
    by_loop: dict[ForOp, list[_Pipeline]] = {}
    for op in function.walk():
        if isinstance(op, AllocOp) and op.scope.data == "shared":
            found = _pipeline(op)
            if found is not None:
                by_loop.setdefault(found.loop, []).append(found)
    for loop, found in by_loop.items():
        distance = found[0].distance
        same = [each for each in found if each.distance == distance]
        if len(by_loop) == 1:
            _convert(loop, same, distance)


@dataclass(frozen=True)
class _Pipeline:
    """A buffer in shared memory that each iteration of a loop fills for a later iteration.

    loop: the loop.
    distance: how many iterations later the elements are read.
    copies: all copies to the buffer.
    before: the ops before the loop that fill the buffer, each with the number of the iteration that
    reads its elements.
    inside: the ops of the loop that fill the buffer.
    reads: the ops of the loop that read the buffer.
    """

    loop: ForOp
    distance: int
    copies: list[tuple[LoadOp, StoreOp]]
    before: list[tuple[Operation, int]]
    inside: list[Operation]
    reads: list[Operation]


def _pipeline(alloc: AllocOp) -> _Pipeline | None:
    """Return the pipeline of the shared buffer ``alloc``, or None if it forms no pipeline.

    It forms one if a loop from 0 reads part ``k mod stages`` of the buffer in iteration k, and
    fills the part of iteration ``k + stages - 1``; copies before the loop fill the first parts.
    """
    users = [use.operation for use in alloc.res.uses]
    stores = [op for op in users if isinstance(op, StoreOp)]
    reads = [op for op in users if not isinstance(op, StoreOp)]
    copies = [_copy(op) for op in stores]
    found = [each for each in copies if each is not None]
    if not stores or not reads or len(found) < len(stores):
        return None
    loop = _loop_of(stores)
    if loop is None or loop.results or not all(loop.is_ancestor(op) for op in reads):
        return None
    stages = alloc.res.type.get_shape()[0]
    lows, _ = loop.bounds()
    if stages < 2 or [(e.is_constant, e.const) for e in lows] != [(True, 0)]:
        return None
    if not all(_has_turn(op, loop.variable, _steps(loop), stages) for op in reads):
        return None
    inside = [op for op in stores if loop.is_ancestor(op)]
    tops = [op_in_block(op, loop.body.block) for op in inside]
    fills = [top for top in dict.fromkeys(tops) if isinstance(top, ForOp)]
    if any(_ahead(top, loop) != stages - 1 for top in tops):
        return None
    if not all(
        _has_turn(op, cast(ForOp, top).variable, _later(loop, stages - 1), stages)
        for op, top in zip(inside, tops, strict=True)
    ):
        return None
    before = _fills_before(stores, loop, stages)
    if before is None:
        return None
    inner = [op_in_block(op, loop.body.block) for op in reads]
    return _Pipeline(loop, stages - 1, found, before, list(fills), list(dict.fromkeys(inner)))


def _copy(store: StoreOp) -> tuple[LoadOp, StoreOp] | None:
    """Return a store and the load of its value if they can be one asynchronous copy, else None."""
    load = store.value.owner
    if not isinstance(load, LoadOp) or load.next_op is not store or not is_copy(load, store):
        return None
    if len(list(load.res.uses)) > 1:
        return None
    size = copied_bytes(load.res.type)
    element = bit_width(cast(MemRefType, load.mem.type).element_type) // 8
    is_whole = load.pad is None or load.is_whole()
    aligned = all(_alignment(op, element) % size == 0 for op in (load, store))
    return (load, store) if size in COPY_BYTES and aligned and is_whole else None


def _alignment(op: AccessOp, element: int) -> int:
    """Return the largest power of 2, up to 16, that provably divides the address of an access.

    Buffers are aligned to 16 bytes.
    element: the size of an element in bytes.
    """
    access, sizes = cast("LoadOp", op), list(dims_of(cast(MemRefType, cast("LoadOp", op).mem.type)))
    values = [size.value for size in sizes[1:]]
    # A divisor of the sizes also divides the strides.
    strides = row_major_strides((1, *map(_divisor, sizes[1:])))
    pairs = list(zip(access.indices(), strides, strict=True))
    factors = [factor * stride for e, stride in pairs for factor in e.terms.values()]
    offsets = [e.const * stride for e, stride in pairs]
    if all(value is not None for value in values):
        offsets = [sum(offsets)]
    return gcd(max(COPY_BYTES), *(n * element for n in (*factors, *offsets)))


def _divisor(size: Dim) -> int:
    """Return a static size; for a symbolic size, its largest divisor of 16, 8, 4, 2 and 1."""
    powers = (n for n in (*reversed(COPY_BYTES), 2, 1) if size % n == Dim.const(0))
    return next(powers) if size.value is None else size.value


def _loop_of(stores: Sequence[StoreOp]) -> ForOp | None:
    """Return the innermost loop around one of the stores whose body contains a barrier.

    None if there is no such loop.
    """
    loops = (around for op in stores for around in enclosing(op) if isinstance(around, ForOp))
    return next((o for o in loops if any(isinstance(i, BarrierOp) for i in o.body.block.ops)), None)


def _ahead(top: Operation, loop: ForOp) -> int:
    """Return how many iterations in advance an op of a loop's body fills its buffer.

    top: the op. If it is a loop of at most one iteration that starts at the variable of ``loop``
    plus a constant, the result is this constant; 0 for any other op.
    loop: the loop whose iterations are counted.
    """
    if not isinstance(top, ForOp) or top.results:
        return 0
    lows, highs = top.bounds()
    distance, ranges = lows[0] - variable(loop.variable), LoopRanges()
    ranges.enter(loop)
    is_single = any((e - lows[0]).range(ranges.range_of)[1] <= 1 for e in highs)
    return distance.const if len(lows) == 1 and distance.is_constant and is_single else 0


def _steps(loop: ForOp) -> range | None:
    """Return the iterations that a loop from 0 may have; None if they may be many."""
    ranges = LoopRanges()
    ranges.enter(loop)
    _, last = ranges.range_of(loop.variable)
    return range(last + 1) if last < _MOST_STEPS else None


def _later(loop: ForOp, distance: int) -> range | None:
    steps = _steps(loop)
    return None if steps is None else range(distance, steps.stop)


def _has_turn(op: Operation, key: SSAValue, steps: range | None, stages: int) -> bool:
    """Return whether an op accesses part ``key mod stages`` of a buffer in every iteration.

    The part is the first index of the access.
    key: the variable of the loop.
    steps: the values of the variable; None if they are not known.
    stages: the number of parts of the buffer.
    """
    if not isinstance(op, AccessOp):
        return False
    index = op.index(0)
    if steps is None or set(index.variables()) - {key}:
        ((atom, factor),) = index.terms.items() if len(index.terms) == 1 else ((None, 0),)
        if not isinstance(atom, Atom) or (atom.kind, atom.divisor) != ("mod", stages):
            return False
        return factor == 1 and not index.const and atom.operand == variable(key)
    return all(_value(index, step) == step % stages for step in steps)


def _value(index: Index, step: int) -> int:
    return index.evaluate(lambda _: step)


def _fills_before(
    stores: Sequence[StoreOp], loop: ForOp, stages: int
) -> list[tuple[Operation, int]] | None:
    """Return the ops before the loop that fill a buffer, each with the iteration that reads it.

    stores: the stores to the buffer.  stages: the number of parts of the buffer.
    Returns None if it is unknown which part an op fills, or if this part belongs to an iteration
    after the first ``stages``.
    """
    found: list[tuple[Operation, int]] = []
    block = loop.parent
    assert block is not None, "the loop stands in a block"
    for op in stores:
        if loop.is_ancestor(op):
            continue
        top = block.find_ancestor_op_in_block(op)
        index = op.index(0)
        if top is None or not top.is_before_in_block(loop):
            return None
        if not index.is_constant:
            lows = top.bounds()[0] if isinstance(top, ForOp) else []
            is_guard = [e.is_constant for e in lows] == [True]
            if not is_guard or set(index.variables()) != {cast(ForOp, top).variable}:
                return None
            found.append((top, _value(index, lows[0].const)))
        else:
            found.append((top, index.const))
    return found if all(0 <= number < stages for _, number in found) else None


def _convert(loop: ForOp, pipelines: Sequence[_Pipeline], distance: int) -> None:
    """Make the copies of a loop asynchronous, one group per iteration.

    The loop does not change if it has several barriers, if a read precedes the barrier, or if some
    fills precede the barrier and others follow it.
    pipelines: the buffers that the loop fills.  distance: the number of iterations from a copy to
    the reads of its elements.
    """
    body = loop.body.block
    order = {op: number for number, op in enumerate(body.ops)}
    barriers = [op for op in loop.walk() if isinstance(op, BarrierOp)]
    if len(barriers) > 1 or barriers[0].parent is not body:
        return
    (barrier,) = barriers
    if any(order[op] < order[barrier] for each in pipelines for op in each.reads):
        return
    fills = [op for each in pipelines for op in each.inside]
    are_behind = {order[op] > order[barrier] for op in fills}
    if len(are_behind) > 1 or not fills:
        return
    _commit_before(loop, [fill for each in pipelines for fill in each.before], distance)
    last = max(fills, key=lambda op: order[op])
    body.insert_op_after(AsyncCommitOp.create(), last)
    body.insert_op_before(AsyncWaitOp(distance - 1 if True in are_behind else distance), barrier)
    # The groups are placed relative to the stores, so the stores are replaced last.
    for load, store in (copy for each in pipelines for copy in each.copies):
        _replace(load, store)


def _replace(load: LoadOp, store: StoreOp) -> None:
    behind = store.next_op
    assert behind is not None, "a block ends with a terminator"
    load.detach()
    store.detach()
    made = AsyncCopyOp.make(load, store)
    made.location = load.location
    Rewriter.insert_op(made, InsertPoint.before(behind))


def _commit_before(loop: ForOp, fills: Sequence[tuple[Operation, int]], distance: int) -> None:
    """Commit one group of copies before the loop for each of the first ``distance`` iterations.

    fills: the ops before the loop that copy, each with the number of the iteration that reads.
    """
    block = loop.parent
    assert block is not None, "the loop stands in a block"
    for number in range(distance):
        behind: Operation = loop
        earlier = [op for op, step in fills if step <= number]
        last = next((op for op in reversed(list(block.ops)) if op in earlier), None)
        if last is not None and last.next_op is not None:
            behind = last.next_op
            while isinstance(behind, AsyncCommitOp) and behind.next_op is not None:
                behind = behind.next_op
        block.insert_op_before(AsyncCommitOp.create(), behind)
