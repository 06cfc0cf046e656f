"""Interpreter of loop-level functions, with bounds checks and detection of races.

The iterations of loops run in order.  Scalars and vectors are numpy values of their exact type, so
f32 is rounded at every op; index values are int64.

The attributes of an op that runs often are decoded once per run: the rule returns a function that
reads the operands and stores the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import AffineMapAttr, MemRefType, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..dialects import loop, simt
from ..dialects.dtypes import numpy_dtype
from ..dialects.loop import lanes_of
from ..dialects.te.intrinsic import IntrinsicOp, find_intrinsic
from ..support.affine import Atom, Index
from ..support.diagnostics import TilewrightError
from .body import scalar_value
from .compute import run_compute, run_view
from .lanes import evaluator_of
from .memory import Array, Buffer, ParallelRun, fresh_buffer
from .sizes import with_shapes

Value: TypeAlias = "Array | Buffer"
Step: TypeAlias = Callable[[], None]
"""A function that runs one op."""

_INDEX_DTYPE = np.dtype(np.int64)


Instruction: TypeAlias = "Callable[..., Array]"
"""A function that simulates a te.intrinsic: from a vector per buffer to the output vector."""


def run_function(
    function: func.FuncOp,
    *arrays: Array,
    sizes: Mapping[str, int] | None = None,
    instructions: Mapping[str, Instruction] | None = None,
) -> None:
    """Run a function on buffers; it writes its outputs to the arrays.

    sizes: the values of size parameters; values that argument shapes determine may be omitted.
    instructions: functions that compute te.intrinsic ops of these names in place of their
    definitions, for simulators.
    Errors: TilewrightError for arguments of the wrong type, an access outside its buffer, or a
    race: one iteration of a parallel loop writes an element that another iteration accesses.
    """
    bound = cast(func.FuncOp, with_shapes(function, arrays, sizes))
    run_block(f"@{function.sym_name.data}", bound.body.block, arrays, instructions)


def run_block(
    name: str,
    block: Block,
    arrays: Sequence[Array],
    instructions: Mapping[str, Instruction] | None = None,
) -> None:
    """Run a block of loop-level ops; each block argument is an array.

    name: names the block in errors.  instructions: by the name of a te.intrinsic, a function that
    computes it in place of its definition.
    """
    machine = _Machine(instructions or {})
    if len(arrays) != len(block.args):
        raise TilewrightError(
            f"{name}: wrong number of arguments",
            expected=len(block.args),
            got=len(arrays),
            hint="pass the inputs, then the outputs",
        )
    for number, (argument, array) in enumerate(zip(block.args, arrays, strict=True)):
        label = f"%{argument.name_hint}" if argument.name_hint else f"argument {number}"
        machine.values[argument] = _argument(f"{label} of {name}", argument.type, array)
    with np.errstate(all="ignore"):
        machine.run_block(block)


def _argument(label: str, type_: Attribute, array: Array) -> Buffer:
    assert isinstance(type_, MemRefType), f"{label} is not a memref: {type_}"
    dtype, shape = numpy_dtype(type_.get_element_type()), type_.get_shape()
    if array.dtype != dtype or array.shape != shape or not array.flags.c_contiguous:
        raise TilewrightError(
            f"{label} has the wrong type",
            expected=f"contiguous {type_}",
            got=f"{array.dtype} {array.shape}",
            hint="convert with numpy.ascontiguousarray(x, dtype)",
        )
    return Buffer(label, array.reshape(-1), shape)


class _Machine:
    """The state of a run: the values so far, and the running parallel loops, outermost first.

    instructions: the functions that simulate te.intrinsic ops, by name.
    """

    def __init__(self, instructions: Mapping[str, Instruction]) -> None:
        self.instructions = instructions
        self.values: dict[SSAValue, Value] = {}
        self.parallel: list[ParallelRun] = []
        self.blocks: dict[Block, tuple[list[Step], list[SSAValue]]] = {}

    def run_block(self, block: Block) -> list[Array]:
        prepared = self.blocks.get(block)
        if prepared is None:
            prepared = self.blocks[block] = self._prepared(block)
        steps, results = prepared
        for step in steps:
            step()
        return [self.array(v) for v in results]

    def _prepared(self, block: Block) -> tuple[list[Step], list[SSAValue]]:
        steps: list[Step] = []
        for op in block.ops:
            if isinstance(op, loop.YieldOp | func.ReturnOp):
                return steps, list(op.operands)
            steps.append(self.step(op))
        return steps, []

    def step(self, op: Operation) -> Step:
        prepare = _PREPARED.get(type(op))
        if prepare is not None:
            return prepare(self, op)
        rule = _RULES.get(type(op))
        if rule is not None:
            return partial(rule, self, op)
        values, operands, result = self.values, list(op.operands), op.results[0]
        compute = evaluator_of(op)

        def run() -> None:
            values[result] = compute([cast(Array, values[v]) for v in operands])

        return run

    def array(self, value: SSAValue) -> Array:
        return cast(Array, self.values[value])

    def buffer(self, value: SSAValue) -> Buffer:
        return cast(Buffer, self.values[value])

    def index(self, index: Index, symbols: Sequence[SSAValue]) -> Callable[[], int]:
        """Return a function that evaluates an index expression.

        index: an expression in which number n stands for ``symbols[n]``.
        """
        values, first = self.values, index.const
        plain = [(symbols[k], c) for k, c in index.terms.items() if isinstance(k, int)]
        atoms = [(self._atom(k, symbols), c) for k, c in index.terms.items() if isinstance(k, Atom)]

        def total() -> int:
            found = first
            for symbol, factor in plain:
                found += factor * int(cast(Array, values[symbol]))
            for atom, factor in atoms:
                found += factor * atom()
            return found

        return total

    def _atom(self, atom: Atom, symbols: Sequence[SSAValue]) -> Callable[[], int]:
        inner, divisor = self.index(atom.operand, symbols), atom.divisor
        if atom.kind == "floordiv":
            return lambda: inner() // divisor
        return lambda: inner() % divisor

    def indices(self, map_: AffineMapAttr, symbols: Iterable[SSAValue]) -> Callable[[], list[int]]:
        known = list(symbols)
        each = [self.index(e, known) for e in loop.numbered_indices(map_.data)]
        return lambda: [one() for one in each]

    def size(self, op: loop.SizeOp) -> None:
        """Evaluate loop.size, whose expression is constant because all sizes are bound."""
        self.values[op.res] = np.array(op.dim.value, _INDEX_DTYPE)

    # ---- memory

    def read(self, op: Operation, buffer: Buffer, places: Sequence[int]) -> Array:
        for run in self.parallel[buffer.depth :]:
            run.read(op, buffer, places)
        return buffer.elements[_selection(places)].copy()

    def write(self, op: Operation, buffer: Buffer, places: Sequence[int], values: Array) -> None:
        for run in self.parallel[buffer.depth :]:
            run.write(op, buffer, places)
        buffer.elements[_selection(places)] = values

    def load(self, op: loop.LoadOp) -> Step:
        values, mem, res, type_ = self.values, op.mem, op.res, op.res.type
        indices, is_vector = self.indices(op.map, op.syms), isinstance(type_, VectorType)
        rows, width, is_guarded = op.rows, op.width, op.pad is not None
        active, stride = op.active_lanes, op.step

        def run() -> None:
            buffer, at = self.buffer(mem), indices()
            if rows is not None:
                places = _tile_places(op, buffer, at, type_)
                values[res] = np.stack([self.read(op, buffer, row) for row in places])
                return
            if is_guarded:
                lanes = self._guarded(op, buffer, at, active, stride)
            else:
                lanes = self.read(op, buffer, buffer.lane_offsets(op, at, active, stride))
            if active < width:
                lanes = np.concatenate([lanes, np.zeros(width - active, lanes.dtype)])
            values[res] = lanes if is_vector else lanes[0]

        return run

    def _guarded(
        self, op: loop.LoadOp, buffer: Buffer, indices: list[int], active: int, stride: int
    ) -> Array:
        assert op.pad is not None, "a guarded load has a pad value"
        lanes = np.full(active, scalar_value(op.pad), buffer.elements.dtype)
        for lane in range(active):
            at = [*indices[:-1], indices[-1] + lane * stride] if indices else []
            if buffer.inside(at):
                lanes[lane] = self.read(op, buffer, [buffer.offset(at)])[0]
        return lanes

    def store(self, op: loop.StoreOp) -> Step:
        values, mem, given, type_ = self.values, op.mem, op.value, op.value.type
        indices, clip, rows = self.indices(op.map, op.syms), op.clip_ranges(), op.rows
        lanes, stride = op.lanes.data if op.lanes else None, op.step

        def run() -> None:
            buffer, at = self.buffer(mem), indices()
            spans = zip(at, clip or (), strict=clip is not None)
            if not all(first <= i < end for i, (first, end) in spans):
                return
            value = np.atleast_1d(cast(Array, values[given]))
            if rows is not None:
                for row, places in zip(value, _tile_places(op, buffer, at, type_), strict=True):
                    self.write(op, buffer, places, row)
                return
            active = value.size if lanes is None else lanes
            places = buffer.lane_offsets(op, at, active, stride)
            self.write(op, buffer, places, value[:active])

        return run

    def alloc(self, op: loop.AllocOp) -> None:
        """Evaluate loop.alloc; its initial contents reveal a read before a write."""
        type_ = cast("MemRefType[Any]", op.res.type)
        name = f"%{op.res.name_hint or 'local'}"
        elements = fresh_buffer(type_).reshape(-1)
        self.values[op.res] = Buffer(name, elements, type_.get_shape(), len(self.parallel))

    def skip(self, op: Operation) -> None:
        """Skip a prefetch, or a barrier, which has no effect because statements run in order."""

    # ---- control

    def run_loop(self, op: loop.ForOp) -> Step:
        lower, upper = self.indices(op.lower, op.syms), self.indices(op.upper, op.syms)
        inits, block, results = list(op.inits), op.body.block, list(op.results)
        variable, *arguments = block.args
        shared = _collectives(block) if op.thread is not None else {}
        is_parallel, values = op.is_parallel, self.values

        def run() -> None:
            steps, carried = range(max(lower()), min(upper())), [self.array(v) for v in inits]
            race = ParallelRun(op) if is_parallel else None
            if race is not None:
                self.parallel.append(race)
            if shared:
                self.run_together(op, steps, shared)
                return
            for iteration in steps:
                if race is not None:
                    race.iteration = iteration
                values[variable] = np.asarray(iteration, _INDEX_DTYPE)
                values.update(zip(arguments, carried, strict=True))
                carried = self.run_block(block)
            if race is not None:
                self.parallel.pop()
            values.update(zip(results, carried, strict=True))

        return run

    def run_together(
        self, op: loop.ForOp, threads: range, shared: Mapping[Operation, IntrinsicOp]
    ) -> None:
        """Run a thread-bound loop that contains collective instructions.

        All threads run up to each collective instruction before any thread continues after it.
        threads: the values of the loop variable. shared: the intrinsic of each collective
        instruction.
        """
        own: list[dict[SSAValue, Value]] = [{} for _ in threads]
        for known, thread in zip(own, threads, strict=True):
            known[op.variable] = np.asarray(thread, _INDEX_DTYPE)
        segment: list[Operation] = []
        for each in [op for op in op.body.block.ops if not isinstance(op, loop.YieldOp)]:
            if each not in shared:
                segment.append(each)
                continue
            self._run_segment(segment, own)
            segment = []
            run_collective(each, shared[each], own)
        self._run_segment(segment, own)

    def _run_segment(self, ops: Sequence[Operation], own: Sequence[dict[SSAValue, Value]]) -> None:
        """Run ops, none of which is collective, for each thread.

        own: for each thread, the values that it has computed, to which the results are added.
        """
        steps = [(self.step(op), list(op.results)) for op in ops]
        for known in own:
            self.values.update(known)
            for step, results in steps:
                step()
                known.update({value: self.values[value] for value in results})

    def run_if(self, op: loop.IfOp) -> None:
        if self.array(op.condition):
            self.run_block(op.body.block)

    # ---- values

    def position(self, op: loop.IndexOp) -> Step:
        (expr,) = loop.numbered_indices(op.map.data)
        first, res, values = self.index(expr, list(op.syms)), op.res, self.values
        step, is_vector = op.step.data if op.step else 0, isinstance(op.res.type, VectorType)
        offsets = step * np.arange(lanes_of(op.res.type), dtype=_INDEX_DTYPE)

        def run() -> None:
            lanes = first() + offsets
            values[res] = lanes if is_vector else lanes[0]

        return run

    def transpose(self, op: loop.TransposeOp) -> None:
        columns = np.stack([self.array(v) for v in op.values]).T
        self.values.update(zip(op.rows, columns, strict=True))

    def use_intrinsic(self, op: loop.IntrinsicOp) -> Step:
        """Return the step that evaluates a loop.intrinsic.

        The step calls the function that simulates the intrinsic, or else runs its definition.
        """
        name = op.callee.string_value()
        arguments, res, simulated = list(op.arguments), op.res, self.instructions.get(name)
        if simulated is not None:
            return partial(self._simulate, simulated, arguments, res)
        intrinsic = find_intrinsic(op, name)
        if intrinsic is None:
            raise TilewrightError(
                f"the module has no intrinsic @{name}",
                hint="add a te.intrinsic of this name to the module",
            ).at(op)
        if intrinsic.is_collective:
            raise TilewrightError(
                f"several threads compute @{name} together",
                expected=f"a loop of {intrinsic.thread_count} threads around it",
                hint="bind a loop to threadIdx.x",
            ).at(op)
        compute = intrinsic_of(intrinsic)

        def run() -> None:
            self.values[res] = compute([self.array(v) for v in arguments])

        return run

    def _simulate(
        self, instruction: Instruction, arguments: Sequence[SSAValue], result: SSAValue
    ) -> None:
        self.values[result] = instruction(*(self.array(v) for v in arguments))


def run_intrinsic(intrinsic: IntrinsicOp, vectors: Sequence[Array]) -> Array:
    """Return the output vector of a te.intrinsic, given one vector per buffer."""
    return intrinsic_of(intrinsic)(vectors)


def intrinsic_of(intrinsic: IntrinsicOp) -> Callable[[Sequence[Array]], Array]:
    """Return the function of a te.intrinsic, from one vector per buffer to the output vector."""
    arguments = intrinsic.definition.block.args
    shapes = [cast("MemRefType[Any]", a.type).get_shape() for a in arguments]
    view, output, is_tile = intrinsic.compute.view(), intrinsic.compute.outs[0], intrinsic.is_tile

    def run(vectors: Sequence[Array]) -> Array:
        arrays = [v.reshape(shape).copy() for v, shape in zip(vectors, shapes, strict=True)]
        given: dict[SSAValue, Array | int] = dict(zip(arguments, arrays, strict=True))
        run_view(view, given)
        out = cast(Array, given[output])
        return out.reshape(len(out), -1) if is_tile else out.reshape(-1)

    return run


def _collectives(block: Block) -> dict[Operation, IntrinsicOp]:
    """Return the ops of a block that threads execute together, each with its intrinsic."""
    uses = [op for op in block.ops if isinstance(op, loop.IntrinsicOp)]
    found = {op: find_intrinsic(op, op.callee.string_value()) for op in uses}
    return {op: i for op, i in found.items() if i is not None and i.is_collective}


def run_collective(
    op: Operation, intrinsic: IntrinsicOp, threads: Sequence[dict[SSAValue, Value]]
) -> None:
    """Run an instruction that several threads execute together (a te.intrinsic with ``threads``).

    For each group of threads, assemble the buffers of the definition from the threads' registers,
    run the definition, and distribute its output.
    op: the call.  threads: for each thread, the values of the SSA values that it has computed; the
    result of the op is added to them.
    Errors: TilewrightError if the number of threads is not a multiple of the intrinsic's number of
    threads.
    """
    assert isinstance(op, loop.IntrinsicOp), op
    count = intrinsic.thread_count
    if len(threads) % count:
        raise TilewrightError(
            f"the threads are no whole groups that compute @{intrinsic.label}",
            expected=f"a multiple of {count}",
            got=len(threads),
            hint=f"bind a loop of {count} iterations to threadIdx.x",
        ).at(op)
    arguments = intrinsic.definition.block.args
    places = [np.moveaxis(np.array(intrinsic.places(n)), -1, 0) for n in range(len(arguments))]
    for first in range(0, len(threads), count):
        group = threads[first : first + count]
        given: dict[SSAValue, Array | int] = {}
        for argument, value, at in zip(arguments, op.arguments, places, strict=True):
            type_ = cast("MemRefType[Any]", argument.type)
            buffer = np.zeros(type_.get_shape(), numpy_dtype(type_.get_element_type()))
            buffer[tuple(at)] = np.stack([cast(Array, known[value]) for known in group])
            given[argument] = buffer
        run_compute(intrinsic.compute, given)
        result = intrinsic.compute.outs[0]
        own = cast(Array, given[result])[tuple(places[intrinsic.position_of(result)])]
        for known, registers in zip(group, own, strict=True):
            known[op.res] = registers


def _tile_places(
    op: loop.LoadOp | loop.StoreOp, buffer: Buffer, indices: Sequence[int], type_: Attribute
) -> Iterator[range]:
    """Yield the offsets of the elements of each row of a tile."""
    assert isinstance(type_, VectorType), type_
    assert op.rows is not None, op
    count, width = type_.get_shape()
    step, at = op.step, list(indices)
    for _ in range(count):
        yield buffer.lane_offsets(op, at, width, 1)
        at[op.rows.data] += step


def _selection(places: Sequence[int]) -> slice | list[int]:
    """Return the selection of places of an array; a slice is faster than a list."""
    if isinstance(places, range) and places.step > 0:
        return slice(places.start, places.stop, places.step)
    return list(places)


_PREPARED: Mapping[type[Operation], Callable[[_Machine, Any], Step]] = {
    loop.LoadOp: _Machine.load,
    loop.StoreOp: _Machine.store,
    loop.ForOp: _Machine.run_loop,
    loop.IndexOp: _Machine.position,
    loop.IntrinsicOp: _Machine.use_intrinsic,
}
"""The functions that decode an op and return its step."""

_RULES: Mapping[type[Operation], Callable[[_Machine, Any], None]] = {
    loop.AllocOp: _Machine.alloc,
    loop.PrefetchOp: _Machine.skip,
    simt.BarrierOp: _Machine.skip,
    loop.IfOp: _Machine.run_if,
    loop.TransposeOp: _Machine.transpose,
    loop.SizeOp: _Machine.size,
}
