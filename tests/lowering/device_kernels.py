"""Kernels of the simt level on a device, from their text or from functions of loops."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from tilewright import Device, KernelProgram, nd
from tilewright.codegen.spirv import assemble
from tilewright.dialects.packed import CallOp
from tilewright.dialects.shape import size_parameters
from tilewright.dialects.simt import LAUNCH, LaunchAttr, LaunchSizes, launch_of
from tilewright.interp.kernels import Kernel
from tilewright.interp.sizes import number_of
from tilewright.lowering import simt_to_spirv, simt_to_wgsl
from tilewright.lowering.simt_to_c import OPENCL, emit_program
from tilewright.support.entry import kernel_functions


def run_kernel(
    function: FuncOp, gpu: Device, arrays: Sequence[np.ndarray], **sizes: int
) -> list[np.ndarray]:
    """Run a kernel once on copies of the arrays; return all arrays afterwards."""
    launch = launch_of(function)
    assert launch is not None, "a kernel of the simt level"
    x, y, z = (dim.evaluate(sizes) for dim in launch.grid)
    named = [("k", function)]
    if str(gpu).startswith("opencl"):
        code, values = emit_program(named, OPENCL), [sizes[n] for n in size_parameters(function)]
    else:
        language = simt_to_spirv if str(gpu).startswith("vulkan") else simt_to_wgsl
        text = language.emit_program(named)
        code = assemble(text) if language is simt_to_spirv else text.encode()
        values = [number.evaluate(sizes) for number in language.numbers_of(function)]
    made = KernelProgram(gpu, code, ["k"])
    there = [nd.array(array, gpu) for array in arrays]
    made["k"](*there, *map(ctypes.c_int64, values), grid=(x, y, z), block=launch.block)
    return [array.numpy() for array in there]


class OneThread:
    """The kernels of a module of loops, each run by one thread of a device."""

    def __init__(self, module: ModuleOp, gpu: Device) -> None:
        functions = kernel_functions(module)
        for function in functions:
            function.attributes[LAUNCH] = LaunchAttr(LaunchSizes.of([1], [1]))
        self._names = {f.sym_name.data: f"k{number}" for number, f in enumerate(functions)}
        source = emit_program([(self._names[f.sym_name.data], f) for f in functions], OPENCL)
        self._gpu, self._kernels = gpu, KernelProgram(gpu, source, list(self._names.values()))

    def call(self, op: CallOp, kernel: Kernel, arrays: Sequence[np.ndarray]) -> None:
        """Run the kernel of a call of main on arrays, in place."""
        there = [nd.array(array, self._gpu) for array in arrays]
        numbers = [ctypes.c_int64(number_of(size)) for size in op.sizes]
        run = self._kernels[self._names[op.kernel_name]]
        run(*there, *numbers, grid=(1, 1, 1), block=(1, 1, 1))
        for array, made in zip(arrays, there, strict=True):
            if array.flags.writeable:
                array[...] = made.numpy()
