"""Lower kernels of the simt level to MLIR's upstream dialects, such as gpu, scf and memref."""

from .convert import SimtToGpu, kernel_module

__all__ = ["SimtToGpu", "kernel_module"]
