"""simt-to-gpu: kernels of the simt level in MLIR's own dialects: gpu, scf, memref and others.

    packed.call @k(%x, %y) sizes [n]             gpu.launch_func @kernels::@k
    func.func @k(%x: .., %y: ..)                     blocks in (..) threads in (..) args(%x, %y, %n)
        attributes {tw.launch = ..} { .. }  ==>  gpu.module @kernels {
                                                   gpu.func @k(%x : .., %y : .., %n : index) { .. }
                                                 }

The tools of MLIR can read the module of kernels; main, the program's host function, keeps its
packed ops around the launches.

Before: each kernel has a launch (stage map-threads).  After: no kernel contains an op of loop or
simt, and main has no packed.call of these kernels.
Exact, except for math functions: their results depend on the library that a later tool uses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects import gpu as upstream
from xdsl.dialects.builtin import (
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    UnrealizedConversionCastOp,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import loop, packed
from ...dialects.shape import Dim, size_parameters
from ...support.diagnostics import LoweringError
from ...support.entry import entry_of, kernel_functions
from ..device_kernels import required_launch
from .builder import INDEX
from .kernel import gpu_kernel
from .memory import buffer_type

MODULE, CONTAINER = "kernels", "gpu.container_module"


@dataclass(frozen=True)
class SimtToGpu(ModulePass):
    """Put all kernels into one gpu.module, and replace their calls by launches."""

    name = "simt-to-gpu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kernels = {f.sym_name.data: f for f in kernel_functions(op) if not f.is_declaration}
        made = _module_of((name, function) for name, function in kernels.items())
        for call in [each for each in entry_of(op).walk() if isinstance(each, packed.CallOp)]:
            if call.kernel_name in kernels:
                _launch(call, kernels[call.kernel_name])
        for function in kernels.values():
            Rewriter.erase_op(function)
        op.body.block.add_op(made)
        op.attributes[CONTAINER] = UnitAttr()


def kernel_module(kernels: Iterable[tuple[str, FuncOp]]) -> ModuleOp:
    """Return a module with one gpu.module that contains several kernels.

    kernels: the symbol and the function of each kernel.
    Errors: LoweringError for an op that no dialect of MLIR itself can express, or a function
    without a launch.
    """
    return ModuleOp([_module_of(kernels)], {CONTAINER: UnitAttr()})


def _module_of(kernels: Iterable[tuple[str, FuncOp]]) -> upstream.ModuleOp:
    body = Region()
    made = [gpu_kernel(function, symbol) for symbol, function in kernels]
    body.add_block(Block(made))
    return upstream.ModuleOp.build(properties={"sym_name": StringAttr(MODULE)}, regions=[body])


# ---- launches


def _launch(call: packed.CallOp, function: FuncOp) -> None:
    """Replace a packed.call of a kernel by a gpu.launch_func.

    function: the kernel, which has the launch configuration.
    Errors: LoweringError for a call with results, or with a condition.
    """
    if call.res or call.when:
        raise LoweringError(
            "a launch has no results and no condition",
            got=call.name,
            hint="run te-bufferize, and call the kernel for all sizes",
        ).at(call)
    launch = required_launch(function)
    sizes = dict(zip(size_parameters(function), call.sizes, strict=True))
    build = Builder(InsertPoint.before(call))
    grid = [_size(build, size.substitute(sizes)) for size in launch.grid]
    block = [_size(build, Dim.const(size)) for size in launch.block]
    buffers = [_plain(build, value) for value in call.arguments]
    numbers = [_size(build, size) for size in call.sizes]
    build.insert(
        upstream.LaunchFuncOp(
            SymbolRefAttr(MODULE, [function.sym_name.data]),
            grid,
            block,
            kernelOperands=[*buffers, *numbers],
        )
    )
    Rewriter.erase_op(call)


def _size(build: Builder, size: Dim) -> SSAValue:
    """Insert an op in main that yields a size; return its value, of index type."""
    number = size.value
    if number is None:
        return build.insert(loop.SizeOp(size)).res
    return build.insert(arith.ConstantOp(IntegerAttr(number, INDEX))).result


def _plain(build: Builder, value: SSAValue) -> SSAValue:
    """Cast a buffer of main to the type of a kernel's parameter.

    The types of parameters do not name symbolic sizes, other than those of main.
    """
    assert isinstance(value.type, MemRefType), "calls of the simt level take buffers"
    type_ = buffer_type(value.type)
    if type_ == value.type:
        return value
    return build.insert(UnrealizedConversionCastOp.get([value], [type_])).results[0]
