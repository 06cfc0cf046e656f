"""Interpreter of bufferized host programs in numpy, with kernels of the te, loop or simt level.

Buffers with an offset are parts of one arena, as in the compiled program, so a memory plan in which
live buffers overlap gives wrong results here, too.  Overlapping buffers of one call are an error: a
kernel that numpy runs may read all its operands before it stores, but its code does not.  The arena
is initialized with bytes 0xFF (NaN).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count, pairwise
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import packed
from ..dialects.dtypes import buffer_bytes, element_type, numpy_dtype
from ..dialects.loop import SizeOp
from ..dialects.packed.arena import aligned
from ..dialects.te.scalars import signless
from ..support.affine import Key
from ..support.diagnostics import TilewrightError
from ..support.entry import entry_of
from .extern import Functions, run_extern
from .indices import check_indices
from .kernels import Kernel, call_kernel, symbols
from .memory import Array, aligned_bytes, fresh_buffer, start_of
from .signature import recorded_dtypes, valid_parts
from .sizes import bind_computed, iteration, number_of, with_call_sizes, with_shapes

CallKernel: TypeAlias = Callable[[packed.CallOp, Kernel, Sequence[Array]], None]
"""A function that runs a kernel on arrays, in place; the sizes of the kernel are integers."""


def _call(_: packed.CallOp, kernel: Kernel, arrays: Sequence[Array]) -> None:
    call_kernel(kernel, arrays)


def run(
    module: ModuleOp,
    *inputs: Array,
    call: CallKernel = _call,
    functions: Functions | None = None,
) -> tuple[Array, ...]:
    """Run the entry of a module on inputs; return its results.

    The entry is in buffer form: results are its last arguments, which this function allocates.
    Inputs and results have the dtypes that graph-to-te has recorded. The values of symbolic sizes
    follow from the shapes of the inputs.
    call: the function that runs each kernel call; a test may pass one that records the calls.
    functions: the packed functions that packed.extern may call, by name.
    """
    main = cast(func.FuncOp, with_shapes(entry_of(module), inputs, None))
    arguments = main.body.block.args
    dtypes = recorded_dtypes(main, "tw.result_dtypes")
    if dtypes is not None and len(dtypes) != len(arguments) - len(inputs):
        raise TilewrightError(
            f"@{main.sym_name.data} has the wrong number of inputs",
            expected=len(arguments) - len(dtypes),
            got=len(inputs),
            hint="pass one array per input",
        )
    outputs = _run_main(module, main, inputs, call, functions)[len(inputs) :]
    dtypes = dtypes or [x.dtype for x in outputs]
    return valid_parts(main, [x.view(d) for x, d in zip(outputs, dtypes, strict=True)])


def run_on(
    module: ModuleOp,
    arrays: Sequence[Array],
    *,
    call: CallKernel = _call,
    functions: Functions | None = None,
) -> None:
    """Run the entry of a module on arrays for all arguments; the last arrays receive the results.

    Integers may be signed or unsigned.  An array for a result of a computed size may be larger;
    then the result is at its start, in row-major order.
    call: the function that runs each kernel call.  functions: the packed functions that
    packed.extern may call, by name.
    """
    main = cast(func.FuncOp, with_shapes(entry_of(module), arrays, None))
    _run_main(module, main, arrays, call, functions)


def _run_main(
    module: ModuleOp,
    main: func.FuncOp,
    arrays: Sequence[Array],
    call: CallKernel,
    functions: Functions | None,
) -> list[Array]:
    """Run the main function of a module; return the arrays of all its arguments.

    The sizes of main are integers, or symbols that main computes.  arrays: the arrays of the first
    arguments; arrays for the other arguments are allocated.  call, functions: see run.
    """
    given = [
        _signless(x, numpy_dtype(_memref(a).element_type))
        for a, x in zip(main.body.block.args, arrays, strict=False)
    ]
    with np.errstate(all="ignore"):
        return _MainRun(symbols(module), main, call, functions or {}).run(given)


class _MainRun:
    def __init__(
        self,
        kernels: dict[str, Kernel],
        main: func.FuncOp,
        call: CallKernel,
        functions: Functions,
    ) -> None:
        self.kernels, self.main, self.call = kernels, main, call
        self.functions = functions
        self.buffers: dict[SSAValue, Array] = {}
        self.numbers: dict[Key, int] = {}
        self.places: dict[packed.AllocOp, Array] = {}
        self.arrays: Sequence[Array] = ()

    def run(self, arrays: Sequence[Array]) -> list[Array]:
        """Run all ops; return the arrays of all arguments of main.

        arrays: the arrays of the first arguments.
        """
        self.arrays = arrays
        self._begin_stage()
        self._block(self.main.body.block)
        return [self.buffers[argument] for argument in self.main.body.block.args]

    def _begin_stage(self) -> None:
        """Allocate the arguments and arena buffers whose sizes have become known.

        It runs at the start, and again after each packed.bind, which makes more sizes known.
        """
        known = {op: at for op, at in _offsets(self.main).items() if op not in self.places}
        ends = (at + buffer_bytes(_memref(op.res)) for op, at in known.items())
        block = aligned_bytes(max(ends, default=0))
        block[...] = 0xFF
        self.places.update((op, block[at:]) for op, at in known.items())
        for number, argument in enumerate(self.main.body.block.args):
            type_ = _memref(argument)
            if argument not in self.buffers and _is_static(type_):
                is_given = number < len(self.arrays)
                given = self.arrays[number] if is_given else fresh_buffer(type_)
                self.buffers[argument] = start_of(given, type_.get_shape())

    def _block(self, block: Block) -> list[Array]:
        for op in block.ops:
            if isinstance(op, func.ReturnOp | packed.YieldOp):
                return [self.buffers[v] for v in op.operands]
            made = self._run(op)
            self.buffers.update(zip(op.results if made else (), made, strict=True))
        return []

    def _run(self, op: Operation) -> Sequence[Array]:
        self._check_apart(op)
        match op:
            case packed.ConstantOp():
                return [np.ascontiguousarray(op.value.stored).reshape(_memref(op.res).get_shape())]
            case packed.AllocOp():
                return [self._allocate(op)]
            case packed.ViewOp():
                return [start_of(self.buffers[op.x], _memref(op.res).get_shape())]
            case packed.SliceOp():
                return [self._slice(op)]
            case packed.CopyOp() | packed.ConcatOp() | packed.NumberOp():
                self._write(op)
            case packed.CallOp() | packed.ExternOp() | packed.CheckIndicesOp() | packed.BindOp():
                self._call(op)
            case SizeOp():
                self.numbers[op.res] = number_of(op.dim)
            case packed.SectionsOp():
                # Any order is valid; the reverse order reveals calls that are not independent.
                for call in reversed(op.calls):
                    self._call(call)
            case packed.IfOp():
                holds = bool(self.buffers[op.condition].item())
                return self._block((op.then if holds else op.otherwise).block)
            case packed.LoopOp():
                return self._loop(op)
            case _:
                raise TilewrightError(
                    "the interpreter does not support this op in a host program",
                    hint="lower it to packed ops first",
                ).at(op)
        return ()

    def _check_apart(self, op: Operation) -> None:
        """Check that the buffers of the arena that an op uses at once have no byte in common."""
        calls = op.calls if isinstance(op, packed.SectionsOp) else [op]
        if not isinstance(calls[0], packed.CallOp | packed.ExternOp | packed.CopyOp):
            return
        used = {_allocation(value) for call in calls for value in call.operands}
        placed = {a: self.places[a].ctypes.data for a in used if a is not None and a in self.places}
        for one, other in pairwise(sorted(placed, key=placed.__getitem__)):
            common = placed[one] + buffer_bytes(_memref(one.res)) - placed[other]
            if common > 0:
                raise TilewrightError(
                    "two buffers of a call overlap in the arena",
                    expected=f"%{other.res.name_hint} behind %{one.res.name_hint}",
                    got=f"{common} common bytes",
                    hint="packed-plan-memory gave one of them a wrong offset: report it",
                ).at(op)

    def _write(self, op: packed.CopyOp | packed.ConcatOp | packed.NumberOp) -> None:
        assert op.target is not None, "the program is in buffer form"
        target = self.buffers[op.target]
        if isinstance(op, packed.ConcatOp):
            np.concatenate([self.buffers[x] for x in op.xs], op.axis, target)
        elif isinstance(op, packed.CopyOp):
            target[...] = self.buffers[op.source]
        else:
            target[...] = self.numbers[op.number]

    def _slice(self, op: packed.SliceOp) -> Array:
        at = op.index.const + sum(c * self.numbers[k] for k, c in op.index.terms.items())
        whole = self.buffers[op.x]
        if not 0 <= at < len(whole):
            raise TilewrightError(
                "slice outside of a buffer",
                expected=f"0..{len(whole) - 1}",
                got=at,
                hint="shorten the loop around the slice",
            ).at(op)
        return whole[at : at + 1].reshape(whole.shape[1:])

    def _loop(self, op: packed.LoopOp) -> Sequence[Array]:
        buffers = [self.buffers[v] for v in op.inits]
        steps: Iterable[int] = count() if op.steps is None else range(number_of(op.steps))
        if op.trip is not None:
            steps = range(self.buffers[op.trip].item())
        condition = None if op.condition is None else self.buffers[op.condition]
        for number in steps:
            if condition is not None and not condition.item():
                break
            step = iteration(op, number)
            self.numbers[step.number] = number
            self.buffers.update(zip(step.carried, buffers, strict=True))
            buffers = self._block(step.body.block)
            if condition is not None:
                condition, *buffers = buffers
        return buffers

    def _allocate(self, op: packed.AllocOp) -> Array:
        type_, place = _memref(op.res), self.places.get(op)
        if place is None:
            return fresh_buffer(type_)
        return (
            place[: buffer_bytes(type_)]
            .view(numpy_dtype(type_.element_type))
            .reshape(type_.get_shape())
        )

    def _check(self, op: packed.CheckIndicesOp | packed.BindOp) -> None:
        if isinstance(op, packed.BindOp):
            bind_computed(op, self.buffers[op.x])
            self._begin_stage()
            return
        sizes = [number_of(size) for size in op.sizes]
        sizes = sizes if op.bounds is None else self.buffers[op.bounds].tolist()
        check_indices(op.place, self.buffers[op.x], sizes, wraps=op.wraps)

    def _call(
        self, op: packed.CallOp | packed.ExternOp | packed.CheckIndicesOp | packed.BindOp
    ) -> None:
        if isinstance(op, packed.CheckIndicesOp | packed.BindOp):
            self._check(op)
            return
        if isinstance(op, packed.CallOp) and not number_of(op.condition):
            return
        arrays = [self.buffers[v] for v in op.arguments]
        if isinstance(op, packed.ExternOp):
            run_extern(op, arrays, self.functions)
            return
        kernel = self.kernels.get(op.kernel_name)
        if kernel is None:
            raise TilewrightError(
                "the module has no such kernel",
                got=op.kernel_name,
                hint="add the kernel to the module",
            ).at(op)
        self.call(op, with_call_sizes(kernel, op), arrays)


def _memref(value: SSAValue) -> MemRefType[Any]:
    if not isinstance(value.type, MemRefType):
        raise TilewrightError(
            "host program is not bufferized",
            expected="memref",
            got=value.type,
            hint="run te-bufferize first",
        )
    return cast("MemRefType[Any]", value.type)


def _offsets(main: func.FuncOp) -> dict[packed.AllocOp, int]:
    """Return the offsets in bytes of all buffers in the arena whose sizes are known."""
    found: dict[packed.AllocOp, int] = {}
    for op in packed.host_ops(main.body.block):
        if isinstance(op, packed.AllocOp) and not _is_static(_memref(op.res)):
            continue
        if isinstance(op, packed.AllocOp) and op.below:
            below = [cast(packed.AllocOp, value.owner) for value in op.below]
            found[op] = max(found[b] + aligned(buffer_bytes(_memref(b.res))) for b in below)
        elif isinstance(op, packed.AllocOp) and op.offset is not None:
            found[op] = op.offset.value.data
    return found


def _allocation(value: SSAValue) -> packed.AllocOp | None:
    """Return the alloc of which a value is a view or slice; None for other values."""
    owner = value.owner
    while isinstance(owner, packed.ViewOp | packed.SliceOp):
        owner = owner.x.owner
    return owner if isinstance(owner, packed.AllocOp) else None


def _is_static(type_: MemRefType[Any]) -> bool:
    return DYNAMIC_INDEX not in type_.get_shape()


def _signless(x: Array, dtype: np.dtype[Any]) -> Array:
    return x.view(dtype) if numpy_dtype(signless(element_type(x.dtype))) == dtype else x


__all__ = ["Kernel", "call_kernel", "run", "run_on", "symbols", "with_call_sizes"]
