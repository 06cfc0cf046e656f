"""simt-private-buffers: shrink each local buffer to the part that one thread uses.

    %a = loop.alloc "local" : memref<128xf32>          %a = loop.alloc "local" : memref<8xf32>
    .. %a[%tx * 8 + 3] ..                        ==>   .. %a[3] ..

From simt-map-threads on, each thread has its own copy of a local buffer, and uses only the elements
that simt-check-threads proved to be its part. Small buffers with constant positions later become
registers.

Before: kernels with ids (dialects/simt).  After: no position in a local buffer depends on an id.
Exact: every access reads or writes the same element of the same part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.threads.fork_join import THREAD
from ...analysis.threads.thread_accesses import Accesses, Share, ThreadAccess, by_buffer, is_local
from ...dialects.loop import AllocOp, LoadOp, int_attr
from ...dialects.simt import DIMENSIONS, ThreadIdOp, launch_of
from ...support.affine import Index, Key, variable
from ...support.passes import ExactPass
from ..rewrite.loops import set_indices
from .kernels import mapped_kernels


@dataclass(frozen=True)
class PrivateBuffers(ExactPass):
    """Shrink each local buffer of a kernel mapped to threads to the part that one thread uses."""

    name = "simt-private-buffers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in mapped_kernels(op):
            shrink_buffers(function)


def shrink_buffers(function: FuncOp) -> None:
    """Shrink each local buffer of one kernel to the part that one thread uses."""
    launch = launch_of(function)
    assert launch is not None, "a mapped kernel"
    sizes = {f"{THREAD}.{d}": n for d, n in zip(DIMENSIONS, launch.block, strict=True)}
    ids: dict[Key, Index] = {
        op.res: variable(f"{THREAD}.{op.dimension.data}")
        for op in function.body.block.ops
        if isinstance(op, ThreadIdOp)
    }
    accesses = Accesses(sizes)
    for buffer, found in by_buffer(accesses.of(function.body.block.ops, ids)).items():
        if not is_local(buffer) or any(map(_depends_on_size, found)):
            continue
        if any(map(_depends_on_thread, found)):
            shares = accesses.shares(found)
            if shares is not None:
                _shrink(buffer, found, shares)


def _depends_on_thread(access: ThreadAccess) -> bool:
    return any(isinstance(key, str) for index in access.indices for key in index.variables())


def _depends_on_size(access: ThreadAccess) -> bool:
    """Return whether an access has padding or a clip, which depend on the size of the buffer."""
    op = access.op
    return (op.pad if isinstance(op, LoadOp) else op.clip) is not None


def _shrink(buffer: SSAValue, accesses: Sequence[ThreadAccess], shares: Sequence[Share]) -> None:
    old = cast(AllocOp, buffer.owner)
    new = old.resized([share.extent for share in shares])
    Rewriter.insert_op(new, InsertPoint.before(old))
    for access in accesses:
        op = access.op
        if access.span and op.stride is not None:
            step = access.span * op.stride.data // access.flat_span
            stride = step * prod(share.extent for share in shares[access.lane_dimension + 1 :])
            op.properties["stride"] = int_attr(stride)
        if op.stride is not None and op.stride.data == 1:
            del op.properties["stride"]
        positions = zip(shares, access.indices, strict=True)
        set_indices(op, [share.place(e) for share, e in positions], new.res)
    Rewriter.erase_op(old)
