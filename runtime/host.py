"""The processors of this machine; imports no other module of the package."""

from __future__ import annotations

import os
from functools import cache


@cache
def cpu_flags() -> frozenset[str]:
    """Return the features of the processor, in Linux's names; empty if Linux does not list them."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            found = next((line for line in file if line.startswith("flags")), "")
    except OSError:
        return frozenset()
    return frozenset(found.partition(":")[2].split())


def available_threads() -> int:
    """Return how many threads can run at once: the processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
