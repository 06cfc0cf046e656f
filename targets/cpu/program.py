"""A lowered module as LLVM texts: its kernels, its main function, its tables for the entry code.

In: a module whose buffers are planned.  Out: the texts, the weights, and the description of the
model for its entry code.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...codegen.entry import Entry, entry_tables
from ...codegen.prelude import entry_source
from ...codegen.signature import describe_main
from ...codegen.weights import WeightLayout, layout_weights
from ...dialects.packed import CallOp
from ...lowering.loop_to_llvm import KernelInfo, emit_kernel, kernel_info, kernel_symbol
from ...lowering.packed_to_llvm import MainProgram, emit_main, run_symbol
from ...support.diagnostics import LoweringError
from ...support.entry import entry_of, kernel_functions
from ...support.target import Target
from ..backend import Text


class LlvmProgram(ABC):
    """An emitted program: its LLVM texts, the weights, and the description for the entry code.

    infos: facts of each kernel, by name.  calls: the kernel of each call in main.
    """

    infos: dict[str, KernelInfo]
    calls: list[str]
    weights: np.ndarray

    @property
    def tasks(self) -> Mapping[str, int | str]:
        """The number of parallel parts of each kernel."""
        found = {name: info.tasks for name, info in self.infos.items()}
        return {name: n if isinstance(n, int) else str(n) for name, n in found.items()}

    @property
    @abstractmethod
    def entry(self) -> Entry:
        """The description of the model for its entry code."""

    @abstractmethod
    def texts(self) -> Iterator[Text]:
        """Yield the LLVM IR of all parts."""


class CpuProgram(LlvmProgram):
    """The LLVM texts of a lowered module, and its weights.

    name: the program's name, if the module has several.  layout: the layout of the weights of this
    program and others.
    """

    def __init__(
        self,
        module: ModuleOp,
        target: Target,
        max_threads: int,
        name: str = "",
        *,
        layout: WeightLayout | None = None,
    ) -> None:
        self.target = target
        self.main = entry_of(module)
        self.kernels = kernel_functions(module)
        self.infos: dict[str, KernelInfo] = {
            f.sym_name.data: kernel_info(f, kernel_symbol(number, name))
            for number, f in enumerate(self.kernels)
        }
        self.calls = [op.kernel_name for op in self.main.walk() if isinstance(op, CallOp)]
        self.weights, self.offsets = layout or layout_weights([self.main])
        self.max_threads = max_threads
        self.program: MainProgram = emit_main(
            self.main,
            self.infos,
            self.offsets,
            max_threads=self.max_threads,
            symbol=run_symbol(name),
        )

    def texts(self) -> Iterator[Text]:
        """Yield the LLVM IR of every kernel, of main, of the model's tables and of the entry."""
        yield from self.kernel_texts()
        yield self.main_text()
        yield from entry_texts(self.entry, self.target)

    def main_text(self) -> Text:
        """Return the LLVM IR of main."""
        return Text("the calls of the kernels", self.program.text)

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


def entry_texts(entry: Entry, target: Target) -> Iterator[Text]:
    """Yield the LLVM IR around main."""
    yield Text("the tables of the entry", entry_tables(entry))
    yield Text("the entry", entry_source(target.architecture))
