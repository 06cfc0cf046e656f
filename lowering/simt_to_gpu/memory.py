"""Handlers of loop.load, loop.store and loop.alloc.

    %v = vector.load %x[%i, %j] : memref<4x64xf32>, vector<4xf32>

A vector whose lanes are neighbors in a row is accessed as a whole, every other one lane by lane.  A
lane of a padded load is read only if it lies inside the buffer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TypeAlias, cast

from xdsl.dialects import arith, memref, scf, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Region, SSAValue

from ...analysis.strides import row_major_strides
from ...dialects import loop
from ...dialects.dtypes import bit_width
from ...dialects.shape import Dim, Extent, dims_of, extent_of
from ...support.affine import Index, constant, divide
from ...support.diagnostics import LoweringError
from ..loop_to_llvm.op_emitter import Handlers
from .builder import INDEX, KernelBuilder, Lanes

Access: TypeAlias = loop.LoadOp | loop.StoreOp
_BYTE_BITS = 8


def buffer_type(type_: MemRefType, space: Attribute | None = None) -> MemRefType:
    """Return the MLIR type of a buffer, in which symbolic sizes have no names.

    space: the address space; None for the default one.
    """
    return MemRefType(type_.element_type, type_.get_shape(), NoneAttr(), space or NoneAttr())


def _refuse_tile(op: Access) -> None:
    if op.rows is not None:
        raise LoweringError(
            "no upstream form of an access to a tile",
            got=op.name,
            hint="schedule the kernel without the step that makes tiles",
        ).at(op)


def _whole(element: Attribute, count: int, stride: int) -> bool:
    """Return whether lanes can be accessed as one vector.

    They can if they are several adjacent elements of whole bytes.
    element: the element type.
    count: the number of lanes.
    stride: the distance between the lanes.
    """
    return count > 1 and stride == 1 and bit_width(element) % _BYTE_BITS == 0


def _stays_in_row(b: KernelBuilder, op: Access, indices: Sequence[Index], reach: int) -> bool:
    """Return whether an access of several elements ends in the row in which it begins.

    In a buffer of symbolic sizes, it always does.
    indices: the indices of the first element.
    reach: the number of elements after the first one.
    """
    shape = cast(MemRefType, op.mem.type).get_shape()
    is_known = DYNAMIC_INDEX not in shape
    return not (reach and is_known and indices[-1].range(b.range_of)[1] + reach >= shape[-1])


def _place(b: KernelBuilder, op: Access, indices: Sequence[Index], offset: int) -> list[SSAValue]:
    """Return the indices of one element of an access, as values.

    indices: the indices of the access's first element.
    offset: the distance of the element from the first one.
    """
    if not offset:
        return [b.position(index) for index in indices]
    *outer, last = indices
    if _stays_in_row(b, op, indices, offset):
        return [b.position(index) for index in (*outer, last + offset)]
    shape = cast(MemRefType, op.mem.type).get_shape()
    strides = row_major_strides(shape)
    flat = constant(offset)
    for index, stride in zip(indices, strides, strict=True):
        flat = flat + index * stride
    rows = [divide("floordiv", flat, stride, b.range_of) for stride in strides]
    sizes = zip(rows[1:], shape[1:], strict=True)
    inner = [divide("mod", row, size, b.range_of) for row, size in sizes]
    return [b.position(index) for index in (rows[0], *inner)]


def _condition(b: KernelBuilder, spans: Sequence[tuple[Index, int, Extent]]) -> SSAValue | bool:
    """Append the test whether several indices are inside their spans.

    spans: for each index, the index, the first position of its span and the position after the
    last.
    Returns a bool if the result is known, else an SSA value.
    """
    tests: list[SSAValue] = []
    for index, first, end in spans:
        low, high = index.range(b.range_of)
        is_known = not isinstance(end, Dim)
        if is_known and (high < first or low >= end):
            return False
        if low < first:
            tests.append(_compare(b, "sge", b.position(index), b.number(INDEX, first)))
        if not is_known or high >= end:
            tests.append(_compare(b, "slt", b.position(index), b.size(end)))
    if not tests:
        return True
    return reduce(lambda x, y: b.add(arith.AndIOp(x, y, i1)), tests)


def _compare(b: KernelBuilder, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    return b.pure(arith.CmpiOp(lhs, rhs, predicate))


# ---- loads


def emit_load(b: KernelBuilder, op: loop.LoadOp) -> None:
    """Emit loop.load in all its forms, except loads of tiles.

    Errors: LoweringError for a tile.
    """
    _refuse_tile(op)
    count, stride = op.active_lanes, op.step
    element = cast(MemRefType, op.mem.type).element_type
    indices = b.indices(op)
    if op.pad is not None:
        lanes = [_padded(b, op, indices, lane * stride) for lane in range(count)]
    elif _whole(element, count, stride) and _stays_in_row(b, op, indices, count - 1):
        lanes = _load_vector(b, op, indices, VectorType(element, [count]))
    else:
        lanes = [_load(b, op, indices, lane * stride) for lane in range(count)]
    b.define(op.res, [*lanes, *(b.number(element, 0) for _ in range(op.width - count))])


def _load(b: KernelBuilder, op: loop.LoadOp, indices: Sequence[Index], offset: int) -> SSAValue:
    (buffer,) = b.lanes[op.mem]
    return b.add(memref.LoadOp.get(buffer, _place(b, op, indices, offset)))


def _load_vector(
    b: KernelBuilder, op: loop.LoadOp, indices: Sequence[Index], type_: VectorType
) -> Lanes:
    (buffer,) = b.lanes[op.mem]
    whole = b.add(vector.LoadOp(buffer, _place(b, op, indices, 0), type_))
    count = type_.get_shape()[0]
    return [b.add(vector.ExtractOp(whole, [lane], type_.element_type)) for lane in range(count)]


def _padded(b: KernelBuilder, op: loop.LoadOp, indices: Sequence[Index], offset: int) -> SSAValue:
    """Append a load of one element of a padded load; return it, or the padding value if outside.

    indices: the indices of the load's first element.
    offset: the distance of the element from the first one.
    """
    type_ = cast(MemRefType, op.mem.type)
    pad = b.constant(cast("IntegerAttr", op.pad))
    shape = [extent_of(dim) for dim in dims_of(type_)]
    *outer, last = indices
    places = [*outer, last + offset]
    condition = _condition(b, [(i, 0, n) for i, n in zip(places, shape, strict=True)])
    if condition is False:
        return pad
    if condition is True:
        return _load(b, op, indices, offset)
    with b.block() as inside:
        b.append(scf.YieldOp(_load(b, op, indices, offset)))
    with b.block() as outside:
        b.append(scf.YieldOp(pad))
    made = scf.IfOp(condition, [type_.element_type], [inside], [outside])
    return b.add(made)


# ---- stores


def emit_store(b: KernelBuilder, op: loop.StoreOp) -> None:
    """Emit loop.store in all its forms, except stores of tiles.

    Errors: LoweringError for a tile.
    """
    _refuse_tile(op)
    indices = b.indices(op)
    spans = zip(indices, op.clip_spans() or (), strict=False)
    condition = _condition(b, [(index, first, end) for index, (first, end) in spans])
    if condition is False:
        return
    if condition is True:
        _store_lanes(b, op, indices)
        return
    with b.block() as body:
        _store_lanes(b, op, indices)
        b.append(scf.YieldOp())
    b.append(scf.IfOp(condition, [], Region(body)))


def _store_lanes(b: KernelBuilder, op: loop.StoreOp, indices: Sequence[Index]) -> None:
    (buffer,) = b.lanes[op.mem]
    element = cast(MemRefType, op.mem.type).element_type
    stride, lanes = op.step, b.lanes[op.value][: op.active_lanes]
    reach = len(lanes) - 1
    if _whole(element, len(lanes), stride) and _stays_in_row(b, op, indices, reach):
        whole = packed_vector(b, lanes)
        b.append(vector.StoreOp(whole, buffer, _place(b, op, indices, 0)))
        return
    for number, lane in enumerate(lanes):
        b.append(memref.StoreOp.get(lane, buffer, _place(b, op, indices, number * stride)))


def packed_vector(b: KernelBuilder, lanes: Lanes, rows: int | None = None) -> SSAValue:
    """Return lanes as one vector; with ``rows``, as a matrix with this number of rows."""
    element, count = lanes[0].type, len(lanes)
    shape = [count] if rows is None else [rows, count // rows]
    type_ = VectorType(element, shape)
    zeros = DenseIntOrFPElementsAttr.from_list(cast(VectorType[IntegerType], type_), [0])
    out = b.constant(zeros)
    for number, lane in enumerate(lanes):
        place = [number] if rows is None else list(divmod(number, shape[1]))
        out = b.add(vector.InsertOp(lane, out, place))
    return out


def emit_alloc(b: KernelBuilder, op: loop.AllocOp) -> None:
    """Emit nothing: all buffers of the kernel are parameters of the gpu.func."""
    assert op.res in b.lanes, "the kernel declares all buffers"


HANDLERS: Handlers = {
    loop.LoadOp: emit_load,
    loop.StoreOp: emit_store,
    loop.AllocOp: emit_alloc,
}
