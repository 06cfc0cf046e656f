"""Emission for Vulkan: all kernels as one module of SPIR-V."""

from __future__ import annotations

from base64 import encodebytes
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from xdsl.dialects.func import FuncOp

from ...codegen.spirv import assemble
from ...dialects.shape import Dim
from ...lowering.simt_to_spirv import emit_program, numbers_of
from ...machines.gpu_limits import gpu_limits
from ..backend import Assembler
from .emission import GpuEmitter, KernelAssembler, Kernels


class VulkanEmitter(GpuEmitter):
    """The emitter that prints kernels as SPIR-V; the host computes the sizes that kernels use.

    The listing ``spirv``, a binary module, is in base64.
    """

    printed = "spvasm"

    def print_kernels(self, kernels: Kernels, kind: str) -> str:
        text = emit_program(kernels, shared_bytes=gpu_limits(self.target).shared_bytes)
        return encodebytes(assemble(text)).decode() if kind == "spirv" else text

    def numbers_of(self, kernel: FuncOp) -> Sequence[Dim]:
        return numbers_of(kernel)

    def assembler(self, expected: int) -> AbstractContextManager[Assembler]:
        return nullcontext(KernelAssembler(assemble))
