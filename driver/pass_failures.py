"""Errors of passes of other packages: the error names the pass, and the line that failed."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Generator

from xdsl.utils.exceptions import DiagnosticException, ParseError

from ..runtime.errors import Error
from ..support.diagnostics import TilewrightError

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
