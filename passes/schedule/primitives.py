"""The implementation of every step of a schedule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...dialects.sched import (
    CacheReadOp,
    FuseEpilogueOp,
    FuseIntoOp,
    InlineOp,
    MatchOp,
    OrderOp,
    PackOp,
    ParallelOp,
    PeelOp,
    RelayoutOp,
    SplitAxisOp,
    SplitReductionOp,
    SpreadOp,
    StepOp,
    TileOp,
    VectorizeOp,
)
from .cache_read import cache_read
from .fuse_epilogue import fuse_epilogue
from .fuse_into import fuse_into
from .inline import inline
from .match import match
from .order import order
from .pack import pack
from .parallel import parallel
from .peel import peel
from .relayout import relayout
from .split_axis import split_axis
from .split_reduction import split_reduction
from .spread import spread
from .step import Handles, Step
from .tile import tile
from .vectorize import vectorize


@dataclass(frozen=True)
class Primitive:
    """How a step op is run.

    handles: how many it takes.  keeps: positions of handles that stay valid.  axis_sizes: its
    parameters may be named after axes.
    """

    apply: Callable[[Step], Handles]
    handles: int = 1
    keeps: tuple[int, ...] = ()
    axis_sizes: bool = False


PRIMITIVES: Mapping[type[StepOp], Primitive] = {
    MatchOp: Primitive(match, handles=0),
    TileOp: Primitive(tile, axis_sizes=True),
    SplitAxisOp: Primitive(split_axis, axis_sizes=True),
    OrderOp: Primitive(order),
    SplitReductionOp: Primitive(split_reduction, axis_sizes=True),
    PackOp: Primitive(pack),
    RelayoutOp: Primitive(relayout),
    CacheReadOp: Primitive(cache_read),
    PeelOp: Primitive(peel),
    FuseIntoOp: Primitive(fuse_into, handles=2, keeps=(1,)),
    InlineOp: Primitive(inline, handles=2),
    FuseEpilogueOp: Primitive(fuse_epilogue, handles=2),
    VectorizeOp: Primitive(vectorize, axis_sizes=True),
    ParallelOp: Primitive(parallel),
    SpreadOp: Primitive(spread),
}
"""The implementation of every step op."""
