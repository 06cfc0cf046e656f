"""te-deduplicate: kernels that are equal up to their name are kept once.

    te.kernel @conv {A}   te.kernel @conv_1 {A}   call @conv   call @conv_1
==>
    te.kernel @conv {A}                           call @conv   call @conv

Before: kernels in buffer form.  After: no two kernels print equal apart from the name; constant
marks, layouts and halos are part of the text and so of equality.  Kernels that have a schedule
already stay as they are.  Exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.passes import ModulePass

from ...dialects.packed import CallOp
from ...dialects.sched import ScriptOp
from ...dialects.te import KernelOp, kernels_of


@dataclass(frozen=True)
class Deduplicate(ModulePass):
    """Keep one of each set of equal kernels."""

    name = "te-deduplicate"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kept: dict[str, str] = {}
        renamed: dict[str, str] = {}
        scripted = {script.kernel_name for script in op.ops if isinstance(script, ScriptOp)}
        for kernel in kernels_of(op):
            if kernel.label in scripted:
                continue
            name = kept.setdefault(_text_without_name(kernel), kernel.label)
            if name != kernel.label:
                renamed[kernel.label] = name
                kernel.detach()
                kernel.erase()
        for call in op.walk():
            if isinstance(call, CallOp) and call.kernel_name in renamed:
                call.properties["callee"] = SymbolRefAttr(renamed[call.kernel_name])


def _text_without_name(kernel: KernelOp) -> str:
    return str(kernel).replace(f"@{kernel.label}(", "@(", 1)
