"""CUDA C++, Metal and LLVM IR of kernels on the CPU: the threads of a block are fibers.

program_of("cuda", mod.get_source("cuda"), folder)   one valid file, compiled for this machine
program.run("tw_k0", launch, arrays, sizes)          a launch, in place

A barrier that not all threads of a block reach is a `RuntimeError` that says where they wait.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Protocol

import llvmlite.binding as llvm
import numpy as np
from xdsl.dialects.builtin import ModuleOp

from tilewright.dialects.packed import CallOp
from tilewright.dialects.simt import LaunchSizes, launch_of
from tilewright.interp import packed
from tilewright.interp.kernels import Kernel
from tilewright.interp.sizes import number_of
from tilewright.lowering.simt_to_c import CUDA, METAL, CDialect
from tilewright.machines.gpu import GpuLimits
from tilewright.machines.gpu_limits import gpu_limits
from tilewright.machines.target import Target
from tilewright.support.entry import kernel_functions

from ..mock_drivers import compile_cpp
from .native import AVX2, Compiled

HERE = Path(__file__).parent


DYNAMIC = "static __align__(16) unsigned char dynamic_shared[227 << 10];"
"""The shared memory that a launch allocates, here with the largest size."""


@dataclass(frozen=True)
class Shim:
    """How a language runs on the CPU.

    without: its line that this compiler does not have.  replaced: spellings by those here.
    barrier: its call.
    """

    dialect: CDialect
    file: str
    without: str
    replaced: tuple[tuple[str, str], ...]
    barrier: str


SHIMS = {
    "cuda": Shim(
        CUDA,
        "cuda_shim.hpp",
        "#include <cuda_pipeline.h>",
        ((CUDA.dynamic.format(alignment=16), DYNAMIC),),
        "__syncthreads();",
    ),
    "metal": Shim(
        METAL,
        "metal_shim.hpp",
        "#include <metal_stdlib>",
        (("alignas(16) threadgroup ", "alignas(16) static "),),
        "threadgroup_barrier(mem_flags::mem_threadgroup);",
    ),
}
BARRIERS = {
    **{language: shim.barrier for language, shim in SHIMS.items()},
    "ll": " call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
}
"""The call of a barrier in each form of kernels; ``ll`` is LLVM IR for NVPTX."""
_APPROXIMATIONS = {
    "ex2.approx": "exp2",
    "ex2.approx.ftz": "exp2_flushed",
    "rcp.approx.ftz": "reciprocal",
}
"""The functions of ir_shim.cpp for the approximations of NVPTX."""


class FiberProgram:
    """Kernels that were compiled for the CPU, and the scheduler of their fibers."""

    def __init__(self, library: ctypes.CDLL, limits: GpuLimits) -> None:
        self._library, self._limits = library, limits
        library.launch_error.restype = ctypes.c_char_p

    def _body(self, symbol: str) -> object:
        """Return a function that calls a kernel with pointers to its arguments."""
        return getattr(self._library, f"call_{symbol}")

    def run(
        self,
        symbol: str,
        launch: LaunchSizes,
        arrays: Sequence[np.ndarray],
        sizes: Mapping[str, int] | None = None,
    ) -> None:
        """Run a kernel on arrays, in place; sizes: its symbolic sizes, in order.

        Errors: RuntimeError for a barrier that only some threads of a block reach.
        """
        there = [aligned(array) for array in arrays]
        numbers = dict(sizes or {})
        values = [
            *(ctypes.c_void_p(array.ctypes.data) for array in there),
            *map(ctypes.c_int64, numbers.values()),
        ]
        passed = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        x, y, z = (n.evaluate(numbers) for n in launch.grid)
        grid = (ctypes.c_uint32 * 3)(*self._limits.exchanged((x, y, z)))
        block = (ctypes.c_uint32 * 3)(*launch.block)
        if self._library.launch(self._body(symbol), passed, grid, block):
            raise RuntimeError(f"{symbol}: {self._library.launch_error().decode()}")
        for array, made in zip(arrays, there, strict=True):
            if array.flags.writeable:
                array[...] = made


class ShimProgram(FiberProgram):
    """The kernels of a source file in a language of GPUs."""

    def __init__(self, language: str, source: str, symbols: Sequence[str], folder: Path) -> None:
        shim = SHIMS[language]
        text = source.replace(shim.without, "") if shim.without else source
        for spelling, other in shim.replaced:
            text = text.replace(spelling, other)
        calls = [f'extern "C" void call_{s}(void **a) {{ pass({s}, a); }}' for s in symbols]
        file = folder / "kernels.cpp"
        file.write_text("\n".join([f'#include "{HERE / shim.file}"', text, *calls, ""]))
        compile_cpp(file, file.with_suffix(".so"), "-w")
        super().__init__(ctypes.CDLL(str(file.with_suffix(".so"))), gpu_limits(Target(language)))


class IrProgram(FiberProgram):
    """The kernels of a module of LLVM IR for NVPTX, with functions instead of its intrinsics.

    A shared buffer is a global variable there as well, and all address spaces are one.
    """

    def __init__(self, source: str, folder: Path) -> None:
        library = folder / "ir_shim.so"
        compile_cpp(HERE / "ir_shim.cpp", library)
        super().__init__(ctypes.CDLL(str(library)), gpu_limits(Target("cuda")))
        for name in ("tid", "ctaid"):
            for dimension in "xyz":
                self._define(f"fiber_{name}_{dimension}")
        for name in ("barrier", "copy", "commit", "wait", "exchange_f32", "exchange_i32"):
            self._define(f"fiber_{name}")
        for name in _APPROXIMATIONS.values():
            self._define(f"fiber_{name}")
        self._define("__truncsfbf2")
        self._compiled = Compiled(_on_cpu(source), AVX2)

    def _define(self, name: str) -> None:
        address = ctypes.cast(getattr(self._library, name), ctypes.c_void_p).value
        assert address is not None, "a function has an address"
        llvm.add_symbol(name, address)

    def _body(self, symbol: str) -> object:
        return ctypes.c_void_p(self._compiled.address(f"call_{symbol}"))


def _on_cpu(source: str) -> str:
    """Return LLVM IR for NVPTX with the spellings of a CPU, and a caller of each kernel."""
    text = re.sub(r" ?addrspace\(\d\)", "", source).replace("addrspacecast", "bitcast")
    text = text.replace("external global [0 x i8]", f"internal global [{227 << 10} x i8] undef")
    text = re.sub(r"target triple = .*", "", text).replace("define ptx_kernel", "define")
    text = re.sub(r"@llvm\.nvvm\.read\.ptx\.sreg\.(\w+)\.([xyz])", r"@fiber_\1_\2", text)
    numbers = count(1)
    text = re.sub(
        r"(call void )@llvm\.nvvm\.barrier\.cta\.sync\.aligned\.all\(i32 0\)",
        lambda call: f"{call[1]}@fiber_barrier(i32 {next(numbers)})",
        text,
    )
    text = text.replace("@llvm.nvvm.barrier.cta.sync.aligned.all", "@fiber_barrier")
    name = r"@llvm\.nvvm\.cp\.async\."
    text = re.sub(name + r"c[ag]\.shared\.global\.(\d+)\.s\(ptr", r"@fiber_copy(i32 \1, ptr", text)
    text = re.sub(
        name + r"c[ag]\.shared\.global\.(\d+)\((ptr \S+ ptr [^),]+)\)",
        r"@fiber_copy(i32 \1, \2, i32 \1)",
        text,
    )
    text = re.sub(r"declare void @fiber_copy.*\n?", "", text)
    text = re.sub(name + r"(commit|wait)\.group", r"@fiber_\1", text).replace(" immarg", "")
    text += "\ndeclare void @fiber_copy(i32, ptr, ptr, i32)"
    text = text.replace("@llvm.nvvm.shfl.sync.bfly.", "@fiber_exchange_")
    for intrinsic, function in _APPROXIMATIONS.items():
        text = text.replace(f"@llvm.nvvm.{intrinsic}.f(", f"@fiber_{function}(")
    kernels = re.findall(r"define void @(\w+)\((.*?)\) nounwind", text)
    return "\n".join([text, *(_caller(name, parameters) for name, parameters in kernels)])


def _caller(name: str, parameters: str) -> str:
    types = [each.split()[0] for each in parameters.split(", ")]
    lines = [f"define void @call_{name}(ptr %values) {{"]
    for number, type_ in enumerate(types):
        lines.append(f" %p{number} = getelementptr ptr, ptr %values, i64 {number}")
        lines.append(f" %q{number} = load ptr, ptr %p{number}")
        lines.append(f" %v{number} = load {type_}, ptr %q{number}")
    values = ", ".join(f"{type_} %v{number}" for number, type_ in enumerate(types))
    return "\n".join([*lines, f" call void @{name}({values})", " ret void", "}"])


def program_of(language: str, source: str, symbols: Sequence[str], folder: Path) -> FiberProgram:
    """Return the kernels of a source; symbols: their names."""
    if language == "ll":
        return IrProgram(source, folder)
    return ShimProgram(language, source, symbols, folder)


class KernelRunner(Protocol):
    """Runs kernels by their symbols, as `FiberProgram` does."""

    def run(
        self,
        symbol: str,
        launch: LaunchSizes,
        arrays: Sequence[np.ndarray],
        sizes: Mapping[str, int] | None = None,
    ) -> None:
        """Run a kernel on arrays, in place; sizes: its symbolic sizes, in order."""
        ...


def symbols_of(module: ModuleOp) -> dict[str, str]:
    """Return the symbol of each kernel of a module by its name."""
    functions = kernel_functions(module)
    return {f.sym_name.data: f"tw_k{number}" for number, f in enumerate(functions)}


class KernelModule:
    """A module of a GPU's last level: Python runs main, a program runs the kernels."""

    def __init__(self, module: ModuleOp, program: KernelRunner) -> None:
        self._module, self._symbols, self._program = module, symbols_of(module), program

    def __call__(self, *inputs: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the results of main."""
        return packed.run(self._module, *inputs, call=self._call)

    def _call(self, op: CallOp, kernel: Kernel, arrays: Sequence[np.ndarray]) -> None:
        launch = launch_of(kernel)
        assert launch is not None, "a kernel of the simt level"
        sizes = {str(number): number_of(size) for number, size in enumerate(op.sizes)}
        self._program.run(self._symbols[op.kernel_name], launch, arrays, sizes)


class ShimModule(KernelModule):
    """A module whose source runs the kernels; source: `get_source` of the language."""

    def __init__(self, module: ModuleOp, language: str, source: str, folder: Path) -> None:
        symbols = list(symbols_of(module).values())
        super().__init__(module, program_of(language, source, symbols, folder))


def aligned(array: np.ndarray) -> np.ndarray:
    """Return a copy of an array that starts at a multiple of 16 bytes."""
    raw = np.empty(array.nbytes + 16, np.uint8)
    start = -raw.ctypes.data % 16
    made = raw[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    made[...] = array
    return made
