"""Handlers of loops, branches and buffers in C99."""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue

from ...dialects import loop
from ...dialects.loop import WORKSPACE
from ...dialects.shape import static_shape
from ...support.affine import Index
from ..loop_to_llvm.types import memory_type
from ..simt_to_c import memory
from ..simt_to_c.types import CType
from ..source_text import emit_if
from .acle import emit_packed_load
from .dialect import C99Type, Language, packed_type
from .emitter import CKernelEmitter

MOST_UNROLLED = 16
"""The most iterations that a circuit computes side by side, with those of the loops inside."""
WORKSPACE_NAME = "workspace"
"""The parameter of a kernel with large local buffers: their memory."""


def emit_for(e: CKernelEmitter, op: loop.ForOp) -> None:
    """Emit loop.for; carried values are variables that the end of the body assigns."""
    e.begin_carried(op)
    lows, highs = op.bounds()
    hint = op.variable.name_hint or "i"
    low, high = _end(e, lows, ">", f"{hint}_first"), _end(e, highs, "<", f"{hint}_end")
    with e.scope():
        type_name, name = e.loop_variable(op.variable, e.loop_range(lows, highs))
        with e.braces(f"for ({type_name} {name} = {low}; {name} < {high}; {name}++)"):
            if directive := _directive(e.target_language, op):
                e.lines.append(directive)
            e.emit_body(op)


def _directive(language: Language, op: loop.ForOp) -> str:
    """Return the pragma to print at the start of a loop's body; "" for none.

    Small loops inside other loops are unrolled; a loop that contains only unrolled loops is a
    pipeline.
    """
    if _is_unrolled(op):
        return language.unrolled
    inner = (each for each in op.body.walk() if isinstance(each, loop.ForOp))
    return language.pipelined if all(map(_is_unrolled, inner)) else ""


def _is_unrolled(op: loop.ForOp) -> bool:
    nest = [each for each in op.walk() if isinstance(each, loop.ForOp)]
    trips = prod(_trips(each) for each in nest)
    return isinstance(op.parent_op(), loop.ForOp) and trips <= MOST_UNROLLED


def _trips(op: loop.ForOp) -> int:
    """Return the trip count of a loop; more than `MOST_UNROLLED` if it depends on other loops."""
    low, high = op.static_bounds or (0, MOST_UNROLLED + 1)
    return high - low


def _end(e: CKernelEmitter, bounds: list[Index], sign: str, name: str) -> str:
    """Return the largest or smallest of several loop bounds as C code.

    Several bounds are computed in a variable.
    sign: ``>`` for the largest, ``<`` for the smallest.
    name: the wanted name of the variable.
    """
    texts = [e.index_text(bound) for bound in bounds]
    if len(bounds) == 1:
        return texts[0]
    first, *others = sorted(texts, key=lambda text: not text.isdigit())
    *between, last = others
    for text in between:
        first = f"({text} {sign} {first} ? {text} : {first})"
    chosen = e.unique(name)
    e.line(f"const {e.bounds_type(bounds)} {chosen} = {last} {sign} {first} ? {last} : {first};")
    return chosen


def emit_load(e: CKernelEmitter, op: loop.LoadOp) -> None:
    """Emit loop.load; integers are converted to the unsigned type that expressions use.

    The lanes of a vector are loaded one by one.
    """
    if (packed := packed_type(op.res.type)) is not None:
        emit_packed_load(e, op, packed)
        return
    held = e.type_of(op.res).held
    e.define_loaded(op, [_loaded_lane(e, op, held, offset) for offset in e.offsets(op)])


def _loaded_lane(e: CKernelEmitter, op: loop.LoadOp, held: CType, offset: int) -> str:
    name = e.values[op.mem]
    text = f"{name}[{memory.moved(e.address_text(op), offset)}]"
    if name in e.signed:
        text = f"({e.type_name(held)}){text}"
    if op.pad is not None:
        pad = held.scalar_const(cast("IntegerAttr", op.pad).value.data)
        inside = e.pad_conditions(op, offset)
        text = pad if inside is None else text
        text = f"{' && '.join(inside)} ? {text} : {pad}" if inside else text
    return e.named_variable("", held, text)


def emit_store(e: CKernelEmitter, op: loop.StoreOp) -> None:
    """Emit loop.store of a scalar; stores to a local buffer without loads are omitted."""
    if not _is_unused(op.mem):
        memory.emit_store(e, op)


def _is_unused(buffer: SSAValue) -> bool:
    users = [use.operation for use in buffer.uses]
    return isinstance(buffer.owner, loop.AllocOp) and all(
        isinstance(user, loop.StoreOp) for user in users
    )


def emit_alloc(e: CKernelEmitter, op: loop.AllocOp) -> None:
    """Emit loop.alloc as a local array, or as a part of the workspace."""
    if _is_unused(op.res):
        return
    type_name = e.type_name(C99Type.made(memory_type(op.res.type).format).held)
    name = e.values[op.res] = e.unique(op.res.name_hint or "rows")
    e.scopes[op.res] = "local"
    if op.scope.data == WORKSPACE:
        offset = 0 if op.offset is None else op.offset.value.data
        place = f"{WORKSPACE_NAME} + {offset}" if offset else WORKSPACE_NAME
        e.line(f"{type_name} *const {name} = ({type_name} *)(void *)({place});")
        return
    count = max(1, prod(static_shape(op.res.type)))
    e.line(f"{type_name} {name}[{count}];")


HANDLERS = {
    loop.ForOp: emit_for,
    loop.IfOp: emit_if,
    loop.LoadOp: emit_load,
    loop.StoreOp: emit_store,
    loop.AllocOp: emit_alloc,
}
