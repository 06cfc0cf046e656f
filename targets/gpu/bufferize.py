"""gpu-bufferize: te-bufferize, without borders around values with adjacent channels.

    %y = packed.call @conv(%x, %w) : .. -> tensor<1x64x56x56xf16>
==>
    %b = packed.alloc : memref<1x56x56x64xf16>
    packed.call @conv(%x, %w, %b)

A thread reads 16 bytes of adjacent channels at once, with one guard; so no launch has to fill a
border with zeros.  The guard costs four instructions per copy.

Before: main has packed ops on tensors; each kernel has one call.  After: as te-bufferize; reads of
values whose layout moves dimensions, without blocks, stay padded.  Exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...passes.te.bufferize import Bufferize


@dataclass(frozen=True)
class GpuBufferize(Bufferize):
    """Turn tensors between kernels into buffers of a device."""

    name = "gpu-bufferize"
    has_guards: ClassVar[bool] = True


__all__ = ["GpuBufferize"]
