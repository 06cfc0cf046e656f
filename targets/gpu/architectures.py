"""The GPUs that kernels are compiled for: ``cuda -arch=sm_90a``, ``rocm -mcpu=gfx942``."""

from __future__ import annotations

from ...support.target import Target


def architecture_of(target: Target) -> str:
    """Return the GPU architecture of a target, such as "sm_90a"; `Target` refuses unknown names."""
    return target.gpu_architecture
