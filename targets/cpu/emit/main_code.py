"""The main function of one version of a program and its kernels."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ....analysis.entry import nodes_of_kernels
from ....codegen.weights import WeightLayout
from ....lowering.loop_to_llvm import KernelInfo, KernelLines, kernel_info, kernel_symbol
from ....lowering.main.llvm_printer import LlvmPrinter
from ....lowering.main.main_program import MainProgram, emit_main
from ....lowering.main.trace import MainTrace
from ....machines.target import Target
from ....support.entry import entry_of, kernel_functions


class MainCode:
    """The main function of one version of a program, and the kernels that it calls.

    label: the processor and the bound sizes of the version; empty for the main version.  module:
    the lowered module of the version.  target: its target.  first: the number of kernels in earlier
    versions; the symbols of this version's kernels are numbered from it.
    """

    def __init__(self, label: str, module: ModuleOp, target: Target, first: int) -> None:
        assert target.platform is not None, "a target of CPUs has a platform"
        self.target = target
        self.label, self.main, self._platform = label, entry_of(module), target.platform
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
        version: int | None,
        first_step: int | None,
        lines: KernelLines | None,
    ) -> MainProgram:
        """Return the LLVM IR of the main function.

        weights: the values of the weights, and the offset of each.  version: the number of this
        main in a program with several versions, which is a part of its symbols; None for the only
        version. first_step: the number of steps that earlier main functions record; None if main
        records no times. lines: the lines of main in the printed program, for line tables; None
        without tables.
        """
        trace = None if first_step is None else MainTrace(self.infos, self.kernels, first_step)
        return emit_main(
            self.main,
            self.infos,
            weights[1],
            LlvmPrinter(self._platform, lines),
            max_threads=max_threads,
            version=version,
            trace=trace,
        )
