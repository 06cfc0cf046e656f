"""Handlers of loop.load, loop.store, loop.alloc and loop.prefetch.

Every access states only its element's natural alignment.  A padded load never reads outside of its
buffer: a scalar load selects another address, a vector load masks lanes.  A buffer on the stack is
large enough for all lanes of its last vector, so that accesses to this vector need no mask:
processors do not forward a masked store to a later load (tanh and softmax of 4012 x 11: 253 us with
masks, 109 without).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import cast

from xdsl.dialects.builtin import IntAttr, IntegerAttr, MemRefType
from xdsl.ir import Operation

from ...analysis.strides import row_major_strides
from ...dialects import loop
from ...dialects.shape import Dim, Extent, dims_of, extent_of, static_shape
from ...support.affine import Index, fits_i32
from ...support.diagnostics import LoweringError
from .emitter import KernelEmitter
from .op_emitter import Handlers
from .tiles import load_tile, store_tile
from .types import MAX_INTEGER_BITS, LlvmType, memory_type


def emit_load(e: KernelEmitter, op: loop.LoadOp) -> None:
    """Emit loop.load in all its forms: whole, partial, strided, padded, or a tile."""
    type_ = e.type_of(op.res)
    if type_.rows:
        e.define(op.res, load_tile(e, op, type_))
        return
    if len(op.properties) == 1:
        x = _plain_load(e, op, type_)
    elif op.pad is not None:
        x = _padded_load(e, op, type_)
    elif op.stride is not None:
        x = _strided_load(e, op, type_)
    else:
        keep = type_.first_lanes(op.active_lanes)
        if _room(e, op):
            x = e.select(keep, type_.held, _plain_load(e, op, type_), "zeroinitializer")
        else:
            x = _masked_load(e, e.address(op), type_, keep, "zeroinitializer")
    held = type_.held
    # In memory, an i1 is a byte.
    e.define(op.res, x if held is type_ else e.binary("icmp ne", held, x, held.const(0)))


def _plain_load(e: KernelEmitter, op: loop.LoadOp, type_: LlvmType) -> str:
    """Append a load that needs no mask; return the loaded value.

    If only loop.repeat uses the value, the vector is loaded as one integer, so that LLVM combines
    the load with the repetition.
    """
    pointer, bits = e.address(op), type_.bits * type_.lanes
    users = [use.operation for use in op.res.uses]
    is_repeated = bool(users) and all(type(user) is loop.RepeatOp for user in users)
    if is_repeated and bits <= MAX_INTEGER_BITS and type_.format != "i1":
        x = e.emit(f"load i{bits}, ptr {pointer}, align {type_.alignment}")
        return e.emit(f"bitcast i{bits} {x} to {type_.memory_text}")
    return e.emit(f"load {type_.memory_text}, ptr {pointer}, align {type_.alignment}")


def _masked_load(e: KernelEmitter, pointer: str, type_: LlvmType, mask: str, other: str) -> str:
    stored = type_.held
    t, m = stored.text, stored.mask.text
    name = f"@llvm.masked.load.{stored.suffix}.p0"
    e.declarations.add(f"declare {t} {name}(ptr, {m}, {t})")
    return e.emit(
        f"call {t} {name}(ptr align {type_.alignment} {pointer}, {m} {mask}, {t} {other})"
    )


def _strided_load(e: KernelEmitter, op: loop.LoadOp, type_: LlvmType) -> str:
    """Append a vector load with a stride: one scalar load per lane, or a single one for stride 0.

    Returns the vector.
    """
    stored, pointer = type_.held, e.address(op)
    if cast(IntAttr, op.stride).data == 0 and op.lanes is None:
        return e.splat(stored, _load_lane(e, stored, pointer))
    return _from_lanes(
        e, op, type_, lambda offset: _load_lane(e, stored, _moved(e, stored, pointer, offset))
    )


def _from_lanes(
    e: KernelEmitter, op: loop.LoadOp, type_: LlvmType, load: Callable[[int], str]
) -> str:
    """Append scalar loads, and combine the loaded lanes to a vector; return it.

    load: loads one lane; it takes the distance of the lane from the position of the access, in
    elements.
    """
    stored, stride, count = type_.held, op.step, op.active_lanes
    out = "zeroinitializer" if count < type_.lanes else "poison"
    for lane in range(count):
        x = load(lane * stride)
        out = e.emit(f"insertelement {stored.text} {out}, {stored.element} {x}, i64 {lane}")
    return out


def _moved(e: KernelEmitter, stored: LlvmType, pointer: str, offset: int) -> str:
    if not offset:
        return pointer
    return e.emit(f"getelementptr {stored.element}, ptr {pointer}, i64 {offset}")


def _load_lane(e: KernelEmitter, stored: LlvmType, pointer: str) -> str:
    return e.emit(f"load {stored.element}, ptr {pointer}, align {stored.alignment}")


# ---- padded loads


def _padded_load(e: KernelEmitter, op: loop.LoadOp, type_: LlvmType) -> str:
    stored, shape = type_.held, _shape(op)
    pad = pad_constant(op, stored)
    if 0 in shape:
        return pad
    indices = e.indices(op)
    if type_.lanes == 1:
        inside = load_condition(e, op)
        return _guarded_lane(e, op, stored, e.address(op), inside, pad)
    outer = _all_inside(e, _spans(indices[:-1], shape[:-1]))
    if op.stride is not None:
        return _padded_lanes(e, op, type_, indices[-1], outer)
    mask = _lane_mask(e, op, type_, indices[-1], outer)
    if op.lanes is None:
        return _masked_load(e, e.address(op), type_, mask, pad)
    x = _masked_load(e, e.address(op), type_, mask, pad)
    keep = type_.first_lanes(op.lanes.data)
    return e.select(keep, stored, x, "zeroinitializer")


def pad_constant(op: loop.LoadOp, type_: LlvmType) -> str:
    """Return the padding value of a load as a printed constant of ``type_``."""
    return type_.const(cast("float", cast("IntegerAttr", op.pad).value.data))


def _shape(op: loop.LoadOp) -> list[Extent]:
    return [extent_of(dim) for dim in dims_of(cast(MemRefType, op.mem.type))]


def _spans(indices: list[Index], shape: list[Extent]) -> Iterator[tuple[Index, int, Extent]]:
    return ((index, 0, size) for index, size in zip(indices, shape, strict=True))


def load_condition(e: KernelEmitter, op: loop.LoadOp) -> str:
    """Append the test whether the position of a load is inside its buffer.

    Returns the printed condition; "" if the position is always inside.
    """
    shape = _shape(op)
    return "false" if 0 in shape else _all_inside(e, _spans(e.indices(op), shape))


def _all_inside(e: KernelEmitter, spans: Iterable[tuple[Index, int, Extent]]) -> str:
    """Append the test whether several indices are inside their spans.

    spans: for each index, the index, the first position of its span and the position after the
    last.
    Returns the printed condition; "" if it always holds.
    """
    out = ""
    for index, first, end in spans:
        low, high = index.range(e.range_of)
        if low >= first and isinstance(end, int) and high < end:
            continue
        # Unsigned, so that one comparison also rejects positions before the first one.
        at, room = e.index_value(index - first), e.size(extent_of(Dim.of(end) - first))
        test = e.emit(f"icmp ult i64 {at}, {room}")
        out = e.emit(f"and i1 {out}, {test}") if out else test
    return out


def _guarded_lane(
    e: KernelEmitter, op: loop.LoadOp, stored: LlvmType, pointer: str, inside: str, pad: str
) -> str:
    """Append a load of one element that reads the padding value outside of the buffer; return it.

    stored: the type of the value in memory.
    pointer: the address of the element.
    inside: the condition that the element is inside; "" if it always is.  If it is false, the load
    reads a safe address instead, and its result is dropped.
    pad: the padding value.
    """
    if not inside:
        return _load_lane(e, stored.scalar, pointer)
    first = e.readable(op.mem)
    safe = e.emit(f"select i1 {inside}, ptr {pointer}, ptr {first}")
    x = _load_lane(e, stored.scalar, safe)
    return e.select(inside, stored.scalar, x, pad)


def _padded_lanes(
    e: KernelEmitter, op: loop.LoadOp, type_: LlvmType, last: Index, outer: str
) -> str:
    """Append a guarded load of each lane of a padded load; return the vector.

    last: the index of lane 0 in the last dimension.
    outer: the condition that the other indices are inside the buffer; "" if they always are.
    """
    stored, pointer, size = type_.held, e.address(op), _shape(op)[-1]
    pad = pad_constant(op, stored.scalar)

    def load(offset: int) -> str:
        inside = _all_inside(e, [(last + offset, 0, size)])
        if outer:
            inside = e.emit(f"and i1 {outer}, {inside}") if inside else outer
        at = _moved(e, stored, pointer, offset)
        return _guarded_lane(e, op, stored, at, inside, pad)

    return _from_lanes(e, op, type_, load)


def _lane_mask(e: KernelEmitter, op: loop.LoadOp, type_: LlvmType, last: Index, outer: str) -> str:
    """Append the mask of the lanes of a padded contiguous load that are in the buffer.

    last: the index of lane 0 in the last dimension.
    outer: the condition that the other indices are inside the buffer; "" if they always are.
    Returns the mask.
    """
    size = _shape(op)[-1]
    count = op.active_lanes
    mask = "" if count == type_.lanes else type_.first_lanes(count)
    low, high = last.range(e.range_of)
    if low < 0 or isinstance(size, Dim) or high + count > size:
        fits = isinstance(size, int) and fits_i32((low, max(size, high + type_.lanes)))
        counter = type_.of("i32" if fits else "i64")
        first = e.index_value(last)
        if fits:
            first = e.emit(f"trunc i64 {first} to i32")
        lanes = counter.lane_constants(list(range(type_.lanes)))
        positions = e.binary("add", counter, e.splat(counter, first), lanes)
        end = counter.const(size) if isinstance(size, int) else e.splat(counter, e.size(size))
        inside = e.binary("icmp ult", counter, positions, end)
        mask = e.binary("and", type_.mask, inside, mask) if mask else inside
    if outer:
        rows = e.splat(type_.mask, outer)
        mask = e.binary("and", type_.mask, rows, mask) if mask else rows
    return mask or type_.mask.const(1)


# ---- stores, buffers, hints


def emit_store(e: KernelEmitter, op: loop.StoreOp) -> None:
    """Emit loop.store in all its forms: whole, partial, strided, clipped, or a tile."""
    type_ = e.type_of(op.value)
    if type_.rows:
        store_tile(e, op, type_)
    elif op.clip is not None:
        e.when(store_condition(e, op), lambda: _store(e, op, type_))
    else:
        _store(e, op, type_)


def store_condition(e: KernelEmitter, op: loop.StoreOp) -> str:
    """Append the test whether the position of a clipped store is inside its clip.

    A clipped store writes only inside its clip.  Returns the printed condition; ``true`` if the
    position is always inside.
    """
    spans = zip(e.indices(op), op.clip_spans() or (), strict=True)
    inside = _all_inside(e, [(index, first, end) for index, (first, end) in spans])
    return inside or "true"


def _store(e: KernelEmitter, op: loop.StoreOp, type_: LlvmType) -> None:
    pointer, x = e.address(op), e.cast("zext", e.values[op.value], type_, type_.held)
    if (op.lanes is None and op.stride is None) or _room(e, op):
        e.lines.append(f" store {type_.memory_text} {x}, ptr {pointer}, align {type_.alignment}")
    elif op.stride is not None:
        _strided_store(e, op, type_, pointer, x)
    else:
        _masked_store(e, pointer, type_, op.active_lanes, x)


def _masked_store(e: KernelEmitter, pointer: str, type_: LlvmType, count: int, x: str) -> None:
    stored = type_.held
    if count == 1:
        # LLVM 22 stores a single lane of a truncated vector in the width before truncation.
        value = e.emit(f"extractelement {stored.text} {x}, i64 0")
        e.lines.append(f" store {stored.element} {value}, ptr {pointer}, align {stored.alignment}")
        return
    t, m = stored.text, stored.mask.text
    name = f"@llvm.masked.store.{stored.suffix}.p0"
    e.declarations.add(f"declare void {name}({t}, ptr, {m})")
    mask = type_.first_lanes(count)
    e.lines.append(f" call void {name}({t} {x}, ptr align {type_.alignment} {pointer}, {m} {mask})")


def _strided_store(
    e: KernelEmitter, op: loop.StoreOp, type_: LlvmType, pointer: str, x: str
) -> None:
    stored = type_.held
    for lane in range(op.active_lanes):
        at = _moved(e, stored, pointer, lane * op.step)
        value = e.emit(f"extractelement {stored.text} {x}, i64 {lane}")
        e.lines.append(f" store {stored.element} {value}, ptr {at}, align {stored.alignment}")


def emit_alloc(e: KernelEmitter, op: loop.AllocOp) -> None:
    """Emit loop.alloc on the stack, or at its offset in the worker's workspace."""
    memref = op.res.type
    if op.offset is not None:
        offset = op.offset.value.data
        e.values[op.res] = e.emit(f"getelementptr i8, ptr %workspace, i64 {offset}")
        return
    if op.scope.data not in loop.OWN_SCOPES:
        raise LoweringError(
            f"a task on this target has no memory of scope {op.scope.data}",
            expected=f"one of {', '.join(loop.OWN_SCOPES)}",
            hint="set_scope chooses the memory of a buffer",
        ).at(op)
    type_ = memory_type(memref)
    size = max(1, math.prod(static_shape(memref)))
    size = max([size, *(_room(e, use.operation) for use in op.res.uses)])
    e.values[op.res] = e.stack_array(f"[{size} x {type_.memory_element}]")


def _room(e: KernelEmitter, op: Operation) -> int:
    """Return how many elements a stack buffer needs so that an access to it needs no mask.

    The access must be to the last vector of the buffer, with fewer lanes than the vector: the
    number then includes the lanes beyond the end.  For any other op, the result is 0.
    """
    if not isinstance(op, loop.LoadOp | loop.StoreOp) or not isinstance(op.mem.owner, loop.AllocOp):
        return 0
    is_plain = op.stride is None and (op.pad if isinstance(op, loop.LoadOp) else op.clip) is None
    if op.lanes is None or op.syms or not is_plain or op.mem.owner.offset is not None:
        return 0
    shape = cast(MemRefType, op.mem.type).get_shape()
    strides = row_major_strides(shape)
    first = sum(i.const * n for i, n in zip(e.indices(op), strides, strict=True))
    if first + op.lanes.data != math.prod(shape):
        return 0
    return first + op.width


def emit_prefetch(e: KernelEmitter, op: loop.PrefetchOp) -> None:
    """Emit loop.prefetch as LLVM's prefetch of data for reading."""
    e.declarations.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
    pointer = e.address(op)
    e.lines.append(
        f" call void @llvm.prefetch.p0(ptr {pointer}, i32 0, i32 {op.locality.data}, i32 1)"
    )


HANDLERS: Handlers = {
    loop.LoadOp: emit_load,
    loop.StoreOp: emit_store,
    loop.AllocOp: emit_alloc,
    loop.PrefetchOp: emit_prefetch,
}
