"""Lower sorting along an axis to te.sort; unsigned integers are shifted and sorted as signed."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects.dtypes import bit_width, is_unsigned
from ...dialects.graph import TopKOp
from ...dialects.te.build import ComputeResult, read, sort
from ...dialects.te.scalars import signless
from .builder import Rule, TeBuilder, axes_of, element_of


def lower_top_k(op: TopKOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower to te.sort: the first k elements in sorted order, and their positions."""
    unsigned = is_unsigned(element_of(op.x))
    x = _shifted(op.x, builder.value(op.x), builder) if unsigned else builder.value(op.x)
    made = sort("top_k", x, op.axis, descending=op.largest, count=op.k)
    values, positions = builder.append(made).results
    return (_shifted(op.values, values, builder) if unsigned else values), positions


def _shifted(like: SSAValue, x: SSAValue, builder: TeBuilder) -> SSAValue:
    """Append a compute that flips the sign bits of the unsigned integers x; return its result.

    The results, as signed integers, have the same order as x. Flipping them again restores x.
    like: the graph value of x, which has the shape and the element type.
    """
    axes, element = axes_of(like), signless(element_of(like))
    lowest = -(1 << (bit_width(element) - 1))
    return builder.compute(
        "shift", axes, [read(x, tuple(axes))], ComputeResult(tuple(axes), element),
        lambda s, v: s.bit_xor(v, s.like(lowest, v)),
    )  # fmt: skip


RULES: dict[type, Rule] = {TopKOp: lower_top_k}
