"""The GPUs that kernels are compiled for: ``cuda -arch=sm_90a``, ``rocm -mcpu=gfx942``."""

from __future__ import annotations

from ...support.target import ARCHITECTURES, Target


def architecture_of(target: Target) -> str:
    """Return the architecture of a target; `Target` has refused an unknown one."""
    option, known = ARCHITECTURES[target.kind]
    return target.option(option, known[0])
