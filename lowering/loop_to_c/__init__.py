"""Lowering of the loop level to C99 that a person can read: kernels and main as plain functions."""

from .emitter import c_name
from .kernel import CKernel, emit_kernel
from .main import FIRST_STATUS, RESERVED, STATUS, SourcePrinter

__all__ = [
    "FIRST_STATUS",
    "RESERVED",
    "STATUS",
    "CKernel",
    "SourcePrinter",
    "c_name",
    "emit_kernel",
]
