"""Handlers that emit arith ops, loop.cmp, loop.select and the lane ops of the loop dialect.

A handler appends instructions by `LaneCode` and defines the result's printed operand. f16 and bf16
operands are widened to f32; the result is computed in f32 and rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import loop
from ...support.diagnostics import LoweringError
from . import integers, narrow
from .lane_code import LaneCode
from .math_builder import MathBuilder
from .op_emitter import Handlers, OpEmitter
from .quantized import emit_rounded
from .types import LlvmType

FLOAT_BINARY: dict[type[Operation], str] = {
    arith.AddfOp: "fadd",
    arith.SubfOp: "fsub",
    arith.MulfOp: "fmul",
    arith.DivfOp: "fdiv",
}
INTEGER_BINARY: dict[type[Operation], str] = {
    arith.AddiOp: "add",
    arith.SubiOp: "sub",
    arith.MuliOp: "mul",
    arith.AndIOp: "and",
    arith.OrIOp: "or",
    arith.XOrIOp: "xor",
}
INTEGER_INTRINSICS: dict[type[Operation], str] = {
    arith.MaxSIOp: "smax",
    arith.MaxUIOp: "umax",
    arith.MinSIOp: "smin",
    arith.MinUIOp: "umin",
}
_DIVISIONS: dict[type[Operation], str] = {
    arith.DivSIOp: "sdiv",
    arith.DivUIOp: "udiv",
    arith.RemSIOp: "srem",
    arith.RemUIOp: "urem",
}
_SHIFTS: dict[type[Operation], str] = {
    arith.ShLIOp: "shl",
    arith.ShRSIOp: "ashr",
    arith.ShRUIOp: "lshr",
}

# ---- numbers


def number_of(value: SSAValue) -> float | None:
    """Return the number that a value has in all elements; None if it is not a constant.

    The value may be a constant or the broadcast of a constant.
    """
    owner = value.owner
    if isinstance(owner, loop.BroadcastOp):
        owner = owner.value.owner
    if not isinstance(owner, arith.ConstantOp):
        return None
    numbers = _numbers(owner.value)
    return numbers[0] if len(numbers) == 1 else None


def _numbers(attribute: Attribute) -> Sequence[float]:
    """Return the elements of a constant; a single one for a scalar, or if all are equal.

    Errors: LoweringError for a constant that is neither a number nor a dense list of numbers.
    """
    if isinstance(attribute, IntegerAttr | FloatAttr):
        return [cast("float", attribute.value.data)]
    if not isinstance(attribute, DenseIntOrFPElementsAttr):
        raise LoweringError("no machine code for this constant", got=attribute)
    values = cast("Sequence[float]", attribute.get_values())
    return values[:1] if attribute.is_splat() else values


def emit_constant(e: OpEmitter, op: arith.ConstantOp) -> None:
    """Define arith.constant as a printed LLVM constant, without an instruction."""
    type_, numbers = e.type_of(op.result), _numbers(op.value)
    text = type_.const(numbers[0]) if len(numbers) == 1 else type_.lane_constants(list(numbers))
    e.define(op.result, text)


# ---- binary operations


def emit_float_binary(e: OpEmitter, op: Operation) -> None:
    """Emit a float addition, subtraction, multiplication or division."""
    result, (lhs, rhs) = op.results[0], op.operands
    type_, opcode = e.type_of(result), FLOAT_BINARY[type(op)]
    if opcode == "fdiv":
        emit_with_floats(e, op, lambda t, x: MathBuilder(e, t).div(x[0], x[1]))
        return
    if type_.is_narrow:
        wide = type_.of("f32")
        a, b = (narrow.widen(e, e.values[v], type_) for v in (lhs, rhs))
        e.values[result] = narrow.narrow(e, e.binary(opcode, wide, a, b), type_)
        return
    e.values[result] = e.binary(opcode, type_, e.values[lhs], e.values[rhs])


def emit_integer_binary(e: OpEmitter, op: Operation) -> None:
    """Emit a bitwise operation, or an integer sum, difference or product, which wraps."""
    result, (lhs, rhs) = op.results[0], op.operands
    opcode, type_ = INTEGER_BINARY[type(op)], e.type_of(result)
    e.define(result, e.binary(opcode, type_, e.values[lhs], e.values[rhs]))


def emit_integer_extremum(e: OpEmitter, op: Operation) -> None:
    """Emit a signed or unsigned integer maximum or minimum."""
    result, (lhs, rhs) = op.results[0], op.operands
    name = INTEGER_INTRINSICS[type(op)]
    e.define(result, e.intrinsic(name, e.type_of(result), e.values[lhs], e.values[rhs]))


def emit_division(e: OpEmitter, op: Operation) -> None:
    """Emit an integer quotient or remainder."""
    result, (lhs, rhs) = op.results[0], op.operands
    opcode, type_, divisor = _DIVISIONS[type(op)], e.type_of(result), number_of(rhs)
    a = e.values[lhs]
    if divisor is not None:
        out = integers.divide_constant(e, type_, opcode, a, int(divisor))
    else:
        emit = integers.divide if opcode.endswith("div") else integers.remainder
        out = emit(e, type_, a, e.values[rhs], signed=opcode[0] == "s")
    e.define(result, out)


def emit_floor_division(e: OpEmitter, op: Operation) -> None:
    """Emit a signed quotient, rounded down."""
    result, (lhs, rhs) = op.results[0], op.operands
    out = integers.floor_divide(e, e.type_of(result), e.values[lhs], e.values[rhs])
    e.define(result, out)


def emit_shift(e: OpEmitter, op: Operation) -> None:
    """Emit a shift; the amount may be as large as the width of the type or larger."""
    result, (lhs, rhs) = op.results[0], op.operands
    type_, opcode, amount = e.type_of(result), _SHIFTS[type(op)], number_of(rhs)
    a, b = e.values[lhs], e.values[rhs]
    if amount is not None and 0 <= amount < type_.bits:
        e.define(result, e.binary(opcode, type_, a, b))
    else:
        e.define(result, integers.shift(e, type_, opcode, a, b))


# ---- maximum and minimum


def maximum(e: LaneCode, type_: LlvmType, a: str, b: str, *, numeric: bool = False) -> str:
    """Append the maximum of two floats; return its printed operand.

    If a or b is NaN, the maximum is NaN; -0 is less than +0.
    numeric: whether the caller knows that b is not NaN.  Then one instruction suffices, but the
    maximum of zeros of different signs is a.
    """
    if numeric:
        return _extremum_with_number(e, type_, "ogt", a, b)
    return e.intrinsic("maximum", type_, a, b)


def minimum(e: LaneCode, type_: LlvmType, a: str, b: str, *, numeric: bool = False) -> str:
    """Append the minimum of two floats; return its printed operand.

    If a or b is NaN, the minimum is NaN; -0 is less than +0.
    numeric: whether the caller knows that b is not NaN.  Then one instruction suffices, but the
    minimum of zeros of different signs is a.
    """
    if numeric:
        return _extremum_with_number(e, type_, "olt", a, b)
    orders = [_extremum_with_number(e, type_, "olt", *pair) for pair in ((a, b), (b, a))]
    x, y = (e.cast("bitcast", v, type_, type_.integer) for v in orders)
    return e.cast("bitcast", e.binary("or", type_.integer, x, y), type_.integer, type_)


def _extremum_with_number(e: LaneCode, type_: LlvmType, predicate: str, x: str, number: str) -> str:
    """Append the maximum or minimum of x and a float that is not NaN, as one maxps or minps.

    The result is x if x is NaN or equal to ``number``.
    predicate: the comparison of ``number`` with x under which the result is ``number``: ``ogt`` for
    a maximum, ``olt`` for a minimum.
    """
    condition = e.binary(f"fcmp {predicate}", type_, number, x)
    return e.select(condition, type_, number, x)


def emit_extremum(e: OpEmitter, op: Operation) -> None:
    """Emit arith.maximumf or arith.minimumf: if an operand is NaN, the result is NaN."""
    result, (lhs, rhs) = op.results[0], op.operands
    emit = maximum if type(op) is arith.MaximumfOp else minimum
    if _is_number(lhs):
        lhs, rhs = rhs, lhs
    type_ = e.type_of(result)
    a, b = _floats(e, type_, (lhs, rhs))
    wide = _computed_type(type_)
    e.values[result] = _stored(e, type_, emit(e, wide, a, b, numeric=_is_number(rhs)))


def _is_number(value: SSAValue) -> bool:
    number = number_of(value)
    return number is not None and number == number


def emit_number_extremum(e: OpEmitter, op: Operation) -> None:
    """Emit arith.maxnumf or arith.minnumf: if one operand is NaN, return the other one."""
    result, (lhs, rhs) = op.results[0], op.operands
    type_ = e.type_of(result)
    a, b = _floats(e, type_, (lhs, rhs))
    wide = _computed_type(type_)
    predicate = "ogt" if type(op) is arith.MaxnumfOp else "olt"
    chosen = _extremum_with_number(e, wide, predicate, b, a)
    missing = e.binary("fcmp uno", wide, b, b)
    e.values[result] = _stored(e, type_, e.select(missing, wide, a, chosen))


def _computed_type(type_: LlvmType) -> LlvmType:
    return type_.of("f32") if type_.is_narrow else type_


def _floats(e: OpEmitter, type_: LlvmType, values: Sequence[SSAValue]) -> list[str]:
    """Return the printed operands of values, widened to the type in which the op is computed.

    That type is f32 for narrow floats; other types stay as they are.
    type_: the type of the values.
    """
    texts = [e.values[v] for v in values]
    return [narrow.widen(e, x, type_) for x in texts] if type_.is_narrow else texts


def _stored(e: LaneCode, type_: LlvmType, x: str) -> str:
    """Append the rounding of a computed float to the type of an op's result; return it.

    type_: the type of the result.  Only narrow floats need rounding.
    """
    return narrow.narrow(e, x, type_) if type_.is_narrow else x


def emit_with_floats(
    e: OpEmitter, op: Operation, emit: Callable[[LlvmType, Sequence[str]], str]
) -> None:
    """Emit a float operation, which is computed in f32 or f64, and round its result.

    emit: appends the operation; it takes the type of the computation and the printed operands, and
    returns the printed result.
    """
    result = op.results[0]
    type_ = e.type_of(result)
    operands = _floats(e, type_, op.operands)
    e.values[result] = _stored(e, type_, emit(_computed_type(type_), operands))


def emit_negation(e: OpEmitter, op: Operation) -> None:
    """Emit arith.negf as a change of the sign."""
    emit_with_floats(e, op, lambda t, x: e.neg(t, x[0]))


# ---- conversions


def emit_integer_cast(e: OpEmitter, op: Operation, kind: str) -> None:
    """Emit an integer conversion.

    kind: the conversion: ``extsi``, ``extui`` or ``trunci``.
    """
    source, result = op.operands[0], op.results[0]
    opcode = {"extsi": "sext", "extui": "zext", "trunci": "trunc"}[kind]
    e.define(result, e.cast(opcode, e.values[source], e.type_of(source), e.type_of(result)))


def emit_index_cast(e: OpEmitter, op: Operation, _kind: str) -> None:
    """Emit a conversion between index and an integer type; it extends the sign."""
    source, result = op.operands[0], op.results[0]
    a, b = e.type_of(source), e.type_of(result)
    e.define(result, e.cast("sext" if b.bits > a.bits else "trunc", e.values[source], a, b))


def emit_to_float(e: OpEmitter, op: Operation, kind: str) -> None:
    """Emit an integer-to-float conversion.

    kind: sitofp or uitofp.
    """
    source, result = op.operands[0], op.results[0]
    type_ = e.type_of(result)
    x = e.cast(kind, e.values[source], e.type_of(source), _computed_type(type_))
    e.values[result] = _stored(e, type_, x)


def emit_from_float(e: OpEmitter, op: Operation, kind: str) -> None:
    """Emit a saturating float-to-integer conversion.

    kind: fptosi or fptoui.
    """
    source, result = op.operands[0], op.results[0]
    type_, signed = e.type_of(source), kind == "fptosi"
    if emit_rounded(e, op, signed=signed):
        return
    (x,) = _floats(e, type_, [source])
    wide = _computed_type(type_)
    e.define(result, integers.from_float(e, x, wide, e.type_of(result), signed=signed))


_CONVERSIONS: dict[str, Callable[[OpEmitter, Operation, str], None]] = {
    "extsi": emit_integer_cast,
    "extui": emit_integer_cast,
    "trunci": emit_integer_cast,
    "index_cast": emit_index_cast,
    "sitofp": emit_to_float,
    "uitofp": emit_to_float,
    "fptosi": emit_from_float,
    "fptoui": emit_from_float,
}


def emit_conversion(e: OpEmitter, op: Operation) -> None:
    """Emit a conversion op of arith, or a loop.cast, whose kind names the conversion."""
    is_vector_form = isinstance(op, loop.CastOp)
    kind = op.kind.data if is_vector_form else op.name.removeprefix("arith.")
    _CONVERSIONS[kind](e, op, kind)


def emit_extension(e: OpEmitter, op: Operation) -> None:
    """Emit arith.extf; f16 and bf16 are converted through f32."""
    source, result = op.operands[0], op.results[0]
    a, b, x = e.type_of(source), e.type_of(result), e.values[source]
    if a.is_narrow:
        x, a = narrow.widen(e, x, a), a.of("f32")
    e.values[result] = e.cast("fpext", x, a, b)


def emit_truncation(e: OpEmitter, op: Operation) -> None:
    """Emit arith.truncf, which rounds once."""
    source, result = op.operands[0], op.results[0]
    a, b, x = e.type_of(source), e.type_of(result), e.values[source]
    if a.is_narrow:
        x, a = narrow.widen(e, x, a), a.of("f32")
    emit = narrow.narrow_f64 if a.bits == 64 else narrow.narrow
    e.values[result] = emit(e, x, b)


def emit_bitcast(e: OpEmitter, op: Operation) -> None:
    """Emit arith.bitcast; between i16 and 16-bit floats, which are stored as i16, it is a no-op."""
    source, result = op.operands[0], op.results[0]
    e.define(result, e.cast("bitcast", e.values[source], e.type_of(source), e.type_of(result)))


# ---- comparison and selection


def emit_compare(e: OpEmitter, op: loop.CompareOp) -> None:
    """Emit loop.cmp, whose predicate is that of LLVM's icmp or fcmp."""
    _compare(e, op, op.predicate.data)


_FLOAT_NAMES = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
    "une", "uno", "true",
)  # fmt: skip
_INTEGER_NAMES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def emit_arith_compare(e: OpEmitter, op: arith.CmpfOp | arith.CmpiOp) -> None:
    """Emit arith.cmpf or arith.cmpi as LLVM's fcmp or icmp."""
    names = _FLOAT_NAMES if isinstance(op, arith.CmpfOp) else _INTEGER_NAMES
    _compare(e, op, names[op.predicate.value.data])


def _compare(e: OpEmitter, op: Operation, predicate: str) -> None:
    lhs, rhs = op.operands
    type_ = e.type_of(lhs)
    if type_.is_float or type_.is_narrow:
        a, b = _floats(e, type_, (lhs, rhs))
        out = e.binary(f"fcmp {predicate}", _computed_type(type_), a, b)
    else:
        out = e.binary(f"icmp {predicate}", type_, e.values[lhs], e.values[rhs])
    e.values[op.results[0]] = out


def emit_select(e: OpEmitter, op: Operation) -> None:
    """Emit arith.select or loop.select; a scalar condition may select between vectors."""
    condition, lhs, rhs = op.operands
    result = op.results[0]
    c, a, b = e.values[condition], e.values[lhs], e.values[rhs]
    e.define(result, e.select(c, e.type_of(result), a, b, mask=e.type_of(condition)))


# ---- lanes


def emit_broadcast(e: OpEmitter, op: loop.BroadcastOp) -> None:
    """Emit loop.broadcast; a constant needs no instruction."""
    type_, number = e.type_of(op.res), number_of(op.value)
    text = type_.const(number) if number is not None else e.splat(type_, e.values[op.value])
    e.define(op.res, text)


def emit_pack(e: OpEmitter, op: loop.PackOp) -> None:
    """Emit loop.pack: a vector of scalars."""
    e.define(op.res, e.pack(e.type_of(op.res), [e.values[value] for value in op.values]))


def emit_transpose(e: OpEmitter, op: loop.TransposeOp) -> None:
    """Emit loop.transpose in log2(n) shuffles per row: swap the corners of squares of growing size.

    Source: Eklundh, "A fast computer method for matrix transposing", 1972.
    """
    type_ = e.type_of(op.rows[0])
    rows, lanes = [e.values[v] for v in op.values], type_.lanes
    size = 1
    while size < lanes:
        low = [lane if not lane & size else lanes + lane - size for lane in range(lanes)]
        high = [lane + size if not lane & size else lanes + lane for lane in range(lanes)]
        for i in (i for i in range(lanes) if not i & size):
            pair = rows[i], rows[i + size]
            rows[i], rows[i + size] = (e.shuffle(type_, *pair, picked) for picked in (low, high))
        size *= 2
    for result, row in zip(op.rows, rows, strict=True):
        e.define(result, row)


def emit_extract(e: OpEmitter, op: loop.ExtractOp) -> None:
    """Emit loop.extract: one lane of a vector."""
    type_ = e.type_of(op.value)
    out = e.values[op.value]
    if type_.lanes > 1:
        out = e.extract(type_, out, op.lane.data)
    e.define(op.res, out)


def emit_keep_lanes(e: OpEmitter, op: loop.KeepLanesOp) -> None:
    """Emit loop.keep_lanes as a select whose mask has the first lanes."""
    type_ = e.type_of(op.res)
    mask = type_.first_lanes(op.lanes.data)
    e.define(op.res, e.select(mask, type_, e.values[op.value], e.values[op.other]))


def emit_index(e: OpEmitter, op: loop.IndexOp) -> None:
    """Emit loop.index: an index expression, plus lane times step in each lane of a vector."""
    type_ = e.type_of(op.res)
    (index,) = e.indices(op)
    x = e.splat(type_, e.index_value(index))
    if op.step is not None and type_.lanes > 1:
        steps = type_.lane_constants([lane * op.step.data for lane in range(type_.lanes)])
        x = e.binary("add", type_, x, steps)
    e.define(op.res, x)


_REDUCTIONS: dict[str, tuple[str, str]] = {
    # kind: (opcode of floats, opcode or intrinsic of integers)
    "add": ("fadd", "add"),
    "mul": ("fmul", "mul"),
    "max": ("maximum", "smax"),
    "min": ("minimum", "smin"),
    "maxnum": ("maxnum", ""),
    "umax": ("", "umax"),
    "umin": ("", "umin"),
    "and": ("", "and"),
    "or": ("", "or"),
    "xor": ("", "xor"),
}


def combine(e: LaneCode, kind: str, type_: LlvmType, a: str, b: str) -> str:
    """Append one step of a reduction, which combines a and b; return its printed operand.

    kind: the combiner of loop.reduce, such as add or max.
    Errors: LoweringError for a kind that the type does not support.
    """
    float_name, integer_name = _REDUCTIONS.get(kind, ("", ""))
    name = float_name if type_.is_float else integer_name
    if name in ("maximum", "minimum"):
        return (maximum if name == "maximum" else minimum)(e, type_, a, b)
    if name == "maxnum":
        # Accumulator lanes are never NaN.
        return e.select(e.binary("fcmp ogt", type_, a, b), type_, a, b)
    if name in ("smax", "smin", "umax", "umin"):
        return e.intrinsic(name, type_, a, b)
    if not name:
        raise LoweringError(
            "no such reduction of this type", expected=", ".join(_REDUCTIONS), got=kind
        )
    return e.binary(name, type_, a, b)


def emit_reduce(e: OpEmitter, op: loop.ReduceOp) -> None:
    """Emit loop.reduce: combine the two halves of the vector until one lane is left.

    A vector of i1 takes one instruction, because the order of its lanes does not matter.
    Exact: the order depends only on the number of lanes.
    """
    source = e.type_of(op.value)
    type_, x = _computed_type(source), e.values[op.value]
    if source.format == "i1" and op.kind.data in ("and", "or"):
        e.define(op.res, e.reduce_mask(op.kind.data, type_, x))
        return
    if source.is_narrow:
        x = narrow.widen(e, x, source)
    while type_.lanes > 1:
        low, high, type_ = _halves(e, type_, x)
        x = combine(e, op.kind.data, type_, low, high)
    e.define(op.res, _stored(e, source.scalar, x))


def emit_reduce_rows(e: OpEmitter, op: loop.ReduceRowsOp) -> None:
    """Emit loop.reduce_rows, which reduces the lanes of several vectors into one vector.

    First, each vector is halved until two vectors fit into one.  Then pairs of vectors are halved
    together.  Of n vectors, vectors i and i + n / 2 form a pair, so the lanes of the result are in
    the order of the vectors.
    Exact: each vector is reduced in the order of loop.reduce.
    """
    source = e.type_of(op.rows[0])
    type_, rows = _computed_type(source), _floats(e, source, op.rows)
    size = type_.lanes
    while size > 2 * len(op.rows):
        rows = [combine(e, op.kind.data, *_halves_of_runs(e, type_, [x], size)) for x in rows]
        size //= 2
        type_ = type_.with_lanes(size)
    while size > 1:
        half = len(rows) // 2
        pairs = list(zip(rows, rows[half:], strict=False)) if half else [(rows[0],)]
        halves = [_halves_of_runs(e, type_, pair, size) for pair in pairs]
        rows = [combine(e, op.kind.data, *h) for h in halves]
        size, type_ = size // 2, halves[0][0]
    e.define(op.res, _stored(e, type_.of(source.format), rows[0]))


def _halves_of_runs(
    e: LaneCode, type_: LlvmType, vectors: Sequence[str], size: int
) -> tuple[LlvmType, str, str]:
    """Split each group of adjacent lanes into halves; collect all first and all second halves.

    vectors: one vector, or two vectors, whose groups alternate in the results.
    size: the number of lanes of a group.
    Returns the type of the two resulting vectors, the vector of all first halves, and the vector of
    all second halves.
    """
    low = [
        number * type_.lanes + start + lane
        for start in range(0, type_.lanes, size)
        for number in range(len(vectors))
        for lane in range(size // 2)
    ]
    high = [lane + size // 2 for lane in low]
    halves = [e.shuffle(type_, vectors[0], vectors[-1], picked) for picked in (low, high)]
    return type_.with_lanes(len(low)), halves[0], halves[1]


def _halves(e: LaneCode, type_: LlvmType, x: str) -> tuple[str, str, LlvmType]:
    """Return the first half of a vector's lanes, the second half, and the type of a half.

    Errors: LoweringError for an odd number of lanes.
    """
    if type_.lanes % 2:
        raise LoweringError("loop.reduce needs a power of 2 of lanes", got=type_.lanes)
    if type_.lanes == 2:
        low, high = (e.extract(type_, x, lane) for lane in (0, 1))
        return low, high, type_.scalar
    count = type_.lanes // 2
    low, high = (e.part(type_, x, start, count) for start in (0, count))
    return low, high, type_.with_lanes(count)


_SCALAR_CONVERSIONS: tuple[type[Operation], ...] = (
    arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp, arith.IndexCastOp, arith.SIToFPOp,
    arith.UIToFPOp, arith.FPToSIOp, arith.FPToUIOp,
)  # fmt: skip
HANDLERS: Handlers = {
    arith.ConstantOp: emit_constant,
    **dict.fromkeys(FLOAT_BINARY, emit_float_binary),
    **dict.fromkeys(INTEGER_BINARY, emit_integer_binary),
    **dict.fromkeys(INTEGER_INTRINSICS, emit_integer_extremum),
    **dict.fromkeys(_DIVISIONS, emit_division),
    **dict.fromkeys(_SHIFTS, emit_shift),
    **dict.fromkeys(_SCALAR_CONVERSIONS, emit_conversion),
    arith.FloorDivSIOp: emit_floor_division,
    arith.MaximumfOp: emit_extremum,
    arith.MinimumfOp: emit_extremum,
    arith.MaxnumfOp: emit_number_extremum,
    arith.MinnumfOp: emit_number_extremum,
    arith.NegfOp: emit_negation,
    arith.ExtFOp: emit_extension,
    arith.TruncFOp: emit_truncation,
    arith.BitcastOp: emit_bitcast,
    arith.CmpfOp: emit_arith_compare,
    arith.CmpiOp: emit_arith_compare,
    arith.SelectOp: emit_select,
    loop.CastOp: emit_conversion,
    loop.PackOp: emit_pack,
    loop.TransposeOp: emit_transpose,
    loop.CompareOp: emit_compare,
    loop.SelectOp: emit_select,
    loop.BroadcastOp: emit_broadcast,
    loop.ExtractOp: emit_extract,
    loop.KeepLanesOp: emit_keep_lanes,
    loop.IndexOp: emit_index,
    loop.ReduceOp: emit_reduce,
    loop.ReduceRowsOp: emit_reduce_rows,
}
