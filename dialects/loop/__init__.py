"""loop dialect: loops, memory and vectors; the last level before machine code.

Index expressions are part of accesses, so the IR needs no ops for index arithmetic: an access has
the SSA index values that it uses (loop variables, computed positions) as operands, and one affine
map over them.  Loops are normalised (step 1); their bounds are integers, or the maximum or minimum
of affine expressions of outer variables.  The result type of a load is a scalar or a vector; the
elements of a vector are adjacent along the last dimension unless ``stride`` is set.

    loop.for parallel %i = 0 to 48 {
      %acc = loop.for %k = 0 to 768 unroll 4 iter_args(%s = %zero : vector<8xf32>) {
        %b = loop.load %B[%i, %k, 0] : memref<48x768x8xf32>, vector<8xf32>
        ...
        loop.yield %t : vector<8xf32>
      }
      loop.store %acc, %C[%i * 8] : memref<384xf32>, vector<8xf32>
    }

Scalar and vector arithmetic uses arith and math, except for comparisons: arith.cmpf and arith.cmpi
of xDSL only return i1.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from ..index_syntax import INDEX
from .control import THREADS, ForOp, IfOp, YieldOp, make_loop_body
from .indices import (
    decode_indices,
    encode_indices,
    int_attr,
    map_results,
    numbered_indices,
    str_attr,
)
from .instructions import CallLlvmOp, IntrinsicOp, JoinOp, RepeatOp, SliceOp
from .memory import (
    ALIGNMENT_BYTES,
    OWN_SCOPES,
    SCOPES,
    WORKSPACE,
    AccessOp,
    AllocOp,
    IndexOp,
    LoadOp,
    PrefetchOp,
    StoreOp,
    are_together,
    check_offset,
)
from .size import SizeOp, size_at_start, size_of_index
from .vectors import (
    CASTS,
    FLOAT_PREDICATES,
    INTEGER_PREDICATES,
    BroadcastOp,
    CastOp,
    CompareOp,
    ExtractOp,
    KeepLanesOp,
    PackOp,
    ReduceOp,
    ReduceRowsOp,
    SelectOp,
    TransposeOp,
    lane_type,
    lanes_of,
    like,
    vector_type,
)

LOOP = Dialect(
    "loop",
    [
        ForOp, IfOp, YieldOp, AllocOp, LoadOp, StoreOp, PrefetchOp, IndexOp, BroadcastOp, ReduceOp,
        ReduceRowsOp, KeepLanesOp, ExtractOp, PackOp, CastOp, CompareOp, SelectOp,
        TransposeOp, IntrinsicOp, CallLlvmOp, RepeatOp, SliceOp, JoinOp, SizeOp,
    ],
    [],
)  # fmt: skip

__all__ = [
    "THREADS",
    "AccessOp",
    "ALIGNMENT_BYTES",
    "AllocOp",
    "WORKSPACE",
    "are_together",
    "check_offset",
    "BroadcastOp",
    "CASTS",
    "CallLlvmOp",
    "CastOp",
    "CompareOp",
    "ExtractOp",
    "FLOAT_PREDICATES",
    "ForOp",
    "INDEX",
    "INTEGER_PREDICATES",
    "IfOp",
    "IndexOp",
    "IntrinsicOp",
    "JoinOp",
    "KeepLanesOp",
    "LOOP",
    "LoadOp",
    "OWN_SCOPES",
    "PackOp",
    "PrefetchOp",
    "ReduceOp",
    "ReduceRowsOp",
    "SCOPES",
    "RepeatOp",
    "SliceOp",
    "SelectOp",
    "SizeOp",
    "StoreOp",
    "TransposeOp",
    "YieldOp",
    "decode_indices",
    "encode_indices",
    "int_attr",
    "like",
    "make_loop_body",
    "map_results",
    "numbered_indices",
    "size_at_start",
    "size_of_index",
    "str_attr",
    "lane_type",
    "lanes_of",
    "vector_type",
]
