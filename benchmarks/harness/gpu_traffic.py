"""Memory traffic of a GPU kernel, counted on its threads: no device runs.

In: a kernel of the simt level, with numbers as sizes. Out: the sectors of global memory and the
passes of shared memory that its warps ask for, and the instructions that they issue at least
(gpu_issues.py). One block in the middle of the grid is followed, with loop variables at their first
values; accesses that depend on loaded values count as executed, at places apart from each other. An
op that computes the same as an earlier op in the same threads issues nothing, because the compiler
may keep the value (gpu_values.py). An op that accesses memory in a way that is not counted here is
an error.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from tilewright.dialects import loop, simt
from tilewright.dialects.dtypes import numpy_dtype
from tilewright.interp.body import compare_integers, evaluate
from tilewright.interp.loop import lanes_of
from tilewright.support.affine import Atom, Index

from .gpu_issues import access_slots, class_of, class_of_access, issue_slots
from .gpu_values import ValueNumbers

WARP, SECTOR_BYTES, BANKS, BANK_BYTES, WIDEST = 32, 32, 32, 4, 16
"""Source: CUDA C++ Programming Guide, compute capability 8.x and 9.0."""

Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass
class Traffic:
    """The memory accesses and instructions of all warps of a launch.

    sectors: the sectors of global memory, 32 bytes each.  copied_sectors: the sectors that
    asynchronous copies read.  passes: accesses to shared memory, each of which takes an SM one
    clock.  least_passes: the passes without bank conflicts.  matrix_passes: the passes of loads of
    matrices.  classes: the instructions of all warps, by class.  uses_mma, uses_wgmma: whether
    warps, and warpgroups, multiply matrices.
    """

    sectors: float = 0
    copied_sectors: float = 0
    passes: float = 0
    least_passes: float = 0
    matrix_passes: float = 0
    classes: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    uses_mma: bool = False
    uses_wgmma: bool = False

    @property
    def issues(self) -> float:
        """The instructions of all warps."""
        return sum(self.classes.values())

    @property
    def global_bytes(self) -> float:
        """The number of bytes of global memory that warps request from L1."""
        return self.sectors * SECTOR_BYTES

    @property
    def l1_clocks(self) -> float:
        """The clocks of the data path that L1 and shared memory share, 128 bytes per clock.

        The bytes of an asynchronous copy use the path once, as its store to shared memory.
        """
        loaded = (self.sectors - self.copied_sectors) * SECTOR_BYTES
        return loaded / (BANKS * BANK_BYTES) + self.passes

    @property
    def conflicts(self) -> float:
        """The factor by which bank conflicts increase the passes of shared memory.

        1 without conflicts.
        """
        return self.passes / self.least_passes if self.least_passes else 1.0


def traffic_of(kernel: FuncOp) -> Traffic:
    """Return the traffic of one call of a kernel."""
    launch = simt.launch_of(kernel)
    assert launch is not None, "a kernel of the simt level has a launch"
    grid = [cast(int, blocks.value) for blocks in launch.grid]
    walk = _Walk(grid, launch.block, ValueNumbers.of(kernel))
    walk.run(kernel.body.block, float(prod(grid)), np.ones(launch.threads, bool))
    kinds = {type(op) for op in kernel.walk()}
    walk.traffic.uses_mma = simt.MmaOp in kinds
    walk.traffic.uses_wgmma = simt.WarpgroupMmaOp in kinds
    return walk.traffic


_SILENT = (
    loop.AllocOp, simt.BarrierOp, simt.AsyncCommitOp, simt.AsyncWaitOp, simt.MatrixDescriptorOp,
    simt.WarpgroupWaitOp,
)  # fmt: skip
"""The ops that access no memory themselves."""


@dataclass
class _Walk:
    grid: list[int]
    block: tuple[int, int, int]
    numbers: ValueNumbers
    traffic: Traffic = field(default_factory=Traffic)
    values: dict[SSAValue, Ints | None] = field(default_factory=dict)

    def run(self, block: Block, times: float, mask: Ints) -> None:
        """Count the ops of a block.

        times: how often the block runs.  mask: the threads that run it.
        """
        for op in block.ops:
            if self._is_in_register(op, times, mask):
                continue
            match op:
                case simt.ThreadIdOp() | simt.BlockIdOp():
                    self.values[op.results[0]] = self._id(op)
                case loop.IndexOp() if not op.step:
                    self.values[op.res] = self._index(op.index())
                case loop.ForOp():
                    self._loop(op, times, mask)
                case loop.IfOp():
                    holds = self.values.get(op.condition)
                    inner = mask if holds is None else mask & np.broadcast_to(holds, mask.shape)
                    if inner.any():
                        self.run(op.body.block, times, inner)
                case loop.LoadOp() | loop.StoreOp():
                    self._access(op, times, mask)
                case simt.LoadMatrixOp():
                    self._load_matrices(op, times, mask)
                case simt.WarpgroupMmaOp():
                    self._multiply(op, times, mask)
                case simt.AsyncCopyOp():
                    before = self.traffic.sectors
                    self.run(op.body.block, times, mask)
                    self.traffic.copied_sectors += self.traffic.sectors - before
                case _:
                    _check_memory(op)
                    self._compute(op)

    def _is_in_register(self, op: Operation, times: float, mask: Ints) -> bool:
        """Count the instructions of an op; return whether it loads what an earlier op loaded."""
        is_known = self.numbers.is_repeated(op, (times, mask.tobytes()))
        if not is_known:
            self._issue(times, mask, issue_slots(op), class_of(op))
        return is_known and isinstance(op, loop.LoadOp)

    def _issue(self, times: float, mask: Ints, count: int, name: str) -> None:
        """Add ``count`` instructions of a class for each warp that has a running thread."""
        warps = sum(mask[first : first + WARP].any() for first in range(0, mask.size, WARP))
        self.traffic.classes[name] += times * int(warps) * count

    def _id(self, op: simt.ThreadIdOp | simt.BlockIdOp) -> Ints:
        axis = "xyz".index(op.dimension.data)
        if isinstance(op, simt.BlockIdOp):
            return np.array(self.grid[axis] // 2)
        before = prod(self.block[:axis])
        return np.arange(prod(self.block)) // before % self.block[axis]

    def _index(self, index: Index) -> Ints | None:
        total: Ints = np.array(index.const)
        for key, factor in index.terms.items():
            if isinstance(key, Atom):
                value = self._index(key.operand)
                if value is not None:
                    floor = key.kind == "floordiv"
                    value = value // key.divisor if floor else value % key.divisor
            else:
                value = self.values.get(cast(SSAValue, key))
            if value is None:
                return None
            total = total + factor * value
        return total

    def _loop(self, op: loop.ForOp, times: float, mask: Ints) -> None:
        lows, highs = ([self._index(i) for i in bounds] for bounds in op.bounds())
        if any(bound is None for bound in (*lows, *highs)):
            trips, low = 1.0, None
        else:
            low = np.max(np.broadcast_arrays(*lows, np.zeros(mask.shape, int)), axis=0)
            high = np.min(np.broadcast_arrays(*highs, np.full(mask.shape, 2**62)), axis=0)
            ends = np.maximum(high - low, 0)
            mask = mask & (ends > 0)
            trips = float(ends[mask].mean()) if mask.any() else 0.0
        if trips:
            self.values[op.variable] = low
            self.run(op.body.block, times * trips, mask)

    def _access(self, op: loop.LoadOp | loop.StoreOp, times: float, mask: Ints) -> None:
        type_ = cast("MemRefType[Any]", op.mem.type)
        moved = op.res.type if isinstance(op, loop.LoadOp) else op.value.type
        lanes = op.lanes.data if op.lanes else lanes_of(moved)
        size = numpy_dtype(type_.element_type).itemsize
        starts = self._starts(op, size, mask)
        step = (op.stride.data if op.stride else 1) * size
        is_global = isinstance(op.mem, BlockArgument)
        is_shared = isinstance(op.mem.owner, loop.AllocOp) and op.mem.owner.scope.data == "shared"
        is_half = isinstance(op.parent_op(), simt.AsyncCopyOp) and isinstance(op, loop.LoadOp)
        joined = self._joined(op, lanes, size, mask) if is_shared else 1
        times, lanes = times / joined, lanes * joined
        if (is_global or is_shared) and not is_half:
            alignment = int(np.gcd.reduce(starts[mask]))
            slots = access_slots(lanes, size, step, alignment)
            self._issue(times, mask, slots, class_of_access(op))
        for first in range(0, mask.size, WARP):
            warp = starts[first : first + WARP][mask[first : first + WARP]]
            if not warp.size:
                continue
            if is_global:
                self.traffic.sectors += times * _sectors(warp, lanes, step, size)
            elif is_shared:
                passes, least = _passes(warp, lanes, step, size)
                self.traffic.passes += times * passes
                self.traffic.least_passes += times * least

    def _joined(self, op: loop.LoadOp | loop.StoreOp, lanes: int, size: int, mask: Ints) -> int:
        """Return how many iterations of a loop the assembler may load at once.

        An unrolled loop whose iterations load neighbors becomes loads of up to 16 bytes.
        """
        around = op.parent_op()
        if isinstance(op, loop.StoreOp) or not isinstance(around, loop.ForOp):
            return 1
        first = self.values.get(around.variable)
        if first is None:
            return 1
        now = self._starts(op, size, mask)
        self.values[around.variable] = first + 1
        then = self._starts(op, size, mask)
        self.values[around.variable] = first
        return max(1, WIDEST // (lanes * size)) if np.all(then - now == lanes * size) else 1

    def _starts(self, op: loop.AccessOp, size: int, mask: Ints) -> Ints:
        """Return the offset of the first byte that each thread accesses in the buffer."""
        access = cast("loop.LoadOp", op)
        place: Ints | None = np.zeros(1, int)
        extents = cast("MemRefType[Any]", access.mem.type).get_shape()
        for index, extent in zip(op.indices(), extents, strict=True):
            value = self._index(index)
            place = None if place is None or value is None else place * extent + value
        start = np.arange(mask.size) * SECTOR_BYTES * 2 if place is None else place * size
        return np.broadcast_to(start, mask.shape)

    def _load_matrices(self, op: simt.LoadMatrixOp, times: float, mask: Ints) -> None:
        """Count a load of matrices: a pass per matrix, if its eight rows are in different banks."""
        size = numpy_dtype(op.res.type.element_type).itemsize
        starts = self._starts(op, size, mask)
        for first in range(0, mask.size, WARP):
            if not mask[first : first + WARP].any():
                continue
            for matrix in range(op.matrices):
                rows = starts[first + matrix * simt.ROW :][: simt.ROW]
                passes, least = _passes(rows, simt.ROW, size, size)
                self.traffic.passes += times * passes
                self.traffic.least_passes += times * least
                self.traffic.matrix_passes += times * passes

    def _multiply(self, op: simt.WarpgroupMmaOp, times: float, mask: Ints) -> None:
        """Count a product of warpgroups, whose matrix units read whole rows of both operands."""
        elements = len(op.lhs) * simt.GROUP_STEP * (simt.GROUP_ROWS + op.columns)
        passes = int(mask.sum()) // simt.WARPGROUP * elements / simt.SWIZZLED_ROW
        self.traffic.passes += times * passes
        self.traffic.least_passes += times * passes
        self.traffic.matrix_passes += times * passes

    def _compute(self, op: Operation) -> None:
        """Compute the results of an op for all threads, if its operands are known."""
        operands = [self.values.get(value) for value in op.operands]
        if len(op.results) != 1 or op.regions or any(value is None for value in operands):
            return
        if isinstance(op, loop.CompareOp) and isinstance(op.lhs.type, IndexType):
            self.values[op.res] = compare_integers(op.predicate.data, *operands)
        elif op.dialect_name() == "arith":
            self.values[op.results[0]] = evaluate(op, operands, op.name)


def _check_memory(op: Operation) -> None:
    """Raise an error for an op that accesses memory in a way that is not counted.

    Errors: NotImplementedError, because the op's traffic would be missing from the sums.
    """
    effects = (MemoryReadEffect, MemoryWriteEffect)
    if isinstance(op, _SILENT):
        return
    if isinstance(op, loop.AccessOp) or any(op.has_trait(effect) for effect in effects):
        raise NotImplementedError(f"{op.name} accesses memory, but its traffic is not counted")


def _bytes(starts: Ints, lanes: int, step: int) -> Ints:
    return (starts[:, None] + step * np.arange(lanes)).ravel()


def _sectors(starts: Ints, lanes: int, step: int, size: int) -> int:
    """Return the number of sectors of global memory that contain the elements of a warp."""
    first = _bytes(starts, lanes, step)
    return len(np.unique([first // SECTOR_BYTES, (first + size - 1) // SECTOR_BYTES]))


def _passes(starts: Ints, lanes: int, step: int, size: int) -> tuple[int, int]:
    """Return the passes of an access to shared memory, and the passes without bank conflicts.

    An access of 8 or 16 bytes per thread is done for half or a quarter of a warp at a time. A part
    of the warp that reads the same words as an earlier part takes no pass.
    """
    wide = max(1, lanes * size // BANK_BYTES) if step == size else 1
    group = max(1, WARP // wide)
    passes = least = 0
    seen: set[bytes] = set()
    for first in range(0, len(starts), group):
        words = np.unique(_bytes(starts[first : first + group], lanes, step) // BANK_BYTES)
        if words.tobytes() in seen:
            continue
        seen.add(words.tobytes())
        passes += int(np.bincount(words % BANKS).max())
        least += -(-len(words) // BANKS)
    return passes, least


__all__ = ["Traffic", "traffic_of"]
