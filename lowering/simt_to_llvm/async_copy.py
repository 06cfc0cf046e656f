"""Handlers of asynchronous copies, which become NVIDIA's cp.async.

The size operand of a padded copy is the number of bytes to read; cp.async sets the rest to zero.
"""

from __future__ import annotations

from xdsl.ir import Operation

from ...dialects import loop, simt
from ...support.diagnostics import LoweringError
from ..loop_to_llvm import arithmetic
from ..loop_to_llvm.memory import load_condition
from ..loop_to_llvm.op_emitter import Handlers
from .dialect import DeviceEmitter

_GROUP = "void @llvm.nvvm.cp.async"


def emit_copy(e: DeviceEmitter, op: simt.AsyncCopyOp) -> None:
    """Emit simt.async_copy as cp.async; a copy of 16 bytes bypasses the L1 cache."""
    _require(e, op)
    load, count = op.load, op.bytes
    pointer, size = e.address(load), ""
    if load.pad is not None:
        inside = load_condition(e, load)
        if inside:
            # No byte is read if the size is 0, so that the address may be outside of the buffer.
            size = e.emit(f"select i1 {inside}, i32 {count}, i32 0")
    source = e.emit(f"addrspacecast ptr {pointer} to ptr addrspace(1)")
    target = e.emit(f"addrspacecast ptr {e.address(op.store)} to ptr addrspace(3)")
    cache, suffix = ("cg" if count == max(simt.COPY_BYTES) else "ca"), ".s" if size else ""
    function = f"{_GROUP}.{cache}.shared.global.{count}{suffix}"
    types = "ptr addrspace(3), ptr addrspace(1)" + (", i32" if size else "")
    e.declarations.add(f"declare {function}({types})")
    values = f"ptr addrspace(3) {target}, ptr addrspace(1) {source}"
    e.lines.append(f" call {function}({values}{f', i32 {size}' if size else ''})")


def emit_index(e: DeviceEmitter, op: loop.IndexOp) -> None:
    """Emit loop.index, and record its range: copies of a later step need no check of positions."""
    arithmetic.emit_index(e, op)
    if op.step is None:
        (index,) = e.indices(op)
        e.ranges[op.res] = index.range(e.range_of)


def emit_commit(e: DeviceEmitter, op: Operation) -> None:
    """Emit simt.async_commit as cp.async.commit_group."""
    _require(e, op)
    e.declarations.add(f"declare {_GROUP}.commit.group()")
    e.lines.append(f" call {_GROUP}.commit.group()")


def emit_wait(e: DeviceEmitter, op: simt.AsyncWaitOp) -> None:
    """Emit simt.async_wait as cp.async.wait_group."""
    _require(e, op)
    e.declarations.add(f"declare {_GROUP}.wait.group(i32 immarg)")
    e.lines.append(f" call {_GROUP}.wait.group(i32 {op.pending.data})")


def _require(e: DeviceEmitter, op: Operation) -> None:
    if not e.dialect.has_async_copies:
        raise LoweringError(
            "the target has no asynchronous copies",
            got=op.name,
            hint="leave out simt-async-copies",
        ).at(op)


HANDLERS: Handlers = {
    simt.AsyncCopyOp: emit_copy,
    loop.IndexOp: emit_index,
    simt.AsyncCommitOp: emit_commit,
    simt.AsyncWaitOp: emit_wait,
}
