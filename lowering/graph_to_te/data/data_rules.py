"""Parts of the lowering of ops on values with data-dependent sizes (data_sizes.py).

If each valid element depends only on valid elements at the same position, the ordinary definition
applies to the maximum sizes. An op that combines elements along an axis of data-dependent size gets
its operand masked with a neutral element beyond the size. Reshapes, concats and slices whose
positions depend on such a size read at computed positions. All other cases raise UnsupportedOp,
which names op and axis. The other modules of this package define the rules in DATA_RULES.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Operation, SSAValue

from ....dialects.index_syntax import INDEX
from ....dialects.shape import Call, Dim, Tensor, dims_of
from ....dialects.te.build import BodyFunction, position, read, whole
from ....dialects.te.scalars import Scalars
from ....dialects.te.view import Access
from ....support.diagnostics import UnsupportedOp
from ..builder import Lowered, Rule, TeBuilder, axes_of, element_of, named_axes, sizes_of, te_type

Fixed: TypeAlias = tuple[SSAValue, Sequence[int]]
"""A value, and its axes whose sizes must be static."""


def sizes_value(dims: Sequence[Dim], builder: TeBuilder) -> SSAValue:
    """Append ops that compute size expressions; return an i64 tensor with one element per size."""
    symbols = sorted(frozenset[str]().union(*(dim.symbols() for dim in dims)))
    if len(dims) == 1 and str(dims[0]) in builder.data.counts:
        return builder.data.counts[str(dims[0])]

    def body(s: Scalars, at: SSAValue, *counts: SSAValue) -> SSAValue:
        numbers = [n if n.type == i64 else s.cast(n, INDEX, i64) for n in counts]
        values = dict(zip(symbols, numbers, strict=True))
        made = [evaluate(s, dim, values) for dim in dims]
        chosen = made[-1]
        for n, value in reversed(list(enumerate(made[:-1]))):
            chosen = s.select(s.compare("eq", at, s.constant(n, INDEX)), value, chosen)
        return chosen

    inputs = [position("i"), *(_symbol(name, builder) for name in symbols)]
    return builder.pointwise("sizes", {"i": len(dims)}, inputs, i64, body)


def _symbol(name: str, builder: TeBuilder) -> Access:
    """Return an access to the value of a symbolic size, as an input of a compute.

    The access reads a tensor if a region of control flow binds the symbol; else it is an index
    input with a size that main knows.
    """
    if name in builder.data.largest:
        return read(builder.data.counts[name], (0,))
    return position(builder.size(Dim.sym(name)))


def evaluate(s: Scalars, dim: Dim, values: dict[str, SSAValue]) -> SSAValue:
    """Return the i64 value of a size expression in a compute's body.

    values: the value of each symbol.
    """
    total = s.constant(0, i64)
    for monomial, coefficient in dim.terms:
        product = s.constant(coefficient, i64)
        for atom in monomial:
            factor = values[atom] if isinstance(atom, str) else _call(s, atom, values)
            product = s.mul(product, factor)
        total = s.add(total, product)
    return total


def _call(s: Scalars, call: Call, values: dict[str, SSAValue]) -> SSAValue:
    lhs, rhs = evaluate(s, call.lhs, values), evaluate(s, call.rhs, values)
    match call.function:
        case "min":
            return s.min(lhs, rhs)
        case "max":
            return s.max(lhs, rhs)
        case _:
            zero = s.constant(0, i64)
            rest = s.rem(lhs, rhs)
            other_sign = s.bit_xor(s.compare("lt", rest, zero), s.compare("lt", rhs, zero))
            down = s.bit_and(s.compare("ne", rest, zero), other_sign)
            if call.function == "mod":
                return s.add(rest, s.select(down, rhs, zero))
            return s.sub(s.div(lhs, rhs), s.cast(down, i1, i64))


def require_numbers(op: Operation, builder: TeBuilder, x: SSAValue, axes: Sequence[int]) -> None:
    """Check that the sizes of some axes of an operand are not data-dependent.

    x: the operand.
    axes: the axes to check.
    Errors: UnsupportedOp that names the op and the axis.
    """
    dims = builder.data.dims_of(x)
    for axis in axes:
        if builder.data.is_data(dims[axis]):
            raise UnsupportedOp(
                f"{op.name} needs the size of axis {axis} of operand {list(op.operands).index(x)}, "
                "which depends on data",
                expected="a number",
                got=dims[axis],
            )


def masked(x: SSAValue, axes: Sequence[int], neutral: int | float, builder: TeBuilder) -> SSAValue:
    """Append a compute that replaces the elements of x beyond its actual sizes; return its result.

    In a region, a value has the largest shape; elements beyond the data-dependent sizes have no
    meaning and become ``neutral``.
    axes: the axes whose sizes may be data-dependent.
    """
    dims = builder.data.dims_of(x)
    cut = [axis for axis in axes if builder.data.is_data(dims[axis])]
    if not cut:
        return builder.value(x)
    named = axes_of(x)
    names = list(named)

    def body(s: Scalars, element: SSAValue, *rest: SSAValue) -> SSAValue:
        inside = s.constant(1, i1)
        for place, size in zip(rest[: len(cut)], rest[len(cut) :], strict=True):
            inside = s.bit_and(inside, s.compare("lt", s.cast(place, INDEX, i64), size))
        return s.select(inside, element, s.like(neutral, element))

    inputs = [
        read(builder.value(x), names),
        *(position(names[axis]) for axis in cut),
        *(read(sizes_value([dims[axis]], builder), (0,)) for axis in cut),
    ]
    return builder.pointwise("mask", named, inputs, element_of(x), body)


def with_masked(
    op: Operation,
    rule: Rule,
    builder: TeBuilder,
    operands: Sequence[tuple[SSAValue, Sequence[int], int | float]],
) -> Lowered:
    """Lower an op by a rule, after masking some of its operands (see `masked`).

    operands: for each operand to mask: its graph value, the axes whose sizes may be data-dependent,
    and the neutral element that replaces the elements beyond these sizes.
    """
    kept = {x: builder.value(x) for x, _, _ in operands}
    for x, axes, neutral in operands:
        builder.values[x] = masked(x, axes, neutral, builder)
    made = rule(op, builder)
    builder.values.update(kept)
    return made


class Sizes:
    """Access to sizes in the body of a compute.

    In the body, a static size is a constant, a symbolic size of main is an index input, and a
    data-dependent size is an element read from a tensor.
    inputs: the accesses that the compute must take as additional inputs.
    """

    def __init__(self, dims: Sequence[Dim | int], builder: TeBuilder) -> None:
        self.dims = [Dim.of(dim) for dim in dims]
        data = [dim for dim in self.dims if builder.data.is_data(dim)]
        values = sizes_value(data, builder) if data else None
        self.inputs: list[Access] = []
        for dim in self.dims:
            if values is not None and builder.data.is_data(dim):
                self.inputs.append(read(values, (data.index(dim),)))
            elif dim.value is None:
                self.inputs.append(position(builder.size(dim)))

    def values(self, s: Scalars, given: Sequence[SSAValue]) -> list[SSAValue]:
        """Return all sizes as index values of the body.

        given: the arguments of the body that belong to the accesses in ``inputs``.
        """
        return [
            s.constant(size, INDEX) if isinstance(size, int) else size
            for size in self.numbers(s, given)
        ]

    def numbers(self, s: Scalars, given: Sequence[SSAValue]) -> list[int | SSAValue]:
        """Return all sizes in the body: integers for static sizes, index values for the others.

        given: the arguments of the body that belong to the accesses in ``inputs``.
        """
        left = iter(given)
        return [_as_index(s, next(left)) if dim.value is None else dim.value for dim in self.dims]


def _as_index(s: Scalars, size: SSAValue) -> SSAValue:
    return size if size.type == INDEX else s.cast(size, i64, INDEX)


def size_like(s: Scalars, size: int | SSAValue, x: SSAValue) -> SSAValue:
    """Convert a size, as `Sizes.numbers` returns it, to the integer or index type of x."""
    if isinstance(size, int):
        return s.like(size, x)
    return size if x.type == INDEX else s.cast(s.cast(size, INDEX, i64), i64, x.type)


def last_like(s: Scalars, size: int | SSAValue, x: SSAValue) -> SSAValue:
    """Return the last position, size - 1, in the integer or index type of x.

    size: a size, as `Sizes.numbers` returns it.
    """
    return (
        s.like(size - 1, x) if isinstance(size, int) else s.sub(size_like(s, size, x), s.like(1, x))
    )


def start_of(name: str, x: SSAValue, type_: Tensor, builder: TeBuilder) -> SSAValue:
    """Append a compute that takes the first elements of x along each axis; return its result.

    The result has the shape of ``type_``.  The caller guarantees that this shape is not larger than
    the shape of x at run time.  In a region both are the same type, and x is returned.
    name: the name of the compute.
    """
    if x.type == te_type(type_):
        return x  # in a region
    axes = named_axes(dims_of(type_))

    def body(s: Scalars, x: SSAValue, *point: SSAValue) -> SSAValue:
        return s.at(x, point, 0)

    inputs = [whole(x), *map(position, axes)]
    return builder.pointwise(name, axes, inputs, type_.element_type, body)


def computed_read(
    name: str, x: SSAValue, out: SSAValue, sizes: Sizes, body: BodyFunction, builder: TeBuilder
) -> SSAValue:
    """Append a compute whose body chooses the positions of x to read; return its result.

    The compute has the axes of ``out``, a result of the graph op.
    body: returns the element of the result; its arguments are x as a whole, the position along each
    axis, and the inputs of ``sizes``.
    sizes: the sizes that the body uses.
    """
    axes = axes_of(out)
    inputs = [whole(builder.value(x)), *map(position, axes), *sizes.inputs]
    return builder.pointwise(name, axes, inputs, element_of(out), body)


def over_numbers(rule: Rule, operands: Callable[[Any], Sequence[Fixed]]) -> Rule:
    """Wrap a rule so that it raises UnsupportedOp if certain sizes are data-dependent.

    operands: a function that takes the op and returns pairs of an operand and its axes whose sizes
    must not be data-dependent.
    Returns the rule with the check.
    """

    def lower(op: Operation, builder: TeBuilder) -> Lowered:
        for x, axes in operands(op):
            require_numbers(op, builder, x, axes)
        return rule(op, builder)

    return lower


def all_axes(x: SSAValue, first: int = 0) -> Fixed:
    """Return the pair (x, its axes from ``first`` on), as `over_numbers` takes it."""
    return x, range(first, len(sizes_of(x)))
