"""sched.tile: make loops over tiles of parallel axes, around smaller computes."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.te import ComputeOp, ComputeView
from ..engine.axes import sliceable_axes
from ..engine.pieces import in_loops, sections
from ..engine.step import Handles, Step


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

    Loops nest in the order of the parameters, the first outermost.  An axis listed in ``even`` is
    split into tiles of two sizes that differ by one, other axes into full tiles and a remainder.  A
    loop is made even for one trip, so that no handle is empty.  Handles: the leaves, then the loops
    of each axis.  A symbolic extent has full tiles and single positions, or (``even``) a loop for
    each size from the tile's down to 1, of which at most two run.
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
            runs = sections(view.axes[axis], size, even=axis in even)
            for piece, loop in in_loops(op, view, axis, runs):
                pieces.append(piece)
                made.append(loop)
        leaves = pieces
        loops.append(made)
    for op, view in leaves:
        op.update(view)
    return [[op for op, _ in leaves], *loops]


def _require_parallel(step: Step, view: ComputeView, axis: str) -> None:
    step.require_axis(view, axis)
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
