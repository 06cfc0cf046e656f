"""The features and the number of this machine's processors; imports no module of the package."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Collection
from functools import cache
from typing import TypeAlias

Control: TypeAlias = Callable[[int, int], int]
"""A system call: takes a code and an argument; returns 0, or an error number."""

TILE_FLAG = "amx_tile"
"""The processor feature whose registers a Linux process must request."""

MAX_THREADS = 64
"""The most threads of a call: compiled code plans its scratch memory for at most this many."""

_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA = 158, 0x1023, 18


@cache
def cpu_flags() -> frozenset[str]:
    """Return the features of the processor, in Linux's names; empty if Linux does not list them."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            found = next((line for line in file if line.startswith("flags")), "")
    except OSError:
        return frozenset()
    return frozenset(found.partition(":")[2].split())


def request_tiles(flags: Collection[str], control: Control | None = None) -> str:
    """Request the tile registers of AMX from the system, if code needs them.

    Return an empty string, or the reason if the system refuses. The permission is for the whole
    process, including running threads.

    flags: the processor features that the code needs.  control: calls arch_prctl; None: that of
    this system.
    """
    if TILE_FLAG not in flags:
        return ""
    error = (control or _control)(_REQUEST_PERMISSION, _TILE_DATA)
    return os.strerror(error) if error else ""


def _control(code: int, argument: int) -> int:
    """Call arch_prctl of x86-64 Linux."""
    library = ctypes.CDLL(None, use_errno=True)
    long = ctypes.c_long
    failed = library.syscall(long(_ARCH_PRCTL), long(code), long(argument))
    return ctypes.get_errno() if failed else 0


def available_threads() -> int:
    """Return the number of threads that can run at once: the processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
