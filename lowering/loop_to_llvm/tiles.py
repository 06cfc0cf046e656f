"""Loads, stores and zeros of x86's tile registers (AMX).

    %a = loop.load %A[%m, %k] rows 0 : memref<64x256xi8>, vector<16x64xi8>
==>
    %1 = call x86_amx @llvm.x86.tileloadd64.internal(i16 16, i16 64, ptr %p, i64 256)

LLVM chooses the registers, and configures them once per function, because all tiles of a kernel
have few shapes.  Only intrinsics compute on tiles: their emission regions call LLVM's functions.
"""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType

from ...dialects import loop
from ...support.diagnostics import LoweringError
from .arithmetic import number_of
from .emitter import KernelEmitter
from .types import TILE_TYPE, LlvmType, memory_type

FEATURE = "amx-tile"
MOST_ROWS, MOST_ROW_BYTES = 16, 64
"""The size of a tile register."""


def load_tile(e: KernelEmitter, op: loop.LoadOp, type_: LlvmType) -> str:
    """Append a load of a tile; return its value.

    Errors: LoweringError if the target has no registers for the tile.
    """
    call = f"{TILE_TYPE} @llvm.x86.tileloadd64.internal"
    e.declarations.add(f"declare {call}(i16, i16, ptr, i64)")
    shape, pointer, pitch = _shape(e, op, type_), e.address(op), _pitch_bytes(op)
    return e.emit(f"call {call}({shape}, ptr {pointer}, i64 {pitch})")


def store_tile(e: KernelEmitter, op: loop.StoreOp, type_: LlvmType) -> None:
    """Emit a store of a tile register.

    Errors: LoweringError if the target has no registers for the tile.
    """
    call = "void @llvm.x86.tilestored64.internal"
    e.declarations.add(f"declare {call}(i16, i16, ptr, i64, {TILE_TYPE})")
    shape, pointer, pitch = _shape(e, op, type_), e.address(op), _pitch_bytes(op)
    tile = e.values[op.value]
    e.lines.append(f" call {call}({shape}, ptr {pointer}, i64 {pitch}, {TILE_TYPE} {tile})")


def zero_tile(e: KernelEmitter, op: loop.BroadcastOp) -> str:
    """Append a tile of zeros; return its value.

    op: the broadcast of a 0 to a tile.
    Errors: LoweringError if the target has no registers for the tile, or for another number than 0.
    """
    if number_of(op.value) != 0:
        raise LoweringError(
            "a tile starts from zeros or from memory",
            expected="a broadcast of the constant 0",
            got=op.value.type,
            hint="add other initial values to the sums",
        ).at(op)
    call = f"{TILE_TYPE} @llvm.x86.tilezero.internal"
    e.declarations.add(f"declare {call}(i16, i16)")
    return e.emit(f"call {call}({_shape(e, op, e.type_of(op.res))})")


def _shape(
    e: KernelEmitter, op: loop.LoadOp | loop.StoreOp | loop.BroadcastOp, type_: LlvmType
) -> str:
    """Return the operands of a tile instruction that state the tile's rows and bytes per row.

    Errors: LoweringError if the target has no registers for the tile.
    """
    row_bytes = type_.lanes * type_.bits // 8
    if not e.target.has(FEATURE) or type_.rows > MOST_ROWS or row_bytes > MOST_ROW_BYTES:
        raise LoweringError(
            "the target has no registers for this tile",
            expected=f"{FEATURE}, {MOST_ROWS} rows of {MOST_ROW_BYTES} bytes",
            got=f"{type_.rows} rows of {row_bytes} bytes for {e.target}",
            hint="tensorize with an intrinsic of the target",
        ).at(op)
    return f"i16 {type_.rows}, i16 {row_bytes}"


def _pitch_bytes(op: loop.LoadOp | loop.StoreOp) -> int:
    """Return the distance in memory between the rows of a tile, in bytes.

    Errors: LoweringError if the distance is known only at run time.
    """
    assert op.rows is not None, "a tile has rows"
    memref = cast(MemRefType, op.mem.type)
    inner = memref.get_shape()[op.rows.data + 1 :]
    if DYNAMIC_INDEX in inner:
        raise LoweringError(
            "the rows of a tile are at a distance that is known only at run time",
            expected=f"static sizes behind dimension {op.rows.data}",
            got=memref,
            hint="tensorize with an intrinsic of vectors",
        ).at(op)
    return op.step * prod(inner) * memory_type(memref).bits // 8
