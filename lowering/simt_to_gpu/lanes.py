"""Handlers of ops that compute: each becomes one op of arith or math per lane.

MLIR's ops leave some results undefined that the loop level defines: quotients by 0, shifts by at
least the bits of the type, and conversions to integers of floats out of range.  Such an op becomes
several ops, which select the defined result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    VectorType,
    f32,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import loop
from ...dialects.arith import RemFOp
from ...dialects.dtypes import bit_width, is_float
from ...dialects.loop import lane_type, lanes_of
from ...dialects.te.reductions import FLOAT_COMBINERS, INTEGER_COMBINERS
from ...support.diagnostics import LoweringError
from ..loop_to_llvm.op_emitter import Handlers
from .builder import KernelBuilder, Lanes

_INDEX_BITS = 64


def operand_lanes(b: KernelBuilder, op: Operation) -> list[tuple[SSAValue, ...]]:
    """Return the operands of each lane of an op's result.

    An item has one lane of each operand; a scalar operand is used for all lanes.
    """
    count = lanes_of(op.results[0].type)
    each = [
        b.lanes[v] if len(b.lanes[v]) == count else [b.lanes[v][0]] * count for v in op.operands
    ]
    return list(zip(*each, strict=True))


def emit_each(b: KernelBuilder, op: Operation) -> None:
    """Emit an op as the same op on each lane."""
    type_ = lane_type(op.results[0].type)
    lanes = [
        b.add(type(op).create(operands=lane, result_types=[type_], properties=dict(op.properties)))
        for lane in operand_lanes(b, op)
    ]
    b.define(op.results[0], lanes)


def emit_constant(b: KernelBuilder, op: arith.ConstantOp) -> None:
    """Emit arith.constant as one constant per lane, or one for equal lanes.

    Errors: LoweringError for a constant that is neither a number nor a list of numbers.
    """
    held = op.value
    if isinstance(held, IntegerAttr | FloatAttr):
        b.define(op.result, [b.constant(held)])
        return
    if not isinstance(held, DenseIntOrFPElementsAttr):
        raise LoweringError("no upstream form of this constant", got=held).at(op)
    type_, numbers = lane_type(op.result.type), cast("Sequence[float]", held.get_values())
    count = cast("VectorType", op.result.type).get_shape()[0]
    if len(numbers) == 1:
        numbers = [numbers[0]] * count
    b.define(op.result, [b.number(type_, number) for number in numbers])


# ---- integers


def _select(b: KernelBuilder, condition: SSAValue, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    return b.add(arith.SelectOp(condition, lhs, rhs))


def _compare(b: KernelBuilder, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    if is_float(lhs.type):
        return b.add(arith.CmpfOp(lhs, rhs, predicate))
    return b.add(arith.CmpiOp(lhs, rhs, predicate))


def _number_of(value: SSAValue) -> float | None:
    owner = value.owner
    held = owner.value if isinstance(owner, arith.ConstantOp) else None
    return held.value.data if isinstance(held, IntegerAttr) else None


def emit_division(b: KernelBuilder, op: Operation) -> None:
    """Emit an integer quotient or remainder: both are 0 for divisor 0; quotients by -1 wrap."""
    lanes = [_divide(b, type(op), *lane) for lane in operand_lanes(b, op)]
    b.define(op.results[0], lanes)


_SIGNED = (arith.DivSIOp, arith.RemSIOp, arith.FloorDivSIOp)


def _divide(b: KernelBuilder, made: type[Operation], x: SSAValue, y: SSAValue) -> SSAValue:
    type_, known = x.type, _number_of(y)

    def divided(divisor: SSAValue) -> SSAValue:
        return b.add(made.create(operands=[x, divisor], result_types=[type_]))

    if known is not None and known not in (0, -1):
        return divided(y)
    zero, one = b.number(type_, 0), b.number(type_, 1)
    is_zero = _compare(b, "eq", y, zero)
    if made not in _SIGNED:
        out = divided(_select(b, is_zero, one, y))
        return _select(b, is_zero, zero, out)
    is_minus = _compare(b, "eq", y, b.number(type_, -1))
    out = divided(_select(b, b.add(arith.OrIOp(is_zero, is_minus, i1)), one, y))
    if made is arith.RemSIOp:
        return out
    out = _select(b, is_minus, b.add(arith.SubiOp(zero, x, type_)), out)
    return _select(b, is_zero, zero, out)


def emit_shift(b: KernelBuilder, op: Operation) -> None:
    """Emit a shift; a shift by at least the bits of the type gives 0, or copies of the sign."""
    b.define(op.results[0], [_shift(b, type(op), *lane) for lane in operand_lanes(b, op)])


def _shift(b: KernelBuilder, made: type[Operation], x: SSAValue, y: SSAValue) -> SSAValue:
    type_ = x.type
    bits = _INDEX_BITS if isinstance(type_, IndexType) else bit_width(type_)
    known = _number_of(y)

    def shifted(amount: SSAValue) -> SSAValue:
        return b.add(made.create(operands=[x, amount], result_types=[type_]))

    if known is not None and 0 <= known < bits:
        return shifted(y)
    inside = _compare(b, "ult", y, b.number(type_, bits))
    if made is arith.ShRSIOp:
        return shifted(_select(b, inside, y, b.number(type_, bits - 1)))
    zero = b.number(type_, 0)
    return _select(b, inside, shifted(_select(b, inside, y, zero)), zero)


def emit_power(b: KernelBuilder, op: Operation) -> None:
    """Emit math.ipowi, with the result 0 for 0 to a negative exponent.

    MLIR leaves this case undefined, so 2 to the same exponent is computed instead, which is 0 as
    well.
    """
    lanes: list[SSAValue] = []
    for base, exponent in operand_lanes(b, op):
        type_ = base.type
        zero = b.number(type_, 0)
        is_zero = _compare(b, "eq", base, zero)
        is_inverse = _compare(b, "slt", exponent, zero)
        has_none = b.add(arith.AndIOp(is_zero, is_inverse, i1))
        safe = _select(b, has_none, b.number(type_, 2), base)
        lanes.append(b.add(math.IPowIOp.create(operands=[safe, exponent], result_types=[type_])))
    b.define(op.results[0], lanes)


# ---- conversions

_CASTS: Mapping[str, type[Operation]] = {
    "extsi": arith.ExtSIOp,
    "extui": arith.ExtUIOp,
    "trunci": arith.TruncIOp,
    "index_cast": arith.IndexCastOp,
    "sitofp": arith.SIToFPOp,
    "uitofp": arith.UIToFPOp,
}


def emit_cast(b: KernelBuilder, op: Operation) -> None:
    """Emit loop.cast, or arith.fptosi or arith.fptoui, as one conversion per lane."""
    kind = op.kind.data if isinstance(op, loop.CastOp) else op.name.removeprefix("arith.")
    type_ = lane_type(op.results[0].type)
    if kind in _CASTS:
        made = _CASTS[kind]
        lanes = [b.add(made.create(operands=x, result_types=[type_])) for x in operand_lanes(b, op)]
    else:
        is_signed = kind == "fptosi"
        lanes = [_to_integer(b, x, type_, is_signed=is_signed) for (x,) in operand_lanes(b, op)]
    b.define(op.results[0], lanes)


def _to_integer(b: KernelBuilder, x: SSAValue, type_: Attribute, *, is_signed: bool) -> SSAValue:
    """Append the conversion of a float to an integer: truncated, saturated, 0 for NaN; return it.

    For i1, the result is ``x != 0``.
    """
    if bit_width(x.type) < bit_width(f32):
        x = b.add(arith.ExtFOp(x, f32))
    source = x.type
    if type_ == i1:
        return _compare(b, "une", x, b.number(source, 0.0))
    bits = bit_width(type_)
    low = -(1 << (bits - 1)) if is_signed else 0
    high = (1 << (bits - int(is_signed))) - 1
    made = arith.FPToSIOp if is_signed else arith.FPToUIOp
    above = _compare(b, "oge", x, b.number(source, low))
    below = _compare(b, "olt", x, b.number(source, high + 1))
    inside = b.add(arith.AndIOp(above, below, i1))
    safe = _select(b, inside, x, b.number(source, 0.0))
    out = b.add(made.create(operands=[safe], result_types=[type_]))
    limit = _select(b, above, b.number(type_, high), b.number(type_, low))
    is_number = _compare(b, "ord", x, x)
    limit = _select(b, is_number, limit, b.number(type_, 0))
    return _select(b, inside, out, limit)


def emit_compare(b: KernelBuilder, op: loop.CompareOp) -> None:
    """Emit loop.cmp as one comparison per lane."""
    predicate = op.predicate.data
    b.define(op.res, [_compare(b, predicate, *lane) for lane in operand_lanes(b, op)])


def emit_select(b: KernelBuilder, op: Operation) -> None:
    """Emit loop.select or arith.select; a scalar condition chooses between whole vectors."""
    b.define(op.results[0], [_select(b, *lane) for lane in operand_lanes(b, op)])


# ---- lanes


def emit_broadcast(b: KernelBuilder, op: Operation) -> None:
    """Record the lanes of loop.broadcast or loop.repeat: the lanes of the operand, repeated."""
    lanes = b.lanes[op.operands[0]]
    count = cast("VectorType", op.results[0].type).get_shape()[0]
    b.define(op.results[0], list(lanes) * (count // len(lanes)))


def emit_pack(b: KernelBuilder, op: Operation) -> None:
    """Record the lanes of loop.pack: its operands."""
    b.define(op.results[0], [b.lanes[value][0] for value in op.operands])


def emit_extract(b: KernelBuilder, op: loop.ExtractOp) -> None:
    """Record the value of loop.extract: one lane of the operand."""
    b.define(op.res, [b.lanes[op.value][op.lane.data]])


def emit_slice(b: KernelBuilder, op: loop.SliceOp) -> None:
    """Record the lanes of loop.slice: consecutive lanes of the operand."""
    count = op.res.type.get_shape()[0]
    b.define(op.res, b.lanes[op.value][op.first.data :][:count])


def emit_keep_lanes(b: KernelBuilder, op: loop.KeepLanesOp) -> None:
    """Record the lanes of loop.keep_lanes: the first from ``value``, the others from ``other``."""
    count = op.lanes.data
    b.define(op.res, [*b.lanes[op.value][:count], *b.lanes[op.other][count:]])


def emit_transpose(b: KernelBuilder, op: loop.TransposeOp) -> None:
    """Record the lanes of loop.transpose: row ``i`` has lane ``i`` of each operand."""
    columns = zip(*(b.lanes[value] for value in op.values), strict=True)
    for row, lanes in zip(op.rows, columns, strict=True):
        b.define(row, lanes)


def emit_index(b: KernelBuilder, op: loop.IndexOp) -> None:
    """Emit loop.index as one index expression per lane, to which lane times step is added."""
    (index,) = b.indices(op)
    count = lanes_of(op.res.type)
    step = 0 if op.step is None else op.step.data
    b.define(op.res, [b.position(index + lane * step) for lane in range(count)])
    if count == 1:
        b.ranges[op.res] = index.range(b.range_of)


# ---- reductions

_FLOATS: Mapping[str, type[Operation]] = {**FLOAT_COMBINERS, "maxnum": arith.MaxnumfOp}


def emit_reduce(b: KernelBuilder, op: loop.ReduceOp | loop.ReduceRowsOp) -> None:
    """Emit loop.reduce or loop.reduce_rows: each operand becomes one lane of the result.

    The lanes of an operand are combined.
    """
    b.define(op.res, [_reduced(b, op, b.lanes[value]) for value in op.operands])


def _reduced(b: KernelBuilder, op: loop.ReduceOp | loop.ReduceRowsOp, lanes: Lanes) -> SSAValue:
    """Reduce lanes to one value: combine the two halves until one lane is left; return it.

    A reduction of narrow floats is computed in f32 and rounded once.
    """
    type_, kind = lanes[0].type, op.kind.data
    is_narrow = is_float(type_) and bit_width(type_) < bit_width(f32)
    made = (_FLOATS if is_float(type_) else INTEGER_COMBINERS).get(kind)
    if made is None:
        raise LoweringError("no upstream form of this reduction", got=f"{kind} of {type_}").at(op)
    values = [b.add(arith.ExtFOp(x, f32)) for x in lanes] if is_narrow else list(lanes)
    computed = f32 if is_narrow else type_
    while len(values) > 1:
        half = len(values) // 2
        pairs = zip(values[:half], values[half:], strict=True)
        values = [b.add(made.create(operands=pair, result_types=[computed])) for pair in pairs]
    (out,) = values
    return b.add(arith.TruncFOp(out, cast(AnyFloat, type_))) if is_narrow else out


_SAME: tuple[type[Operation], ...] = (
    arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp, arith.AddiOp, arith.SubiOp,
    arith.MuliOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.MaxSIOp, arith.MaxUIOp,
    arith.MinSIOp, arith.MinUIOp, arith.MaximumfOp, arith.MinimumfOp, arith.MaxnumfOp,
    arith.MinnumfOp, arith.NegfOp, arith.ExtFOp, arith.TruncFOp, arith.BitcastOp, arith.CmpfOp,
    arith.CmpiOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp, arith.IndexCastOp, arith.SIToFPOp,
    arith.UIToFPOp,
    math.AbsFOp, math.AbsIOp, math.AcosOp, math.AcoshOp, math.AsinOp, math.AsinhOp, math.AtanOp,
    math.Atan2Op, math.AtanhOp, math.CeilOp, math.CopySignOp, math.CosOp, math.CoshOp,
    math.CtPopOp, math.ErfOp, math.ExpOp, math.Exp2Op, math.ExpM1Op, math.FloorOp, math.FmaOp,
    math.LogOp, math.Log10Op, math.Log1pOp, math.Log2Op, math.PowFOp, math.RoundOp,
    math.RoundEvenOp, math.RsqrtOp, math.SinOp, math.SinhOp, math.SqrtOp, math.TanOp, math.TanhOp,
    math.TruncOp, RemFOp,
)  # fmt: skip
HANDLERS: Handlers = {
    **dict.fromkeys(_SAME, emit_each),
    arith.ConstantOp: emit_constant,
    **dict.fromkeys(
        (arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp, arith.FloorDivSIOp),
        emit_division,
    ),
    **dict.fromkeys((arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp), emit_shift),
    math.IPowIOp: emit_power,
    **dict.fromkeys((arith.FPToSIOp, arith.FPToUIOp, loop.CastOp), emit_cast),
    loop.CompareOp: emit_compare,
    **dict.fromkeys((loop.SelectOp, arith.SelectOp), emit_select),
    **dict.fromkeys((loop.BroadcastOp, loop.RepeatOp), emit_broadcast),
    loop.PackOp: emit_pack,
    loop.ExtractOp: emit_extract,
    loop.SliceOp: emit_slice,
    loop.KeepLanesOp: emit_keep_lanes,
    loop.TransposeOp: emit_transpose,
    loop.IndexOp: emit_index,
    **dict.fromkeys((loop.ReduceOp, loop.ReduceRowsOp), emit_reduce),
}
