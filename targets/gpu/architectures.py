"""The GPUs that kernels are compiled for: ``cuda -arch=sm_90a``, ``rocm -mcpu=gfx942``."""

from __future__ import annotations

from ...runtime.spelling import nearest
from ...support.diagnostics import TargetError
from ...support.target import Target

ARCHITECTURES = ("sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_120")
"""By the names of ptxas; the first one is the default, as the others run its PTX."""
PROCESSORS = ("gfx942", "gfx90a", "gfx950", "gfx1030", "gfx1100", "gfx1151", "gfx1201")
"""AMD's GPUs by the names of LLVM; each runs its own code only, and the first is the default."""
_OPTIONS = {"cuda": ("arch", ARCHITECTURES), "rocm": ("mcpu", PROCESSORS)}


def architecture_of(target: Target) -> str:
    """Return the architecture of a target.

    Errors: TargetError for an unknown one.
    """
    option, known = _OPTIONS[target.kind]
    name = target.option(option, known[0])
    if name not in known:
        near = nearest(name, known, 1)
        raise TargetError(
            "the target has an unknown architecture",
            expected=", ".join(known),
            got=name,
            hint=f"use -{option}={near[0] if near else known[0]}",
        )
    return name
