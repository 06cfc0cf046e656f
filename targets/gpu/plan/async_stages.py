"""The numbers of a product's tiles that can be in flight: the stages of its software pipeline.

In: the length of a sum and of a step, and the target.  Out: the numbers of stages to choose from.

Rule of gpu-plan:
G16  With asynchronous copies the tiles of later steps are copied while a block multiplies,
     and one barrier per step is enough.  Each operand has at most four tiles, and not more than the
     sum has steps.  The model of G11 chooses among them: a tile must arrive in time.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....dialects.shape import Extent
from ....machines.target import Target

ASYNC_COPY = "async-copy"
"""The feature of targets that copy tiles while threads compute."""
_MOST_STAGES = 4


def stages_of(target: Target, extent: Extent, step: int) -> Sequence[int]:
    """Return the numbers of stages that the pipeline of a sum can have; 1: no pipeline.

    extent, step: the length of the sum, and of one step.
    """
    steps = -(-extent // step) if isinstance(extent, int) else _MOST_STAGES
    most = min(_MOST_STAGES, steps) if target.has(ASYNC_COPY) else 1
    return range(2, most + 1) if most > 1 else (1,)


__all__ = ["ASYNC_COPY", "stages_of"]
