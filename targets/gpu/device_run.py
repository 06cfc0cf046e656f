"""One run of main on a device: execute the ops of the host program as steps on addresses.

A kernel may read 16 bytes at once, so its arguments must start at multiples of the alignment that
the device requires. A slice may start elsewhere: the launch then gets a copy of it, and the result
is copied back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from math import prod
from typing import Protocol, TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import packed
from ...dialects.dtypes import buffer_bytes, numpy_dtype
from ...dialects.loop import SizeOp
from ...interp.extern import Functions, run_extern
from ...interp.sizes import bind_computed, iteration, number_of
from ...machines.gpu import Grid
from ...runtime.abi.ndarray import Array
from ...runtime.device.launch_list import BufferAddress, CopyStep, IndexCheck, LaunchStep, Step
from ...support.affine import Key
from .call_memory import CallMemory, ProgramMemory
from .code import KernelFacts

Observe: TypeAlias = Callable[[Operation, int], None]
"""A function that gets each op whose work is queued, and its number of blocks."""


def _memref(value: SSAValue) -> MemRefType:
    assert isinstance(value.type, MemRefType), "main is in buffer form"
    return value.type


class RunDevice(ProgramMemory, Protocol):
    """A device on which main runs: an `OpenDevice`, or a `RecordedDevice`, which only records."""

    @property
    def facts(self) -> Mapping[str, KernelFacts]:
        """The launch description of each kernel, by the kernel's name."""
        ...

    @property
    def alignment_bytes(self) -> int:
        """The alignment of each buffer argument of a kernel."""
        ...

    def grid_of(self, kernel: str, sizes: Mapping[str, int]) -> Grid:
        """Return the grid for a launch of a kernel; see `KernelFacts.launched`."""
        ...

    def queue_step(self, step: Step, starts: Sequence[int]) -> None:
        """Queue a step of the program.

        starts: the device address of each region of the program's memory.
        """
        ...

    def check(self, check: IndexCheck, starts: Sequence[int]) -> None:
        """Check the indices in a tensor on the device.

        starts: the device address of each region of the program's memory.
        """
        ...

    def buffer(self, address: int, type_: Attribute) -> Array:
        """Copy a buffer of the device to the host, and return it as an array."""
        ...

    def read(self, address: int, array: Array) -> None:
        """Copy from the device to a contiguous array, after all queued work."""
        ...

    def write(self, address: int, array: Array) -> None:
        """Copy a contiguous array to the device."""
        ...


class DeviceRun:
    """One run of the main function of a program.

    The sizes of main are constants, or computed by main during the run.
    functions: the functions that packed.extern calls.  memory: holds the address of each buffer.
    observe: called when the work of an op is queued, with the op and its number of blocks.
    steps: the queued launches and copies.  checks: the checks of indices in inputs.
    is_fixed: whether every run with valid indices queues the same steps, because no step depends on
    values of elements or uses memory outside of the call.
    """

    def __init__(
        self,
        device: RunDevice,
        functions: Functions,
        memory: CallMemory,
        observe: Observe | None = None,
    ) -> None:
        self._device, self._functions, self._observe = device, functions, observe
        self._memory, self._buffers = memory, memory.addresses
        self.steps: list[Step] = []
        self.checks: list[IndexCheck] = []
        self._numbers: dict[Key, int] = {}
        self._host: dict[SSAValue, Array] = {}
        self.is_fixed = True

    def run(self, block: Block) -> list[BufferAddress]:
        """Run the ops of a block; return the addresses of the buffers that it yields."""
        for op in block.ops:
            if isinstance(op, ReturnOp | packed.YieldOp):
                return [self._buffers[value] for value in op.operands]
            made = self._run(op)
            self._buffers.update(zip(op.results, made, strict=False))
        return []

    def _run(self, op: Operation) -> Sequence[BufferAddress]:
        """Run one op; return the addresses of the buffers that are its results."""
        match op:
            case packed.AllocOp() if op.is_host:
                type_ = _memref(op.res)
                self._host[op.res] = np.empty(type_.get_shape(), numpy_dtype(type_.element_type))
                return ()
            case packed.ConstantOp() | packed.AllocOp():
                return [self._buffers[op.res]]
            case packed.ViewOp():
                return [self._buffers[op.x]]
            case packed.SliceOp():
                at = op.index.const + sum(c * self._numbers[k] for k, c in op.index.terms.items())
                return [self._buffers[op.x].plus(at * buffer_bytes(_memref(op.res)))]
            case packed.IfOp():
                holds = bool(self._read(op.condition).item())
                return self.run((op.then if holds else op.otherwise).block)
            case packed.LoopOp():
                return self._loop(op)
            case _:
                self._work(op)
                return ()

    def _work(self, op: Operation) -> None:
        """Run one op that has no results, and report it to the observer."""
        match op:
            case packed.CopyOp() | packed.ConcatOp() | packed.NumberOp():
                self._write(op)
            case packed.CallOp():
                self._launch(op)
            case packed.SectionsOp():
                for call in op.calls:
                    self._launch(call)
            case packed.ExternOp():
                self.is_fixed = False
                run_extern(op, [self._host[value] for value in op.arguments], self._functions)
            case packed.CheckIndicesOp():
                self._check(op)
            case packed.BindOp():
                bind_computed(op, self._read(op.x))
                self._memory.begin_stage()
            case SizeOp():
                self._numbers[op.res] = number_of(op.dim)
            case _:
                raise AssertionError(f"emission.py refuses {op.name}")
        if self._observe is not None and not isinstance(op, packed.CallOp | packed.SectionsOp):
            self._observe(op, 1)

    def _read(self, value: SSAValue) -> Array:
        """Copy a buffer to the host, and return its elements."""
        self.is_fixed = False
        return self._device.buffer(self._memory.start(value), value.type)

    def _write(self, op: packed.CopyOp | packed.ConcatOp | packed.NumberOp) -> None:
        assert op.target is not None, "main is in buffer form"
        if isinstance(op, packed.CopyOp):
            self._copy(op)
            return
        if isinstance(op, packed.NumberOp):
            self.is_fixed = False
            start = self._memory.start(op.target)
            self._device.write(start, np.array(self._numbers[op.number]))
        else:
            self._concat(op, self._buffers[op.target])

    def _copy(self, op: packed.CopyOp) -> None:
        """Copy a buffer within the device, from the device to the host, or back."""
        if op.target in self._host:
            self.is_fixed = False
            self._device.read(self._memory.start(op.source), self._host[op.target])
        elif op.source in self._host:
            self.is_fixed = False
            self._device.write(self._memory.start(op.target), self._host[op.source])
        else:
            size_bytes = buffer_bytes(_memref(op.target))
            self._add(CopyStep(self._buffers[op.target], self._buffers[op.source], size_bytes))

    def _add(self, step: Step) -> None:
        """Queue a step, and record it."""
        self.steps.append(step)
        self._device.queue_step(step, self._memory.starts)

    def _concat(self, op: packed.ConcatOp, target: BufferAddress) -> None:
        """Concatenate the operands row by row; a row spans the axes from the concatenated axis on.

        target: the address of the result.
        """
        rows = prod(_memref(op.xs[0]).get_shape()[: op.axis])
        sizes = [buffer_bytes(_memref(x)) // max(1, rows) for x in op.xs]
        for row in range(rows):
            for x, size in zip(op.xs, sizes, strict=True):
                self._add(CopyStep(target, self._buffers[x].plus(row * size), size))
                target = target.plus(size)

    def _launch(self, op: packed.CallOp) -> None:
        if not number_of(op.condition):
            return
        facts = self._device.facts[op.kernel_name]
        sizes = dict(zip(facts.sizes, map(number_of, op.sizes), strict=True))
        x, y, z = self._device.grid_of(op.kernel_name, sizes)
        # An unaligned argument is passed as a copy, which is copied back after the launch.
        copies = {
            value: self._memory.scratch(number, buffer_bytes(_memref(value)))
            for number, value in enumerate(op.arguments)
            if self._is_part(value)
        }
        for value, copy in copies.items():
            self._add(CopyStep(copy, self._buffers[value], buffer_bytes(_memref(value))))
        buffers = tuple(
            (copies.get(value, self._buffers[value]), buffer_bytes(_memref(value)))
            for value in op.arguments
        )
        numbers = tuple(number.evaluate(sizes) for number in facts.numbers)
        grid, block = (x, y, z), facts.block
        self._add(LaunchStep(facts.symbol, grid, block, buffers, numbers, facts.shared_bytes))
        for value, copy in copies.items():
            self._add(CopyStep(self._buffers[value], copy, buffer_bytes(_memref(value))))
        if self._observe is not None:
            self._observe(op, x * y * z)

    def _is_part(self, value: SSAValue) -> bool:
        """Return whether a buffer starts at an address that is not aligned for launches."""
        return self._memory.start(value) % self._device.alignment_bytes != 0

    def _check(self, op: packed.CheckIndicesOp) -> None:
        sizes = [number_of(size) for size in op.sizes]
        if op.bounds is not None:
            sizes = self._read(op.bounds).tolist()
        address, type_ = self._buffers[op.x], _memref(op.x)
        dtype, shape = numpy_dtype(type_.element_type).name, tuple(type_.get_shape())
        check = IndexCheck(address, dtype, shape, tuple(sizes), op.wraps, op.place)
        if self._memory.is_input(address):
            self.checks.append(check)
        else:
            self.is_fixed = False
        self._device.check(check, self._memory.starts)

    def _loop(self, op: packed.LoopOp) -> Sequence[BufferAddress]:
        buffers = [self._buffers[value] for value in op.inits]
        steps: Iterable[int] = count() if op.steps is None else range(number_of(op.steps))
        if op.trip is not None:
            steps = range(int(self._read(op.trip).item()))
        condition = op.condition
        holds = condition is None or bool(self._read(condition).item())
        for number in steps:
            if not holds:
                break
            step = iteration(op, number)
            if step is not op:
                self._place_copy(op, step)
            self._numbers[step.number] = number
            self._buffers.update(zip(step.carried, buffers, strict=True))
            buffers = self.run(step.body.block)
            if condition is not None:
                yielded = cast(packed.YieldOp, step.body.block.last_op).values[0]
                holds = bool(self._read(yielded).item())
                buffers = buffers[1:]
        return buffers

    def _place_copy(self, op: packed.LoopOp, copy: packed.LoopOp) -> None:
        """Give the buffers of a copied loop the addresses of the buffers of the original loop."""
        for old, new in zip(op.walk(), copy.walk(), strict=True):
            for result, same in zip(old.results, new.results, strict=True):
                if result in self._buffers:
                    self._buffers[same] = self._buffers[result]
