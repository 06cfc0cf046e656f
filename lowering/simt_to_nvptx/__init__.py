"""LLVM IR of GPU kernels for NVIDIA's back end, from functions of the simt level."""

from .kernel import TRIPLE, emit_module

__all__ = ["TRIPLE", "emit_module"]
