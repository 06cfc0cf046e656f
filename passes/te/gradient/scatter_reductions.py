"""The adjoints of te.scatter with another combiner than add: products, maxima and minima.

mul         the cotangent times the product of the other factors of the element
max, min    the cotangent, which all values equal to the element share equally
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.ir import BlockArgument, SSAValue

from ....dialects.shape import dims_of, tensor_type, type_of
from ....dialects.te.build import scatter
from ....dialects.te.scalars import Scalars, wide_type
from ....dialects.te.scatter import ScatterOp
from ....dialects.te.view import Access, ScatterView
from ....support.affine import variable
from ....support.blocks import returned
from ....support.diagnostics import NoGradient
from .bodies import BodyCopy, copy_body
from .combiners import Seed
from .computes import OperandCotangents
from .ops import AdjointOps

ReadBack: TypeAlias = Callable[[SSAValue], SSAValue]
"""Appends the elements of a tensor at the positions that the points write; returns them."""

Term: TypeAlias = Callable[[Scalars, SSAValue], SSAValue]
"""Appends the term that a value contributes to a scatter; returns the term."""


def add_product(
    op: ScatterOp, g: SSAValue, operands: OperandCotangents, read_back: ReadBack
) -> None:
    """Add the cotangents of the operands of a scatter that multiplies elements.

    The product of the other factors is result / factor, or of the factors that are not 0, as for
    a reduction by mul: the first derivative is exact, also at 0.
    g: the cotangent of the result.
    """
    ops, view = operands.ops, op.view()
    if operands.wanted(view.base):
        operands.add(view.base, _combined(ops, view, g, lambda _s, v: v, _multiplied))
    others = _of_terms(ops, view, _nonzero, _multiplied)
    zeros = _of_terms(ops, view, _is_zero, lambda s, a, b: s.add(a, b))
    reads = [_at_points(view, read_back(value)) for value in (g, others, zeros)]

    def make(s: Scalars, body: BodyCopy, values: Sequence[SSAValue]) -> SSAValue:
        head, rest, count = values
        value = s.widen(body.yields[view.rank])
        none, one = s.like(0, value), s.like(1, value)
        alone = s.select(s.compare("eq", count, one), rest, none)
        among = s.select(s.compare("eq", count, none), s.div(rest, _nonzero(s, value)), none)
        factor = s.select(s.compare("eq", value, none), alone, among)
        wide = s.mul(s.widen(head), factor)
        return s.cast(wide, wide.type, head.type)

    operands.add_inputs(view, [Seed(view.rank, reads, make)])


def add_extremum(
    op: ScatterOp, g: SSAValue, operands: OperandCotangents, read_back: ReadBack
) -> None:
    """Add the cotangents of the operands of a scatter that keeps the largest or smallest value.

    g: the cotangent of the result.
    Errors: NoGradient if the body computes the value: a value that another kernel computes again
    may be rounded differently, and then equals no element of the result.
    """
    ops, view, result = operands.ops, op.view(), op.results[0]
    if not isinstance(returned(view.body.block)[view.rank], BlockArgument):
        raise NoGradient(
            f"te.scatter @{view.name} compares values that its body computes",
            expected="values that the body only reads",
            hint="compute the values in a te.compute before the scatter",
        ).at(op)
    hits = ops.elementwise("hits", [view.base, result], _equal, result.type)
    there = read_back(result)
    inputs = [*view.inputs, _at_points(view, there)]

    def body(s: Scalars, *values: SSAValue) -> list[SSAValue]:
        made = copy_body(s, view.body.block, values[:-1]).yields
        return [*made[: view.rank], _equal(s, made[view.rank], values[-1])]

    ties = scatter("ties", view.axes, hits, inputs, body, lambda s, a, b: s.add(a, b))
    counts = ops.append(ties).results[0]
    shared = ops.elementwise("share", [g, counts], lambda s, a, n: s.div(a, n), g.type)

    def chosen(s: Scalars, value: SSAValue, best: SSAValue, part: SSAValue) -> SSAValue:
        return s.select(s.compare("eq", value, best), part, s.like(0, part))

    if operands.wanted(view.base):
        operands.add(
            view.base, ops.elementwise("d_base", [view.base, result, shared], chosen, g.type)
        )

    def make(s: Scalars, copy: BodyCopy, values: Sequence[SSAValue]) -> SSAValue:
        return chosen(s, copy.yields[view.rank], values[1], values[0])

    reads = [_at_points(view, value) for value in (read_back(shared), there)]
    operands.add_inputs(view, [Seed(view.rank, reads, make)])


def _at_points(view: ScatterView, updates: SSAValue) -> Access:
    """Return the read of the element of a tensor over the axes of a scatter at each point."""
    return Access(updates, [variable(axis) for axis in view.axes])


def _equal(s: Scalars, x: SSAValue, y: SSAValue) -> SSAValue:
    """Append 1 if x equals y, otherwise 0."""
    return s.select(s.compare("eq", x, y), s.like(1, x), s.like(0, x))


def _multiplied(s: Scalars, old: SSAValue, new: SSAValue) -> SSAValue:
    product = s.mul(s.widen(old), s.widen(new))
    return s.cast(product, product.type, old.type)


def _nonzero(s: Scalars, x: SSAValue) -> SSAValue:
    """Append x, or 1 if x is 0."""
    return s.select(s.compare("eq", x, s.like(0, x)), s.like(1, x), x)


def _is_zero(s: Scalars, x: SSAValue) -> SSAValue:
    """Append 1 if x is 0, otherwise 0."""
    return _equal(s, x, s.like(0, x))


def _of_terms(
    ops: AdjointOps,
    view: ScatterView,
    term: Term,
    combine: Callable[[Scalars, SSAValue, SSAValue], SSAValue],
) -> SSAValue:
    """Append a scatter that combines terms of the base's elements and of the values, in f32 or f64.

    term: appends the term of an element or value.  combine: appends the combination of two terms.
    """
    wide = wide_type(view.element_type)
    type_ = tensor_type(wide, list(dims_of(type_of(view.base))))

    def widened(s: Scalars, x: SSAValue) -> SSAValue:
        return term(s, s.widen(x))

    base = ops.elementwise("terms", [view.base], widened, type_)
    return _combined(ops, view, base, widened, combine)


def _combined(
    ops: AdjointOps,
    view: ScatterView,
    base: SSAValue,
    term: Term,
    combine: Callable[[Scalars, SSAValue, SSAValue], SSAValue],
) -> SSAValue:
    """Append a scatter of terms at the positions that the points write; return its result.

    base: the tensor that the scatter updates.  term: appends the term of a value.
    combine: appends the combination of two terms.
    """

    def body(s: Scalars, *values: SSAValue) -> list[SSAValue]:
        made = copy_body(s, view.body.block, values).yields
        return [*made[: view.rank], term(s, made[view.rank])]

    return ops.append(scatter("terms", view.axes, base, view.inputs, body, combine)).results[0]
