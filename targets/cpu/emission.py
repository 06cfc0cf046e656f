"""Code for CPUs: LLVM text of each kernel, of main and of the entry; one shared object.

Worker processes compile the first texts while the next ones are emitted (codegen/compile_pool.py).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...codegen.compile_pool import CompilePool
from ...codegen.entry import Entry, entry_tables
from ...codegen.linker import link
from ...codegen.llvm import CodegenError, Machine, compile_ir
from ...codegen.objects import CachedObjects, cached_object, pool_object
from ...codegen.prelude import entry_source
from ...codegen.signature import describe_main
from ...codegen.weights import WeightLayout, layout_weights
from ...codegen.worker import CompileOptions
from ...dialects.packed import CallOp
from ...lowering.loop_to_llvm import KernelInfo, emit_kernel, kernel_info, kernel_symbol
from ...lowering.packed_to_llvm import MainProgram, emit_main, run_symbol
from ...runtime.abi import MODULE_SYMBOLS
from ...runtime.threads import available_threads
from ...support.cache import DiskCache
from ...support.diagnostics import LoweringError
from ...support.entry import entry_of, kernel_functions
from ...support.target import Target
from ..backend import Artifact, Assembler, Emitter, KernelLibrary, Program, Text

MAX_HELPERS = 7
"""Worker processes of one compilation; each takes about 80 MB."""


class LlvmProgram(ABC):
    """An emitted program: its LLVM texts, the weights, and the description for the entry code.

    infos: facts of each kernel, by name.  calls: the kernel of each call in main.
    """

    infos: dict[str, KernelInfo]
    calls: list[str]
    weights: np.ndarray

    @property
    def tasks(self) -> Mapping[str, int]:
        """The number of parallel parts of each kernel."""
        return {name: info.tasks for name, info in self.infos.items()}

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
            arena_bytes=self.program.arena_bytes,
            weights_bytes=self.weights.nbytes,
            max_threads=self.max_threads,
            externs=self.program.externs,
        )


def entry_texts(entry: Entry, target: Target) -> Iterator[Text]:
    """Yield the LLVM IR around main."""
    yield Text("the tables of the entry", entry_tables(entry))
    yield Text("the entry", entry_source(target.architecture))


@dataclass(frozen=True)
class _Assembler:
    """The objects of LLVM texts."""

    objects_of: CachedObjects

    def add(self, text: Text) -> None:
        self.objects_of.add(text.source, text.label)

    def objects(self) -> Iterator[bytes]:
        return self.objects_of.objects()


class CpuEmitter(Emitter):
    """LLVM, and our linker."""

    def __init__(self, target: Target, cache: DiskCache | None) -> None:
        super().__init__(target, cache)
        self._options = CompileOptions(Machine.of(target))

    def emit(self, module: ModuleOp, max_threads: int) -> CpuProgram:
        return CpuProgram(module, self.target, max_threads)

    @contextmanager
    def assembler(self, expected: int) -> Generator[Assembler]:
        with CompilePool(self._options, max_workers=_max_workers(), expected=expected) as pool:
            yield _Assembler(CachedObjects(pool, self._options, self.cache))

    def link(self, program: Program, objects: Sequence[bytes]) -> Artifact:
        assert isinstance(program, LlvmProgram), "it was emitted for CPUs"
        code = link(objects, exports=(*MODULE_SYMBOLS, *program.entry.own_symbols))
        return Artifact(code, pool_object(self.target.triple, self.cache), program.weights.data)

    def listing(self, text: Text, kind: str) -> str:
        if kind == "ll":
            return f"; {text.label}\n{text.source}"
        return f"# {text.label}\n{self._assembly(text)}"

    def kernel_library(self, program: Program) -> KernelLibrary:
        assert isinstance(program, CpuProgram), "rows are divided for whole programs only"
        objects = [self._object(text) for text in program.kernel_texts()]
        symbols = [info.symbol for info in program.infos.values()]
        return KernelLibrary(program.infos, link(objects, exports=symbols) if objects else b"")

    def _assembly(self, text: Text) -> str:
        with _naming(text):
            return compile_ir(text.source, self._options.machine).assembly()

    def _object(self, text: Text) -> bytes:
        with _naming(text):
            return cached_object(text.source, self._options, self.cache)


@contextmanager
def _naming(text: Text) -> Generator[None]:
    """Put the part of the program into the errors that LLVM finds in its text."""
    try:
        yield
    except CodegenError as err:
        raise err.named(text.label) from None


def _max_workers() -> int:
    """Return how many processes may help: this one has a processor of its own."""
    return min(MAX_HELPERS, available_threads() - 1)
