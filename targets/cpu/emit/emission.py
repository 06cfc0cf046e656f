"""Code for CPUs: LLVM IR of each kernel, of main and of the entry; then one shared object.

Worker processes compile the first texts of LLVM IR while the compiler emits the next ones
(codegen/compile_pool.py).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import ModuleOp

from ....codegen.archive import archive
from ....codegen.compile_pool import CompilePool
from ....codegen.linker import link
from ....codegen.listing import ListedText, join_assembly, join_ir
from ....codegen.objects import CachedObjects, pool_object, shared_objects
from ....codegen.worker import CompileOptions
from ....dialects.weights import WeightAttr
from ....machines.target import Target
from ....runtime.abi.constants import MODULE_SYMBOLS
from ....runtime.host import available_threads
from ....support.cache import DiskCache
from ...backend import (
    Artifact,
    Assembler,
    EmittedProgram,
    EmittedText,
    Emitter,
    KernelLibrary,
    LineFile,
    Version,
    check_machine,
    shown_texts,
)
from .program import CpuProgram
from .recording_code import RecordingCode

MAX_HELPERS = 7
"""Worker processes of one compilation; each takes about 80 MB."""


@dataclass(frozen=True)
class _Assembler:
    """An assembler that compiles LLVM IR to object files, in worker processes or from the cache.

    objects_of: the queue of texts to compile, which yields their objects.
    """

    objects_of: CachedObjects

    def add(self, text: EmittedText) -> None:
        self.objects_of.add(text.source, text.label)

    def objects(self) -> Iterator[bytes]:
        return self.objects_of.objects()


class CpuEmitter(Emitter):
    """The emitter for CPUs: LLVM compiles the kernels, and our linker makes the shared object."""

    located = ("asm",)

    def __init__(self, target: Target, cache: DiskCache | None) -> None:
        super().__init__(target, cache)
        self._options = CompileOptions.of(target)

    def emit(self, module: ModuleOp, max_threads: int) -> CpuProgram:
        return self._program(module, max_threads)

    def emit_versions(
        self, module: ModuleOp, max_threads: int, versions: Sequence[Version]
    ) -> CpuProgram:
        return self._program(module, max_threads, versions)

    def emit_profiled(
        self, module: ModuleOp, max_threads: int, versions: Sequence[Version]
    ) -> CpuProgram:
        return self._program(module, max_threads, versions, is_profiled=True)

    def emit_with_lines(
        self, module: ModuleOp, max_threads: int, versions: Sequence[Version], lines: LineFile
    ) -> CpuProgram:
        return self._program(module, max_threads, versions, lines=lines)

    def _program(
        self,
        module: ModuleOp,
        max_threads: int,
        versions: Sequence[Version] = (),
        *,
        is_profiled: bool = False,
        lines: LineFile | None = None,
    ) -> CpuProgram:
        check_machine(self.target)
        return CpuProgram(
            module, self.target, max_threads, versions, is_profiled=is_profiled, lines=lines
        )

    @contextmanager
    def assembler(self, expected: int) -> Generator[Assembler]:
        with CompilePool(self._options, max_workers=_max_workers(), expected=expected) as pool:
            yield _Assembler(CachedObjects(pool, self._options, self.cache))

    def link(self, program: EmittedProgram, objects: Sequence[bytes]) -> Artifact:
        assert isinstance(program, CpuProgram), "it was emitted for CPUs"
        is_profiled, steps = program.is_profiled, program.steps
        own = RecordingCode.of(steps, self.target, self.cache) if is_profiled else RecordingCode()
        objects = (*objects, *own.objects)
        names = (*MODULE_SYMBOLS, *program.own_symbols, *own.symbols)
        code = link(objects, blobs=own.blobs, exports=names, kernels=program.nodes)
        pool = pool_object(self.target.triple, self.cache)
        every = archive((*objects, *shared_objects(self.target.triple, self.cache)))
        text = program.annotated_text
        return Artifact(code, pool, program.weights.data, objects=every, program_text=text)

    def weights_of(self, program: EmittedProgram) -> Mapping[WeightAttr, int]:
        assert isinstance(program, CpuProgram), "it was emitted for CPUs"
        return program.weight_offsets

    def listing(self, program: EmittedProgram, kind: str, kernel: str | None = None) -> str:
        texts = shown_texts(program, kind, kernel)
        if kind == "ll":
            parts = [ListedText(text.title, text.source) for text in texts]
            return f"; target: {self.target}\n{join_ir(parts, self._options.machine)}"
        options = replace(self._options, is_assembly=True)
        with CompilePool(options, max_workers=0, expected=len(texts)) as pool:
            for text in texts:
                pool.add(text.source, text.label)
            made = [*map(bytes.decode, pool.objects())]
        parts = [ListedText(text.title, code) for text, code in zip(texts, made, strict=True)]
        return f"# target: {self.target}\n{join_assembly(parts)}"

    def kernel_library(self, program: EmittedProgram) -> KernelLibrary:
        assert isinstance(program, CpuProgram), "it was emitted for CPUs"
        texts = [*program.kernel_texts()]
        with self.assembler(len(texts)) as assembler:
            for text in texts:
                assembler.add(text)
            objects = [*assembler.objects()]
        symbols = [info.symbol for info in program.infos.values()]
        return KernelLibrary(program.infos, link(objects, exports=symbols) if objects else b"")


def _max_workers() -> int:
    return min(MAX_HELPERS, available_threads() - 1)
