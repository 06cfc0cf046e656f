"""c-plan: write the schedules of kernels for C source, whose loops a person reads.

    te.compute @matmul [m: 4, n: 8, k: 64 red]
==>
    loop.for %m = 0 to 2 { loop.for %n = 0 to 4 {
        te.compute @matmul [m: 2, n: 2, k: 64 red] .. tile(vec = n, lanes = 1) } }

In: kernels in buffer form.  Out: one sched.script per kernel.  The rules:

C1  Several computes share the loops of all axes that they can share (analysis/patterns/sharing.py),
    so that a buffer between two of them holds one row.
C2  A reduction that reads an element for several results computes up to 4 results together, in 4
    variables: the tile with the fewest loads per multiply-add.  A Cortex-M4 has 13 registers of
    integers: 4 sums, 4 operands, and the addresses.  The tile divides the axes, so that there is
    one loop nest; no axis of an operand with padding is tiled, whose loops skip the padding.

All other loops keep the order of the axes.  Nothing is vectorized: C compilers do that.

Before: te-bufferize and te-deduplicate ran.  After: each kernel has a script.  Exact: kernels are
unchanged, and each sum has the order of its axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.patterns.sharing import are_independent, share_axes
from ...dialects.sched import FuseIntoOp, ScriptBuilder, ScriptOp, TileOp, VectorizeOp
from ...dialects.te import ComputeOp, ComputeView, KernelOp, TensorOp, kernels_of
from ...dialects.te.role import Border
from ...support.passes import ExactPass

MOST_SUMS = 4
"""The most results that are computed together (rule C2)."""


@dataclass(frozen=True)
class CPlan(ExactPass):
    """Write the schedule of every kernel."""

    name = "c-plan"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scripted = {o.kernel_name for o in op.ops if isinstance(o, ScriptOp)}
        for kernel in kernels_of(op):
            if kernel.label not in scripted:
                op.body.block.insert_op_after(plan_kernel(kernel), kernel)


def plan_kernel(kernel: KernelOp) -> ScriptOp:
    """Return the schedule of one kernel; without steps if its loops keep the order of the axes."""
    script = ScriptBuilder(kernel.label)
    ops = [op for op in kernel.body.walk() if isinstance(op, TensorOp)]
    computes = [op for op in ops if isinstance(op, ComputeOp)]
    main = [op for op in computes if not op.has_role(Border)]
    if len(main) == 1 and len(computes) == len(ops):
        _tile_sums(script, main[0].view())
    elif main and len(main) == len(ops) and not are_independent([op.view() for op in main]):
        _share_rows(script, main)
    return script.build()


def _share_rows(script: ScriptBuilder, main: list[ComputeOp]) -> None:
    """Compute all ops for one position of the axes that they share, then for the next (C1)."""
    shared = share_axes(main).root_axes
    if shared:
        last = script.match(main[-1].label)
        loop = script.add(TileOp, last, params={}, by_axis=dict.fromkeys(shared, 1))[-1]
        for op in reversed(main[:-1]):
            script.add(FuseIntoOp, script.match(op.label), loop, params={})


def _tile_sums(script: ScriptBuilder, view: ComputeView) -> None:
    """Compute several results of a reduction together (rule C2 of c-plan)."""
    sizes = tile_of(view)
    if not sizes:
        return
    loops = {a: sizes.get(a, 1) for a in view.parallel_axes() if view.axes[a] != 1}
    leaf, *_ = script.add(TileOp, script.match(view.name), params={}, by_axis=loops)
    script.add(VectorizeOp, leaf, params={"axis": [*loops][-1], "lanes": 1})


def tile_of(view: ComputeView) -> Mapping[str, int]:
    """Return the sizes of the tile with the fewest loads per multiply-add; {} for no tile."""
    reads = [read for read in view.inputs if not read.is_index]
    is_plain = all(not read.is_whole for read in reads) and len(view.outputs) == 1
    if not view.reduced_axes() or view.scan is not None or not is_plain:
        return {}
    padded = {axis for read in reads if read.pad is not None for axis in read.axes()}
    extents = view.extents
    axes = [a for a in view.parallel_axes() if a not in padded and extents[a] > 1]
    best: tuple[float, int, dict[str, int]] = float(len(reads)), 0, {}
    for chosen in product(*([n for n in (1, 2, 4) if extents[a] % n == 0] for a in axes)):
        sizes = {a: n for a, n in zip(axes, chosen, strict=True) if n > 1}
        if not 1 < prod(sizes.values()) <= MOST_SUMS:
            continue
        loads = sum(prod(sizes.get(str(a), 1) for a in read.axes()) for read in reads)
        cost = loads / prod(sizes.values()), len(sizes), sizes
        best = min(best, cost, key=lambda each: each[:2])
    return best[2]


__all__ = ["MOST_SUMS", "CPlan", "plan_kernel", "tile_of"]
