"""The printed program to which line tables refer, and the line of each op in it."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ....codegen.symbols import Named, shown_symbol
from ....lowering.loop_to_llvm import KernelLines, LineForm, LineTable
from ....support.source_lines import source_lines
from ...backend import LineFile, Version


class ProgramLines:
    """The printed program of a module and its versions, and the line of each op.

    file: the name of the file with the printed program.
    """

    def __init__(self, file: LineFile, module: ModuleOp, versions: Sequence[Version]) -> None:
        self._source = source_lines([("", module), *((v.label, v.module) for v in versions)])
        form = LineForm.DIRECTIVES if file.is_listing else LineForm.SECTIONS
        self._table = LineTable(file.name, form, self._source.lines)

    @property
    def text(self) -> str:
        """The printed program, with the nodes of the model as comments."""
        return self._source.with_nodes()

    def of_main(self, function: FuncOp) -> KernelLines:
        """Return the line in the printed program of each op of a main function."""
        return KernelLines(self._table, function, function.sym_name.data)

    def of_kernel(self, function: FuncOp, symbol: str, named: Named) -> KernelLines:
        """Return the line in the printed program of each op of a kernel.

        symbol: the kernel's symbol.  named: the kernel's name and nodes, which debuggers show.
        """
        return KernelLines(self._table, function, shown_symbol(symbol, *named))
