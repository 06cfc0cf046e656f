"""Base classes of passes that do not change results, and errors of failing passes."""

from __future__ import annotations

import contextlib
import re
import traceback
from abc import ABC
from collections.abc import Generator, Sequence

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ..runtime.errors import Error
from .diagnostics import TilewrightError
from .tvm_names import TVM_PASSES


class ExactPass(ModulePass, ABC):
    """Base class of passes that do not change a bit of any result of the program.

    Validation compares the results before and after such a pass bitwise.
    """


class CheckPass(ExactPass, ABC):
    """Base class of passes that reject some programs and never change a program."""


USER_ERRORS = (Error, DiagnosticException, ParseError, OSError, MemoryError)
"""The exceptions that the input of users can cause; every other one is an internal error."""

_LEVEL_HINT = "if it is for another level, --to LEVEL runs the passes before it; "


def own_names(pipeline: str) -> str:
    """Return a textual pipeline with TVM's names of passes replaced by this compiler's."""
    names = "|".join(map(re.escape, TVM_PASSES))
    pattern = rf"(^|,)(\s*)({names})(?=\s*(?:[,{{]|$))"
    return re.sub(pattern, lambda found: found[1] + TVM_PASSES[found[3]], pipeline)


def pass_failure(name: str, error: BaseException) -> TilewrightError:
    """Return the error for a pass that has ended with a Python exception or an exit.

    name: the name of the pass.  error: the exception.
    """
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
    """Convert Python exceptions inside the block to errors that name a pass.

    Errors that the input of users can cause stay as they are.
    name: the name of the pass.
    """
    try:
        yield
    except USER_ERRORS:
        raise
    except (Exception, SystemExit) as err:
        raise pass_failure(name, err) from err


def shared_target(passes: Sequence[ModulePass]) -> tuple[str, list[ArgSpec]]:
    """Return the target that all passes with a ``target`` option have, and specs without it.

    If fewer than two passes have a target, or if targets differ, return "" and the complete specs.
    """
    specs = [step.pipeline_pass_spec() for step in passes]
    targets = [spec.parameters["target"] for spec in specs if "target" in spec.parameters]
    if len(targets) < 2 or len({*targets}) > 1:
        return "", specs
    (target,) = targets[0]
    bare = [
        ArgSpec(s.name, {n: v for n, v in s.parameters.items() if n != "target"}) for s in specs
    ]
    return str(target), bare
