"""Lowering of the loop level to C99 that a person can read: kernels and main as plain functions."""

from .kernel import CKernel, emit_kernel

__all__ = ["CKernel", "emit_kernel"]
