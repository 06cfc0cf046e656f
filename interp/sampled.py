"""Interpreter of some iterations of a loop-level function, all of them at once, as numpy arrays.

A *row* is one combination of the chosen iterations of the loops of a nest; a scalar of the program
is an array with one element per row, as with the threads of the simt level, whose interpreter this
module extends.  Buffers that a nest allocates have one instance per row.  The chosen loops must be
independent, so races are not recorded.

Cost: 20 to 80 us for each op, for up to some hundred rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ..dialects import loop
from ..dialects.dtypes import buffer_bytes
from ..dialects.te.intrinsic import find_intrinsic
from .loop import run_intrinsic
from .memory import Array, fresh_buffer
from .simt import RULES_OF_THREADS, BlockRun, Rule
from .thread_memory import LocalBuffer, Memory, SharedBuffer, Value
from .thread_nests import Iterations
from .warpgroups import Warpgroups

_MOST_ROWS = 512
_MOST_LOCAL_BYTES = 64 << 20


def run_iterations(function: FuncOp, arrays: Sequence[Array], iterations: Iterations) -> None:
    """Run a loop-level function on buffers, but only some iterations of some loops.

    function: the function, whose sizes are numbers.  arrays: its arguments.
    iterations: for each loop that runs only partly, the numbers of its iterations to run; all other
    loops run completely.
    Errors: TilewrightError for an access outside its buffer, or for a read before a write.
    """
    block = function.body.block
    values: dict[SSAValue, Value] = {}
    for argument, array in zip(block.args, arrays, strict=True):
        name = f"%{argument.name_hint or 'argument'}"
        values[argument] = SharedBuffer(name, array.reshape(-1), array.shape)
    with np.errstate(all="ignore"):
        for op in block.ops:
            if isinstance(op, ReturnOp):
                break
            for rows in _rows_of(op, iterations):
                _RowsRun(values, rows).run_top(op)


def _rows_of(op: Operation, iterations: Iterations) -> Iterator[Mapping[loop.ForOp, Array]]:
    """Yield groups of rows: for each loop that runs only partly, the iteration number in each row.

    A group is limited in size, because each row has its own instance of the nest's buffers.
    """
    cut = [each for each in op.walk() if isinstance(each, loop.ForOp) and each in iterations]
    cut = [each for each in cut if iterations[each].size]
    points = list(product(*(iterations[each].tolist() for each in cut)))
    inner = sum(
        buffer_bytes(cast("MemRefType[Any]", each.res.type))
        for each in op.walk()
        if isinstance(each, loop.AllocOp) and each is not op
    )
    most = max(1, min(_MOST_ROWS, _MOST_LOCAL_BYTES // max(1, inner)))
    for first in range(0, len(points), most):
        group = points[first : first + most]
        columns = np.array(group, np.int64).reshape(len(group), len(cut)).T
        empty = {each: np.zeros(0, np.int64) for each in iterations if not iterations[each].size}
        yield {**empty, **dict(zip(cut, columns, strict=True))}


class _RowsRun(BlockRun):
    """The run of one op at the top level of a function for some rows.

    values: the values of the function, to which the results of the op are added.  iterations: for
    each loop that runs only partly, the iteration number in each row.
    """

    def __init__(
        self, values: dict[SSAValue, Value], iterations: Mapping[loop.ForOp, Array]
    ) -> None:
        self.values, self.iterations = values, iterations
        self.size = max((at.size for at in iterations.values()), default=1) or 1
        self.rows = np.arange(self.size)
        self.position, self.number, self.epoch = (0, 0, 0), 0, 0
        self.warpgroups = Warpgroups()
        self.depth = 0
        self._codes, self._code, self._loops = {}, {}, {}

    @property
    def rules(self) -> Mapping[type[Operation], Rule]:
        return _RULES

    def run_top(self, op: Operation) -> None:
        rule = self.rules.get(type(op))
        if isinstance(op, loop.AllocOp):
            type_ = cast("MemRefType[Any]", op.res.type)
            written = np.zeros(prod(type_.get_shape()), bool)
            elements = fresh_buffer(type_).reshape(-1)
            name = f"%{op.res.name_hint or 'local'}"
            self.values[op.res] = SharedBuffer(name, elements, type_.get_shape(), written)
        elif rule is not None:
            rule(self, op, None)
        else:
            self.evaluate(op)

    def run_loop(self, op: loop.ForOp, mask: Array | None) -> None:
        """Evaluate loop.for. A loop that runs only partly runs its body once, for all rows.

        The loop variable is then the array of the rows' iteration numbers.
        """
        chosen = self.iterations.get(op)
        if chosen is None:
            super().run_loop(op, mask)
        elif chosen.size:
            self.values[op.variable] = chosen
            self.run_block(op.body.block, mask)

    def alloc(self, op: loop.AllocOp, mask: Array | None) -> None:
        """Evaluate loop.alloc, by one buffer per row."""
        type_ = cast("MemRefType[Any]", op.res.type)
        rows = np.tile(fresh_buffer(type_).reshape(-1), (self.size, 1))
        name = f"%{op.res.name_hint or 'local'}"
        self.values[op.res] = LocalBuffer(name, rows, type_.get_shape(), np.zeros(rows.shape, bool))

    def is_constant(self, memory: Memory) -> bool:
        return isinstance(memory, SharedBuffer) and memory.is_written is None

    def _read(self, op: Operation, memory: Memory, places: Array, runs: Array) -> Array:
        # A vector may extend beyond the written elements if later ops ignore these lanes; buffers
        # start as NaN, so the results show lanes that are not ignored.
        first = places[..., :1]
        if isinstance(memory, LocalBuffer):
            rows = self.rows[runs][:, None]
            memory.check_read(op, rows, first)
            return memory.elements[rows, places]
        memory.check_written(op, first.reshape(-1))
        return memory.elements[places]

    def _write(
        self, op: Operation, memory: Memory, places: Array, runs: Array, values: Array
    ) -> None:
        if isinstance(memory, LocalBuffer):
            super()._write(op, memory, places, runs, values)
            return
        memory.elements[places] = values
        if memory.is_written is not None:
            memory.is_written[places] = True

    # ---- ops that only loop programs have

    def vector(self, value: SSAValue) -> Array:
        array = self.array(value)
        assert isinstance(value.type, VectorType), value
        return np.broadcast_to(array, (self.size, *value.type.get_shape()))

    def load(self, op: loop.LoadOp, mask: Array | None) -> None:
        if op.rows is None:
            super().load(op, mask)
            return
        memory, runs = cast(Memory, self.values[op.mem]), self._running(mask)
        parts = [self._read(op, memory, at[runs], runs) for at in self._tile(op, op.res.type)]
        out = np.zeros((self.size, len(parts), parts[0].shape[-1]), memory.elements.dtype)
        out[runs] = np.stack(parts, axis=1)
        self.values[op.res] = out

    def store(self, op: loop.StoreOp, mask: Array | None) -> None:
        if op.rows is None:
            super().store(op, mask)
            return
        memory, runs = cast(Memory, self.values[op.mem]), self._running(mask)
        for number, at in enumerate(self._tile(op, op.value.type)):
            self._write(op, memory, at[runs], runs, self.vector(op.value)[runs, number])

    def _running(self, mask: Array | None) -> Array:
        return np.ones(self.size, bool) if mask is None else mask

    def _tile(self, op: loop.LoadOp | loop.StoreOp, type_: object) -> Iterator[Array]:
        """Yield the offsets of the elements of each row of a tile, for all rows of the run."""
        assert isinstance(type_, VectorType), type_
        assert op.rows is not None, op
        count, width = type_.get_shape()
        memory = cast(Memory, self.values[op.mem])
        at, step = self.positions(op), op.step
        for _ in range(count):
            flat = np.zeros(self.size, np.int64)
            for index, size in zip(at, memory.shape, strict=True):
                flat = flat * size + index
            yield flat[:, None] + np.arange(width)
            at[op.rows.data] = at[op.rows.data] + step

    def prefetch(self, op: Operation, mask: Array | None) -> None: ...

    def transpose(self, op: loop.TransposeOp, mask: Array | None) -> None:
        columns = np.stack([self.vector(v) for v in op.values], axis=-1)
        for number, row in enumerate(op.rows):
            self.values[row] = columns[:, number]

    def use_intrinsic(self, op: loop.IntrinsicOp, mask: Array | None) -> None:
        """Evaluate loop.intrinsic by the definition of its te.intrinsic, row by row."""
        name = op.callee.string_value()
        intrinsic = find_intrinsic(op, name)
        assert intrinsic is not None, f"the module has no intrinsic @{name}"
        vectors = [self.vector(v) for v in op.arguments]
        made = [run_intrinsic(intrinsic, [v[row] for v in vectors]) for row in range(self.size)]
        self.values[op.res] = np.stack(made)


_RULES: Mapping[type[Operation], Rule] = {
    **RULES_OF_THREADS,
    loop.LoadOp: _RowsRun.load,
    loop.StoreOp: _RowsRun.store,
    loop.AllocOp: _RowsRun.alloc,
    loop.ForOp: _RowsRun.run_loop,
    loop.PrefetchOp: _RowsRun.prefetch,
    loop.TransposeOp: _RowsRun.transpose,
    loop.IntrinsicOp: _RowsRun.use_intrinsic,
}
