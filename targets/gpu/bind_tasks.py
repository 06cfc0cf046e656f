"""gpu-bind-tasks: give each task of a kernel a thread.

    loop.for parallel %i = 0 to 100 {            loop.for bind blockIdx.x %b = 0 to 2 {
      .. %x[%i] .. }                       ==>     loop.for bind threadIdx.x %t = 0 to
                                                       min(64, %b * -64 + 100) {
                                                     %j = loop.index [%b * 64 + %t]
                                                     .. %x[%j] .. } }

Kernels of scatters and sorts have tasks; those of te.compute have loops that are bound already.  A
thread has a few kilobytes of local memory: tasks with larger buffers run one after the other, and
so do tasks inside of other loops.

Before: kernels are loops; those with bound loops have no tasks.  After: no loop is parallel.
Exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects import loop
from ...dialects.loop import ForOp, IndexOp, YieldOp, str_attr
from ...dialects.loop.size import size_at_start, size_of_index
from ...dialects.shape import Dim, extent_of
from ...machines.gpu import GpuLimits
from ...machines.gpu_limits import gpu_limits
from ...machines.target_passes import TargetedPass
from ...passes.simt.statements import bound_loop
from ...support.affine import Index, constant
from ...support.blocks import take_body
from ...support.entry import kernel_functions
from ...support.passes import ExactPass
from .plan.thread_per_point import BLOCK_THREADS, LEAST_BLOCKS, threads_of
from .serial_launch import is_large

FEW_THREADS = 64
"""Threads of a block if the number of tasks is small, or known only at run time."""


@dataclass(frozen=True)
class GpuBindTasks(TargetedPass, ExactPass):
    """Bind the outermost parallel loops of all kernels to blocks and threads."""

    name = "gpu-bind-tasks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        limits = gpu_limits(self.target)
        for function in kernel_functions(op):
            for block in function.body.blocks:
                _bind_all(block, limits)
            for inner in function.walk():
                if isinstance(inner, ForOp):
                    inner.properties["kind"] = str_attr("serial")


def _bind_all(kernel: Block, limits: GpuLimits) -> None:
    for op in list(kernel.ops):
        tasks = _tasks_of(op) if isinstance(op, ForOp) and op.is_parallel else None
        if isinstance(op, ForOp) and tasks is not None:
            _bind(op, kernel, tasks, _threads(tasks, limits))


def _threads(tasks: Dim, limits: GpuLimits) -> int:
    """Return the number of threads of a block: few, if larger blocks would leave a GPU idle."""
    count = tasks.value
    if count is None or FEW_THREADS < count < LEAST_BLOCKS * BLOCK_THREADS:
        return min(FEW_THREADS, limits.threads)
    return threads_of(count, limits)


def _tasks_of(op: ForOp) -> Dim | None:
    """Return the number of tasks of a parallel loop, one per iteration.

    None if the buffers of a task exceed the local memory of a thread, if the loop does not start at
    0, or if it has several upper bounds.
    """
    lows, highs = op.bounds()
    buffers = (each for each in op.walk() if isinstance(each, loop.AllocOp))
    if lows != [constant(0)] or len(highs) != 1 or any(map(is_large, buffers)):
        return None
    return size_of_index(highs[0])


def _bind(tasks: ForOp, kernel: Block, count: Dim, threads: int) -> None:
    """Replace a parallel loop by a loop over blocks and a loop over their threads.

    count: the number of tasks.  threads: threads per block.
    """
    blocks = size_at_start(kernel, extent_of(count.ceildiv(threads)))
    whole = size_at_start(kernel, extent_of(count))
    outer = bound_loop("blockIdx.x", [blocks])
    block = outer.variable
    divides = count % threads == Dim.const(0)
    ends = [constant(threads)] if divides else [constant(threads), whole - _of(block, threads)]
    inner = bound_loop("threadIdx.x", ends)
    position = IndexOp.make(_of(block, threads) + Index({inner.variable: 1}))
    kernel.insert_op_before(outer, tasks)
    tasks.variable.replace_all_uses_with(position.res)
    inner.body.block.add_ops([position, *take_body(tasks.body.block), YieldOp.create()])
    outer.body.block.add_ops([inner, YieldOp.create()])
    Rewriter.erase_op(tasks)


def _of(block: SSAValue, threads: int) -> Index:
    return Index({block: threads})
