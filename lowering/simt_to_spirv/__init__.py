"""Emit functions of the simt level as kernels in SPIR-V, the intermediate language of Vulkan."""

from .kernel import emit_kernel, emit_program, numbers_of

__all__ = ["emit_kernel", "emit_program", "numbers_of"]
