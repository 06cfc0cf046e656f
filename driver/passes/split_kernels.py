"""Kernels that a pass has split into several, or merged into one launch, and their arguments.

In: the calls of main before and after a pass.  Out: for each split kernel, its parts, with the
arguments of each part as numbers; for each merged kernel, the kernels that it computes.  Validation
compares the parts, one after the other, with the kernel that they replace, and a merged kernel with
the kernels that it computes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import FunctionType, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue

from ...dialects.dtypes import numpy_dtype
from ...dialects.loop import AllocOp
from ...dialects.packed import CallOp
from ...dialects.simt import launch_of
from ...interp import packed
from ...interp.scalar import random_array
from ...support.entry import entry_of

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True)
class SplitKernel:
    """A kernel whose calls a pass has replaced by calls of its parts, in sequence.

    name: the kernel.  count: the number of its arguments.
    parts: for each part, in the order of the calls, its name and the numbers of its arguments. A
    number is that of the kernel's argument; from ``count`` on, it is that of a buffer that several
    parts use.
    """

    name: str
    count: int
    parts: Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class MergedKernel:
    """A kernel of a GPU that computes several kernels in one launch, each in its own blocks.

    name: the kernel.
    parts: the name of each kernel that it computes, and the numbers of this kernel's arguments in
    the merged kernel.  last_blocks: for each part, the number of its last block.
    """

    name: str
    parts: Sequence[tuple[str, Sequence[int]]]
    last_blocks: Sequence[int]


@dataclass(frozen=True)
class _CallBefore:
    """A call of main before a pass, with the operands that it had."""

    op: CallOp
    name: str
    operands: Sequence[SSAValue]
    location: Attribute


class CallWatch:
    """The calls of main before a pass."""

    def __init__(self, module: ModuleOp) -> None:
        self._calls = [
            _CallBefore(op, op.kernel_name, tuple(op.arguments), op.location)
            for op in _calls(module)
        ]
        launches = {name: launch_of(kernel) for name, kernel in packed.symbols(module).items()}
        self._launches = {name: each for name, each in launches.items() if each is not None}

    def merges(self, module: ModuleOp) -> list[MergedKernel]:
        """Return the kernels that the pass has merged; ``module`` is the program after the pass."""
        calls = [*_calls(module)]
        remaining, names = {*calls}, {call.name for call in self._calls}
        gone = [call for call in self._calls if call.op not in remaining]
        found: dict[str, MergedKernel] = {}
        for op in calls:
            if op.kernel_name in names or op.kernel_name in found:
                continue
            values = list(op.arguments)
            parts = [call for call in gone if {*call.operands}.issubset(values)]
            if len(parts) > 1 and all(call.name in self._launches for call in parts):
                found[op.kernel_name] = self._merged(op.kernel_name, parts, values)
        return list(found.values())

    def _merged(
        self, name: str, parts: Sequence[_CallBefore], values: Sequence[SSAValue]
    ) -> MergedKernel:
        grids = [self._launches[call.name].grid[0].value or 0 for call in parts]
        last_blocks = [end - 1 for end in accumulate(grids)]
        numbers = [(call.name, [values.index(v) for v in call.operands]) for call in parts]
        return MergedKernel(name, numbers, last_blocks)

    def splits(self, module: ModuleOp) -> list[SplitKernel]:
        """Return the kernels that the pass has split; ``module`` is the program after the pass."""
        symbols, old = packed.symbols(module), {call.op for call in self._calls}
        known = {value for call in self._calls for value in call.operands}
        new = [op for op in _calls(module) if op not in old]
        found: dict[str, SplitKernel] = {}
        for call in self._calls:
            if call.name in symbols or call.name in found:
                continue
            given = set(call.operands)
            parts = [op for op in new if op.location == call.location]
            parts = [op for op in parts if given.issuperset(known.intersection(op.arguments))]
            names = [op.kernel_name for op in parts]
            if names and len({*names}) == len(names):
                found[call.name] = _split(call, parts)
        return list(found.values())


def _split(call: _CallBefore, parts: Sequence[CallOp]) -> SplitKernel:
    numbers: dict[SSAValue, int] = {}
    for number, value in enumerate(call.operands):
        numbers.setdefault(value, number)
    count = len(call.operands)
    for value in (value for op in parts for value in op.arguments):
        numbers.setdefault(value, max(count, len(numbers)))
    named = {op.kernel_name: tuple(numbers[v] for v in op.arguments) for op in parts}
    return SplitKernel(call.name, count, named)


def _calls(module: ModuleOp) -> Iterable[CallOp]:
    return (op for op in entry_of(module).walk() if isinstance(op, CallOp))


def joined(split: SplitKernel, parts: Mapping[str, FuncOp]) -> tuple[FuncOp, list[int]]:
    """Return a kernel that runs the parts of a split kernel in sequence, and its arguments.

    The arguments are those of the split kernel that some part uses, by their numbers; the other
    buffers are local.  parts: the parts by name, as functions of loops whose sizes are numbers.
    """
    types: dict[int, MemRefType] = {}
    for name, numbers in split.parts.items():
        arguments = parts[name].body.block.args
        types |= {n: cast(MemRefType, a.type) for n, a in zip(numbers, arguments, strict=True)}
    given = sorted(n for n in types if n < split.count)
    block = Block(arg_types=[types[n] for n in given])
    buffers: dict[int, SSAValue] = dict(zip(given, block.args, strict=True))
    for number in sorted(types.keys() - buffers.keys()):
        made = AllocOp.make(types[number])
        block.add_op(made)
        buffers[number] = made.res
    for name, numbers in split.parts.items():
        own = parts[name].body.block
        values: dict[SSAValue, SSAValue] = {
            argument: buffers[n] for argument, n in zip(own.args, numbers, strict=True)
        }
        block.add_ops(op.clone(values) for op in own.ops if not isinstance(op, ReturnOp))
    block.add_op(ReturnOp())
    type_ = FunctionType.from_lists(list(block.arg_types), [])
    return FuncOp(split.name, type_, Region(block)), given


def part_arguments(split: SplitKernel, part: FuncOp, given: Sequence[Array]) -> list[Array]:
    """Return arguments for one part of a split kernel; buffers between parts have random values.

    part: the part, whose sizes are numbers.  given: the arguments of the split kernel.
    """
    rng = np.random.default_rng(0)
    types = [cast(MemRefType, each.type) for each in part.body.block.args]
    numbers = split.parts[part.sym_name.data]
    return [
        given[n]
        if n < split.count
        else random_array(type_.get_shape(), numpy_dtype(type_.element_type), rng)
        for n, type_ in zip(numbers, types, strict=True)
    ]


def launched(parts: Mapping[str, FuncOp]) -> list[str]:
    """Return the names of the parts that are kernels of a GPU, with a launch."""
    return [name for name, part in parts.items() if launch_of(part) is not None]


class SplitCalls:
    """The calls of parts in one run of main, gathered into calls of the split kernels."""

    def __init__(self, splits: Iterable[SplitKernel]) -> None:
        self._by_part = {part: split for split in splits for part in split.parts}
        self._open: dict[str, list[_GatheredCall]] = {}

    def take(self, part: str, arrays: Sequence[Array]) -> _GatheredCall | None:
        """Add a call of a part; return the gathered call if the part is the last one.

        The arguments are copied, because a memory plan may reuse their memory for later parts.
        """
        split = self._by_part[part]
        waiting = self._open.setdefault(part, [])
        call = waiting.pop(0) if waiting else _GatheredCall(split, {}, {})
        for number, array in zip(split.parts[part], arrays, strict=True):
            if number < split.count and number not in call.arrays:
                call.arrays[number], call.copies[number] = array, array.copy()
        parts = list(split.parts)
        if part == parts[-1]:
            return call
        self._open.setdefault(parts[parts.index(part) + 1], []).append(call)
        return None

    def __contains__(self, part: str) -> bool:
        return part in self._by_part


@dataclass(frozen=True)
class _GatheredCall:
    """The arguments of the parts of a split kernel, by their numbers in the split kernel.

    arrays: the memory of the program.  copies: copies of their values.
    """

    split: SplitKernel
    arrays: dict[int, Array]
    copies: dict[int, Array]
