"""te-deduplicate: merge kernels that are equal up to names.

    te.kernel @conv {A}   te.kernel @conv_1 {A}   call @conv   call @conv_1
==>
    te.kernel @conv {A}                           call @conv   call @conv

Before: kernels in buffer form.  After: no two kernels are equal up to the names of kernels,
computes and values.  The list of constant arguments, layouts and halos are attributes, so equality
includes them. Kernels that already have a schedule do not change.  Exact.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.packed import CallOp
from ...dialects.sched import ScriptOp
from ...dialects.te import KernelOp, TensorOp, kernels_of
from ...support.passes import ExactPass

Key: TypeAlias = Hashable

_NAMES = ("sym_name", "cost")
"""Properties of kernels and computes that hold names; a cost follows from the rest."""


@dataclass(frozen=True)
class Deduplicate(ExactPass):
    """Merge equal kernels into one."""

    name = "te-deduplicate"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kept: dict[Key, str] = {}
        renamed: dict[str, str] = {}
        scripted = {script.kernel_name for script in op.ops if isinstance(script, ScriptOp)}
        for kernel in kernels_of(op):
            if kernel.label in scripted:
                continue
            name = kept.setdefault(structure_of(kernel), kernel.label)
            if name != kernel.label:
                renamed[kernel.label] = name
                Rewriter.erase_op(kernel)
        for call in op.walk():
            if isinstance(call, CallOp) and call.kernel_name in renamed:
                call.properties["callee"] = SymbolRefAttr(renamed[call.kernel_name])


def structure_of(kernel: KernelOp) -> Key:
    """Return a hash key of a kernel without the names of kernels, computes and values."""
    return _without_names(kernel, {})


def _without_names(op: Operation, numbers: dict[SSAValue, int]) -> Key:
    """Return a hash key of the structure of an op, without the names of values.

    numbers: the number that replaces each value defined so far in the key; the values that the op
    defines are added.
    """
    named = isinstance(op, KernelOp | TensorOp)
    properties = (item for item in op.properties.items() if not (named and item[0] in _NAMES))
    operands = tuple(numbers[value] for value in op.operands)
    regions: list[Key] = []
    for region in op.regions:
        for block in region.blocks:
            _number(block.args, numbers)
            inner = tuple(_without_names(each, numbers) for each in block.ops)
            regions.append((tuple(a.type for a in block.args), inner))
        regions.append(len(region.blocks))
    _number(op.results, numbers)
    return (
        op.name,
        frozenset(properties),
        frozenset(op.attributes.items()),
        operands,
        tuple(op.result_types),
        tuple(regions),
    )


def _number(values: Iterable[SSAValue], numbers: dict[SSAValue, int]) -> None:
    for value in values:
        numbers[value] = len(numbers)
