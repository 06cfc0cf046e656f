"""The number of a product's tiles that are in flight: the stages of its software pipeline.

In: the clocks and the bytes of a step of a block, and the target.  Out: the number of stages.

Rule of gpu-plan:
G16  With asynchronous copies the tiles of later steps are copied while a block multiplies,
     and one barrier per step is enough.  The stages are the fewest whose steps take as long as a
     load from global memory, but not more than the steps of the sum, or than shared memory holds.
"""

from __future__ import annotations

from ....dialects.shape import Extent
from ....machines.gpu import GpuLimits
from ....machines.target import Target

_FEATURE = "async-copy"
_MOST_STAGES = 4
LATENCY_CLOCKS = 290
"""The clocks of a load from the global memory of an A100.  Source: H. Abdelkhalik and others,
Demystifying the NVIDIA Ampere Architecture through Microbenchmarking, 2022, table IV."""


def pipeline_stages(
    target: Target, limits: GpuLimits, extent: Extent, step: int, *, clocks: float, shared: int
) -> int:
    """Return the number of stages of a sum's software pipeline; 1: no pipeline.

    extent, step: the length of the sum, and of one step.  clocks: the clocks of a multiprocessor
    for a step.  shared: the bytes of the tiles of a step.
    """
    steps = -(-extent // step) if isinstance(extent, int) else _MOST_STAGES
    most = min(_MOST_STAGES, steps, limits.shared_bytes // shared)
    if not target.has(_FEATURE) or most < 2:
        return 1
    wanted = (n for n in range(2, most) if (n - 1) * clocks >= LATENCY_CLOCKS)
    return next(wanted, most)


__all__ = ["LATENCY_CLOCKS", "pipeline_stages"]
