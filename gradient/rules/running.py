"""Gradients of running sums, products, maxima and minima.

sum                a running sum of the cotangent in the other direction
others             those of a graph.scan that carries the result of the elements so far
"""

from __future__ import annotations

from functools import partial

import numpy as np
from xdsl.dialects.builtin import f32
from xdsl.ir import Block, Region, SSAValue

from ...dialects.dtypes import numpy_dtype
from ...dialects.graph import CastOp, CumulativeOp, ScanOp, YieldOp
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
        reverse.through(partial(_by_steps, op), only(gs))
        return
    sums = CumulativeOp(
        only(gs), kind="sum", axis=op.axis, exclusive=op.exclusive, reverse=not op.reverse
    )
    reverse.add(op.x, reverse.builder.value(sums))


def _by_steps(op: CumulativeOp, b: GradientBuilder) -> SSAValue:
    """Append a scan along the axis that computes the results of ``op``; return these."""
    name, empty = _STEPS[op.kind]
    dims, element = dims_of(type_of(op.x)), type_of(op.x).element_type
    wide = f32 if numpy_dtype(element).itemsize < 4 else element
    kept = [n for n in range(len(dims)) if n != op.axis]
    perm = [op.axis, *kept]
    slices = b.transpose(op.x if wide == element else b.value(CastOp(op.x, wide)), perm)
    one = tensor_type(wide, [dims[n] for n in kept])
    block = Block(arg_types=[one, one])
    step = GradientBuilder(block)
    total, x = block.args
    following = step.elementwise(name, total, x)
    step.append(YieldOp([following, total if op.exclusive else following]))
    init = b.number(empty, one)
    made = b.append(ScanOp(dims[op.axis], [init], [slices], Region(block), reverse=op.reverse))
    found = b.transpose(made.results[1], [perm.index(n) for n in range(len(dims))])
    return found if wide == element else b.value(CastOp(found, element))


REGION_GRADIENTS: dict[type, RegionGradient] = {CumulativeOp: cumulative}
"""The gradients of running reductions, by class."""
