"""Gradients of running sums, products, maxima and minima.

sum                a running sum of the cotangent in the other direction
others             those of a graph.scan that carries the result of the elements so far
"""

from __future__ import annotations

from functools import partial

import numpy as np
from xdsl.ir import Block, Region, SSAValue

from ...dialects.graph import CumulativeOp, ScanOp, YieldOp
from ...dialects.shape import dims_of, tensor_type, type_of
from ..builder import GradientBuilder
from ..rule import Cotangents, RegionGradient, Reverse, only

_STEPS = {"prod": ("mul", 1.0), "max": ("max", -np.inf), "min": ("min", np.inf)}
"""The elementwise op of a step, and the value of an empty reduction, by kind."""


def cumulative(op: CumulativeOp, gs: Cotangents, reverse: Reverse) -> None:
    """Add the cotangent of the elements, for that of their running sums, products or extrema.

    gs: the cotangents of the results of ``op``.
    reverse: the walk, which collects the added cotangents.
    """
    if op.kind != "sum":

        def build(b: GradientBuilder) -> SSAValue:
            return b.in_wide_type(op.x, partial(_by_steps, b, op))

        reverse.through(build, only(gs))
        return
    sums = CumulativeOp(
        only(gs), kind="sum", axis=op.axis, exclusive=op.exclusive, reverse=not op.reverse
    )
    reverse.add(op.x, reverse.builder.value(sums))


def _by_steps(b: GradientBuilder, op: CumulativeOp, x: SSAValue) -> SSAValue:
    """Append a scan along the axis of ``op`` that computes its results for x; return these."""
    name, empty = _STEPS[op.kind]
    dims = dims_of(type_of(x))
    kept = [n for n in range(len(dims)) if n != op.axis]
    perm = [op.axis, *kept]
    one = tensor_type(type_of(x).element_type, [dims[n] for n in kept])
    block = Block(arg_types=[one, one])
    step = GradientBuilder(block)
    total, element = block.args
    following = step.elementwise(name, total, element)
    step.append(YieldOp([following, total if op.exclusive else following]))
    init, slices = b.number(empty, one), b.transpose(x, perm)
    made = b.append(ScanOp(dims[op.axis], [init], [slices], Region(block), reverse=op.reverse))
    return b.transpose(made.results[1], [perm.index(n) for n in range(len(dims))])


REGION_GRADIENTS: dict[type, RegionGradient] = {CumulativeOp: cumulative}
"""The gradients of running reductions, by class."""
