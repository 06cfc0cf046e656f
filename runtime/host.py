"""The processor features of this machine; imports no other module of the package."""

from __future__ import annotations

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
