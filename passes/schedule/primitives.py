"""The implementation of every step of a schedule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.traits import OpTrait

from ...dialects.sched import (
    AnnotateOp,
    BindOp,
    CacheReadOp,
    CacheWriteOp,
    ComputeAtOp,
    ComputeInlineOp,
    ComputeRootOp,
    DecomposeReductionOp,
    DoubleBufferOp,
    FuseEpilogueOp,
    FuseIntoOp,
    FuseOp,
    InlineOp,
    MatchOp,
    OnlineOp,
    OrderOp,
    PackOp,
    PadEinsumOp,
    ParallelAxisOp,
    ParallelOp,
    PeelOp,
    PrefetchOp,
    RelayoutOp,
    ReorderOp,
    ReverseComputeAtOp,
    RfactorOp,
    RollingBufferOp,
    SetScopeOp,
    SetStorePredicateOp,
    SplitAxisOp,
    SplitOp,
    SplitReductionOp,
    SpreadOp,
    StepOp,
    StorageAlignOp,
    TensorizeOp,
    TileOp,
    TransformLayoutOp,
    UnrollOp,
    VectorizeAxisOp,
    VectorizeOp,
)
from ...support.diagnostics import ScheduleError
from .annotate import annotate
from .bind import bind
from .cache_read import cache_read
from .cache_write import cache_write
from .compute_at import compute_at
from .compute_inline import compute_inline
from .compute_root import compute_root
from .decompose_reduction import decompose_reduction
from .double_buffer import double_buffer
from .fuse import fuse
from .fuse_epilogue import fuse_epilogue
from .fuse_into import fuse_into
from .inline import inline
from .match import match
from .online import online
from .order import order
from .pack import pack
from .pad_einsum import pad_einsum
from .parallel import parallel
from .parallel_axis import parallel_axis
from .peel import peel
from .prefetch import prefetch
from .relayout import relayout
from .reorder import reorder
from .reverse_compute_at import reverse_compute_at
from .rfactor import rfactor
from .rolling_buffer import rolling_buffer
from .set_scope import set_scope
from .set_store_predicate import set_store_predicate
from .split import split
from .split_axis import split_axis
from .split_reduction import split_reduction
from .spread import spread
from .step import Handles, Step
from .storage_align import storage_align
from .tensorize import tensorize
from .tile import tile
from .transform_layout import transform_layout
from .unroll import unroll
from .vectorize import vectorize
from .vectorize_axis import vectorize_axis


@dataclass(frozen=True)
class Primitive:
    """How a step op is run.

    handles: how many it takes; optional: how many more it may.  keeps: positions of handles that
    stay valid.  axis_sizes: its parameters may be named after axes.  plain: it arranges loops or
    axes itself, so it takes no compute with a pending nest.
    """

    apply: Callable[[Step], Handles]
    handles: int = 1
    optional: int = 0
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
    TensorizeOp: Primitive(tensorize, axis_sizes=True),
    SplitOp: Primitive(split),
    FuseOp: Primitive(fuse),
    ReorderOp: Primitive(reorder),
    UnrollOp: Primitive(unroll),
    ParallelAxisOp: Primitive(parallel_axis),
    VectorizeAxisOp: Primitive(vectorize_axis),
    BindOp: Primitive(bind),
    ComputeAtOp: Primitive(compute_at, handles=2),
    ReverseComputeAtOp: Primitive(reverse_compute_at, handles=2),
    ComputeRootOp: Primitive(compute_root),
    ComputeInlineOp: Primitive(compute_inline),
    CacheWriteOp: Primitive(cache_write),
    RfactorOp: Primitive(rfactor),
    DecomposeReductionOp: Primitive(decompose_reduction, optional=1, keeps=(1,)),
    SetScopeOp: Primitive(set_scope),
    StorageAlignOp: Primitive(storage_align),
    DoubleBufferOp: Primitive(double_buffer),
    RollingBufferOp: Primitive(rolling_buffer, plain=True),
    TransformLayoutOp: Primitive(transform_layout),
    PadEinsumOp: Primitive(pad_einsum, axis_sizes=True, plain=True),
    SetStorePredicateOp: Primitive(set_store_predicate, axis_sizes=True),
    AnnotateOp: Primitive(annotate),
    PrefetchOp: Primitive(prefetch),
}
"""The implementation of every step op."""


@dataclass(frozen=True)
class AppliedBy(OpTrait):
    """How a step of another package is run; those of this one are in ``PRIMITIVES``."""

    primitive: Primitive


def primitive_of(op: StepOp) -> Primitive:
    """Return how a step is run.

    Errors: ScheduleError for an op of another package without ``AppliedBy``.
    """
    own = op.get_trait(AppliedBy)
    if own is not None:
        return own.primitive
    if type(op) not in PRIMITIVES:
        raise ScheduleError(
            "nothing says how the step is run",
            expected="the trait AppliedBy(Primitive(..))",
            got=type(op).__name__,
            where=op.name,
        )
    return PRIMITIVES[type(op)]
