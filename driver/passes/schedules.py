"""Use schedules from files in place of the plan's choices and the program's own schedules."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ...passes.schedule.match_schedules import Misfits, use_schedules
from ...support.diagnostics import ScheduleError
from ...support.schedule_files import ScheduleFile
from ...targets.backend import Backend
from ..extension import Extension


@dataclass(frozen=True)
class UseSchedules(ModulePass):
    """A pass that adds schedules from files to the kernels of a module; see te-match-schedules.

    modules: the number of modules (a model and its versions) that the pass runs on, one after the
    other.  A schedule that matches no kernel in any of them is an error.
    misfits: for each module so far, the schedules that match none of its kernels.
    """

    name = "te-use-schedules"

    files: tuple[ScheduleFile, ...] = ()
    modules: int = 1
    misfits: list[Misfits] = field(default_factory=list[Misfits])

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.misfits.append(use_schedules(op, self.files, ctx))
        if len(self.misfits) < self.modules:
            return
        seen = [*self.misfits]
        self.misfits.clear()
        for place, error in seen[0].items():
            if all(place in misfits for misfits in seen):
                raise error

    def pipeline_pass_spec(self, *, include_default: bool = False) -> ArgSpec:
        return ArgSpec(self.name, {})


def scheduled_by(
    files: tuple[ScheduleFile, ...],
    backend: Backend,
    start: str | None = None,
    modules: int = 1,
) -> tuple[Extension, ...]:
    """Return an extension that makes the pipeline use schedules from files; empty without files.

    start: the first stage of the pipeline.  modules: the number of modules on which the pipeline
    runs.

    Errors: ScheduleError if the program is already below the level of schedules.
    """
    if not files:
        return ()
    ahead = backend.stages_to(backend.last_level, start)
    names = [name for stage in ahead for name in stage.passes]
    applying = next((stage for stage in backend.stages if stage.applies_schedules), None)
    places = (backend.plan, *(() if applying is None else applying.passes[:1]))
    place = next((name for name in places if name in names), None)
    if place is None:
        raise ScheduleError(
            "the program is below the level of schedules",
            expected="a module of level graph, te, sched or scheduled",
            hint="give the schedules where the kernels are still te",
        )
    return (Extension(passes={place: (UseSchedules(files, modules),)}),)
