"""Assign buffers to the values of the main function, and rewrite control flow to use them.

    %h, %ys = packed.loop %t to 12 carry(%a = %h0) { … packed.yield %h1, %y }       on tensors
==>
    %A = packed.alloc   %B = packed.alloc   %S = packed.alloc        packed.copy %h0 to %A
    %h, %rest = packed.loop %t to 12 carry(%a = %A, %next = %B) {
      %s = packed.slice %S[%t]          … %h1 is written to %next, %y to %s …
      packed.yield %next, %a }

A loop carries buffers.  An iteration writes each of its results
- to an element of a stack, if the result is also stacked (the next iteration reads it there), or
- to the second of two buffers, which are swapped after every iteration.

Values that a loop only passes on, and values from outside of the loop, keep their buffer; all
others are copied.  No op overwrites the buffer of a live value.  If the size of a value depends on
the iteration number, both buffers have the largest size, and the value is a view of their first
elements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import packed
from ...dialects.iteration_sizes import with_largest
from ...dialects.loop import SizeOp
from ...dialects.shape import Dim, symbols_of
from ...dialects.te import buffer_type as memref_of
from ...support.blocks import terminator
from .storage import Storage

RewriteBlock = Callable[[Block], None]
"""A function that bufferizes the ops of a block."""


class Buffers:
    """The buffers of the values of main, the program's host function, as far as they are chosen.

    The rewrite from tensors to buffers goes through main in order, and asks this object for the
    buffer of each value.
    """

    def __init__(self, storage: Mapping[SSAValue, Storage]) -> None:
        self.storage = storage
        self._buffers: dict[SSAValue, SSAValue] = {}
        self._replaced: list[Operation] = []

    def _root(self, value: SSAValue) -> SSAValue:
        return self.storage[value].root if value in self.storage else value

    def of(self, value: SSAValue, before: Operation | None = None) -> SSAValue:
        """Return the buffer of a value; allocate it if it does not exist yet.

        before: the first op that writes the value, before which a missing buffer is allocated.
        """
        root = self._root(value)
        if root not in self._buffers:
            assert before is not None, "a buffer is made by its first writer"
            alloc = self.allocate(self.storage[root].buffer_type(), before)
            alloc.name_hint = value.name_hint
            self._buffers[root] = alloc
        return self._buffers[root]

    def suggest(self, value: SSAValue, buffer: SSAValue) -> bool:
        """Assign a buffer to a value that is not computed yet; return whether this is possible.

        False for a value that has a buffer already, and for a value that is neither the result of a
        kernel nor stacked by a loop.
        """
        root = self._root(value)
        owner = root.owner
        stacked = isinstance(owner, packed.LoopOp) and root in owner.stacks
        if root in self._buffers or not (root in self.storage or stacked):
            return False
        self._buffers[root] = buffer
        return True

    def suggested(self, value: SSAValue) -> SSAValue | None:
        """Return the buffer that is assigned to a value so far, or None."""
        return self._buffers.get(self._root(value))

    def owned(self, value: SSAValue, user: Operation) -> SSAValue | None:
        """Return the buffer of a value if only the op ``user`` uses the value or its buffer.

        Otherwise return None.
        user: an op in the block that defines the value.
        """
        storage = self.storage.get(value)
        if storage is None or storage.root is not value or storage.has_slices:
            return None
        buffer = self._buffers[value]
        alone = value.has_one_use() and isinstance(buffer.owner, packed.AllocOp)
        return buffer if alone and buffer.owner.parent is user.parent else None

    def retype(self, value: SSAValue) -> SSAValue:
        """Change the type of a tensor to a row-major memref, in place, and return the value.

        The value then is its own buffer. A value that is no tensor does not change.
        """
        if not isinstance(value.type, TensorType):
            return value
        new = Rewriter.replace_value_with_new_type(value, memref_of(value.type))
        self._buffers[new] = new
        return new

    def rename(self, old: SSAValue, new: SSAValue) -> None:
        """Record that ``new``, a memref, replaces the value ``old``, and is its own buffer."""
        self._buffers.pop(old, None)
        self._buffers[new] = new

    def allocate(self, type_: Attribute, before: Operation) -> SSAValue:
        """Insert a packed.alloc of a row-major buffer for a type, and return the buffer."""
        alloc = packed.AllocOp(memref_of(type_))
        _insert(alloc, before)
        return alloc.res

    def replace(self, op: Operation, new: Operation, buffers: Sequence[SSAValue]) -> None:
        """Insert ``new``, the buffer form of an op on tensors, and remove the op.

        buffers: the buffers of the op's results.
        """
        new.location = op.location
        _insert(new, op)
        self.forward(op, buffers)

    def forward(self, op: Operation, buffers: Sequence[SSAValue]) -> None:
        """Remove an op, and record the buffers that have its results.

        buffers: the buffer of each result.
        """
        for result, buffer in zip(op.results, buffers, strict=True):
            buffer.name_hint = buffer.name_hint or result.name_hint
            self._buffers[self._root(result)] = buffer
        self.remove(op)

    def remove(self, op: Operation) -> None:
        """Detach an op; its results may still have uses until ``drop_replaced`` is called."""
        op.detach()
        self._replaced.append(op)

    def drop_replaced(self) -> None:
        """Drop all operand references of the detached ops."""
        for op in self._replaced:
            op.drop_all_references()


def _insert(op: Operation, before: Operation) -> None:
    Rewriter.insert_op(op, InsertPoint.before(before))


def bufferize_if(op: packed.IfOp, buffers: Buffers, rewrite: RewriteBlock) -> None:
    """Rewrite a packed.if on tensors to one on buffers: each branch yields buffers.

    buffers: the buffers chosen so far; gets those of the results.
    rewrite: bufferizes the ops of a block.
    """
    condition = buffers.of(op.condition)
    regions = list(op.regions)
    for region in regions:
        rewrite(region.block)
        last = terminator(region.block, packed.YieldOp)
        buffers.replace(last, packed.YieldOp([buffers.of(v) for v in last.values]), [])
        op.detach_region(region)
    new = packed.IfOp(condition, *regions)
    buffers.replace(op, new, new.results)


@dataclass
class _Carried:
    """The buffers of one value that a loop carries.

    init: the buffer before the first iteration.
    storage: the argument of the body, the buffer in one iteration.
    current: the value in the body: ``storage``, or a view of it.
    following: the argument of the body for the buffer of the next iteration, if two buffers are
    swapped.
    written: the buffer into which the body must write the next value: ``following``, or a view of
    it; None if the next value stays in the buffer that it already has.
    spare: the buffer that ``following`` is in the first iteration.
    """

    init: SSAValue
    current: SSAValue
    storage: SSAValue
    written: SSAValue | None = None
    following: SSAValue | None = None
    spare: SSAValue | None = None


def bufferize_loop(op: packed.LoopOp, buffers: Buffers, rewrite: RewriteBlock) -> None:
    """Rewrite a packed.loop to carry buffers; copy values that the body does not write in place.

    rewrite: bufferizes the ops of a block.
    """
    body, terminator = op.body.block, op.terminator
    trip = None if op.trip is None else buffers.of(op.trip)
    condition = None if op.condition is None else buffers.of(op.condition)
    arguments = [buffers.retype(a) for a in list(op.carried)]
    stacks = [buffers.suggested(v) or buffers.allocate(v.type, op) for v in op.stacks]
    slices = [_slice(op, stack) for stack in stacks]
    direct = [buffers.suggest(v, s) for v, s in zip(op.parts, slices, strict=True)]
    carried = [
        _carry(op, init, argument, value, buffers)
        for init, argument, value in zip(op.inits, arguments, op.next_values, strict=True)
    ]
    spares = [c for c in carried if c.spare is not None]
    rewrite(body)
    for part, target, is_direct in zip(op.parts, slices, direct, strict=True):
        if not is_direct:
            _insert(packed.CopyOp(buffers.of(part), target), terminator)
    for value, one in zip(op.next_values, carried, strict=True):
        if one.written is not None and buffers.of(value) is not one.written:
            _insert(packed.CopyOp(buffers.of(value), one.written), terminator)
    given = [] if op.next_condition is None else [buffers.of(op.next_condition)]
    given += [
        one.following or buffers.of(v) for v, one in zip(op.next_values, carried, strict=True)
    ]
    given += [one.storage for one in spares]
    buffers.replace(terminator, packed.YieldOp(given), [])
    count = trip if op.steps is None else op.steps
    inits = [*(one.init for one in carried), *(c.spare for c in spares if c.spare is not None)]
    region = op.detach_region(op.body)
    new = packed.LoopOp(count, condition, inits, region, symbol=op.symbol)
    _insert(new, op)
    new.location = op.location
    finals = [_first(new.results[n], v.type, op) for n, v in enumerate(op.results[: len(carried)])]
    buffers.forward(op, [*finals, *stacks])


def _slice(op: packed.LoopOp, stack: SSAValue) -> SSAValue:
    """Insert, at the start of a loop's body, the slice of a stack that the iteration writes.

    stack: the buffer that has one slice per iteration.
    Returns the slice.
    """
    steps = None
    if op.reverse and isinstance(op.steps, Dim):
        steps = SizeOp(op.steps)
        _insert(steps, op)
    part = packed.SliceOp(stack, op.place(None if steps is None else steps.res))
    Rewriter.insert_op(part, InsertPoint.at_start(op.body.block))
    return part.res


def _carry(
    op: packed.LoopOp, init: SSAValue, argument: SSAValue, value: SSAValue, buffers: Buffers
) -> _Carried:
    """Choose the buffers of a carried value.

    init: the value before the loop.  argument: the value in the body.  value: the next value, which
    the body yields.
    """
    written, owner = buffers.suggested(value), value.owner
    is_stacked = written is not None and _is_stable(written, op)
    is_slice = isinstance(owner, packed.SliceOp) and _is_outside(owner.x, op)
    if is_stacked or value is argument or _is_outside(value, op) or is_slice:
        return _Carried(buffers.of(init), argument, argument)
    if op.symbol is not None and op.symbol in symbols_of(argument.type):
        return _carry_largest(op, op.symbol, init, argument, value, buffers)
    own = buffers.owned(init, op)
    if own is None:
        own = buffers.allocate(init.type, op)
        _insert(packed.CopyOp(buffers.of(init), own), op)
    spare = buffers.allocate(init.type, op)
    following = _next_argument(op, spare)
    buffers.suggest(value, following)
    return _Carried(own, argument, argument, following, following, spare)


def _carry_largest(
    op: packed.LoopOp,
    symbol: str,
    init: SSAValue,
    argument: SSAValue,
    value: SSAValue,
    buffers: Buffers,
) -> _Carried:
    """Choose the buffers of a carried value whose size depends on the iteration number.

    Both swapped buffers have the largest size; the value is a view of the first elements.
    symbol: the name of the iteration number in sizes.
    init: the value before the loop.
    argument: the value in the body.
    value: the next value, which the body yields.
    """
    assert op.steps is not None, "checked by the verifier"
    largest = with_largest(argument.type, symbol, Dim.of(op.steps))
    own, spare = (buffers.allocate(largest, op) for _ in range(2))
    start = buffers.of(init)
    _insert(packed.CopyOp(start, _first(own, start.type, op)), op)
    block, first = op.body.block, op.body.block.first_op
    assert first is not None, "a body has a terminator"
    assert isinstance(argument, BlockArgument), "the loop carries it"
    current = block.insert_arg(largest, argument.index)
    current.name_hint = argument.name_hint
    view = _first(current, argument.type, first)
    argument.replace_all_uses_with(view)
    buffers.rename(argument, view)
    block.erase_arg(argument)
    following = _next_argument(op, spare)
    written = _first(following, memref_of(value.type), first)
    buffers.suggest(value, written)
    return _Carried(own, view, current, written, following, spare)


def _next_argument(op: packed.LoopOp, spare: SSAValue) -> SSAValue:
    """Append an argument for the second of two swapped buffers to the loop's body, and return it.

    spare: the second buffer in the first iteration.
    """
    body = op.body.block
    following = body.insert_arg(spare.type, len(body.args))
    following.name_hint = "next"
    return following


def _first(buffer: SSAValue, type_: Attribute, before: Operation) -> SSAValue:
    """Return the first elements of a buffer as a view of type ``type_``.

    A buffer that already has this type is returned itself.
    """
    type_ = memref_of(type_) if isinstance(type_, TensorType) else type_
    if buffer.type == type_:
        return buffer
    view = packed.ViewOp(buffer, type_)
    _insert(view, before)
    return view.res


def _is_stable(buffer: SSAValue, op: packed.LoopOp) -> bool:
    """Return whether a buffer is a slice of a stack: no other iteration of the loop writes it."""
    return isinstance(buffer.owner, packed.SliceOp) and buffer.owner.parent is op.body.block


def _is_outside(value: SSAValue, op: packed.LoopOp) -> bool:
    return not op.body.block.is_ancestor(value.owner)
