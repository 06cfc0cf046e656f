"""Lower gathers to computes whose body takes the whole operand and reads elements by te.at.

Index checks become packed.check_indices in main. Reads clamp their positions anyway, so that they
stay in bounds even without checks.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, SSAValue

from ...dialects import packed
from ...dialects.graph import CheckIndicesOp, ConstantOp, GatherElementsOp, GatherNdOp, GatherOp
from ...dialects.shape import Dim, dims_of, extent_of, type_of
from ...dialects.te.build import ComputeResult, position, read, whole
from ...dialects.te.formulas import clamped
from ...dialects.te.scalars import Scalars, signless
from .builder import Rule, TeBuilder, axes_of, element_of, is_empty, sizes_of
from .data.data_rules import Sizes, masked, sizes_value


def lower_check_indices(op: CheckIndicesOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Append a packed.check_indices to main."""
    sizes = [extent_of(size) for size in op.sizes]
    builder.append(packed.CheckIndicesOp(builder.value(op.x), sizes, op.place, wraps=op.wraps))
    return ()


def lower_gather(op: GatherOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``out[a, i, b] = x[a, clamp(indices[i]), b]``, where no index is outside of x.

    A single constant index becomes a slice. For an empty x, the result is 0.
    """
    if is_empty(op.x):
        return builder.full(type_of(op.out), 0)
    axes, rank = axes_of(op.out), len(sizes_of(op.indices))
    names, axis = list(axes), op.axis
    before, middle = names[:axis], names[axis : axis + rank]
    after = names[axis + rank :]
    element, size = element_of(op.indices), dims_of(type_of(op.x))[axis]
    result = ComputeResult(tuple(axes), signless(element_of(op.out)))
    x = builder.value(op.x)
    row = _constant_row(op, size)
    if row is not None:
        return builder.compute(
            "gather", axes, [read(x, [*before, row, *after])], result, lambda _, x: x
        )
    rows = _ClampedSizes(element, [size], builder)

    def body(s: Scalars, x: SSAValue, index: SSAValue, *rest: SSAValue) -> SSAValue:
        at, given = rest[: len(plain)], rest[len(plain) :]
        return rows.at(s, x, [*at[:axis], *rows.clamped(s, [index], given), *at[axis:]])

    plain = [position(a) for a in (*before, *after)]
    inputs = [whole(x), read(builder.value(op.indices), middle), *plain, *rows.inputs]
    return builder.compute("gather", axes, inputs, result, body)


class _ClampedSizes(Sizes):
    """The sizes of the dimensions of x to which an op clamps the positions that it computes.

    are_inside: whether the positions in the other dimensions are inside for all values of symbolic
    sizes.  If not, or if a dimension may be empty, reads outside of x give 0.
    inputs: the accesses to the sizes, which are inputs of the compute.
    """

    def __init__(
        self,
        element: Attribute,
        dims: Sequence[Dim],
        builder: TeBuilder,
        *,
        are_inside: bool = True,
    ) -> None:
        super().__init__(dims, builder)
        self._element = element
        self._other = None if are_inside and all(dim.is_at_least(1) for dim in dims) else 0

    def clamped(
        self, s: Scalars, indices: Sequence[SSAValue], given: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """Return the indices, each clamped to its dimension of x.

        given: the body's arguments for ``inputs``.
        """
        sizes = self.numbers(s, given)
        return [clamped(s, i, self._element, n) for i, n in zip(indices, sizes, strict=True)]

    def at(self, s: Scalars, x: SSAValue, positions: Sequence[SSAValue]) -> SSAValue:
        """Return the element of x at these positions."""
        return s.at(x, positions, self._other)


def _constant_row(op: GatherOp, size: Dim) -> int | None:
    """Return the row that a gather with one constant index reads, else None.

    Returns None also if the row may be outside of x.  size: the number of rows of x.
    """
    source = op.indices.owner
    if not isinstance(source, ConstantOp) or source.array.size != 1:
        return None
    row = max(int(source.array.reshape(())[()]), 0)  # pyright: ignore
    if size.value is not None:
        return min(row, size.value - 1)
    return row if size.is_at_least(row + 1) else None


def lower_gather_elements(op: GatherElementsOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``out[i, j, k] = x[i, clamp(indices[i, j, k]), k]``; zeros if x is empty."""
    if is_empty(op.x):
        return builder.full(type_of(op.out), 0)
    axes, axis, dims = axes_of(op.out), op.axis, dims_of(type_of(op.x))
    names, taken = list(axes), dims_of(type_of(op.indices))
    others = [n for n in range(len(names)) if n != axis]
    are_inside = all(dims[n].is_at_least(taken[n]) for n in others)
    rows = _ClampedSizes(element_of(op.indices), [dims[axis]], builder, are_inside=are_inside)

    def body(s: Scalars, x: SSAValue, index: SSAValue, *rest: SSAValue) -> SSAValue:
        at, given = rest[: len(others)], rest[len(others) :]
        return rows.at(s, x, [*at[:axis], *rows.clamped(s, [index], given), *at[axis:]])

    plain = [position(names[n]) for n in others]
    indices = read(builder.value(op.indices), names)
    inputs = [whole(builder.value(op.x)), indices, *plain, *rows.inputs]
    result = ComputeResult(tuple(axes), signless(element_of(op.out)))
    return builder.compute("gather_elements", axes, inputs, result, body)


def lower_gather_nd(op: GatherNdOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``out[b, i, c] = x[b, clamp(indices[b, i, 0]), clamp(indices[b, i, 1]), …, c]``.

    For an empty x, the result is 0.
    """
    if is_empty(op.x):
        return builder.full(type_of(op.out), 0)
    axes, batch, dims = axes_of(op.out), op.batch_dims, dims_of(type_of(op.x))
    *outer, last = dims_of(type_of(op.indices))
    count, names = last.evaluate({}), list(axes)
    before, after = names[: len(outer)], names[len(outer) :]
    rows = _ClampedSizes(element_of(op.indices), dims[batch : batch + count], builder)

    def body(s: Scalars, x: SSAValue, *values: SSAValue) -> SSAValue:
        indices, rest = values[:count], values[count:]
        at, given = rest[: len(plain)], rest[len(plain) :]
        return rows.at(s, x, [*at[:batch], *rows.clamped(s, indices, given), *at[batch:]])

    indices = builder.value(op.indices)
    reads = [read(indices, [*before, n]) for n in range(count)]
    plain = [position(a) for a in (*before[:batch], *after)]
    result = ComputeResult(tuple(axes), signless(element_of(op.out)))
    inputs = [whole(builder.value(op.x)), *reads, *plain, *rows.inputs]
    return builder.compute("gather_nd", axes, inputs, result, body)


def lower_dynamic_check_indices(op: CheckIndicesOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Append a check of indices whose number or bounds are data-dependent.

    Indices after the actual number are replaced by 0, so that they pass the check. Data-dependent
    bounds are passed as a tensor. A bound of 0 counts as 1, because the replaced indices are 0.
    """
    x = masked(op.x, range(len(sizes_of(op.x))), 0, builder)
    sizes = [extent_of(builder.data.most(size).max(1)) for size in op.sizes]
    bounds = None
    if any(map(builder.data.is_data, op.sizes)):
        bounds = sizes_value([size.max(1) for size in op.sizes], builder)
    builder.append(packed.CheckIndicesOp(x, sizes, op.place, wraps=op.wraps, bounds=bounds))
    return ()


RULES: dict[type, Rule] = {
    CheckIndicesOp: lower_check_indices,
    GatherOp: lower_gather,
    GatherElementsOp: lower_gather_elements,
    GatherNdOp: lower_gather_nd,
}

DATA_RULES: dict[type, Rule] = {**RULES, CheckIndicesOp: lower_dynamic_check_indices}
"""The lowering of ops with a data-dependent size in an operand or result."""

SUB_BYTE_OPS: tuple[type, ...] = (*RULES,)
"""Ops that move or convert integers narrower than 8 bits."""
