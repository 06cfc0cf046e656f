"""Reads at computed positions: the body takes the whole operand, and te.at reads it.

The index check moves to the host program: packed.check_indices. Reads clamp their positions anyway,
so that they stay in bounds whether or not indices are checked.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects import packed
from ...dialects.graph import CheckIndicesOp, ConstantOp, GatherElementsOp, GatherNdOp, GatherOp
from ...dialects.shape import type_of
from ...dialects.te.build import Position, Result, position, read, whole
from ...dialects.te.formulas import clamped
from ...dialects.te.scalars import Scalars, signless
from .builder import Builder, Rule, axes_of, element_of, is_empty, shape_of
from .data_rules import masked, sizes_value


def lower_check_indices(op: CheckIndicesOp, builder: Builder) -> Sequence[SSAValue]:
    """Append the check to the host program."""
    sizes = [size.evaluate({}) for size in op.sizes]
    builder.append(packed.CheckIndicesOp(builder.value(op.x), sizes, op.place, wraps=op.wraps))
    return ()


def lower_gather(op: GatherOp, builder: Builder) -> SSAValue:
    """``out[a, i, b] = x[a, clamp(indices[i]), b]``: no index reads outside x.

    One constant index becomes a plain slice. An empty x gives zeros.
    """
    if is_empty(op.x):
        return builder.full(type_of(op.out), 0)
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
        row = clamped(s, index, element, size)
        return s.at(x, [*at[:axis], row, *at[axis:]])

    plain = [position(a) for a in (*before, *after)]
    inputs = [whole(x), read(builder.value(op.indices), middle), *plain]
    return builder.compute("gather", axes, inputs, result, body)


def _constant_index(op: GatherOp) -> int | None:
    source = op.indices.owner
    if not isinstance(source, ConstantOp) or source.array.size != 1:
        return None
    return int(source.array.reshape(())[()])  # pyright: ignore


def lower_gather_elements(op: GatherElementsOp, builder: Builder) -> SSAValue:
    """``out[i, j, k] = x[i, clamp(indices[i, j, k]), k]``; zeros if x is empty."""
    if is_empty(op.x):
        return builder.full(type_of(op.out), 0)
    axes, axis = axes_of(op.out), op.axis
    names, element, size = list(axes), element_of(op.indices), shape_of(op.x)[axis]

    def body(s: Scalars, x: SSAValue, index: SSAValue, *at: SSAValue) -> SSAValue:
        return s.at(x, [*at[:axis], clamped(s, index, element, size), *at[axis:]])

    others = [position(a) for n, a in enumerate(names) if n != axis]
    inputs = [whole(builder.value(op.x)), read(builder.value(op.indices), names), *others]
    result = Result(tuple(axes), signless(element_of(op.out)))
    return builder.compute("gather_elements", axes, inputs, result, body)


def lower_gather_nd(op: GatherNdOp, builder: Builder) -> SSAValue:
    """``out[b, i, c] = x[b, clamp(indices[b, i, 0]), clamp(indices[b, i, 1]), …, c]``.

    Zeros if x is empty.
    """
    if is_empty(op.x):
        return builder.full(type_of(op.out), 0)
    axes, batch = axes_of(op.out), op.batch_dims
    *outer, count = shape_of(op.indices)
    names, element = list(axes), element_of(op.indices)
    before, after = names[: len(outer)], names[len(outer) :]
    bounds = shape_of(op.x)[batch : batch + count]

    def body(s: Scalars, x: SSAValue, *values: SSAValue) -> SSAValue:
        indices, at = values[:count], values[count:]
        rows = [clamped(s, i, element, size) for i, size in zip(indices, bounds, strict=True)]
        return s.at(x, [*at[:batch], *rows, *at[batch:]])

    indices = builder.value(op.indices)
    reads = [read(indices, [*before, n]) for n in range(count)]
    positions = [position(a) for a in (*before[:batch], *after)]
    result = Result(tuple(axes), signless(element_of(op.out)))
    inputs = [whole(builder.value(op.x)), *reads, *positions]
    return builder.compute("gather_nd", axes, inputs, result, body)


def lower_open_check_indices(op: CheckIndicesOp, builder: Builder) -> Sequence[SSAValue]:
    """Mask elements beyond the number of indices so that they pass; dynamic sizes are a tensor.

    An empty axis counts as one element, because masked indices are 0.
    """
    x = masked(op.x, range(len(shape_of(op.x))), 0, builder)
    sizes = [max(builder.data.most(size), 1) for size in op.sizes]
    bounds = None
    if any(size.value is None for size in op.sizes):
        bounds = sizes_value([size.max(1) for size in op.sizes], builder)
    builder.append(packed.CheckIndicesOp(x, sizes, op.place, wraps=op.wraps, bounds=bounds))
    return ()


RULES: dict[type, Rule] = {
    CheckIndicesOp: lower_check_indices,
    GatherOp: lower_gather,
    GatherElementsOp: lower_gather_elements,
    GatherNdOp: lower_gather_nd,
}

DATA_RULES: dict[type, Rule] = {**RULES, CheckIndicesOp: lower_open_check_indices}
"""The lowering of those with a data-dependent size in an operand or result."""

SUB_BYTE_OPS: tuple[type, ...] = (*RULES,)
"""Ops that move or convert integers narrower than 8 bits."""
