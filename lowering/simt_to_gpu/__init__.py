"""Kernels of the simt level in MLIR's own dialects: gpu, scf, memref, arith, math, vector."""

from .convert import SimtToGpu, kernel_module

__all__ = ["SimtToGpu", "kernel_module"]
