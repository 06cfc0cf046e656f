"""Tests whether a program still fails: by an outcome of testing.fuzz, or by a command."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

from ..fuzz.checks import CheckOutcome
from ..fuzz.program import check_file
from ..fuzz.runner import check_apart
from ..worker import WorkerProcess

_CHECK = f"{check_file.__module__}:{check_file.__name__}"


class Checker:
    """A worker process that checks programs in files; a context manager.

    timeout_s: the limit of each check.
    """

    def __init__(self, timeout_s: float) -> None:
        self._worker, self._timeout_s = WorkerProcess(), timeout_s

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker process; a closed checker may be closed again."""
        self._worker.close()

    def outcome(self, file: Path, mode: str, targets: Sequence[str]) -> CheckOutcome:
        """Return the outcome of the check of a program in a file.

        mode: a mode of ``tw fuzz``.
        """
        return check_apart(
            self._worker, _CHECK, str(file), mode, list(targets), timeout_s=self._timeout_s
        )


def command_keeps(command: str, timeout_s: float) -> Callable[[Path], bool]:
    """Return a function that tests whether a shell command succeeds for a file.

    The path of the file replaces ``{}`` in the command, or is added at the end.
    """

    def keeps(file: Path) -> bool:
        name = shlex.quote(str(file))
        line = command.replace("{}", name) if "{}" in command else f"{command} {name}"
        try:
            done = subprocess.run(
                line, shell=True, capture_output=True, timeout=timeout_s, check=False
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    return keeps


def scratch_file(suffix: str) -> tuple[tempfile.TemporaryDirectory[str], Path]:
    """Return a new temporary folder, and the path in it for the candidates of a reduction.

    The folder is deleted with the returned object.
    """
    folder = tempfile.TemporaryDirectory(prefix="tw-reduce-")
    return folder, Path(folder.name) / f"candidate{suffix}"
