"""Elementwise operators: one compute without reduced axes; narrow floats compute in f32."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float8E8M0FNUType, IntegerType, f64, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects.dtypes import bit_width, compute_type, is_float, is_integer, is_unsigned
from ...dialects.graph import ELEMENTWISE, BitcastOp, CastOp, ElementwiseOp, SelectOp
from ...dialects.index_syntax import INDEX
from ...dialects.te.build import Result, position, read
from ...dialects.te.scalars import Scalars, signless
from ...support.affine import ZERO, Index, divide, variable
from ...support.diagnostics import UnsupportedOp
from .builder import Builder, Rule, axes_of, element_of, shape_of
from .data_rules import Fixed, over_numbers

Formula = Callable[..., SSAValue]
"""Takes a Scalars, the graph element type of the computation, and the operands' elements."""


def lower_elementwise(op: ElementwiseOp, builder: Builder) -> SSAValue:
    """``out[i] = f(operands[i])``."""
    axes = axes_of(op.results[0])
    source = element_of(op.operands[0])
    wide = compute_type(source)
    formula = FORMULAS[op.MNEMONIC]
    target = signless(element_of(op.results[0]))

    def body(s: Scalars, *elements: SSAValue) -> SSAValue:
        made = formula(s, wide, *(s.cast(x, source, wide) for x in elements))
        return made if op.IS_TEST else s.cast(made, wide, source)

    inputs = [read(builder.value(x), tuple(axes)) for x in op.operands]
    return builder.compute(op.MNEMONIC, axes, inputs, Result(tuple(axes), target), body)


def lower_select(op: SelectOp, builder: Builder) -> SSAValue:
    """``out[i] = lhs[i] if condition[i] else rhs[i]``."""
    axes = axes_of(op.out)
    inputs = [read(builder.value(x), tuple(axes)) for x in op.operands]
    result = Result(tuple(axes), signless(element_of(op.out)))
    return builder.compute("select", axes, inputs, result, lambda s, c, x, y: s.select(c, x, y))


def lower_cast(op: CastOp, builder: Builder) -> SSAValue:
    """Convert by value; a cast between signed and unsigned of one width is a no-op."""
    source, target = element_of(op.x), op.to
    if isinstance(target, Float8E8M0FNUType) and source != target:
        raise UnsupportedOp("a cast to float8e8m0 has several roundings", hint="use bitcast")
    if signless(source) == signless(target) and bit_width(source) == bit_width(target):
        return builder.value(op.x)
    axes = axes_of(op.out)
    saturate = op.saturate

    def body(s: Scalars, x: SSAValue) -> SSAValue:
        return s.cast(x, source, target, saturate=saturate)

    inputs = [read(builder.value(op.x), tuple(axes))]
    return builder.compute("cast", axes, inputs, Result(tuple(axes), signless(target)), body)


def lower_bitcast(op: BitcastOp, builder: Builder) -> SSAValue:
    """Reinterpret the bits as another type; the low bits of a wide element come first."""
    old, new = bit_width(element_of(op.x)), bit_width(op.to)
    if old != new and min(old, new) < 8:
        raise UnsupportedOp("bitcast regroups parts of bytes", got=f"{old} to {new} bits")
    source, target = signless(element_of(op.x)), signless(op.to)
    if source == target:
        return builder.value(op.x)
    axes = axes_of(op.out)
    *outer, last = [variable(a) for a in axes] or [ZERO]
    if not axes:
        places: list[Sequence[Index]] = [()]
    elif new > old:
        places = [(*outer, last * (new // old) + k) for k in range(new // old)]
    else:
        extent = list(axes.values())[-1]
        places = [(*outer, divide("floordiv", last, old // new, lambda _: (0, extent - 1)))]
    inputs = [read(builder.value(op.x), place) for place in places]
    if new < old:
        inputs.append(position(last))

    def body(s: Scalars, *parts: SSAValue) -> SSAValue:
        if old == new:
            return _as_type(s, parts[0], target)
        return _as_type(s, (_join if new > old else _part)(s, old, new, *parts), target)

    return builder.compute("bitcast", axes, inputs, Result(tuple(axes), target), body)


def _as_type(s: Scalars, x: SSAValue, target: Attribute) -> SSAValue:
    return x if x.type == target else s.emit(arith.BitcastOp, [x], target)


def _join(s: Scalars, old: int, new: int, *parts: SSAValue) -> SSAValue:
    """Concatenate narrow elements into an integer of ``new`` bits, lowest first."""
    total = None
    for n, part in enumerate(parts):
        wide = s.emit(arith.ExtUIOp, [_as_type(s, part, IntegerType(old))], IntegerType(new))
        if n:
            wide = s.emit(arith.ShLIOp, [wide, s.like(n * old, wide)], wide.type)
        total = wide if total is None else s.bit_or(total, wide)
    assert total is not None, "nothing to join"
    return total


def _part(s: Scalars, old: int, new: int, x: SSAValue, at: SSAValue) -> SSAValue:
    """Return the ``new`` bits of a wide element at position ``at``."""
    bits = _as_type(s, x, IntegerType(old))
    count = s.rem(s.cast(at, INDEX, bits.type), s.like(old // new, bits))
    shift = s.mul(count, s.like(new, bits))
    return s.emit(
        arith.TruncIOp, [s.emit(arith.ShRUIOp, [bits, shift], bits.type)], IntegerType(new)
    )


def _math(name: str, s: Scalars, _type: Attribute, *operands: SSAValue) -> SSAValue:
    return s.math(name, *operands)


def _abs(s: Scalars, type_: Attribute, x: SSAValue) -> SSAValue:
    return x if is_unsigned(type_) else s.abs(x)


def _sign(s: Scalars, type_: Attribute, x: SSAValue) -> SSAValue:
    zero, one = s.like(0, x), s.like(1, x)
    if is_unsigned(type_):
        return s.select(s.compare("ne", x, zero), one, zero)
    negative = s.select(s.compare("lt", x, zero), s.like(-1, x), x)
    return s.select(s.compare("gt", x, zero), one, negative)


def _sigmoid(s: Scalars, _type: Attribute, x: SSAValue) -> SSAValue:
    one = s.like(1, x)
    return s.div(one, s.add(one, s.exp_of_normals(s.neg(x))))


def _fmod(s: Scalars, type_: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
    """Return the remainder with the sign of x.  Exact: floats with |x / y| < 2**28 (f64: 2**52)."""
    if is_integer(type_):
        return s.rem(x, y, unsigned=is_unsigned(type_))
    if type_ != f64:
        wide = _fmod(s, f64, s.cast(x, type_, f64), s.cast(y, type_, f64))
        return s.cast(wide, f64, type_)
    quotient = s.math("trunc", s.div(x, y))
    rest = s.math("fma", s.neg(quotient), y, x)
    # A quotient of 0 returns x, even if y is infinite and 0 * y is NaN.
    return s.select(s.compare("eq", quotient, s.like(0, x)), x, rest)


def _mod(s: Scalars, type_: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
    """Return the remainder with the sign of y."""
    rest = _fmod(s, type_, x, y)
    if is_unsigned(type_):
        return rest
    zero = s.like(0, x)
    differ = s.bit_xor(s.compare("lt", rest, zero), s.compare("lt", y, zero))
    wrong = s.bit_and(s.compare("ne", rest, zero), differ)
    return s.select(wrong, s.add(rest, y), rest)


def _pow(s: Scalars, type_: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
    if is_float(type_):
        return s.math("powf", x, y)
    if not is_unsigned(type_):
        return s.math("ipowi", x, y)
    # ipowi takes a signed exponent: 64 bits hold every narrower unsigned one.
    return s.cast(s.math("ipowi", s.cast(x, type_, i64), s.cast(y, type_, i64)), i64, type_)


def _shift_left(s: Scalars, _type: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
    return s.emit(arith.ShLIOp, [x, y], x.type)


def _shift_right(s: Scalars, type_: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
    return s.emit(arith.ShRUIOp if is_unsigned(type_) else arith.ShRSIOp, [x, y], x.type)


def _compare(name: str, s: Scalars, type_: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
    return s.compare(name, x, y, unsigned=is_unsigned(type_) or type_ == IntegerType(1))


_MATH = (
    "sqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
    "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "ceil", "floor",
)  # fmt: skip

FORMULAS: dict[str, Formula] = {
    **{name: partial(_math, name) for name in _MATH},
    "round_even": partial(_math, "roundeven"),
    "abs": _abs,
    "neg": lambda s, _, x: s.neg(x),
    "sign": _sign,
    "sigmoid": _sigmoid,
    "not": lambda s, _, x: s.bit_not(x),
    "is_nan": lambda s, _, x: s.is_nan(x),
    "add": lambda s, _, x, y: s.add(x, y),
    "sub": lambda s, _, x, y: s.sub(x, y),
    "mul": lambda s, _, x, y: s.mul(x, y),
    "div": lambda s, t, x, y: s.div(x, y, unsigned=is_unsigned(t)),
    "mod": _mod,
    "fmod": _fmod,
    "pow": _pow,
    "max": lambda s, t, x, y: s.max(x, y, unsigned=is_unsigned(t)),
    "min": lambda s, t, x, y: s.min(x, y, unsigned=is_unsigned(t)),
    "and": lambda s, _, x, y: s.bit_and(x, y),
    "or": lambda s, _, x, y: s.bit_or(x, y),
    "xor": lambda s, _, x, y: s.bit_xor(x, y),
    "shl": _shift_left,
    "shr": _shift_right,
    "eq": partial(_compare, "eq"),
    "lt": partial(_compare, "lt"),
    "le": partial(_compare, "le"),
}
"""The scalar formula of every row of the elementwise table."""


def _regrouped_axis(op: BitcastOp) -> list[Fixed]:
    same = bit_width(element_of(op.x)) == bit_width(op.to)
    return [] if same else [(op.x, (len(shape_of(op.x)) - 1,))]


RULES: dict[type, Rule] = {
    **dict.fromkeys(ELEMENTWISE.values(), lower_elementwise),
    SelectOp: lower_select,
    CastOp: lower_cast,
    BitcastOp: lower_bitcast,
}

DATA_RULES: dict[type, Rule] = {
    **{op: RULES[op] for op in (*ELEMENTWISE.values(), SelectOp, CastOp)},
    BitcastOp: over_numbers(lower_bitcast, _regrouped_axis),
}
"""The lowering of those with a data-dependent size in an operand or result."""

SUB_BYTE_OPS: tuple[type, ...] = (*RULES,)
"""Ops that move or convert integers narrower than 8 bits."""
