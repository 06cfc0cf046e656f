"""simt-check-threads: refuse kernels that a GPU cannot run, among those with bound loops.

    loop.for bind threadIdx.x %t = 0 to 2048 { .. }    error: 2048 threads per block, at most 1024

The pass checks the form of each kernel (analysis/threads/fork_join.py), the number of threads, the
grid sizes known at compile time (the launch checks the others), the bytes of shared memory, and the
scope of each buffer. The scope must be ``shared``, or ``local`` if each thread provably uses its
own part of the buffer.

Before: fork-join kernels.  After: simt-place-barriers and simt-map-threads accept every kernel.
Exact: the pass changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...analysis.threads.fork_join import (
    THREAD,
    bound_loops,
    bound_loops_around,
    check_form,
    extent_of_bound,
    launch_extents,
    thread_sizes,
)
from ...analysis.threads.thread_accesses import Accesses, by_buffer
from ...dialects.dtypes import buffer_bytes
from ...dialects.loop import AllocOp
from ...dialects.shape import symbols_of
from ...machines.gpu import GpuLimits
from ...machines.gpu_limits import gpu_limits
from ...machines.target_passes import TargetedPass
from ...support.diagnostics import LoweringError
from ...support.passes import CheckPass
from .kernels import fork_join_kernels


@dataclass(frozen=True)
class CheckThreads(TargetedPass, CheckPass):
    """Check all fork-join kernels of a module."""

    name = "simt-check-threads"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in fork_join_kernels(op):
            check_threads(function, gpu_limits(self.target))


def check_threads(function: FuncOp, limits: GpuLimits) -> None:
    """Check that a GPU with these limits can run one kernel.

    Errors: LoweringError that names the loop or the buffer.
    """
    check_form(function)
    sizes = thread_sizes(function)
    if prod(sizes.values()) > limits.threads:
        raise LoweringError(
            f"a block of @{function.sym_name.data} has too many threads",
            expected=f"at most {limits.threads}",
            got=" * ".join(f"{n} ({name})" for name, n in sizes.items()),
            hint="bind loops of fewer iterations to threads",
        ).at(bound_loops(function, THREAD)[0])
    _check_dimensions(function, limits)
    allocations = [op for op in function.walk() if isinstance(op, AllocOp)]
    for op in allocations:
        _check_buffer(op)
    shared = [op for op in allocations if op.scope.data == "shared"]
    if (total := sum(buffer_bytes(op.res.type) for op in shared)) > limits.most_shared_bytes:
        raise LoweringError(
            f"a block of @{function.sym_name.data} has too much shared memory",
            expected=f"at most {limits.most_shared_bytes} bytes",
            got=f"{total} bytes: {', '.join(str(op.res.type) for op in shared)}",
            hint="use smaller tiles",
        ).at(shared[0])
    _check_parts(function, Accesses(sizes))


def _check_dimensions(function: FuncOp, limits: GpuLimits) -> None:
    """Check the number of blocks, and of threads per block, along each dimension of the launch."""
    for name, extent in launch_extents(function).items():
        most = limits.most(name)
        if extent.value is not None and extent.value > most:
            is_thread = name.startswith(THREAD)
            loops = bound_loops(function, name)
            raise LoweringError(
                f"@{function.sym_name.data} has too many {'threads' if is_thread else 'blocks'} "
                f"along {name}",
                expected=f"at most {most}",
                got=str(extent),
                hint="bind the loop to another dimension: x has the most",
            ).at(next((op for op in loops if extent_of_bound(op) == extent), loops[0]))


def _check_buffer(op: AllocOp) -> None:
    scope = op.scope.data
    if symbols_of(op.res.type):
        raise _wrong(op, "has a symbolic size", "split the loops, so that each tile has one size")
    if scope not in ("local", "shared"):
        raise _wrong(op, f"has the scope {scope}", "set_scope to shared or local")
    if scope == "shared" and bound_loops_around(op):
        raise _wrong(op, "is shared, but stands in a loop bound to threads", "compute_at outside")


def _check_parts(function: FuncOp, accesses: Accesses) -> None:
    """Check that no two threads access the same element of a local buffer.

    Only local buffers that are allocated outside of all thread loops are checked; a buffer inside a
    thread loop belongs to one thread.
    accesses: finds the accesses of each thread.
    Errors: LoweringError that names the buffer.
    """
    for buffer, found in by_buffer(accesses.of(function.body.block.ops, {})).items():
        op = buffer.owner
        if not isinstance(op, AllocOp) or op.scope.data != "local" or bound_loops_around(op):
            continue
        if accesses.shares(found) is None:
            raise _wrong(op, "is local, but threads exchange data in it", "set_scope to shared")


def _wrong(op: AllocOp, what: str, hint: str) -> LoweringError:
    name = op.res.name_hint or "a buffer"
    return LoweringError(f"%{name} {what}", got=op.res.type, hint=hint).at(op)
