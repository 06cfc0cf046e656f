"""Gradients of the ops that decide how a program is differentiated.

graph.stop_gradient    →  nothing
graph.hold             →  the cotangent
graph.checkpoint       →  the region again, on held operands, then the cotangents of its values
graph.custom_gradient  →  the ops of its second region
"""

from __future__ import annotations

from xdsl.ir import Block

from ...dialects.graph import CheckpointOp, CustomGradientOp, HoldOp, StopGradientOp, YieldOp
from ...support.diagnostics import NoGradient
from ..builder import GradientBuilder
from ..rule import Cotangents, Gradient, RegionGradient, Reverse, is_differentiable


def stop_gradient(op: StopGradientOp, gs: Cotangents, b: GradientBuilder) -> Cotangents:
    """Return None as the operand's cotangent: a graph.stop_gradient passes no cotangent on.

    gs: the cotangents of the results of ``op``.
    b: not used.
    """
    return [None]


def hold(op: HoldOp, gs: Cotangents, b: GradientBuilder) -> Cotangents:
    """Return the operand's cotangent: the result's cotangent, unchanged.

    gs: the cotangents of the results of ``op``.
    b: not used.
    """
    return gs


def checkpoint(op: CheckpointOp, gs: Cotangents, reverse: Reverse) -> None:
    """Add the cotangents of the operands, by ops that first compute the region again.

    The region reads held operands, so that graph-cse does not replace its second computation by
    values of the first one.
    gs: the cotangents of the results of ``op``.
    reverse: the walk, which collects the added cotangents.
    """
    held = [reverse.builder.value(HoldOp(x)) for x in op.xs]
    block = Block(arg_types=[x.type for x in op.xs])
    yields = GradientBuilder(block).inline(op.body.block, block.args)
    walk = reverse.inner(block, [(y, g) for y, g in zip(yields, gs, strict=True) if g])
    floats = [n for n, x in enumerate(op.xs) if is_differentiable(x)]
    walk.builder.append(YieldOp([walk.of(block.args[n]) for n in floats]))
    for n, g in zip(floats, reverse.builder.inline(block, held), strict=True):
        reverse.add(op.xs[n], g)


def custom_gradient(op: CustomGradientOp, gs: Cotangents, reverse: Reverse) -> None:
    """Add the cotangents that the second region computes.

    gs: the cotangents of the results of ``op``.
    reverse: the walk, which collects the added cotangents.
    Errors: NoGradient if an operand that has no cotangent depends on a variable.
    """
    if any(map(reverse.wanted, op.others)):
        raise NoGradient(
            "a function with a custom gradient reads a differentiated value that is no argument",
            got=next(str(x.type) for x in op.others if reverse.wanted(x)),
            hint="pass the value as an argument",
        ).at(op)
    b = reverse.builder
    heads = [b.zeros(y) if g is None else g for y, g in zip(op.out, gs, strict=True)]
    made = b.inline(op.backward.block, [*op.operands, *op.out, *heads])
    for x, g in zip(filter(is_differentiable, op.xs), made, strict=True):
        reverse.add(x, g)


GRADIENTS: dict[type, Gradient] = {StopGradientOp: stop_gradient, HoldOp: hold}
"""The gradients of ops without regions, by class."""

REGION_GRADIENTS: dict[type, RegionGradient] = {
    CheckpointOp: checkpoint,
    CustomGradientOp: custom_gradient,
}
"""The gradients of ops with regions, by class."""
