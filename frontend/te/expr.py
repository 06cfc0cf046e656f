"""Operands in the function of a compute: axes, positions, sizes, literals and scalars.

Axes and positions are quasi-affine index expressions, which are evaluated symbolically. The
operators +, -, and *, // and % by constants return such expressions.  A scalar is a value in the
body that is being recorded.  A position or Python number combined with a scalar takes the scalar's
type.  Scalars of different types cannot be combined; ``astype`` converts.  A symbolic size is an
expression of te.vars: the extent of an axis, a part of a position, or a value.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

import numpy as np
from xdsl.dialects.builtin import i1, i32, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects.dtypes import (
    ATTRIBUTES_BY_NAME,
    compute_type,
    is_bool,
    is_float,
    is_integer,
    is_number,
    is_sub_byte,
    is_unsigned,
    numpy_dtype,
)
from ...dialects.index_syntax import INDEX
from ...dialects.shape import Dim, Extent, extent_of
from ...dialects.te.formulas import FORMULAS
from ...dialects.te.scalars import highest, lowest, signless
from ...runtime.spelling import SuggestsNames
from ...support.affine import INFINITY, MOST_NESTED, Index, constant, divide, variable
from ...support.diagnostics import TilewrightError, TypeMismatch
from ...support.size_names import from_zero, shown_size
from .bounds import Variable, index_of, range_of
from .recording import Recorder, current, is_recording

Number: TypeAlias = int | float | bool
Value: TypeAlias = "Operand | Number"
"""The types of operands of an expression."""


_Operator: TypeAlias = "Callable[[Operand, Value], Operand]"


def _operators(name: str) -> tuple[_Operator, _Operator]:
    """Return the methods of a binary operator, such as ``__add__`` and ``__radd__``."""

    def of_left(self: Operand, other: Value) -> Operand:
        return binary(name, self, other)

    def of_right(self: Operand, other: Value) -> Operand:
        return binary(name, other, self)

    return of_left, of_right


class Operand(SuggestsNames):
    """A value that Python's arithmetic operators combine in the function of a compute.

    It is an axis, position, size, literal, comparison or scalar.
    """

    __hash__ = object.__hash__

    @property
    def dtype(self) -> str:
        """The name of the dtype that the operand has as a value; int32 for a single axis."""
        return dtype_name(as_scalar(self).element_type)

    __add__, __radd__ = _operators("add")
    __sub__, __rsub__ = _operators("sub")
    __mul__, __rmul__ = _operators("mul")
    __truediv__, __rtruediv__ = _operators("truediv")
    __floordiv__, __rfloordiv__ = _operators("floordiv")
    __mod__, __rmod__ = _operators("floormod")
    __pow__, __rpow__ = _operators("pow")
    __lshift__ = _operators("shl")[0]
    __rshift__ = _operators("shr")[0]
    __and__, __rand__ = _operators("and")
    __or__, __ror__ = _operators("or")
    __xor__, __rxor__ = _operators("xor")

    def __invert__(self) -> Operand:
        return unary("not", self)

    def __neg__(self) -> Operand:
        return binary("sub", 0, self) if isinstance(self, Position | Size) else unary("neg", self)

    def __abs__(self) -> Operand:
        return unary("abs", self)

    def __lt__(self, other: Value) -> Operand:
        return compare("lt", self, other)

    def __le__(self, other: Value) -> Operand:
        return compare("le", self, other)

    def __gt__(self, other: Value) -> Operand:
        return compare("gt", self, other)

    def __ge__(self, other: Value) -> Operand:
        return compare("ge", self, other)

    def __eq__(self, other: object) -> Any:
        return compare("eq", self, other) if is_value(other) else NotImplemented

    def __ne__(self, other: object) -> Any:
        return compare("ne", self, other) if is_value(other) else NotImplemented

    def __bool__(self) -> bool:
        raise TypeMismatch(
            "a te value is neither true nor false while the compute is described",
            hint="choose with te.if_then_else(condition, x, y); combine with te.all, te.any",
        )

    def __float__(self) -> float:
        raise TypeMismatch(
            "a te value has no number while the compute is described",
            hint="use the functions of te: te.exp, te.sqrt, ...; numbers of math and numpy are "
            "constants",
        )

    # Binary operators of numpy numbers defer to the reflected ones above.
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *args: Any, **_options: Any) -> Any:
        symbol = _UFUNC_OPERATORS.get(ufunc.__name__)
        if symbol is None or method != "__call__" or len(args) != 2:
            raise TypeMismatch(
                f"np.{ufunc.__name__} takes arrays, not te values",
                hint=f"use te.{ufunc.__name__} or another function of te",
            )
        lhs, rhs = (v.item() if isinstance(v, np.generic) else v for v in args)
        return symbol(lhs, rhs)

    def astype(self, dtype: str) -> Scalar:
        """Convert the value to a dtype, as te.cast does."""
        return cast(self, dtype)


_UFUNC_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
    "divide": operator.truediv, "floor_divide": operator.floordiv, "remainder": operator.mod,
    "power": operator.pow, "less": operator.lt, "less_equal": operator.le,
    "greater": operator.gt, "greater_equal": operator.ge, "equal": operator.eq,
    "not_equal": operator.ne,
}  # fmt: skip
"""By numpy binary ufunc, the Python operator that applies if an operand is a te value."""


class Position(Operand):
    """A quasi-affine index expression over axes and sizes."""

    def __init__(self, index: Index, dtype: str = "int32") -> None:
        self.index, self.size_dtype = index, dtype

    def __repr__(self) -> str:
        return str(self.index)

    __hash__ = Operand.__hash__


class Axis(Position):
    """An axis of a compute: an argument of its function, or a te.reduce_axis.

    extent: the number of positions.  start: the first position.  is_reduced: whether it is a
    reduction axis.
    """

    def __init__(
        self, name: str, extent: int | Size, *, start: int | Size = 0, is_reduced: bool = False
    ) -> None:
        self.name, self.is_reduced = name, is_reduced
        self.extent, self.start = extent, start
        self.variable = Variable(name, extent_of(dim_of(extent)), is_reduced, self)
        super().__init__(variable(self.variable) + index_of(dim_of(start)), _wider(extent, start))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        kind = "reduce_axis" if self.is_reduced else "axis"
        return f"{kind}({self.name}: {self.start}..{self.start + self.extent - 1})"

    __hash__ = Operand.__hash__


class Size(Operand):
    """A symbolic size, known only at a call, or an expression over such sizes.

    It is valid wherever a size, a position or a number is valid.
    Errors: TypeMismatch where Python needs an integer.
    """

    def __init__(self, dim: Dim, dtype: str = "int32") -> None:
        self.dim, self._dtype = dim, dtype

    @property
    def dtype(self) -> str:
        """The name of the dtype that the size has as a value."""
        return self._dtype

    def __index__(self) -> int:
        raise TypeMismatch(
            f"size {self} is known only at a call",
            hint="te.reduce_axis((0, n)) runs over a size, te.if_then_else chooses by it",
        )

    __int__ = __index__

    def __float__(self) -> float:
        return float(self.__index__())

    def __str__(self) -> str:
        return shown_size(self.dim)

    __repr__ = __str__

    def __hash__(self) -> int:
        return hash(self.dim)


def dim_of(size: int | Size) -> Dim:
    """Convert a size to a dimension."""
    return size.dim if isinstance(size, Size) else Dim.const(int(size))


def size_of(extent: Extent) -> int | Size:
    """Convert a dimension to a number, a te.var, or an expression of te.vars."""
    if not isinstance(extent, Dim):
        return extent
    names = [*extent.symbols()]
    return Var(shown_size(names[0])) if str(extent) == names[0] else Size(extent)


def _wider(*operands: object) -> str:
    found = {x.size_dtype if isinstance(x, Position) else x.dtype
             for x in operands if isinstance(x, Position | Size)}  # fmt: skip
    return "int64" if "int64" in found else "int32"


class Var(Size):
    """A named size; sizes with the same name are equal."""

    def __init__(self, name: str, dtype: str = "int32") -> None:
        self.name = name
        super().__init__(Dim.sym(from_zero(name)), dtype)


def var(name: str = "n", dtype: str = "int32") -> Var:
    """Return a symbolic size, which is known at a call.

    dtype: the dtype of the size as a value.
    Errors: TypeMismatch for a name that is no identifier, or a dtype other than int32 and int64.
    """
    if not (name.isascii() and name.isidentifier()):
        raise TypeMismatch("te.var: the name is no identifier", got=repr(name))
    if re.fullmatch(r"u\d+", name):
        raise TypeMismatch("te.var: u0, u1, … are sizes that depend on data", got=repr(name))
    if dtype not in ("int32", "int64"):
        raise TypeMismatch(
            "te.var: a size is an integer",
            expected="int32 or int64",
            got=dtype,
            hint="a number that is an argument is a te.placeholder of shape ()",
        )
    return Var(name, dtype)


size_var = var
"""An alias of ``var``: a size is never negative."""


_SIZES: dict[str, Callable[[Dim, Dim], Dim]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "floordiv": lambda x, y: x // y,
    "floormod": lambda x, y: x % y,
    "min": lambda x, y: x.min(y),
    "max": lambda x, y: x.max(y),
}


def _of_sizes(x: object, y: object) -> tuple[Dim, Dim] | None:
    """Return both operands as dimensions; None unless both are sizes and one is symbolic."""
    if not (isinstance(x, Size) or isinstance(y, Size)):
        return None
    dims = [_dim(v) for v in (x, y)]
    return None if dims[0] is None or dims[1] is None else (dims[0], dims[1])


def _dim(x: object) -> Dim | None:
    if isinstance(x, Size):
        return x.dim
    is_number = isinstance(x, int | np.integer) and not isinstance(x, bool)
    return Dim.const(int(x)) if is_number else None  # pyright: ignore


class Literal(Operand):
    """A number of a given element type, which becomes a constant of the compute that uses it."""

    def __init__(self, number: Number | Size, element_type: Attribute) -> None:
        self.number, self.element_type = number, element_type

    def __repr__(self) -> str:
        return f"const({self.number}, {dtype_name(self.element_type)!r})"

    __hash__ = Operand.__hash__


class Scalar(Operand):
    """A value that ops of the recorded compute define.

    recorder: the recorder of this compute.  element_type: the type of the value, with the
    signedness of integers.  bounds: for a condition on axes alone, expressions that are all
    non-negative exactly where the condition holds.
    """

    def __init__(
        self,
        recorder: Recorder,
        value: SSAValue,
        element_type: Attribute,
        bounds: tuple[Index, ...] | None = None,
    ) -> None:
        self.recorder, self._value, self.element_type = recorder, value, element_type
        self.bounds = bounds

    @property
    def value(self) -> SSAValue:
        """The SSA value in the compute that is being recorded.

        Errors: TypeMismatch for a value of another compute.
        """
        if current("a te value") is not self.recorder:
            raise current("a te value").error(
                f"a value of {self.recorder.where} is used in another compute",
                hint="only tensors and axes go from one compute to another",
            )
        return self._value

    def __repr__(self) -> str:
        return f"<{dtype_name(self.element_type)} value of {self.recorder.where}>"

    __hash__ = Operand.__hash__


class Comparison(Operand):
    """A comparison of positions; an op is recorded for it only if its value is needed."""

    def __init__(self, name: str, lhs: Index, rhs: Index) -> None:
        self.name, self.lhs, self.rhs = name, lhs, rhs

    @property
    def bounds(self) -> tuple[Index, ...] | None:
        """Expressions that are all non-negative exactly where the comparison holds; None for !=."""
        difference = self.lhs - self.rhs
        return {
            "ge": (difference,), "gt": (difference - 1,), "le": (-difference,),
            "lt": (-difference - 1,), "eq": (difference, -difference), "ne": None,
        }[self.name]  # fmt: skip

    def __bool__(self) -> bool:
        # Python compares axes for identity, as in ``axis in axes``; unequal sizes may be equal in
        # a call.
        has_axes = any(isinstance(key, Variable) for key in (self.lhs - self.rhs).variables())
        if self.name in ("eq", "ne") and (has_axes or self.lhs == self.rhs):
            return (self.lhs == self.rhs) == (self.name == "eq")
        return super().__bool__()

    def __repr__(self) -> str:
        return f"{self.lhs} {self.name} {self.rhs}"

    __hash__ = Operand.__hash__


def is_value(x: object) -> bool:
    """Return whether an object can be an operand of an expression."""
    return isinstance(x, Operand | bool | int | float | np.number | np.bool_)


def parse_dtype(dtype: object) -> Attribute:
    """Return the element type for the name of a dtype, or for a numpy dtype.

    Errors: TilewrightError for an unknown name.
    """
    name = dtype if isinstance(dtype, str) else getattr(dtype, "__name__", str(dtype))
    if name not in ATTRIBUTES_BY_NAME:
        raise TilewrightError(
            "unknown dtype", expected=f"one of {', '.join(ATTRIBUTES_BY_NAME)}", got=name
        )
    return ATTRIBUTES_BY_NAME[name]


def dtype_name(element_type: Attribute) -> str:
    """Return the dtype name of an element type."""
    return numpy_dtype(element_type).name


def const(number: Number | Size, dtype: str | None = None) -> Literal:
    """Return a number of a dtype (default: bool, int32 or float32 by the Python type).

    A float type rounds the number, to infinity if it is too large.
    Errors: TypeMismatch if an integer type or bool cannot represent the number.
    """
    if isinstance(number, Size):
        return Literal(number, parse_dtype(dtype or number.dtype))
    plain = number.item() if isinstance(number, np.generic) else number
    if not isinstance(plain, bool | int | float):
        raise TypeMismatch("te.const takes a number", got=f"{number!r} of {type(number).__name__}")
    element = _default_type(plain) if dtype is None else parse_dtype(dtype)
    if is_float(element):
        return Literal(plain, element)
    low, high = lowest(element), highest(element)
    if not low <= plain <= high or plain != int(plain):
        raise TypeMismatch(
            f"te.const: {plain!r} is no {dtype_name(element)}",
            expected=f"an integer from {low} to {high}",
            hint="give a wider dtype",
        )
    return Literal(int(plain), element)


def _default_type(number: Number) -> Attribute:
    if isinstance(number, bool | np.bool_):
        return i1
    return i32 if isinstance(number, int | np.integer) else ATTRIBUTES_BY_NAME["float32"]


def as_scalar(x: object, like: Attribute | None = None) -> Scalar:
    """Convert an operand to a value in the compute that is being recorded.

    like: the type of the value if the operand is a position or Python number.
    Errors: TypeMismatch for an object that is no operand, and a number that the type cannot
    represent.
    """
    recorder = current("a te value")
    if isinstance(x, Scalar):
        _ = x.value
        return x
    if isinstance(x, Comparison):
        lhs, rhs = map(recorder.index_value, (x.lhs, x.rhs))
        made = recorder.scalars.compare(x.name, lhs, rhs)
        return Scalar(recorder, made, i1, x.bounds)
    if isinstance(x, Position | Size):
        index = x.index if isinstance(x, Position) else index_of(x.dim)
        return _position_value(recorder, index, like, _wider(x))
    if isinstance(x, Literal):
        element = x.element_type
        if isinstance(x.number, Size):
            return _position_value(recorder, index_of(x.number.dim), element, "")
        number = x.number
    elif isinstance(x, bool | int | float | np.number | np.bool_):
        number = x.item() if isinstance(x, np.generic) else x
        element = _default_type(number) if like is None else accepts(recorder, number, like)
    else:
        raise recorder.error(
            "this is no te value",
            expected="an axis, an element of a te tensor, a number, or an expression of them",
            got=f"{x!r} of type {type(x).__name__}",
            hint="read a tensor by its positions, as in A[i, j]",
        )
    value = recorder.scalars.constant(number, signless(element))
    return Scalar(recorder, value, element)


def accepts(recorder: Recorder, number: Number, element: Attribute) -> Attribute:
    """Check that an element type can represent a Python number; return the element type.

    recorder: the recorder of the compute, for messages.
    Errors: TypeMismatch if the type cannot represent the number.
    """
    fits = isinstance(number, bool) if is_bool(element) else True
    if is_integer(element):
        fits = isinstance(number, int) and not isinstance(number, bool)
        fits = fits and lowest(element) <= number <= highest(element)
    if not fits:
        own = dtype_name(_default_type(number))
        raise recorder.error(
            f"{number!r} is no {dtype_name(element)}",
            hint=f'convert the other operand, as in x.astype("{own}")',
        )
    return element


def _position_value(
    recorder: Recorder, index: Index, like: Attribute | None, size_dtype: str
) -> Scalar:
    """Return a position as a value of type ``like``.

    If ``like`` is None or no number type, the type is int32 if all values of the position fit, else
    int64.  size_dtype: the dtype that all values of the symbolic sizes in the position fit.
    """
    low, high = index.range(range_of)
    element = like
    if element is None or not is_number(element):
        # The values of a symbolic size fit the dtype of the size.
        is_symbolic = high >= INFINITY // 2 or low <= -INFINITY // 2
        fits = size_dtype == "int32" if is_symbolic else low >= -(1 << 31) and high < 1 << 31
        element = i32 if fits else i64
    if index.is_constant:
        return as_scalar(index.const, element)
    made = recorder.scalars.cast(recorder.position(index), INDEX, element)
    return Scalar(recorder, made, element)


def as_index(x: object) -> Index | None:
    """Return the index expression of an axis, position, size or integer; None for other objects."""
    if isinstance(x, Position):
        return x.index
    if isinstance(x, Size):
        return index_of(x.dim)
    if isinstance(x, int | np.integer) and not isinstance(x, bool):
        return constant(int(x))
    return None


_AFFINE: dict[str, Callable[[Index, Index], Index | None]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: y * x.const if x.is_constant else (x * y.const if y.is_constant else None),
    "floordiv": lambda x, y: _divided("floordiv", x, y),
    "floormod": lambda x, y: _divided("mod", x, y),
}


def _divided(kind: Any, x: Index, y: Index) -> Index | None:
    if not y.is_constant or y.const <= 0 or x.depth >= MOST_NESTED:
        return None
    return divide(kind, x, y.const, range_of)


_INTEGERS_AND_BOOLS = ("and", "or", "xor", "not")
_INTEGERS = ("shl", "shr")
_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "floormod", "pow", "max", "min", "fmod")


def binary(name: str, x: object, y: object) -> Operand:
    """Apply a binary operator, such as "add".

    If both operands are sizes, the result is a size; if they are positions and the result is
    affine, a position; otherwise a value.
    """
    sizes = _of_sizes(x, y)
    if sizes is not None and name in _SIZES:
        dim: Any = _SIZES[name](*sizes)
        return Size(dim, _wider(x, y)) if dim.value is None else dim.value
    if sizes is not None and not is_recording():
        raise TypeMismatch(
            f"{name} is not defined for sizes",
            expected=", ".join(_SIZES),
            got=f"{x} and {y}",
            hint="a size is divided with //; inside of a te.compute it is a value",
        )
    if name in _AFFINE and (isinstance(x, Position) or isinstance(y, Position)):
        lhs, rhs = as_index(x), as_index(y)
        affine = None if lhs is None or rhs is None else _AFFINE[name](lhs, rhs)
        if affine is not None:
            return Position(affine, _wider(x, y))
    if isinstance(x, Literal) and isinstance(y, Literal):
        x = as_scalar(x)
    first, second = _bounds_of(x), _bounds_of(y)
    made = _operate(name, *_of_one_type(name, x, y))
    if name == "and" and first is not None and second is not None:
        made.bounds = (*first, *second)
    return made


def _bounds_of(x: object) -> tuple[Index, ...] | None:
    return x.bounds if isinstance(x, Scalar | Comparison) else None


def _of_one_type(name: str, x: object, y: object) -> tuple[Scalar, Scalar]:
    typed = [v for v in (x, y) if isinstance(v, Scalar | Literal | Comparison)]
    like = None
    if typed:
        like = i1 if isinstance(typed[0], Comparison) else typed[0].element_type
    elif any(isinstance(v, float) for v in (x, y)):
        like = ATTRIBUTES_BY_NAME["float32"]
    lhs, rhs = as_scalar(x, like), as_scalar(y, like)
    if lhs.element_type != rhs.element_type:
        left, right = dtype_name(lhs.element_type), dtype_name(rhs.element_type)
        raise lhs.recorder.error(
            f"the operands of {name} differ in type",
            expected="equal types",
            got=f"{left} and {right}",
            hint=f'convert one, as in x.astype("{right}")',
        )
    return lhs, rhs


def unary(name: str, x: object) -> Scalar:
    """Apply a unary operator, such as "not", to an operand, which is first made a value."""
    return _operate(name, as_scalar(x))


def apply(name: str, *operands: object) -> Scalar:
    """Apply an elementwise operator, such as "exp", to operands, made values of one type."""
    if len(operands) == 1:
        return unary(name, operands[0])
    return _operate(name, *_of_one_type(name, *operands))  # pyright: ignore[reportCallIssue]


def _operate(name: str, *operands: Scalar) -> Scalar:
    """Apply an operator to values of one element type; round the result to this type.

    The computation uses the same type as graph ops on this element type, such as f32 for f16.
    """
    element, recorder = operands[0].element_type, operands[0].recorder
    _check_kind(recorder, name, element)
    s, wide = recorder.scalars, compute_type(element)
    values = [s.cast(x.value, element, wide) for x in operands]
    made = (_OWN.get(name) or FORMULAS[name])(s, wide, *values)
    if name in _TESTS:
        return Scalar(recorder, made, i1)
    return Scalar(recorder, s.cast(made, wide, element), element)


_TESTS = ("eq", "ne", "lt", "le", "gt", "ge", "is_nan")
_FLOATS_ONLY = {
    "sqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
    "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "ceil", "floor", "round_even", "sigmoid",
    "is_nan", "truediv", "trunc", "rsqrt",
}  # fmt: skip


def _check_kind(recorder: Recorder, name: str, element: Attribute) -> None:
    dtype = dtype_name(element)
    if is_sub_byte(element):
        _refuse(recorder, name, "values of at least 8 bits", dtype, 'x.astype("int32")')
    if name in _FLOATS_ONLY and not is_float(element):
        hint = "divide integers with // or te.truncdiv" if name == "truediv" else ""
        _refuse(recorder, name, "floats", dtype, hint or 'x.astype("float32")')
    if name in _INTEGERS_AND_BOOLS and is_float(element):
        _refuse(recorder, name, "integers or bools", dtype, "compare first, as in x > 0")
    if name in _INTEGERS and not is_integer(element):
        _refuse(recorder, name, "integers", dtype, 'x.astype("int32")')
    if name in (*_BINARY, "abs", "neg", "sign") and not is_number(element):
        _refuse(recorder, name, "numbers", dtype, 'x.astype("int32")')


def _refuse(recorder: Recorder, name: str, expected: str, got: str, hint: str) -> NoReturn:
    raise recorder.error(f"{name} is not defined for {got}", expected=expected, got=got, hint=hint)


def _floordiv(s: Any, type_: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
    """Return the quotient rounded toward minus infinity; 0 for an integer division by 0."""
    if is_float(type_):
        return s.math("floor", s.div(x, y))
    unsigned = is_unsigned(type_)
    quotient = s.div(x, y, unsigned=unsigned)
    if unsigned:
        return quotient
    zero = s.like(0, x)
    rest = s.rem(x, y)
    differ = s.bit_xor(s.compare("lt", rest, zero), s.compare("lt", y, zero))
    down = s.bit_and(s.compare("ne", rest, zero), differ)
    return s.select(down, s.sub(quotient, s.like(1, x)), quotient)


def _comparison(name: str) -> Callable[..., SSAValue]:
    def formula(s: Any, type_: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
        return s.compare(name, x, y, unsigned=is_unsigned(type_) or is_bool(type_))

    return formula


_OWN: dict[str, Callable[..., SSAValue]] = {
    "truediv": FORMULAS["div"],
    "truncdiv": FORMULAS["div"],
    "floordiv": _floordiv,
    "floormod": FORMULAS["mod"],
    "trunc": lambda s, _, x: s.math("trunc", x),
    "rsqrt": lambda s, _, x: s.div(s.like(1, x), s.math("sqrt", x)),
    **{name: _comparison(name) for name in _TESTS[:-1]},
}
"""Formulas of operators that the table of elementwise operators lacks or names differently."""


def compare(name: str, x: object, y: object) -> Operand:
    """Compare two operands; ``name`` is eq, ne, lt, le, gt or ge.

    In a compute, the result is a `Comparison` for two positions or sizes, and a Scalar for values.
    Outside of a compute, two sizes are compared to a bool: whether they are always equal.
    """
    sizes = _of_sizes(x, y)
    if sizes is not None and not is_recording():
        return _compare_sizes(name, *sizes)  # pyright: ignore
    lhs, rhs = as_index(x), as_index(y)
    if lhs is not None and rhs is not None:
        return Comparison(name, lhs, rhs)
    left, right = _of_one_type(name, x, y)
    return _operate(name, left, right)


def _compare_sizes(name: str, x: Dim, y: Dim) -> bool:
    if name not in ("eq", "ne"):
        raise TypeMismatch(
            f"sizes {x} and {y} are known only at a call",
            hint="compare them inside of the function of a te.compute",
        )
    return (x == y) == (name == "eq")


def cast(x: object, dtype: str, *, saturate: bool = False) -> Scalar:
    """Convert a value to a dtype.

    Conversions of floats to integers saturate, and return 0 for NaN.
    saturate: whether conversions to 8-bit floats saturate, too.
    """
    scalar, target = as_scalar(x), parse_dtype(dtype)
    made = scalar.recorder.scalars.cast(
        scalar.value, scalar.element_type, target, saturate=saturate
    )
    return Scalar(scalar.recorder, made, target)
