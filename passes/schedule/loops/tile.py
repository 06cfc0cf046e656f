"""sched.tile: make loops over tiles of parallel axes, around smaller computes."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.loop import ForOp
from ....dialects.shape import Dim, extent_of
from ....dialects.te import ComputeOp, ComputeView
from ....support.affine import Index, constant
from ...rewrite.sections import sections
from ..engine.axes import sliceable_axes
from ..engine.pieces import in_loops
from ..engine.placement import append_to, insert_loop, size_in_kernel
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

    Loops nest in the order of the parameters, the first outermost.  A loop is made even for one
    trip, so that no handle is empty.  An axis is divided into full tiles and a remainder: one
    smaller tile, or for a symbolic extent, single positions.
    Handles: the innermost computes (leaves), then the loops of each axis.
    even: axes that are divided into tiles of two sizes, which differ by one.  For a symbolic extent
    there is one loop for each size from the tile's down to 1, of which at most two run.
    whole: axes of a symbolic extent whose remainder is one tile.
    rest: the size of the tiles of the remainder of a symbolic extent; the last tile overlaps the
    tile before it.  Only an extent below ``rest`` has single positions, or even tiles of at most
    ``few``.  If the axis is listed in ``even``, only the remainder is even, in tiles of at most
    ``rest``.
    chunk: the number of iterations of each loop of a symbolic ``even`` axis that an outer loop runs
    as one task; the handle then holds the outer loop.
    Before: the axes index every output.
    Errors: ScheduleError for an unknown, reduced or scanned axis; for ``rest`` and an output that
    cannot be computed twice, because it is read or continues a sum from memory.
    """
    sizes, even, chunk = step.sizes(), step.words("even"), step.number("chunk", 0)
    whole = step.words("whole")
    for name, axes in (("even", even), ("whole", whole)):
        if unknown := [a for a in axes if a not in sizes]:
            raise step.error(f"{name} names axes that are tiled", expected=list(sizes), got=unknown)
    rest, few = step.number("rest", 1), step.number("few", 1)
    leaves = [(op, op.view()) for op in step.computes()]
    loops: list[list[Operation]] = []
    for axis, size in sizes.items():
        made: list[Operation] = []
        pieces: list[tuple[ComputeOp, ComputeView]] = []
        for op, view in leaves:
            _require_parallel(step, view, axis)
            extent = view.axes[axis]
            runs = sections(
                extent, size, even=axis in even, whole=axis in whole, rest=rest, few=few
            )
            if rest > 1 and axis not in even and len(runs) > 2:
                _require_repeatable(step, view, size % rest)
            outer = None
            if chunk and axis in even and isinstance(extent, Dim):
                outer = _insert_chunks(op, extent.ceildiv(size * chunk))
            first = None if outer is None else Index({outer.variable: chunk})
            trips = None if first is None else (first, first + chunk)
            found = in_loops(op, view, axis, runs, trips)
            pieces += [piece for piece, _ in found]
            made += [loop for _, loop in found] if outer is None else [outer]
        leaves = pieces
        loops.append(made)
    for op, view in leaves:
        op.update(view)
    return [[op for op, _ in leaves], *loops]


def _insert_chunks(op: ComputeOp, count: Dim) -> ForOp:
    """Put a compute into a new loop over ``count`` groups of tiles (chunks); return the loop."""
    outer = insert_loop(op, [constant(0)], [size_in_kernel(op, extent_of(count))])
    append_to(outer, op)
    return outer


def _require_repeatable(step: Step, view: ComputeView, remainder: int) -> None:
    """Raise ScheduleError unless a compute gives equal results when it runs again.

    remainder: the tile size modulo the option ``rest`` of sched.tile, which must be 0.
    """
    if remainder:
        raise step.error("the tile is no multiple of rest", expected="a divisor of the tile")
    step.require_initialized(view, view.outputs)
    written = {output.value for output in view.outputs}
    if any(access.value in written for access in view.reads):
        raise step.error(
            f"@{view.name} reads what it writes, so no tile may overlap another one",
            expected="an output that the compute does not read",
            hint="leave out rest",
        )


def _require_parallel(step: Step, view: ComputeView, axis: str) -> None:
    step.require_axis(view, axis)
    legal = sliceable_axes(view)
    if axis in legal:
        return
    step.require_unscanned(view, axis, legal)
    raise step.error(
        f"axis {axis} of @{view.name} is reduced",
        expected=f"one of {', '.join(legal) or 'none'}",
        hint="use split_reduction, or split_axis to keep it in the leaf",
    )
