"""te-deduplicate: kernels that are equal up to names are kept once.

    te.kernel @conv {A}   te.kernel @conv_1 {A}   call @conv   call @conv_1
==>
    te.kernel @conv {A}                           call @conv   call @conv

Before: kernels in buffer form.  After: no two kernels print equal apart from names, those of their
computes and values too; constant marks, layouts and halos are part of the text and so of equality.
Kernels that have a schedule already stay as they are.  Exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.passes import ModulePass

from ...dialects.packed import CallOp
from ...dialects.sched import ScriptOp
from ...dialects.te import KernelOp, TensorOp, kernels_of


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
            name = kept.setdefault(_text_without_names(kernel), kernel.label)
            if name != kernel.label:
                renamed[kernel.label] = name
                kernel.detach()
                kernel.erase()
        for call in op.walk():
            if isinstance(call, CallOp) and call.kernel_name in renamed:
                call.properties["callee"] = SymbolRefAttr(renamed[call.kernel_name])


def _text_without_names(kernel: KernelOp) -> str:
    copy = kernel.clone()
    for op in copy.walk():
        if isinstance(op, KernelOp | TensorOp):
            op.properties["sym_name"] = StringAttr("")
        for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)):
            value.name_hint = None
    return str(copy)
