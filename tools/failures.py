"""What a command-line tool shows when a user's input is at fault: a message, no traceback."""

from __future__ import annotations

import textwrap

# Lines of IR shown above the one that an error points at.
_EXCERPT_LINES = 4


def user_errors() -> tuple[type[BaseException], ...]:
    """Return the exceptions that a user's input can cause.

    Cost: imports xdsl, so evaluate it where an exception was caught.
    """
    from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError

    return (DiagnosticException, ParseError, ArgSpecParseError, OSError)


def failure_text(error: BaseException) -> str:
    """Return the message of an error and the lines of IR around the op it points at."""
    excerpts = (_excerpt(note) for note in getattr(error, "__notes__", ()))
    return "\n".join([f"error: {error}", *(text for text in excerpts if text)])


def _excerpt(note: str) -> str:
    """Cut the note that xDSL attaches (the whole module) down to the marked op."""
    lines = note.splitlines()
    marked = [i for i, line in enumerate(lines) if line.lstrip().startswith("^^")]
    if not marked:
        return ""
    end = marked[0] + 1
    excerpt = textwrap.dedent("\n".join(lines[max(0, end - 1 - _EXCERPT_LINES) : end]))
    return textwrap.indent(excerpt, "    ")
