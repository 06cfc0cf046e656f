"""Lower functions of the simt level to LLVM IR for LLVM's NVIDIA and AMD back ends."""

from ..device_kernels import dynamic_shared
from .dialect import AMDGPU, NVPTX, LlvmDialect
from .kernel import emit_module

__all__ = ["AMDGPU", "NVPTX", "LlvmDialect", "dynamic_shared", "emit_module"]
