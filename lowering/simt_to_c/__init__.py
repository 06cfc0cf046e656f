"""Lower kernels of the simt level to source code in CUDA C++, Metal and OpenCL C."""

from .dialect import CUDA, METAL, OPENCL, CDialect
from .kernel import emit_kernel, emit_program

__all__ = ["CUDA", "METAL", "OPENCL", "CDialect", "emit_kernel", "emit_program"]
