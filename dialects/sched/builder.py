"""Builder of sched scripts: steps in order; handles in, handles out."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

from .script import Param, ScriptOp, StepOp
from .steps import MatchOp


class ScriptBuilder:
    """A schedule under construction; ``build`` returns it as IR."""

    def __init__(self, kernel: str) -> None:
        self.kernel = kernel
        self.steps: list[StepOp] = []

    def build(self) -> ScriptOp:
        """Return the script op."""
        return ScriptOp(self.kernel, self.steps)

    def add(
        self,
        step: type[StepOp],
        *handles: SSAValue,
        params: Mapping[str, Param],
        by_axis: Mapping[str, Param] | None = None,
    ) -> list[SSAValue]:
        """Append a step; return its handles."""
        op = step.make(*handles, by_axis=by_axis, **params)
        self.steps.append(op)
        return list(op.results)

    def match(self, name: str) -> SSAValue:
        """Match all computes with a name."""
        return self.add(MatchOp, params={"name": name})[0]


__all__ = ["ScriptBuilder"]
