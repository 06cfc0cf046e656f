"""Rule R22: where F(4x4, 3x3) wins over direct convolution, and the schedule of its phases."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil

from xdsl.ir import SSAValue

from ....dialects.te import ComputeView
from ....support.target import Target
from .contraction import analyse
from .pointwise import vector_axis
from .product import plan_product
from .script import Script

OUT, PRODUCTS = 4, 36


@dataclass(frozen=True)
class Tiles:
    """Sizes of a convolution: of its result, and its numbers of channels."""

    images: int
    height: int
    width: int
    channels: int
    features: int

    @property
    def rows(self) -> int:
        """Rows of tiles of one image."""
        return ceil(self.height / OUT)

    @property
    def columns(self) -> int:
        """Tiles of one row."""
        return ceil(self.width / OUT)


def tile_rows_per_task(tiles: Tiles, block: int, target: Target) -> int | None:
    """R22: None for direct convolution, 0 for kernels of their own, else rows of a task's tiles."""
    forced = os.environ.get("WINO")
    if forced is not None:
        if forced == "off" or min(tiles.channels, tiles.features) < 32:
            return None
        r = int(forced)
        return r if not r or tiles.rows % r == 0 else 0
    return 0


def is_transform(view: ComputeView) -> bool:
    """Tell whether a compute is a transform: many reads and values of one tile."""
    return len(view.outputs) > 1 and len({o.value for o in view.outputs}) == 1


def plan_winograd(
    script: Script, views: Sequence[ComputeView], constants: Collection[SSAValue], target: Target
) -> None:
    """Write the schedule of the phases, each by itself or all in the task of a block of tiles."""
    is_alone = len(views) == 1
    for view in views:
        if is_transform(view):
            _plan_transform(script, view, target, parallel=is_alone)
            continue
        contraction = analyse(view, set(constants), target, target.lanes(32))
        assert contraction is not None, "products have a register tile"
        plan_product(script, contraction, parallel=is_alone)


def _plan_transform(script: Script, view: ComputeView, target: Target, *, parallel: bool) -> None:
    """A vector of channels of one tile at a time."""
    leaf = script.match(view.name)
    axes = [a for a in view.parallel_axes() if view.axes[a] > 1]
    widest = target.lanes(32)
    fitting = [n for n in (widest, widest // 2, widest // 4) if n >= 4]
    found = ((n, vector_axis(view, n, axes)) for n in fitting)
    lanes, vector = next(((n, a) for n, a in found if a is not None), (1, None))
    if vector is None:
        return
    others = [a for a in axes if a != vector]
    order = [vector, *others]
    sizes = {a: lanes if a == vector else 1 for a in order}
    leaf, loops = script.tile(leaf, sizes)
    if parallel:
        for loop in loops[:2]:
            script.parallel(loop)
    script.vectorize(leaf, vector, lanes)
