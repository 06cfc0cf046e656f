"""Builder of sched scripts: appends steps in order; each step takes and returns handles."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

from .script import Param, ScriptOp, StepOp
from .steps import MatchOp


class ScriptBuilder:
    """A schedule under construction: a list of steps."""

    def __init__(self, kernel: str) -> None:
        self.kernel = kernel
        self.steps: list[StepOp] = []

    def build(self) -> ScriptOp:
        """Return a sched.script with the steps that were added."""
        return ScriptOp(self.kernel, self.steps)

    def add(
        self,
        step: type[StepOp],
        *handles: SSAValue,
        params: Mapping[str, Param] | None = None,
        options: Mapping[str, Param] | None = None,
        by_axis: Mapping[str, Param] | None = None,
    ) -> list[SSAValue]:
        """Append a step, and return its result handles.

        handles: the handles that the step takes.  params: the parameters that have fixed names.
        options: further parameters with fixed names; those that are 0 or empty are left out.
        by_axis: the parameters that are named after axes.
        """
        given = {name: value for name, value in (options or {}).items() if value}
        op = step.make(*handles, by_axis=by_axis, **(params or {}), **given)
        self.steps.append(op)
        return list(op.results)

    def add_pair(
        self,
        step: type[StepOp],
        *handles: SSAValue,
        params: Mapping[str, Param] | None = None,
        options: Mapping[str, Param] | None = None,
    ) -> tuple[SSAValue, SSAValue]:
        """Append a step that has two results, and return their handles.

        handles: the handles that the step takes.  params: the parameters that have fixed names.
        options: further parameters with fixed names; those that are 0 or empty are left out.
        """
        first, second = self.add(step, *handles, params=params, options=options)
        return first, second

    def match(self, name: str) -> SSAValue:
        """Append a step that matches all computes with a name; return their handle."""
        return self.add(MatchOp, params={"name": name})[0]
