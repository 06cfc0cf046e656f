"""Base classes of passes: passes that depend on a target, and passes that do not change results.

The target is an option of the pass without a default:

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
    """A pass that rejects some programs and does not change any program."""


@dataclass(frozen=True)
class LimitedPass(ModulePass):
    """A pass that checks the limits of a target if the option is set; see TargetedPass."""

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
    """Return a spec whose option ``target`` is a Target, if the option is present as a string."""
    given = spec.parameters.get("target", ())
    if len(given) != 1 or not isinstance(given[0], str):
        return spec
    options = {**spec.parameters, "target": (Target(given[0]),)}
    return ArgSpec(spec.name, options)  # pyright: ignore[reportArgumentType]


_LEVEL_HINT = "if it is for another level, --to LEVEL runs the passes before it; "


def pass_failure(name: str, error: BaseException) -> TilewrightError:
    """Return the error for a pass that has ended with a Python exception or an exit."""
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
    """Convert Python exceptions in a block to errors that name a pass; keep errors of the compiler.

    Errors: TilewrightError for any other exception.
    """
    try:
        yield
    except (Error, DiagnosticException, ParseError, OSError, MemoryError):
        raise
    except (Exception, SystemExit) as err:
        raise pass_failure(name, err) from err
