"""The architectures of NVIDIA's GPUs that kernels are compiled for: ``cuda -arch=sm_90a``."""

from __future__ import annotations

from difflib import get_close_matches

from ...support.diagnostics import TargetError
from ...support.target import Target

ARCHITECTURES = ("sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_120")
"""By the names of ptxas; the first one is the default, as the others run its PTX."""


def architecture_of(target: Target) -> str:
    """Return the architecture of a target.

    Errors: TargetError for an unknown one.
    """
    name = target.option("arch", ARCHITECTURES[0])
    if name not in ARCHITECTURES:
        near = get_close_matches(name, ARCHITECTURES, n=1)
        raise TargetError(
            "the target has an unknown architecture",
            expected=", ".join(ARCHITECTURES),
            got=name,
            hint=f"use -arch={near[0] if near else ARCHITECTURES[0]}",
        )
    return name
