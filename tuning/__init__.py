"""Auto-tuning: tasks, spaces, templates, searches, runners and records; see docs/tuning.md.

Names are loaded on first use: a process that only measures imports no search, and one that only
appends records no compiler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .job import Job, Measurement
    from .runner import Outcome, Runner, WorkerRunner
    from .search import Search
    from .searches import make_search
    from .space import Knob, Space
    from .spaces import make_space
    from .task import Task, tasks_of, tasks_of_tensors
    from .template_space import Config, template
    from .tuner import Progress, Tuned, tune

__all__ = [
    "Config",
    "Job",
    "Knob",
    "Measurement",
    "Outcome",
    "Progress",
    "Runner",
    "Search",
    "Space",
    "Task",
    "Tuned",
    "WorkerRunner",
    "make_search",
    "make_space",
    "tasks_of",
    "tasks_of_tensors",
    "template",
    "tune",
]

_HOMES = {
    name: home
    for home, names in {
        "job": "Job Measurement",
        "runner": "Outcome Runner WorkerRunner",
        "search": "Search",
        "searches": "make_search",
        "space": "Knob Space",
        "spaces": "make_space",
        "task": "Task tasks_of tasks_of_tensors",
        "template_space": "Config template",
        "tuner": "Progress Tuned tune",
    }.items()
    for name in names.split()
}
"""The module of each public name."""


def __getattr__(name: str) -> object:
    """Load a public name from its module."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
