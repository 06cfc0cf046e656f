"""gpu-plan-memory: packed-plan-memory, with offsets at which every driver allows a buffer to start.

    %a = packed.alloc : memref<4x4xf32>    ==>    %a = packed.alloc at 512 : memref<4x4xf32>

Before: main holds packed ops on memrefs.  After: as packed-plan-memory; offsets are multiples of
512, the largest alignment that OpenCL drivers require of a part of a buffer.  Exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...passes.packed.plan_memory import PlanMemory

BUFFER_ALIGNMENT_BYTES = 512


@dataclass(frozen=True)
class GpuPlanMemory(PlanMemory):
    """Assign every buffer of main an offset in the arena of the device.

    alignment: the number of which each offset is a multiple.
    """

    name = "gpu-plan-memory"
    alignment: int = BUFFER_ALIGNMENT_BYTES
