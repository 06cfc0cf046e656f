"""Templates: functions that schedule a kernel by the choices of knobs, and the spaces they span.

    @tuning.template("my_product")
    def my_product(s, c, cfg):
        i, j = c.op.axis
        (k,) = c.op.reduce_axis
        io, ii = cfg.split(c, i, (1, 2, 4, 8))
        jo, ji = cfg.split(c, j, (16, 32, 64))
        cfg.reorder(c, (jo, io, k, ii, ji), (io, jo, k, ii, ji))
        c.vectorize(ji)
        c.unroll(ii)

A template gets a schedule, the stage of the kernel's last compute, and a `Config`.  It runs once
for each point: each call of a method of `Config` returns the choice of the point for one knob.  A
point whose steps are illegal is refused by the schedule.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, cast

from ..machines.target import Target
from ..schedule.schedule import Schedule
from ..schedule.stage import Stage
from ..schedule.stage_buffers import AxisName
from ..support.diagnostics import ScheduleError, TilewrightError
from .kernel_program import parsed_kernel
from .space import Knob, Point, Space, Value
from .task import Task

Template: TypeAlias = "Callable[[Schedule, Stage, Config], None]"

FEWEST_DISCOVERIES, MOST_DISCOVERIES = 8, 40
"""Random runs of a template that look for its knobs; the most if no run is legal."""


class Config:
    """The choices of knobs for one run of a template, and the knobs that the run has used.

    choices: the choice of each knob by name; other knobs get their first choice, or a random one if
    ``rng`` is given.
    """

    def __init__(
        self, choices: Mapping[str, Value] | None = None, rng: random.Random | None = None
    ) -> None:
        self.choices, self._rng = dict(choices or {}), rng
        self.knobs: dict[str, tuple[Value, ...]] = {}

    def knob(self, name: str, choices: Sequence[Value]) -> Value:
        """Return the choice of the knob ``name``; add the knob if it is new.

        choices: all values that the knob can have.
        Errors: ScheduleError for a knob without choices, or with other choices than before.
        """
        given = tuple(choices)
        if not given or self.knobs.setdefault(name, given) != given:
            raise ScheduleError(
                f"knob {name} has other choices than in an earlier call",
                expected=str(self.knobs.get(name) or "at least one choice"),
                got=str(given),
                hint="name it differently",
            )
        if name not in self.choices:
            self.choices[name] = self._rng.choice(given) if self._rng else given[0]
        return self.choices[name]

    def number(self, name: str, choices: Sequence[int]) -> int:
        """Return the choice of the knob ``name``, whose choices are numbers; add a new knob.

        Errors: ScheduleError for a knob without choices, or with other choices than before.
        """
        return cast(int, self.knob(name, choices))

    def split(
        self, stage: Stage, axis: AxisName, factors: Sequence[int] = (), name: str = ""
    ) -> tuple[str, str]:
        """Split a loop of a stage by a factor that a knob chooses; return the outer and inner loop.

        factors: the choices; by default powers of two up to the extent, and its divisors. name: the
        name of the knob; by default derived from the name of the axis.
        """
        label = axis if isinstance(axis, str) else axis.name
        extent = stage.extents.get(label)
        choices = [n for n in factors if extent is None or n <= extent] or _factors(extent)
        return stage.split(axis, factor=self.number(name or f"{label}.split", choices))

    def reorder(self, stage: Stage, *orders: Sequence[AxisName], name: str = "order") -> None:
        """Reorder the loops of a stage by one of several orders, which a knob chooses.

        name: the name of the knob.
        """
        index = self.number(name, range(len(orders)))
        stage.reorder(*orders[index])

    def annotate(
        self,
        stage: Stage,
        axis: AxisName,
        choices: Sequence[str] = ("none", "unroll"),
        name: str = "",
    ) -> None:
        """Annotate a loop of a stage as a knob chooses.

        choices: among ``none``, ``unroll``, ``vectorize`` and ``parallel``.  name: the name of the
        knob; by default derived from the name of the axis.
        """
        label = axis if isinstance(axis, str) else axis.name
        chosen = self.knob(name or f"{label}.annotate", choices)
        steps: Mapping[object, Callable[[AxisName], None]] = {
            "none": lambda _: None,
            "unroll": stage.unroll,
            "vectorize": stage.vectorize,
            "parallel": stage.parallel,
        }
        if chosen not in steps:
            raise ScheduleError(
                f"unknown annotation of loop {label}",
                expected=", ".join(map(str, steps)),
                got=chosen,
            )
        steps[chosen](axis)


def _factors(extent: int | None) -> list[int]:
    most = 64 if extent is None else extent
    powers = {1 << n for n in range(most.bit_length()) if 1 << n <= most}
    divisors = {n for n in range(1, min(most, 64) + 1) if most % n == 0}
    return sorted(powers | divisors)


class TemplateSpace(Space):
    """The schedules of a task that a template makes.

    name: the name of the template for records; by default, the name of the function.
    Errors: ScheduleError if no run of the template is legal.
    """

    def __init__(self, template: Template, task: Task, name: str = "") -> None:
        self.name = f"template {name or template.__name__}"
        self._template, self._target = template, Target(task.target)
        _, self._kernel = parsed_kernel(task.kernel)
        self.knobs, self.start = self._discovered()

    def schedule(self, point: Point) -> str:
        return self._run(Config(self.values(point)))

    def _run(self, config: Config) -> str:
        schedule = Schedule.of_kernel(self._kernel, target=self._target)
        names = schedule.stages
        self._template(schedule, schedule[names[-1]], config)
        for name in config.knobs:
            if self.knobs and name not in {knob.name for knob in self.knobs}:
                raise ScheduleError(f"knob {name} exists for other choices only")
        return schedule.script

    def _discovered(self) -> tuple[tuple[Knob, ...], Point | None]:
        """Return the knobs that runs of the template use, and the point of the first legal run.

        The first run takes the first choice of each knob. Further runs take random choices, because
        some knobs exist only for certain choices of others.
        """
        self.knobs = ()
        found: dict[str, tuple[Value, ...]] = {}
        chosen: dict[str, Value] | None = None
        error, rng = "", random.Random(0)
        for number in range(MOST_DISCOVERIES):
            config = Config(rng=rng if number else None)
            try:
                self._run(config)
                chosen = config.choices if chosen is None else chosen
            except TilewrightError as err:
                error = error or str(err).splitlines()[0]
            found |= config.knobs
            if chosen is not None and number >= FEWEST_DISCOVERIES:
                break
        if chosen is None:
            raise ScheduleError(
                f"{self.name} makes no legal schedule of @{self._kernel.label}", got=error
            )
        knobs = tuple(Knob(*item) for item in found.items())
        first = {knob.name: knob.choices[0] for knob in knobs} | chosen
        return knobs, tuple(knob.choices.index(first[knob.name]) for knob in knobs)


_TEMPLATES: dict[str, Template] = {}


def template(name: str) -> Callable[[Template], Template]:
    """Return a decorator that registers a template by name.

    Errors: ScheduleError if another template has the name.
    """

    def register(function: Template) -> Template:
        if _TEMPLATES.setdefault(name, function) is not function:
            raise ScheduleError(f"a template is named {name} already", hint="choose another name")
        return function

    return register


def find_template(name: str, ready: Iterable[str] = ()) -> Template:
    """Return the registered template with a name.

    ready: the names of other templates, for the message.

    Errors: ScheduleError if there is none.
    """
    if name not in _TEMPLATES:
        expected = ", ".join((*ready, *_TEMPLATES)) or "no template is registered"
        raise ScheduleError(f"no template is named {name}", expected=expected)
    return _TEMPLATES[name]
