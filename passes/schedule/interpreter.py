"""Run schedule scripts: resolve handles, apply the primitive of each step.

A handle stands for a list of ops.  A step consumes the handles it uses (fuse_into keeps its loop),
and with them every other handle to one of the same ops; using a consumed handle is an error that
names the step that consumed it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from ...dialects.sched import (
    CacheReadOp,
    FuseEpilogueOp,
    FuseIntoOp,
    InlineOp,
    MatchOp,
    OrderOp,
    PackOp,
    ParallelOp,
    PeelOp,
    RelayoutOp,
    ScriptOp,
    SplitAxisOp,
    SplitReductionOp,
    SpreadOp,
    StepOp,
    TileOp,
    VectorizeOp,
)
from ...dialects.te import KernelOp
from ...support.diagnostics import ScheduleError
from .cache_read import cache_read
from .fuse_epilogue import fuse_epilogue
from .fuse_into import fuse_into
from .inline import inline
from .match import match
from .order import order
from .pack import pack
from .parallel import check_parallel_loops, parallel
from .peel import peel
from .relayout import relayout
from .split_axis import split_axis
from .split_reduction import split_reduction
from .spread import spread
from .step import Handles, Step
from .tile import tile
from .vectorize import vectorize


@dataclass(frozen=True)
class Primitive:
    """How a step op is run.

    handles: how many it takes.  keeps: positions of handles that stay valid.  axis_sizes: its
    parameters may be named after axes.
    """

    apply: Callable[[Step], Handles]
    handles: int = 1
    keeps: tuple[int, ...] = ()
    axis_sizes: bool = False


PRIMITIVES: Mapping[type[StepOp], Primitive] = {
    MatchOp: Primitive(match, handles=0),
    TileOp: Primitive(tile, axis_sizes=True),
    SplitAxisOp: Primitive(split_axis, axis_sizes=True),
    OrderOp: Primitive(order),
    SplitReductionOp: Primitive(split_reduction, axis_sizes=True),
    PackOp: Primitive(pack),
    RelayoutOp: Primitive(relayout),
    CacheReadOp: Primitive(cache_read),
    PeelOp: Primitive(peel),
    FuseIntoOp: Primitive(fuse_into, handles=2, keeps=(1,)),
    InlineOp: Primitive(inline, handles=2),
    FuseEpilogueOp: Primitive(fuse_epilogue, handles=2),
    VectorizeOp: Primitive(vectorize, axis_sizes=True),
    ParallelOp: Primitive(parallel),
    SpreadOp: Primitive(spread),
}
"""The implementation of every step op."""


def apply_script(
    script: ScriptOp, kernel: KernelOp, *, observe: Callable[[StepOp], None] | None = None
) -> None:
    """Apply the steps of a script to a kernel, in place.

    observe: called after each step.
    Before: the kernel is in buffer form.
    Errors: ScheduleError for an illegal step; the kernel is then half scheduled: discard it.
    """
    handles = _Handles()
    for op in script.steps:
        assert type(op) in PRIMITIVES, f"{op.name} is no schedule step"
        primitive = PRIMITIVES[type(op)]
        params = op.arguments()
        if not primitive.axis_sizes and (unknown := [k for k in params if k not in op.options()]):
            raise ScheduleError(
                "unknown parameter",
                expected=", ".join(op.options()) or "none",
                got=", ".join(unknown),
                where=f"{op.name} in @{kernel.label}",
            )
        step = Step(op, kernel, handles.take(op, kernel, primitive), params)
        results = primitive.apply(step)
        if len(results) != len(op.res):
            raise step.error("wrong number of results", expected=len(results), got=len(op.res))
        handles.follow(step.copies)
        handles.define(op, results)
        if observe is not None:
            observe(op)
    check_parallel_loops(kernel)


class _Handles:
    """The ops behind the live handles, and what consumed the others."""

    def __init__(self) -> None:
        self.live: dict[SSAValue, list[Operation]] = {}
        self.consumed_by: dict[SSAValue, StepOp] = {}

    def take(self, op: StepOp, kernel: KernelOp, primitive: Primitive) -> list[list[Operation]]:
        """Return the ops of a step's handles and end the handles that it consumes."""
        where = f"{op.name} in @{kernel.label}"
        if len(op.handles) != primitive.handles:
            raise ScheduleError(
                "wrong number of handles",
                expected=primitive.handles,
                got=len(op.handles),
                where=where,
            )
        taken: list[list[Operation]] = []
        for handle in op.handles:
            if handle not in self.live:
                raise ScheduleError(
                    f"stale handle {_name(handle)}",
                    got=f"consumed by {self.consumed_by[handle].name}",
                    hint="use the handle that this step returned, or match again",
                    where=where,
                )
            taken.append(self.live[handle])
        for position, handle in enumerate(op.handles):
            if position not in primitive.keeps:
                self._consume(self.live[handle], op)
        return taken

    def _consume(self, ops: Sequence[Operation], step: StepOp) -> None:
        """End every handle to one of the ops."""
        ended = [h for h, held in self.live.items() if any(o is p for o in held for p in ops)]
        for handle in ended:
            del self.live[handle]
            self.consumed_by[handle] = step

    def follow(self, copies: Mapping[Operation, Sequence[Operation]]) -> None:
        """Let handles to ops that a step copied hold the copies too."""
        if copies:
            for held in self.live.values():
                held += [copy for op in tuple(held) for copy in copies.get(op, ())]

    def define(self, op: StepOp, results: Handles) -> None:
        """Give the results of a step their ops."""
        for result, ops in zip(op.res, results, strict=True):
            self.live[result] = list(ops)


def _name(handle: SSAValue) -> str:
    return f"%{handle.name_hint}" if handle.name_hint else "without a name"
