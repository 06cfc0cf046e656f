"""Handlers of machine instructions and short vectors.

loop.intrinsic becomes the ops of the emission region of its te.intrinsic, such as loop.call_llvm.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from ...dialects.te import IntrinsicOp, find_intrinsic
from ...dialects.te.body import YieldOp
from ...support.diagnostics import LoweringError
from .arithmetic import emit_broadcast
from .emitter import KernelEmitter
from .op_emitter import Handlers, OpEmitter
from .tiles import zero_tile
from .types import MAX_INTEGER_BITS, llvm_type


def emit_intrinsic(e: KernelEmitter, op: loop.IntrinsicOp) -> None:
    """Emit loop.intrinsic: the ops in the emission region of its te.intrinsic.

    Errors: LoweringError if the target lacks a feature that the intrinsic needs.
    """
    intrinsic = intrinsic_of(op)
    missing = [f.data for f in intrinsic.features if not e.target.has(f.data)]
    if missing:
        raise LoweringError(
            f"the target lacks what @{intrinsic.label} needs",
            expected=", ".join(missing),
            got=str(e.target),
        ).at(op)
    emit_emission(e, op, intrinsic, e.emit_op)


def intrinsic_of(op: loop.IntrinsicOp) -> IntrinsicOp:
    """Return the te.intrinsic whose name a loop.intrinsic refers to.

    Errors: LoweringError if the module has no intrinsic of this name.
    """
    name = op.callee.string_value()
    intrinsic = find_intrinsic(op, name)
    if intrinsic is None:
        raise LoweringError(f"the module has no intrinsic @{name}").at(op)
    return intrinsic


def emit_emission(
    e: OpEmitter, op: Operation, intrinsic: IntrinsicOp, emit: Callable[[Operation], None]
) -> None:
    """Emit a machine instruction: the ops in the emission region of its te.intrinsic.

    op: the loop.intrinsic.
    emit: emits one op of the region.
    """
    block = intrinsic.emission.block
    for argument, value in zip(block.args, op.operands, strict=True):
        e.values[argument] = e.values[value]
    for inner in block.ops:
        if isinstance(inner, YieldOp):
            e.define(op.results[0], e.values[inner.operands[0]])
        else:
            emit(inner)


def emit_call_llvm(e: KernelEmitter, op: loop.CallLlvmOp) -> None:
    """Emit loop.call_llvm as a call; bf16 vectors are passed as LLVM's type bfloat."""
    arguments = [_argument(e, v) for v in op.arguments]
    result, function = e.type_of(op.res).text, f"@{op.function.data}"
    e.declarations.add(f"declare {result} {function}({', '.join(t for t, _ in arguments)})")
    given = ", ".join(f"{t} {v}" for t, v in arguments)
    e.define(op.res, e.emit(f"call {result} {function}({given})"))


def _argument(e: KernelEmitter, value: SSAValue) -> tuple[str, str]:
    """Return a value as an argument of an LLVM function: its LLVM type and its printed operand."""
    type_, x = e.type_of(value), e.values[value]
    if type_.format != "bf16" or type_.rows:
        return type_.text, x
    own = f"<{type_.lanes} x bfloat>"
    return own, e.emit(f"bitcast {type_.text} {x} to {own}")


def emit_repeat(e: KernelEmitter, op: loop.RepeatOp) -> None:
    """Emit loop.repeat, which repeats a short vector in all lanes of a vector.

    If the short vector fits into one integer, the integer is broadcast; otherwise a shuffle is
    used.
    """
    short, wide = e.type_of(op.value), e.type_of(op.res)
    value, bits = e.values[op.value], short.bits * short.lanes
    if bits <= MAX_INTEGER_BITS:
        whole = llvm_type(f"i{bits}", wide.lanes // short.lanes)
        x = e.cast("bitcast", value, short, whole.scalar)
        e.define(op.res, e.cast("bitcast", e.splat(whole, x), whole, wide))
        return
    places = ", ".join(f"i32 {n % short.lanes}" for n in range(wide.lanes))
    t = short.text
    e.define(
        op.res,
        e.emit(f"shufflevector {t} {value}, {t} poison, <{wide.lanes} x i32> <{places}>"),
    )


def emit_slice(e: KernelEmitter, op: loop.SliceOp) -> None:
    """Emit loop.slice, which extracts adjacent lanes.

    If possible, the vector is read as a vector of wider integers, of which one lane is extracted:
    if the vector was loaded from memory, LLVM then loads only this lane.  Otherwise, a shuffle is
    used.
    """
    whole, part = e.type_of(op.value), e.type_of(op.res)
    value, bits, first = e.values[op.value], part.bits * part.lanes, op.first.data
    if bits > MAX_INTEGER_BITS or first % part.lanes or whole.lanes % part.lanes:
        e.define(op.res, e.part(whole, value, first, part.lanes))
        return
    words = llvm_type(f"i{bits}", whole.lanes // part.lanes)
    word = e.extract(words, e.cast("bitcast", value, whole, words), first // part.lanes)
    e.define(op.res, e.cast("bitcast", word, words.scalar, part))


def emit_join(e: KernelEmitter, op: loop.JoinOp) -> None:
    """Emit loop.join as a shuffle of two vectors."""
    half = e.type_of(op.lhs)
    lhs, rhs = e.values[op.lhs], e.values[op.rhs]
    e.define(op.res, e.shuffle(half, lhs, rhs, range(2 * half.lanes)))


def emit_broadcast_or_zero(e: KernelEmitter, op: loop.BroadcastOp) -> None:
    """Emit loop.broadcast to a vector, or to a tile register, which can only be filled with 0."""
    if e.type_of(op.res).rows:
        e.define(op.res, zero_tile(e, op))
    else:
        emit_broadcast(e, op)


HANDLERS: Handlers = {
    loop.IntrinsicOp: emit_intrinsic,
    loop.CallLlvmOp: emit_call_llvm,
    loop.RepeatOp: emit_repeat,
    loop.SliceOp: emit_slice,
    loop.JoinOp: emit_join,
    loop.BroadcastOp: emit_broadcast_or_zero,
}
