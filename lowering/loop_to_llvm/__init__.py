"""Lower the loop dialect to LLVM IR in printed form, by one handler per type of op.

Before: kernel functions of loop, arith and math ops on memrefs.
After: one LLVM module per kernel; see kernel.py.
"""

from .kernel import KernelInfo, emit_kernel, kernel_info, kernel_symbol
from .line_tables import KernelLines, LineForm, LineTable, Locations

__all__ = [
    "KernelInfo",
    "KernelLines",
    "Locations",
    "LineForm",
    "LineTable",
    "emit_kernel",
    "kernel_info",
    "kernel_symbol",
]
