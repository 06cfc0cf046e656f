"""The adjoints of te.scatter and te.sort.

%s = te.scatter into(%base) … yields (position, value)      combined by add, or overwriting;
                                                            others: scatter_reductions.py
→
the base: the cotangent of %s, which is 0 where the base was overwritten
the value of a point: the cotangent at its position, or 0 if a later point overwrites it
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from xdsl.dialects.builtin import i64
from xdsl.ir import Block, SSAValue

from ....dialects.dtypes import is_float
from ....dialects.index_syntax import INDEX
from ....dialects.shape import dims_of, extent_of, tensor_type, type_of
from ....dialects.te.build import ComputeResult, compute, position, read, scatter, whole
from ....dialects.te.scalars import Scalars
from ....dialects.te.scatter import ScatterOp
from ....dialects.te.sort import SortOp
from ....dialects.te.view import Access, ScatterView
from ....support.affine import variable
from ....support.diagnostics import NoGradient
from .bodies import copy_body
from .combiners import Seed
from .computes import Cotangents, OperandCotangents
from .ops import AdjointOps
from .scatter_reductions import add_extremum, add_product


def add_scatter(op: ScatterOp, cotangents: Cotangents, operands: OperandCotangents) -> None:
    """Add the cotangents of the operands of a scatter to ``operands``.

    Errors: NoGradient if the scatter combines elements by a function without a rule.
    """
    g, view, ops = cotangents[op.results[0]], op.view(), operands.ops
    kind = _kind(view.combine.block) if view.combine.blocks else "none"
    if kind == "mul":
        add_product(op, g, operands, lambda x: _read_back(ops, view, x, None))
        return
    if kind in ("max", "min"):
        add_extremum(op, g, operands, lambda x: _read_back(ops, view, x, None))
        return
    if kind == "other":
        raise NoGradient(
            f"te.scatter @{view.name} combines elements by a function without a gradient",
            expected="add, mul, max or min, or no combiner",
            hint="write the scatter with one of these combiners",
        ).at(op)
    adds = kind == "add"
    if operands.wanted(view.base):
        operands.add(view.base, g if adds else _cleared(ops, view, g))
    if not any(a.value is not None and operands.wanted(a.value) for a in view.inputs):
        return
    updates = _read_back(ops, view, g, None if adds or view.unique else _last_writers(ops, view))
    seed = Access(updates, [variable(axis) for axis in view.axes])
    operands.add_inputs(view, [Seed(view.rank, [seed], lambda _s, _body, v: v[0], True)])


_KINDS = {
    "arith.addf": "add",
    "arith.mulf": "mul",
    "arith.maximumf": "max",
    "arith.minimumf": "min",
}
"""The combiners with a rule, by their scalar op."""


def _kind(combine: Block) -> str:
    """Return how a combiner combines its two arguments, computed in a wider type or not.

    combine: the block of the combiner; f16 and bf16 are combined in f32.
    Returns "other" for a combiner without a rule.
    """
    casts = ("arith.extf", "arith.truncf", "te.yield")
    match [op.name for op in combine.ops if op.name not in casts]:
        case [name]:
            return _KINDS.get(name, "other")
        case _:
            return "other"


def _cleared(ops: AdjointOps, view: ScatterView, g: SSAValue) -> SSAValue:
    """Append the cotangent of the base: the result's cotangent, but 0 at overwritten elements.

    g: the cotangent of the result.
    """

    def body(s: Scalars, *values: SSAValue) -> list[SSAValue]:
        positions = copy_body(s, view.body.block, values).yields[: view.rank]
        return [*positions, s.constant(0, view.element_type)]

    return ops.append(scatter("d_base", view.axes, g, view.inputs, body)).results[0]


def _point(ops: AdjointOps, view: ScatterView) -> list[Access]:
    """Return the inputs from which `_number` computes: the axes, and their extents but the first.

    ops: where a symbolic extent is appended.
    """
    axes = [position(variable(axis)) for axis in view.axes]
    return axes + [position(ops.size(extent)) for extent in list(view.axes.values())[1:]]


def _number(s: Scalars, point: Sequence[SSAValue]) -> SSAValue:
    """Append the row-major number of a point of a scatter, in i64; return it.

    point: the values of the inputs of `_point`.
    """
    rank = (len(point) + 1) // 2
    number = point[0] if point else s.constant(0, INDEX)
    for place, extent in zip(point[1:rank], point[rank:], strict=True):
        number = s.add(s.mul(number, extent), place)
    return s.cast(number, INDEX, i64)


def _last_writers(ops: AdjointOps, view: ScatterView) -> SSAValue:
    """Append a tensor with the number of the point that wrote each element of the base last.

    A point is given by its row-major number; -1 stands for no point.
    """
    type_ = tensor_type(i64, list(dims_of(type_of(view.base))))

    count = len(view.inputs)

    def body(s: Scalars, *values: SSAValue) -> list[SSAValue]:
        positions = copy_body(s, view.body.block, values[:count]).yields[: view.rank]
        return [*positions, _number(s, values[count:])]

    inputs = [*view.inputs, *_point(ops, view)]
    return ops.append(scatter("writers", view.axes, ops.full(type_, -1), inputs, body)).results[0]


def _read_back(
    ops: AdjointOps, view: ScatterView, g: SSAValue, writers: SSAValue | None
) -> SSAValue:
    """Append the cotangents of the values that the points of a scatter write; return them.

    Each is the element of ``g``, the cotangent of the result, at the position that the point
    writes.
    writers: the number of the last point that wrote each element; the values of other points get
    the cotangent 0.  None: no value was overwritten.
    """
    sizes = [ops.size(extent) for extent in view.base_shape]
    count, tensors = len(view.inputs), [g] if writers is None else [g, writers]

    def body(s: Scalars, *values: SSAValue) -> SSAValue:
        positions = copy_body(s, view.body.block, values[:count]).yields[: view.rank]
        ends = values[count : count + len(sizes)]
        tests: list[SSAValue] = []
        places: list[SSAValue] = []
        for place, size in zip(positions, ends, strict=True):
            zero, last = s.like(0, place), s.sub(size, s.like(1, size))
            tests += [s.compare("ge", place, zero), s.compare("le", place, last)]
            places.append(s.max(s.min(place, last), zero))
        found = s.at(values[count + len(sizes)], places)
        if writers is not None:
            writer = s.at(values[count + len(sizes) + 1], places)
            number = _number(s, values[count + len(sizes) + 2 :])
            tests.append(s.compare("eq", writer, number))
        if not tests:
            return found
        return s.select(reduce(s.bit_and, tests), found, s.like(0, found))

    point = [] if writers is None else _point(ops, view)
    inputs = [*view.inputs, *map(position, sizes), *map(whole, tensors), *point]
    result = ComputeResult(tuple(view.axes), type_of(g).element_type)
    return ops.append(compute("d_updates", view.axes, inputs, [result], body)).results[0]


def add_sort(op: SortOp, cotangents: Cotangents, operands: OperandCotangents) -> None:
    """Add the cotangent of a sorted tensor: the elements of the result's cotangent, moved back.

    A scatter moves each element to the position that it had before the sort.
    """
    values, positions = op.results
    g, axis = cotangents.get(values), op.axis.data
    if g is None or not is_float(type_of(op.x).element_type):
        return
    axes = {f"i{n}": extent_of(dim) for n, dim in enumerate(dims_of(type_of(g)))}
    names: Sequence[str] = [*axes]

    def body(s: Scalars, old: SSAValue, value: SSAValue, *at: SSAValue) -> list[SSAValue]:
        return [*at[:axis], s.cast(old, i64, INDEX), *at[axis + 1 :], value]

    inputs = [read(positions, names), read(g, names), *map(position, names)]
    zeros = operands.ops.full(op.x.type, 0)
    made = scatter("d_sort", axes, zeros, inputs, body, lambda s, a, b: s.add(a, b))
    operands.add(op.x, operands.ops.append(made).results[0])
