"""The number of tiles of a product's operand in flight: the stages of its software pipeline.

In: the length of a product's reduction and of a step of it, and the target.  Out: the numbers of
stages to choose from.

With asynchronous copies the tiles of later steps are copied while a block multiplies, and one
barrier per step is enough.  Each operand has at most four tiles, and not more than the reduction
has steps.  The model of tile_cost.py chooses among them: a tile must arrive in time.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....dialects.shape import Extent
from ....machines.target import Target

ASYNC_COPY = "async-copy"
"""The feature of targets that copy tiles while threads compute."""
_MOST_STAGES = 4


def stages_of(target: Target, extent: Extent, step: int) -> Sequence[int]:
    """Return the numbers of stages that the software pipeline of a reduction may have.

    extent, step: elements of the reduction axis in total, and in one step.  The only choice is 1
    (no pipeline) if the target has no asynchronous copies.
    """
    steps = -(-extent // step) if isinstance(extent, int) else _MOST_STAGES
    most = min(_MOST_STAGES, steps) if target.has(ASYNC_COPY) else 1
    return range(2, most + 1) if most > 1 else (1,)
