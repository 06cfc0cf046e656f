"""Interpreter of the simt level: runs all threads of a block at once, as numpy arrays.

A scalar of the program is an array with one element per thread, and a vector is an array with one
row per thread.  Values that are equal in all threads, such as loop variables, are single elements.
A mask selects the threads that run an op.  The blocks of the grid run one after the other.

The interpreter reports accesses outside of buffers, reads of uninitialized elements, races between
threads of a block and between blocks, and barriers that not all threads reach.  Because all threads
run in lockstep, a missing barrier never changes a result; the access records of the buffers
(``thread_memory.py``) reveal it.

Cost: 1 to 3 million ops times threads per second.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, VectorType, f32
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import loop, simt
from ..dialects.dtypes import numpy_dtype
from ..dialects.loop import lanes_of
from ..support.affine import Index
from ..support.diagnostics import TilewrightError
from .body import scalar_value
from .lanes import evaluator_of
from .memory import Array, fresh_buffer
from .row_code import Code, fast_code
from .sizes import number_of
from .thread_memory import LocalBuffer, Memory, Race, SharedBuffer, Value
from .warpgroups import Warpgroups
from .wide_loops import NarrowLoop, WideLoop, wide_loop

_AccessOp: TypeAlias = loop.LoadOp | loop.StoreOp | simt.LoadMatrixOp | simt.MatrixDescriptorOp

_INDEX_DTYPE = np.dtype(np.int64)
_ALL: Any = slice(None)
"""The selection of all threads."""


def run_kernel(
    function: func.FuncOp, *arrays: Array, blocks: Collection[tuple[int, int, int]] | None = None
) -> None:
    """Run blocks of a GPU kernel on arrays; the kernel writes its outputs in place.

    blocks: the indices (x, y, z) of the blocks that run; None: all.
    Errors: TilewrightError for an access outside of a buffer, a read of an uninitialized element,
    or a barrier that not all threads reach; Race for two accesses of different threads or blocks to
    one element.
    """
    launch = simt.launch_of(function)
    assert launch is not None, f"@{function.sym_name.data} has no launch"
    grid = _Grid(function, launch, arrays)
    with np.errstate(all="ignore"):
        for z, y, x in product(*(range(number_of(n)) for n in reversed(launch.grid))):
            if blocks is None or (x, y, z) in blocks:
                grid.run((x, y, z))


class _Grid:
    """The global memory of a launch, with a record of the accesses of each block.

    constants: the arguments that the kernel only loads, so that no access to them is a race.
    """

    def __init__(
        self, function: func.FuncOp, launch: simt.LaunchSizes, arrays: Sequence[Array]
    ) -> None:
        self.function, self.launch = function, launch
        self.arguments: dict[SSAValue, SharedBuffer] = {}
        self.blocks: dict[SharedBuffer, SharedBuffer] = {}
        self.constants: set[SharedBuffer] = set()
        self.epoch = 0
        for argument, array in zip(function.body.block.args, arrays, strict=True):
            name = f"%{argument.name_hint or 'argument'}"
            buffer = SharedBuffer(name, array.reshape(-1), array.shape)
            self.arguments[argument] = buffer
            self.blocks[buffer] = SharedBuffer(
                f"{name} of another block, ", buffer.elements, buffer.shape
            )
            if all(isinstance(use.operation, loop.LoadOp) for use in argument.uses):
                self.constants.add(buffer)

    def run(self, block: tuple[int, int, int]) -> None:
        (x, y, _), (gx, gy, _) = block, map(number_of, self.launch.grid)
        self.epoch += 1
        number = (block[2] * gy + y) * gx + x
        run = BlockRun(self, block, number)
        run.run_block(self.function.body.block, None)
        self.epoch = run.epoch


class BlockRun:
    """The run of one block: the values of all threads, and the number of the current epoch.

    An epoch is the period between two barriers.  position, number: the index of the block in the
    grid, and its number in row-major order.
    """

    def __init__(self, grid: _Grid, position: tuple[int, int, int], number: int) -> None:
        self.grid, self.position, self.number = grid, position, number
        self.size = grid.launch.threads
        self.rows = np.arange(self.size)
        self.epoch = self.global_epoch = grid.epoch
        self.values: dict[SSAValue, Value] = dict(grid.arguments)
        self.group = 0
        self.copied: set[SharedBuffer] = set()
        self.warpgroups = Warpgroups()
        self.depth = 0
        self._codes: dict[Block, list[Code]] = {}
        self._code: dict[Operation, Code] = {}
        self._loops: dict[loop.ForOp, WideLoop | None] = {}

    @property
    def rules(self) -> Mapping[type[Operation], Rule]:
        """The functions that run ops, by the op's class."""
        return RULES_OF_THREADS

    def run_block(self, block: Block, mask: Array | None) -> list[SSAValue]:
        """Run the ops in order; return the operands of the terminator.

        mask: the threads that run the ops; None for all.
        """
        if mask is None:
            for code in self._codes_of(block):
                code()
        else:
            for op in block.ops:
                self._slow_code(op, mask)()
        last = block.last_op
        return list(last.operands) if isinstance(last, loop.YieldOp) else []

    def _codes_of(self, block: Block) -> list[Code]:
        """Return functions that run the ops of a block for all threads."""
        codes = self._codes.get(block)
        if codes is None:
            codes = self._codes[block] = [self.code_of(op) for op in block.ops]
        return codes

    def code_of(self, op: Operation) -> Code:
        """Return a function that runs an op for all threads."""
        code = self._code.get(op)
        if code is None:
            slow = self._slow_code(op, None)
            code = self._code[op] = fast_code(op, self, slow) or slow
        return code

    def _slow_code(self, op: Operation, mask: Array | None) -> Code:
        if isinstance(op, loop.YieldOp | func.ReturnOp):
            return _end
        rule = self.rules.get(type(op))
        return partial(self.evaluate, op) if rule is None else partial(rule, self, op, mask)

    def evaluate(self, op: Operation) -> None:
        """Evaluate an op on scalars or on the lanes of vectors."""
        operands = [self.array(v) for v in op.operands]
        self.values[op.results[0]] = evaluator_of(op)(operands)

    def transpose(self, op: loop.TransposeOp, _mask: Array | None) -> None:
        """Evaluate loop.transpose for all threads: each result has one lane of each operand."""
        columns = np.stack(np.broadcast_arrays(*map(self.array, op.values)), axis=-1)
        self.values.update((row, columns[..., n, :]) for n, row in enumerate(op.rows))

    def array(self, value: SSAValue) -> Array:
        """Return a scalar or vector SSA value as an array with one row per thread."""
        return np.asarray(self.values[value])

    # ---- indices

    def index(self, index: Index, symbols: Sequence[SSAValue]) -> Array:
        """Evaluate an index expression, once per thread; return one number per thread.

        index: an expression in which number n stands for ``symbols[n]``.
        """
        value = index.evaluate(lambda key: self.array(symbols[cast(int, key)]))
        return np.asarray(value, _INDEX_DTYPE)

    def size_(self, op: loop.SizeOp, mask: Array | None) -> None:
        """Evaluate loop.size, whose expression is constant because all sizes are bound."""
        self.values[op.res] = np.array(number_of(op.dim), _INDEX_DTYPE)

    def positions(self, op: _AccessOp) -> list[Array]:
        """Return the indices of an access: one array per dimension, with one element per thread."""
        symbols = list(op.syms)
        indices = [self.index(e, symbols) for e in loop.numbered_indices(op.map.data)]
        return [np.broadcast_to(i, (self.size,)) for i in indices]

    # ---- memory

    def load(self, op: loop.LoadOp, mask: Array | None) -> None:
        """Evaluate loop.load in the threads that ``mask`` selects; None selects all."""
        self._require_narrow()
        memory = cast(Memory, self.values[op.mem])
        width, active = op.width, op.active_lanes
        places, inside = self._places(op, memory.shape, active)
        out = np.zeros((self.size, width), memory.elements.dtype)
        runs = np.ones(self.size, bool) if mask is None else mask
        if op.pad is not None:
            out[:, :active] = scalar_value(op.pad)
        else:
            self._check_inside(op, memory, places, inside, runs)
        for lane in self._groups(inside[runs]):
            rows = runs & inside[:, lane].all(axis=1) if op.pad is not None else runs
            here = np.ix_(rows, np.asarray(lane))
            out[here] = self._read(op, memory, places[here], rows)
        self.values[op.res] = out if isinstance(op.res.type, VectorType) else out[:, 0]

    def _require_narrow(self) -> None:
        if self.depth:
            raise NarrowLoop

    @staticmethod
    def _groups(inside: Array) -> list[list[int]]:
        """Return groups of lanes; the lanes of a group are read by one access.

        All lanes form one group, unless some of them are out of bounds: then each lane is a group.
        """
        lanes = list(range(inside.shape[1]))
        return [lanes] if inside.all() else [[lane] for lane in lanes]

    def store(self, op: loop.StoreOp, mask: Array | None) -> None:
        """Evaluate loop.store in the threads that ``mask`` selects; None selects all."""
        self._require_narrow()
        memory = cast(Memory, self.values[op.mem])
        width, active = op.width, op.active_lanes
        runs = np.ones(self.size, bool) if mask is None else mask
        for index, (first, end) in zip(self.positions(op), op.clip_ranges() or (), strict=False):
            runs = runs & (index >= first) & (index < end)
        places, inside = self._places(op, memory.shape, active)
        self._check_inside(op, memory, places, inside, runs)
        value = self.array(op.value)
        lanes = value if isinstance(op.value.type, VectorType) else value[..., None]
        values = np.broadcast_to(lanes, (self.size, width))[runs, :active]
        self._write(op, memory, places[runs], runs, values)

    def _places(
        self,
        op: _AccessOp,
        shape: tuple[int, ...],
        lanes: int,
    ) -> tuple[Array, Array]:
        """Return the offset of each thread's lanes in a buffer, and whether each lane is in bounds.

        shape: the shape of the buffer.  lanes: the number of lanes of the access.
        """
        indices = self.positions(op)
        given = op.stride if isinstance(op, loop.LoadOp | loop.StoreOp) else None
        stride = given.data if given else 1
        steps = stride * np.arange(lanes, dtype=_INDEX_DTYPE)
        inside = np.ones((self.size, lanes), bool)
        flat = np.zeros((self.size, lanes), _INDEX_DTYPE)
        for number, (index, size) in enumerate(zip(indices, shape, strict=True)):
            is_last = number == len(shape) - 1
            column = index[:, None] + (steps if is_last else 0 * steps)
            inside &= (column >= 0) & (column < size)
            flat = flat * size + column
        return flat, inside

    def _check_inside(
        self, op: Operation, memory: Memory, places: Array, inside: Array, runs: Array
    ) -> None:
        """Raise an error for an access out of bounds; vectors may extend into the next row.

        places, inside: the offset of each thread's lanes in the buffer, and whether each lane is in
        bounds.
        runs: the threads that make the access.
        """
        total = memory.elements.shape[-1]
        bad = runs & ~(inside[:, 0] & (places[:, -1] >= 0) & (places[:, -1] < total))
        if bad.any():
            thread = int(np.flatnonzero(bad)[0])
            where = [int(i[thread]) for i in self.positions(cast(loop.LoadOp, op))]
            raise TilewrightError(
                f"access outside of {memory.name}",
                expected=f"indices below {list(memory.shape)}",
                got=f"{where} in thread {thread} of block {list(self.position)}",
                hint="shorten the loop, or guard the access with loop.if",
            ).at(op)

    def read(self, op: Operation, memory: Memory, places: Array) -> Array:
        """Return the elements of a load that all threads of the block execute.

        Raises an error for an uninitialized element, and for a race with an access that was
        recorded before. Reads of memory that several threads share are recorded, so that later
        accesses can detect races with them.
        op: the load, for error messages.
        memory: the buffer.
        places: the offsets of the elements in the buffer, as an array of shape (threads, lanes), or
        (lanes) if all threads read the same elements.
        """
        return self._read(op, memory, places, _ALL)

    def is_constant(self, memory: Memory) -> bool:
        """Return whether the kernel only loads from a buffer, so that no access is a race."""
        return memory in self.grid.constants

    def write(self, op: Operation, memory: Memory, places: Array, values: Array) -> None:
        """Write the elements of a store that all threads of the block execute.

        Raises an error for a race with an access that was recorded before. Writes to memory that
        several threads share are recorded, so that later accesses can detect races with them.
        op: the store, for error messages.
        memory: the buffer.
        places: the offsets of the elements in the buffer, as an array of shape (threads, lanes).
        values: the values of these elements, in the same shape.
        """
        self._write(op, memory, places, _ALL, values)

    def _read(self, op: Operation, memory: Memory, places: Array, runs: Array) -> Array:
        if isinstance(memory, LocalBuffer):
            rows = self.rows[runs][:, None]
            memory.check_read(op, rows, places)
            return memory.elements[rows, places]
        if memory not in self.grid.constants:
            threads = self.rows[runs]
            shape = np.broadcast_shapes(places.shape, (len(threads), 1))
            each = np.broadcast_to(places, shape)
            memory.read(op, each, threads, self._epoch_of(memory))
            if (shadow := self.grid.blocks.get(memory)) is not None:
                shadow.read(op, each, np.full(len(threads), self.number), 0)
        return memory.elements[places]

    def _write(
        self, op: Operation, memory: Memory, places: Array, runs: Array, values: Array
    ) -> None:
        if isinstance(memory, LocalBuffer):
            rows = self.rows[runs][:, None]
            memory.elements[rows, places] = values
            memory.is_written[rows, places] = True
            return
        threads = self.rows[runs]
        memory.write(op, places, threads, self._epoch_of(memory))
        if (shadow := self.grid.blocks.get(memory)) is not None:
            shadow.write(op, places, np.full(len(threads), self.number), 0)
        memory.elements[places] = values

    def _epoch_of(self, memory: SharedBuffer) -> int:
        return self.global_epoch if memory in self.grid.blocks else self.epoch

    def alloc(self, op: loop.AllocOp, mask: Array | None) -> None:
        """Evaluate loop.alloc, by one buffer per thread, or one buffer for the block."""
        type_ = op.res.type
        name, fresh = f"%{op.res.name_hint or op.scope.data}", fresh_buffer(type_).reshape(-1)
        if op.scope.data == "shared":
            written = np.zeros(fresh.size, bool)
            buffer = SharedBuffer(name, fresh, type_.get_shape(), written)
            self.warpgroups.place(buffer)
            self.values[op.res] = buffer
        else:
            rows = np.tile(fresh, (self.size, 1))
            written = np.zeros(rows.shape, bool)
            self.values[op.res] = LocalBuffer(name, rows, type_.get_shape(), written)

    # ---- control

    def run_loop(self, op: loop.ForOp, mask: Array | None) -> None:
        """Evaluate loop.for; the mask disables threads whose loops end earlier."""
        symbols = list(op.syms)
        low, high = (
            _combined(f, [self.index(e, symbols) for e in loop.numbered_indices(map_.data)])
            for f, map_ in ((np.maximum, op.lower), (np.minimum, op.upper))
        )
        if mask is not None and (low.ndim or high.ndim):
            high = np.where(mask, high, low)
        carried = [self.array(v) for v in op.inits]
        first, end = int(low.min()), int(high.max())
        wide = self._wide_loop(op) if mask is None and not (low.ndim or high.ndim) else None
        if wide is not None and end - first > 1:
            with suppress(NarrowLoop):
                carried = wide.run(self, first, end, carried)
                self.values.update(zip(op.results, carried, strict=True))
                return
        block = op.body.block
        for iteration in range(first, end):
            runs = np.asarray((low <= iteration) & (iteration < high))
            inner = mask if runs.all() else _both(mask, np.broadcast_to(runs, (self.size,)))
            values = [np.asarray(iteration, _INDEX_DTYPE), *carried]
            self.values.update(zip(block.args, values, strict=True))
            yielded = [self.array(v) for v in self.run_block(block, inner)]
            if not runs.all():
                yielded = [_where(runs, *pair) for pair in zip(yielded, carried, strict=True)]
            carried = yielded
        self.values.update(zip(op.results, carried, strict=True))

    def _wide_loop(self, op: loop.ForOp) -> WideLoop | None:
        if op not in self._loops:
            self._loops[op] = wide_loop(op)
        return self._loops[op]

    def run_if(self, op: loop.IfOp, mask: Array | None) -> None:
        """Evaluate loop.if in the threads that ``mask`` selects and whose condition is true."""
        condition = np.broadcast_to(self.array(op.condition), (self.size,))
        inner = _both(mask, condition)
        if inner.any():
            self.run_block(op.body.block, inner)

    def _require_all(self, op: Operation, mask: Array | None, what: str, it: str) -> None:
        """Raise an error if only some threads of the block reach an op.

        what: the name of the op in the message. it: its name in the hint.
        """
        if mask is not None and not mask.all():
            raise TilewrightError(
                f"not all threads reach {what}",
                expected=f"{self.size} threads",
                got=f"{int(mask.sum())} of block {list(self.position)}",
                hint=f"give the loop around {it} the same bounds in all threads",
            ).at(op)

    def barrier(self, op: simt.BarrierOp, mask: Array | None) -> None:
        """Evaluate simt.barrier, which starts a new epoch."""
        self._require_all(op, mask, "a barrier", "the barrier")
        # Epochs are unique in the launch, so records of earlier blocks never match.
        self.epoch += 1
        if op.fence.data != simt.FENCES[0]:
            self.global_epoch = self.epoch
        if op.fence.data == simt.ASYNC:
            self.warpgroups.show()

    def async_copy(self, op: simt.AsyncCopyOp, mask: Array | None) -> None:
        """Evaluate simt.async_copy; its elements may not be accessed before a wait."""
        self.load(op.load, mask)
        self.store(op.store, mask)
        memory = cast(SharedBuffer, self.values[op.store.mem])
        places, _ = self._places(op.store, memory.shape, lanes_of(op.load.res.type))
        memory.start_copy(places if mask is None else places[mask], self.group)
        self.copied.add(memory)

    def async_commit(self, op: Operation, mask: Array | None) -> None:
        """Evaluate simt.async_commit, which starts a new group."""
        self._require_all(op, mask, "a commit", "the commit")
        self.group += 1

    def async_wait(self, op: simt.AsyncWaitOp, mask: Array | None) -> None:
        """Evaluate simt.async_wait; raise an error unless ``mask`` selects all threads."""
        self._require_all(op, mask, "a wait", "the wait")
        for memory in self.copied:
            memory.end_copies(self.group - op.pending.data, self.epoch)

    def mma(self, op: simt.MmaOp, mask: Array | None) -> None:
        """Evaluate simt.mma: assemble the matrices of each warp, and distribute the result."""
        self._require_all(op, mask, "a matrix instruction", "it")
        shape, sums = op.shape, numpy_dtype(op.shape.sums)
        unsigned = op.lhs_unsigned is not None, op.rhs_unsigned is not None
        fragments = zip((op.lhs, op.rhs), (shape.lhs, shape.rhs), unsigned, strict=True)
        lhs, rhs = (self._matrices(v, f, sums, is_unsigned=u) for v, f, u in fragments)
        if op.element_type == f32:
            lhs, rhs = _tf32(lhs), _tf32(rhs)
        out = self._matrices(op.acc, shape.out, sums) + lhs @ rhs
        rows, columns = np.moveaxis(np.array(shape.out.places()), -1, 0)
        self.values[op.res] = out[:, rows, columns].reshape(self.size, -1)

    def load_matrix(self, op: simt.LoadMatrixOp, mask: Array | None) -> None:
        """Evaluate simt.load_matrix: each thread reads a row, and receives pairs of elements."""
        self._require_all(op, mask, "a load of matrices", "it")
        memory, count = cast(SharedBuffer, self.values[op.mem]), op.matrices
        places, inside = self._places(op, memory.shape, simt.ROW)
        lanes = self.rows % simt.WARP
        runs = lanes < simt.ROW * count
        self._check_inside(op, memory, places, inside, runs)
        rows = self._read(op, memory, places[runs], runs)
        matrices = rows.reshape(-1, count, simt.ROW, simt.ROW)
        if op.transposed:
            matrices = matrices.swapaxes(-1, -2)
        pairs = matrices.reshape(-1, count, simt.WARP, 2).swapaxes(1, 2)
        self.values[op.res] = pairs.reshape(self.size, 2 * count)

    def descriptor(self, op: simt.MatrixDescriptorOp, mask: Array | None) -> None:
        """Evaluate simt.matrix_descriptor for all threads, even if ``mask`` selects only some."""
        memory = cast(SharedBuffer, self.values[op.mem])
        places, inside = self._places(op, memory.shape, 1)
        self._check_inside(op, memory, places, inside, np.ones(self.size, bool))
        self.values[op.res] = self.warpgroups.descriptor(memory, places[:, 0], op.fields)

    def warpgroup_mma(self, op: simt.WarpgroupMmaOp, mask: Array | None) -> None:
        """Evaluate simt.warpgroup_mma: read operands now; they stay in use until a wait."""
        self._require_all(op, mask, "a product of warpgroups", "it")
        sides = [
            np.stack([np.broadcast_to(self.array(v), (self.size,)) for v in values], axis=-1)
            .reshape(-1, simt.WARPGROUP, len(values))
            for values in (op.lhs, op.rhs)
        ]  # fmt: skip
        if any((side != side[:, :1]).any() for side in sides):
            raise TilewrightError(
                "the threads of a warpgroup have different descriptors",
                expected="indices that are equal in all threads of the warpgroup",
                hint="use the number of the warpgroup, not that of the warp",
            ).at(op)
        groups = [[lhs[0], rhs[0]] for lhs, rhs in zip(*sides, strict=True)]
        operands = self.warpgroups.start(op, groups, self.epoch, self.size)
        terms = np.stack([lhs @ rhs for lhs, rhs in operands])
        terms = terms.reshape(-1, simt.OUT.rows, op.columns)
        rows, columns = np.moveaxis(np.array(simt.OUT.places()), -1, 0)
        for number, (acc, res) in enumerate(zip(op.acc, op.res, strict=True)):
            part = terms[..., simt.OUT.columns * number :][..., : simt.OUT.columns]
            out = self._matrices(acc, simt.OUT, np.dtype(np.float32)) + part
            self.values[res] = out[:, rows, columns].reshape(self.size, -1)

    def warpgroup_wait(self, op: simt.WarpgroupWaitOp, mask: Array | None) -> None:
        """Evaluate simt.warpgroup_wait; raise an error unless ``mask`` selects all threads."""
        self._require_all(op, mask, "a wait of warpgroups", "it")
        self.warpgroups.wait(op.pending.data)
        for value, res in zip(op.values, op.res, strict=True):
            self.values[res] = self.array(value)

    def shuffle(self, op: simt.ShuffleOp, mask: Array | None) -> None:
        """Evaluate simt.shuffle: the running threads of each warp exchange values."""
        runs = np.ones(self.size, bool) if mask is None else mask
        by_warp = runs.reshape(-1, simt.WARP)
        if (split := by_warp.any(axis=1) != by_warp.all(axis=1)).any():
            warp = int(np.flatnonzero(split)[0])
            raise TilewrightError(
                "not all threads of a warp reach a shuffle",
                expected=f"{simt.WARP} threads",
                got=f"{int(by_warp[warp].sum())} of warp {warp} of block {list(self.position)}",
                hint="give the loops and branches around it one condition per warp",
            ).at(op)
        values = np.broadcast_to(self.array(op.value), (self.size,))
        self.values[op.res] = values[self.rows ^ op.mask.data]

    def _matrices(
        self,
        value: SSAValue,
        fragment: simt.Fragment,
        dtype: np.dtype[Any],
        *,
        is_unsigned: bool = False,
    ) -> Array:
        """Return the matrix of each warp, assembled from the registers of its threads.

        value: the fragments of all threads.  fragment: which element each register holds.
        is_unsigned: whether integers are unsigned.
        """
        shape = (self.size // fragment.threads, fragment.threads, fragment.registers)
        parts = np.broadcast_to(self.array(value), (self.size, fragment.registers))
        if is_unsigned:
            parts = parts.view(np.uint8)
        matrices = np.zeros((shape[0], fragment.rows, fragment.columns), dtype)
        rows, columns = np.moveaxis(np.array(fragment.places()), -1, 0)
        matrices[:, rows, columns] = parts.astype(dtype).reshape(shape)
        return matrices

    # ---- values

    def thread_id(self, op: simt.ThreadIdOp, mask: Array | None) -> None:
        """Evaluate simt.thread_id for all threads, even if ``mask`` selects only some."""
        x, y, _ = self.grid.launch.block
        columns = (self.rows % x, self.rows // x % y, self.rows // (x * y))
        self.values[op.res] = columns[op.position]

    def block_id(self, op: simt.BlockIdOp, mask: Array | None) -> None:
        """Evaluate simt.block_id for all threads, even if ``mask`` selects only some."""
        self.values[op.res] = np.asarray(self.position[op.position], _INDEX_DTYPE)

    def constant(self, op: arith.ConstantOp, mask: Array | None) -> None:
        """Evaluate arith.constant for all threads, even if ``mask`` selects only some."""
        value = op.value
        if isinstance(value, DenseIntOrFPElementsAttr):
            dtype = numpy_dtype(value.get_element_type())
            lanes = np.asarray(list(value.get_values()), dtype)
            self.values[op.result] = np.broadcast_to(lanes, (lanes_of(op.result.type),))
        else:
            self.values[op.result] = scalar_value(value)

    def position_(self, op: loop.IndexOp, mask: Array | None) -> None:
        """Evaluate loop.index for all threads, even if ``mask`` selects only some."""
        (expr,) = loop.numbered_indices(op.map.data)
        first = self.index(expr, list(op.syms))
        if isinstance(op.res.type, VectorType):
            step = op.step.data if op.step else 0
            first = first[..., None] + step * np.arange(lanes_of(op.res.type), dtype=_INDEX_DTYPE)
        self.values[op.res] = first


def _tf32(x: Array) -> Array:
    """Round f32 to 10 bits of fraction, to nearest, ties away from zero."""
    rounded = ((x.view(np.uint32) + np.uint32(1 << 12)) & np.uint32(0xFFFFE000)).view(np.float32)
    return np.where(np.isnan(x), x, rounded)


def _end() -> None:
    """Run a terminator, whose operands the enclosing op reads."""


def _combined(function: Callable[..., Array], bounds: Sequence[Array]) -> Array:
    out = bounds[0]
    for bound in bounds[1:]:
        out = function(out, bound)
    return out


def _both(mask: Array | None, other: Array) -> Array:
    return other if mask is None else mask & other


def _where(runs: Array, new: Array, old: Array) -> Array:
    wide = max(new.ndim, old.ndim)
    return np.where(runs.reshape(runs.shape + (1,) * (wide - 1)) if wide > 1 else runs, new, old)


Rule: TypeAlias = Callable[[Any, Any, "Array | None"], None]

RULES_OF_THREADS: Mapping[type[Operation], Rule] = {
    simt.ThreadIdOp: BlockRun.thread_id,
    simt.BlockIdOp: BlockRun.block_id,
    simt.BarrierOp: BlockRun.barrier,
    simt.AsyncCopyOp: BlockRun.async_copy,
    simt.AsyncCommitOp: BlockRun.async_commit,
    simt.AsyncWaitOp: BlockRun.async_wait,
    simt.ShuffleOp: BlockRun.shuffle,
    simt.MmaOp: BlockRun.mma,
    simt.LoadMatrixOp: BlockRun.load_matrix,
    simt.MatrixDescriptorOp: BlockRun.descriptor,
    simt.WarpgroupMmaOp: BlockRun.warpgroup_mma,
    simt.WarpgroupWaitOp: BlockRun.warpgroup_wait,
    arith.ConstantOp: BlockRun.constant,
    loop.LoadOp: BlockRun.load,
    loop.StoreOp: BlockRun.store,
    loop.AllocOp: BlockRun.alloc,
    loop.ForOp: BlockRun.run_loop,
    loop.IfOp: BlockRun.run_if,
    loop.IndexOp: BlockRun.position_,
    loop.SizeOp: BlockRun.size_,
    loop.TransposeOp: BlockRun.transpose,
}

__all__ = ["Race", "run_kernel"]
