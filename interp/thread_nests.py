"""Loops over blocks and threads around a single compute, whose iterations numpy evaluates at once.

    loop.for bind threadIdx.y %ty = 0 to 16 {
      loop.for bind threadIdx.x %tx = 0 to 16 {
        te.compute @copy [i: 4]
                  ins(%x[%ty, %tx * 4 + i] ..) outs(%s[%ty, %tx * 4 + i] ..)
==>
    te.compute @copy [ty: 16, tx: 16, i: 4]
              ins(%x[ty, tx * 4 + i] ..) outs(%s[ty, tx * 4 + i] ..)

In: a loop of a te.kernel.  Out: its nest as one compute, or None if the loop must run iteration by
iteration.  The verifier has proven that no iteration reads or writes what another one writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TypeAlias

import numpy as np
from xdsl.ir import Operation, SSAValue

from ..dialects import loop
from ..dialects.te import ComputeOp, ComputeView
from ..support.affine import Index, Key, variable
from ..support.names import Names
from .compute import MAX_POINTS, Array, Value, run_view

Iterations: TypeAlias = Mapping[loop.ForOp, Array]
"""For each loop that runs only partly, the numbers of its iterations to run."""


@dataclass(frozen=True)
class ThreadNest:
    """A nest of loops that are bound to blocks or threads, around a compute.

    loops: the loops, the outermost first.  axes: the axes that replace their variables.
    view: the compute with these axes.
    """

    loops: Sequence[loop.ForOp]
    axes: Sequence[str]
    view: ComputeView

    def numbers(self, iterations: Iterations) -> dict[str, Array]:
        """Return the numbers of the iterations along each of `axes`.

        iterations: for each loop that runs only partly, the numbers of its iterations to run.
        """
        found: dict[str, Array] = {}
        for axis, each in zip(self.axes, self.loops, strict=True):
            cut = iterations.get(each)
            found[axis] = np.arange(self.view.extents[axis]) if cut is None else cut
        return found

    def threads(self, iterations: Iterations) -> int:
        """Return how often the loops run the compute; for ``iterations``, see `numbers`."""
        return prod(cut.size for cut in self.numbers(iterations).values())

    def run(self, values: Mapping[SSAValue, Value], iterations: Iterations) -> bool:
        """Run the compute for all iterations at once; return False if they have too many points.

        values: for each SSA value that the compute uses, its array, or the number of a loop
        variable.  iterations: see `numbers`.
        """
        numbers = self.numbers(iterations)
        cut = {axis: each.size for axis, each in numbers.items()}
        view = replace(self.view, axes={**self.view.axes, **cut})
        if prod(view.extents[axis] for axis in view.parallel_axes()) > MAX_POINTS:
            return False
        run_view(view, values, numbers)
        return True


def thread_nest(op: loop.ForOp) -> ThreadNest | None:
    """Return the nest of a loop as one compute; None if it must run iteration by iteration."""
    loops: list[loop.ForOp] = []
    inner: Operation = op
    while isinstance(inner, loop.ForOp):
        if inner.thread is None or inner.res or _trips(inner) is None:
            return None
        loops.append(inner)
        ops = [each for each in inner.body.block.ops if not isinstance(each, loop.YieldOp)]
        if len(ops) != 1:
            return None
        (inner,) = ops
    if not isinstance(inner, ComputeOp):
        return None
    view, variables = inner.view(), {each.variable for each in loops}
    if any(not variables.isdisjoint(o.operands) for o in inner.walk() if o is not inner):
        return None
    names = Names(view.axes)
    axes = [names.fresh("thread") for _ in loops]
    extents = {axis: _trips(each) or 0 for axis, each in zip(axes, loops, strict=True)}
    replaced: dict[Key, Index] = {
        each.variable: variable(axis) for axis, each in zip(axes, loops, strict=True)
    }
    wide = replace(view, axes={**extents, **view.axes}).substitute(replaced)
    if not all(output.axes().issuperset(axes) for output in wide.outputs):
        return None
    return ThreadNest(loops, axes, wide)


def _trips(op: loop.ForOp) -> int | None:
    """Return the number of iterations of a loop from 0 to a constant; None for other loops."""
    lows, highs = op.bounds()
    if len(lows) != 1 or len(highs) != 1 or not highs[0].is_constant:
        return None
    return highs[0].const if lows[0].is_constant and lows[0].const == 0 else None
