"""Limits of a GPU target, which every kernel must satisfy.

    opencl -max-threads=256 -shared-kib=32

All GPUs of the last ten years satisfy the defaults: those of NVIDIA, AMD and Apple allow 1024
threads per block, and 32 KiB of shared memory or more. OpenCL devices on CPUs may allow fewer
threads. WebGPU guarantees 256 threads and 16 KiB.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from .diagnostics import TargetError
from .gpu_numbers import numbers_of
from .target import KIB, Target

Grid: TypeAlias = tuple[int, int, int]
"""The numbers of blocks along x, y and z."""
BLOCK_INDICES = ("blockIdx.x", "blockIdx.y", "blockIdx.z")
_MOST_BLOCKS = (1 << 31) - 1
"""The largest number of blocks: generated kernels compute block indices as 32-bit integers."""
CUDA_BLOCKS = 65535
"""The largest number of blocks along y, and along z, in CUDA and HIP."""
_ROCM_BLOCKS = (1 << 32) // 1024 - 1
"""The most blocks of 1024 threads on AMD's GPUs: a launch has less than 2**32 threads."""
_BLOCKS = {
    "cuda": (_MOST_BLOCKS, CUDA_BLOCKS, CUDA_BLOCKS),
    "rocm": (_ROCM_BLOCKS, CUDA_BLOCKS, CUDA_BLOCKS),
}
_LAST_THREADS = {"cuda": 64}
"""Source: CUDA C++ Programming Guide, Technical Specifications per Compute Capability."""
STATIC_SHARED_BYTES = 48 * KIB
"""The most shared memory that a CUDA kernel can declare; a launch can request more.  Source: CUDA
C++ Programming Guide, section Shared Memory of each compute capability."""
_REQUESTS = ("cuda",)
"""The kinds of targets whose launches can request shared memory."""
KINDS = ("cuda", "metal", "opencl", "rocm")
"""The kinds of targets whose kernels have these limits."""


@dataclass(frozen=True)
class GpuLimits:
    """Limits of the launches of a GPU.

    threads: the most threads per block.  shared_bytes: the shared memory of a block that all GPUs
    of the kind have.  optional_shared_bytes: the shared memory that a launch may request on the
    target's GPU.  blocks: the most blocks of a grid along x, y and z.  last_threads: the most
    threads of a block along z; None if the limit is ``threads``.
    """

    threads: int = 1024
    shared_bytes: int = 32 * KIB
    blocks: Grid = (_MOST_BLOCKS, _MOST_BLOCKS, _MOST_BLOCKS)
    last_threads: int | None = None
    optional_shared_bytes: int = 0

    @property
    def most_shared_bytes(self) -> int:
        """The most shared memory per block."""
        return max(self.shared_bytes, self.optional_shared_bytes)

    def most(self, thread: str) -> int:
        """Return the largest extent of a loop that is bound to a thread or block index."""
        if thread in BLOCK_INDICES:
            return self.blocks[BLOCK_INDICES.index(thread)]
        if thread == "threadIdx.z" and self.last_threads is not None:
            return min(self.threads, self.last_threads)
        return self.threads

    def exchanged(self, grid: Grid) -> Grid:
        """Return the grid to launch: if y or z exceeds its limit, this dimension is swapped with x.

        Kernels compute their block indices accordingly; see lowering/device_kernels.py.
        """
        x, y, z = grid
        if y > self.blocks[1]:
            return y, x, z
        return (z, y, x) if z > self.blocks[2] else grid

    def allows(self, grid: Grid) -> bool:
        """Return whether a grid does not exceed the limits along any dimension."""
        return all(size <= most for size, most in zip(grid, self.blocks, strict=True))


_DEFAULTS: Mapping[str, GpuLimits] = {"webgpu": GpuLimits(256, 16 * KIB)}
"""The limits of kinds of targets for which the defaults do not hold."""


def limits_of_kind(kind: str) -> GpuLimits:
    """Return the limits of a kind of target without options."""
    known = _DEFAULTS.get(kind, GpuLimits())
    blocks = _BLOCKS.get(kind, known.blocks)
    return replace(known, blocks=blocks, last_threads=_LAST_THREADS.get(kind))


def gpu_limits(target: Target) -> GpuLimits:
    """Return the limits of a target.

    Errors: TargetError for an option that is not a positive integer.
    """
    default = limits_of_kind(target.kind)
    threads = _number(target, "max-threads", default.threads)
    shared_kib = _number(target, "shared-kib", default.shared_bytes // KIB)
    # The option limits all shared memory.
    is_free = target.kind in _REQUESTS and not target.option("shared-kib", "")
    optional = numbers_of(target).block_shared_bytes if is_free else 0
    return replace(
        default,
        threads=threads,
        shared_bytes=shared_kib * KIB,
        optional_shared_bytes=optional,
    )


def known_limits(target: Target | None) -> GpuLimits | None:
    """Return the limits of a GPU target; None for any other target."""
    return gpu_limits(target) if target is not None and target.kind in KINDS else None


def _number(target: Target, option: str, default: int) -> int:
    text = target.option(option, str(default))
    if not text.isdigit() or int(text) < 1:
        raise TargetError(
            f"target option -{option}", expected="a positive number", got=text, hint=f"-{option}=64"
        )
    return int(text)


__all__ = [
    "BLOCK_INDICES",
    "CUDA_BLOCKS",
    "GpuLimits",
    "Grid",
    "gpu_limits",
    "known_limits",
    "limits_of_kind",
]
