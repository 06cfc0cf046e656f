"""The stage of a tensor in a schedule, with one method per schedule primitive.

Each method appends one step to the script and applies it.  The effect of a step, and when it is
illegal, is documented with its implementation in passes/schedule/.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType

from ..dialects import sched
from ..dialects.dtypes import bit_width
from ..dialects.sched import Param, StepOp
from ..dialects.te import ComputeView
from ..frontend.te.expr import Axis
from ..frontend.te.intrinsic import Intrinsic
from ..frontend.te.tensor import Definition
from ..machines.gpu_limits import known_limits
from ..passes.schedule.engine.nest import nest_of
from ..runtime.spelling import SuggestsNames, suggests_arguments
from ..support.diagnostics import ScheduleError
from ..support.names import Names
from .scheduled_kernel import Params
from .stage_buffers import AxisName, BufferSteps, StageKey, StageSchedule


@suggests_arguments
@dataclass(frozen=True)
class ThreadAxis(SuggestsNames):
    """A block or thread index of a GPU, with its extent if known."""

    thread: str
    extent: int | None = None


def thread_axis(dom: str | int | tuple[int, int] | None = None, thread: str = "") -> ThreadAxis:
    """Return a thread or block axis, to which a loop can be bound: ``thread_axis("blockIdx.x")``.

    dom: the name of the axis; or its extent, or ``(0, extent)``, if ``thread`` is the name.
    ``bind`` compares the extent with the trip count of the loop.
    Errors: ScheduleError for a range that does not start at 0, or without a name.
    """
    if isinstance(dom, str):
        return ThreadAxis(dom)
    if isinstance(dom, tuple) and dom[0] != 0:
        raise ScheduleError("te.thread_axis: threads count from 0", got=str(dom))
    if not thread:
        raise ScheduleError(
            "te.thread_axis needs the name of a thread", expected="such as blockIdx.x"
        )
    return ThreadAxis(thread, dom[1] if isinstance(dom, tuple) else dom)


@dataclass(frozen=True)
class StageOp(SuggestsNames):
    """The axes of a stage, for a stage without a definition or with other axes than its definition.

    Schedule steps create such stages (as cache_write does) and change axes (as rfactor does).
    axis, reduce_axis: the parallel and the reduction axes; each item is an axis of the definition,
    or the name of a new axis.
    """

    name: str
    axis: tuple[Axis | str, ...]
    reduce_axis: tuple[Axis | str, ...]


class Stage(BufferSteps["Stage"]):
    """One compute of a schedule: a name under which its methods append steps.

    Methods on loops take axes of the compute or names of loops, and return names.
    definition: the definition of the tensor that it computes; None for a stage that a step created.
    Errors: ScheduleError for an illegal step, with the legal alternatives.
    """

    def __init__(
        self, schedule: StageSchedule[Stage], name: str, definition: Definition | None = None
    ) -> None:
        self.schedule, self.name = schedule, name
        self._definition = definition

    @property
    def op(self) -> Definition | StageOp:
        """The definition of the stage; a StageOp if it has none, or if a step changed its axes."""
        given = self._definition
        independent, reduced = self.schedule.kernel_of(self.name).made.axes[self.name]
        if given is None:
            return StageOp(self.name, tuple(independent), tuple(reduced))
        known = {given.axis_name(axis): axis for axis in (*given.axis, *given.reduce_axis)}
        if [known.get(name) for name in reduced] == [*given.reduce_axis]:
            return given
        axes = (tuple(known.get(name, name) for name in names) for names in (independent, reduced))
        return StageOp(self.name, *axes)

    @property
    def loops(self) -> list[str]:
        """The names of the loops, outermost first.

        The loop.for ops precede the loops of the pending nest, which later become loop.for ops.
        """
        _ = self.view  # an error if a step has removed the compute
        return self.schedule.kernel_of(self.name).made.loops(self.name)

    @property
    def extents(self) -> Mapping[str, int | None]:
        """The number of iterations of each pending loop; None for a dynamic number."""
        view = self.view
        found = nest_of(view).extents(view.axes)
        return {name: n if isinstance(n, int) else None for name, n in found.items()}

    def __repr__(self) -> str:
        return f"stage({self.name}: {', '.join(self.loops)})"

    @property
    def view(self) -> ComputeView:
        """Return the compute of the stage, with its pending loop nest.

        Errors: ScheduleError if a step has removed the compute.
        """
        computes = self.schedule.kernel_of(self.name).made.computes(self.name)
        if not computes:
            raise ScheduleError(
                f"the schedule no longer has a te.compute @{self.name}",
                expected=f"one of {', '.join(self.schedule.stages)}",
            )
        return computes[0].view()

    def _step(
        self, op: type[StepOp], params: Params, by_axis: Mapping[str, Param] | None = None
    ) -> list[str]:
        return self.schedule.step(op, [self], params, by_axis)

    def _axis(self, axis: AxisName) -> str:
        if isinstance(axis, str):
            return axis
        if self._definition is None:
            return axis.name
        return self._definition.axis_name(axis)

    def _fresh(self, name: str) -> str:
        view = self.view
        return Names([*nest_of(view).names(view.extents), *self.loops]).fresh(name)

    # ---- loops

    @suggests_arguments
    def split(
        self,
        axis: AxisName,
        factor: int | None = None,
        nparts: int | None = None,
        names: tuple[str, str] | None = None,
        *,
        guard: bool = False,
    ) -> tuple[str, str]:
        """Split a loop into blocks of ``factor``, or into ``nparts`` blocks (sched.split).

        names: the names of the outer and the inner loop, which are returned.
        guard: whether a smaller last block is an iteration of the same outer loop, not a separate
        loop.
        """
        name = self._axis(axis)
        outer, inner = names or (self._fresh(f"{name}o"), self._fresh(f"{name}i"))
        params: dict[str, Param] = {"axis": name}
        if factor is not None:
            params["factor"] = factor
        if nparts is not None:
            params["nparts"] = nparts
        if guard:
            params["guard"] = 1
        self._step(sched.SplitOp, {**params, "into": [outer, inner]})
        return outer, inner

    def fuse(self, *axes: AxisName, name: str | None = None) -> str:
        """Fuse adjacent loops into one (sched.fuse).

        Returns the name of the new loop; for a single loop, its own name.
        """
        parts = [self._axis(a) for a in axes]
        if len(parts) == 1 and name is None and parts[0] in self.loops:
            return parts[0]
        into = name or self._fresh("".join(parts))
        self._step(sched.FuseOp, {"axes": list(parts), "into": into})
        return into

    def reorder(self, *axes: AxisName) -> None:
        """Reorder loops; other loops keep their positions (sched.reorder)."""
        self._step(sched.ReorderOp, {"axes": [self._axis(a) for a in axes]})

    def tile(
        self, x: AxisName, y: AxisName, x_factor: int, y_factor: int
    ) -> tuple[str, str, str, str]:
        """Tile two loops into blocks of x_factor by y_factor iterations.

        The loops over blocks are outside: split, split, reorder.
        Returns the names of the loops: outer x, outer y, inner x, inner y.
        """
        xo, xi = self.split(x, factor=x_factor)
        yo, yi = self.split(y, factor=y_factor)
        self.reorder(xo, yo, xi, yi)
        return xo, yo, xi, yi

    def vectorize(self, axis: AxisName, lanes: int | None = None) -> None:
        """Vectorize a loop: its iterations become lanes (sched.vectorize_axis).

        lanes: by default the number of output elements that a vector of the target holds.
        """
        given = self._lanes() if lanes is None else lanes
        self._step(sched.VectorizeAxisOp, {"axis": self._axis(axis), "lanes": given})

    def _lanes(self) -> int:
        type_ = self.view.outputs[0].type
        assert isinstance(type_, MemRefType), "a schedule is of buffers"
        return self.schedule.target.lanes(max(8, bit_width(type_.get_element_type())))

    def unroll(self, axis: AxisName, copies: int = 0) -> None:
        """Unroll a loop (sched.unroll).

        copies: the number of copies of the loop body; 0 for one copy per iteration.
        """
        params: dict[str, Param] = {"axis": self._axis(axis)}
        self._step(sched.UnrollOp, {**params, "copies": copies} if copies else params)

    def parallel(self, axis: AxisName) -> None:
        """Run the iterations of a loop as parallel tasks (sched.parallel_axis)."""
        self._step(sched.ParallelAxisOp, {"axis": self._axis(axis)})

    def tensorize(self, axis: AxisName, intrinsic: Intrinsic) -> None:
        """Compute the inner part of the stage's loops by an intrinsic (sched.tensorize).

        axis: the axis along which the lanes of the intrinsic run.
        """
        if not isinstance(intrinsic, Intrinsic):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ScheduleError(
                f"tensorize of @{self.name} takes an intrinsic",
                expected="what te.decl_tensor_intrin returns",
                got=type(intrinsic).__name__,
            )
        self.schedule.kernel_of(self.name).declare(intrinsic.op)
        params: dict[str, Param] = {"axis": self._axis(axis), "intrinsic": intrinsic.name}
        self._step(sched.TensorizeOp, params)

    def bind(self, axis: AxisName, thread: str | ThreadAxis) -> None:
        """Bind a loop to a block or thread index of a GPU, such as blockIdx.x (sched.bind).

        Errors: ScheduleError for an illegal step, if the schedule was created for a target that is
        not a GPU, and if the trip count differs from the extent of the thread axis.
        """
        if self.schedule.has_target and known_limits(self.schedule.target) is None:
            raise ScheduleError(
                f"bind of @{self.name} needs a schedule for a GPU",
                expected="a target such as cuda",
                got=str(self.schedule.target),
                hint='create_schedule(.., target="cuda"); on a CPU, use parallel',
            )
        name, to = self._axis(axis), ThreadAxis(thread) if isinstance(thread, str) else thread
        view = self.view
        trips = nest_of(view).extents(view.axes).get(name)
        if to.extent is not None and trips not in (None, to.extent):
            raise ScheduleError(
                f"loop {name} of @{self.name} has not as many iterations as {to.thread}",
                expected=f"{to.extent} iterations",
                got=str(trips),
                hint=f"split {name} with nparts={to.extent}, or factor={to.extent}",
            )
        self._step(sched.BindOp, {"axis": name, "thread": to.thread})

    # ---- placement

    def _other(self, key: StageKey, step: str) -> Stage:
        stage = self.schedule[key]
        if stage.name == self.name:
            others = (self.schedule[each] for each in self.schedule.stages if each != self.name)
            loops = "; ".join(f"{', '.join(each.loops)} of @{each.name}" for each in others)
            raise ScheduleError(
                f"{step} of @{self.name} moves it into a loop of its own",
                expected=f"a loop of another stage: {loops or 'none'}",
                got=f"@{self.name}",
            )
        return stage

    def compute_at(self, consumer: StageKey, axis: AxisName) -> None:
        """Compute this stage inside a loop of a consumer (sched.compute_at).

        Each iteration of the loop then computes only the elements that the iteration reads.
        consumer: a stage that reads this one.  axis: the loop.
        """
        stage = self._other(consumer, "compute_at")
        name = stage._axis(axis)
        self.schedule.step(sched.ComputeAtOp, [self, stage], {"axis": name})

    def reverse_compute_at(self, producer: StageKey, axis: AxisName) -> None:
        """Compute this stage inside a loop of its producer (sched.reverse_compute_at).

        producer: a stage whose result this stage reads.  axis: the loop; each iteration then also
        computes the elements of this stage that follow from the producer's elements of the
        iteration.
        """
        stage = self._other(producer, "reverse_compute_at")
        name = stage._axis(axis)
        self.schedule.step(sched.ReverseComputeAtOp, [self, stage], {"axis": name})

    def compute_inline(self) -> None:
        """Inline the computation of an elementwise tensor into each reader."""
        self._step(sched.ComputeInlineOp, {})

    def compute_root(self) -> None:
        """Compute this stage as a whole, before its readers (sched.compute_root).

        The request replaces an earlier compute_at or compute_inline of the stage.
        """
        self._step(sched.ComputeRootOp, {})
