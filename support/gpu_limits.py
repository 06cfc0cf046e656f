"""Another name of `tilewright.machines.gpu_limits`, and of a part of `machines.gpu`."""

from __future__ import annotations

from ..machines.gpu import BLOCK_INDICES, CUDA_BLOCKS, GpuLimits, Grid, limits_of_kind
from ..machines.gpu_limits import gpu_limits, known_limits

__all__ = [
    "BLOCK_INDICES",
    "CUDA_BLOCKS",
    "GpuLimits",
    "Grid",
    "gpu_limits",
    "known_limits",
    "limits_of_kind",
]
