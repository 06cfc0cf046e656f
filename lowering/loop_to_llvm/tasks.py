"""The task space of a kernel: which tasks there are, and what each one runs.

The top-level statements of a kernel function are its loops, stores and branches.  A nest of
perfectly nested parallel loops has one task per iteration, any other statement is one task; the
tasks of all statements are numbered one after the other.  If no statement is a parallel loop the
whole body is one task.  Statements that become different tasks must not depend on each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Operation, SSAValue

from ...analysis.strides import flat_address
from ...dialects import loop
from ...support.affine import INFINITY, Key, Range
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
    """What every task runs first, and the segments; no segment if the body is one task."""

    shared: tuple[Operation, ...]
    segments: tuple[Segment, ...]

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
    return TaskSpace(shared, segments)


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

    buffer: SSAValue
    is_write: bool
    ranges: tuple[Range, ...]

    def may_meet(self, other: _Footprint) -> bool:
        """True unless the ranges exclude a common element, or neither writes."""
        if self.buffer is not other.buffer or not (self.is_write or other.is_write):
            return False
        pairs = zip(self.ranges, other.ranges, strict=True)
        return all(a[0] <= b[1] and b[0] <= a[1] for a, b in pairs)


def _check_independent(shared: Sequence[Operation], segments: Sequence[Segment]) -> None:
    groups = [list(_footprints(s.statement)) for s in segments]
    before = [f for op in shared for f in _footprints(op)]
    for position, group in enumerate(groups):
        others = [f for g in groups[:position] for f in g]
        for footprint in group:
            if any(footprint.may_meet(other) for other in [*before, *others]):
                raise _dependence(segments[position].statement, footprint)


def _dependence(statement: Operation, footprint: _Footprint) -> LoweringError:
    name = footprint.buffer.name_hint or "a buffer"
    box = footprint.ranges[: len(footprint.ranges) // 2]
    return LoweringError(
        "top-level statements of a kernel are separate tasks and must be independent",
        got=f"{'writes' if footprint.is_write else 'reads'} %{name} at {box}, "
        "which an earlier statement also uses",
        hint="put both into one parallel loop, or make no top-level loop parallel",
    ).at(statement)


def _footprints(statement: Operation) -> Iterator[_Footprint]:
    ranges: dict[Key, Range] = {}

    def range_of(key: Key) -> Range:
        return ranges.get(key, (-INFINITY, INFINITY))

    for op in statement.walk():
        if isinstance(op, loop.ForOp):
            lows, highs = op.bounds()
            low = max(e.range(range_of)[0] for e in lows)
            ranges[op.variable] = low, min(e.range(range_of)[1] for e in highs) - 1
        elif isinstance(op, loop.LoadOp | loop.StoreOp):
            yield _footprint(op, ranges)


def _footprint(op: loop.LoadOp | loop.StoreOp, ranges: dict[Key, Range]) -> _Footprint:
    def range_of(key: Key) -> Range:
        return ranges.get(key, (-INFINITY, INFINITY))

    indices = [e.simplify(range_of) for e in op.indices()]
    type_ = op.value.type if isinstance(op, loop.StoreOp) else op.res.type
    lanes = type_.get_shape()[0] if isinstance(type_, VectorType) else 1
    reach = ((op.lanes.data if op.lanes else lanes) - 1) * (op.stride.data if op.stride else 1)
    shape = cast(MemRefType, op.mem.type).get_shape()
    box = [e.range(range_of) for e in indices]
    if isinstance(op, loop.LoadOp) and op.pad is not None:
        box = [(max(low, 0), min(high, n - 1)) for (low, high), n in zip(box, shape, strict=True)]
    joined = [
        flat_address([index, indices[-1]], (size, shape[-1]))
        for index, size in zip(indices[:-1], shape[:-1], strict=True)
    ]
    lines = [e.simplify(range_of).range(range_of) for e in (flat_address(indices, shape), *joined)]
    reached = [(low + min(reach, 0), high + max(reach, 0)) for low, high in [*box[-1:], *lines]]
    return _Footprint(op.mem, isinstance(op, loop.StoreOp), (*box[:-1], *reached))
