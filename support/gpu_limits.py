"""Limits of a GPU target, which every kernel must keep.

    opencl -max-threads=256 -shared-kib=32

The defaults hold on all devices of the last ten years: CUDA, AMD and Apple allow 1024 threads per
block and 32 KiB of shared memory or more; OpenCL devices for CPUs less threads or more. WebGPU
promises 256 threads and 16 KiB.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .diagnostics import TargetError
from .target import KIB, Target


@dataclass(frozen=True)
class GpuLimits:
    """threads: the most threads per block.  shared_bytes: the most shared memory per block."""

    threads: int = 1024
    shared_bytes: int = 32 * KIB


_DEFAULTS: Mapping[str, GpuLimits] = {"webgpu": GpuLimits(256, 16 * KIB)}
"""The limits of the kinds of targets that have others."""


def gpu_limits(target: Target) -> GpuLimits:
    """Return the limits of a target.

    Errors: TargetError for an option that is no positive number.
    """
    default = _DEFAULTS.get(target.kind, GpuLimits())
    return GpuLimits(
        _number(target, "max-threads", default.threads),
        _number(target, "shared-kib", default.shared_bytes // KIB) * KIB,
    )


def _number(target: Target, option: str, default: int) -> int:
    text = target.option(option, str(default))
    if not text.isdigit() or int(text) < 1:
        raise TargetError(
            f"target option -{option}", expected="a positive number", got=text, hint=f"-{option}=64"
        )
    return int(text)


__all__ = ["GpuLimits", "gpu_limits"]
