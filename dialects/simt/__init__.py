"""simt dialect: a kernel as one program that every thread of a GPU runs.

simt-map-threads lowers loop kernels whose loops are bound to GPU threads to such functions.

    func.func @scale(%x: memref<1024xf32>, %y: memref<1024xf32>)
        attributes {tw.launch = #simt.launch<grid [8], block [128], shared 512>} {
      %bx = simt.block_id x below 8
      %tx = simt.thread_id x below 128
      %s = loop.alloc "shared" : memref<128xf32>
      %v = loop.load %x[%bx * 128 + %tx] : memref<1024xf32>, f32
      loop.store %v, %s[%tx] : memref<128xf32>, f32
      simt.barrier shared
      %w = loop.load %s[-%tx + 127] : memref<128xf32>, f32
      loop.store %w, %y[%bx * 128 + %tx] : memref<1024xf32>, f32
      func.return
    }

The contract between simt-map-threads and the code that prints or runs the function:

- ``tw.launch`` describes the launch: ``grid`` is the number of blocks along x, y and z, as size
  expressions over the size parameters of the function; ``block`` is the number of threads along x,
  y and z, as integers; ``shared`` is the number of bytes of all shared allocations.  Trailing sizes
  of 1 are not printed.
- The function has memref arguments, which are in global memory, and no results.  Two arguments may
  share memory only if the kernel writes neither.
- Each block has one buffer per ``loop.alloc "shared"``, and each thread has one buffer per
  ``loop.alloc "local"``.  Shared allocations are at the top level of the body and have static
  shapes; local allocations may be in loops, too.  No other scope occurs.  The contents of a new
  buffer are undefined.
- ``simt.thread_id`` and ``simt.block_id`` are at the top level of the body, at most one op per kind
  and dimension.  They are pure, and their range is a part of the op.  All other ops belong to loop,
  arith and math: loops are serial and not bound to threads, and there is no ``loop.prefetch`` and
  no te.intrinsic.
- ``simt.barrier`` waits until all threads of the block have arrived.  ``simt.barrier shared``
  orders their accesses to shared memory, ``simt.barrier global`` also those to global memory.  All
  threads of a block execute it equally often: it is at the top level of the body or in loops whose
  bounds are equal for all threads, never in a ``loop.if``.
- All threads run the whole body.  A ``loop.if`` contains code for some threads.

Between two barriers, no thread accesses an element that another thread of the block writes, and no
block accesses an element of a global buffer that another block writes.  The interpreter
(``interp/simt.py``) checks both.

``simt.async_copy`` starts a copy to shared memory, and its thread continues.  No thread accesses
the copied elements before that thread has waited for the group of the copy; other threads must then
also pass a barrier.

All threads of a warp execute a matrix instruction (``simt.mma`` or ``simt.load_matrix``) or a
``simt.shuffle`` together, and all threads of a warpgroup a ``simt.warpgroup_mma``, which reads
shared memory until a ``simt.warpgroup_wait``.

Not representable: shuffles by computed lanes, atomics, matrix instructions of other shapes.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from .async_copy import COPY_BYTES, AsyncCommitOp, AsyncCopyOp, AsyncWaitOp, copied_bytes, is_copy
from .ids import DIMENSIONS, BlockIdOp, IdOp, ThreadIdOp
from .launch import LAUNCH, LaunchAttr, LaunchSizes, launch_of
from .load_matrix import ROW, LoadMatrixOp
from .mma import (
    LHS,
    LHS_BYTES,
    LHS_TF32,
    MFMA,
    MMA,
    OUT,
    RHS,
    RHS_BYTES,
    RHS_TF32,
    SHAPES,
    UNITS,
    WARP,
    WMMA,
    Fragment,
    MmaOp,
    MmaShape,
)
from .shuffle import SHUFFLED, ShuffleOp
from .sync import ASYNC, FENCES, BarrierOp, is_bound_to_threads
from .warpgroup import (
    GROUP_COLUMNS,
    GROUP_ROWS,
    GROUP_STEP,
    SWIZZLED_PART,
    SWIZZLED_ROW,
    SWIZZLED_ROWS,
    WARPGROUP,
    MatrixDescriptorOp,
    WarpgroupMmaOp,
    WarpgroupWaitOp,
)

_COPIES = [AsyncCopyOp, AsyncCommitOp, AsyncWaitOp]
_GROUPS = [MatrixDescriptorOp, WarpgroupMmaOp, WarpgroupWaitOp]
SIMT = Dialect(
    "simt",
    [ThreadIdOp, BlockIdOp, BarrierOp, ShuffleOp, MmaOp, LoadMatrixOp, *_COPIES, *_GROUPS],
    [LaunchAttr],
)

__all__ = [
    "ASYNC", "COPY_BYTES", "DIMENSIONS", "FENCES", "GROUP_COLUMNS", "GROUP_ROWS", "GROUP_STEP",
    "LAUNCH", "LHS", "LHS_BYTES", "LHS_TF32", "MFMA", "MMA", "OUT", "RHS", "RHS_BYTES", "RHS_TF32",
    "ROW", "SHAPES", "SHUFFLED", "SIMT", "SWIZZLED_PART", "SWIZZLED_ROW", "SWIZZLED_ROWS", "UNITS",
    "WARP", "WARPGROUP", "WMMA", "AsyncCommitOp", "AsyncCopyOp", "AsyncWaitOp", "BarrierOp",
    "BlockIdOp", "Fragment", "IdOp", "LaunchAttr", "LaunchSizes", "LoadMatrixOp",
    "MatrixDescriptorOp", "MmaOp", "MmaShape", "ShuffleOp", "ThreadIdOp", "WarpgroupMmaOp",
    "WarpgroupWaitOp", "copied_bytes", "is_bound_to_threads", "is_copy", "launch_of",
]  # fmt: skip
