"""Reads at computed positions: the whole operand goes into the body, te.at reads it."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.graph import ConstantOp, GatherOp
from ...dialects.index_syntax import INDEX
from ...dialects.te.build import Position, Result, position, read, whole
from ...dialects.te.scalars import Scalars, signless
from .builder import Builder, Rule, axes_of, element_of, shape_of


def lower_gather(op: GatherOp, builder: Builder) -> SSAValue:
    """``out[a, i, b] = x[a, clamp(indices[i]), b]``: no index reads outside x.

    One constant index becomes a plain slice.
    """
    axes, rank = axes_of(op.out), len(shape_of(op.indices))
    names, axis = list(axes), op.axis
    before, middle = names[:axis], names[axis : axis + rank]
    after = names[axis + rank :]
    element, size = element_of(op.indices), shape_of(op.x)[axis]
    result = Result(tuple(axes), signless(element_of(op.out)))
    x = builder.value(op.x)
    known = _constant_index(op)
    if known is not None:
        positions: list[Position] = [*before, min(max(known, 0), size - 1), *after]
        return builder.compute("gather", axes, [read(x, positions)], result, lambda _, x: x)

    def body(s: Scalars, x: SSAValue, index: SSAValue, *at: SSAValue) -> SSAValue:
        row = s.cast(index, element, INDEX)
        row = s.max(s.min(row, s.like(size - 1, row)), s.like(0, row))
        return s.at(x, [*at[:axis], row, *at[axis:]])

    plain = [position(a) for a in (*before, *after)]
    inputs = [whole(x), read(builder.value(op.indices), middle), *plain]
    return builder.compute("gather", axes, inputs, result, body)


def _constant_index(op: GatherOp) -> int | None:
    source = op.indices.owner
    if not isinstance(source, ConstantOp) or source.array.size != 1:
        return None
    return int(source.array.reshape(())[()])  # pyright: ignore


RULES: dict[type, Rule] = {GatherOp: lower_gather}
