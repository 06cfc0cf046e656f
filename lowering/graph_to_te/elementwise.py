"""Lower elementwise ops to a compute without reduced axes; narrower floats compute in f32."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float8E8M0FNUType, IntegerType
from xdsl.ir import Attribute, SSAValue

from ...dialects.dtypes import bit_width, compute_type
from ...dialects.graph import ELEMENTWISE, BitcastOp, CastOp, ElementwiseOp, SelectOp
from ...dialects.index_syntax import INDEX
from ...dialects.te.build import position, read
from ...dialects.te.formulas import FORMULAS
from ...dialects.te.scalars import Scalars, signless
from ...dialects.te.view import axis_ranges
from ...support.affine import ZERO, Index, divide, variable
from ...support.diagnostics import UnsupportedOp
from .builder import Rule, TeBuilder, axes_of, element_of, sizes_of
from .data.data_rules import Fixed, over_numbers


def lower_elementwise(op: ElementwiseOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``out[i] = f(operands[i])``, where f is the scalar function of the op."""
    axes = axes_of(op.results[0])
    source = element_of(op.operands[0])
    wide = compute_type(source)
    formula = FORMULAS[op.MNEMONIC]
    target = signless(element_of(op.results[0]))

    def body(s: Scalars, *elements: SSAValue) -> SSAValue:
        made = formula(s, wide, *(s.cast(x, source, wide) for x in elements))
        return made if op.IS_TEST else s.cast(made, wide, source)

    inputs = [read(builder.value(x), tuple(axes)) for x in op.operands]
    return builder.pointwise(op.MNEMONIC, axes, inputs, target, body)


def lower_select(op: SelectOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``out[i] = lhs[i] if condition[i] else rhs[i]``."""
    axes = axes_of(op.out)
    inputs = [read(builder.value(x), tuple(axes)) for x in op.operands]
    return builder.pointwise(
        "select", axes, inputs, element_of(op.out), lambda s, c, x, y: s.select(c, x, y)
    )


def lower_cast(op: CastOp, builder: TeBuilder) -> SSAValue:
    """Lower to a conversion, or to nothing between signed and unsigned integers of one width."""
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
    return builder.pointwise("cast", axes, inputs, target, body)


def lower_bitcast(op: BitcastOp, builder: TeBuilder) -> SSAValue:
    """Lower to computes that reinterpret the bits of elements as another type.

    If the types have different widths, several narrow elements correspond to one wide element, the
    first of them to its lowest bits.
    """
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
        places = [(*outer, divide("floordiv", last, old // new, axis_ranges(axes)))]
    inputs = [read(builder.value(op.x), place) for place in places]
    if new < old:
        inputs.append(position(last))

    def body(s: Scalars, *parts: SSAValue) -> SSAValue:
        if old == new:
            return _as_type(s, parts[0], target)
        return _as_type(s, (_join if new > old else _part)(s, old, new, *parts), target)

    return builder.pointwise("bitcast", axes, inputs, target, body)


def _as_type(s: Scalars, x: SSAValue, target: Attribute) -> SSAValue:
    return x if x.type == target else s.emit(arith.BitcastOp, [x], target)


def _join(s: Scalars, old: int, new: int, *parts: SSAValue) -> SSAValue:
    """Concatenate the bits of elements to one integer; the first part becomes the lowest bits.

    old: the number of bits of a part.  new: the number of bits of the result.
    """
    total = None
    for n, part in enumerate(parts):
        wide = s.emit(arith.ExtUIOp, [_as_type(s, part, IntegerType(old))], IntegerType(new))
        if n:
            wide = s.emit(arith.ShLIOp, [wide, s.like(n * old, wide)], wide.type)
        total = wide if total is None else s.bit_or(total, wide)
    assert total is not None, "nothing to join"
    return total


def _part(s: Scalars, old: int, new: int, x: SSAValue, at: SSAValue) -> SSAValue:
    """Extract an integer of ``new`` bits from an element x of ``old`` bits.

    at: which part to extract; part 0 has the lowest bits.
    """
    bits = _as_type(s, x, IntegerType(old))
    count = s.rem(s.cast(at, INDEX, bits.type), s.like(old // new, bits))
    shift = s.mul(count, s.like(new, bits))
    return s.emit(
        arith.TruncIOp, [s.emit(arith.ShRUIOp, [bits, shift], bits.type)], IntegerType(new)
    )


def _regrouped_axis(op: BitcastOp) -> list[Fixed]:
    same = bit_width(element_of(op.x)) == bit_width(op.to)
    return [] if same else [(op.x, (len(sizes_of(op.x)) - 1,))]


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
"""The lowering of ops with a data-dependent size in an operand or result."""

SUB_BYTE_OPS: tuple[type, ...] = (*RULES,)
"""Ops that move or convert integers narrower than 8 bits."""
