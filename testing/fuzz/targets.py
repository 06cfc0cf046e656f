"""The classes of machines for which plans are made."""

from __future__ import annotations

from collections.abc import Mapping

from .draw import Draw

TARGETS: Mapping[str, str] = {
    "sse2": "llvm -mcpu=x86-64-v2 -l1-kib=32 -l2-kib=256 -l3-kib=8192",
    "avx2-256": "llvm -mcpu=x86-64-v3 -l1-kib=32 -l2-kib=256 -l3-kib=8192",
    "avx2-512": "llvm -mcpu=x86-64-v3 -l1-kib=32 -l2-kib=512 -l3-kib=16384",
    "avx2-1024": "llvm -mcpu=x86-64-v3 -l1-kib=32 -l2-kib=1024 -l3-kib=32768",
    "avx2-2048": "llvm -mcpu=x86-64-v3 -l1-kib=48 -l2-kib=2048 -l3-kib=32768",
    "avx512-1024": "llvm -mcpu=x86-64-v4 -l1-kib=32 -l2-kib=1024 -l3-kib=32768",
    "avx512-2048": "llvm -mcpu=x86-64-v4 -l1-kib=48 -l2-kib=2048 -l3-kib=491520",
    "neon": "llvm -mcpu=cortex-a72 -l1-kib=32 -l2-kib=1024 -l3-kib=2048",
}
"""Target texts by class: vector width, and KiB of L2 where plans depend on them."""


def drawn_targets(case: str) -> tuple[str, ...]:
    """Return the names of two classes of machines, which the name of a case determines."""
    order = Draw(f"targets {case}").permutation(len(TARGETS))
    names = list(TARGETS)
    return tuple(names[n] for n in sorted(order[:2]))
