"""How many tiles of a product are in flight: the stages of its software pipeline.

In: the clocks and the bytes of a step of a block, and the target.  Out: the number of stages.

G16  With asynchronous copies the tiles of later steps are copied while a block multiplies,
     and one barrier per step is enough.  The stages are the fewest whose steps take as long as a
     load from global memory, as far as the sum has as many steps and shared memory allows them.
"""

from __future__ import annotations

from ....dialects.shape import Extent
from ....support.gpu_limits import GpuLimits
from ....support.target import Target

_FEATURE = "async-copy"
_MOST_STAGES = 4
LATENCY_CLOCKS = 290
"""The clocks of a load from the global memory of an A100.  Source: H. Abdelkhalik and others,
Demystifying the NVIDIA Ampere Architecture through Microbenchmarking, 2022, table IV."""


def pipeline_stages(
    target: Target, limits: GpuLimits, extent: Extent, step: int, *, clocks: float, shared: int
) -> int:
    """Return the stages of a sum over an extent, 1 for none.

    clocks: what a multiprocessor needs for a step.  shared: the bytes of the tiles of a step.
    """
    steps = -(-extent // step) if isinstance(extent, int) else _MOST_STAGES
    most = min(_MOST_STAGES, steps, limits.shared_bytes // shared)
    if not target.has(_FEATURE) or most < 2:
        return 1
    wanted = (n for n in range(2, most) if (n - 1) * clocks >= LATENCY_CLOCKS)
    return next(wanted, most)


__all__ = ["LATENCY_CLOCKS", "pipeline_stages"]
