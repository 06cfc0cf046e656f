"""Base classes of passes: for those that read the numbers of a target, and for exact ones.

The target is an option without a default:

GroupCalls(target=Target("znver3"))                          in Python
packed-group-calls{target="llvm -mcpu=znver3"}               in a textual pipeline
"""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import Self

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from .diagnostics import TargetError
from .target import Target


class ExactPass(ModulePass, ABC):
    """A pass after which every element of every result has the same bits as before.

    Validation compares the results before and after such a pass bitwise.
    """


class CheckPass(ExactPass, ABC):
    """A pass that refuses some programs and changes none."""


@dataclass(frozen=True)
class TargetedPass(ModulePass):
    """A pass for one target.  The text of a pipeline spells the target as ``str(target)`` does."""

    target: Target

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        options = dict(spec.parameters)
        given = options.get("target", ())
        if len(given) != 1:
            raise TargetError(
                "the pass needs a target",
                expected=f'{cls.name}{{target="llvm -mcpu=x86-64-v3"}}',
                got=str(spec),
                hint="tw-opt --for TARGET is the target of all passes that name none",
            )
        if isinstance(given[0], str):
            options["target"] = (Target(given[0]),)  # pyright: ignore[reportArgumentType]
        return super().from_spec(ArgSpec(spec.name, options))

    def spec(self, *, include_default: bool = False) -> ArgSpec:
        base = super().spec(include_default=include_default)
        return ArgSpec(base.name, {**base.parameters, "target": (str(self.target),)})
