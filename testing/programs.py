"""Runs of programs, such as compilers and emulators, and errors that quote their output."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ..support.diagnostics import TilewrightError

_MOST_CHARACTERS = 2000


def finished(
    command: Sequence[str], folder: Path | None = None, *, timeout_s: float | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command and wait for its end; return its exit status and the captured output.

    folder: the working folder; None is the folder of this process.  timeout_s: the longest time.
    Errors: TilewrightError if the command runs longer; it is killed.
    """
    try:
        return subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired as err:
        raise TilewrightError(
            "the program does not end", expected=f"an end within {timeout_s:g} s", where=command[0]
        ) from err


def check_end(done: subprocess.CompletedProcess[str], rule: str, where: str = "") -> None:
    """Raise an error if a program ended with another exit status than 0.

    done: the finished program.  rule: the first line of the message.  where: the target of the
    program, for the message.

    Errors: TilewrightError with the error output of the program, or with its exit status.
    """
    if done.returncode != 0:
        raise TilewrightError(
            rule,
            expected="exit status 0",
            got=done.stderr.strip()[:_MOST_CHARACTERS] or _ending(done.returncode),
            where=where,
        )


def _ending(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    name = signal.Signals(-status).name
    return f"{name}: an instruction that the emulator lacks" if name == "SIGILL" else name
