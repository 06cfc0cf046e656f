"""gpu-bufferize: te-bufferize, without borders around values.

    %y = packed.call @conv(%x, %w) : .. -> tensor<1x64x56x56xf32>
==>
    %b = packed.alloc : memref<1x64x56x56xf32>
    packed.call @conv(%x, %w, %b)

A border would need a launch for each of its sides, and each launch takes longer than the guards of
all reads.  Without borders, convolutions also write rows without gaps, in tiles of matrix products.
The copies of tiles and planes to shared memory have the guards: one for 16 bytes where a vector of
adjacent elements is entirely inside or outside of the value.

Before: main has packed ops on tensors; each kernel has one call.  After: as te-bufferize; reads of
values stay padded.  Exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...passes.te.bufferize import Bufferize


@dataclass(frozen=True)
class GpuBufferize(Bufferize):
    """Turn tensors between kernels into buffers of a device."""

    name = "gpu-bufferize"
    guards: bool = True
