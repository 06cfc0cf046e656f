"""Handlers of machine instructions in C99: functions of the Arm C Language Extensions (ACLE).

    %r = loop.intrinsic @vmladava(%c, %a, %b) : (vector<1xi32>, vector<16xi8>, ..) -> vector<1xi32>
    =>
    sum = (uint32_t)vmladavaq_s8((int32_t)sum, t1, t2);

A vector of short integers is one value of C: a word, or a vector register of 128 bits.  Source of
the functions: Arm C Language Extensions (IHI 0053), and its intrinsics of Helium (IHI 0101).
"""

from __future__ import annotations

from collections.abc import Mapping

from ...dialects import loop
from ...support.diagnostics import LoweringError
from ..loop_to_llvm.instructions import emit_emission, intrinsic_of
from .dialect import C99Type
from .emitter import CKernelEmitter

CALLS: Mapping[str, str] = {
    "llvm.arm.sxtb16": "(uint32_t)__sxtb16((int8x4_t){0})",
    "llvm.arm.uxtb16": "(uint32_t)__uxtb16({0})",
    "llvm.fshr.i32": "({0} << (32 - {2}) | {1} >> {2})",
    "llvm.arm.smlad": "(uint32_t)__smlad((int16x2_t){0}, (int16x2_t){1}, (int32_t){2})",
    "llvm.arm.mve.vmldava.v16i8": "(uint32_t)vmladavaq_s8((int32_t){3}, {4}, {5})",
}
"""The function of ACLE for each function of LLVM, with the places of its arguments."""

LOADS: Mapping[str, str] = {"i32": "word_at({0})", "i128": "vldrbq_s8((const int8_t *){0})"}
"""The load of each type of vectors, with the place of the address."""

HEADERS: Mapping[str, str] = {"__smlad(": "arm_acle.h", "vmladavaq_s8(": "arm_mve.h"}
"""The header for a file that contains a text."""


def emit_packed_load(e: CKernelEmitter, op: loop.LoadOp, type_: C99Type) -> None:
    """Emit loop.load of a vector of short integers, which is one value of the type ``type_``.

    Errors: LoweringError for a padded or partial load.
    """
    if op.pad is not None or op.lanes is not None:
        raise LoweringError("C source loads whole vectors", got=str(op)).at(op)
    address = e.address_text(op)
    place = f"&{e.values[op.mem]}[{address}]"
    e.define(op.res, e.named_variable("", type_, LOADS[type_.format].format(place)))


def emit_intrinsic(e: CKernelEmitter, op: loop.IntrinsicOp) -> None:
    """Emit loop.intrinsic: the ops in the emission region of its te.intrinsic."""
    emit_emission(e, op, intrinsic_of(op), e.emit_op)


def emit_call_llvm(e: CKernelEmitter, op: loop.CallLlvmOp) -> None:
    """Emit loop.call_llvm as the call of a function of ACLE.

    Errors: LoweringError for a function of LLVM that is not in `CALLS`.
    """
    call = CALLS.get(op.function.data)
    if call is None:
        raise LoweringError(
            "C source has no function for the instruction",
            expected=", ".join(CALLS),
            got=op.function.data,
            hint="schedule the kernel without this intrinsic",
        ).at(op)
    text = call.format(*(e.values[value] for value in op.arguments))
    e.define(op.res, e.named_variable("", e.type_of(op.res), text))


HANDLERS = {loop.IntrinsicOp: emit_intrinsic, loop.CallLlvmOp: emit_call_llvm}
