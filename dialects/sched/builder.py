"""Builder of sched scripts: appends steps in order; each step takes and returns handles."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

from .script import Param, ScriptOp, StepOp
from .steps import MatchOp


class ScriptBuilder:
    """A schedule under construction; ``build`` returns its sched.script."""

    def __init__(self, kernel: str) -> None:
        self.kernel = kernel
        self.steps: list[StepOp] = []

    def build(self) -> ScriptOp:
        """Return the sched.script op."""
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

        params: the parameters that have fixed names.  options: more of them, which are left out if
        they are 0 or empty.  by_axis: the parameters that are named after axes.
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
        """Append a step that has two results, and return their handles; see `add`."""
        first, second = self.add(step, *handles, params=params, options=options)
        return first, second

    def match(self, name: str) -> SSAValue:
        """Append a step that matches all computes of this name; return their handle."""
        return self.add(MatchOp, params={"name": name})[0]


__all__ = ["ScriptBuilder"]
