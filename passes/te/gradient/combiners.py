"""The cotangents of the values that a body yields, by the combiner of each output.

    add, store      the cotangent of the result
    max, min        the cotangent at the points that were chosen, else 0
    by              the same for a function that selects one of two tuples with a position
    mul             the cotangent times the product of the other factors

If the body only reads an element of a tensor, all elements equal to the maximum share its cotangent
equally. Computed values may be rounded differently in different kernels, so comparing them for
equality is not safe: for computed values, and for windows as in a pool, the first maximum receives
the whole cotangent, and its position is recomputed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, BlockArgument, Operation, Region, SSAValue

from ....dialects.dtypes import is_float
from ....dialects.index_syntax import INDEX
from ....dialects.shape import tensor_type, type_of
from ....dialects.te.build import BodyFunction, make_region, position
from ....dialects.te.compute import ComputeOp
from ....dialects.te.reductions import better
from ....dialects.te.scalars import Scalars, scalar_attr
from ....dialects.te.verifier import accumulator_type
from ....dialects.te.view import Access, ComputeView
from ....support.affine import Index, constant, variable
from ....support.blocks import returned
from ....support.diagnostics import NoGradient
from .bodies import BodyCopy, copy_body, pruned
from .index_maps import is_radix
from .ops import AdjointOps


@dataclass(frozen=True)
class Seed:
    """The cotangent of one value that a body yields, given as code that an adjoint can contain.

    output: the number of the value among the yielded ones.
    reads: additional inputs that the code needs; the cotangent of the result is the first.
    make: appends the code and returns the cotangent; its arguments are the emitter, the copy of the
    body, and the values of ``reads``.
    scales: whether the value's cotangent is the unchanged cotangent of the result.
    """

    output: int
    reads: Sequence[Access]
    make: Callable[[Scalars, BodyCopy, Sequence[SSAValue]], SSAValue]
    scales: bool = False


def seeds_of(
    ops: AdjointOps, op: ComputeOp, cotangents: Mapping[SSAValue, SSAValue]
) -> Sequence[Seed]:
    """Return the cotangents of the values that the body of a compute yields.

    cotangents: the cotangent of each result of the op; a result without an entry has 0.
    Before: the compute has no epilogue.
    Errors: NoGradient for a combiner without a rule.
    """
    view = op.view()
    found: list[Seed] = []
    for number, (result, output) in enumerate(zip(op.results, view.outputs, strict=True)):
        g = cotangents.get(result)
        if g is None:
            continue
        read = Access(g, output.indices)
        match output.combiner:
            case "add" | "store":
                found.append(Seed(number, [read], lambda _s, _body, values: values[0], True))
            case "max" | "min" | "maxnum":
                found.append(_extremum(ops, op, view, number, g))
            case "by":
                found.append(_selected(ops, op, view, number, g))
            case "mul":
                found.append(_product(ops, op, view, number, read))
            case other:
                raise NoGradient(
                    f"te.compute @{view.name} combines floats by {other}",
                    expected="add, mul, max, min, or a function that selects by position",
                    hint="write the reduction with one of these combiners",
                ).at(op)
    return found


def reduction(
    view: ComputeView,
    name: str,
    inputs: Sequence[Access],
    outputs: Sequence[Access],
    body: BodyFunction,
    combine: BodyFunction | None = None,
) -> ComputeOp:
    """Return a compute over the axes of a view, with other inputs, outputs and regions.

    name: the name of the compute.
    body: appends the ops of the body.
    combine: appends the ops of the combiner; only for outputs with the combiner ``by``.
    """
    types = [accumulator_type(o) for o in outputs if o.combiner == "by"]
    made = ComputeView(
        name=name,
        axes=view.axes,
        inputs=list(inputs),
        post=[],
        outputs=list(outputs),
        body=make_region([a.argument_type for a in inputs], body),
        combine=make_region(types * 2, combine) if combine else Region(),
    )
    return pruned(ComputeOp.from_view(made))


def _like(output: Access, element: Attribute, combiner: str, init: int | float) -> Access:
    """Return an output with the same indices as ``output``, but another element type and combiner.

    init: the initial value of the reduction.
    """
    return Access(
        None, output.indices, combiner=combiner, init=scalar_attr(init, element),
        result_type=tensor_type(element, output.dims),
    )  # fmt: skip


def _hits(
    ops: AdjointOps,
    view: ComputeView,
    g: SSAValue,
    output: int,
    reads: Sequence[Access],
    hit: _Test,
) -> Seed:
    """Return the cotangent of a maximum or minimum, which all equal elements share equally.

    Two additional computes count the points where ``hit`` holds, per result, and divide the
    cotangent of the result by their number.
    g: the cotangent of the result.
    output: the number of the output.
    reads: additional inputs of the adjoint.
    hit: appends the test whether a point has the maximum; takes the copy of the body and the values
    of ``reads``.
    """
    element = type_of(g).element_type
    wide = element if is_float(element) else i64
    inputs, target = len(view.inputs), view.outputs[output]

    def count(s: Scalars, *values: SSAValue) -> SSAValue:
        body = copy_body(s, view.body.block, values[:inputs])
        return s.select(hit(s, body, values[inputs:]), s.constant(1, wide), s.constant(0, wide))

    ties = ops.append(
        reduction(view, "ties", [*view.inputs, *reads], [_like(target, wide, "add", 0)], count)
    )
    extents = {str(i.variable()): view.axes[str(i.variable())] for i in target.indices or ()}
    both = [Access(value, target.indices) for value in (g, ties.results[0])]
    stored = Access(None, target.indices, result_type=g.type)
    shared = ops.append(
        reduction(replace(view, axes=extents), "share", both, [stored], lambda s, x, n: s.div(x, n))
    )
    return _chosen(view, shared.results[0], output, reads, hit)


_Test = Callable[[Scalars, BodyCopy, Sequence[SSAValue]], SSAValue]


def _chosen(
    view: ComputeView, g: SSAValue, output: int, reads: Sequence[Access], hit: _Test
) -> Seed:
    """Return the cotangent of a value: at points where ``hit`` holds, that of the result, else 0.

    g: the cotangent of the result.
    output: the number of the output.
    reads: additional inputs of the adjoint.
    hit: appends a test whether a point receives the cotangent; takes the copy of the body and the
    values of ``reads``.
    """

    def make(s: Scalars, body: BodyCopy, values: Sequence[SSAValue]) -> SSAValue:
        return s.select(hit(s, body, values[1:]), values[0], s.like(0, values[0]))

    return Seed(output, [Access(g, view.outputs[output].indices), *reads], make)


def _extremum(ops: AdjointOps, op: ComputeOp, view: ComputeView, output: int, g: SSAValue) -> Seed:
    """Return the cotangent of the yielded value that an output reduces by max or min.

    output: the number of the output.  g: the cotangent of the result.
    """
    target = view.outputs[output]
    points = _point_numbers(view)
    if points is not None and target.combiner != "maxnum" and not _is_plain_read(view, output):
        return _at_position(ops, view, output, g, points)

    def is_result(s: Scalars, body: BodyCopy, values: Sequence[SSAValue]) -> SSAValue:
        return s.compare("eq", body.yields[output], values[0])

    return _hits(ops, view, g, output, [Access(op.results[output], target.indices)], is_result)


def _is_plain_read(view: ComputeView, output: int) -> bool:
    """Return whether a yielded value is an element of an input whose indices are single axes.

    output: the number of the value among the yielded ones.
    """
    value = returned(view.body.block)[output]
    if not isinstance(value, BlockArgument):
        return False
    indices = view.inputs[value.index].indices
    return indices is not None and all(e.variable() in view.axes for e in indices)


def _point_numbers(view: ComputeView) -> Index | None:
    """Return the row-major number of a point among the reduced axes, as an index of these axes.

    None if an extent is symbolic.
    """
    number = constant(0)
    for axis in view.reduced_axes():
        extent = view.axes[axis]
        if not isinstance(extent, int):
            return None
        number = number * extent + variable(axis)
    return number


def _at_position(
    ops: AdjointOps, view: ComputeView, output: int, g: SSAValue, points: Index
) -> Seed:
    """Return the cotangent of a value that only the first maximum or minimum receives.

    An additional compute finds the number of the first maximal (minimal) point.
    g: the cotangent of the result. output: the number of the output. points: the number of a point
    as an index expression.
    """
    target, inputs = view.outputs[output], len(view.inputs)
    element = accumulator_type(target)

    def pair(s: Scalars, *values: SSAValue) -> list[SSAValue]:
        body = copy_body(s, view.body.block, values[:inputs])
        return [body.yields[output], s.cast(values[-1], INDEX, i64)]

    last = _like(target, i64, "by", (1 << 62))
    found = ops.append(
        reduction(
            view,
            "chosen",
            [*view.inputs, position(points)],
            [replace(target, combiner="by"), last],
            pair,
            better(target.combiner, element, last=False),
        )
    )

    def is_chosen(s: Scalars, _body: BodyCopy, values: Sequence[SSAValue]) -> SSAValue:
        return s.compare("eq", values[0], s.cast(values[1], INDEX, i64))

    reads = [Access(found.results[1], target.indices), position(points)]
    return _chosen(view, g, output, reads, is_chosen)


def _selected(ops: AdjointOps, op: ComputeOp, view: ComputeView, output: int, g: SSAValue) -> Seed:
    """Return the cotangent of a value that a reduction selects together with a position.

    The cotangent goes to the point whose yielded position equals the selected position.
    output: the number of the output.  g: the cotangent of the result.
    Errors: NoGradient if the combiner does not select one of two tuples, or if no value of the
    tuples is an integer.
    """
    values = returned(view.body.block)
    keys = [
        number
        for number, access in enumerate(view.outputs)
        if access.combiner == "by" and not is_float(accumulator_type(access))
    ]
    if not keys or not _selects(view):
        raise NoGradient(
            f"te.compute @{view.name} reduces by a function without a rule for gradients",
            expected="a function that selects one of two tuples, one value of which is a position",
            hint="reduce with te.sum, te.prod, te.max or te.argmax, or add the position",
        ).at(op)
    reads = [Access(op.results[key], view.outputs[key].indices) for key in keys]

    def hit(s: Scalars, body: BodyCopy, results: Sequence[SSAValue]) -> SSAValue:
        equal = [
            s.compare("eq", body.yields[key], result)
            for key, result in zip(keys, results, strict=True)
        ]
        both = equal[0]
        for each in equal[1:]:
            both = s.bit_and(both, each)
        return both

    if any(_numbers_points(view, values[key]) for key in keys):
        return _chosen(view, g, output, reads, hit)
    return _hits(ops, view, g, output, reads, hit)


def _selects(view: ComputeView) -> bool:
    """Return whether the combiner returns one of its two operand tuples as a whole.

    All its results must be selects between the two tuples, by one condition.
    """
    block = view.combine.block
    half = len(block.args) // 2
    chosen: list[tuple[SSAValue, bool]] = []
    for number, value in enumerate(returned(block)):
        op, one, other = value.owner, block.args[number], block.args[half + number]
        if not isinstance(op, arith.SelectOp) or {op.lhs, op.rhs} != {one, other}:
            return False
        chosen.append((op.cond, op.lhs is one))
    condition, side = chosen[0]
    return all(_are_same(condition, other) and side == is_one for other, is_one in chosen)


def _are_same(one: SSAValue, other: SSAValue) -> bool:
    """Return whether two values are computed by the same expression."""
    if one is other:
        return True
    a, b = one.owner, other.owner
    if not (isinstance(a, Operation) and isinstance(b, Operation)) or a.name != b.name:
        return False
    return a.properties == b.properties and all(map(_are_same, a.operands, b.operands))


def _numbers_points(view: ComputeView, value: SSAValue) -> bool:
    """Return whether a yielded integer provably differs between any two points of the reduced axes.

    Such an integer numbers the points: it is a position, linear in the reduced axes.
    """
    while isinstance(value.owner, Operation) and value.owner.name in _CONVERSIONS:
        value = value.owner.operands[0]
    if not isinstance(value, BlockArgument):
        return False
    access, reduced = view.inputs[value.index], view.reduced_axes()
    if not access.is_index or not access.indices:
        return False
    terms = access.indices[0].terms
    if any(axis not in terms and view.axes[axis] != 1 for axis in reduced):
        return False
    return is_radix({axis: terms[axis] for axis in reduced if axis in terms}, view.axes)


_CONVERSIONS = ("arith.index_cast", "arith.extsi", "arith.trunci")


def _product(
    ops: AdjointOps, op: ComputeOp, view: ComputeView, output: int, cotangent: Access
) -> Seed:
    """Return the cotangent of a factor: the product's cotangent times the other factors.

    The product of the other factors is result / factor. For a factor 0 it is the product of the
    factors that are not 0 if there is no other 0, else 0. The first derivative is exact; the second
    derivative by two factors that are both 0 is 0 here.
    output: the number of the output.  cotangent: the read of the product's cotangent.
    """
    target, inputs = view.outputs[output], len(view.inputs)
    element = accumulator_type(target)

    def parts(s: Scalars, *values: SSAValue) -> list[SSAValue]:
        y = copy_body(s, view.body.block, values).yields[output]
        one, zero = s.like(1, y), s.like(0, y)
        is_zero = s.compare("eq", y, zero)
        return [s.select(is_zero, one, y), s.select(is_zero, one, zero)]

    assert inputs, "a product has factors"
    outputs = [replace(target), _like(target, element, "add", 0)]
    found = ops.append(reduction(view, "factors", view.inputs, outputs, parts))
    reads = [Access(v, target.indices) for v in (op.results[output], *found.results)]

    def make(s: Scalars, body: BodyCopy, values: Sequence[SSAValue]) -> SSAValue:
        g, result, others, zeros = values
        y = body.yields[output]
        one, zero = s.like(1, y), s.like(0, y)
        is_zero = s.compare("eq", y, zero)
        rest = s.div(result, s.select(is_zero, one, y))
        alone = s.select(s.compare("eq", zeros, s.like(1, zeros)), others, zero)
        return s.mul(g, s.select(is_zero, alone, rest))

    return Seed(output, [cotangent, *reads], make)
