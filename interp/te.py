"""Interpreter of te programs in numpy: the main function on tensors, kernels on tensors or buffers.

A kernel on buffers changes its argument arrays.  The iterations of loops around computes run in
order; a loop variable is an integer symbol in the maps of the computes inside.  New buffers contain
NaN (floats) or the smallest integer, which reveals a read before a write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType
from typing import Any, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import loop, packed
from ..dialects.dtypes import numpy_dtype
from ..dialects.te import ComputeOp, KernelOp, LoopsOp, ReturnOp, ScatterOp, SortOp, kernels_of
from ..support.diagnostics import TilewrightError
from ..support.entry import entry_of
from . import loop as loop_level
from .compute import Array, Value, run_compute
from .extern import Functions, run_extern
from .indices import check_indices
from .irregular import run_scatter, run_sort
from .memory import fresh_buffer, start_of
from .signature import recorded_dtypes, typed_argument, valid_parts
from .sizes import bind_computed, iteration, number_of, with_call_sizes, with_shapes
from .thread_nests import Iterations, ThreadNest, thread_nest

Values = dict[SSAValue, Value]
NO_LOOPS: Iterations = MappingProxyType({})


def run(module: ModuleOp, *inputs: Array, functions: Functions | None = None) -> tuple[Array, ...]:
    """Run the entry of a module on tensors; return its results.

    inputs: the arguments of the entry.  functions: the packed functions that packed.extern may
    call, by name.
    Errors: ModelError if the module has no entry.
    """
    return run_function(entry_of(module), *inputs, module=module, functions=functions)


def run_function(
    function: func.FuncOp,
    *inputs: Array,
    module: ModuleOp | None = None,
    functions: Functions | None = None,
) -> tuple[Array, ...]:
    """Run a function on tensors; packed.call finds kernels in ``module``.

    Inputs and results have the dtypes that the function attributes ``tw.arg_dtypes`` and
    ``tw.result_dtypes`` record; integers inside are signless.  Symbolic sizes are derived from the
    shapes of the inputs.
    functions: the packed functions that packed.extern may call, by name.
    """
    function = cast(func.FuncOp, with_shapes(function, inputs, None))
    block = function.body.block
    kernels = {k.label: k for k in kernels_of(module)} if module else {}
    values: Values = {}
    for n, (argument, array) in enumerate(zip(block.args, inputs, strict=True)):
        values[argument] = typed_argument(
            f"argument {n} of @{function.sym_name.data}", argument, array
        )

    def call(op: packed.CallOp | packed.ExternOp, arrays: Sequence[Array]) -> Sequence[Array]:
        if isinstance(op, packed.ExternOp):
            return run_extern(op, arrays, functions or {})
        return run_kernel(with_call_sizes(kernels[op.kernel_name], op), *arrays)

    with np.errstate(all="ignore"):
        returned = _run_block(block, values, call)
    dtypes = recorded_dtypes(function, "tw.result_dtypes")
    typed = [
        x.view(dtype) if dtype is not None else x
        for x, dtype in zip(returned, dtypes or [None] * len(returned), strict=True)
    ]
    return valid_parts(function, typed)


def run_kernel(
    kernel: KernelOp,
    *arrays: Array,
    sizes: Mapping[str, int] | None = None,
    iterations: Iterations = NO_LOOPS,
) -> tuple[Array, ...]:
    """Run a te.kernel: on tensors, return its results; on buffers, change the arrays and return ().

    arrays: its arguments.  sizes: the values of size parameters; values that argument shapes
    determine may be omitted.
    iterations: for each loop that runs only partly, the numbers of its iterations to run.
    """
    kernel = cast(KernelOp, with_shapes(kernel, arrays, sizes))
    block = kernel.body.block
    values: Values = {}
    for n, (argument, array) in enumerate(zip(block.args, arrays, strict=True)):
        values[argument] = typed_argument(f"argument {n} of @{kernel.label}", argument, array)
    loops = (op for op in block.walk() if isinstance(op, loop.ForOp))
    nests = {op: nest for op in loops if (nest := thread_nest(op)) is not None}
    with np.errstate(all="ignore"):
        return _run_block(block, values, _no_call, _LoopRuns(iterations, nests))


CallKernel = Callable[[packed.CallOp | packed.ExternOp, Sequence[Array]], Sequence[Array]]


def _no_call(op: packed.CallOp | packed.ExternOp, _: Sequence[Array]) -> Sequence[Array]:
    raise TilewrightError(
        "a kernel cannot call another kernel", hint="call kernels from main only"
    ).at(op)


@dataclass(frozen=True)
class _LoopRuns:
    """How the loops of a kernel run.

    iterations: for each loop that runs only partly, the numbers of its iterations to run.
    nests: by their outermost loop, the nests whose iterations run at once.
    """

    iterations: Iterations
    nests: Mapping[loop.ForOp, ThreadNest]


_ALL = _LoopRuns(NO_LOOPS, MappingProxyType({}))


def _run_block(
    block: Block, values: Values, call: CallKernel, loops: _LoopRuns = _ALL
) -> tuple[Array, ...]:
    for op in block.ops:
        if isinstance(op, func.ReturnOp | ReturnOp | loop.YieldOp | packed.YieldOp):
            return tuple(cast(Array, values[v]) for v in op.operands)
        if isinstance(op, loop.ForOp):
            _run_loop(op, values, call, loops)
        else:
            _run_op(op, values, call)
    return ()


def _run_op(op: Operation, values: Values, call: CallKernel) -> None:
    match op:
        case ComputeOp():
            made: Sequence[Array] = run_compute(op, values)
        case ScatterOp():
            made = run_scatter(op, values)
        case SortOp():
            made = run_sort(op, values)
        case LoopsOp():
            made = _run_loops(op, values)
        case loop.SizeOp():
            values[op.res] = cast(int, op.dim.value)
            return
        case loop.AllocOp():
            made = [fresh_buffer(cast("MemRefType[Any]", op.res.type))]
        case packed.CallOp() | packed.ExternOp():
            made = call(op, [cast(Array, values[v]) for v in op.arguments])
        case _:
            made = _run_host_op(op, values, call)
    values.update(zip(op.results, made, strict=True))


def _run_host_op(op: Operation, values: Values, call: CallKernel) -> Sequence[Array]:
    match op:
        case packed.ConstantOp():
            return [np.ascontiguousarray(op.value.stored).reshape(_shape(op.res))]
        case packed.ViewOp():
            return [start_of(cast(Array, values[op.x]), _shape(op.res))]
        case packed.SliceOp():
            return [np.asarray(cast(Array, values[op.x])[op.index.evaluate(values.__getitem__)])]
        case packed.ConcatOp():
            return [np.concatenate([cast(Array, values[x]) for x in op.xs], op.axis)]
        case packed.NumberOp():
            return [np.array(values[op.number], np.int64)]
        case packed.CheckIndicesOp():
            bounds = None if op.bounds is None else cast(Array, values[op.bounds]).tolist()
            sizes = bounds or [number_of(size) for size in op.sizes]
            check_indices(op.place, cast(Array, values[op.x]), sizes, wraps=op.wraps)
            return []
        case packed.BindOp():
            bind_computed(op, cast(Array, values[op.x]))
            return []
        case packed.IfOp():
            chosen = op.then if cast(Array, values[op.condition]).item() else op.otherwise
            return _run_block(chosen.block, values, call)
        case packed.LoopOp():
            return _run_host_loop(op, values, call)
        case _:
            raise TilewrightError(
                "the interpreter does not support this op at the te level",
                hint="run graph-to-te first",
            ).at(op)


def _run_loops(op: LoopsOp, values: Values) -> list[Array]:
    block = op.body.block
    fresh = [fresh_buffer(cast("MemRefType[Any]", a.type)) for a in block.args[len(op.ins) :]]
    targets = [cast(Array, values[v]) for v in op.outs] or fresh
    inputs = [np.ascontiguousarray(cast(Array, values[v])) for v in op.ins]
    loop_level.run_block(f"te.loops @{op.label}", block, [*inputs, *targets])
    return [] if op.outs else fresh


def _shape(value: SSAValue) -> tuple[int, ...]:
    return cast("TensorType[Any]", value.type).get_shape()


def _run_loop(op: loop.ForOp, values: Values, call: CallKernel, loops: _LoopRuns) -> None:
    nest = loops.nests.get(op)
    if nest is not None and nest.run(values, loops.iterations):
        return
    lows, highs = op.bounds()
    low = max(e.evaluate(values.__getitem__) for e in lows)
    high = min(e.evaluate(values.__getitem__) for e in highs)
    chosen = loops.iterations.get(op)
    for n in range(low, high) if chosen is None else map(int, chosen):
        values[op.variable] = n
        _run_block(op.body.block, values, call, loops)


def _run_host_loop(op: packed.LoopOp, values: Values, call: CallKernel) -> tuple[Array, ...]:
    arrays = [cast(Array, values[v]) for v in op.operands]
    steps: Iterable[int] = count() if op.steps is None else range(number_of(op.steps))
    if op.trip is not None:
        steps = range(arrays.pop(0).item())
    goes_on = op.condition is None or bool(arrays.pop(0).item())
    stacks = [
        np.empty(_shape(v), numpy_dtype(cast("TensorType[Any]", v.type).element_type))
        for v in op.stacks
    ]
    for n in steps:
        if not goes_on:
            break
        step = iteration(op, n)
        values[step.number] = n
        values.update(zip(step.carried, arrays, strict=True))
        given = list(_run_block(step.body.block, values, call))
        goes_on = op.condition is None or bool(given.pop(0).item())
        arrays, parts = given[: len(op.inits)], given[len(op.inits) :]
        for stack, part in zip(stacks, parts, strict=True):
            stack[step.place().evaluate(values.__getitem__)] = part
    return (*arrays, *stacks)
