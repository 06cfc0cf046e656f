"""Lower writes at computed positions to a te.scatter over the axes of the updates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Attribute, SSAValue

from ...dialects.dtypes import is_bool, is_unsigned
from ...dialects.graph import ScatterElementsOp, ScatterNdOp, UpdateSliceOp
from ...dialects.index_syntax import INDEX
from ...dialects.shape import Dim, dims_of, type_of
from ...dialects.te.build import BodyFunction, position, read, scatter
from ...dialects.te.scalars import Scalars, wide_type
from ...dialects.te.view import Access
from .builder import Rule, TeBuilder, axes_of, element_of, is_empty
from .data.data_rules import Fixed, Sizes, over_numbers, size_like


def combination(kind: str, element: Attribute) -> BodyFunction | None:
    """Return the function that combines an old and a new element; None to replace.

    kind: how the scatter combines: none, add, mul, max or min.
    element: the graph element type.
    """
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


class _Valid:
    """A test that makes a scatter skip updates beyond data-dependent sizes.

    axes: the size of each axis of the updates.
    positions: for each position that the scatter computes, the names of the axes to test: beyond
    the size of one of them, the position becomes -1.
    inputs: the accesses that the scatter must take as additional inputs: the positions along the
    tested axes, and their sizes.
    """

    def __init__(
        self, axes: Mapping[str, Dim], positions: Sequence[Sequence[str]], builder: TeBuilder
    ) -> None:
        self._names = [name for name, dim in axes.items() if builder.data.is_data(dim)]
        self._positions = positions
        self._sizes = Sizes([axes[name] for name in self._names], builder)
        self.inputs: list[Access] = [*map(position, self._names), *self._sizes.inputs]

    def places(
        self, s: Scalars, places: Sequence[SSAValue], given: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """Return the positions to write, in which -1 replaces positions of updates to skip.

        places: the computed positions.  given: the arguments of the body for the accesses in
        ``inputs``.
        """
        count = len(self._names)
        sizes = self._sizes.numbers(s, given[count:])
        inside = {
            name: s.compare("lt", at, size_like(s, size, at))
            for name, at, size in zip(self._names, given[:count], sizes, strict=True)
        }
        made: list[SSAValue] = []
        for place, names in zip(places, self._positions, strict=True):
            chosen = place
            for name in (n for n in names if n in inside):
                chosen = s.select(inside[name], chosen, s.constant(-1, INDEX))
            made.append(chosen)
        return made


def lower_scatter_elements(op: ScatterElementsOp, builder: TeBuilder) -> SSAValue:
    """Lower to a te.scatter: ``out[i, indices[i, j, k], k] = updates[i, j, k]``."""
    base = builder.value(op.x)
    if is_empty(op.updates):
        return base
    axes, axis = axes_of(op.updates), op.axis
    names, element = list(axes), element_of(op.indices)
    dims = builder.data.dims_of(op.updates)
    valid = _Valid(dict(zip(names, dims, strict=True)), [[name] for name in names], builder)
    others = len(names) - 1

    def body(s: Scalars, index: SSAValue, update: SSAValue, *rest: SSAValue) -> list[SSAValue]:
        at = rest[:others]
        places = [*at[:axis], s.cast(index, element, INDEX), *at[axis:]]
        return [*valid.places(s, places, rest[others:]), update]

    inputs = [
        read(builder.value(op.indices), names),
        read(builder.value(op.updates), names),
        *(position(a) for n, a in enumerate(names) if n != axis),
        *valid.inputs,
    ]
    combine = combination(op.kind, element_of(op.x))
    made = scatter("scatter_elements", axes, base, inputs, body, combine)
    return builder.append(made).results[0]


def lower_scatter_nd(op: ScatterNdOp, builder: TeBuilder) -> SSAValue:
    """Lower to a te.scatter: ``out[indices[i, 0], indices[i, 1], …, c] = updates[i, c]``."""
    base = builder.value(op.x)
    if is_empty(op.updates):
        return base
    axes = axes_of(op.updates)
    *outer, last = dims_of(type_of(op.indices))
    count = last.evaluate({})
    names, element = list(axes), element_of(op.indices)
    before, after = names[: len(outer)], names[len(outer) :]
    rank = count + len(after)
    dims = builder.data.dims_of(op.updates)
    belonging = [*([before] * count)[:1], *([[]] * (count - 1)), *([name] for name in after)]
    valid = _Valid(dict(zip(names, dims, strict=True)), belonging, builder)

    def body(s: Scalars, update: SSAValue, *values: SSAValue) -> list[SSAValue]:
        rows = [s.cast(i, element, INDEX) for i in values[:count]]
        places = [*rows, *values[count:rank]]
        return [*valid.places(s, places, values[rank:]), update]

    indices = builder.value(op.indices)
    inputs = [
        read(builder.value(op.updates), names),
        *(read(indices, [*before, n]) for n in range(count)),
        *(position(a) for a in after),
        *valid.inputs,
    ]
    combine = combination(op.kind, element_of(op.x))
    made = scatter("scatter_nd", axes, base, inputs, body, combine)
    return builder.append(made).results[0]


def _whole_updates(op: ScatterNdOp) -> list[Fixed]:
    """Return the updates and their axes that must not be data-dependent (`over_numbers`).

    The axes are empty unless the index vectors are empty. Each update then replaces the whole base,
    so updates beyond a data-dependent size could not be skipped.
    """
    *outer, last = dims_of(type_of(op.indices))
    return [(op.updates, [] if last.evaluate({}) else range(len(outer)))]


def lower_update_slice(op: UpdateSliceOp, builder: TeBuilder) -> SSAValue:
    """Lower to a te.scatter: ``out[b, i, starts[b] + j, k] = updates[b, i, j, k]``.

    Positions are taken modulo the size if the op is circular.
    """
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

DATA_RULES: dict[type, Rule] = {
    ScatterElementsOp: lower_scatter_elements,
    ScatterNdOp: over_numbers(lower_scatter_nd, _whole_updates),
}
"""The lowering of ops with a data-dependent size in an operand or result."""
