"""Kernels of the simt level in MLIR's own dialects, such as gpu, scf and memref."""

from .convert import SimtToGpu, kernel_module

__all__ = ["SimtToGpu", "kernel_module"]
