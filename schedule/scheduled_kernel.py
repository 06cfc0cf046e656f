"""One kernel of a schedule: the user's requests, and the resulting script and program.

In TVM a schedule is a set of statements whose order hardly matters: a statement about a loop also
applies to a producer that was moved into that loop earlier.  A script is a sequence: each step
works on the result of the previous steps.  So each request becomes a step at the latest legal
position in the script.

- Usually this position is the end.
- Otherwise the position is before a step that made loops or moved a compute into its readers: after
  ``s[A].compute_at(s[B], j); s[B].compute_at(s[C], i)`` A is computed in a loop of B, and B in a
  loop of C.
- A request that places the computation of a stage replaces an earlier one.
- A compute_at is deferred if its loop reads the stage only through stages outside of the loop:
  ``s[max].compute_at(s[out], i); s[exp].compute_at(s[out], i)``, where exp reads max.
  ``double_buffer`` and ``rolling_buffer`` of a stage that is in no loop yet are deferred too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ..dialects import sched
from ..dialects.loop import AllocOp, ForOp
from ..dialects.sched import Param, ScriptOp, StepOp
from ..dialects.te import ComputeOp, IntrinsicOp, KernelOp, TensorOp, find_intrinsic
from ..machines.gpu import GpuLimits
from ..passes.schedule.engine.nest import made_loops, nest_of
from ..passes.schedule.engine.placement import computes_in, is_inside
from ..passes.schedule.interpreter import ScriptRun
from ..passes.schedule.one_trip_loops import inline_one_trip_loops
from ..passes.schedule.validate import KernelCheck, step_text
from ..support.diagnostics import ScheduleError, TilewrightError
from ..support.names import value_hint

PLACES = (sched.ComputeAtOp, sched.ReverseComputeAtOp, sched.ComputeInlineOp, sched.ComputeRootOp)
"""Steps that determine where the stage of their first handle is computed."""

LOOPS = "%"
"""The prefix of the names of loop handles; names of stages do not have it."""

IN_LOOPS = (sched.DoubleBufferOp, sched.RollingBufferOp)
"""Steps that require the buffer of their stage to be inside a loop."""

NEW_AXES = (sched.CacheReadOp, sched.CacheWriteOp, sched.RfactorOp, sched.DecomposeReductionOp)
"""The schedule steps that create stages or change the axes of a stage."""

Params: TypeAlias = "Mapping[str, Param] | Callable[[AppliedScript], Mapping[str, Param]]"
"""Parameters of a step, or a function that computes them from the program before the step."""


@dataclass(frozen=True)
class RequestedStep:
    """A schedule step that the user requested.

    stages: the names of the stages and loops to which the step applies.  given: the names of the
    stages and loops that it returns.  params: the step's parameters.  by_axis: the parameters whose
    names are axes.
    """

    op: type[StepOp]
    stages: tuple[str, ...]
    params: Params
    by_axis: Mapping[str, Param] | None = None
    given: tuple[str, ...] = ()

    def places(self, stage: str) -> bool:
        """Return whether the step determines where a stage is computed, as compute_at does."""
        return self.op in PLACES and self.stages[0] == stage


class AppliedScript:
    """A script of schedule steps, and the kernel after these steps, with pending loop nests.

    plain: the kernel before all steps.  intrinsics: the intrinsics that steps may name.  limits:
    the limits of blocks and grids, if the target is a GPU.
    """

    def __init__(
        self,
        plain: KernelOp,
        intrinsics: Sequence[IntrinsicOp],
        limits: GpuLimits | None = None,
    ) -> None:
        self.plain, self.limits = plain, limits
        self.script = ScriptOp(plain.label)
        self.module = ModuleOp([*(op.clone() for op in intrinsics), self.script])
        self.kernel = plain.clone()
        self.run = ScriptRun(self.kernel, limits)
        self.handles: dict[str, SSAValue] = {}
        self.axes = {op.label: _axes_of(op) for op in computes_in(plain)}
        """The parallel and reduction axes of each stage, without the loops made from them."""

    def names(self) -> list[str]:
        """Return the names of the stages, in program order."""
        found = [op.label for op in self.kernel.body.walk() if isinstance(op, TensorOp)]
        return list(dict.fromkeys(found))

    def computes(self, name: str) -> list[ComputeOp]:
        """Return the computes of the stage with this name."""
        found = [op for op in self.kernel.body.walk() if isinstance(op, ComputeOp)]
        return [op for op in found if op.label == name]

    def loops(self, name: str) -> list[str]:
        """Return the names of the loops of a stage, outermost first.

        The loop.for ops precede the loops of the pending nest, which later become loop.for ops.
        """
        pending = (axis for op in self.computes(name) for axis in nest_of(op.view()).axes)
        return list(dict.fromkeys([*made_loops(self.kernel, name), *pending]))

    def add(self, request: RequestedStep) -> RequestedStep:
        """Append the step of a request and apply it; return the request with its results.

        Errors: ScheduleError for an illegal step; this object must then be discarded.
        """
        params = request.params if isinstance(request.params, Mapping) else request.params(self)
        handles = [self._handle(name) for name in request.stages]
        step = request.op.make(*handles, by_axis=request.by_axis, **params)
        self._apply(step)
        given: list[str] = []
        for result in step.res:
            name = self._name(result, request.stages)
            result.name_hint = value_hint(name.removeprefix(LOOPS))
            self.handles[name] = result
            given.append(name)
            if request.op in NEW_AXES:
                self.axes[name] = _axes_of(self.computes(name)[0])
        return replace(request, given=tuple(given))

    def _name(self, handle: SSAValue, stages: Sequence[str]) -> str:
        """Return a name for the result handle of a step.

        A handle of computes has the label of its first compute. A handle of loops gets a new name,
        which contains ``stages[0]``, the first operand of the step.
        """
        computes = [op for op in self.run.held(handle) if isinstance(op, ComputeOp)]
        if computes:
            return computes[0].label
        stem = f"{LOOPS}{stages[0].removeprefix(LOOPS)}_loop"
        used = sum(name.startswith(stem) for name in self.handles)
        return f"{stem}{used or ''}"

    def _handle(self, name: str) -> SSAValue:
        handle = self.handles.get(name)
        if handle is None or not self.run.is_live(handle):
            if name.startswith(LOOPS):
                alive = (n for n, h in self.handles.items() if self.run.is_live(h))
                raise ScheduleError(
                    f"{name} no longer refers to loops",
                    expected=", ".join(n for n in alive if n.startswith(LOOPS)) or "none",
                    hint="use the loops that the last step on them gave",
                )
            step = sched.MatchOp.make(name=name)
            self._apply(step)
            handle = self.handles[name] = step.res[0]
            handle.name_hint = value_hint(name)
        return handle

    def _apply(self, step: StepOp) -> None:
        self.script.body.block.add_op(step)
        self.run.apply(step)

    def finished(self) -> KernelOp:
        """Return a copy of the kernel in which all pending loop nests are loop.for ops."""
        copy = self.plain.clone()
        run = ScriptRun(copy, self.limits)
        for step in self.script.steps:
            run.apply(step)
        run.finish()
        inline_one_trip_loops(copy)
        return copy


def _axes_of(op: ComputeOp) -> tuple[list[str], list[str]]:
    view = op.view()
    reduced = list(view.reduced_axes())
    return [axis for axis in view.extents if axis not in reduced], reduced


class ScheduledKernel:
    """The requested steps of one kernel, in order, and the resulting kernel.

    waiting: the deferred requests, each with the reason.  limits: the limits of the target, if the
    target is a GPU.
    """

    def __init__(
        self, kernel: KernelOp, *, validate: bool, limits: GpuLimits | None = None
    ) -> None:
        self.plain, self.limits = kernel.clone(), limits
        self.check = KernelCheck(kernel) if validate else None
        self.intrinsics: list[IntrinsicOp] = []
        self.requests: list[RequestedStep] = []
        self.waiting: list[tuple[RequestedStep, TilewrightError]] = []
        self.made = AppliedScript(self.plain, [], limits)

    @property
    def script(self) -> ScriptOp:
        """The script of the requested steps."""
        return self.made.script

    @property
    def kernel(self) -> KernelOp:
        """The kernel after the steps; loop nests are still pending."""
        return self.made.kernel

    def names(self) -> list[str]:
        """Return the names of the computes, in program order."""
        return self.made.names()

    def known(self, name: str) -> bool:
        """Return whether this kernel has, or had before some step, a stage with this name."""
        plain = (op for op in self.plain.body.walk() if isinstance(op, TensorOp))
        return (
            name in self.names()
            or any(op.label == name for op in plain)
            or any(name in request.given for request in self.requests)
        )

    def declare(self, intrinsic: IntrinsicOp) -> None:
        """Add an intrinsic, to which later steps can refer by name.

        Errors: ScheduleError if another intrinsic has its name.
        """
        known = find_intrinsic(self.made.module, intrinsic.label)
        if known is None:
            self.intrinsics.append(intrinsic)
            self.made.module.body.block.insert_op_before(intrinsic.clone(), self.script)
        elif not known.is_structurally_equivalent(intrinsic):
            raise ScheduleError(
                f"@{intrinsic.label} is another intrinsic already", hint="name it differently"
            )

    def add(
        self,
        op: type[StepOp],
        stages: Sequence[str],
        params: Params,
        by_axis: Mapping[str, Param] | None = None,
    ) -> list[str]:
        """Insert a step where it is legal; return the names of its result stages and loops.

        stages: the names of the stages and loops to which the step applies.  params: the step's
        parameters.
        by_axis: the parameters whose names are axes.
        Errors: ScheduleError for an illegal step, which changes nothing.
        """
        asked = RequestedStep(op, tuple(stages), params, by_axis)
        waits = self._waits(asked, self.waiting)
        try:
            given = self._add(asked, only_last=waits)
        except TilewrightError as err:
            if not waits:
                raise
            self.waiting.append((asked, err))
            return list(asked.stages)
        self.waiting = [w for w in self.waiting if not _replaces(asked, w[0])]
        if op in PLACES:
            self._resume()
        return list(given)

    def require_placed(self) -> None:
        """Raise the error of the first request that is still deferred, if there is one."""
        for _, error in self.waiting:
            raise error

    # ---- where a step is legal

    def _add(self, asked: RequestedStep, *, only_last: bool = False) -> tuple[str, ...]:
        """Insert a request at the last legal position; return its result stages.

        only_last: try only the end of the script.
        """
        first: TilewrightError | None = None
        for order in islice(self._orders(asked), 1 if only_last else None):
            try:
                made, requests, step = self._made_of(order, asked)
            except TilewrightError as err:
                first = first or err
                self.made = self._remade()
                continue
            if self.check is not None:
                self._check(self.check, made, step)
            self.made, self.requests = made, requests
            return requests[order.index(asked)].given
        assert first is not None, "there is at least one order"
        raise first

    def _orders(self, asked: RequestedStep) -> Iterator[list[RequestedStep]]:
        """Yield the orders of requests to try: the new request last, then at earlier positions.

        In some orders, a request to inline a stage moves behind the new request, because the new
        request may add readers into which to inline.
        """
        kept = [r for r in self.requests if not _replaces(asked, r)]
        yield [*kept, asked]
        for position in reversed(range(len(kept))):
            before, placing, after = kept[:position], kept[position], kept[position + 1 :]
            if placing.op is sched.ComputeInlineOp:
                yield [*before, *after, asked, placing]
            if placing.op in PLACES:
                yield [*before, asked, placing, *after]

    def _made_of(
        self, order: Sequence[RequestedStep], asked: RequestedStep
    ) -> tuple[AppliedScript, list[RequestedStep], StepOp]:
        # If only the last request is new, the current result is extended.
        if order[:-1] == self.requests:
            made, done = self.made, self.requests
        else:
            made, done = AppliedScript(self.plain, self.intrinsics, self.limits), []
        found: StepOp | None = None
        for request in order[len(done) :]:
            given = made.add(request)
            if request is asked:
                found = made.script.steps[-1]
            elif given != request:
                raise ScheduleError(
                    "an earlier step would give other stages",
                    expected=", ".join(request.given),
                    got=", ".join(given.given),
                )
            done = [*done, given]
        assert found is not None, "the order holds what is asked"
        return made, done, found

    def _remade(self) -> AppliedScript:
        made = AppliedScript(self.plain, self.intrinsics, self.limits)
        for request in self.requests:
            made.add(request)
        return made

    def _check(self, check: KernelCheck, made: AppliedScript, step: StepOp) -> None:
        try:
            check.after_step(_finished(made, step), made.script, step)
        except TilewrightError:
            self.made = self._remade()
            raise

    # ---- deferred requests

    def _waits(
        self, asked: RequestedStep, waiting: Sequence[tuple[RequestedStep, TilewrightError]]
    ) -> bool:
        """Return whether a request must be deferred, because a later request may make it legal.

        waiting: the requests that are already deferred.  A request for the same stage as a deferred
        request is deferred, too.
        """
        if any(request.stages[0] == asked.stages[0] for request, _ in waiting):
            return asked.op.count_results({}, 0) == len(asked.stages)
        if asked.op in IN_LOOPS:
            return self._is_at_root(asked.stages[0])
        if asked.op is not sched.ComputeAtOp or not isinstance(asked.params, Mapping):
            return False
        producer, consumer = asked.stages
        axis = str(asked.params["axis"])
        if axis not in self.made.loops(consumer):
            return False
        loops = made_loops(self.kernel, consumer).get(axis, [])
        outside = self._readers(producer, loops) - {consumer}
        return any(self._leads_to(reader, consumer) for reader in outside)

    def _is_at_root(self, stage: str) -> bool:
        computes = self.made.computes(stage)
        return bool(self._readers(stage)) and all(
            isinstance(value.owner, AllocOp) and op.parent is self.kernel.body.block
            for op in computes
            for value in op.outs
        )

    def _readers(self, stage: str, loops: Sequence[ForOp] = ()) -> set[str]:
        written = {value for op in self.made.computes(stage) for value in op.outs}
        found = [op for op in self.kernel.body.walk() if isinstance(op, ComputeOp)]
        found = [op for op in found if not any(is_inside(op, loop) for loop in loops)]
        reads = (op.label for op in found if written.intersection((*op.ins, *op.post)))
        return set(reads) - {stage}

    def _leads_to(self, stage: str, other: str) -> bool:
        seen, todo = set[str](), [stage]
        while todo:
            name = todo.pop()
            seen.add(name)
            todo += self._readers(name) - seen
        return other in seen

    def _resume(self) -> None:
        for number, (request, _) in enumerate(self.waiting):
            if self._waits(request, self.waiting[:number]):
                continue
            try:
                self._add(request)
            except TilewrightError:
                continue
            del self.waiting[number]
            self._resume()
            return


def _replaces(request: RequestedStep, old: RequestedStep) -> bool:
    return request.op in PLACES and old.places(request.stages[0])


def _finished(made: AppliedScript, step: StepOp) -> KernelOp:
    """Return the kernel with its pending loop nests turned into loop.for ops.

    If this fails, the error names ``step``, the last step of the script.
    """
    try:
        return made.finished()
    except TilewrightError as err:
        raise err.named(step_text(made.script, step)) from None
