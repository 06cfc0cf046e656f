"""The space of a plan: all values of its choices, such as the register tile of a product.

In: a task for a CPU.
Out: the schedule that the plan writes for each point of the space. A point that breaks a rule of a
choice is refused with the reason.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..dialects.sched import ScriptOp
from ..dialects.te import intrinsics_around, kernels_of
from ..machines.target import Target
from ..passes.schedule.apply_schedule import ApplySchedule
from ..support.diagnostics import ScheduleError, TilewrightError
from ..support.registry import new_context
from ..targets.cpu.cost.kernel_cost import kernel_cost
from ..targets.cpu.cost.parts import KernelCost
from ..targets.cpu.plan import declare_intrinsics, plan_kernel
from ..targets.cpu.plan.points.choice import Choice
from ..targets.cpu.plan.points.nest_costs import nest_costs
from ..targets.cpu.plan.tiles import RegisterTile
from .kernel_program import parsed_kernel
from .space import Knob, Point, Space, Value
from .task import Task

SLOWLY_RANKED = 2
"""The points among which the prior chooses if it must apply the schedule of each.

That takes about 50 ms, half of a measurement.
"""


@dataclass(frozen=True)
class _Field:
    """A knob of the space: one field of a choice that the plan makes.

    A choice is a dataclass of several fields, such as the sizes of a tile.
    choice: the number of the choice in the plan.
    name: the name of the field.
    values: the possible values of the field, the default first.
    """

    choice: int
    name: str
    values: tuple[object, ...]


class PlanSpace(Space):
    """The space of the schedules that the plan writes for all possible values of its choices.

    task: a kernel for a CPU.  If its plan has no choice, the space has no knobs.
    unit: the unit of measurements. For "instructions", the prior is the modelled instructions of a
    point, if the cost model has them; otherwise its modelled cycles.
    """

    name = "plan"

    def __init__(self, task: Task, unit: str = "s") -> None:
        self._counts = unit == "instructions"
        self._target, self._plan = Target(task.target), task.plan
        _, self._kernel = parsed_kernel(task.kernel)
        choices: list[Choice[Any]] = []

        def record(choice: Choice[Any]) -> Any:
            choices.append(choice)
            return choice.default

        plan_kernel(self._kernel, self._target, record)
        self._choices, self._nests = choices, nest_costs(self._kernel, choices)
        self._fields = [
            _Field(number, name, values)
            for number, choice in enumerate(choices)
            for name, values in _values(choice).items()
        ]
        self.knobs = tuple(
            Knob(f"{each.name}.{each.choice}" if each.choice else each.name, _shown(each.values))
            for each in self._fields
        )
        if self._nests is None:
            self.ranked = SLOWLY_RANKED
        # The rules' values come first.
        self.start = (0,) * len(self.knobs)
        self._costs: dict[Point, float] = {}

    def schedule(self, point: Point) -> str:
        if point == self.start:
            return self._plan
        module, script = self._written(point)
        script.detach()
        return "\n".join(map(str, (*intrinsics_around(module), script)))

    def cost(self, point: Point, threads: int = 1) -> KernelCost:
        """Return the modelled cost of a point.

        threads: the number of threads of a call.

        Errors: ScheduleError for a point without a legal schedule.
        """
        module, _ = self._written(point)
        ApplySchedule(self._target).apply(new_context(), module)
        (kernel,) = kernels_of(module)
        return kernel_cost(kernel, self._target, threads)

    def prior(self, point: Point) -> float | None:
        if point not in self._costs:
            try:
                self._costs[point] = self._prior(point)
            except TilewrightError:
                self._costs[point] = math.inf
        return self._costs[point]

    def _prior(self, point: Point) -> float:
        if self._counts and (instructions := self.cost(point).instructions):
            return instructions
        return self._cost_of_nest(point) or self.cost(point).cycles

    def _cost_of_nest(self, point: Point) -> float | None:
        """Return the modelled cycles of a product or convolution without its schedule.

        Return None for other kernels, and for points whose loops the model does not cover.

        Errors: ScheduleError for an illegal point.
        """
        if self._nests is None:
            return None
        found = self._nests.cost(self._chosen(0, point))
        return None if found is None else found.cycles

    def _chosen(self, number: int, point: Point) -> Any:
        """Return the value that a point of the space gives to one choice of the plan.

        number: the number of the choice.

        Errors: ScheduleError if the value is illegal.
        """
        choice = self._choices[number]
        changes = {
            field.name: field.values[index]
            for field, index in zip(self._fields, point, strict=True)
            if field.choice == number
        }
        chosen = replace(choice.default, **changes)
        if reason := choice.fault(chosen):
            raise ScheduleError(f"no point of the plan of @{self._kernel.label}", got=reason)
        return chosen

    def _written(self, point: Point) -> tuple[ModuleOp, ScriptOp]:
        """Let the plan write the script of a point; return a module with it, and the script."""
        numbers = count()

        def choose(choice: Choice[Any]) -> Any:
            del choice
            return self._chosen(next(numbers), point)

        script = plan_kernel(self._kernel, self._target, choose)
        module = ModuleOp([self._kernel.clone(), script])
        declare_intrinsics(module, script)
        return module, script


def _values(choice: Choice[Any]) -> dict[str, tuple[object, ...]]:
    """Return the possible values of each field of a choice, the default first.

    These are the values that are legal if all other fields have their defaults, and those that are
    legal if one other field has another value.
    """
    found: dict[str, dict[object, None]] = {}
    first = choice.axes(choice.default)
    pairs = [(name, value) for name, values in first.items() for value in values]
    nearby = [replace(choice.default, **{name: value}) for name, value in pairs]
    for point in (choice.default, *nearby):
        for name, values in choice.axes(point).items():
            known = found.setdefault(name, {getattr(choice.default, name): None})
            known.update(dict.fromkeys(values))
    return {name: tuple(values) for name, values in found.items()}


def _shown(values: tuple[Any, ...]) -> tuple[Value, ...]:
    return tuple(f"{v.rows} x {v.vectors}" if isinstance(v, RegisterTile) else v for v in values)
