"""Base classes of passes: for those that read the numbers of a target, and for exact ones.

The target is an option without a default:

GroupCalls(target=Target("znver3"))                          in Python
packed-group-calls{target="llvm -mcpu=znver3"}               in a textual pipeline
"""

from __future__ import annotations

import contextlib
import traceback
from abc import ABC
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Self

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ..runtime.errors import Error
from .diagnostics import TargetError, TilewrightError
from .target import Target


class ExactPass(ModulePass, ABC):
    """A pass after which every element of every result has the same bits as before.

    Validation compares the results before and after such a pass bitwise.
    """


class CheckPass(ExactPass, ABC):
    """A pass that refuses some programs and changes none."""


@dataclass(frozen=True)
class LimitedPass(ModulePass):
    """A pass that checks the limits of a target, if it has one; see TargetedPass."""

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
    """A pass for one target.  The text of a pipeline spells the target as ``str(target)`` does."""

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
    """Return a spec with the target that its text spells, if there is one."""
    given = spec.parameters.get("target", ())
    if len(given) != 1 or not isinstance(given[0], str):
        return spec
    options = {**spec.parameters, "target": (Target(given[0]),)}
    return ArgSpec(spec.name, options)  # pyright: ignore[reportArgumentType]


_LEVEL_HINT = "if it is for another level, --to LEVEL runs the passes before it; "


def pass_failure(name: str, error: BaseException) -> TilewrightError:
    """Return the error for a pass that an exception of Python, or an exit, has ended."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    text = f"{type(error).__name__}: {error}".removesuffix(": ")
    return TilewrightError(
        "the pass fails on this program",
        got=f"{text}{place}",
        hint=f"{_LEVEL_HINT}--debug shows the traceback of a bug",
        where=name,
    )


@contextlib.contextmanager
def named_failures(name: str) -> Generator[None]:
    """Let exceptions of Python in a block name a pass; errors of the compiler pass unchanged.

    Errors: TilewrightError.
    """
    try:
        yield
    except (Error, DiagnosticException, ParseError, OSError, MemoryError):
        raise
    except (Exception, SystemExit) as err:
        raise pass_failure(name, err) from err
