"""The spaces of a task by name: templates of this package, and templates that users register."""

from __future__ import annotations

from collections.abc import Mapping

from ..machines.target import Target
from ..support.tuning_records import GRAPH_SPACE
from .graph_space import GraphSpace
from .plan_space import PlanSpace
from .ready_templates import convolution, elementwise, product, reduction
from .sketch import sketch
from .space import Space
from .task import Task
from .template_space import Template, TemplateSpace, find_template

READY: Mapping[str, Template] = {
    "sketch": sketch,
    "product": product,
    "convolution": convolution,
    "reduction": reduction,
    "elementwise": elementwise,
}
"""The templates of this package."""

PLAN = "plan"
"""The name of the space of the plan's points."""


def make_space(what: str | Template, task: Task, unit: str = "s") -> Space:
    """Return a space of a task's schedules.

    what: "plan", "graph" for the task of a whole model, a name of `READY` or of a registered
    template, or a template. For "plan", a kernel
    gets the space of "sketch" if its plan has no choices, or if its target is no CPU.
    unit: the unit of measurements, "s" or "instructions", which the space's prior estimates.
    Errors: ScheduleError for an unknown template, or one that makes no legal schedule.
    """
    if not isinstance(what, str):
        return TemplateSpace(what, task)
    if what == GRAPH_SPACE:
        return GraphSpace(task)
    if what == PLAN:
        space = PlanSpace(task, unit) if Target(task.target).cpu else None
        return space if space is not None and space.knobs else make_space("sketch", task)
    if what in READY:
        return TemplateSpace(READY[what], task, what)
    return TemplateSpace(find_template(what, READY), task, what)
