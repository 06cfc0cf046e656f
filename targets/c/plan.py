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
C3  If the processor adds products of several bytes in one instruction (targets/library/
    microcontrollers.py), and the bytes of both operands are adjacent, it computes the terms of a
    sum.  A constant operand is stored so.  Of a window, it computes 2 results together: the loops
    of a window have three counters, and with 4 sums the registers of a Cortex-M4 do not suffice
    (a 3x3 convolution of 16 channels: 234 thousand instructions; with 2 sums, 186 thousand).

All other loops keep the order of the axes.  Nothing else is vectorized: C compilers do that.

Before: te-bufferize and te-deduplicate ran.  After: each kernel has a script.  Exact: kernels are
unchanged, and each sum has the order of its axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument

from ...analysis.patterns.intrinsics import PatternMismatch, match_intrinsic
from ...analysis.patterns.sharing import are_independent, share_axes
from ...dialects.sched import FuseIntoOp, ScriptBuilder, ScriptOp, TensorizeOp, TileOp, VectorizeOp
from ...dialects.te import (
    ComputeOp,
    ComputeView,
    IntrinsicOp,
    KernelOp,
    TensorOp,
)
from ...dialects.te.role import Border
from ...machines.target_passes import TargetedPass
from ...support.passes import ExactPass
from ..library.microcontrollers import byte_sums
from ..library.plans import write_schedules

MOST_SUMS = 4
"""The most results that are computed together (rule C2)."""
WINDOW_SUMS = 2
"""The most results of windows that an instruction computes together (rule C3)."""


@dataclass(frozen=True)
class CPlan(TargetedPass, ExactPass):
    """Add a sched.script with the schedule of each kernel to the module."""

    name = "c-plan"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        intrinsics = {intrinsic.label: intrinsic for intrinsic in byte_sums(self.target)}
        known = [*intrinsics.values()]
        write_schedules(
            op, lambda kernel: plan_kernel(kernel, known), lambda name: intrinsics[name].clone()
        )


def plan_kernel(kernel: KernelOp, intrinsics: Sequence[IntrinsicOp] = ()) -> ScriptOp:
    """Return the schedule of one kernel; a schedule without steps keeps the order of the axes.

    intrinsics: the target's dot products of bytes as te.intrinsic ops, which rule C3 of c-plan may
    use; those with the most terms first.
    """
    script = ScriptBuilder(kernel.label)
    ops = [op for op in kernel.body.walk() if isinstance(op, TensorOp)]
    computes = [op for op in ops if isinstance(op, ComputeOp)]
    main = [op for op in computes if not op.has_role(Border)]
    if len(main) == 1 and len(computes) == len(ops):
        _tile_sums(script, kernel, main[0].view(), intrinsics)
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


def _tile_sums(
    script: ScriptBuilder, kernel: KernelOp, view: ComputeView, intrinsics: Sequence[IntrinsicOp]
) -> None:
    """Compute several results of a reduction together (rules C2 and C3 of c-plan).

    view: the reduction.  intrinsics: the target's dot products of bytes, those with the most terms
    first.
    """
    loops = {a: 1 for a in view.parallel_axes() if view.axes[a] != 1}
    axis = next(reversed(loops), "")
    chosen = next((i for i in intrinsics if axis and _fits(i, kernel, view, axis)), None)
    sizes = tile_of(view, MOST_SUMS if chosen is None or not _is_window(view) else WINDOW_SUMS)
    if not sizes and chosen is None:
        return
    leaf, *_ = script.add(TileOp, script.match(view.name), params={}, by_axis={**loops, **sizes})
    if chosen is None:
        script.add(VectorizeOp, leaf, params={"axis": axis, "lanes": 1})
    else:
        script.add(TensorizeOp, leaf, params={"intrinsic": chosen.label, "axis": axis})


def _fits(intrinsic: IntrinsicOp, kernel: KernelOp, view: ComputeView, axis: str) -> bool:
    """Return whether a dot product of bytes can compute the terms of a reduction (rule C3).

    axis: the axis of results along which the intrinsic's only lane runs.  An operand that is not
    stored in the intrinsic's order must be a constant, because tensorize then repacks it at compile
    time.
    """
    found = match_intrinsic(intrinsic.row_view(), view, axis)
    if isinstance(found, PatternMismatch):
        return False
    values = [view.inputs[each.number].value for each in found.misplaced]
    return all(
        each.layout is not None
        and isinstance(value, BlockArgument)
        and value.index in kernel.constant_positions
        for each, value in zip(found.misplaced, values, strict=True)
    )


def _is_window(view: ComputeView) -> bool:
    return sum(view.axes[axis] != 1 for axis in view.reduced_axes()) > 1


def tile_of(view: ComputeView, most: int = MOST_SUMS) -> Mapping[str, int]:
    """Choose the tile of results with the fewest loads per multiply-add.

    most: the largest number of results in a tile.  Returns the size of the tile along each axis;
    empty if the compute gets no tile.
    """
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
        if not 1 < prod(sizes.values()) <= most:
            continue
        loads = sum(prod(sizes.get(str(a), 1) for a in read.axes()) for read in reads)
        cost = loads / prod(sizes.values()), len(sizes), sizes
        best = min(best, cost, key=lambda each: each[:2])
    return best[2]
