"""Source of GPU kernels in WGSL, the language of WebGPU, from functions of the simt level."""

from .kernel import emit_kernel, emit_program, numbers_of

__all__ = ["emit_kernel", "emit_program", "numbers_of"]
