"""Handlers of asynchronous copies, which are supported in CUDA C++ only.

    __pipeline_memcpy_async(s1 + (tx * 4), p0 + (tx * 4), 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);

For other languages these ops are errors.
"""

from __future__ import annotations

from xdsl.ir import Operation

from ...dialects import simt
from ..loop_to_llvm.op_emitter import Handlers
from .emitter import CEmitter

_HEADER = "#include <cuda_pipeline.h>"


def emit_copy(e: CEmitter, op: simt.AsyncCopyOp) -> None:
    """Emit simt.async_copy as a call of __pipeline_memcpy_async.

    A padded copy has a last argument: the number of bytes that are set to zero, not copied.
    """
    _require(e, op)
    load, store, count = op.load, op.store, op.bytes
    target = f"{e.values[store.mem]} + ({e.address_text(store)})"
    first = e.values[load.mem]
    source, zeros = f"{first} + ({e.address_text(load)})", ""
    if load.pad is not None:
        conditions = e.pad_conditions(load, 0)
        inside = "false" if conditions is None else " && ".join(conditions)
        if inside:
            source, zeros = f"{inside} ? {source} : {first}", f", {inside} ? 0 : {count}"
    e.line(f"__pipeline_memcpy_async({target}, {source}, {count}{zeros});")


def emit_commit(e: CEmitter, op: Operation) -> None:
    """Emit simt.async_commit as a call of __pipeline_commit."""
    _require(e, op)
    e.line("__pipeline_commit();")


def emit_wait(e: CEmitter, op: simt.AsyncWaitOp) -> None:
    """Emit simt.async_wait as a call of __pipeline_wait_prior."""
    _require(e, op)
    e.line(f"__pipeline_wait_prior({op.pending.data});")


def _require(e: CEmitter, op: Operation) -> None:
    if not e.dialect.has_async_copies:
        raise e.unsupported(op, hint="leave out simt-async-copies")
    e.helpers["async"] = _HEADER


HANDLERS: Handlers = {
    simt.AsyncCopyOp: emit_copy,
    simt.AsyncCommitOp: emit_commit,
    simt.AsyncWaitOp: emit_wait,
}
