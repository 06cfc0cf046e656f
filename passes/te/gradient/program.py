"""The cotangents of the values of a te program: one reverse walk over its ops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from xdsl.ir import Operation, SSAValue

from ....dialects.dtypes import is_float
from ....dialects.packed import ConcatOp, ViewOp
from ....dialects.shape import Dim, dims_of, element_count, extent_of, type_of
from ....dialects.te.build import ComputeResult, compute, read
from ....dialects.te.compute import ComputeOp
from ....dialects.te.scatter import ScatterOp
from ....dialects.te.sort import SortOp
from ....support.affine import variable
from ....support.diagnostics import NoGradient
from .computes import Cotangents, OperandCotangents, add_compute
from .ops import AdjointOps
from .scatters import add_scatter, add_sort

Rule: TypeAlias = Callable[[Any, Cotangents, OperandCotangents], None]
"""Adds the cotangents of the operands of an op, for the cotangents of its results."""


@dataclass(frozen=True)
class Differentiation:
    """The gradients of a te program, and the ops that compute them.

    ops: in order; they follow the ops of the program.  gradients: one value per variable.
    """

    ops: Sequence[Operation]
    gradients: Sequence[SSAValue]


def differentiate(
    program: Sequence[Operation],
    heads: Mapping[SSAValue, SSAValue | None],
    variables: Sequence[SSAValue],
) -> Differentiation:
    """Return the gradients of results of a te program with respect to some of its values.

    program: the ops in order.  heads: the cotangent of each differentiated result; None stands for
    a tensor of ones, which gives the gradient of the sum of the result's elements.  variables:
    float tensors; if no result depends on a variable, its gradient is 0.
    Errors: NoGradient for an op without a rule between a variable and a result.
    """
    ops = AdjointOps()
    depends = _dependents(program, variables)
    found = OperandCotangents(ops, depends.__contains__)
    for result, head in heads.items():
        if result in depends:
            found.add(result, ops.full(result.type, 1) if head is None else head)
    for op in reversed(program):
        if any(r in found.found for r in op.results) and any(v in depends for v in _reads(op)):
            _add(op, found)
    gradients = [found.found.get(v) or ops.full(v.type, 0) for v in variables]
    return Differentiation(_needed(ops.ops, gradients), gradients)


def _add(op: Operation, found: OperandCotangents) -> None:
    rule = RULES.get(type(op))
    if rule is None:
        raise NoGradient(
            f"{op.name} has no gradient at the te level",
            expected=", ".join(sorted(known.name for known in RULES)),
            hint=REASONS.get(op.name, "leave the op out of the loss"),
        ).at(op)
    rule(op, {r: found.found[r] for r in op.results if r in found.found}, found)


def _dependents(program: Iterable[Operation], variables: Iterable[SSAValue]) -> set[SSAValue]:
    found = set(variables)
    for op in program:
        if any(v in found for v in _reads(op)):
            found |= {r for r in op.results if is_float(type_of(r).element_type)}
    return found


def _reads(op: Operation) -> Iterable[SSAValue]:
    """Return the operands of an op and of the ops in its regions."""
    return (value for each in op.walk() for value in each.operands)


def _needed(ops: Sequence[Operation], results: Iterable[SSAValue]) -> Sequence[Operation]:
    """Return the ops that compute these results; all other ops drop their operand references."""
    needed = {value.owner for value in results}
    kept: list[Operation] = []
    for op in reversed(ops):
        if op in needed:
            kept.append(op)
            needed |= {value.owner for value in _reads(op)}
        else:
            op.drop_all_references()
    return kept[::-1]


def _add_view(op: ViewOp, cotangents: Cotangents, operands: OperandCotangents) -> None:
    """Add the cotangent of a view's operand: the result's cotangent in the operand's shape.

    Errors: NoGradient if the view omits elements.
    """
    counts = [element_count(dims_of(type_of(value))) for value in (op.x, op.res)]
    if counts[0] != counts[1]:
        raise NoGradient(
            "a packed.view of the first elements has no gradient",
            expected=f"{counts[0]} elements",
            got=counts[1],
            hint="use graph.slice",
        ).at(op)
    g = operands.ops.append(ViewOp(cotangents[op.res], op.x.type))
    operands.add(op.x, g.res)


def _add_concat(op: ConcatOp, cotangents: Cotangents, operands: OperandCotangents) -> None:
    """Add the cotangents of a concat's operands: each is a slice of the result's cotangent."""
    assert op.res is not None, "before bufferization, a concat has a result"
    start = Dim.const(0)
    for x, dims in zip(op.xs, op.shapes, strict=True):
        if operands.wanted(x):
            axes = {f"i{n}": extent_of(dim) for n, dim in enumerate(dims)}
            places = [variable(axis) for axis in axes]
            places[op.axis] = places[op.axis] + operands.ops.size(extent_of(start))
            result = ComputeResult(tuple(axes), type_of(x).element_type)
            inputs = [read(cotangents[op.res], places)]
            part = compute("d_concat", axes, inputs, [result], lambda _s, v: v)
            operands.add(x, operands.ops.append(part).results[0])
        start = start + dims[op.axis]


RULES: dict[type[Operation], Rule] = {
    ComputeOp: add_compute,
    ScatterOp: add_scatter,
    SortOp: add_sort,
    ViewOp: _add_view,
    ConcatOp: _add_concat,
}
"""The adjoint of each op of te programs, by class."""

REASONS = {
    "te.loops": "te.loops updates its elements in place, so that old values are lost",
    "packed.if": "differentiate graph.if by the pass graph-gradient",
    "packed.loop": "differentiate graph.scan or graph.loop by the pass graph-gradient",
    "packed.extern": "the definition of an external function is not known",
}
"""Why an op has no rule, and what to do, by op name."""
