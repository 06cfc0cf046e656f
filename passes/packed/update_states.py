"""packed-update-states: let a call overwrite the states of a session that it replaces.

    main(%w, %x, %new)  states [w, new]            main(%w, %x, %new)  appends [w, new, -1]
      packed.call @grad(%w, %x, %g)                  packed.call @grad(%w, %x, %g)
      packed.call @step(%w, %g, %new)         ==>    packed.call @step(%w, %g, %new)
                                                     (%w and %new may be the same memory)

A state and the result that replaces it may be the same memory if no op reads the state after an op
has written the result.  The op that writes the result may read the state if it is the call of an
elementwise kernel, which reads each element of the state just before it writes that element of the
result.  Otherwise the result is computed in a buffer of the arena, and copied to its place after
the last read of the state:
      packed.call @count(%t, %new)                   packed.call @count(%t, %a)
      packed.call @scale(%t, %y)              ==>    packed.call @scale(%t, %y)
                                                     packed.copy %a to %new

Before: kernels in buffer form, not scheduled; main's attribute ``tw.states`` names states and
results.  After: ``tw.appends`` has a row with axis -1 for each state of constant type, and a caller
may pass the state and its result in the same memory; ``tw.states`` is gone.
Errors: ModelError for a state whose names main does not have.
Exact: a copy changes no value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.packed import AllocOp, CallOp, CopyOp, ViewOp
from ...dialects.results import (
    ARG_NAMES,
    Append,
    record_appends,
    recorded_appends,
    recorded_texts,
    take_states,
)
from ...dialects.te import ComputeOp, KernelOp, kernels_of
from ...support.blocks import op_in_block
from ...support.entry import entry_of
from ...support.passes import ExactPass


@dataclass(frozen=True)
class UpdateStates(ExactPass):
    """Make main safe for callers that pass a state and its result in the same memory."""

    name = "packed-update-states"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        main = entry_of(op)
        kernels = {kernel.label: kernel for kernel in kernels_of(op)}
        made, block = list(recorded_appends(main)), main.body.block
        first = len(recorded_texts(main, ARG_NAMES))
        for argument, result in take_states(main):
            state, written = block.args[argument], block.args[first + result]
            if state.type == written.type and argument not in {row.argument for row in made}:
                _separate(block, state, written, kernels)
                made.append(Append(argument, result, -1))
        if made:
            record_appends(main, made)


def _separate(
    block: Block, state: SSAValue, written: SSAValue, kernels: Mapping[str, KernelOp]
) -> None:
    """Insert a buffer and a copy if an op reads the state after its result was written.

    state, written: the argument of main, and the argument to which the result is written.  kernels:
    the kernels by label.
    """
    ops = list(block.ops)
    order = {op: number for number, op in enumerate(ops)}
    reads = [order[op_in_block(op, block)] for op in _users(block, state)]
    writes = [order[op_in_block(op, block)] for op in _users(block, written)]
    if not reads or not writes or max(reads) < min(writes):
        return
    if max(reads) == min(writes):
        both = {*_users(block, state), *_users(block, written)}
        there = [op for op in both if order[op_in_block(op, block)] == max(reads)]
        if len(there) == 1 and _is_elementwise(there[0], state, written, kernels):
            return
    last = ops[max(*reads, *writes)]
    assert isinstance(written.type, MemRefType), "the results of main are buffers"
    buffer = AllocOp(written.type)
    block.insert_op_before(buffer, ops[0])
    written.replace_all_uses_with(buffer.res)
    copy = CopyOp(buffer.res, written)
    if isinstance(last, ReturnOp):
        block.insert_op_before(copy, last)
    else:
        block.insert_op_after(copy, last)


def _users(block: Block, value: SSAValue) -> Iterator[Operation]:
    """Yield the ops of main that use a buffer, directly or through views.

    If an op may return the buffer as its result, the terminator of main counts as a user.
    block: the block of main.
    """
    for use in value.uses:
        op = use.operation
        if isinstance(op, ViewOp):
            yield from _users(block, op.res)
            continue
        yield op
        if op.results or op_in_block(op, block).results:
            assert block.last_op is not None, "main ends with func.return"
            yield block.last_op


def _is_elementwise(
    op: Operation, state: SSAValue, written: SSAValue, kernels: Mapping[str, KernelOp]
) -> bool:
    """Return whether an op can write the result in the memory of the state, element by element.

    This holds for a copy of the state to the result, and for a call of a kernel that uses both, in
    one shape, in one compute without reduced axes, always at the same indices. It does not hold for
    a kernel with symbolic sizes, because the vectors of a symbolic axis may overlap.
    state, written: the buffer of the state, and the buffer of the result.
    kernels: the kernels by label.
    """
    if isinstance(op, CopyOp):
        return (op.source, op.target) == (state, written)
    if not isinstance(op, CallOp) or op.sizes:
        return False
    body = kernels[op.kernel_name].body.block
    given = zip(body.args, op.arguments, strict=True)
    inner = [argument for argument, value in given if _viewed(value) in (state, written)]
    compute, *others = {use.operation for argument in inner for use in argument.uses}
    if others or len({argument.type for argument in inner}) > 1:
        return False
    if not isinstance(compute, ComputeOp) or compute.parent is not body:
        return False
    view = compute.view()
    places = [access.indices for access in view.accesses() if access.value in inner]
    return (
        not view.reduced_axes() and places[0] is not None and places.count(places[0]) == len(places)
    )


def _viewed(value: SSAValue) -> SSAValue:
    """Return the buffer whose elements a value contains, possibly in another shape."""
    while isinstance(value.owner, ViewOp):
        value = value.owner.x
    return value
