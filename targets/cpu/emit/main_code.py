"""The main function of one version of a program and its kernels, prepared for LLVM."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ....analysis.entry import nodes_of_kernels
from ....codegen.weights import WeightLayout
from ....lowering.loop_to_llvm import KernelInfo, KernelLines, kernel_info, kernel_symbol
from ....lowering.main.packed_to_llvm import MainProgram, Trace, emit_main
from ....support.entry import entry_of, kernel_functions


class MainCode:
    """The main function of one version of a program, and the kernels that it calls.

    label: the bound sizes; empty for the code for all sizes.  first: the number of kernels of
    earlier versions.
    """

    def __init__(self, label: str, module: ModuleOp, first: int) -> None:
        self.label, self.main = label, entry_of(module)
        self.nodes = nodes_of_kernels(self.main)
        self.kernels = kernel_functions(module)
        self.infos: dict[str, KernelInfo] = {
            f.sym_name.data: kernel_info(f, kernel_symbol(number))
            for number, f in enumerate(self.kernels, first)
        }

    def shown(self, kernel: str) -> str:
        """Return the name of a kernel with the version's label, unique in the program."""
        return f"{kernel} ({self.label})" if self.label else kernel

    def emitted(
        self,
        weights: WeightLayout,
        max_threads: int,
        suffix: str,
        trace: Trace | None,
        lines: KernelLines | None,
    ) -> MainProgram:
        """Return the LLVM IR of the main function; for trace and lines, see `emit_main`."""
        return emit_main(
            self.main,
            self.infos,
            weights[1],
            max_threads=max_threads,
            suffix=suffix,
            trace=trace,
            lines=lines,
        )
