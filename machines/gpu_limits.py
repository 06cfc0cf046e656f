"""Limits of a GPU target, which every kernel must satisfy: ``opencl -max-threads=256``."""

from __future__ import annotations

from dataclasses import replace

from .gpu import GPU_KINDS, KIB, GpuLimits, limits_of_kind
from .gpu_numbers import numbers_of
from .target import Target

_REQUESTS = ("cuda",)
"""The kinds of targets whose launches can request shared memory."""


def gpu_limits(target: Target) -> GpuLimits:
    """Return the launch limits of a GPU target: those of its options, else those of its kind."""
    default = limits_of_kind(target.kind)
    threads = target.option("max-threads", str(default.threads))
    shared_kib = target.option("shared-kib", str(default.shared_bytes // KIB))
    # The option limits all shared memory.
    is_free = target.kind in _REQUESTS and not target.option("shared-kib", "")
    return replace(
        default,
        threads=int(threads),
        shared_bytes=int(shared_kib) * KIB,
        optional_shared_bytes=numbers_of(target).block_shared_bytes if is_free else 0,
    )


def known_limits(target: Target | None) -> GpuLimits | None:
    """Return the launch limits of a GPU target; None for other targets, and without a target."""
    return gpu_limits(target) if target is not None and target.kind in GPU_KINDS else None
