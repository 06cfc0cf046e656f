"""Files that several tests build from the same sources: each is built once per run of the tests."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

FOLDER = "TILEWRIGHT_TEST_FILES"
"""The environment variable with the folder of these files, which all processes of a run share."""


def built_once(key: object, make: Callable[[Path], object]) -> Path:
    """Return a file or folder that no test changes.

    key: everything that decides its contents.  make: writes it to a path.
    """
    made = Path(os.environ[FOLDER]) / hashlib.sha256(repr(key).encode()).hexdigest()
    if not made.exists():
        scratch = Path(tempfile.mkdtemp(dir=made.parent)) / "made"
        make(scratch)
        if not made.exists():  # Another process may have built it meanwhile.
            scratch.rename(made)
    return made
