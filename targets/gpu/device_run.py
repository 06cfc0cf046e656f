"""One run of main on a device: execute the ops of the host program on device addresses.

A kernel may read 16 bytes at once, so its arguments must start at multiples of the alignment that
the device requires. A slice may start elsewhere: the launch then gets a copy of it, and the result
is copied back.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from math import prod
from typing import TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import packed
from ...dialects.dtypes import buffer_bytes, numpy_dtype
from ...dialects.loop import SizeOp
from ...interp.extern import Functions, run_extern
from ...interp.indices import check_indices
from ...interp.sizes import bind_computed, iteration, number_of
from ...runtime.abi.ndarray import Array, DeviceArray
from ...runtime.device.kernels import Place
from ...support.affine import Key
from .call_memory import CallMemory
from .open_device import OpenDevice, new_block

Observe: TypeAlias = Callable[[Operation, int], None]
"""A function that gets each op whose work is queued, and its number of blocks."""


def _memref(value: SSAValue) -> MemRefType:
    assert isinstance(value.type, MemRefType), "main is in buffer form"
    return value.type


class DeviceRun:
    """One run of the main function of a program.

    The sizes of main are constants, or computed by main during the run.
    functions: the functions that packed.extern calls.  memory: holds the address of each buffer.
    observe: called when the work of an op is queued, with the op and its number of blocks.
    is_fixed: whether all work so far was launches and copies within the memory of the call, which
    do not depend on values of elements, so that another run queues the same work.
    """

    def __init__(
        self,
        opened: OpenDevice,
        functions: Functions,
        memory: CallMemory,
        observe: Observe | None = None,
    ) -> None:
        self._device, self._functions, self._observe = opened, functions, observe
        self._memory, self._buffers = memory, memory.addresses
        self._numbers: dict[Key, int] = {}
        self._host: dict[SSAValue, Array] = {}
        self.is_fixed = True

    def run(self, block: Block) -> list[int]:
        """Run the ops of a block; return the addresses of the buffers that it yields."""
        for op in block.ops:
            if isinstance(op, ReturnOp | packed.YieldOp):
                return [self._buffers[value] for value in op.operands]
            made = self._run(op)
            self._buffers.update(zip(op.results, made, strict=False))
        return []

    def _run(self, op: Operation) -> Sequence[int]:
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
                return [self._buffers[op.x] + at * buffer_bytes(_memref(op.res))]
            case packed.IfOp():
                holds = bool(self._read(op.condition).item())
                return self.run((op.then if holds else op.otherwise).block)
            case packed.LoopOp():
                return self._loop(op)
            case _:
                self._work(op)
                return ()

    def _work(self, op: Operation) -> None:
        """Run one op that has no results; inform the observer."""
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
        return self._device.buffer(self._buffers[value], value.type)

    def _write(self, op: packed.CopyOp | packed.ConcatOp | packed.NumberOp) -> None:
        assert op.target is not None, "main is in buffer form"
        if isinstance(op, packed.CopyOp):
            self._copy(op)
            return
        target = self._buffers[op.target]
        if isinstance(op, packed.NumberOp):
            self.is_fixed = False
            self._device.write(target, np.array(self._numbers[op.number]))
        else:
            self._concat(op, target)

    def _copy(self, op: packed.CopyOp) -> None:
        """Copy a buffer within the device, from the device to the host, or back."""
        if op.target in self._host:
            self.is_fixed = False
            self._device.read(self._buffers[op.source], self._host[op.target])
        elif op.source in self._host:
            self.is_fixed = False
            self._device.write(self._buffers[op.target], self._host[op.source])
        else:
            size_bytes = buffer_bytes(_memref(op.target))
            self._device.copy(self._buffers[op.target], self._buffers[op.source], size_bytes)

    def _concat(self, op: packed.ConcatOp, target: int) -> None:
        """Concatenate the operands row by row; a row spans the axes from the concatenated axis on.

        target: the device address of the result.
        """
        rows = prod(_memref(op.xs[0]).get_shape()[: op.axis])
        sizes = [buffer_bytes(_memref(x)) // max(1, rows) for x in op.xs]
        for row in range(rows):
            for x, size in zip(op.xs, sizes, strict=True):
                self._device.copy(target, self._buffers[x] + row * size, size)
                target += size

    def _launch(self, op: packed.CallOp) -> None:
        if not number_of(op.condition):
            return
        facts = self._device.facts[op.kernel_name]
        sizes = dict(zip(facts.sizes, map(number_of, op.sizes), strict=True))
        x, y, z = self._device.grid_of(op.kernel_name, sizes)
        copies = {value: self._copied(value) for value in op.arguments if self._is_part(value)}
        arguments = [
            copies[value]
            if value in copies
            else Place.of(self._buffers[value], buffer_bytes(_memref(value)))
            for value in op.arguments
        ]
        numbers = [ctypes.c_int64(number.evaluate(sizes)) for number in facts.numbers]
        kernel = self._device.kernels[facts.symbol]
        shared_bytes = facts.shared_bytes
        kernel(*arguments, *numbers, grid=(x, y, z), block=facts.block, shared_bytes=shared_bytes)
        for value, made in copies.items():
            self._device.copy(self._buffers[value], made.address, made.size)
        if self._observe is not None:
            self._observe(op, x * y * z)

    def _is_part(self, value: SSAValue) -> bool:
        """Return whether a buffer starts at an address that is not aligned for launches."""
        return self._buffers[value] % self._device.alignment_bytes != 0

    def _copied(self, value: SSAValue) -> DeviceArray:
        """Return a copy of a buffer in new device memory, which lives until the work is queued."""
        self.is_fixed = False
        made = new_block(buffer_bytes(_memref(value)), self._device.device)
        self._device.copy(made.address, self._buffers[value], made.size)
        return made

    def _check(self, op: packed.CheckIndicesOp) -> None:
        sizes = [number_of(size) for size in op.sizes]
        if op.bounds is not None:
            sizes = self._read(op.bounds).tolist()
        check_indices(op.place, self._read(op.x), sizes, wraps=op.wraps)

    def _loop(self, op: packed.LoopOp) -> Sequence[int]:
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
        """Assign the buffers of a copied loop the addresses of the original loop's buffers."""
        for old, new in zip(op.walk(), copy.walk(), strict=True):
            for result, same in zip(old.results, new.results, strict=True):
                if result in self._buffers:
                    self._buffers[same] = self._buffers[result]
