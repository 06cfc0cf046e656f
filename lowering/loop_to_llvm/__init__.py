"""Lower loop to LLVM IR text: one small handler per op, dispatched on its type.

Before: kernel functions of loop, arith and math ops on memrefs.
After: one LLVM module per kernel; see ``kernel``.
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
