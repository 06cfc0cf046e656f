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
from ..lane_lists import Access, lanes_of
from ..loop_to_llvm.op_emitter import Handlers
from ..loop_to_llvm.types import memory_type
from .emitter import CEmitter
from .types import CType, c_type

_PART_BYTES, _PART_LANES = 16, (4, 2)
_COMPONENTS = "xyzw"


def emit_load(e: CEmitter, op: loop.LoadOp) -> None:
    """Emit loop.load in all its forms: whole, partial, strided and padded."""
    held, offsets = e.type_of(op.res).held, e.offsets(op)
    sizes = _part_sizes(e, op, held, offsets)
    if not all(has_one_guard(e, op, size) for size in sizes):
        sizes = [1] * len(offsets)
    lanes: list[str] = []
    for size in sizes:
        offset = offsets[len(lanes)]
        if size == 1:
            lanes.append(_load_lane(e, op, held, offset))
        else:
            lanes += _load_part(e, op, held, offset, size)
    e.define_loaded(op, lanes)


def _load_lane(e: CEmitter, op: loop.LoadOp, held: CType, offset: int) -> str:
    """Append a load of one element; return the loaded value or the padding value as C code.

    held: the element type in memory.
    offset: the distance of the element from the position of the access.
    """
    text = f"{e.values[op.mem]}[{moved(e.address_text(op), offset)}]"
    if op.pad is None:
        return e.variable(held.scalar, text)
    pad, inside = _pad_value(op, held), e.pad_conditions(op, offset)
    if inside is None:
        return pad
    return e.variable(held.scalar, f"{' && '.join(inside)} ? {text} : {pad}" if inside else text)


def _pad_value(op: loop.LoadOp, held: CType) -> str:
    return held.scalar_const(cast("IntegerAttr", op.pad).value.data)


def moved(address: str, offset: int) -> str:
    """Return the code of the address ``offset`` elements after an address."""
    return f"{address} + {offset}" if offset else address


# ---- parts of vectors


def _alignment(e: CEmitter, op: Access) -> int:
    """Return a number of elements that divides the position of an access; 1 if none is known."""
    flat = e.flat_index(op)
    return 1 if flat is None else gcd(flat.const, *flat.terms.values()) or _PART_BYTES


def _part_sizes(e: CEmitter, op: Access, held: CType, offsets: list[int]) -> list[int]:
    """Divide a vector access into parts; return the number of lanes of each.

    A part of several lanes is one aligned vector access to adjacent elements.
    held: the element type in memory.
    offsets: the distances of the lanes from the position of the access.
    """
    known, count = _alignment(e, op), len(offsets)
    most = next((n for n in _PART_LANES if known % n == 0 and n * held.bits // 8 <= _PART_BYTES), 1)
    is_contiguous = offsets == [*range(count)]
    if not is_contiguous or held.element not in e.dialect.vectors:
        most = 1
    return [most] * (count // most) + [1] * (count % most)


def _load_part(e: CEmitter, op: loop.LoadOp, held: CType, offset: int, size: int) -> list[str]:
    """Append the load of ``size`` adjacent lanes as a vector; return the lanes.

    In a padded load, one condition decides whether all lanes are loaded or have the padding value.
    held: the element type in memory.
    offset: the distance of the first lane from the position of the access.
    """
    inside = e.pad_conditions(op, offset) if op.pad is not None else []
    if inside is None:
        return [_pad_value(op, held)] * size
    name, vector = e.name("v"), f"{e.dialect.vectors[held.element]}{size}"
    loaded = _part_text(e, op, vector, offset, "const ")
    names = [f"{name}.{component}" for component in _COMPONENTS[:size]]
    if inside:
        e.line(f"{vector} {name};")
        pads = " ".join(f"{lane} = {_pad_value(op, held)};" for lane in names)
        e.line(f"if ({' && '.join(inside)}) {name} = {loaded};")
        e.line(f"else {{ {pads} }}")
    else:
        e.line(f"{vector} {name} = {loaded};")
    return names


def _part_text(e: CEmitter, op: Access, vector: str, offset: int, const: str) -> str:
    space = e.dialect.spaces[e.scopes.get(op.mem, "global")]
    address = moved(e.address_text(op), offset)
    return f"*({const}{space}{vector} *)({e.values[op.mem]} + ({address}))"


# ---- stores


def emit_store(e: CEmitter, op: loop.StoreOp) -> None:
    """Emit loop.store in all its forms: whole, partial, strided and clipped."""
    held, offsets, values = e.type_of(op.value).held, e.offsets(op), lanes_of(e.values[op.value])
    with e.guard(" && ".join(e.clip_conditions(op))):
        lane = 0
        for size in _part_sizes(e, op, held, offsets):
            offset = offsets[lane]
            if size == 1:
                place = moved(e.address_text(op), offset)
                e.line(f"{e.values[op.mem]}[{place}] = {values[lane]};")
            else:
                _store_part(e, op, held, offset, values[lane : lane + size])
            lane += size


def _store_part(e: CEmitter, op: loop.StoreOp, held: CType, offset: int, values: list[str]) -> None:
    vector = f"{e.dialect.vectors[held.element]}{len(values)}"
    name = e.name("v")
    e.line(f"{vector} {name};")
    for component, value in zip(_COMPONENTS, values, strict=False):
        e.line(f"{name}.{component} = {value};")
    e.line(f"{_part_text(e, op, vector, offset, '')} = {name};")


# ---- buffers


def emit_alloc(e: CEmitter, op: loop.AllocOp) -> None:
    """Emit loop.alloc as an array that the block shares, or an array of one thread."""
    type_ = op.res.type
    scope = "shared" if op.scope.data == "shared" else "local"
    name = e.name("s" if scope == "shared" else "m")
    e.values[op.res], e.scopes[op.res] = name, scope
    held = c_type(memory_type(type_).format).held
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
