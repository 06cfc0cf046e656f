"""Ranges of the elements of buffers that the host program checks before it calls a kernel.

    packed.check_indices %ids below [3000] of "Gather" : memref<9xi64>
    packed.call @rows(%table, %ids, %y)

An element of the second argument of ``@rows`` lies in 0..2999 if every call of the kernel ensures
that range: a check of the operand dominates the call, and no op writes the operand after the check.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.loop import StoreOp
from ...dialects.packed import CallOp, CheckIndicesOp, SectionsOp, host_blocks
from ...support.affine import Range
from .value_ranges import joined


def checked_ranges(module: ModuleOp) -> Mapping[SSAValue, Range]:
    """Return the element range of each kernel argument that is checked before every call."""
    kernels = {f.sym_name.data: f for f in module.ops if isinstance(f, FuncOp) and f.body.blocks}
    ops = [op for kernel in kernels.values() for op in _host_ops(kernel.body.block)]
    checks = [op for op in ops if isinstance(op, CheckIndicesOp)]
    calls = [op for op in ops if isinstance(op, CallOp) and op.kernel_name in kernels]
    found: dict[SSAValue, Range | None] = {}
    for call in calls if checks else ():
        arguments = kernels[call.kernel_name].body.block.args
        for value, argument in zip(call.arguments, arguments, strict=False):
            span = _range_at(call, value, checks, kernels)
            known = found.get(argument, span)
            found[argument] = span and known and joined(span, known)
    return {argument: span for argument, span in found.items() if span is not None}


def _host_ops(top: Block) -> Iterator[Operation]:
    for block in host_blocks(top):
        for op in block.ops:
            yield op
            if isinstance(op, SectionsOp):
                yield from op.calls


def _range_at(
    call: CallOp, value: SSAValue, checks: list[CheckIndicesOp], kernels: Mapping[str, FuncOp]
) -> Range | None:
    """Return the range of an operand's elements that a check before the call ensures, or None.

    value: the operand.  checks: all index checks of the main function.  kernels: by name.
    """
    for check in checks:
        if check.x is value and _is_before(check, call) and _is_kept(check, kernels):
            sizes = [size for size in check.sizes if isinstance(size, int)]
            if len(sizes) < len(check.sizes):
                return None
            most = max(sizes)
            return -most if check.wraps else 0, most - 1
    return None


def _is_before(check: Operation, op: Operation) -> bool:
    """Return whether a check precedes an op or one of its enclosing ops in the check's block."""
    block = check.parent_block()
    around = None if block is None else block.find_ancestor_op_in_block(op)
    return around is not None and check.is_before_in_block(around)


def _is_kept(check: CheckIndicesOp, kernels: Mapping[str, FuncOp]) -> bool:
    """Return whether no op can write the checked buffer after the check.

    Only kernel calls may use the buffer, and all calls that write it precede the check.
    """
    for use in check.x.uses:
        op = use.operation
        if isinstance(op, CheckIndicesOp):
            continue
        if not isinstance(op, CallOp) or op.kernel_name not in kernels:
            return False
        argument = kernels[op.kernel_name].body.block.args[use.index]
        is_written = any(isinstance(u.operation, StoreOp) for u in argument.uses)
        if is_written and not (
            op.parent_block() is check.parent_block() and not _is_before(check, op)
        ):
            return False
    return True
