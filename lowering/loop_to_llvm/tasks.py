"""The task space of a kernel: which tasks there are, and what each one runs.

The top-level statements of a kernel function are its loops, stores and branches.  A nest of
perfectly nested parallel loops has one task per iteration, any other statement is one task; the
tasks of all statements are numbered one after the other.  If no statement is a parallel loop the
whole body is one task.  Statements that become different tasks must not depend on each other.

Parallel loops that only store, as they fill the border of a buffer, make no tasks of their own: the
tasks of the others share their iterations.  Tasks are dealt out in runs, so a thread that was dealt
those fills would be done long before the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Operation, SSAValue

from ...analysis.strides import flat_address
from ...dialects import loop
from ...support.affine import INFINITY, Index, Key, Range, RangeOf
from ...support.diagnostics import LoweringError


@dataclass(frozen=True)
class Segment:
    """A statement and the parallel loops whose iterations are its tasks, outermost first."""

    statement: Operation
    nest: tuple[loop.ForOp, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Trip counts of the parallel loops."""
        return tuple(high - low for low, high in (cast(Range, o.static_bounds) for o in self.nest))

    @property
    def tasks(self) -> int:
        """Number of tasks."""
        return math.prod(max(size, 0) for size in self.sizes)


@dataclass(frozen=True)
class TaskSpace:
    """What every task runs first, and the segments; no segment if the body is one task.

    fills: of their iterations every task runs its equal part.
    """

    shared: tuple[Operation, ...]
    segments: tuple[Segment, ...]
    fills: tuple[Segment, ...] = ()

    @property
    def tasks(self) -> int:
        """Number of tasks of one call."""
        return sum(s.tasks for s in self.segments) if self.segments else 1


def task_space(function: func.FuncOp) -> TaskSpace:
    """Return the task space of a kernel function.

    Errors: LoweringError if statements that would become separate tasks depend on each other, or
    if a parallel loop has run-time bounds.
    """
    ops = [op for op in function.body.block.ops if not isinstance(op, func.ReturnOp)]
    statements = [op for op in ops if isinstance(op, loop.ForOp | loop.IfOp | loop.StoreOp)]
    if not any(isinstance(op, loop.ForOp) and op.is_parallel for op in statements):
        return TaskSpace(tuple(ops), ())
    segments = tuple(Segment(op, _parallel_nest(op)) for op in statements)
    shared = tuple(op for op in ops if op not in statements)
    if len(segments) > 1:
        _check_independent(shared, segments)
    fills = tuple(s for s in segments if s.nest and _only_stores(s.statement))
    others = tuple(s for s in segments if s not in fills)
    if not any(s.nest for s in others):
        return TaskSpace(shared, segments)
    return TaskSpace(shared, others, fills)


def _only_stores(statement: Operation) -> bool:
    return not any(isinstance(op, loop.LoadOp | loop.IfOp) for op in statement.walk())


def _parallel_nest(op: Operation) -> tuple[loop.ForOp, ...]:
    """Return the parallel loops that are perfectly nested from a statement inwards."""
    nest: list[loop.ForOp] = []
    while isinstance(op, loop.ForOp) and op.is_parallel and not op.inits:
        if op.static_bounds is None:
            if not nest:
                raise LoweringError(
                    "a parallel loop at the top of a kernel has constant bounds",
                    hint="tile it so that its trip count is constant",
                ).at(op)
            break
        nest.append(op)
        block = op.body.block
        first = block.first_op
        if first is None or first.next_op is not block.last_op:
            break
        op = first
    return tuple(nest)


# ---- independence


@dataclass(frozen=True)
class _Footprint:
    """Elements that a statement may touch: ranges that exclude all others.

    They are of every dimension, of the element number, and of each dimension joined with the
    innermost one: a blocked axis ``(c floordiv 16, …, c mod 16)`` is one range of these.
    """

    is_write: bool
    ranges: tuple[Range, ...]

    def may_meet(self, other: _Footprint) -> bool:
        """True unless the ranges exclude a common element, or neither writes."""
        if not (self.is_write or other.is_write):
            return False
        pairs = zip(self.ranges, other.ranges, strict=True)
        return all(a[0] <= b[1] and b[0] <= a[1] for a, b in pairs)


def _check_independent(shared: Sequence[Operation], segments: Sequence[Segment]) -> None:
    statements = [s.statement for s in segments]
    parts = [_Part(shared), *(_Part([statement]) for statement in statements)]
    for number, (part, statement) in enumerate(zip(parts[1:], statements, strict=True), 1):
        for buffer in part.accesses:
            footprint = part.meeting(parts[:number], buffer)
            if footprint is not None:
                raise _dependence(statement, buffer, footprint)


class _Part:
    """The accesses of some ops by buffer, and what they may touch."""

    def __init__(self, ops: Sequence[Operation]) -> None:
        self.accesses: dict[SSAValue, list[loop.LoadOp | loop.StoreOp]] = {}
        self._ranges: dict[Key, Range] = {}
        self._hulls: dict[SSAValue, _Footprint] = {}
        self._footprints: dict[SSAValue, list[_Footprint]] = {}
        for op in (inner for outer in ops for inner in outer.walk()):
            if isinstance(op, loop.ForOp):
                self._ranges[op.variable] = self._loop_range(op)
            elif isinstance(op, loop.LoadOp | loop.StoreOp):
                self.accesses.setdefault(op.mem, []).append(op)

    def _loop_range(self, op: loop.ForOp) -> Range:
        lows, highs = op.bounds()
        low = max(e.range(self.range_of)[0] for e in lows)
        return low, min(e.range(self.range_of)[1] for e in highs) - 1

    def range_of(self, key: Key) -> Range:
        """Range of the variable of a loop of this part."""
        return self._ranges.get(key, (-INFINITY, INFINITY))

    def meeting(self, others: Sequence[_Part], buffer: SSAValue) -> _Footprint | None:
        """Return a footprint on a buffer that may meet one of other parts, None if none does.

        Most parts are told apart by the box around all that they touch, which costs little.
        """
        users = [part for part in others if buffer in part.accesses]
        if not any(self.writes(buffer) or part.writes(buffer) for part in users):
            return None
        near = [part for part in users if self.hull(buffer).may_meet(part.hull(buffer))]
        theirs = [f for part in near for f in part.footprints(buffer)]
        mine = self.footprints(buffer) if theirs else []
        return next((f for f in mine if any(f.may_meet(other) for other in theirs)), None)

    def writes(self, buffer: SSAValue) -> bool:
        """Tell whether this part writes a buffer."""
        return any(isinstance(op, loop.StoreOp) for op in self.accesses[buffer])

    def hull(self, buffer: SSAValue) -> _Footprint:
        """Return the smallest box around what is touched of a buffer."""
        if buffer not in self._hulls:
            boxes = [
                _box(op, _indices(op, self.range_of), self.range_of) for op in self.accesses[buffer]
            ]
            ranges = tuple(
                (min(low for low, _ in column), max(high for _, high in column))
                for column in zip(*boxes, strict=True)
            )
            self._hulls[buffer] = _Footprint(self.writes(buffer), ranges)
        return self._hulls[buffer]

    def footprints(self, buffer: SSAValue) -> list[_Footprint]:
        """Return the different footprints on a buffer."""
        if buffer not in self._footprints:
            found = dict.fromkeys(_footprint(op, self.range_of) for op in self.accesses[buffer])
            self._footprints[buffer] = list(found)
        return self._footprints[buffer]


def _indices(op: loop.LoadOp | loop.StoreOp, range_of: RangeOf) -> list[Index]:
    return [e.simplify(range_of) for e in op.indices()]


def _box(
    op: loop.LoadOp | loop.StoreOp, indices: Sequence[Index], range_of: RangeOf
) -> list[Range]:
    """Return the range of each dimension."""
    box = [e.range(range_of) for e in indices]
    if isinstance(op, loop.LoadOp) and op.pad is not None:
        shape = cast(MemRefType, op.mem.type).get_shape()
        box = [(max(low, 0), min(high, n - 1)) for (low, high), n in zip(box, shape, strict=True)]
    elif isinstance(op, loop.StoreOp) and (clip := op.clip_ranges()) is not None:
        spans = zip(box, clip, strict=True)
        box = [(max(low, first), min(high, end - 1)) for (low, high), (first, end) in spans]
    return [*box[:-1], *(_reached(op, line) for line in box[-1:])]


def _reached(op: loop.LoadOp | loop.StoreOp, line: Range) -> Range:
    """Return a range of first lanes with the other lanes."""
    type_ = op.value.type if isinstance(op, loop.StoreOp) else op.res.type
    lanes = type_.get_shape()[0] if isinstance(type_, VectorType) else 1
    reach = ((op.lanes.data if op.lanes else lanes) - 1) * (op.stride.data if op.stride else 1)
    return line[0] + min(reach, 0), line[1] + max(reach, 0)


def _footprint(op: loop.LoadOp | loop.StoreOp, range_of: RangeOf) -> _Footprint:
    indices = _indices(op, range_of)
    shape = cast(MemRefType, op.mem.type).get_shape()
    joined = [
        flat_address([index, indices[-1]], (size, shape[-1]))
        for index, size in zip(indices[:-1], shape[:-1], strict=True)
    ]
    lines = [e.simplify(range_of).range(range_of) for e in (flat_address(indices, shape), *joined)]
    reached = [_reached(op, line) for line in lines]
    return _Footprint(isinstance(op, loop.StoreOp), (*_box(op, indices, range_of), *reached))


def _dependence(statement: Operation, buffer: SSAValue, footprint: _Footprint) -> LoweringError:
    name = buffer.name_hint or "a buffer"
    box = footprint.ranges[: len(footprint.ranges) // 2]
    return LoweringError(
        "top-level statements of a kernel are separate tasks and must be independent",
        got=f"{'writes' if footprint.is_write else 'reads'} %{name} at {box}, "
        "which an earlier statement also uses",
        hint="put both into one parallel loop, or make no top-level loop parallel",
    ).at(statement)
