"""Run kernels of loop-dialect text natively, in this process."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping, Sequence

import llvmlite.binding as llvm
import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from tilewright.dialects.shape import Dim
from tilewright.lowering.loop_to_llvm import KernelInfo, emit_kernel, kernel_info
from tilewright.lowering.main.llvm_printer import LlvmPrinter
from tilewright.machines.target import Target
from tilewright.support.registry import new_context

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()

HOST = Target.native()
SSE2 = Target("llvm -mcpu=x86-64")
AVX2 = Target("llvm -mcpu=x86-64-v3")
AVX512 = Target("llvm -mcpu=x86-64-v4")
# Targets that this machine can run; for others, code is only compiled.
RUNNABLE = [SSE2, AVX2] if HOST.has("avx2") else [SSE2]
if HOST.has("avx512f"):
    RUNNABLE.append(AVX512)


def llvm_printer() -> LlvmPrinter:
    """Return a new printer of main for this machine."""
    assert HOST.platform is not None, "a target of CPUs has a platform"
    return LlvmPrinter(HOST.platform)


def parse(text: str) -> ModuleOp:
    """Parse a module and verify it."""
    module = Parser(new_context(), text).parse_module()
    module.verify()
    return module


def only_function(text: str) -> FuncOp:
    """Parse a module that holds one function."""
    (function,) = parse(text).ops
    assert isinstance(function, FuncOp)
    return function


def machine(target: Target) -> llvm.TargetMachine:
    """Return LLVM's machine for a target."""
    found = llvm.Target.from_triple(target.triple)
    return found.create_target_machine(
        cpu=target.cpu, features=target.attribute_string, opt=2, codemodel="jitdefault"
    )


def assembly(text: str, target: Target) -> str:
    """Compile IR text to assembly, without IR passes."""
    module = llvm.parse_assembly(text)
    module.verify()
    return machine(target).emit_assembly(module)


def calls(asm: str) -> set[str]:
    """Return the symbols that assembly calls or jumps to outside the function."""
    return set(re.findall(r"\t(?:callq?|jmpq?)\t(\*?%?[A-Za-z_][\w.@%*()]*)", asm))


class Compiled:
    """IR text loaded into this process."""

    def __init__(self, text: str, target: Target) -> None:
        module = llvm.parse_assembly(text)
        module.verify()
        self.engine = llvm.create_mcjit_compiler(module, machine(target))
        self.engine.finalize_object()

    def address(self, name: str) -> int:
        """Return the address of a function or global."""
        return self.engine.get_function_address(name) or self.engine.get_global_value_address(name)


class Kernel:
    """A compiled kernel function."""

    def __init__(self, function: FuncOp | str, target: Target = HOST) -> None:
        function = only_function(function) if isinstance(function, str) else function
        self.info: KernelInfo = kernel_info(function)
        self.text = emit_kernel(function, target)
        self.code = Compiled(self.text, target)
        prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
        self.entry = prototype(self.code.address(self.info.symbol))

    def __call__(
        self,
        *arrays: np.ndarray,
        tasks: Sequence[int] | None = None,
        worker: int = 0,
        sizes: Mapping[str, int] | None = None,
    ) -> None:
        """Run tasks (default: all, last one first) on the arrays' memory; sizes: by name."""
        buffers = list(arrays)
        if self.info.workspace_bytes:
            buffers.append(np.zeros((worker + 1) * self.info.workspace_bytes, np.uint8))
        sizes = sizes or {}
        if self.info.sizes:
            buffers.append(np.array([sizes[name] for name in self.info.sizes], np.int64))
        pointers = (ctypes.c_void_p * len(buffers))(*(b.ctypes.data for b in buffers))
        count = Dim.of(self.info.tasks).evaluate(sizes)
        for task in reversed(range(count)) if tasks is None else tasks:
            self.entry(ctypes.cast(pointers, ctypes.c_void_p), task, worker)
