"""A lowered module as LLVM texts: its kernels, its main function, its tables for the entry code.

In: a module whose buffers are planned.  Out: the texts, the weights, and the description of the
model for its entry code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...codegen.entry import Entry, entry_tables
from ...codegen.prelude import entry_source
from ...codegen.signature import describe_main
from ...codegen.weights import layout_weights
from ...dialects.packed import CallOp
from ...lowering.loop_to_llvm import KernelInfo, emit_kernel, kernel_info, kernel_symbol
from ...lowering.packed_to_llvm import MainProgram, emit_main
from ...support.diagnostics import LoweringError
from ...support.entry import entry_of, kernel_functions
from ...support.target import Target
from ..backend import Text


class CpuProgram:
    """The LLVM texts of a lowered module, its weights, and its description for the entry code.

    infos: facts of each kernel, by name.  calls: the kernel of each call in main.
    """

    def __init__(self, module: ModuleOp, target: Target, max_threads: int) -> None:
        self.target = target
        self.main = entry_of(module)
        self.kernels = kernel_functions(module)
        self.infos: dict[str, KernelInfo] = {
            f.sym_name.data: kernel_info(f, kernel_symbol(number))
            for number, f in enumerate(self.kernels)
        }
        self.calls = [op.kernel_name for op in self.main.walk() if isinstance(op, CallOp)]
        self.weights, self.offsets = layout_weights(self.main)
        self.max_threads = max_threads
        self.program: MainProgram = emit_main(
            self.main, self.infos, self.offsets, max_threads=self.max_threads
        )

    @property
    def tasks(self) -> Mapping[str, int | str]:
        """The number of parallel parts of each kernel."""
        found = {name: info.tasks for name, info in self.infos.items()}
        return {name: n if isinstance(n, int) else str(n) for name, n in found.items()}

    def texts(self) -> Iterator[Text]:
        """Yield the LLVM IR of every kernel, of main, of the model's tables and of the entry."""
        yield from self.kernel_texts()
        yield Text("the calls of the kernels", self.program.text)
        yield Text("the tables of the entry", entry_tables(self.entry))
        yield Text("the entry", entry_source(self.target.architecture))

    def kernel_texts(self) -> Iterator[Text]:
        """Yield the LLVM IR of every kernel."""
        yield from (self._kernel_text(function) for function in self.kernels)

    def _kernel_text(self, function: FuncOp) -> Text:
        label = f"kernel {function.sym_name.data!r}"
        symbol = self.infos[function.sym_name.data].symbol
        try:
            return Text(label, emit_kernel(function, self.target, symbol))
        except LoweringError as err:
            raise err.named(label) from None

    @property
    def entry(self) -> Entry:
        """The description of the model for its entry code."""
        return replace(
            describe_main(self.main, self.target),
            arena_bytes=0 if self.program.size_count else self.program.arena_bytes,
            size_count=self.program.size_count,
            weights_bytes=self.weights.nbytes,
            max_threads=self.max_threads,
            externs=self.program.externs,
        )
