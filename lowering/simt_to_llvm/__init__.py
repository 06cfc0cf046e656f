"""LLVM IR of GPU kernels for the back ends of NVIDIA and AMD, from functions of the simt level."""

from .dialect import AMDGPU, NVPTX, LlvmDialect
from .kernel import emit_module

__all__ = ["AMDGPU", "NVPTX", "LlvmDialect", "emit_module"]
