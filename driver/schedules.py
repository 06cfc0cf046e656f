"""Schedules from files, which replace the plan's choices and the program's own schedules."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ..passes.schedule.match_schedules import use_schedules
from ..support.diagnostics import ScheduleError
from ..support.schedule_files import ScheduleFile
from ..targets.backend import Backend
from .extension import Extension
from .pipeline import stages_to


@dataclass(frozen=True)
class UseSchedules(ModulePass):
    """Put schedules from files next to their kernels; see te-match-schedules."""

    name = "te-use-schedules"

    files: tuple[ScheduleFile, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for error in use_schedules(op, self.files, ctx).values():
            raise error

    def pipeline_pass_spec(self, *, include_default: bool = False) -> ArgSpec:
        return ArgSpec(self.name, {})


def scheduled_by(
    files: tuple[ScheduleFile, ...],
    backend: Backend,
    start: str | None = None,
) -> tuple[Extension, ...]:
    """Return an extension that makes the pipeline use schedules from files.

    start: the first stage of the pipeline.
    Errors: ScheduleError if the program is already below the level of schedules.
    """
    if not files:
        return ()
    ahead = stages_to(backend, backend.last_level, start)
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
    return (Extension(passes={place: (UseSchedules(files),)}),)
