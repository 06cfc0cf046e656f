"""Handlers of loop.load, loop.store and loop.alloc.

    float4 v9 = *(const __global float4 *)(p0 + (i3 * 64 + tx * 4));

Vectors are accessed in parts of at most 16 bytes whose address is a multiple of their size: each
buffer starts at a multiple of 16 bytes, and `_alignment` derives the alignment from the indices.
All other lanes are accessed one by one. A padded lane is read only if it is inside of the buffer.
"""

from __future__ import annotations

from math import gcd, prod
from typing import cast

from xdsl.dialects.builtin import IntegerAttr

from ...dialects import loop
from ...dialects.shape import static_shape
from ..device_kernels import has_one_guard, shared_alignment
from ..lane_lists import Access, joined, lanes_of
from ..loop_to_llvm.op_emitter import Handlers
from ..loop_to_llvm.types import memory_type
from .emitter import CEmitter
from .types import CType, c_type

_PART_BYTES, _PART_LANES = 16, (4, 2)
_COMPONENTS = "xyzw"


def emit_load(e: CEmitter, op: loop.LoadOp) -> None:
    """Emit loop.load in all its forms."""
    type_ = e.type_of(op.res)
    held = _held(type_)
    count = op.lanes.data if op.lanes else type_.lanes
    stride = op.stride.data if op.stride is not None else 1
    if stride == 1 and (lanes := _loaded_parts(e, op, held, count)):
        values = lanes
    else:
        values = [_load_lane(e, op, held, lane * stride) for lane in range(count)]
    values += [held.scalar_const(0)] * (type_.lanes - count)
    e.define(op.res, _from_memory(e, type_, joined(values)))


def _held(type_: CType) -> CType:
    """Return the type of elements in memory, where i1 is a byte."""
    return type_.of("i8") if type_.format == "i1" else type_


def _from_memory(e: CEmitter, type_: CType, x: str) -> str:
    held = _held(type_)
    return x if held is type_ else e.binary("icmp ne", held, x, held.const(0))


def _load_lane(e: CEmitter, op: loop.LoadOp, held: CType, offset: int) -> str:
    """Load the element that is ``offset`` elements after the position of the access."""
    text = f"{e.values[op.mem]}[{_moved(e.address_text(op), offset)}]"
    if op.pad is None:
        return e.variable(held.scalar, text)
    pad, inside = _pad_value(op, held), e.pad_conditions(op, offset)
    if inside is None:
        return pad
    return e.variable(held.scalar, f"{' && '.join(inside)} ? {text} : {pad}" if inside else text)


def _pad_value(op: loop.LoadOp, held: CType) -> str:
    return held.scalar_const(cast("IntegerAttr", op.pad).value.data)


def _moved(address: str, offset: int) -> str:
    return f"{address} + {offset}" if offset else address


# ---- parts of vectors


def _alignment(e: CEmitter, op: Access) -> int:
    """Return a number of elements that divides the position of an access in its buffer.

    1 if no larger number is known.
    """
    flat = e.flat_index(op)
    return 1 if flat is None else gcd(flat.const, *flat.terms.values()) or _PART_BYTES


def _parts(e: CEmitter, op: Access, held: CType, count: int) -> list[int]:
    """Return the numbers of lanes of the aligned parts in which to access a vector.

    Returns [] if no part is aligned.  held: the element type in memory.  count: the number of
    lanes.
    """
    known = _alignment(e, op)
    most = next((n for n in _PART_LANES if known % n == 0 and n * held.bits // 8 <= _PART_BYTES), 1)
    if most == 1 or count < most or held.element not in e.dialect.vectors:
        return []
    whole = [most] * (count // most)
    return [*whole, *([1] * (count - sum(whole)))]


def _loaded_parts(e: CEmitter, op: loop.LoadOp, held: CType, count: int) -> list[str]:
    """Load a vector in aligned parts; return its lanes, or [] if no part is aligned.

    A part of a padded vector has one guard; return [] if the part may be partly outside.
    """
    lanes: list[str] = []
    parts = _parts(e, op, held, count)
    if not all(has_one_guard(e, op, size) for size in parts):
        return []
    for size in parts:
        if size == 1:
            lanes.append(_load_lane(e, op, held, len(lanes)))
            continue
        inside = e.pad_conditions(op, len(lanes)) if op.pad is not None else []
        if inside is None:
            lanes += [_pad_value(op, held)] * size
            continue
        name = e.name("v")
        vector = f"{e.dialect.vectors[held.element]}{size}"
        loaded = _part_text(e, op, vector, len(lanes), "const ")
        names = [f"{name}.{component}" for component in _COMPONENTS[:size]]
        if inside:
            e.line(f"{vector} {name};")
            pads = " ".join(f"{lane} = {_pad_value(op, held)};" for lane in names)
            e.line(f"if ({' && '.join(inside)}) {name} = {loaded};")
            e.line(f"else {{ {pads} }}")
        else:
            e.line(f"{vector} {name} = {loaded};")
        lanes += names
    return lanes


def _part_text(e: CEmitter, op: Access, vector: str, offset: int, const: str) -> str:
    space = e.dialect.spaces[e.scopes.get(op.mem, "global")]
    address = _moved(e.address_text(op), offset)
    return f"*({const}{space}{vector} *)({e.values[op.mem]} + ({address}))"


# ---- stores


def emit_store(e: CEmitter, op: loop.StoreOp) -> None:
    """Emit loop.store in all its forms."""
    type_ = e.type_of(op.value)
    values = lanes_of(e.values[op.value])
    values = values[: op.lanes.data if op.lanes else len(values)]
    inside = e.clip_conditions(op)
    if inside:
        e.line(f"if ({' && '.join(inside)}) {{")
        e.depth += 1
    _store_lanes(e, op, _held(type_), values)
    if inside:
        e.depth -= 1
        e.line("}")


def _store_lanes(e: CEmitter, op: loop.StoreOp, held: CType, values: list[str]) -> None:
    stride = op.stride.data if op.stride is not None else 1
    parts = _parts(e, op, held, len(values)) if stride == 1 else []
    lane = 0
    for size in parts or [1] * len(values):
        if size == 1:
            place = _moved(e.address_text(op), lane * stride)
            e.line(f"{e.values[op.mem]}[{place}] = {values[lane]};")
        else:
            vector = f"{e.dialect.vectors[held.element]}{size}"
            name = e.name("v")
            e.line(f"{vector} {name};")
            for component, value in zip(_COMPONENTS, values[lane : lane + size], strict=False):
                e.line(f"{name}.{component} = {value};")
            e.line(f"{_part_text(e, op, vector, lane, '')} = {name};")
        lane += size


# ---- buffers


def emit_alloc(e: CEmitter, op: loop.AllocOp) -> None:
    """Emit loop.alloc as an array of the block or of the thread."""
    declare_buffer(e, op)


def declare_buffer(e: CEmitter, op: loop.AllocOp) -> None:
    """Declare the array of an allocation in its memory scope."""
    type_ = op.res.type
    scope = "shared" if op.scope.data == "shared" else "local"
    name = e.name("s" if scope == "shared" else "m")
    e.values[op.res], e.scopes[op.res] = name, scope
    held = _held(c_type(memory_type(type_).format))
    count = max(1, prod(static_shape(type_)))
    if op in e.dynamic.offsets:
        start = f"dynamic_shared + {e.dynamic.offsets[op]}"
        e.line(f"{e.type_name(held)} *{name} = ({e.type_name(held)} *)({start});")
        return
    pattern = e.dialect.shared if scope == "shared" else e.dialect.local
    alignment = shared_alignment(op)
    e.line(pattern.format(type=e.type_name(held), name=name, count=count, alignment=alignment))


HANDLERS: Handlers = {
    loop.LoadOp: emit_load,
    loop.StoreOp: emit_store,
    loop.AllocOp: emit_alloc,
}
