"""sched.tile_irregular: divide a te.scatter or te.sort into tasks, and vectorize a scatter."""

from __future__ import annotations

from dataclasses import replace

from ....dialects.te import ScatterOp, SortOp
from ....dialects.te.codec import encode_tile
from ..engine.step import Handles, Step


def tile_irregular(step: Step) -> Handles:
    """Divide an axis of a scatter or the rows of a sort into tasks; vectorize both.

        te.scatter @s [i: 64, j: 32] ..            te.sort @t %x axis 1 .. : memref<4096x100xf32>
        %a = sched.tile_irregular %s {axis = i, chunk = 8, vector = j, lanes = 8}
        %b = sched.tile_irregular %t {chunk = 64, lanes = 8}
    ==>
        te.scatter @s [i: 64, j: 32] .. tile(parallel = i, chunk = 8, vec = j, lanes = 8)
        te.sort @t .. tile(chunk = 64, lanes = 8)

    A sort with lanes may sort several rows at once, one per lane.

    Before: the op is in buffer form, and its kernel has no other op.
    Errors: ScheduleError for a task axis along which two points may write the same element.  One
    index of the base must be the vector axis, without other terms, and no other index may depend on
    the vector axis; else the step raises ScheduleError, too. The lanes of a sort are a power of 2.
    """
    ops = step.handles[0]
    for op in ops:
        if isinstance(op, ScatterOp):
            _tile_scatter(step, op)
        elif isinstance(op, SortOp):
            op.properties["tile"] = encode_tile(_sort_tile(step))
        else:
            raise step.error(
                "the step divides a scatter or a sort",
                expected="te.scatter or te.sort",
                got=op.name,
                hint="tile divides a compute",
            )
    return [ops]


def _sort_tile(step: Step) -> dict[str, int | str]:
    """Return the options of a sort's tile: the rows of a task and of a vector."""
    names = [name for name in ("chunk", "lanes") if name in step.params]
    tile = {name: step.number(name) for name in names}
    lanes = tile.get("lanes", 2)
    if lanes < 2 or lanes & (lanes - 1):
        raise step.error(
            "the lanes of a sort are a power of 2",
            expected="2, 4, 8 ..",
            got=lanes,
            hint="choose the number of 64-bit lanes of a vector",
        )
    return {**tile}


def _tile_scatter(step: Step, op: ScatterOp) -> None:
    view = op.view()
    tile = dict(view.tile)
    if "axis" in step.params:
        axis = step.word("axis")
        _check(step, "tasks", axis, view.independent_axes())
        tile |= {"parallel": axis, "chunk": step.number("chunk", 1)}
    if "vector" in step.params:
        vector = step.word("vector")
        _check(step, "vectors", vector, view.vector_axes())
        if vector == tile.get("parallel"):
            others = [a for a in view.vector_axes() if a != vector]
            raise step.error(
                "tasks and vectors take different axes",
                expected=f"one of {', '.join(others) or 'none'}",
                got=vector,
            )
        tile |= {"vec": vector, "lanes": step.number("lanes")}
    op.update(replace(view, tile=tile))


def _check(step: Step, what: str, axis: str, legal: list[str]) -> None:
    if axis not in legal:
        raise step.error(
            f"points along {axis} may write the same element: no {what} there",
            expected=f"one of {', '.join(legal) or 'none'}",
        )
