"""Lower matrix products with weights of few bits to a compute that reads the stored bytes.

A matrix product whose activation is split into digits (signed bytes) is one compute, too, so that a
plan may give whole blocks to an intrinsic (targets/cpu/instructions/block_intrinsics.py has its
definition):

    out[*r, n] = sum over b, t, j of
        (sum over h of digits[*r, b, h, t, j] * number(w[n, b, j], h) * unit[*r, b, t]
         + shift[*r, b] * zero[n, b] / terms) * scale[n, b]

Here r are the rows, b is a block, t a digit, j a byte of the block and h a weight of the byte;
number(w, h) is this weight as an integer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import SSAValue

from ...dialects.dtypes import ATTRIBUTES_BY_NAME
from ...dialects.graph import (
    DIGIT_BASE,
    DIGIT_BLOCK,
    LARGEST_DIGIT,
    LEAST_MAGNITUDE,
    BlockMatmulOp,
    DigitMatmulOp,
    SplitDigitsOp,
)
from ...dialects.shape import Extent, dims_of, type_of
from ...dialects.te.build import BodyFunction, ComputeResult, Position, position, read
from ...dialects.te.scalars import Scalars, signless
from ...dialects.te.view import Access
from ...support.affine import Index, divide, unknown_range, variable
from .builder import Lowered, Rule, TeBuilder, element_of, sizes_of

U8 = ATTRIBUTES_BY_NAME["uint8"]


def _rows(sizes: Sequence[Extent]) -> dict[str, Extent]:
    return {f"m{n}" if n else "m": size for n, size in enumerate(sizes)}


def _number(s: Scalars, byte: SSAValue, half: int, bits: int) -> SSAValue:
    """Return one of the weights that a byte stores, as an i32 value.

    half: 1 for the upper four bits of the byte, 0 for the lower four or for all eight bits.  bits:
    the bits of a weight.
    """
    if bits == 4:
        four, low = s.like(4, byte), s.like(15, byte)
        byte = s.emit(arith.ShRUIOp, [byte, four], byte.type) if half else s.bit_and(byte, low)
    return s.cast(byte, U8, i32)


def lower_block_matmul(op: BlockMatmulOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``out[*r, n] = sum over b, j, h of x * (weight - zero) * scale``.

    Each byte j of a block b has ``8 / bits`` weights, numbered by h; r are the rows.
    """
    *rows, size = sizes_of(op.x)
    columns, blocks, length = sizes_of(op.w)
    assert isinstance(length, int), "weights are static"
    axes = {**_rows(rows), "n": columns, "b": blocks, "j": length}
    halves, bits = 8 // op.bits, op.bits
    element, scale = element_of(op.x), element_of(op.scale)
    pad = 0.0 if op.block * int(str(blocks)) > int(str(size)) else None

    def body(s: Scalars, byte: SSAValue, factor: SSAValue, *rest: SSAValue) -> SSAValue:
        xs, zero = rest[:halves], rest[halves:]
        middle = s.cast(zero[0], U8, i32) if zero else s.constant(1 << (bits - 1), i32)
        total = None
        for half, x in enumerate(xs):
            number = s.cast(s.sub(_number(s, byte, half, bits), middle), i32, f32)
            term = s.mul(s.cast(x, element, f32), number)
            total = term if total is None else s.add(total, term)
        assert total is not None, "a byte holds numbers"
        return s.mul(total, s.cast(factor, scale, f32))

    inputs = [read(builder.value(op.w), ("n", "b", "j")), read(builder.value(op.scale), ("n", "b"))]
    for half in range(halves):
        k = variable("b") * op.block + variable("j") * halves + half
        inputs.append(read(builder.value(op.x), (*_rows(rows), k), pad))
    if op.zero is not None:
        inputs.append(read(builder.value(op.zero), ("n", "b")))
    result = ComputeResult((*_rows(rows), "n"), signless(element), "add", 0.0, f32)
    return builder.compute("block_matmul", axes, inputs, result, body)


def lower_split_digits(op: SplitDigitsOp, builder: TeBuilder) -> Lowered:
    """Lower to four computes per block: largest magnitude, digits, units of the digits, and sum.

    They yield the results of the op: the digits of each activation, the unit of each digit, and the
    sum of each block.
    """
    most = _magnitudes(op, builder)
    digits = _digits(op, builder, most)
    unit = _units(op, builder, most)
    return digits, unit, _sums(op, builder, digits, unit)


def _element(op: SplitDigitsOp, builder: TeBuilder, at: Index) -> Access:
    """Return an access of a compute to ``x[rows…, at]``.

    If the last axis of x does not fill its last block, the access reads 0 beyond the end of x.
    at: the index expression of the position along the last axis.
    """
    *rows, size = sizes_of(op.x)
    pad = None if size == op.blocks * DIGIT_BLOCK else 0.0
    return read(builder.value(op.x), (*_rows(rows), at), pad)


def _magnitudes(op: SplitDigitsOp, builder: TeBuilder) -> SSAValue:
    *rows, _ = sizes_of(op.x)
    element, axes = element_of(op.x), {**_rows(rows), "b": op.blocks}

    def body(s: Scalars, x: SSAValue) -> SSAValue:
        return s.abs(s.cast(x, element, f32))

    at = variable("b") * DIGIT_BLOCK + variable("k")
    result = ComputeResult(tuple(axes), f32, "max", 0.0)
    reduced = {**axes, "k": DIGIT_BLOCK}
    return builder.compute("magnitude", reduced, [_element(op, builder, at)], result, body)


def _digits(op: SplitDigitsOp, builder: TeBuilder, most: SSAValue) -> SSAValue:
    *rows, _ = sizes_of(op.x)
    halves, element = 8 // op.bits, element_of(op.x)
    outer = {**_rows(rows), "b": op.blocks}
    axes = {**outer, "h": halves, "t": op.count, "j": DIGIT_BLOCK // halves}

    def body(s: Scalars, x: SSAValue, largest: SSAValue, *digit: SSAValue) -> SSAValue:
        inverse = s.div(s.constant(LARGEST_DIGIT, f32), largest)
        is_normal = s.compare("gt", largest, s.constant(LEAST_MAGNITUDE, f32))
        inverse = s.select(is_normal, inverse, s.constant(0.0, f32))
        rest = s.mul(s.cast(x, element, f32), inverse)
        found = s.math("roundeven", rest)
        for number in range(1, op.count):
            rest = s.mul(s.sub(rest, s.math("roundeven", rest)), s.constant(DIGIT_BASE, f32))
            is_later = s.compare("ge", digit[0], s.like(number, digit[0]))
            found = s.select(is_later, s.math("roundeven", rest), found)
        return s.cast(found, f32, i8)

    at = variable("b") * DIGIT_BLOCK + variable("j") * halves + variable("h")
    inputs = [_element(op, builder, at), read(most, tuple(outer))]
    inputs += [position("t")] if op.count > 1 else []
    return builder.pointwise("digits", axes, inputs, i8, body)


def _units(op: SplitDigitsOp, builder: TeBuilder, most: SSAValue) -> SSAValue:
    *rows, _ = sizes_of(op.x)
    outer = {**_rows(rows), "b": op.blocks}
    axes = {**outer, "t": op.count}

    def body(s: Scalars, largest: SSAValue, *digit: SSAValue) -> SSAValue:
        factor = s.constant(1 / LARGEST_DIGIT, f32)
        for number in range(1, op.count):
            is_later = s.compare("ge", digit[0], s.like(number, digit[0]))
            power = s.constant(1 / LARGEST_DIGIT * DIGIT_BASE**-number, f32)
            factor = s.select(is_later, power, factor)
        return s.mul(largest, factor)

    inputs = [read(most, tuple(outer)), *([position("t")] if op.count > 1 else [])]
    return builder.pointwise("units", axes, inputs, f32, body)


def _sums(op: SplitDigitsOp, builder: TeBuilder, digits: SSAValue, unit: SSAValue) -> SSAValue:
    """Return a tensor with the sum of the activations of each block.

    An activation is a sum over t of digit t times unit t.  The digits of a block are added in
    integers, which is exact; the total of each t is then multiplied by its unit.
    digits, unit: the digits and their units, as te values.
    """
    *rows, _ = sizes_of(op.x)
    outer, halves = {**_rows(rows), "b": op.blocks}, 8 // op.bits
    axes = {**outer, "h": halves, "t": op.count, "j": DIGIT_BLOCK // halves}

    def extended(s: Scalars, digit: SSAValue) -> SSAValue:
        return s.cast(digit, i8, i32)

    def weighed(s: Scalars, total: SSAValue, factor: SSAValue) -> SSAValue:
        return s.mul(s.cast(total, i32, f32), factor)

    exact = ComputeResult((*outer, "t"), i32, "add", 0)
    total = builder.compute("digit_sums", axes, [read(digits, tuple(axes))], exact, extended)
    inputs = [read(v, (*outer, "t")) for v in (total, unit)]
    result = ComputeResult(tuple(outer), f32, "add", 0.0)
    return builder.compute("block_sums", {**outer, "t": op.count}, inputs, result, weighed)


def lower_digit_matmul(op: DigitMatmulOp, builder: TeBuilder) -> SSAValue:
    """Lower to the sum of products of digits and weights in the module docstring.

    If the weights have a constant zero point, ``shift`` contains it as a factor, and ``zero`` is
    left out.
    """
    *rows, blocks, halves, count, length = sizes_of(op.digits)
    assert isinstance(halves, int)
    assert isinstance(length, int)
    outer, columns = _rows(rows), sizes_of(op.w)[0]
    axes: Mapping[str, Extent] = {
        **outer, "n": columns, "b": blocks, **({"t": count} if count != 1 else {}), "j": length
    }  # fmt: skip
    shift = _shift(op, builder)
    result = ComputeResult((*outer, "n"), f32, "add", 0.0)
    inputs = _digit_inputs(op, builder, shift, tuple(outer), "t" if count != 1 else 0)
    terms = length * int(str(count))
    return builder.compute("digit_matmul", axes, inputs, result, _digit_body(op, halves, terms))


def _shift(op: DigitMatmulOp, builder: TeBuilder) -> SSAValue:
    """Return the input ``shift`` of the sum in the module docstring: one number per row and block.

    It is the sum of the block's activations times -1, and times the zero point if the op has no
    tensor of zero points, because the zero point is then a constant.
    """
    *rows, blocks = sizes_of(op.sums)
    axes = {**_rows(rows), "b": blocks}
    factor = -1.0 if op.zero is not None else -float(1 << (op.bits - 1))

    def body(s: Scalars, x: SSAValue) -> SSAValue:
        return s.mul(x, s.constant(factor, f32))

    inputs = [read(builder.value(op.sums), tuple(axes))]
    return builder.pointwise("digit_shift", axes, inputs, f32, body)


def _digit_inputs(
    op: DigitMatmulOp,
    builder: TeBuilder,
    shift: SSAValue,
    rows: tuple[str, ...],
    digit: Position,
) -> list[Access]:
    """Return the inputs of the compute that multiplies digits and weights.

    The inputs are accesses to digits, weights, units, shift, scales and zero points.  A byte stores
    ``8 / bits`` weights, each of which multiplies another activation, so the digits are read by one
    access per weight of a byte.  The zero points are omitted if they are constant.
    shift: the result of `_shift`.
    rows: the axes of the rows.
    digit: the position along the axis of the digits.
    """
    length = dims_of(type_of(op.w))[2].value
    halves = 8 // op.bits
    assert length is not None, "weights are static"
    parts = length * halves // DIGIT_BLOCK
    block: Index = variable("b")
    at: Index = variable("j")
    if parts > 1:
        part = divide("mod", block, parts, unknown_range)
        at = part * (DIGIT_BLOCK // halves) + at
        block = divide("floordiv", block, parts, unknown_range)
    xs = [read(builder.value(op.digits), (*rows, "b", h, digit, "j")) for h in range(halves)]
    zeros = [] if op.zero is None else [read(builder.value(op.zero), ("n", block))]
    return [
        *xs,
        read(builder.value(op.w), ("n", block, at)),
        read(builder.value(op.unit), (*rows, "b", digit)),
        read(shift, (*rows, "b")),
        read(builder.value(op.scale), ("n", block)),
        *zeros,
    ]


def _digit_body(op: DigitMatmulOp, halves: int, terms: int) -> BodyFunction:
    bits, stored = op.bits, element_of(op.scale)

    def body(s: Scalars, *values: SSAValue) -> SSAValue:
        xs, (byte, unit, shift, scale, *zero) = values[:halves], values[halves:]
        products = [
            s.mul(s.cast(x, i8, i32), _number(s, byte, half, bits)) for half, x in enumerate(xs)
        ]
        total = products[0] if halves == 1 else s.add(*products)
        weighed = s.mul(s.cast(total, i32, f32), unit)
        if zero:
            shift = s.mul(shift, s.cast(zero[0], U8, f32))
        share = s.mul(shift, s.constant(1 / terms, f32))
        return s.mul(s.add(weighed, share), s.cast(scale, stored, f32))

    return body


RULES: dict[type, Rule] = {
    BlockMatmulOp: lower_block_matmul,
    SplitDigitsOp: lower_split_digits,
    DigitMatmulOp: lower_digit_matmul,
}
