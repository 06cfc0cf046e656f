"""packed-plan-memory: places in one arena for the buffers of main.

    %a = packed.alloc : memref<1024xf32>     packed.call @f(%x, %a)     packed.call @g(%a, %y)
==>
    func.func @main(..) attributes {arena_bytes = 4096 : i64}
    %a = packed.alloc at 0 : memref<1024xf32> ..

Before: main is a straight line of packed ops on memrefs.  After: every packed.alloc has an offset,
a multiple of 64; buffers whose lives overlap do not overlap in the arena; arena_bytes is its size.
The life of a buffer runs from its alloc's first use to the last use of it or of a view of it.
Exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects.dtypes import buffer_bytes
from ..dialects.packed import AllocOp, ViewOp

ALIGNMENT_BYTES = 64


@dataclass(frozen=True)
class Life:
    """A buffer: its size, and the first and last op (by position) that use it."""

    size_bytes: int
    first: int
    last: int

    def overlaps(self, other: Life) -> bool:
        """True if both buffers hold values at some op."""
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True)
class PlanMemory(ModulePass):
    """Give every buffer of main an offset into its arena."""

    name = "packed-plan-memory"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp) and _allocations(function):
                _plan(function)


def _allocations(function: FuncOp) -> list[AllocOp]:
    if not function.body.blocks:
        return []
    return [op for op in function.body.block.ops if isinstance(op, AllocOp)]


def _plan(function: FuncOp) -> None:
    allocations = _allocations(function)
    lives = _lives(function, allocations)
    offsets, size = assign_offsets(lives)
    for op, offset in zip(allocations, offsets, strict=True):
        op.properties["offset"] = IntegerAttr(offset, i64)
    function.attributes["arena_bytes"] = IntegerAttr(size, i64)


def _lives(function: FuncOp, allocations: Sequence[AllocOp]) -> list[Life]:
    positions = {op: i for i, op in enumerate(function.body.block.ops)}
    out: list[Life] = []
    for op in allocations:
        uses = _use_positions(op.res, positions) or [positions[op]]
        out.append(Life(buffer_bytes(op.res.type), min(uses), max(uses)))
    return out


def _use_positions(value: SSAValue, positions: dict[Operation, int]) -> list[int]:
    """Return the positions of the ops that read or write a buffer, through views too."""
    out: list[int] = []
    for use in value.uses:
        if isinstance(use.operation, ViewOp):
            out += _use_positions(use.operation.res, positions)
        else:
            out.append(positions[use.operation])
    return out


def assign_offsets(lives: Sequence[Life]) -> tuple[list[int], int]:
    """Return an offset per buffer and the arena's size: largest first, into the tightest gap.

    Cost: quadratic in the number of buffers.
    """
    order = sorted(range(len(lives)), key=lambda i: (-lives[i].size_bytes, lives[i].first, i))
    offsets = [0] * len(lives)
    placed: list[int] = []
    for i in order:
        taken = sorted(
            (offsets[j], offsets[j] + aligned(lives[j].size_bytes))
            for j in placed
            if lives[j].overlaps(lives[i])
        )
        offsets[i] = _best_gap(taken, aligned(lives[i].size_bytes))
        placed.append(i)
    ends = [o + aligned(life.size_bytes) for o, life in zip(offsets, lives, strict=True)]
    return offsets, max(ends, default=0)


def _best_gap(taken: Sequence[tuple[int, int]], size: int) -> int:
    """Return the start of the smallest gap that holds ``size`` bytes, or the end of all."""
    best, slack, end = -1, 0, 0
    for start, stop in taken:
        gap = start - end
        if gap >= size and (best < 0 or gap - size < slack):
            best, slack = end, gap - size
        end = max(end, stop)
    return best if best >= 0 else end


def aligned(size: int) -> int:
    """Return the size rounded up to the arena's alignment."""
    return -(-size // ALIGNMENT_BYTES) * ALIGNMENT_BYTES
