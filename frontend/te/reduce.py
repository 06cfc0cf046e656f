"""Reductions: reduction axes, and the reducers that combine values along them.

    k = te.reduce_axis((0, 16), name="k")
    C = te.compute((4, 8), lambda m, n: te.sum(A[m, k] * B[k, n], axis=k))

A custom reducer is an associative and commutative function with an identity:

    argmax = te.comm_reducer(
        lambda x, y: (te.select(x[1] >= y[1], x[0], y[0]), te.select(x[1] >= y[1], x[1], y[1])),
        lambda t0, t1: (te.const(-1, t0), te.min_value(t1)),
    )
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce as fold
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.dtypes import is_bool, is_integer, is_number, is_sub_byte
from ...dialects.te.reductions import (
    FLOAT_COMBINERS,
    INTEGER_COMBINERS,
    better,
    combiner_of,
    identity_of,
)
from ...dialects.te.scalars import Scalars, highest, lowest, signless, wide_type
from ...interp.body import evaluate
from ...support.affine import constant
from ...support.diagnostics import TypeMismatch
from .bounds import Variable
from .expr import (
    Axis,
    Literal,
    Operand,
    Position,
    Scalar,
    Size,
    as_scalar,
    binary,
    dtype_name,
    parse_dtype,
)
from .recording import Combination, Recorder, recording
from .reducer_properties import Combine, ReducerProperties, Samples, Values


def reduce_axis(dom: tuple[int | Size, int | Size] | int | Size, name: str = "k") -> Axis:
    """Return a reduction axis over the half-open range ``dom[0]`` to ``dom[1]``.

    Errors: TypeMismatch for a range that ends before its start, or no pair of sizes.
    """
    low, high = (0, dom) if isinstance(dom, int | Size) else dom
    extent = high - low
    if isinstance(extent, int) and extent < 0:
        raise TypeMismatch(
            f"te.reduce_axis {name}: the range ends before its start",
            expected="low <= high",
            got=(low, high),
        )
    return Axis(name, cast("int | Size", extent), start=low, is_reduced=True)


class Reducer:
    """A function that reduces one value along axes, or combines two or more values.

    The reduction axes follow the value, as in ``te.sum(x, k)`` and ``te.sum(x, [k, l])``, or are
    given as ``axis=``; ``te.sum(x, y)`` combines two values.
    """

    name: str

    def __call__(self, *values: Any, axis: Axis | Sequence[Axis] | None = None) -> Any:
        if axis is None and len(values) == 2 and _are_reduced(values[1]):
            values, axis = values[:1], values[1]
        if axis is None:
            if len(values) < 2:
                raise TypeMismatch(
                    f"te.{self.name} combines along axes or several values",
                    expected=f"te.{self.name}(x, k) or te.{self.name}(x, y)",
                    got=f"{len(values)} values and no axis",
                    hint="make the axis with te.reduce_axis((0, n))",
                )
            return fold(self.pair, values)
        if len(values) != 1:
            raise TypeMismatch(
                f"te.{self.name} over an axis takes one value", expected=1, got=len(values)
            )
        return self.along(values[0], _checked_axes(self.name, axis))

    def pair(self, x: Any, y: Any) -> Any:
        """Combine two values."""
        raise NotImplementedError

    def along(self, value: Any, axes: tuple[Axis, ...]) -> Any:
        """Reduce a value along axes."""
        raise NotImplementedError


def _are_reduced(value: object) -> bool:
    axes = value if isinstance(value, tuple | list) else (value,)
    each = cast("Sequence[object]", axes)
    return bool(each) and builtins.all(isinstance(x, Axis) and x.is_reduced for x in each)


def _checked_axes(name: str, axis: Axis | Sequence[Axis]) -> tuple[Axis, ...]:
    axes = (axis,) if isinstance(axis, Axis) else tuple(axis)
    for each in axes:
        if not isinstance(each, Axis) or not each.is_reduced:  # pyright: ignore
            raise TypeMismatch(
                f"te.{name} reduces over a te.reduce_axis",
                got=repr(each),
                hint="axes that the function of a compute is called with are those of its results",
            )
    if len({id(each) for each in axes}) != len(axes) or not axes:
        raise TypeMismatch(f"te.{name} reduces over distinct axes, one at least", got=axes)
    return axes


def _variables(axes: Sequence[Axis]) -> tuple[Variable, ...]:
    return tuple(axis.variable for axis in axes)


@dataclass(frozen=True)
class NamedReducer(Reducer):
    """A reducer that the te dialect has a combiner for, such as te.sum.

    Floats of less than 32 bits accumulate in f32 and are rounded once.
    operator: the name of the operator that combines two values.
    """

    name: str
    operator: str

    def __call__(self, *values: Any, axis: Axis | Sequence[Axis] | None = None) -> Operand:
        """Reduce a value along axes, or combine several values."""
        return super().__call__(*values, axis=axis)

    def pair(self, x: Any, y: Any) -> Operand:
        return binary(self.operator, x, y)

    def along(self, value: Any, axes: tuple[Axis, ...]) -> Scalar:
        scalar = as_scalar(value)
        element, recorder = scalar.element_type, scalar.recorder
        if not is_number(element) or is_sub_byte(element):
            raise recorder.error(
                f"te.{self.name} combines numbers of at least 8 bits",
                got=dtype_name(element),
                hint='x.astype("int32"), or te.any and te.all',
            )
        wide = wide_type(element)
        combiner, identity = combiner_of(self.name, element), identity_of(self.name, element)
        how = Combination(combiner, (identity,), (wide,))
        wider = recorder.scalars.widen(scalar.value)
        (made,) = recorder.reduce(how, [wider], _variables(axes))
        return Scalar(recorder, recorder.scalars.cast(made, wide, element), element)


@dataclass(frozen=True)
class BoolReducer(Reducer):
    """The reducer te.all (logical and) or te.any (logical or).

    operator: the name of the operator that combines two conditions.
    """

    name: str
    operator: str

    def __call__(self, *values: Any, axis: Axis | Sequence[Axis] | None = None) -> Operand:
        """Reduce a condition along axes, or combine conditions.

        A single condition without axes is returned unchanged.
        """
        if axis is None and len(values) == 1:
            return values[0]
        return super().__call__(*values, axis=axis)

    def pair(self, x: Any, y: Any) -> Operand:
        return binary(self.operator, x, y)

    def along(self, value: Any, axes: tuple[Axis, ...]) -> Scalar:
        scalar = as_scalar(value)
        recorder = scalar.recorder
        if not is_bool(scalar.element_type):
            raise recorder.error(
                f"te.{self.name} combines bools",
                got=dtype_name(scalar.element_type),
                hint="compare first, as in x != 0",
            )
        how = Combination(self.operator, (int(self.operator == "and"),), (i1,))
        (made,) = recorder.reduce(how, [scalar.value], _variables(axes))
        return Scalar(recorder, made, i1)


@dataclass(frozen=True)
class ArgReducer(Reducer):
    """The reducer te.argmax or te.argmin: the position of the largest or smallest value along axes.

    A NaN counts as the largest or smallest value; of several equal values, the first counts.  For
    several axes, the position is the row-major index.
    kind: "max" or "min".
    """

    name: str
    kind: str

    def __call__(self, *values: Any, axis: Axis | Sequence[Axis] | None = None) -> Scalar:
        """Return the position along axes as int32, or as int64 if int32 is too small.

        Errors: TypeMismatch for an empty axis; a call in which a symbolic axis is empty raises
        IndexError.
        """
        return super().__call__(*values, axis=axis)

    def pair(self, x: Any, y: Any) -> Operand:
        raise TypeMismatch(f"te.{self.name} gives a position along an axis", hint="pass axis=k")

    def along(self, value: Any, axes: tuple[Axis, ...]) -> Scalar:
        scalar = as_scalar(value)
        element, recorder = scalar.element_type, scalar.recorder
        if not is_number(element) or is_sub_byte(element):
            raise recorder.error(
                f"te.{self.name} compares numbers of at least 8 bits", got=dtype_name(element)
            )
        for axis in axes:
            recorder.require_position(axis.variable, f"te.{self.name} over {axis}")
        count: Any = 1
        place: Any = Position(constant(0))
        for axis in reversed(axes):
            place, count = place + (axis - axis.start) * count, count * axis.extent
        narrow = as_scalar(count).element_type
        wide, worst = (
            wide_type(element),
            lowest(element) if self.kind == "max" else highest(element),
        )
        # Among equal values the first position wins, so the initial position is after all others.
        last = count if isinstance(count, int) else highest(narrow)
        how = Combination("by", (worst, last), (wide, i64), better(self.kind, element, last=False))
        at = as_scalar(place, i64)
        position = recorder.scalars.cast(at.value, at.element_type, i64)
        inputs = [recorder.scalars.widen(scalar.value), position]
        _, made = recorder.reduce(how, inputs, _variables(axes))
        return Scalar(recorder, recorder.scalars.cast(made, i64, narrow), narrow)


@dataclass(frozen=True)
class FunctionReducer(Reducer):
    """A user-defined reducer: a function of two values (or tuples of values), and its identity.

    combine: the function.  identity: returns the identity for the dtypes of the values.  samples:
    numbers on which the algebraic properties are tested; None for small ones of both signs.
    """

    name: str
    combine: Callable[[Any, Any], Any]
    identity: Callable[..., Any]
    samples: Samples | None = None

    def pair(self, x: Any, y: Any) -> Any:
        return self.combine(x, y)

    def along(self, value: Any, axes: tuple[Axis, ...]) -> Any:
        is_tuple = isinstance(value, tuple | list)
        scalars = [as_scalar(v) for v in (value if is_tuple else (value,))]
        recorder = scalars[0].recorder
        elements = [s.element_type for s in scalars]
        inits = self._inits(recorder, elements)
        region = self._region(recorder, elements, is_tuple=is_tuple)
        types = tuple(signless(e) for e in elements)
        how = Combination(_known_combiner(region), inits, types)
        if how.combiner == "by":
            how = Combination("by", inits, types, _copied(region))
        neutral = _neutral(how.combiner, elements[0])
        ReducerProperties(region.where, _on_arrays(region), inits, elements, neutral).check(
            self.samples
        )
        made = recorder.reduce(how, [s.value for s in scalars], _variables(axes))
        results = tuple(Scalar(recorder, v, e) for v, e in zip(made, elements, strict=True))
        return results if is_tuple else results[0]

    def _inits(self, recorder: Recorder, elements: Sequence[Attribute]) -> tuple[int | float, ...]:
        made = self.identity(*(dtype_name(e) for e in elements))
        each = made if isinstance(made, tuple | list) else (made,)
        if len(each) != len(elements):
            raise recorder.error(
                f"the identity of te.comm_reducer {self.name} has one number per value",
                expected=len(elements),
                got=len(each),
            )
        return tuple(self._number(recorder, x, e) for x, e in zip(each, elements, strict=True))

    def _number(self, recorder: Recorder, x: object, element: Attribute) -> int | float:
        if isinstance(x, Literal):
            if x.element_type != element:
                raise recorder.error(
                    f"the identity of te.comm_reducer {self.name} has another type",
                    expected=dtype_name(element),
                    got=dtype_name(x.element_type),
                )
            x = x.number
        if not isinstance(x, int | float):
            raise recorder.error(
                f"the identity of te.comm_reducer {self.name} is a number",
                got=repr(x),
                hint="te.const(0, dtype), te.min_value(dtype), te.max_value(dtype)",
            )
        if isinstance(x, float) and not x.is_integer() and is_integer(element):
            raise recorder.error(
                f"the identity of te.comm_reducer {self.name} is no {dtype_name(element)}",
                got=x,
                hint="te.const(0, dtype), te.min_value(dtype), te.max_value(dtype)",
            )
        return x

    def _region(
        self, recorder: Recorder, elements: Sequence[Attribute], *, is_tuple: bool
    ) -> _Region:
        inner = Recorder(f"{recorder.where}, te.comm_reducer {self.name}", ())
        types = [signless(e) for e in elements]
        arguments = [inner.block.insert_arg(t, len(inner.block.args)) for t in (*types, *types)]
        with recording(inner):
            given = [Scalar(inner, v, e) for v, e in zip(arguments, [*elements] * 2, strict=True)]
            half = len(elements)
            sides = tuple(given[:half]), tuple(given[half:])
            made = self.combine(*(s if is_tuple else s[0] for s in sides))
            each = tuple(made) if isinstance(made, tuple | list) else (made,)
            if len(each) != half:
                raise inner.error("it gives one value per value", expected=half, got=len(each))
            results = [as_scalar(x, e) for x, e in zip(each, elements, strict=True)]
        for result, element in zip(results, elements, strict=True):
            if result.element_type != element:
                raise inner.error(
                    "it gives a value of another type",
                    expected=dtype_name(element),
                    got=dtype_name(result.element_type),
                )
        if len(inner.block.args) != len(arguments):
            raise inner.error(
                "the function of a te.comm_reducer reads no tensors and no axes",
                hint="give what it needs as one of the values that are combined",
            )
        values = [r._value for r in results]  # pyright: ignore
        return _Region(inner.where, inner.block, arguments, values)


@dataclass(frozen=True)
class _Region:
    """The recorded ops, arguments and results of a reducer's function.

    where: the name of the function in messages.
    """

    where: str
    block: Block
    arguments: Sequence[SSAValue]
    results: Sequence[SSAValue]


def _copied(region: _Region) -> Callable[..., list[SSAValue]]:
    def combine(s: Scalars, *given: SSAValue) -> list[SSAValue]:
        mapped: dict[SSAValue, SSAValue] = dict(zip(region.arguments, given, strict=True))
        for op in region.block.ops:
            s.block.add_op(op.clone(mapped))
        return [mapped[v] for v in region.results]

    return combine


def _on_arrays(region: _Region) -> Combine:
    """Return a function that evaluates a reducer's recorded ops on numpy arrays.

    An array has one element per trial (pair of operands).  The function returns two lists: the
    results of the reducer, and the values of all ops.
    """

    def combine(x: Values, y: Values) -> tuple[Values, Values]:
        values = dict(zip(region.arguments, (*x, *y), strict=True))
        for op in region.block.ops:
            operands = [values[v] for v in op.operands]
            values[op.results[0]] = evaluate(op, operands, region.where)
        results = [np.broadcast_to(values[v], x[0].shape) for v in region.results]
        return results, list(values.values())

    return combine


COMBINERS: dict[type[Operation], str] = {
    op: name for table in (FLOAT_COMBINERS, INTEGER_COMBINERS) for name, op in table.items()
}
"""The combiner of the te dialect for each op that is one."""


def _known_combiner(region: _Region) -> str:
    """Return the combiner of the te dialect that computes the same as a function, or ``by``.

    A function equals a combiner if it consists of the combiner's op on both arguments.
    """
    ops = list(region.block.ops)
    if len(ops) != 1 or len(region.results) != 1 or region.results[0].owner is not ops[0]:
        return "by"
    same = set(ops[0].operands) == set(region.arguments)
    return COMBINERS.get(type(ops[0]), "by") if same else "by"


def _neutral(combiner: str, element: Attribute) -> tuple[int | float] | None:
    """Return the identity of a combiner, as a tuple of one number.

    Return None for the combiner ``by``, which is a function of the user.
    """
    if combiner == "by":
        return None
    kind = combiner.removeprefix("u")
    if kind in ("max", "min"):
        return (lowest(element) if kind == "max" else highest(element),)
    if kind == "and":
        return (1 if is_bool(element) else -1,)
    return (int(kind == "mul"),)


def comm_reducer(
    fcombine: Callable[[Any, Any], Any],
    fidentity: Callable[..., Any],
    name: str = "reduce",
    samples: Samples | None = None,
) -> FunctionReducer:
    """Return a reducer from an associative and commutative function and its identity.

    fcombine: combines two values.  fidentity: returns the identity for a dtype.  To reduce several
    values together, fcombine takes and returns tuples, and fidentity takes one dtype per value.
    The algebraic properties are tested on numbers when the reducer is used, because its types are
    known then.
    samples: the numbers for that test, if the properties hold only for some numbers: a list, or a
    list per value; by default small numbers of both signs.
    """
    return FunctionReducer(name, fcombine, fidentity, samples)


def min_value(dtype: str) -> Literal:
    """Return the smallest value of a type (-inf for floats)."""
    element = parse_dtype(dtype)
    return Literal(lowest(element), element)


def max_value(dtype: str) -> Literal:
    """Return the largest value of a type (inf for floats)."""
    element = parse_dtype(dtype)
    return Literal(highest(element), element)


# These names shadow Python's; use them as te.sum, te.max, te.all.
sum = NamedReducer("sum", "add")
prod = NamedReducer("prod", "mul")
max = NamedReducer("max", "max")
min = NamedReducer("min", "min")
any = BoolReducer("any", "or")
all = BoolReducer("all", "and")
argmax = ArgReducer("argmax", "max")
argmin = ArgReducer("argmin", "min")
