"""Run schedule scripts: resolve handles and apply the primitive of each step.

A handle stands for a list of ops. A step consumes its handles (except the loop handle of
fuse_into), and every other handle that holds one of their ops.  Using a consumed handle is an error
that names the consuming step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from xdsl.ir import Operation, SSAValue

from ...dialects.sched import ScriptOp, StepOp
from ...dialects.te import ComputeOp, KernelOp
from ...dialects.te.loop_nest import LoopNest
from ...machines.gpu import GpuLimits
from ...support.diagnostics import (
    ScheduleError,
    SymbolicSize,
    SymbolicStep,
    TilewrightError,
)
from .engine.launch_limits import LaunchLimits
from .engine.nest import forget_names, make_nests
from .engine.step import Handles, Step
from .loops.parallel import check_parallel_loops
from .primitives import Primitive, primitive_of


def apply_script(
    script: ScriptOp,
    kernel: KernelOp,
    *,
    observe: Callable[[StepOp], None] | None = None,
    limits: GpuLimits | None = None,
) -> None:
    """Apply the steps of a script to a kernel, in place.

    observe: called after each step.  limits: the limits of the target, if it is a GPU.
    Before: the kernel is in buffer form.
    Errors: ScheduleError for an illegal step. The kernel is then partly scheduled and must be
    discarded.
    """
    run = ScriptRun(kernel, limits)
    for op in script.steps:
        run.apply(op)
        if observe is not None:
            observe(op)
    run.finish()


class ScriptRun:
    """A kernel that is being scheduled, step by step.

    limits: the limits of the target, if it is a GPU.
    Errors: ScheduleError for an illegal step. The kernel is then partly scheduled and must be
    discarded.
    """

    def __init__(self, kernel: KernelOp, limits: GpuLimits | None = None) -> None:
        self.kernel = kernel
        self._limits = None if limits is None else LaunchLimits(kernel, limits)
        self._handles = _Handles()

    def apply(self, op: StepOp) -> None:
        """Apply one step; an error is located at the step's op."""
        try:
            self._apply(op)
        except TilewrightError as err:
            err.at(op)
            raise

    def _apply(self, op: StepOp) -> None:
        primitive = primitive_of(op)
        params = op.arguments()
        by_axis = op.axis_arguments()
        if by_axis and not primitive.axis_sizes:
            raise ScheduleError(
                "unknown parameter",
                expected=", ".join(op.options()) or "none",
                got=", ".join(by_axis),
                where=f"{op.name} in @{self.kernel.label}",
            )
        step = Step(
            op, self.kernel, self._handles.take(op, self.kernel, primitive), params, by_axis
        )
        if primitive.plain:
            _check_plain(step)
        try:
            results = primitive.apply(step)
        except SymbolicSize as err:
            raise _needs_number(step, err) from err
        if len(results) != len(op.res):
            raise step.error("wrong number of results", expected=len(results), got=len(op.res))
        self._handles.follow(step.copies)
        self._handles.define(op, results)
        if self._limits is not None:
            self._limits.after_step(op, results)

    def is_live(self, handle: SSAValue) -> bool:
        """Return whether a handle can still be used."""
        return handle in self._handles.live

    def held(self, handle: SSAValue) -> Sequence[Operation]:
        """Return the ops to which a live handle refers."""
        return self._handles.live[handle]

    def finish(self) -> None:
        """End the script: make the loops of all pending nests, and check parallel loops."""
        make_nests(self.kernel)
        forget_names(self.kernel)
        check_parallel_loops(self.kernel)
        if self._limits is not None:
            self._limits.finish()


def _needs_number(step: Step, error: SymbolicSize) -> SymbolicStep:
    """Return the error of a step that requires a constant where the kernel has a symbolic size."""
    return SymbolicStep(
        error.rule,
        expected=error.expected or "an integer",
        got=error.got,
        hint=f"leave out {step.name} here, or give the tensor a fixed size",
        where=step.where,
    )


def _check_plain(step: Step) -> None:
    """Raise ScheduleError if a handle of the step holds a compute with a pending nest.

    A nest that only states the default (one unmarked loop per axis, in the order of the axes) is
    dropped instead.
    """
    for op in (op for ops in step.handles for op in ops):
        if not isinstance(op, ComputeOp) or op.nest is None:
            continue
        view = op.view()
        if view.nest == LoopNest.of(view.axes):
            op.update(replace(view, nest=None))
        else:
            raise step.error(
                f"@{op.label} has loops that are not made yet: {op.nest.data}",
                expected="split, fuse, reorder, unroll, parallel_axis, vectorize_axis, bind or "
                "compute_at on them",
                hint=f"use {step.name} before them",
            )


class _Handles:
    """The ops of each live handle, and for each consumed handle the step that consumed it."""

    def __init__(self) -> None:
        self.live: dict[SSAValue, list[Operation]] = {}
        self.consumed_by: dict[SSAValue, StepOp] = {}

    def take(self, op: StepOp, kernel: KernelOp, primitive: Primitive) -> list[list[Operation]]:
        """Return the ops of each handle that a step takes; invalidate the handles that it consumes.

        op: the step.
        kernel: the kernel, for error messages.
        primitive: the implementation of the step, which says how many handles the step takes and
        which of them stay valid.
        Errors: ScheduleError for another number of handles, for the same handle twice, and for a
        consumed handle.
        """
        where = f"{op.name} in @{kernel.label}"
        most = primitive.handles + primitive.optional
        between = "or" if primitive.optional == 1 else "to"
        if not primitive.handles <= len(op.handles) <= most:
            raise ScheduleError(
                "wrong number of handles",
                expected=f"{primitive.handles} {between} {most}" if primitive.optional else most,
                got=len(op.handles),
                where=where,
            )
        if len(set(op.handles)) < len(op.handles):
            raise ScheduleError(
                "a step takes the same handle twice",
                expected="handles of different computes or loops",
                got=", ".join(_name(h) for h in op.handles),
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
        """Invalidate every handle that holds one of the ops."""
        ended = [h for h, held in self.live.items() if any(o is p for o in held for p in ops)]
        for handle in ended:
            del self.live[handle]
            self.consumed_by[handle] = step

    def follow(self, copies: Mapping[Operation, Sequence[Operation]]) -> None:
        """Add the copies that a step made to the handles that hold the copied ops."""
        if copies:
            for held in self.live.values():
                held += [copy for op in tuple(held) for copy in copies.get(op, ())]

    def define(self, op: StepOp, results: Handles) -> None:
        for result, ops in zip(op.res, results, strict=True):
            self.live[result] = list(ops)


def _name(handle: SSAValue) -> str:
    return f"%{handle.name_hint}" if handle.name_hint else "without a name"
