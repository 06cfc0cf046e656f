"""An interpreter of gpu.func: xDSL's, with a thread of the system per thread of a block.

It shares no code with the interpreters of Tilewright. Floats are numbers of Python, which round to
the type of a buffer where they are stored. A buffer of a block or thread begins as NaN, or as -1.
"""

from __future__ import annotations

import math as python_math
from collections.abc import Mapping, Sequence
from itertools import product
from threading import Barrier, Thread
from typing import Any

import numpy as np
from xdsl.dialects import arith, math, memref, vector
from xdsl.dialects import gpu as upstream
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
)
from xdsl.dialects.func import FuncOp
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    ReturnedValues,
    impl,
    impl_terminator,
    register_impls,
)
from xdsl.interpreters.arith import ArithFunctions
from xdsl.interpreters.math import MathFunctions
from xdsl.interpreters.scf import ScfFunctions

from tilewright.dialects import gpu
from tilewright.dialects.dtypes import numpy_dtype
from tilewright.dialects.packed import CallOp
from tilewright.dialects.shape import size_parameters
from tilewright.dialects.simt import launch_of
from tilewright.interp.kernels import Kernel
from tilewright.interp.sizes import number_of
from tilewright.lowering.simt_to_gpu import kernel_module
from tilewright.support.entry import kernel_functions


@register_impls
class _MoreArithmetic(InterpreterFunctions):
    """Ops of arith and math that xDSL's interpreters lack."""

    @impl(arith.DivfOp)
    def divf(self, interpreter: Interpreter, op: arith.DivfOp, args: PythonValues) -> PythonValues:
        x, y = args
        return (float(np.float64(x) / np.float64(y)),)

    @impl(arith.NegfOp)
    def negf(self, interpreter: Interpreter, op: arith.NegfOp, args: PythonValues) -> PythonValues:
        return (-args[0],)

    @impl(arith.MaxSIOp)
    def maxsi(self, _: Interpreter, op: arith.MaxSIOp, args: PythonValues) -> PythonValues:
        return (max(args),)

    @impl(arith.MinSIOp)
    def minsi(self, _: Interpreter, op: arith.MinSIOp, args: PythonValues) -> PythonValues:
        return (min(args),)

    @impl(arith.FPToSIOp)
    def fptosi(self, _: Interpreter, op: arith.FPToSIOp, args: PythonValues) -> PythonValues:
        type_ = op.result.type
        assert isinstance(type_, IntegerType)
        value = int(args[0])
        assert value.bit_length() < type_.width.data, "upstream leaves it open"
        return (value,)

    @impl(arith.SIToFPOp)
    def sitofp(self, _: Interpreter, op: arith.SIToFPOp, args: PythonValues) -> PythonValues:
        return (float(args[0]),)

    @impl(math.FmaOp)
    def fma(self, _: Interpreter, op: math.FmaOp, args: PythonValues) -> PythonValues:
        x, y, z = args
        return (x * y + z,)

    @impl(math.TanhOp)
    def tanh(self, _: Interpreter, op: math.TanhOp, args: PythonValues) -> PythonValues:
        return (python_math.tanh(args[0]),)


@register_impls
class _Memory(InterpreterFunctions):
    """Buffers are arrays; a vector is an array, too."""

    @impl(memref.LoadOp)
    def load(self, _: Interpreter, op: memref.LoadOp, args: PythonValues) -> PythonValues:
        array, *place = args
        return (_inside(array, place)[tuple(place)].item(),)

    @impl(memref.StoreOp)
    def store(self, _: Interpreter, op: memref.StoreOp, args: PythonValues) -> PythonValues:
        value, array, *place = args
        _inside(array, place)[tuple(place)] = value
        return ()

    @impl(vector.LoadOp)
    def load_vector(self, _: Interpreter, op: vector.LoadOp, args: PythonValues) -> PythonValues:
        array, *outer, last = args
        (count,) = op.result.type.get_shape()
        _inside(array, [*outer, last + count - 1])
        return (array[(*outer, slice(last, last + count))].copy(),)

    @impl(vector.StoreOp)
    def store_vector(self, _: Interpreter, op: vector.StoreOp, args: PythonValues) -> PythonValues:
        value, array, *outer, last = args
        _inside(array, [*outer, last + len(value) - 1])
        array[(*outer, slice(last, last + len(value)))] = value
        return ()

    @impl(vector.ExtractOp)
    def extract(self, _: Interpreter, op: vector.ExtractOp, args: PythonValues) -> PythonValues:
        return (args[0][op.static_position.get_values()].item(),)

    @impl(vector.InsertOp)
    def insert(self, _: Interpreter, op: vector.InsertOp, args: PythonValues) -> PythonValues:
        value, made = args[0], args[1].copy()
        made[op.static_position.get_values()] = value
        return (made,)


def _inside(array: np.ndarray, place: Sequence[int]) -> np.ndarray:
    assert all(0 <= i < n for i, n in zip(place, array.shape, strict=True)), (place, array.shape)
    return array


@register_impls
class _Constants(InterpreterFunctions):
    """Constants of vectors are arrays of zeros."""

    @impl(arith.ConstantOp)
    def constant(self, _: Interpreter, op: arith.ConstantOp, args: PythonValues) -> PythonValues:
        if isinstance(op.value, DenseIntOrFPElementsAttr):
            type_ = op.value.type
            assert not any(op.value.get_values()), "only zeros are a start of a vector"
            return (np.zeros(type_.get_shape(), numpy_dtype(type_.get_element_type())),)
        assert isinstance(op.value, IntegerAttr | FloatAttr)
        return (op.value.value.data,)


@register_impls
class _Position(InterpreterFunctions):
    """The position of one thread, and the barrier of its block."""

    def __init__(self, thread: Sequence[int], block: Sequence[int], barrier: Barrier) -> None:
        self._thread, self._block, self._barrier = thread, block, barrier

    @impl(gpu.ThreadIdOp)
    def thread_id(self, _: Interpreter, op: gpu.ThreadIdOp, args: PythonValues) -> PythonValues:
        return (self._thread["xyz".index(op.dimension.data)],)

    @impl(gpu.BlockIdOp)
    def block_id(self, _: Interpreter, op: gpu.BlockIdOp, args: PythonValues) -> PythonValues:
        return (self._block["xyz".index(op.dimension.data)],)

    @impl(upstream.BarrierOp)
    def barrier(self, _: Interpreter, op: upstream.BarrierOp, args: PythonValues) -> PythonValues:
        self._barrier.wait(60)
        return ()

    @impl_terminator(gpu.ReturnOp)
    def return_(self, _: Interpreter, op: gpu.ReturnOp, args: PythonValues) -> Any:
        return ReturnedValues(args), ()


def run_gpu(kernel: gpu.FuncOp, grid: Sequence[int], arguments: Sequence[np.ndarray | int]) -> None:
    """Run all blocks of a kernel on arrays and sizes; it writes into the arrays."""
    assert kernel.known_block_size is not None
    x, y, z = kernel.known_block_size.get_values()
    threads = [(i, j, k) for k, j, i in product(range(z), range(y), range(x))]
    for block in product(*map(range, grid)):
        _run_block(kernel, threads, block, arguments)


def _run_block(
    kernel: gpu.FuncOp,
    threads: Sequence[Sequence[int]],
    block: Sequence[int],
    arguments: Sequence[np.ndarray | int],
) -> None:
    """Run the threads of a block: one after the other, if none waits for another."""
    passed = [*arguments, *(_fresh(value.type) for value in kernel.workgroup)]
    barrier = Barrier(len(threads))
    if not any(isinstance(op, upstream.BarrierOp) for op in kernel.walk()):
        for thread in threads:
            _run_thread(kernel, thread, block, barrier, passed)
        return
    failures: list[BaseException] = []
    made = [
        Thread(target=_guarded, args=(failures, kernel, thread, block, barrier, passed))
        for thread in threads
    ]
    for thread in made:
        thread.start()
    for thread in made:
        thread.join()
    if failures:
        raise failures[0]


def _guarded(failures: list[BaseException], kernel: gpu.FuncOp, *rest: Any) -> None:
    """Run a thread; the block raises its error again."""
    try:
        _run_thread(kernel, *rest)
    except Exception as err:
        failures.append(err)
        rest[2].abort()


def _run_thread(
    kernel: gpu.FuncOp,
    thread: Sequence[int],
    block: Sequence[int],
    barrier: Barrier,
    arguments: Sequence[np.ndarray | int],
) -> None:
    interpreter = Interpreter(ModuleOp([]))
    for functions in (
        ArithFunctions(),
        MathFunctions(),
        ScfFunctions(),
        _Constants(),
        _MoreArithmetic(),
        _Memory(),
        _Position(thread, block, barrier),
    ):
        interpreter.register_implementations(functions, override=True)
    private = [_fresh(value.type) for value in kernel.private]
    interpreter.run_ssacfg_region(kernel.body, (*arguments, *private), kernel.sym_name.data)


def _fresh(type_: Any) -> np.ndarray:
    dtype = numpy_dtype(type_.element_type)
    return np.full(type_.get_shape(), np.nan if dtype.kind == "f" else -1).astype(dtype)


class GpuKernels:
    """The kernels of a module of the simt level, exported and run here."""

    def __init__(self, module: ModuleOp) -> None:
        functions = {f.sym_name.data: f for f in kernel_functions(module)}
        self._functions: Mapping[str, FuncOp] = functions
        self._module = kernel_module(functions.items())
        self._kernels = {
            op.sym_name.data: op for op in self._module.walk() if isinstance(op, gpu.FuncOp)
        }

    def call(self, op: CallOp, kernel: Kernel, arrays: Sequence[np.ndarray]) -> None:
        """Run the kernel of a call of main on arrays, in place."""
        function = self._functions[op.kernel_name]
        sizes = dict(zip(size_parameters(function), map(number_of, op.sizes), strict=True))
        launch = launch_of(function)
        assert launch is not None, "a kernel of the simt level"
        grid = [size.evaluate(sizes) for size in launch.grid]
        run_gpu(self._kernels[op.kernel_name], grid, [*arrays, *sizes.values()])
