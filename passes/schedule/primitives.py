"""The table of schedule steps and their implementations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.traits import OpTrait

from ...dialects import sched
from ...dialects.sched import StepOp
from ...support.diagnostics import ScheduleError
from .buffers.cache_read import cache_read
from .buffers.cache_write import cache_write
from .buffers.double_buffer import double_buffer
from .buffers.pack import pack
from .buffers.pad_einsum import pad_einsum
from .buffers.relayout import relayout
from .buffers.replicate import replicate
from .buffers.rolling_buffer import rolling_buffer
from .buffers.set_scope import set_scope
from .buffers.set_store_predicate import set_store_predicate
from .buffers.storage_align import storage_align
from .buffers.transform_layout import transform_layout
from .compute.annotate import annotate
from .compute.compute_at import compute_at
from .compute.compute_inline import compute_inline
from .compute.compute_root import compute_root
from .compute.decompose_reduction import decompose_reduction
from .compute.fuse_epilogue import fuse_epilogue
from .compute.fuse_into import fuse_into
from .compute.im2col import im2col
from .compute.inline import inline
from .compute.match import match
from .compute.online_softmax import online_softmax
from .compute.pad_attention import pad_attention
from .compute.reverse_compute_at import reverse_compute_at
from .compute.rfactor import rfactor
from .compute.split_epilogue import split_epilogue
from .compute.split_handle import split_handle
from .compute.split_keys import split_keys
from .compute.split_mask import split_mask
from .compute.split_scan import split_scan
from .engine.step import Handles, Step
from .loops.bind import bind
from .loops.fuse import fuse
from .loops.merge_axes import merge_axes
from .loops.order import order
from .loops.parallel import parallel
from .loops.parallel_axis import parallel_axis
from .loops.peel import peel
from .loops.prefetch import prefetch
from .loops.reorder import reorder
from .loops.reverse import reverse
from .loops.split import split
from .loops.split_axis import split_axis
from .loops.split_reduction import split_reduction
from .loops.tensorize import tensorize
from .loops.tile import tile
from .loops.tile_irregular import tile_irregular
from .loops.unroll import unroll
from .loops.vectorize import vectorize
from .loops.vectorize_axis import vectorize_axis

MANY = 63
"""A number of optional handles that no step reaches."""


@dataclass(frozen=True)
class Primitive:
    """The implementation of a kind of schedule step, and the rules for its handles and parameters.

    apply: runs a step, and returns the ops of each result handle.
    handles: the number of handles that a step must take.
    optional: the number of further handles that it may take.
    keeps: the indices of the handles that stay valid after the step.
    axis_sizes: whether parameters may be named after axes, as in ``{m = 6}``.
    plain: whether the step refuses computes with a pending nest, because it makes loops or changes
    axes itself.
    """

    apply: Callable[[Step], Handles]
    handles: int = 1
    optional: int = 0
    keeps: tuple[int, ...] = ()
    axis_sizes: bool = False
    plain: bool = False


PRIMITIVES: Mapping[type[StepOp], Primitive] = {
    sched.MatchOp: Primitive(match, handles=0),
    sched.TileOp: Primitive(tile, axis_sizes=True, plain=True),
    sched.SplitAxisOp: Primitive(split_axis, axis_sizes=True, plain=True),
    sched.MergeAxesOp: Primitive(merge_axes, plain=True),
    sched.OrderOp: Primitive(order, plain=True),
    sched.SplitReductionOp: Primitive(split_reduction, axis_sizes=True, plain=True),
    sched.PackOp: Primitive(pack),
    sched.RelayoutOp: Primitive(relayout),
    sched.CacheReadOp: Primitive(cache_read, optional=MANY),
    sched.PeelOp: Primitive(peel),
    sched.FuseIntoOp: Primitive(fuse_into, handles=2, keeps=(1,)),
    sched.InlineOp: Primitive(inline, handles=2),
    sched.FuseEpilogueOp: Primitive(fuse_epilogue, handles=2),
    sched.SplitEpilogueOp: Primitive(split_epilogue, plain=True),
    sched.SplitHandleOp: Primitive(split_handle),
    sched.OnlineSoftmaxOp: Primitive(online_softmax, handles=5, axis_sizes=True, plain=True),
    sched.PadAttentionOp: Primitive(pad_attention, handles=5, axis_sizes=True, plain=True),
    sched.SplitKeysOp: Primitive(split_keys, handles=5, axis_sizes=True, plain=True),
    sched.SplitScanOp: Primitive(split_scan),
    sched.VectorizeOp: Primitive(vectorize, axis_sizes=True, plain=True),
    sched.ParallelOp: Primitive(parallel),
    sched.TileIrregularOp: Primitive(tile_irregular),
    sched.TensorizeOp: Primitive(tensorize, axis_sizes=True),
    sched.SplitOp: Primitive(split),
    sched.FuseOp: Primitive(fuse),
    sched.ReorderOp: Primitive(reorder),
    sched.UnrollOp: Primitive(unroll),
    sched.ParallelAxisOp: Primitive(parallel_axis),
    sched.VectorizeAxisOp: Primitive(vectorize_axis),
    sched.ReverseOp: Primitive(reverse),
    sched.BindOp: Primitive(bind),
    sched.ComputeAtOp: Primitive(compute_at, handles=2),
    sched.ReverseComputeAtOp: Primitive(reverse_compute_at, handles=2),
    sched.ComputeRootOp: Primitive(compute_root),
    sched.ComputeInlineOp: Primitive(compute_inline),
    sched.CacheWriteOp: Primitive(cache_write),
    sched.RfactorOp: Primitive(rfactor),
    sched.DecomposeReductionOp: Primitive(decompose_reduction, optional=1, keeps=(1,)),
    sched.SetScopeOp: Primitive(set_scope),
    sched.ReplicateOp: Primitive(replicate, optional=MANY, keeps=tuple(range(MANY + 1))),
    sched.SplitMaskOp: Primitive(split_mask),
    sched.StorageAlignOp: Primitive(storage_align),
    sched.DoubleBufferOp: Primitive(double_buffer),
    sched.RollingBufferOp: Primitive(rolling_buffer, plain=True),
    sched.TransformLayoutOp: Primitive(transform_layout),
    sched.Im2colOp: Primitive(im2col, axis_sizes=True, plain=True),
    sched.PadEinsumOp: Primitive(pad_einsum, axis_sizes=True, plain=True),
    sched.SetStorePredicateOp: Primitive(set_store_predicate, axis_sizes=True),
    sched.AnnotateOp: Primitive(annotate),
    sched.PrefetchOp: Primitive(prefetch),
}
"""The implementation of every step op."""


@dataclass(frozen=True)
class AppliedBy(OpTrait):
    """A trait that gives the implementation of a step op defined in another package.

    The implementations of the built-in steps are in ``PRIMITIVES``.
    """

    primitive: Primitive


def primitive_of(op: StepOp) -> Primitive:
    """Return the implementation of a step.

    Errors: ScheduleError for an op of another package without the trait ``AppliedBy``.
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
