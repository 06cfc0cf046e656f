"""Interpreter of scalar regions of te in numpy: each value is an array over all points of the axes.

Arithmetic is computed in the result type of the op.  ``interp.scalar`` defines division, shifts and
conversions for all operands, so their semantics are the same at graph, te and loop level.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, VectorType
from xdsl.ir import Attribute, Operation, Region, SSAValue

from ..dialects.dtypes import is_bool, numpy_dtype
from ..dialects.te.body import AtOp, YieldOp
from ..support.diagnostics import TilewrightError
from . import scalar

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Rule: TypeAlias = Callable[[Operation, Sequence[Array]], Array]

_SAME_NAME = ("sqrt", "exp", "exp2", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos",
    "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "ceil", "floor")  # fmt: skip

_SCALAR_NAMES: dict[str, str] = {
    "arith.addf": "add", "arith.addi": "add", "arith.subf": "sub", "arith.subi": "sub",
    "arith.mulf": "mul", "arith.muli": "mul", "arith.divf": "div", "arith.divsi": "div",
    "arith.remf": "fmod", "arith.remsi": "fmod", "arith.maximumf": "max", "arith.minimumf": "min",
    "arith.maxsi": "max", "arith.minsi": "min", "arith.andi": "and", "arith.ori": "or",
    "arith.xori": "xor", "arith.shli": "shl", "arith.shrsi": "shr", "arith.negf": "neg",
    "math.absf": "abs", "math.absi": "abs", "math.powf": "pow", "math.ipowi": "pow",
    "math.roundeven": "round_even", **{f"math.{name}": name for name in _SAME_NAME},
}  # fmt: skip
"""The graph op with the same semantics for each scalar op, by the scalar op's name."""

_UNSIGNED_NAMES = {
    "arith.divui": "div", "arith.remui": "fmod", "arith.maxui": "max", "arith.minui": "min",
    "arith.shrui": "shr",
}  # fmt: skip

_COMPARISONS: dict[str, Callable[[Array, Array], Array]] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal,
}  # fmt: skip


def run_region(
    region: Region,
    arguments: Sequence[Array],
    where: str,
    *,
    until: Operation | None = None,
) -> list[Array]:
    """Evaluate a region of scalar ops for all points of the axes at once.

    arguments: an array per argument of the region.  where: a name, for error messages, of the op
    that contains the region.  until: an op of the region at which the evaluation stops.
    Return the values that the region yields, or the operands of ``until`` if it is given.
    """
    values: dict[SSAValue, Array] = dict(zip(region.block.args, arguments, strict=True))
    for op in region.block.ops:
        operands = [values[v] for v in op.operands]
        if isinstance(op, YieldOp) or op is until:
            return operands
        values[op.results[0]] = evaluate(op, operands, where)
    raise AssertionError(f"{where}: region without te.yield")


def evaluate(op: Operation, operands: Sequence[Array], where: str) -> Array:
    """Evaluate one scalar op; an op on vectors is evaluated lane by lane.

    where: a name, for error messages, of the op whose region contains the scalar op.
    """
    return evaluator(op, where)(operands)


def evaluator(op: Operation, where: str) -> Callable[[Sequence[Array]], Array]:
    """Return a function that evaluates one scalar op on the arrays of its operands.

    Use it instead of `evaluate` for an op that runs often: the attributes of the op are read once.
    where: a name, for error messages, of the op whose region contains the scalar op.
    """
    if isinstance(op, AtOp):
        place = f"{where}: te.at of {op.x.type}"
        other = None if op.other is None else scalar_value(op.other)
        return lambda operands: read_at(operands[0], operands[1:], other, place)
    if isinstance(op, arith.ConstantOp):
        number = scalar_value(op.value)
        return lambda _: number
    dtype = numpy_dtype(_result_type(op))
    if name := _SCALAR_NAMES.get(op.name):
        return lambda operands: scalar.apply(name, *operands, dtype=dtype)
    if name := _UNSIGNED_NAMES.get(op.name):
        return lambda operands: _apply_unsigned(name, operands, dtype)
    rule = RULES.get(type(op))
    if rule is None:
        raise TilewrightError(
            "the interpreter does not support this op in a te body",
            got=op.name,
            hint="use ops of arith, math and te.at",
        ).named(where)
    return lambda operands: np.asarray(rule(op, operands))


def _apply_unsigned(name: str, operands: Sequence[Array], dtype: np.dtype[Any]) -> Array:
    unsigned = [as_unsigned(x) for x in operands]
    return scalar.apply(name, *unsigned, dtype=unsigned[0].dtype).view(dtype)


def _result_type(op: Operation) -> Attribute:
    type_ = op.results[0].type
    return type_.element_type if isinstance(type_, VectorType) else type_


def as_unsigned(x: Array) -> Array:
    """Return integers reinterpreted as unsigned integers with the same bits."""
    return x if x.dtype == np.bool_ else x.view(f"u{x.dtype.itemsize}")


def scalar_value(attr: Attribute) -> Array:
    """Return the value of a typed scalar attribute as a numpy array of rank 0."""
    assert isinstance(attr, FloatAttr | IntegerAttr), f"not a number: {attr}"
    number, type_ = attr.value.data, cast(Attribute, attr.type)
    if is_bool(type_):
        return np.asarray(bool(number))
    return np.asarray(number).astype(numpy_dtype(type_))


def read_at(x: Array, positions: Sequence[Array | int], other: Array | None, where: str) -> Array:
    """Read elements of ``x`` at computed positions.

    positions: the index along each dimension of x, as numbers or arrays; the arrays are broadcast
    to the shape of the result.  other: the value of reads outside of x.  where: names the access in
    the error.
    Errors: TilewrightError if a position is outside and ``other`` is None.
    """
    inside: Any = True
    for position, size in zip(positions, x.shape, strict=True):
        array = np.asarray(position)
        low, high = array.min(initial=0), array.max(initial=0)
        if array.size == 0 or (low >= 0 and high < size):
            continue
        if other is None:
            raise TilewrightError(
                f"{where} outside the operand",
                expected=f"0..{size - 1}",
                got=f"{low}..{high}",
                hint="give the access a pad value, or guard it",
            )
        inside = inside & (array >= 0) & (array < size)
    if inside is True:
        return x[tuple(positions)]
    if not x.size:
        return np.broadcast_to(cast(Array, other), np.broadcast_shapes(*map(np.shape, positions)))
    clipped = [np.clip(p, 0, n - 1) for p, n in zip(positions, x.shape, strict=True)]
    return np.where(inside, x[tuple(clipped)], cast(Array, other))


def _compare_floats(op: Operation, operands: Sequence[Array]) -> Array:
    number = cast(arith.CmpfOp, op).predicate.value.data
    return compare_floats(arith.CMPF_COMPARISON_OPERATIONS[number], *operands)


def compare_floats(predicate: str, lhs: Array, rhs: Array) -> Array:
    """Compare floats; if an operand is NaN, predicates ``o..`` are false and ``u..`` true."""
    unordered = scalar.apply("is_nan", lhs, dtype=np.dtype(bool))
    unordered = unordered | scalar.apply("is_nan", rhs, dtype=np.dtype(bool))
    if predicate in ("false", "true"):
        return np.full(unordered.shape, predicate == "true")
    if predicate in ("ord", "uno"):
        return unordered if predicate == "uno" else ~unordered
    holds = _COMPARISONS[predicate[1:]](lhs, rhs)
    return holds | unordered if predicate[0] == "u" else holds & ~unordered


def _compare_integers(op: Operation, operands: Sequence[Array]) -> Array:
    number = cast(arith.CmpiOp, op).predicate.value.data
    return compare_integers(arith.CMPI_COMPARISON_OPERATIONS[number], *operands)


def compare_integers(predicate: str, lhs: Array, rhs: Array) -> Array:
    """Compare integers; predicates ``s..`` are signed, ``u..`` unsigned."""
    if predicate in ("eq", "ne"):
        return _COMPARISONS[predicate](lhs, rhs)
    if predicate[0] == "u":
        lhs, rhs = as_unsigned(lhs), as_unsigned(rhs)
    return _COMPARISONS[predicate[1:]](lhs, rhs)


def _convert(op: Operation, operands: Sequence[Array]) -> Array:
    return scalar.cast(operands[0], numpy_dtype(_result_type(op)), saturate=False)


def _convert_unsigned(op: Operation, operands: Sequence[Array]) -> Array:
    return scalar.cast(as_unsigned(operands[0]), numpy_dtype(_result_type(op)), saturate=False)


def _float_to_unsigned(op: Operation, operands: Sequence[Array]) -> Array:
    dtype = numpy_dtype(_result_type(op))
    return scalar.cast(operands[0], np.dtype(f"u{dtype.itemsize}"), saturate=False).view(dtype)


def _bits(op: Operation, operands: Sequence[Array]) -> Array:
    return operands[0].view(numpy_dtype(_result_type(op)))


def _truncate_integer(op: Operation, operands: Sequence[Array]) -> Array:
    target = _result_type(op)
    if is_bool(target):
        return (operands[0] & 1).astype(bool)
    return operands[0].astype(numpy_dtype(target))


def _sign_extend(op: Operation, operands: Sequence[Array]) -> Array:
    dtype, x = numpy_dtype(_result_type(op)), operands[0]
    wide = x.astype(dtype)
    return np.negative(wide) if x.dtype == np.bool_ else wide


def _index_cast(op: Operation, operands: Sequence[Array]) -> Array:
    target = _result_type(op)
    return operands[0].astype(np.int64 if isinstance(target, IndexType) else numpy_dtype(target))


def _fma(op: Operation, operands: Sequence[Array]) -> Array:
    x, y, z = (v.astype(np.longdouble) for v in operands)
    return (x * y + z).astype(numpy_dtype(_result_type(op)))


RULES: dict[type[Operation], Rule] = {
    arith.CmpfOp: _compare_floats,
    arith.CmpiOp: _compare_integers,
    arith.SelectOp: lambda _, operands: np.where(*operands),
    arith.ExtFOp: _convert,
    arith.TruncFOp: _convert,
    arith.SIToFPOp: _convert,
    arith.UIToFPOp: _convert_unsigned,
    arith.FPToSIOp: _convert,
    arith.FPToUIOp: _float_to_unsigned,
    arith.ExtSIOp: _sign_extend,
    arith.ExtUIOp: _convert_unsigned,
    arith.TruncIOp: _truncate_integer,
    arith.IndexCastOp: _index_cast,
    arith.BitcastOp: _bits,
    math.TruncOp: lambda _, operands: np.trunc(operands[0]),
    math.FmaOp: _fma,
}
