"""simt-map-threads: turn kernels with loops bound to threads into per-thread programs.

    loop.for bind blockIdx.x %b = 0 to 8 {          %bx = simt.block_id x below 8
      %s = loop.alloc "shared" ..                   %tx = simt.thread_id x below 128
      loop.for bind threadIdx.x %t = 0 to 128 {     %s = loop.alloc "shared" ..
        .. %s[%t] .. }                        ==>   .. %s[%tx] ..
      simt.barrier shared                           simt.barrier shared
      loop.for bind threadIdx.x %t = 0 to 64 {      %c = loop.cmp "slt" %tx, %c64
        .. }                                        loop.if %c { .. }
    }

A statement runs under a branch if it uses fewer threads than the block has; code outside of thread
loops runs on the first thread if it stores. Shared allocations move to the top. The function gets
its launch (grid, block, shared memory) as the attribute tw.launch. Loads of another thread's
element become shuffles (see warp_buffers.py).

Before: kernels that simt-check-threads accepts, with barriers.  After: kernels in the form that
dialects/simt describes.
Exact: each thread runs the iterations of its index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.bounds.loop_ranges import LoopRanges
from ...analysis.threads.fork_join import (
    BLOCK,
    THREAD,
    bound_loops,
    is_block_loop,
    is_bound,
    launch_extents,
    parts_of,
    thread_of,
)
from ...dialects import simt
from ...dialects.dtypes import buffer_bytes
from ...dialects.loop import AllocOp, CompareOp, ForOp, IfOp, IndexOp, StoreOp, YieldOp
from ...dialects.shape import Dim
from ...dialects.simt import DIMENSIONS, LAUNCH, LaunchAttr, LaunchSizes
from ...support.affine import Index, constant
from ...support.passes import ExactPass
from ..rewrite.loops import replace_by_body
from .kernels import fork_join_kernels
from .warp_buffers import SCOPE, exchange_values


@dataclass(frozen=True)
class MapThreads(ExactPass):
    """Map all kernels of a module with loops bound to threads."""

    name = "simt-map-threads"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in fork_join_kernels(op):
            map_threads(function)


def map_threads(function: FuncOp) -> None:
    """Replace the bound loops of one kernel by thread and block ids."""
    launch = _launch(function)
    mapping = _Mapping(function, launch)
    mapping.program(function.body.block)
    mapping.hoist_allocations()
    mapping.exchange_values()
    function.attributes[LAUNCH] = LaunchAttr(launch)


def _launch(function: FuncOp) -> LaunchSizes:
    extents = launch_extents(function)
    grid, block = ([extents.get(f"{level}.{d}", Dim.const(1)) for d in DIMENSIONS]
                   for level in (BLOCK, THREAD))  # fmt: skip
    shared = [op for op in function.walk() if isinstance(op, AllocOp) and op.scope.data == "shared"]
    threads = [n.value for n in block if n.value is not None]
    return LaunchSizes.of(grid, threads, sum(buffer_bytes(op.res.type) for op in shared))


class _Mapping:
    """The mapping of one kernel to threads.

    function: the kernel.  launch: its grid and block.
    """

    def __init__(self, function: FuncOp, launch: LaunchSizes) -> None:
        self.function, self.launch = function, launch
        self.entry = function.body.block
        self._ids: dict[str, SSAValue] = {}

    def program(self, block: Block) -> None:
        """Map the code of a block, which all threads run, to thread and block ids.

        The body of a loop over the blocks of the grid replaces the loop.
        """
        if grids := [op for op in block.ops if isinstance(op, ForOp) and is_bound(op, BLOCK)]:
            (grid,) = grids
            self.program(grid.body.block)
            self._unwrap(grid)
            return
        serial: list[Operation] = []
        for part in [*parts_of(block), []]:
            first = part[0] if part else None
            threads = isinstance(first, ForOp) and bool(bound_loops(first, THREAD))
            if first is not None and not threads and not isinstance(first, simt.BarrierOp):
                serial += part
                continue
            self._on_first_thread(serial)
            serial = []
            if isinstance(first, ForOp) and is_block_loop(first):
                self.program(first.body.block)
            elif isinstance(first, ForOp):
                self._statement(first)

    def hoist_allocations(self) -> None:
        """Move the shared allocations to the start of the function."""
        first = self.entry.first_op
        assert first is not None, "a function ends with func.return"
        for op in [o for o in self.function.walk() if isinstance(o, AllocOp)]:
            if op.scope.data == "shared" and op is not first:
                op.detach()
                self.entry.insert_op_before(op, first)

    def exchange_values(self) -> None:
        """Turn loads from other threads of the warp into shuffles."""
        if any(isinstance(o, AllocOp) and o.scope.data == SCOPE for o in self.function.walk()):
            exchange_values(self.function, self._id(f"{THREAD}.x"), self.launch.block[0])

    def _statement(self, outermost: ForOp) -> None:
        """Replace the thread loops of a statement by thread ids."""
        loops = bound_loops(outermost, THREAD)
        self._guard([outermost], self._only_first({thread_of(op) for op in loops}))
        for op in loops:
            self._unwrap(op)

    def _on_first_thread(self, ops: Sequence[Operation]) -> None:
        if any(isinstance(inner, StoreOp) for op in ops for inner in op.walk()):
            self._guard(ops, self._only_first(set()))

    def _only_first(self, bound: set[str]) -> list[tuple[SSAValue, Index]]:
        """Return limits that let only one thread pass along the dimensions without a bound loop.

        bound: the thread indices, such as threadIdx.x, to which loops of the statement are bound.
        All other dimensions of the block are limited to id 0.
        Returns pairs of a thread id and the upper bound of its value.
        """
        sizes = zip(DIMENSIONS, self.launch.block, strict=True)
        names = [f"{THREAD}.{dimension}" for dimension, size in sizes if size > 1]
        return [(self._id(name), constant(1)) for name in names if name not in bound]

    def _unwrap(self, op: ForOp) -> None:
        """Replace a bound loop by its body, which threads with ids beyond the loop's end skip."""
        own = self._id(thread_of(op))
        highs = op.bounds()[1] if is_bound(op, THREAD) else []
        is_reached = LoopRanges().of(own)[1] + 1
        limits = [(own, e) for e in highs if not (e.is_constant and e.const >= is_reached)]
        op.variable.replace_all_uses_with(own)
        body = replace_by_body(op)
        if limits and body:
            self._guard(body, limits)

    def _guard(self, ops: Sequence[Operation], limits: Sequence[tuple[SSAValue, Index]]) -> None:
        """Put ops into branches that only threads with ids below the given limits take."""
        for own, limit in limits:
            end = IndexOp.make(limit)
            test = CompareOp.make("slt", own, end.res)
            branch = IfOp(operands=[test.res], regions=[Region(Block())])
            # Values shared by statements may be between the ops; they stay before the branch.
            Rewriter.insert_op([end, test, branch], InsertPoint.before(ops[-1]))
            for op in ops:
                op.detach()
            branch.body.block.add_ops([*ops, YieldOp.create()])
            ops = [end, test, branch]

    def _id(self, name: str) -> SSAValue:
        """Return the id ``name``, such as threadIdx.x; create it on first use."""
        if name not in self._ids:
            level, dimension = name.split(".")
            kind = simt.ThreadIdOp if level == THREAD else simt.BlockIdOp
            position = DIMENSIONS.index(dimension)
            op = kind(dimension, kind.extents(self.launch)[position])
            op.res.name_hint = ("t" if level == THREAD else "b") + dimension
            Rewriter.insert_op(op, InsertPoint.at_start(self.entry))
            self._ids[name] = op.res
        return self._ids[name]
