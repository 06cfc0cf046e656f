"""Errors of command-line tools: messages without a traceback, and exit codes."""

from __future__ import annotations

import contextlib
import os
import sys
import textwrap
from collections.abc import Callable
from importlib import import_module

_PACKAGE = __name__.partition(".")[0]
# The number of lines of IR shown above the line that an error marks.
_EXCERPT_LINES = 4
_REPLAYS = ("reproducer: ", "replay: ", "report: ")
"""The lines of notes about a reproducer (driver/report/crash.py)."""
INTERRUPTED = 130
"""Exit code of a tool that Ctrl-C ended: 128 plus the number of the signal."""


def run_tool(call: Callable[[], int], *, debug: bool) -> int:
    """Run a tool, and print its error; return the exit code: 1 for an error, 130 for Ctrl-C.

    call: the tool; returns its exit code.  debug: re-raise errors, so that Python prints a
    traceback.
    """
    try:
        return call()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has closed the pipe, so no more output is wanted.
        with contextlib.suppress(OSError, ValueError):
            stdout = sys.stdout.fileno()
            os.dup2(os.open(os.devnull, os.O_WRONLY), stdout)
        return 1
    # The outermost handler, which prints errors; some errors of xDSL are not an `Exception`.
    except (Exception, *user_errors()) as err:
        if debug:
            raise
        print(_text(err), file=sys.stderr)
        return 1


def _text(error: BaseException) -> str:
    if isinstance(error, user_errors()):
        return failure_text(error)
    if isinstance(error, ImportError) and not (error.name or "").startswith(_PACKAGE):
        return _import_text(error)
    return _internal_text(error)


_USER_ERRORS = {
    # Modules, and their exceptions that can be caused by input of users.
    "xdsl.utils.exceptions": ("DiagnosticException", "ParseError", "ArgSpecParseError"),
    f"{_PACKAGE}.runtime.errors": (
        "ArgumentError", "KernelError", "OutOfRangeError", "UnknownText",
    ),
    f"{_PACKAGE}.runtime.abi.library": ("LoadError",),
    f"{_PACKAGE}.runtime.rpc.errors": ("RpcError",),
}  # fmt: skip


def user_errors() -> tuple[type[BaseException], ...]:
    """Return the exception classes whose cause can be the input of a user.

    Cost: imports xdsl, so call this only after an exception.
    """
    found: list[type[BaseException]] = [OSError, MemoryError]
    for module, names in _USER_ERRORS.items():
        # If a module cannot be imported, the error to report is not one of its classes.
        with contextlib.suppress(Exception):
            found += [getattr(import_module(module), name) for name in names]
    return tuple(found)


def failure_text(error: BaseException) -> str:
    """Return the text to print for an error: its message, and the lines of IR that it marks."""
    excerpts = (_excerpt(note) for note in getattr(error, "__notes__", ()))
    message = str(error) or type(error).__name__
    return "\n".join([f"error: {message}", *(text for text in excerpts if text)])


def _import_text(error: ImportError) -> str:
    return (
        "error: a package that Tilewright needs cannot be imported\n"
        f"    got: {type(error).__name__}: {error}\n"
        "    hint: install Tilewright again with pip, into an environment of its own"
    )


def _internal_text(error: BaseException) -> str:
    notes = "\n".join(getattr(error, "__notes__", ())).splitlines()
    found = [f"    {line}" for line in notes if line.startswith(_REPLAYS)]
    hint = "    hint: please report it, with `tw report-bug` and the traceback that --debug shows"
    lines = ["error: internal error", f"    got: {type(error).__name__}: {error}"]
    return "\n".join([*lines, *(found or [hint])])


def _excerpt(note: str) -> str:
    """Return the lines of IR to show from a note that xDSL has added to an error.

    If the note is a printed module with a ``^^`` mark, the lines end at the mark.  Another note is
    returned if it has one line, and left out if it has several.
    """
    lines = note.splitlines()
    marked = [i for i, line in enumerate(lines) if line.lstrip().startswith("^^")]
    if not marked:
        return "" if len(lines) > 1 else f"    {note}"
    end = marked[0] + 1
    excerpt = textwrap.dedent("\n".join(lines[max(0, end - 1 - _EXCERPT_LINES) : end]))
    return textwrap.indent(excerpt, "    ")
