"""Handlers of loop.load, loop.store and loop.alloc.

    let t9: f32 = k_p0[i3 * 64 + tx_4];

WGSL arrays have elements of 4 or 8 bytes.  In buffers of smaller elements, such as bool and f16, a
word stores several elements.  A load shifts its element out of the word.  Two threads may store to
one word at the same time, so a store clears and sets its bits with atomic operations.  Arrays of a
block or of a thread store one element per word.  A lane of a padded load is read only if it lies
inside the buffer.
"""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects.builtin import IntegerAttr

from ...dialects import loop
from ...dialects.shape import static_shape
from ..lane_lists import lanes_of
from ..loop_to_llvm.op_emitter import Handlers
from ..loop_to_llvm.types import memory_type
from .emitter import WgslEmitter
from .types import WgslType, type_name, wgsl_type

# ---- loads


def emit_load(e: WgslEmitter, op: loop.LoadOp) -> None:
    """Emit loop.load in all its forms, one element per lane."""
    held = e.type_of(op.res).held.scalar
    e.define_loaded(op, [_load_lane(e, op, held, offset) for offset in e.offsets(op)])


def _load_lane(e: WgslEmitter, op: loop.LoadOp, held: WgslType, offset: int) -> str:
    """Append the load of one element; return it, or the padding value if it is outside.

    held: the type of the element in memory.
    offset: the distance of the element from the position of the access.
    """
    if op.pad is None:
        return e.variable(held, _read(e, op, held, offset))
    pad = held.scalar_const(cast("IntegerAttr", op.pad).value.data)
    inside = e.pad_conditions(op, offset)
    if inside is None:
        return pad
    if not inside:
        return e.variable(held, _read(e, op, held, offset))
    out = e.variable(held, pad, changes=True)
    with e.guard(_all_of(inside)):
        e.line(f"{out} = {_read(e, op, held, offset)};")
    return out


def _all_of(conditions: list[str]) -> str:
    return " && ".join(f"({text})" for text in conditions)


def _moved(address: str, offset: int) -> str:
    return f"{address} + {offset}" if offset else address


def _read(e: WgslEmitter, op: loop.LoadOp, held: WgslType, offset: int) -> str:
    """Return the expression that reads one element.

    held: the type of the element in memory.
    offset: the distance of the element from the position of the access.
    """
    address, name = _moved(e.address_text(op), offset), e.values[op.mem]
    if op.mem not in e.packed:
        return f"{name}[{address}]"
    word, shift = _word(e, held, address)
    text = f"atomicLoad(&{name}[{word}])" if e.packed[op.mem] else f"{name}[{word}]"
    return f"({text} >> {shift}) & {_mask(held)}"


def _word(e: WgslEmitter, held: WgslType, address: str) -> tuple[str, str]:
    """Locate an element in a buffer that stores several elements per 32-bit word.

    held: the type of the element in memory.
    address: the position of the element in the buffer, as code.
    Returns the index of the word, and the number of the element's first bit in it, both as code.
    """
    count = 32 // held.bits
    position = e.name("a")
    e.line(f"let {position}: i32 = {address};")
    first = f"((bitcast<u32>({position}) & {count - 1}u) * {held.bits}u)"
    return f"{position} >> {count.bit_length() - 1}u", first


def _mask(held: WgslType) -> str:
    return f"{(1 << held.bits) - 1}u"


# ---- stores


def emit_store(e: WgslEmitter, op: loop.StoreOp) -> None:
    """Emit loop.store in all its forms, one element per lane."""
    type_ = e.type_of(op.value)
    values = lanes_of(e.values[op.value])
    with e.guard(_all_of(e.clip_conditions(op))):
        for offset, value in zip(e.offsets(op), values, strict=False):
            stored = f"u32({value})" if type_.format == "i1" else value
            _write(e, op, type_.held.scalar, offset, stored)


def _write(e: WgslEmitter, op: loop.StoreOp, held: WgslType, offset: int, value: str) -> None:
    """Append the store of one element.

    If a word of the buffer holds several elements, the store uses atomic operations.
    held: the type of the element in memory.
    offset: the distance of the element from the position of the access.
    """
    address, name = _moved(e.address_text(op), offset), e.values[op.mem]
    if op.mem not in e.packed:
        e.line(f"{name}[{address}] = {value};")
        return
    word, shift = _word(e, held, address)
    e.line(f"atomicAnd(&{name}[{word}], ~({_mask(held)} << {shift}));")
    e.line(f"atomicOr(&{name}[{word}], {value} << {shift});")


# ---- buffers


def emit_alloc(e: WgslEmitter, op: loop.AllocOp) -> None:
    """Emit loop.alloc as an array that the block shares, or an array of one thread."""
    type_ = op.res.type
    held = wgsl_type(memory_type(type_).format).held
    count = max(1, prod(static_shape(type_)))
    array = f"array<{type_name(held)}, {count}>"
    if op.scope.data == "shared":
        e.shared_bytes += count * max(4, held.bits // 8)
        name = f"{e.symbol}_{e.name('s')}"
        e.declarations.append(f"var<workgroup> {name}: {array};")
    else:
        name = e.name("m")
        e.line(f"var {name}: {array};")
    e.values[op.res] = name


HANDLERS: Handlers = {
    loop.LoadOp: emit_load,
    loop.StoreOp: emit_store,
    loop.AllocOp: emit_alloc,
}
