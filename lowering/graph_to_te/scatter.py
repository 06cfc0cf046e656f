"""Writes at computed positions: one te.scatter over the axes of the updates."""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue

from ...dialects.dtypes import is_bool, is_unsigned
from ...dialects.graph import ScatterElementsOp, ScatterNdOp, UpdateSliceOp
from ...dialects.index_syntax import INDEX
from ...dialects.shape import dims_of, type_of
from ...dialects.te.build import BodyFunction, position, read, scatter
from ...dialects.te.scalars import Scalars, wide_type
from .builder import Builder, Rule, axes_of, element_of, is_empty
from .data_rules import Sizes, size_like


def combination(kind: str, element: Attribute) -> BodyFunction | None:
    """Return the combine function of a kind on a graph element type; None replaces."""
    if kind == "none":
        return None

    def combine(s: Scalars, old: SSAValue, new: SSAValue) -> SSAValue:
        if is_bool(element):
            return (s.bit_or if kind in ("add", "max") else s.bit_and)(old, new)
        old, new = s.widen(old), s.widen(new)
        if kind in ("max", "min"):
            pick = s.max if kind == "max" else s.min
            made = pick(old, new, unsigned=is_unsigned(element))
        else:
            made = (s.add if kind == "add" else s.mul)(old, new)
        return s.cast(made, wide_type(element), element)

    return combine


def lower_scatter_elements(op: ScatterElementsOp, builder: Builder) -> SSAValue:
    """``out[i, indices[i, j, k], k] = updates[i, j, k]``."""
    base = builder.value(op.x)
    if is_empty(op.updates):
        return base
    axes, axis = axes_of(op.updates), op.axis
    names, element = list(axes), element_of(op.indices)

    def body(s: Scalars, index: SSAValue, update: SSAValue, *at: SSAValue) -> list[SSAValue]:
        return [*at[:axis], s.cast(index, element, INDEX), *at[axis:], update]

    inputs = [
        read(builder.value(op.indices), names),
        read(builder.value(op.updates), names),
        *(position(a) for n, a in enumerate(names) if n != axis),
    ]
    combine = combination(op.kind, element_of(op.x))
    made = scatter("scatter_elements", axes, base, inputs, body, combine)
    return builder.append(made).results[0]


def lower_scatter_nd(op: ScatterNdOp, builder: Builder) -> SSAValue:
    """``out[indices[i, 0], indices[i, 1], …, c] = updates[i, c]``."""
    base = builder.value(op.x)
    if is_empty(op.updates):
        return base
    axes = axes_of(op.updates)
    *outer, last = dims_of(type_of(op.indices))
    count = last.evaluate({})
    names, element = list(axes), element_of(op.indices)
    before, after = names[: len(outer)], names[len(outer) :]

    def body(s: Scalars, update: SSAValue, *values: SSAValue) -> list[SSAValue]:
        rows = [s.cast(i, element, INDEX) for i in values[:count]]
        return [*rows, *values[count:], update]

    indices = builder.value(op.indices)
    inputs = [
        read(builder.value(op.updates), names),
        *(read(indices, [*before, n]) for n in range(count)),
        *(position(a) for a in after),
    ]
    combine = combination(op.kind, element_of(op.x))
    made = scatter("scatter_nd", axes, base, inputs, body, combine)
    return builder.append(made).results[0]


def lower_update_slice(op: UpdateSliceOp, builder: Builder) -> SSAValue:
    """``out[b, i, starts[b] + j, k] = updates[b, i, j, k]``; circular: modulo the size."""
    base = builder.value(op.x)
    if is_empty(op.updates):
        return base
    axes, axis = axes_of(op.updates), op.axis
    names, element = list(axes), element_of(op.starts)
    sizes = Sizes([dims_of(type_of(op.x))[axis]], builder)

    def body(s: Scalars, start: SSAValue, update: SSAValue, *rest: SSAValue) -> list[SSAValue]:
        at, (size,) = rest[: len(names)], sizes.numbers(s, rest[len(names) :])
        first = s.cast(start, element, INDEX)
        if op.circular:
            # Wrap the start into the axis before any addition, so that no sum overflows.
            left = s.rem(first, size_like(s, size, first))
            negative = s.compare("lt", left, s.like(0, left))
            first = s.select(negative, s.add(left, size_like(s, size, left)), left)
        place = s.add(first, at[axis])
        if op.circular:
            beyond = s.compare("ge", place, size_like(s, size, place))
            place = s.select(beyond, s.sub(place, size_like(s, size, place)), place)
        return [*at[:axis], place, *at[axis + 1 :], update]

    inputs = [
        read(builder.value(op.starts), names[:1]),
        read(builder.value(op.updates), names),
        *(position(a) for a in names),
        *sizes.inputs,
    ]
    # Updates are no longer than x, so no two elements of a slice write the same place.
    made = scatter("update_slice", axes, base, inputs, body, unique=True)
    return builder.append(made).results[0]


RULES: dict[type, Rule] = {
    ScatterElementsOp: lower_scatter_elements,
    ScatterNdOp: lower_scatter_nd,
    UpdateSliceOp: lower_update_slice,
}
