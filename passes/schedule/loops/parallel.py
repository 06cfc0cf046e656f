"""sched.parallel: run the iterations of a loop as independent tasks."""

from __future__ import annotations

from math import gcd

from xdsl.ir import SSAValue

from ....dialects.loop import AllocOp, ForOp, str_attr
from ....dialects.te import Access, ComputeOp, ComputeView, KernelOp
from ....support.affine import INFINITY, Atom, Index, Key, Range, RangeOf, key_range
from ....support.diagnostics import ScheduleError
from ..engine.placement import computes_in, is_inside, loops_in
from ..engine.step import Handles, Step


def parallel(step: Step) -> Handles:
    """Let the iterations of a loop run as independent tasks.

        loop.for %i = 0 to 8 { .. }
        %p = sched.parallel %i
    ==>
        loop.for parallel %i = 0 to 8 { .. }

    Before: each iteration writes elements of its own, or buffers allocated in the loop.
    Errors: ScheduleError naming the compute whose writes overlap (a loop of split_reduction).
    """
    loops = step.loops()
    for loop in loops:
        if found := overlapping_write(loop):
            raise step.error(
                f"iterations write the same elements of @{found.label}",
                hint="parallelize a loop that tile made",
            )
        loop.properties["kind"] = str_attr("parallel")
    return [loops]


def check_parallel_loops(kernel: KernelOp, where: str = "") -> None:
    """Raise ScheduleError if a later step made the iterations of a parallel or bound loop overlap.

    where: the step, if one is to blame.
    """
    for loop in loops_in(kernel):
        if (loop.is_parallel or loop.thread) and (found := overlapping_write(loop)):
            raise ScheduleError(
                f"iterations of a parallel loop write the same elements of @{found.label}",
                expected=f"@{found.label} outside of the loop, or a serial loop",
                hint="keep what other loops read out of the parallel loop, or make it serial",
                where=where or f"@{kernel.label}",
            )


def overlapping_write(loop: ForOp) -> ComputeOp | None:
    """Return a compute in the loop that writes an element in two iterations, if one is found."""
    return next((op for op in computes_in(loop) if writes_twice(op, loop)), None)


def writes_twice(op: ComputeOp, loop: ForOp) -> bool:
    """True unless two iterations of a loop provably write different elements with a compute."""
    bounds = loop.static_bounds
    if bounds is not None and bounds[1] - bounds[0] <= 1:
        return False
    if all(_is_own(v, loop) for v in op.outs):
        return False
    inner: set[Key] = {inner.variable for inner in loops_in(loop)}
    view = op.view()
    for output in view.outputs:
        assert output.value is not None, "scheduled kernels are in buffer form"
        if not _is_own(output.value, loop) and _overlaps(view, output, loop, inner):
            return True
    return False


def _is_own(buffer: SSAValue, loop: ForOp) -> bool:
    """True if every iteration has a private copy of this buffer."""
    owner = buffer.owner
    return isinstance(owner, AllocOp) and is_inside(owner, loop)


def _overlaps(view: ComputeView, output: Access, loop: ForOp, inner: set[Key]) -> bool:
    """True unless two iterations provably, or by a blocked index, write different elements."""
    position, bounds = loop.variable, loop.static_bounds
    trips = bounds[1] - bounds[0] if bounds is not None else INFINITY

    def range_of(key: Key) -> Range:
        return view.range_of(key) if isinstance(key, str) or key in inner else (0, 0)

    for index in output.indices or []:
        if any(_is_block(atom, position) for atom in index.atoms()):
            return False
        if _separates(index, position, trips, range_of):
            return False
    return True


def _separates(index: Index, position: SSAValue, trips: int, range_of: RangeOf) -> bool:
    """True if an index has another value in every iteration, whatever its other variables are.

    Steps of the variable are longer than what smaller steps reach together, and larger steps
    are longer than what all iterations reach.
    """
    stride, rest = abs(index.coefficient(position)), index.without(position)
    if not stride:
        return False
    moving = {k: c for k, c in rest.terms.items() if len(set(key_range(k, range_of))) > 1}
    low, high = Index({k: c for k, c in moving.items() if abs(c) < stride}).range(range_of)
    larger = gcd(*(c for c in moving.values() if abs(c) >= stride))
    reach = stride * (trips - 1) + high - low
    return stride > high - low and (not larger or larger > reach)


def _is_block(atom: Atom, position: SSAValue) -> bool:
    """True if the variable chooses a block; what lies mod a size returns after some iterations."""
    return atom.kind == "floordiv" and position in atom.operand.variables()
