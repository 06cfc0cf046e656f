"""The implementation of every step of a schedule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...dialects.sched import (
    BindOp,
    CacheReadOp,
    ComputeAtOp,
    ComputeInlineOp,
    ComputeRootOp,
    FuseEpilogueOp,
    FuseIntoOp,
    FuseOp,
    InlineOp,
    MatchOp,
    OnlineOp,
    OrderOp,
    PackOp,
    ParallelAxisOp,
    ParallelOp,
    PeelOp,
    RelayoutOp,
    ReorderOp,
    SplitAxisOp,
    SplitOp,
    SplitReductionOp,
    SpreadOp,
    StepOp,
    TileOp,
    UnrollOp,
    VectorizeAxisOp,
    VectorizeOp,
)
from .bind import bind
from .cache_read import cache_read
from .compute_at import compute_at
from .compute_inline import compute_inline
from .compute_root import compute_root
from .fuse import fuse
from .fuse_epilogue import fuse_epilogue
from .fuse_into import fuse_into
from .inline import inline
from .match import match
from .online import online
from .order import order
from .pack import pack
from .parallel import parallel
from .parallel_axis import parallel_axis
from .peel import peel
from .relayout import relayout
from .reorder import reorder
from .split import split
from .split_axis import split_axis
from .split_reduction import split_reduction
from .spread import spread
from .step import Handles, Step
from .tile import tile
from .unroll import unroll
from .vectorize import vectorize
from .vectorize_axis import vectorize_axis


@dataclass(frozen=True)
class Primitive:
    """How a step op is run.

    handles: how many it takes.  keeps: positions of handles that stay valid.  axis_sizes: its
    parameters may be named after axes.  plain: it arranges loops itself, so it takes no compute
    with a pending nest.
    """

    apply: Callable[[Step], Handles]
    handles: int = 1
    keeps: tuple[int, ...] = ()
    axis_sizes: bool = False
    plain: bool = False


PRIMITIVES: Mapping[type[StepOp], Primitive] = {
    MatchOp: Primitive(match, handles=0),
    TileOp: Primitive(tile, axis_sizes=True, plain=True),
    SplitAxisOp: Primitive(split_axis, axis_sizes=True, plain=True),
    OrderOp: Primitive(order, plain=True),
    SplitReductionOp: Primitive(split_reduction, axis_sizes=True, plain=True),
    PackOp: Primitive(pack),
    RelayoutOp: Primitive(relayout),
    CacheReadOp: Primitive(cache_read),
    PeelOp: Primitive(peel),
    FuseIntoOp: Primitive(fuse_into, handles=2, keeps=(1,)),
    InlineOp: Primitive(inline, handles=2),
    FuseEpilogueOp: Primitive(fuse_epilogue, handles=2),
    OnlineOp: Primitive(online, handles=5, axis_sizes=True, plain=True),
    VectorizeOp: Primitive(vectorize, axis_sizes=True, plain=True),
    ParallelOp: Primitive(parallel),
    SpreadOp: Primitive(spread),
    SplitOp: Primitive(split),
    FuseOp: Primitive(fuse),
    ReorderOp: Primitive(reorder),
    UnrollOp: Primitive(unroll),
    ParallelAxisOp: Primitive(parallel_axis),
    VectorizeAxisOp: Primitive(vectorize_axis),
    BindOp: Primitive(bind),
    ComputeAtOp: Primitive(compute_at, handles=2),
    ComputeRootOp: Primitive(compute_root),
    ComputeInlineOp: Primitive(compute_inline),
}
"""The implementation of every step op."""
