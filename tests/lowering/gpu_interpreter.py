"""An interpreter of gpu.func: xDSL's, with a thread of the system per thread of a block.

It shares no code with the interpreters of Tilewright. A buffer of a block or thread begins as NaN,
or as -1.
"""

from __future__ import annotations

import math as python_math
from collections.abc import Callable, Mapping, Sequence
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
from xdsl.ir import Attribute, Operation

from tilewright.dialects import gpu, nvgpu
from tilewright.dialects.arith import RemFOp
from tilewright.dialects.dtypes import bit_width, is_float, numpy_dtype
from tilewright.dialects.packed import CallOp
from tilewright.dialects.shape import size_parameters
from tilewright.dialects.simt import launch_of
from tilewright.interp.kernels import Kernel
from tilewright.interp.sizes import number_of
from tilewright.lowering.simt_to_gpu import kernel_module
from tilewright.support.entry import kernel_functions

_FUNCTIONS: dict[type[Operation], Callable[..., Any]] = {
    arith.AddfOp: lambda x, y: x + y,
    arith.SubfOp: lambda x, y: x - y,
    arith.MulfOp: lambda x, y: x * y,
    arith.DivfOp: lambda x, y: float(np.float64(x) / np.float64(y)),
    arith.NegfOp: lambda x: -x,
    RemFOp: lambda x, y: float(np.fmod(x, y)),
    arith.MaxSIOp: max,
    arith.MinSIOp: min,
    arith.SIToFPOp: float,
    arith.ExtFOp: float,
    math.FmaOp: lambda x, y, z: x * y + z,
    math.IPowIOp: lambda x, y: x**y if y >= 0 else int(x in (1, -1)) * x ** (-y % 2),
    math.AbsFOp: abs,
    math.AbsIOp: abs,
    math.CeilOp: np.ceil,
    math.FloorOp: np.floor,
    math.RoundEvenOp: np.rint,
    math.TruncOp: np.trunc,
    math.ErfOp: python_math.erf,
    math.ExpM1Op: np.expm1,
    math.Log1pOp: np.log1p,
    math.PowFOp: np.power,
    math.AtanhOp: np.arctanh,
    **{
        getattr(math, f"{name}Op"): getattr(np, name.lower().replace("a", "arc", 1))
        for name in ("Acos", "Acosh", "Asin", "Asinh", "Atan")
    },
    **{
        getattr(math, f"{name}Op"): getattr(np, name.lower())
        for name in ("Sin", "Cos", "Tan", "Sinh", "Cosh", "Tanh")
    },
}
"""Ops that xDSL's interpreters lack, or do not round to the type of the result."""


def _unsigned(value: int, type_: Attribute) -> int:
    return int(value) % (1 << bit_width(type_))


def _signed(value: int, type_: Attribute) -> int:
    bits = bit_width(type_)
    low = int(value) % (1 << bits)
    return low - (1 << bits) if bits > 1 and low >> (bits - 1) else low


def _method(op_type: type[Operation], function: Callable[..., Any]) -> Any:
    """Return the method of an interpreter that applies a function to the operands of an op."""

    @impl(op_type)
    def run(_self: Any, _: Interpreter, op: Operation, args: PythonValues) -> PythonValues:
        value, type_ = function(*args), op.results[0].type
        if is_float(type_):
            value = np.float64(value).astype(numpy_dtype(type_))
        return (np.asarray(value, np.float64 if is_float(type_) else np.int64).item(),)

    return run


_METHODS = {op_type.name: _method(op_type, function) for op_type, function in _FUNCTIONS.items()}
_MoreArithmetic: type[InterpreterFunctions] = register_impls(
    type("_MoreArithmetic", (InterpreterFunctions,), _METHODS)
)


@register_impls
class _Conversions(InterpreterFunctions):
    """Conversions, whose results depend on types."""

    @impl(arith.FPToSIOp)
    def fptosi(self, _: Interpreter, op: arith.FPToSIOp, args: PythonValues) -> PythonValues:
        type_ = op.result.type
        assert isinstance(type_, IntegerType)
        value = int(args[0])
        assert value.bit_length() < type_.width.data, "upstream leaves it open"
        return (value,)

    @impl(arith.ExtUIOp)
    def extui(self, _: Interpreter, op: arith.ExtUIOp, args: PythonValues) -> PythonValues:
        return (_unsigned(args[0], op.input.type),)

    @impl(arith.ExtSIOp)
    def extsi(self, _: Interpreter, op: arith.ExtSIOp, args: PythonValues) -> PythonValues:
        return (_signed(args[0], op.input.type),)

    @impl(arith.TruncIOp)
    def trunci(self, _: Interpreter, op: arith.TruncIOp, args: PythonValues) -> PythonValues:
        return (_signed(args[0], op.result.type),)

    @impl(arith.UIToFPOp)
    def uitofp(self, _: Interpreter, op: arith.UIToFPOp, args: PythonValues) -> PythonValues:
        return (float(_unsigned(args[0], op.input.type)),)

    @impl(arith.DivUIOp)
    def divui(self, _: Interpreter, op: arith.DivUIOp, args: PythonValues) -> PythonValues:
        x, y = (_unsigned(value, op.result.type) for value in args)
        return (_signed(x // y, op.result.type),)

    @impl(arith.RemUIOp)
    def remui(self, _: Interpreter, op: arith.RemUIOp, args: PythonValues) -> PythonValues:
        x, y = (_unsigned(value, op.result.type) for value in args)
        return (_signed(x % y, op.result.type),)

    @impl(arith.FPToUIOp)
    def fptoui(self, _: Interpreter, op: arith.FPToUIOp, args: PythonValues) -> PythonValues:
        value = int(args[0])
        assert 0 <= value < 1 << bit_width(op.result.type), "upstream leaves it open"
        return (_signed(value, op.result.type),)

    @impl(arith.MinUIOp)
    def minui(self, _: Interpreter, op: arith.MinUIOp, args: PythonValues) -> PythonValues:
        return (min(args, key=lambda value: _unsigned(value, op.result.type)),)

    @impl(arith.MaxUIOp)
    def maxui(self, _: Interpreter, op: arith.MaxUIOp, args: PythonValues) -> PythonValues:
        return (max(args, key=lambda value: _unsigned(value, op.result.type)),)

    @impl(arith.ShRUIOp)
    def shrui(self, _: Interpreter, op: arith.ShRUIOp, args: PythonValues) -> PythonValues:
        return (_signed(_unsigned(args[0], op.result.type) >> args[1], op.result.type),)

    @impl(arith.TruncFOp)
    def truncf(self, _: Interpreter, op: arith.TruncFOp, args: PythonValues) -> PythonValues:
        return (float(np.float64(args[0]).astype(numpy_dtype(op.result.type))),)

    @impl(arith.BitcastOp)
    def bitcast(self, _: Interpreter, op: arith.BitcastOp, args: PythonValues) -> PythonValues:
        source, target = (numpy_dtype(v.type) for v in (op.input, op.result))
        return (np.array(args[0], source).view(target).item(),)


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


def _cut(x: np.ndarray) -> np.ndarray:
    """Return f32 without the bits that tf32 does not have."""
    return (x.astype(np.float32).view(np.int32) & -(1 << 13)).view(np.float32).astype(np.float64)


class _Group:
    """The threads of a block: they wait for each other, and exchange values."""

    def __init__(self, size: int) -> None:
        self._size, self._barrier = size, Barrier(size)
        self._values: dict[int, Any] = {}

    def wait(self) -> None:
        """Wait for all threads of the block."""
        self._barrier.wait(60)

    def abort(self) -> None:
        """Fail all waiting threads."""
        self._barrier.abort()

    def gather(self, number: int, value: Any) -> list[Any]:
        """Return the values of all threads by their number along x."""
        self._values[number] = value
        self.wait()
        found = [self._values[thread] for thread in range(self._size)]
        self.wait()
        return found


@register_impls
class _Position(InterpreterFunctions):
    """The position of one thread, and the barrier of its block."""

    def __init__(self, thread: Sequence[int], block: Sequence[int], group: _Group) -> None:
        self._thread, self._block, self._group = thread, block, group

    @impl(gpu.ThreadIdOp)
    def thread_id(self, _: Interpreter, op: gpu.ThreadIdOp, args: PythonValues) -> PythonValues:
        return (self._thread["xyz".index(op.dimension.data)],)

    @impl(gpu.BlockIdOp)
    def block_id(self, _: Interpreter, op: gpu.BlockIdOp, args: PythonValues) -> PythonValues:
        return (self._block["xyz".index(op.dimension.data)],)

    @impl(upstream.BarrierOp)
    def barrier(self, _: Interpreter, op: upstream.BarrierOp, args: PythonValues) -> PythonValues:
        self._group.wait()
        return ()

    @impl(gpu.ShuffleOp)
    def shuffle(self, _: Interpreter, op: gpu.ShuffleOp, args: PythonValues) -> PythonValues:
        value, offset, width = args
        assert (op.mode.data, width) == ("xor", 32)
        warp, lane = self._exchanged(value)
        return warp[lane ^ offset], True

    @impl(nvgpu.MmaSyncOp)
    def mma(self, _: Interpreter, op: nvgpu.MmaSyncOp, args: PythonValues) -> PythonValues:
        """Registers hold a matrix as the PTX ISA says, section 9.7.14.5."""
        warp, lane = self._exchanged(args)
        rows, columns, steps = (size.value.data for size in op.shape)
        width = steps // 8
        lhs, rhs = np.zeros((rows, steps)), np.zeros((steps, columns))
        for number, (a, b, _) in enumerate(warp):
            group, place = divmod(number, 4)
            for j, e in np.ndindex(a.shape):
                lhs[group + j % 2 * 8, place * width + e + j // 2 * 4 * width] = a[j, e]
            for j, e in np.ndindex(b.shape):
                rhs[place * width + e + j * 4 * width, group] = b[j, e]
        if op.is_tf32 is not None:
            lhs, rhs = map(_cut, (lhs, rhs))
        out, acc = lhs @ rhs, args[2]
        group, place = divmod(lane, 4)
        made = [[out[group + j * 8, place * 2 + e] for e in range(2)] for j in range(2)]
        return ((acc + np.array(made)).astype(acc.dtype),)

    @impl(nvgpu.LdMatrixOp)
    def load_matrix(self, _: Interpreter, op: nvgpu.LdMatrixOp, args: PythonValues) -> PythonValues:
        """Thread ``l`` gives the start of row ``l mod 8`` of matrix ``l floordiv 8``."""
        array, *place = args
        warp, lane = self._exchanged(place)
        out: list[np.ndarray] = []
        for matrix in range(op.res.type.get_shape()[0]):
            starts = warp[matrix * 8 : matrix * 8 + 8]
            rows = np.array([array[(*outer, slice(last, last + 8))] for *outer, last in starts])
            rows = rows.T if op.transpose.value.data else rows
            out.append(rows[lane // 4, lane % 4 * 2 :][:2])
        return (np.array(out),)

    def _exchanged(self, value: Any) -> tuple[list[Any], int]:
        """Return the values of all threads of the warp, and the number of the thread in it."""
        number, size = self._thread[0], 32
        first = number // size * size
        return self._group.gather(number, value)[first : first + size], number - first

    @impl_terminator(gpu.ReturnOp)
    def return_(self, _: Interpreter, op: gpu.ReturnOp, args: PythonValues) -> Any:
        return ReturnedValues(args), ()


_TOGETHER = (upstream.BarrierOp, gpu.ShuffleOp, nvgpu.MmaSyncOp, nvgpu.LdMatrixOp)


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
    group = _Group(len(threads))
    if not any(isinstance(op, _TOGETHER) for op in kernel.walk()):
        for thread in threads:
            _run_thread(kernel, thread, block, group, passed)
        return
    failures: list[BaseException] = []
    made = [
        Thread(target=_guarded, args=(failures, kernel, thread, block, group, passed))
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
    group: _Group,
    arguments: Sequence[np.ndarray | int],
) -> None:
    interpreter = Interpreter(ModuleOp([]))
    for functions in (
        ArithFunctions(),
        MathFunctions(),
        ScfFunctions(),
        _Constants(),
        _MoreArithmetic(),
        _Conversions(),
        _Memory(),
        _Position(thread, block, group),
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
