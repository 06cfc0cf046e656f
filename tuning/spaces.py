"""The spaces of a task by name: templates of this package, and those that users register."""

from __future__ import annotations

from collections.abc import Mapping

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


def make_space(what: str | Template, task: Task) -> Space:
    """Return a space of a task's schedules.

    what: a name of `READY` or of a registered template, or a template.
    Errors: ScheduleError for an unknown template, or one that makes no legal schedule.
    """
    if not isinstance(what, str):
        return TemplateSpace(what, task)
    if what in READY:
        return TemplateSpace(READY[what], task, what)
    return TemplateSpace(find_template(what, READY), task, what)


__all__ = ["READY", "make_space"]
