"""sched dialect: schedules as IR, which can be printed, parsed, hashed and replayed.

A ``sched.script`` is the schedule of one kernel.  Its steps transform the computes and loops of the
kernel through handles.  A handle refers to a list of ops: if a tile size does not divide an extent,
tiling makes several innermost computes (leaves) of one compute.  A step consumes the handles that
it uses; the use of a consumed handle is an error.

    sched.script @mm {
      %c = sched.match {name = mm}
      %p = sched.pack %c {operand = 1, map = affine_map<(k, n) -> (n floordiv 16, k, n mod 16)>}
      %t, %j = sched.tile %p {n = 16}
      %jp = sched.parallel %j
      %u, %i = sched.tile %t {m = 6, even = [m]}
      sched.vectorize %u {axis = n, lanes = 8, k = 4}
    }

The implementations in passes/schedule/ document each step.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from .builder import ScriptBuilder
from .script import HANDLE, HandleType, Param, ScriptOp, StepOp, decode_param, encode_param
from .steps import (
    STEPS,
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
    Im2colOp,
    InlineOp,
    MatchOp,
    MergeAxesOp,
    OnlineSoftmaxOp,
    OrderOp,
    PackOp,
    PadAttentionOp,
    PadEinsumOp,
    ParallelAxisOp,
    ParallelOp,
    PeelOp,
    PrefetchOp,
    RelayoutOp,
    ReorderOp,
    ReplicateOp,
    ReverseComputeAtOp,
    ReverseOp,
    RfactorOp,
    RollingBufferOp,
    SetScopeOp,
    SetStorePredicateOp,
    SplitAxisOp,
    SplitEpilogueOp,
    SplitHandleOp,
    SplitKeysOp,
    SplitMaskOp,
    SplitOp,
    SplitReductionOp,
    SplitScanOp,
    StorageAlignOp,
    TensorizeOp,
    TileIrregularOp,
    TileOp,
    TransformLayoutOp,
    UnrollOp,
    VectorizeAxisOp,
    VectorizeOp,
)

SCHED = Dialect("sched", [ScriptOp, *STEPS], [HandleType])

__all__ = [
    "HANDLE", "SCHED", "STEPS", "AnnotateOp", "BindOp", "CacheReadOp", "CacheWriteOp",
    "ComputeAtOp", "ComputeInlineOp", "ComputeRootOp", "DecomposeReductionOp", "DoubleBufferOp",
    "FuseEpilogueOp", "FuseIntoOp", "FuseOp", "HandleType", "Im2colOp", "InlineOp", "MatchOp",
    "MergeAxesOp",
    "OnlineSoftmaxOp", "OrderOp", "PackOp", "PadAttentionOp", "PadEinsumOp", "ParallelAxisOp",
    "ParallelOp", "Param", "PeelOp", "PrefetchOp", "RelayoutOp", "ReorderOp", "ReplicateOp",
    "ReverseComputeAtOp", "ReverseOp", "RfactorOp",
    "RollingBufferOp", "ScriptBuilder", "ScriptOp", "SetScopeOp", "SetStorePredicateOp",
    "SplitAxisOp",
    "SplitEpilogueOp", "SplitHandleOp", "SplitKeysOp", "SplitMaskOp", "SplitOp",
    "SplitReductionOp", "SplitScanOp", "StepOp", "StorageAlignOp",
    "TensorizeOp", "TileIrregularOp", "TileOp", "TransformLayoutOp", "UnrollOp",
    "VectorizeAxisOp",
    "VectorizeOp", "decode_param", "encode_param",
]  # fmt: skip
