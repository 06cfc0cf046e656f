"""sched.tile: loops over tiles of parallel axes, around smaller computes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Operation

from ...dialects.te import ComputeOp, ComputeView
from ...support.affine import Index, variable
from .axes import sliceable_axes
from .placement import append_to, insert_loop
from .step import Handles, Step


def tile(step: Step) -> Handles:
    """Split parallel axes into tiles.

        te.compute @mm [m: 20, n: 32, k: 8 red] .. outs(%C[m, n] add 0.0 : ..)
        %leaf, %i, %j = sched.tile %c {m = 6, n = 16}
    ==>
        loop.for %i = 0 to 3 { loop.for %j = 0 to 2 {
          te.compute @mm [m: 6, n: 16, k: 8 red] .. outs(%C[%i * 6 + m, %j * 16 + n] add 0.0 : ..)
        } }
        loop.for %i = 0 to 1 { loop.for %j = 0 to 2 {
          te.compute @mm [m: 2, n: 16, k: 8 red] .. outs(%C[m + 18, %j * 16 + n] add 0.0 : ..)
        } }

    Loops stand in the order of the parameters, the first outermost.  An axis listed in ``even`` is
    split into tiles of two sizes that differ by one, the others into full tiles and a remainder.
    A loop is always made, also for one trip, so a handle is never empty.  Handles: the leaves, then
    the loops of each axis.
    Before: the axes index every output.
    Errors: ScheduleError for an unknown, reduced or scanned axis.
    """
    sizes, even = step.sizes(), step.words("even")
    if unknown := [a for a in even if a not in sizes]:
        raise step.error("even names axes that are tiled", expected=list(sizes), got=unknown)
    leaves = [(op, op.view()) for op in step.computes()]
    loops: list[list[Operation]] = []
    for axis, size in sizes.items():
        made: list[Operation] = []
        pieces: list[tuple[ComputeOp, ComputeView]] = []
        for op, view in leaves:
            _require_parallel(step, view, axis)
            parts = sections(view.axes[axis], size, even=axis in even)
            pieces += _split(op, view, axis, parts, made)
        leaves = pieces
        loops.append(made)
    for op, view in leaves:
        op.update(view)
    return [[op for op, _ in leaves], *loops]


def sections(extent: int, size: int, *, even: bool) -> list[tuple[int, int, int]]:
    """Return (number of tiles, size, first position) of the runs of equal tiles."""
    if even:
        count = -(-extent // size)
        small, longer = divmod(extent, count)
        runs = [(longer, small + 1, 0), (count - longer, small, longer * (small + 1))]
        return [run for run in runs if run[0]]
    count, rest = divmod(extent, size)
    runs = [(count, size, 0), (1 if rest else 0, rest, count * size)]
    return [run for run in runs if run[0]]


def _require_parallel(step: Step, view: ComputeView, axis: str) -> None:
    step.extent(view, axis)
    legal = sliceable_axes(view)
    if axis in legal:
        return
    expected = f"one of {', '.join(legal) or 'none'}"
    if axis == view.scan:
        raise step.error(f"axis {axis} of @{view.name} is scanned in order", expected=expected)
    raise step.error(
        f"axis {axis} of @{view.name} is reduced",
        expected=expected,
        hint="use split_reduction, or split_axis to keep it in the leaf",
    )


def _split(
    op: ComputeOp,
    view: ComputeView,
    axis: str,
    parts: Sequence[tuple[int, int, int]],
    loops: list[Operation],
) -> list[tuple[ComputeOp, ComputeView]]:
    """Put one piece per run of tiles into a loop each; the last piece is the op itself."""
    pieces: list[tuple[ComputeOp, ComputeView]] = []
    for count, size, offset in parts:
        piece = op.clone() if len(pieces) + 1 < len(parts) else op
        loop = insert_loop(op, 0, count)
        append_to(loop, piece)
        position = Index({loop.variable: size}, offset) + variable(axis)
        smaller = replace(view, axes={**view.axes, axis: size})
        pieces.append((piece, smaller.substitute({axis: position})))
        loops.append(loop)
    return pieces
