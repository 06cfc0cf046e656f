"""Emission for WebGPU: all kernels as one file of WGSL."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp

from ...dialects.shape import Dim
from ...lowering.simt_to_wgsl import emit_program, numbers_of
from ...machines.gpu_limits import gpu_limits
from .emission import GpuEmitter, Kernels


class WebGPUEmitter(GpuEmitter):
    """The emitter that prints kernels in WGSL; the host computes the sizes that kernels use."""

    printed = "wgsl"

    def print_kernels(self, kernels: Kernels, kind: str) -> str:
        return emit_program(kernels, shared_bytes=gpu_limits(self.target).shared_bytes)

    def numbers_of(self, kernel: FuncOp) -> Sequence[Dim]:
        return numbers_of(kernel)
