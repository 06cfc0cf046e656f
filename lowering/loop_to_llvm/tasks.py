"""The task space of a kernel: its tasks, and the statements of each task.

The top-level statements of a kernel function (analysis/threads/statements.py) are its loops, stores
and branches, with the ops that they depend on.  A perfect nest of parallel loops has one task per
iteration, any other statement is one task; tasks are numbered consecutively over all statements. If
no statement is a parallel loop, the whole body is one task.  Statements in different tasks must be
independent; otherwise loop-split-phases splits the kernel.

The body of a perfect nest may itself consist of independent statements, such as a parallel loop
over blocks of queries and the last, smaller block.  Then each iteration of the nest has the tasks
of these statements.

Parallel loops that only store, such as fills of a buffer's border, have no tasks of their own: the
other tasks share the iterations of these loops.  Each thread gets a run of consecutive tasks, so a
thread with only fills would finish long before the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import func
from xdsl.ir import Operation, SSAValue

from ...analysis.bounds.loop_ranges import LoopRanges
from ...analysis.effects import Effect
from ...analysis.threads.statements import Statement, statements_of
from ...dialects import loop
from ...dialects.shape import Dim, Extent, element_count, extent_of
from ...support.diagnostics import LoweringError


@dataclass(frozen=True)
class TaskSegment:
    """A run of tasks of a kernel, which execute one top-level statement or a part of one.

    ops: the ops of the statement in order, or only its outermost parallel loop.
    nest: the parallel loops whose iterations are the tasks, outermost first; empty if the segment
    is one task.
    inner: the tasks of each iteration; None if an iteration is one task.
    """

    ops: tuple[Operation, ...]
    nest: tuple[loop.ForOp, ...] = ()
    inner: TaskSpace | None = None

    @property
    def sizes(self) -> tuple[Extent, ...]:
        """The trip counts of the parallel loops of the nest."""
        bounds = (cast("tuple[Dim, Dim]", op.size_bounds) for op in self.nest)
        return tuple(extent_of(high - low) for low, high in bounds)

    @property
    def tasks(self) -> Extent:
        """The number of tasks of the segment."""
        iterations = element_count(Dim.of(size).max(0) for size in self.sizes)
        return extent_of(iterations * (1 if self.inner is None else self.inner.tasks))


@dataclass(frozen=True)
class TaskSpace:
    """The tasks of a kernel.

    shared: the ops that every task runs first.
    segments: the runs of tasks, in the order of task numbers; none if the whole body is one task.
    fills: parallel loops that only store; all tasks share their iterations evenly.
    """

    shared: tuple[Operation, ...]
    segments: tuple[TaskSegment, ...]
    fills: tuple[TaskSegment, ...] = ()

    @property
    def tasks(self) -> Extent:
        """The number of tasks of one call; at least one if there are fills."""
        if not self.segments:
            return 1
        total = sum((Dim.of(s.tasks) for s in self.segments), Dim.const(0))
        return extent_of(total.max(1) if self.fills else total)


def task_space(function: func.FuncOp) -> TaskSpace:
    """Return the tasks of a kernel function; `check_independent` then checks that they are legal.

    Errors: LoweringError if a parallel loop has dynamic bounds, or if another statement uses a
    result of a loop or branch.
    """
    ops = [op for op in function.body.block.ops if not isinstance(op, func.ReturnOp)]
    if not any(isinstance(op, loop.ForOp) and op.is_parallel for op in ops):
        return TaskSpace(tuple(ops), ())
    shared, statements = statements_of(function.body.block)
    segments: list[TaskSegment] = []
    for statement in statements:
        before, parts = _segments(statement)
        shared += before
        segments += parts
    fills = [s for s in segments if s.nest and _only_stores(s.nest[0])]
    others = [s for s in segments if s not in fills]
    if not any(s.nest for s in others):
        return TaskSpace(tuple(shared), tuple(segments))
    return TaskSpace(tuple(shared), tuple(others), tuple(fills))


def _segments(statement: Statement) -> tuple[list[Operation], list[TaskSegment]]:
    """Divide a top-level statement into ops that all tasks run first, and segments of tasks.

    A statement has several segments if a parallel loop and other ops use the same value: each task
    then computes the value.
    Errors: LoweringError if another op uses the results of a loop or branch.
    """
    if not statement.is_parallel:
        return [], [TaskSegment(statement.ops)]
    acting = [op for op in statement.ops if isinstance(op, loop.ForOp | loop.IfOp | loop.StoreOp)]
    for op in acting:
        if any(result.uses for result in op.results):
            raise LoweringError(
                "a top-level statement next to a parallel loop is a separate task and passes on "
                "no values",
                got=f"uses of %{op.results[0].name_hint or 'its result'}",
                hint="store the value in a buffer and load it where it is used",
            ).at(op)
    before = [op for op in statement.ops if op not in acting]
    nests = [(op, _parallel_nest(op)) for op in acting]
    return before, [TaskSegment((op,), nest, _inner_space(nest)) for op, nest in nests]


def _inner_space(nest: Sequence[loop.ForOp]) -> TaskSpace | None:
    """Return the tasks of one iteration of a nest of parallel loops; None if it is one task.

    An iteration has several tasks if it consists of independent statements, and one of them is a
    parallel loop whose bounds are numbers or sizes.
    """
    ops = [*nest[-1].body.block.ops] if nest else []
    loops = [op for op in ops if isinstance(op, loop.ForOp) and op.is_parallel]
    if not loops or any(op.size_bounds is None or op.results for op in loops):
        return None
    shared, statements = statements_of(nest[-1].body.block)
    if any(each.conflict(statements[:number]) for number, each in enumerate(statements)):
        return None
    try:
        parts = [_segments(statement) for statement in statements]
    except LoweringError:
        return None
    before = [op for ops, _ in parts for op in ops]
    return TaskSpace((*shared, *before), tuple(part for _, found in parts for part in found))


def _only_stores(statement: Operation) -> bool:
    return not any(isinstance(op, loop.LoadOp | loop.IfOp) for op in statement.walk())


def _parallel_nest(op: Operation) -> tuple[loop.ForOp, ...]:
    """Return the perfect nest of parallel loops that begins with ``op``, outermost first.

    The result is empty if ``op`` is no parallel loop.
    Errors: LoweringError if the bounds of the outermost loop are not numbers or sizes.
    """
    nest: list[loop.ForOp] = []
    while isinstance(op, loop.ForOp) and op.is_parallel and not op.inits:
        if op.size_bounds is None:
            if not nest:
                raise LoweringError(
                    "the bounds of a parallel loop at the top of a kernel are numbers or sizes",
                    hint="tile it so that its trip count is a number or a loop.size",
                ).at(op)
            break
        nest.append(op)
        block = op.body.block
        first = block.first_op
        if first is None or first.next_op is not block.last_op:
            break
        op = first
    return tuple(nest)


def check_independent(space: TaskSpace) -> None:
    """Check that tasks of different statements do not depend on each other.

    Errors: LoweringError that names the buffer through which two statements depend on each other.
    """
    segments = (*space.segments, *space.fills)
    if len(segments) < 2:
        return
    ranges = LoopRanges()
    parts = [Statement(ops, ranges) for ops in (space.shared, *(s.ops for s in segments))]
    for number, part in enumerate(parts[1:], 1):
        found = part.conflict(parts[:number])
        if found is not None:
            raise _dependence(part.ops[0], *found)


def _dependence(statement: Operation, buffer: SSAValue, effect: Effect) -> LoweringError:
    name = buffer.name_hint or "a buffer"
    return LoweringError(
        "top-level statements of a kernel are separate tasks and must be independent",
        got=f"{'writes' if effect.is_write else 'reads'} %{name} at {effect.box}, "
        "which another statement also uses",
        hint="run loop-split-phases, which makes kernels of them where main calls this one; or put "
        "both into one parallel loop",
    ).at(statement)
