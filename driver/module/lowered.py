"""The kernels of a module that is lowered: their printed IR, node names, and number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...analysis.entry import nodes_of_kernels
from ...dialects.te import KernelOp, kernels_of
from ...passes.schedule.apply_schedule import scripts_of
from ...support.entry import entry_of, kernel_functions
from ...support.instruments import PassInfo, PassInstrument
from ...support.source_lines import source_lines
from ...targets.backend import Version, unknown_kernel
from ..progress import Stopwatch

Nodes: TypeAlias = Mapping[str, tuple[str, ...]]
"""For each kernel, the names of the model's nodes that it computes."""


def program_text(module: ModuleOp, versions: Sequence[Version]) -> str:
    """Return the printed IR of a module and of its versions."""
    return source_lines([("", module), *((v.label, v.module) for v in versions)]).text


def nodes_by_kernel(module: ModuleOp, versions: Sequence[Version]) -> Nodes:
    """Return the node names of all kernels; kernels of a version are named ``name (label)``."""
    found = nodes_of_kernels(entry_of(module))
    for version in versions:
        rows = nodes_of_kernels(entry_of(version.module)).items()
        found |= {f"{name} ({version.label})": names for name, names in rows}
    return found


def kernel_text(kind: str, kernel: str, module: ModuleOp, versions: Sequence[Version]) -> str:
    """Return the printed IR of a kernel, and of its schedule script if the module has one.

    kind: the level, for messages.
    Errors: LookupError for an unknown kernel.
    """
    found = {op.sym_name.data: (op, module) for op in _kernel_ops(module)}
    for version in versions:
        ops = _kernel_ops(version.module)
        found |= {f"{op.sym_name.data} ({version.label})": (op, version.module) for op in ops}
    if kernel not in found:
        raise unknown_kernel(kind, kernel, list(found))
    op, holder = found[kernel]
    scripts = [script for script, kernel_op in scripts_of(holder) if kernel_op is op]
    return "\n".join(map(str, [op, *scripts]))


def _kernel_ops(module: ModuleOp) -> Sequence[KernelOp | FuncOp]:
    return kernels_of(module) or kernel_functions(module)


class KernelCount(PassInstrument):
    """An instrument that counts the kernels after each pass, for reports of progress.

    Deduplicated kernels have a cost; before deduplication the last known number is used.
    """

    def __init__(self, watch: Stopwatch) -> None:
        self._watch = watch

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        distinct = sum(kernel.cost is not None for kernel in kernels_of(module))
        self._watch.kernels = distinct or self._watch.kernels
