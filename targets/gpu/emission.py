"""Emission for GPUs: all kernels as one source text, and the host program as text.

In: a module whose kernels have launches, and whose main has a memory plan. Out: an artifact whose
code is a `DeviceCode`: main as LLVM IR for the host, the facts of each kernel that a launch needs,
and the kernels in the form that the driver of the device takes, such as OpenCL C or PTX.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from ...codegen.ptx import emit_ptx
from ...codegen.weights import WeightLayout, layout_weights
from ...dialects.packed import CallOp
from ...dialects.shape import Dim, size_parameters
from ...dialects.simt import LaunchSizes, launch_of
from ...lowering.simt_to_c import CUDA, METAL, OPENCL, emit_program
from ...lowering.simt_to_gpu import kernel_module
from ...lowering.simt_to_llvm import dynamic_shared, emit_module
from ...support.entry import entry_of, kernel_functions
from ..backend import (
    Artifact,
    Assembler,
    EmittedProgram,
    EmittedText,
    Emitter,
    SourceAssembler,
    Version,
    unknown_kernel,
)
from .code import DeviceCode, KernelFacts
from .host_program import HostProgram, checks_of_inputs
from .plan_memory import BUFFER_ALIGNMENT_BYTES

Kernels: TypeAlias = Sequence[tuple[str, FuncOp]]
"""Kernels of the simt level, each with its symbol."""

KERNELS = "the kernels"
"""The label of the text with the source of all kernels."""


class GpuProgram:
    """An emitted program: kernels with launches, and a main function that calls them.

    emitter: prints the kernels, and knows what their launches pass.  calls: the kernel of each call
    in main.
    """

    def __init__(self, module: ModuleOp, emitter: GpuEmitter) -> None:
        self.module, self._emitter = module, emitter
        main = entry_of(module)
        self.calls = [op.kernel_name for op in main.walk() if isinstance(op, CallOp)]

    @property
    def tasks(self) -> Mapping[str, int | str]:
        """The number of blocks in each kernel's grid; a formula as text for dynamic sizes."""
        return {name: _launch(f).shown_blocks for name, (_, f) in self.kernels().items()}

    def texts(self) -> Iterator[EmittedText]:
        """Yield two texts: the host program as JSON, and the source of all kernels."""
        yield EmittedText("the host program", json.dumps(self._host()))
        kernels, emitter = list(self.kernels().values()), self._emitter
        yield EmittedText(KERNELS, emitter.print_kernels(kernels, emitter.printed))

    def kernels(self) -> Mapping[str, tuple[str, FuncOp]]:
        """Return all kernels by name, each as a pair: its name in the source, and its function."""
        numbered = enumerate(kernel_functions(self.module))
        return {f.sym_name.data: (f"tw_k{number}", f) for number, f in numbered}

    @cached_property
    def weights(self) -> WeightLayout:
        """The values of all weights as one blob, and the offset of each weight in it."""
        byte_order = self._emitter.target.main_platform.byte_order
        main = entry_of(self.module)
        return layout_weights(main, byte_order=byte_order, alignment=BUFFER_ALIGNMENT_BYTES)

    def _host(self) -> Mapping[str, Any]:
        main, target, (blob, offsets) = entry_of(self.module), self._emitter.target, self.weights
        facts = {name: self._facts(*kernel) for name, kernel in self.kernels().items()}
        program = HostProgram.of(main, facts, target, offsets, blob.nbytes)
        return {
            "manifest": program.entry.manifest(),
            "texts": program.texts,
            "triple": target.main_platform.triple,
            "symbols": program.entry.own_symbols,
            "kernels": {name: each.fields() for name, each in facts.items()},
            "is_fixed": program.is_fixed,
            "checks": checks_of_inputs(main) if not program.entry.symbols else [],
        }

    def _facts(self, symbol: str, function: FuncOp) -> KernelFacts:
        launch, sizes = _launch(function), tuple(size_parameters(function))
        numbers = tuple(self._emitter.numbers_of(function))
        shared_bytes = self._emitter.shared_of(function)
        return KernelFacts(symbol, launch.grid, launch.block, sizes, numbers, shared_bytes)


def _launch(function: FuncOp) -> LaunchSizes:
    launch = launch_of(function)
    assert launch is not None, "the stage map-threads gives each kernel a launch"
    return launch


class GpuEmitter(Emitter):
    """The emitter for one kind of GPU driver; emission calls no driver.

    printed: the kind of listing that the assembler compiles.
    """

    printed: ClassVar[str]

    @abstractmethod
    def print_kernels(self, kernels: Kernels, kind: str) -> str:
        """Return the source of kernels as a listing.

        kind: the kind of the listing, one of `Backend.listings`.
        """

    def emit(self, module: ModuleOp, max_threads: int) -> GpuProgram:
        return GpuProgram(module, self)

    def numbers_of(self, kernel: FuncOp) -> Sequence[Dim]:
        """Return the integers that a launch passes to a kernel: by default, its sizes."""
        return [Dim.sym(name) for name in size_parameters(kernel)]

    def shared_of(self, kernel: FuncOp) -> int:
        """Return the bytes of shared memory that a launch allocates; 0: the kernel declares it."""
        return 0

    def emit_profiled(
        self, module: ModuleOp, max_threads: int, versions: Sequence[Version]
    ) -> GpuProgram:
        """Return the program of `emit`; when loaded, it records the times of its steps.

        The code is the same: when the program runs, Python records events between the steps.
        versions: not used, because a GPU has one program for all sizes.
        """
        return self.emit(module, max_threads)

    def link(self, program: EmittedProgram, objects: Sequence[bytes]) -> Artifact:
        assert isinstance(program, GpuProgram), "it was emitted for a GPU"
        host, kernels = objects
        code = DeviceCode(host.decode(), kernels)
        return Artifact(code.encoded(), b"", program.weights[0].data)

    def listing(self, program: EmittedProgram, kind: str, kernel: str | None = None) -> str:
        assert isinstance(program, GpuProgram), "it was emitted for a GPU"
        kernels = program.kernels()
        if kernel is not None and kernel not in kernels:
            raise unknown_kernel(kind, kernel, list(kernels))
        shown = list(kernels.values()) if kernel is None else [kernels[kernel]]
        return f"{kernel_module(shown)!s}\n" if kind == "gpu" else self.print_kernels(shown, kind)


class OpenCLEmitter(GpuEmitter):
    """The emitter that prints kernels as OpenCL C."""

    printed = "opencl"

    def print_kernels(self, kernels: Kernels, kind: str) -> str:
        return emit_program(kernels, OPENCL)


class MetalEmitter(GpuEmitter):
    """The emitter that prints kernels in the Metal Shading Language."""

    printed = "metal"

    def print_kernels(self, kernels: Kernels, kind: str) -> str:
        return emit_program(kernels, METAL)


class CudaEmitter(GpuEmitter):
    """The emitter that prints kernels as LLVM IR, for PTX by another process, or as CUDA C++."""

    printed = "ll"

    def print_kernels(self, kernels: Kernels, kind: str) -> str:
        if kind == "cuda":
            return emit_program(kernels, CUDA)
        text = emit_module(kernels, self.target)
        return emit_ptx(text, self.target.gpu_architecture) if kind == "ptx" else text

    def shared_of(self, kernel: FuncOp) -> int:
        return dynamic_shared(kernel).size_bytes

    def assembler(self, expected: int) -> AbstractContextManager[Assembler]:
        architecture = self.target.gpu_architecture
        return nullcontext(KernelAssembler(lambda source: emit_ptx(source, architecture).encode()))


class SimtEmitter(GpuEmitter):
    """The emitter that prints kernels as IR of the level simt, for devices of other packages."""

    printed = "kernels"

    def print_kernels(self, kernels: Kernels, kind: str) -> str:
        copies = [(symbol, function.clone()) for symbol, function in kernels]
        for symbol, function in copies:
            function.sym_name = StringAttr(symbol)
        return "\n".join(str(function) for _, function in copies)


class KernelAssembler(SourceAssembler):
    """An assembler that compiles the text of the kernels, and leaves other texts as they are.

    compile_kernels: compiles the source of the kernels to bytes.
    """

    def __init__(self, compile_kernels: Callable[[str], bytes]) -> None:
        super().__init__()
        self._compile_kernels = compile_kernels

    def compiled(self, text: EmittedText) -> bytes:
        is_kernels = text.label == KERNELS
        return self._compile_kernels(text.source) if is_kernels else super().compiled(text)
