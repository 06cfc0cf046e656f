"""Source of GPU kernels in WGSL, the language of WebGPU, from functions of the simt level."""

from .kernel import MOST_BLOCKS, emit_kernel, emit_program, numbers_of

__all__ = ["MOST_BLOCKS", "emit_kernel", "emit_program", "numbers_of"]
