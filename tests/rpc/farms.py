"""Processes of trackers, proxies and servers."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

TOKEN = "a long secret"


@contextmanager
def started(*command: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Yield a process, and the address on which it listens."""
    process = subprocess.Popen([*command], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip().rpartition(" ")[2]
    finally:
        process.kill()
        process.communicate()
