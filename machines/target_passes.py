"""Base classes of passes that depend on a target, which is an option without a default.

GroupCalls(target=Target("znver3"))                          in Python
packed-group-calls{target="llvm -mcpu=znver3"}               in a textual pipeline
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ..support.diagnostics import TargetError
from .target import Target


@dataclass(frozen=True)
class LimitedPass(ModulePass):
    """A pass with an optional target, whose limits the pass then checks.

    target: the target; None: no limits.  A textual pipeline contains the target as ``str(target)``.
    """

    target: Target | None = None

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        return super().from_spec(_with_target(spec))

    def spec(self, *, include_default: bool = False) -> ArgSpec:
        if self.target is None:
            return super().spec(include_default=include_default)
        base = replace(self, target=None).spec(include_default=include_default)
        return ArgSpec(base.name, {**base.parameters, "target": (str(self.target),)})


@dataclass(frozen=True)
class TargetedPass(ModulePass):
    """A pass for one target.  A textual pipeline contains the target as ``str(target)``."""

    target: Target

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        if len(spec.parameters.get("target", ())) != 1:
            raise TargetError(
                "the pass needs a target",
                expected=f'{cls.name}{{target="llvm -mcpu=x86-64-v3"}}',
                got=str(spec),
                hint="tw-opt --for TARGET is the target of all passes that name none",
            )
        return super().from_spec(_with_target(spec))

    def spec(self, *, include_default: bool = False) -> ArgSpec:
        base = super().spec(include_default=include_default)
        return ArgSpec(base.name, {**base.parameters, "target": (str(self.target),)})


def _with_target(spec: ArgSpec) -> ArgSpec:
    """Return the spec of a pass with its option ``target`` converted from a string to a Target.

    A spec without this option is returned unchanged.
    """
    given = spec.parameters.get("target", ())
    if len(given) != 1 or not isinstance(given[0], str):
        return spec
    options = {**spec.parameters, "target": (Target(given[0]),)}
    return ArgSpec(spec.name, options)  # pyright: ignore[reportArgumentType]
