"""Lower resampling along an axis of symbolic size, by tables of one period.

    %y = graph.resample %x, dense<[[-1, 0], [0, 1]]> weights dense<[[0.25, 0.75], [0.75, 0.25]]>
      axis 3 step 1
==>
    te.compute @resample [.., w: 2 * n, t: 2 red]
        ins(%x[.., (w - 1) floordiv 2 + t] pad 0.0, %weights[w mod 2, t], ..)

A tap outside of x adds its weight to the tap at the nearest end of x.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from ...dialects.graph import ConstantOp, ResampleOp
from ...dialects.index_syntax import INDEX
from ...dialects.shape import Extent, dims_of, type_of
from ...dialects.te.build import ComputeResult, Position, position, read, whole
from ...dialects.te.formulas import clamped
from ...dialects.te.scalars import Scalars, signless, wide_type
from ...dialects.te.view import axis_ranges
from ...support.affine import Index, divide, variable
from .builder import TeBuilder, axes_of, element_of, numbers_of, sizes_of
from .data.data_rules import Sizes

Table = np.ndarray[Any, np.dtype[Any]]


def is_affine(op: ResampleOp) -> bool:
    """Return whether an affine index map can replace the tables of an op with periods.

    The tables must be constant.
    """
    weights = op.weights is None or isinstance(op.weights.owner, ConstantOp)
    if op.step is None or not weights or not isinstance(op.indices.owner, ConstantOp):
        return False
    return op.weights is not None or _offset(op.indices.owner.array, op.step) is not None


def _offset(indices: Table, step: int) -> int | None:
    """Return the offset of the affine index map that replaces a table without weights, else None.

    The offset is o if row j of the table copies element ``(j * step + o) floordiv J`` of x, where J
    is the number of rows, and if this element is inside x for any size of x.
    step: the number of elements of x per period.
    """
    offset = _line(indices[:, 0], step)
    rows = np.arange(len(indices))
    is_line = ((rows * step + offset) // len(indices) == indices[:, 0]).all()
    return offset if is_line and 0 <= offset < step else None


def _line(first: Table, step: int) -> int:
    """Return the largest o for which ``(j * step + o) floordiv J`` is at most first[j] for all j.

    first: the position of the first element of x that row j uses.  J is the number of rows.  step:
    the number of elements of x per period.
    """
    rows, count = np.arange(len(first)), len(first)
    return int((count * (first + 1) - 1 - step * rows).min())


def lower_periods(op: ResampleOp, step: int, builder: TeBuilder) -> SSAValue:
    """Lower to weighted sums of x over taps, with weights that repeat after J results.

    ``out[a, j, b] = sum over t of x[a, (j * step + offset) floordiv J + t, b] * weights[j mod J,
    t]`` J is the number of rows of the tables, one per result of a period. ``step`` is the number
    of elements of x per period, and ``offset`` follows from the tables.
    """
    if not is_affine(op):
        return resample_by_table(op, builder)
    indices = op.indices.owner
    assert isinstance(indices, ConstantOp), "tables are constant"
    if op.weights is None:
        return _copied(op, indices.array, step, builder)
    weights = op.weights.owner
    assert isinstance(weights, ConstantOp), "tables are constant"
    return _weighted(op, indices.array, weights.array, step, builder)


def _copied(op: ResampleOp, indices: Table, step: int, builder: TeBuilder) -> SSAValue:
    axes, along = axes_of(op.out), list(axes_of(op.out))[op.axis]
    line = variable(along) * step + (_offset(indices, step) or 0)
    at = divide("floordiv", line, len(indices), axis_ranges(axes))
    positions: list[Position] = [at if a == along else a for a in axes]
    reads = [read(builder.value(op.x), positions)]
    return builder.pointwise("resample", axes, reads, element_of(op.out), lambda _, x: x)


def _weighted(
    op: ResampleOp, indices: Table, weights: Table, step: int, builder: TeBuilder
) -> SSAValue:
    axes, element, count = axes_of(op.out), element_of(op.out), len(indices)
    along, wide, rows = list(axes)[op.axis], wide_type(element), np.arange(count)
    offset = _line(indices.min(axis=1), step)
    start = (rows * step + offset) // count
    taps = int((indices.max(axis=1) - start).max()) + 1
    placed = np.zeros((count, taps), weights.dtype)
    for column, weight in zip(indices.T, weights.T, strict=True):
        np.add.at(placed, (rows, column - start), weight)
    all_axes = {**axes, "t": taps}
    line, range_of = variable(along) * step + offset, axis_ranges(all_axes)
    at = divide("floordiv", line, count, range_of) + variable("t")
    row = divide("mod", variable(along), count, range_of)
    before = placed.cumsum(axis=1) - placed
    behind = placed.sum(axis=1, keepdims=True) - before - placed
    size = Sizes([dims_of(type_of(op.x))[op.axis]], builder)
    inputs = [
        read(builder.value(op.x), [at if a == along else a for a in axes], 0),
        *(read(builder.constant(table), [row, "t"]) for table in (placed, before, behind)),
        position(at),
        *size.inputs,
    ]

    def body(
        s: Scalars,
        x: SSAValue,
        weight: SSAValue,
        before: SSAValue,
        behind: SSAValue,
        at: SSAValue,
        *sizes: SSAValue,
    ) -> SSAValue:
        (n,) = size.values(s, sizes)
        zero = s.like(0, weight)
        first = s.select(s.compare("eq", at, s.like(0, at)), before, zero)
        last = s.select(s.compare("eq", at, s.sub(n, s.like(1, at))), behind, zero)
        return s.mul(s.cast(x, element, wide), s.add(weight, s.add(first, last)))

    result = ComputeResult(tuple(axes), signless(element), "add", 0, wide)
    return builder.compute("resample", all_axes, inputs, result, body)


def _moved(along: Index, rows: int, step: int, axes: Mapping[str, Extent]) -> Index:
    """Return the distance in x between the period of a result and the first period.

    The tables describe the first period; this distance is added to their positions.
    along: the position of the result.  rows: the number of results per period.  step: the number of
    elements of x per period.  axes: the extents of the axes.
    """
    return divide("floordiv", along, rows, axis_ranges(axes)) * step


def resample_by_table(op: ResampleOp, builder: TeBuilder) -> SSAValue:
    """Read x at the positions in the table, plus ``step`` for each earlier period.

    If the axis of x is empty, the reads give 0.
    """
    axes, element = axes_of(op.out), element_of(op.out)
    wide, axis = wide_type(element), op.axis
    along, taps = list(axes)[axis], sizes_of(op.indices)[1]
    tap = "t" if taps != 1 else 0
    others = [position(a) for n, a in enumerate(axes) if n != axis]
    row: Position = along
    if op.step is not None:
        (rows,) = numbers_of(sizes_of(op.indices)[:1], "rows of the table")
        row = divide("mod", variable(along), rows, axis_ranges(axes))
        others.append(position(_moved(variable(along), rows, op.step, axes)))
    table = read(builder.value(op.indices), [row, tap])
    inputs = [whole(builder.value(op.x)), table]
    dim = dims_of(type_of(op.x))[axis]
    sizes, other = Sizes([dim], builder), None if dim.is_at_least(1) else 0

    def element_at(
        s: Scalars, x: SSAValue, index: SSAValue, rest: tuple[SSAValue, ...]
    ) -> SSAValue:
        at, (size,) = rest[: len(others)], sizes.numbers(s, rest[len(others) :])
        if op.step is not None:
            *at, moved = at
            index = s.add(index, s.cast(moved, INDEX, i64))
        return s.at(x, [*at[:axis], clamped(s, index, i64, size), *at[axis:]], other)

    if op.weights is None:
        return builder.pointwise(
            "resample", axes, [*inputs, *others, *sizes.inputs], element,
            lambda s, x, index, *rest: element_at(s, x, index, rest),
        )  # fmt: skip
    inputs.append(read(builder.value(op.weights), [row, tap]))

    def body(
        s: Scalars, x: SSAValue, index: SSAValue, weight: SSAValue, *rest: SSAValue
    ) -> SSAValue:
        return s.mul(s.cast(element_at(s, x, index, rest), element, wide), weight)

    result = ComputeResult(tuple(axes), signless(element), "add", 0, wide)
    reads = [*inputs, *others, *sizes.inputs]
    return builder.compute("resample", {**axes, "t": taps}, reads, result, body)
