"""The schedule of a kernel's computes, which form no attention: one, several independent, or rows.

In: the computes of a kernel in order, of known or of symbolic sizes.  Out: the steps of their
schedules.  Computes that read each other's results run row by row, in blocks of columns, or in
blocks of short rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

from xdsl.ir import BlockArgument, SSAValue

from ....analysis.patterns.sharing import Sharing, are_independent, element_bytes, share_axes
from ....analysis.strides import axis_stride
from ....dialects.shape import likely
from ....dialects.te import ComputeOp, ComputeView
from ....dialects.te.role import JoinsReader
from ....machines.target import Target
from ....support.names import Names
from .fused_depthwise import plan_expansion
from .merged_axes import contiguous_run, is_faster_merged
from .one_compute import lanes_of, plan_elementwise, plan_single
from .pointwise import (
    COLUMN_VECTORS,
    NOTHING,
    column_block,
    merge_narrow_rows,
    merge_short_rows,
    parallel_chunks,
    plan_leaf,
    reduction_axis,
    row_vector_axis,
)
from .script import Script
from .symbolic import plan_symbolic_compute
from .symbolic_rows import plan_rows as plan_symbolic_rows


def plan_computes(
    script: Script,
    main: Sequence[ComputeOp],
    constants: set[SSAValue],
    target: Target,
    *,
    is_symbolic: bool,
) -> None:
    """Plan the computes of a kernel that form no attention.

    main: the computes. Independent ones get schedules of their own; if one of them reads another's
    result, all run row by row in shared loops.
    constants: the arguments of the kernel that are weights.
    is_symbolic: whether some size of the kernel is known only at run time.
    """
    views = [op.view() for op in main]
    if are_independent(views) or (len(main) == 1 and not is_symbolic):
        alone = plan_single if len(main) == 1 else plan_elementwise
        for view in views:
            (plan_symbolic_compute if is_symbolic else alone)(script, view, constants, target)
    elif is_symbolic:
        plan_symbolic_rows(script, views, share_axes(main), target)
    elif main[0].has_role(JoinsReader):
        plan_expansion(script, views, constants, target)
    else:
        lanes = min(lanes_of(v, target) for v in views)
        plan_rows(script, views, share_axes(main), lanes, target)


def plan_rows(
    script: Script, views: Sequence[ComputeView], sharing: Sharing, lanes: int, target: Target
) -> None:
    """Plan computes that share outer axes, so that they run row by row.

    Intermediates then stay in L1.  sharing: the shared axes, and their names in each compute.  If
    the last shared axis is contiguous (softmax over an axis that is not the last), the computes run
    in blocks of that axis, with vectors along it; likewise if it is the axis of short rows.
    """
    root = views[-1]
    shared = list(sharing.root_axes)
    if len(shared) > 1 and not any(view.reduced_axes() for view in views):
        # Elementwise computes: keep the last axis for vectors.
        shared = [a for a in shared if a != root.parallel_axes()[-1]]
    leaves = [script.match(view.name) for view in views]
    block = 0
    if shared:
        leaves, views, sharing = _merge_columns(
            script, leaves, views, sharing, shared, lanes, target
        )
        is_merged = shared[-1] not in sharing.root_axes
        root, shared = views[-1], list(sharing.root_axes)
        block = column_block(views, sharing, shared[-1], lanes, target, is_whole=is_merged)
    block = block or (row_block(views, sharing, shared[-1], lanes) if shared else 0)
    if shared:
        multiples = {shared[-1]: block} if block else {}
        points = sum(prod(view.extents.values()) for view in views)
        leaf = parallel_chunks(script, leaves[-1], root, shared, multiples, points, target)
        leaves[-1], loops = script.tile(leaf, dict.fromkeys(shared, 1) | multiples)
        script.fuse_others(leaves, loops[-1])
    for number, (view, axes) in enumerate(zip(views, sharing.axis_of, strict=True)):
        own = {axes[a] for a in shared}
        ahead = NOTHING
        if block:
            columns = axes[shared[-1]]
            view = replace(view, axes={**view.extents, columns: block})
            own.remove(columns)
        elif shared:
            ahead = _next_row(views[:number], view, axes[shared[-1]], target)
        free = [a for a in view.parallel_axes() if a not in own and view.axes[a] != 1]
        leaf, view, free = merge_short_rows(script, leaves[number], view, lanes, free)
        leaf, view, free = merge_narrow_rows(script, leaf, view, lanes, free)
        plan_leaf(script, leaf, view, lanes, free, target, ahead)


def _merge_columns(
    script: Script,
    leaves: Sequence[SSAValue],
    views: Sequence[ComputeView],
    sharing: Sharing,
    shared: Sequence[str],
    lanes: int,
    target: Target,
) -> tuple[list[SSAValue], list[ComputeView], Sharing]:
    """Merge the last shared axes into one if a block of columns has all their elements.

    Vectors of columns are then full although the last axis is short: the maximum over 224 rows of
    17 x 2 columns, and a quotient by it: 22 -> 4 us.  A part of a merged axis is no box of the
    intermediates, so all of the axis must be in one block.
    leaves: the handles of the computes.  shared: the axes of the root to run over in shared loops.
    Returns the handles and views of the computes, and their shared axes.
    """
    pairs = [*zip(views, sharing.axis_of, strict=True)]
    most = min(len(contiguous_run(view, [of[a] for a in shared])) for view, of in pairs)
    into = Names(axis for view in views for axis in view.axes).fresh("columns")
    for first in range(len(shared) - most, len(shared) - 1):
        run = shared[first:]
        merged = [view.fuse([of[a] for a in run], into) for view, of in pairs]
        kept = ({a: n for a, n in of.items() if a not in run} | {into: into} for _, of in pairs)
        after = Sharing((*shared[:first], into), tuple(kept))
        if not is_faster_merged(views, shared, first, lanes, target):
            continue
        block = column_block(merged, after, into, lanes, target, is_whole=True)
        if block == merged[-1].extents[into]:
            steps = zip(leaves, pairs, strict=True)
            made = [script.merge_axes(leaf, [of[a] for a in run], into) for leaf, (_, of) in steps]
            return made, merged, after
    return [*leaves], [*views], Sharing(tuple(shared), sharing.axis_of)


def row_block(views: Sequence[ComputeView], sharing: Sharing, shared: str, lanes: int) -> int:
    """Return the number of short rows per block; 0 if the computes should run row by row.

    In a block, vectors of reductions run along the rows, one row per lane (Hardmax of 147,456 rows
    of 3: 1.9 ms row by row, 0.2 ms in blocks).
    sharing: the axes that the computes share, and their names in each compute.  shared: the last of
    these axes, which is the axis of rows.
    """
    pairs = [(view, axes[shared]) for view, axes in zip(views, sharing.axis_of, strict=True)]
    reduced = [(view, axis) for view, axis in pairs if view.reduced_axes()]
    if not reduced or not all(_is_short(view, axis, lanes) for view, axis in reduced):
        return 0
    return min(pairs[-1][0].extents[shared], COLUMN_VECTORS * lanes)


def _is_short(view: ComputeView, row: str, lanes: int) -> bool:
    """Return whether vectors of a reduction should run along the rows of a block.

    They should for rows shorter than a vector; longer ones if the combiner has many instructions.
    Softmax of 500 rows of 7 then takes 0.82 times as long, with AVX2 0.94 times; rows of 8 with
    AVX2 would take 1.13 times as long.
    """
    along = reduction_axis(view, lanes)
    is_simple = not view.combine.blocks
    if along is None or (is_simple and likely(view.axes[along]) >= lanes):
        return False
    return row_vector_axis(view, lanes, [row]) is not None


def _next_row(
    earlier: Sequence[ComputeView], view: ComputeView, row: str, target: Target
) -> Mapping[str, int]:
    """Return the options of sched.vectorize that prefetch the next row of an operand.

    The operand is one that ``view`` and an earlier compute both read: its current row is in L1, so
    ``view`` has time to prefetch. Without prefetches, the first compute of the next row waits for
    memory while nothing is computed (softmax of 4096 x 1024: 18 GB/s, with prefetches 25). Empty if
    there is no such operand, or if the operand fits L2.
    earlier: the computes that run before on the same row.
    view: the compute that gets the prefetches.
    row: the axis of rows.
    """
    sources = {a.value for other in earlier for a in other.inputs}
    for position, access in enumerate(view.inputs):
        if access.value is None or access.indices is None or access.value not in sources:
            continue
        size = element_bytes(access.type)
        pitch = axis_stride(access, row)
        is_argument = isinstance(access.value, BlockArgument)
        if is_argument and pitch and prod(access.shape) * size > target.l2_bytes:
            return {"prefetch_operand": position, "prefetch": pitch}
    return NOTHING
