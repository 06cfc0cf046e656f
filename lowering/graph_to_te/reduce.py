"""Lower reductions to one compute; reduced axes are omitted from its result or have extent 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from ...dialects.graph import ArgReduceOp, CumulativeOp, ReduceOp
from ...dialects.index_syntax import INDEX
from ...dialects.shape import MOST, Extent, type_of
from ...dialects.te.build import ComputeResult, position, read
from ...dialects.te.reductions import better, combiner_of, identity_of
from ...dialects.te.scalars import Scalars, highest, lowest, signless, wide_type
from ...support.affine import ZERO, variable
from .builder import Lowered, Rule, TeBuilder, axes_of, element_of, is_empty
from .data.data_rules import Fixed, over_numbers, require_numbers, with_masked


def split_axes(
    axes: Mapping[str, Extent], reduced: Sequence[int], *, keep: bool
) -> tuple[dict[str, Extent], tuple[str, ...]]:
    """Return the axes of a reduction's compute, and the names of the axes that index its result.

    axes: the axes of the operand.  reduced: the dimensions to reduce.  keep: whether the result
    keeps each reduced dimension ``j`` with extent 1, as an axis named ``j1``.
    The first result has the extents of all axes of the compute, parallel axes before reduced axes.
    """
    names = list(axes)
    stored = [
        (f"{a}1" if n in reduced else a, 1 if n in reduced else axes[a])
        for n, a in enumerate(names)
        if keep or n not in reduced
    ]
    ordered = {**dict(stored), **{names[n]: axes[names[n]] for n in sorted(reduced)}}
    return ordered, tuple(name for name, _ in stored)


def lower_reduce(op: ReduceOp, builder: TeBuilder) -> SSAValue:
    """Lower to a compute that combines the elements of x along the reduced axes."""
    element = element_of(op.x)
    if is_empty(op.x):
        return builder.full(type_of(op.out), identity_of(op.kind, element))
    if not op.axes:
        return builder.value(op.x)
    axes, stored = split_axes(axes_of(op.x), op.axes, keep=op.keep)
    result = ComputeResult(
        stored, signless(element), combiner_of(op.kind, element),
        identity_of(op.kind, element), wide_type(element),
    )  # fmt: skip
    inputs = [read(builder.value(op.x), tuple(axes_of(op.x)))]
    return builder.compute(f"reduce_{op.kind}", axes, inputs, result, lambda s, x: s.widen(x))


def lower_arg_reduce(op: ArgReduceOp, builder: TeBuilder) -> SSAValue:
    """Lower to a reduction of (value, position) pairs, in which NaN wins, then the best value.

    Of equal values the first one wins, or the last one if ``op.last``.
    """
    element, source = element_of(op.x), axes_of(op.x)
    wide = wide_type(element)
    axes, stored = split_axes(source, (op.axis,), keep=op.keep)
    reduced = list(source)[op.axis]
    worst = lowest(element) if op.kind == "max" else highest(element)
    # For equal values, every position of x is preferred to this one.
    extent = source[reduced]
    nowhere = -1 if op.last else extent if isinstance(extent, int) else MOST
    results = [
        ComputeResult(stored, wide, "by", worst),
        ComputeResult(stored, i64, "by", nowhere),
    ]

    def body(s: Scalars, x: SSAValue, at: SSAValue) -> list[SSAValue]:
        return [s.widen(x), s.cast(at, INDEX, i64)]

    inputs = [read(builder.value(op.x), tuple(source)), position(reduced)]
    combine = better(op.kind, element, last=op.last)
    return builder.computes(f"arg{op.kind}", axes, inputs, results, body, combine=combine)[1]


def lower_cumulative(op: CumulativeOp, builder: TeBuilder) -> SSAValue:
    """Lower to a scan.

    An exclusive scan reads the previous element; a reverse scan flips the axis.
    """
    element, axes = element_of(op.x), axes_of(op.x)
    axis = list(axes)[op.axis]
    last = builder.size(axes[axis]) - 1 if op.reverse else ZERO
    identity = identity_of(op.kind, element)
    shift = 1 if op.exclusive else 0
    along = variable(axis) - shift
    if op.reverse:
        along = -along + last
    positions = [along if a == axis else a for a in axes]
    pad = identity if op.exclusive else None
    result = ComputeResult(
        tuple(axes), signless(element), combiner_of(op.kind, element), identity,
        wide_type(element),
    )  # fmt: skip
    inputs = [read(builder.value(op.x), positions, pad)]
    name = f"cumulative_{op.kind}"
    made = builder.compute(name, axes, inputs, result, lambda s, x: s.widen(x), scan=axis)
    if not op.reverse:
        return made
    flipped = [-variable(a) + last if a == axis else a for a in axes]
    back = ComputeResult(tuple(axes), signless(element))
    return builder.compute("flip", axes, [read(made, flipped)], back, lambda _, x: x)


def lower_dynamic_reduce(op: ReduceOp, builder: TeBuilder) -> Lowered:
    """Lower a reduction over axes of data-dependent size.

    Elements beyond the sizes are replaced by the identity of the reduction.
    """
    neutral = identity_of(op.kind, element_of(op.x))
    return with_masked(op, lower_reduce, builder, [(op.x, op.axes, neutral)])


def lower_dynamic_arg_reduce(op: ArgReduceOp, builder: TeBuilder) -> Lowered:
    """Lower an arg_reduce along an axis of data-dependent size.

    Elements beyond the size are replaced by the worst value. They come last, so they lose against
    equal valid elements if the op prefers the first of equal elements.  If the op prefers the last
    one (``op.last``), a data-dependent size is an error.
    """
    if op.last:
        require_numbers(op, builder, op.x, (op.axis,))
    element = element_of(op.x)
    worst = lowest(element) if op.kind == "max" else highest(element)
    return with_masked(op, lower_arg_reduce, builder, [(op.x, (op.axis,), worst)])


def _against_the_order(op: CumulativeOp) -> list[Fixed]:
    return [(op.x, (op.axis,))] if op.reverse else []


RULES: dict[type, Rule] = {
    ReduceOp: lower_reduce,
    ArgReduceOp: lower_arg_reduce,
    CumulativeOp: lower_cumulative,
}

DATA_RULES: dict[type, Rule] = {
    ReduceOp: lower_dynamic_reduce,
    ArgReduceOp: lower_dynamic_arg_reduce,
    CumulativeOp: over_numbers(lower_cumulative, _against_the_order),
}
"""The lowering of ops with a data-dependent size in an operand or result."""
