"""Source of GPU kernels in languages like C, from functions of the simt level."""

from .dialect import CUDA, METAL, OPENCL, CDialect
from .kernel import emit_kernel, emit_program

__all__ = ["CUDA", "METAL", "OPENCL", "CDialect", "emit_kernel", "emit_program"]
