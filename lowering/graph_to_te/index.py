"""Lower gathers to computes whose body takes the whole operand and reads elements by te.at.

Index checks become packed.check_indices in main. Reads clamp their positions anyway, so that they
stay in bounds even without checks.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects import packed
from ...dialects.graph import CheckIndicesOp, ConstantOp, GatherElementsOp, GatherNdOp, GatherOp
from ...dialects.shape import Dim, dims_of, extent_of, type_of
from ...dialects.te.build import position, read, whole
from ...dialects.te.formulas import clamped
from ...dialects.te.scalars import Scalars
from ...dialects.te.view import Access
from .builder import Rule, TeBuilder, axes_of, element_of, is_empty, sizes_of
from .data.data_rules import Sizes, masked, sizes_value


def lower_check_indices(op: CheckIndicesOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Append a packed.check_indices, by which main reports indices that are out of range."""
    sizes = [extent_of(size) for size in op.sizes]
    builder.append(packed.CheckIndicesOp(builder.value(op.x), sizes, op.place, wraps=op.wraps))
    return ()


def lower_gather(op: GatherOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``out[a, i, b] = x[a, clamp(indices[i]), b]``.

    A check in main reports invalid indices; clamp only keeps reads in bounds.  A single constant
    index becomes a slice.  For an empty x, the result is 0.
    """
    if is_empty(op.x):
        return builder.full(type_of(op.out), 0)
    axes, rank = axes_of(op.out), len(sizes_of(op.indices))
    names, axis = list(axes), op.axis
    before, middle, after = names[:axis], names[axis : axis + rank], names[axis + rank :]
    row = _constant_row(op, dims_of(type_of(op.x))[axis])
    if row is None:
        indices = [read(builder.value(op.indices), middle)]
        return _gathered("gather", op, builder, indices, axis, [*before, *after])
    source = read(builder.value(op.x), [*before, row, *after])
    return builder.pointwise("gather", axes, [source], element_of(op.out), lambda _, x: x)


def _gathered(
    name: str,
    op: GatherOp | GatherElementsOp | GatherNdOp,
    builder: TeBuilder,
    indices: Sequence[Access],
    first: int,
    others: Sequence[str],
    *,
    are_inside: bool = True,
) -> SSAValue:
    """Append a compute that reads x at computed indices in some dimensions; return its result.

    indices: the accesses to the computed indices, which are clamped to x; one per dimension of x
    from dimension ``first`` on.
    others: for each other dimension of x, the axis of the compute whose position is the index.
    are_inside: whether the positions of the axes ``others`` are always inside x.  If not, or if a
    dimension with computed indices may be empty, reads outside of x give 0.
    """
    count, element = len(indices), element_of(op.indices)
    dims = dims_of(type_of(op.x))[first : first + count]
    sizes = Sizes(dims, builder)
    other = None if are_inside and all(dim.is_at_least(1) for dim in dims) else 0

    def body(s: Scalars, x: SSAValue, *values: SSAValue) -> SSAValue:
        at = values[count : count + len(others)]
        numbers = sizes.numbers(s, values[count + len(others) :])
        inside = [clamped(s, i, element, n) for i, n in zip(values, numbers, strict=False)]
        return s.at(x, [*at[:first], *inside, *at[first:]], other)

    inputs = [whole(builder.value(op.x)), *indices, *map(position, others), *sizes.inputs]
    return builder.pointwise(name, axes_of(op.out), inputs, element_of(op.out), body)


def _constant_row(op: GatherOp, size: Dim) -> int | None:
    """Return the row that a gather with one constant index reads.

    Returns None for another gather, and if the row may be outside of x.
    size: the number of rows of x.
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
    dims, taken, names = dims_of(type_of(op.x)), dims_of(type_of(op.indices)), list(axes_of(op.out))
    others = [n for n in range(len(names)) if n != op.axis]
    are_inside = all(dims[n].is_at_least(taken[n]) for n in others)
    indices = [read(builder.value(op.indices), names)]
    plain = [names[n] for n in others]
    return _gathered("gather_elements", op, builder, indices, op.axis, plain, are_inside=are_inside)


def lower_gather_nd(op: GatherNdOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``out[b, i, c] = x[b, clamp(indices[b, i, 0]), clamp(indices[b, i, 1]), …, c]``.

    For an empty x, the result is 0.
    """
    if is_empty(op.x):
        return builder.full(type_of(op.out), 0)
    names, indices = list(axes_of(op.out)), builder.value(op.indices)
    *outer, last = dims_of(type_of(op.indices))
    before, after = names[: len(outer)], names[len(outer) :]
    reads = [read(indices, [*before, n]) for n in range(last.evaluate({}))]
    plain = [*before[: op.batch_dims], *after]
    return _gathered("gather_nd", op, builder, reads, op.batch_dims, plain)


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
