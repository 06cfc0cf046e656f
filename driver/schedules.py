"""Schedules from files, in the place of the plan's choices."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ..passes.te.match_schedules import use_schedules
from ..support.schedule_files import ScheduleFile
from .extension import Extension


@dataclass(frozen=True)
class UseSchedules(ModulePass):
    """Put schedules from files beside the kernels that they belong to; see te-match-schedules."""

    name = "te-use-schedules"

    files: tuple[ScheduleFile, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        use_schedules(op, self.files, ctx)

    def pipeline_pass_spec(self, *, include_default: bool = False) -> ArgSpec:
        return ArgSpec(self.name, {})


def scheduled_by(files: tuple[ScheduleFile, ...]) -> tuple[Extension, ...]:
    """Return what makes the pipeline use schedules from files in the place of the plan's."""
    return (Extension(passes={"cpu-plan": (UseSchedules(files),)}),) if files else ()
