"""Another name of `tilewright.machines.target`."""

from __future__ import annotations

from ..machines.target import KIB, KINDS, NATIVE, Target, cpu_names, missing_features, unknown
from ..machines.this_machine import host_caches_kib, host_has

__all__ = [
    "KIB",
    "KINDS",
    "NATIVE",
    "Target",
    "cpu_names",
    "host_caches_kib",
    "host_has",
    "missing_features",
    "unknown",
]
