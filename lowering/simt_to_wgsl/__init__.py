"""Emit functions of the simt level as kernels in WGSL, the language of WebGPU."""

from .kernel import emit_kernel, emit_program, numbers_of

__all__ = ["emit_kernel", "emit_program", "numbers_of"]
