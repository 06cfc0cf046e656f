"""gpu-copy-to-host: copy values between the device and the host around calls of host functions.

                                          %h = packed.alloc host : memref<4xf32>
    packed.extern "f"(%x, %y)      ==>    %g = packed.alloc host : memref<4xf32>
                                          packed.copy %x to %h : memref<4xf32>, memref<4xf32>
                                          packed.extern "f"(%h, %g)
                                          packed.copy %g to %y : memref<4xf32>, memref<4xf32>

A value that is on the host already, as the result of another function, is not copied again; a
buffer of the device that no op reads has no copy.

Before: main holds packed ops on memrefs, which are memory of the device.  After: functions take
buffers of the host.  Exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.loop import LoadOp
from ...dialects.packed import AllocOp, CallOp, CopyOp, ExternOp
from ...support.entry import entry_of, kernel_functions
from ...support.passes import ExactPass


@dataclass(frozen=True)
class GpuCopyToHost(ExactPass):
    """Pass buffers of the host to the functions of the process that main calls."""

    name = "gpu-copy-to-host"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        main = entry_of(op)
        kernels = {function.sym_name.data: function for function in kernel_functions(op)}
        blocks = [e.parent_block() for e in main.walk() if isinstance(e, ExternOp)]
        for block in dict.fromkeys(blocks):
            assert block is not None, "an op of main"
            _copy_in(block, kernels)
            _drop_unread(block)


def _copy_in(block: Block, kernels: Mapping[str, FuncOp]) -> None:
    mirrors: dict[SSAValue, SSAValue] = {}
    for op in list(block.ops):
        if isinstance(op, ExternOp):
            _on_host(op, mirrors)
        for value in _written(op, kernels):
            mirrors.pop(value, None)


def _on_host(op: ExternOp, mirrors: dict[SSAValue, SSAValue]) -> None:
    """Pass copies on the host to a function call, in place of buffers of the device.

    op: the call.  mirrors: for buffers of the device, the buffer of the host with the same contents
    so far, so that no value is copied twice; the function adds new ones.
    """
    block, before, after = op.parent_block(), InsertPoint.before(op), InsertPoint.after(op)
    passed: list[SSAValue] = []
    for number, value in enumerate(op.arguments):
        is_input = number < op.first_output.data
        host = mirrors.get(value) if is_input else None
        if host is None:
            made = AllocOp(value.type, is_host=True)
            host = made.res
            host.name_hint = value.name_hint
            Rewriter.insert_op(made, before)
            copy = CopyOp(value, host) if is_input else CopyOp(host, value)
            Rewriter.insert_op(copy, before if is_input else after)
        passed.append(host)
        if _is_whole(value, block):
            mirrors[value] = host
    op.operands = passed


def _is_whole(value: SSAValue, block: Block | None) -> bool:
    """Return whether a value is a whole buffer that only calls and copies of one block access.

    False for a part of a buffer, and for a buffer that other ops use, for example through a view.
    """
    is_buffer = not isinstance(value.owner, Operation) or isinstance(value.owner, AllocOp)
    users = [use.operation for use in value.uses]
    return is_buffer and all(
        isinstance(user, CallOp | ExternOp | CopyOp) and user.parent_block() is block
        for user in users
    )


def _written(op: Operation, kernels: Mapping[str, FuncOp]) -> Iterator[SSAValue]:
    if isinstance(op, CallOp):
        parameters = kernels[op.kernel_name].body.block.args
        for value, parameter in zip(op.arguments, parameters, strict=True):
            if not all(isinstance(use.operation, LoadOp) for use in parameter.uses):
                yield value
    elif isinstance(op, CopyOp):
        yield op.target


def _drop_unread(block: Block) -> None:
    """Erase the buffers of the device that are only written by copies, with these copies."""
    for op in list(block.ops):
        if isinstance(op, AllocOp) and not op.is_host:
            users = [use.operation for use in op.res.uses]
            if all(isinstance(user, CopyOp) and user.target is op.res for user in users):
                for user in (*users, op):
                    Rewriter.erase_op(user)
