"""Lower the loop level to C99 that a person can read: kernels and main as plain functions."""

from .acle import HEADERS
from .dialect import LANGUAGES, Language
from .emitter import c_name
from .kernel import CKernel, emit_kernel
from .main import FIRST_STATUS, RESERVED, STATUS, SourcePrinter

__all__ = [
    "FIRST_STATUS",
    "HEADERS",
    "LANGUAGES",
    "RESERVED",
    "STATUS",
    "CKernel",
    "Language",
    "SourcePrinter",
    "c_name",
    "emit_kernel",
]
