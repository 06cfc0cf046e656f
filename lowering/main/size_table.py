"""The table of sizes of one call: the i64 values of symbols, size expressions and offsets.

    status = tw_derive(sizes, stage)

The entry code stores the symbols that the arguments determine at the start of the table.  It then
calls ``tw_derive`` for stage 0, which computes what depends only on them: the argument dimensions
that are expressions, the bytes of the arena, and every other size and offset that main, the
program's host function, uses.  Each packed.bind of main stores one more symbol and begins the next
stage, in which ``tw_derive`` computes the entries that this symbol makes known.  Each stage has its
own block of the arena for the buffers whose sizes it makes known, so that no buffer moves during a
run.

Sizes in the body of a loop may depend on its iteration number, which is a symbol. At the start of
each iteration, main calls

    status = tw_iterate_0(sizes, number)

which stores the number and computes the entries that depend on it.

``tw_derive`` returns 1 if a value may overflow 64 bits, 2 if a buffer would have a negative size,
and 0 otherwise.  Main and its kernels only load values from the table, so that each value is
computed once and main has few long live ranges.  Both functions are printed by a `MainPrinter`
(printer.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import SSAValue

from ...dialects.dtypes import buffer_size
from ...dialects.functions import recorded_alignment
from ...dialects.packed import AllocOp, LoopOp, host_ops
from ...dialects.shape import Dim, Extent, dims_of, extent_of, size_parameters
from ...dialects.sizes import (
    computed_sizes,
    recorded_bounds,
    recorded_limits,
    recorded_not_negative,
    stage_of,
)
from .printer import FALSE, MainPrinter, SizeFunction, Value
from .size_text import CheckedSizeText


@dataclass(frozen=True)
class BlockBytes:
    """An entry of the table of sizes: the size in bytes of the arena block of a stage of main.

    The block of stage 0 includes the workspace of kernels.
    """

    stage: int


@dataclass(frozen=True)
class BuffersEnd:
    """An entry of the table of sizes: the end of all buffers in the arena block of stage 0."""


Item: TypeAlias = Dim | AllocOp | BlockBytes | BuffersEnd
"""An entry of the table; an AllocOp means the offset of its buffer in a block of the arena."""


def signature_sizes(symbols: Iterable[str], shapes: Iterable[Sequence[Extent]]) -> list[Dim]:
    """Return the first entries of the table of sizes, without duplicates.

    These are the symbols, and then the sizes in ``shapes`` that are not integers.
    shapes: the shape of each argument.
    """
    dims = (size for shape in shapes for size in shape if isinstance(extent_of(size), Dim))
    return list(dict.fromkeys((*map(Dim.sym, symbols), *map(Dim.of, dims))))


class SizeTable:
    """The positions of entries in the table of sizes, which holds the sizes of one call of main.

    The table has no entries if no size of main is symbolic.  If the only symbols of main are
    iteration numbers, main allocates the table itself; otherwise, its caller does.
    planned_bytes: the end of the buffers of static sizes in the arena, in bytes.
    computed: the symbols that main computes, which are the last of its symbols.
    workspace_bytes: the bytes of workspace in the first block of the arena, after its buffers.
    """

    def __init__(self, main: func.FuncOp, planned_bytes: int) -> None:
        self._main, self.planned_bytes = main, planned_bytes
        self.symbols, self.computed = size_parameters(main), computed_sizes(main)
        self.workspace_bytes = 0
        loops = (op for op in host_ops(main.body.block) if isinstance(op, LoopOp))
        self.iterations = tuple(op.symbol for op in loops if op.symbol is not None)
        types = [cast("TensorType | MemRefType", a.type) for a in main.body.block.args]
        bounds = recorded_bounds(main)
        listed = (tuple(recorded_limits(main)), [bounds[n] for n in self.symbols if n in bounds])
        shapes = (*map(dims_of, types), *listed)
        signature = signature_sizes(self.symbols, shapes)
        self.arena_position = len(signature)
        self._items: list[Item] = []
        self._positions: dict[Item, int] = {}
        if self.symbols:
            for item in (*signature, *map(BlockBytes, range(len(self.computed) + 1))):
                self.position(item)

    def __len__(self) -> int:
        return len(self._items)

    def entries(self) -> list[str]:
        """Return a description of each entry, for comments in printed code."""
        texts: list[str] = []
        for item in self._items:
            match item:
                case Dim():
                    texts.append(str(item))
                case AllocOp():
                    texts.append(f"offset of {item.res.name_hint or 'a buffer'}")
                case BlockBytes():
                    texts.append(f"bytes of block {item.stage} of the arena")
                case BuffersEnd():
                    texts.append("end of the buffers in block 0 of the arena")
        return texts

    def numbers(self) -> Iterator[tuple[int, int]]:
        """Yield the position and value of each entry that is a constant."""
        for position, item in enumerate(self._items):
            if isinstance(item, Dim) and item.value is not None:
                yield position, item.value

    def position(self, item: Item) -> int:
        """Return the position of an entry in the table; append the entry if the table lacks it.

        item: a size, the buffer whose offset is the entry, or another kind of entry.
        """
        found = self._positions.get(item)
        if found is None:
            found = self._positions[item] = len(self._items)
            self._items.append(item)
        return found

    def run(self, sizes: Sequence[Extent]) -> int:
        """Return the position in the table at which these sizes begin, one after the other.

        The sizes are appended to the table if there is no such position.
        """
        wanted = [Dim.of(size) for size in sizes]
        for start in range(len(self._items) - len(wanted) + 1):
            if self._items[start : start + len(wanted)] == wanted:
                return start
        self._items += wanted
        return len(self._items) - len(wanted)

    def iteration(self, item: Item) -> str | None:
        """Return the loop in each of whose iterations an entry is computed; None if there is none.

        The loop is identified by the symbol of its iteration number.  Without such a loop, the
        entry is computed once, in its stage of main.
        """
        names = item.symbols() if isinstance(item, Dim) else ()
        return next((name for name in reversed(self.iterations) if name in names), None)

    def stage(self, item: Item) -> int:
        """Return the stage of main at whose start an entry can be computed."""
        match item:
            case Dim():
                return stage_of([item], self.computed)
            case AllocOp():
                return stage_of(dims_of(item.res.type), self.computed)
            case BlockBytes():
                return item.stage
            case BuffersEnd():
                return 0

    def print_functions(self, printer: MainPrinter) -> None:
        """Print the functions that compute the entries, one per loop and one per stage."""
        # Inner loops first: they may add the iteration number of an outer loop to the table.
        for number, symbol in reversed(list(enumerate(self.iterations))):
            self._print_iteration(symbol, printer.iteration(number))
        for stage in range(len(self.computed) + 1 if self.symbols else 0):
            self._print_stage(stage, printer.derivation(stage))

    def _print_iteration(self, symbol: str, function: SizeFunction) -> None:
        """Print the function that computes the entries that depend on an iteration number.

        symbol: the iteration number.  function: the function under construction.
        """
        checked = [
            dim
            for dim in dict.fromkeys((*self._buffer_sizes(), *self._recorded()))
            if self.iteration(dim) == symbol
        ]
        own = {
            n: item
            for n, item in enumerate(self._items)
            if isinstance(item, Dim) and self.iteration(item) == symbol
        }
        names = set[str]().union(*(dim.symbols() for dim in (*own.values(), *checked)))
        known = [(self.position(Dim.sym(name)), name) for name in sorted(names - {symbol})]
        body = _SizeCode(function, known)
        body.sizes.values[Dim.sym(symbol)] = function.number
        for dim in checked:
            body.refuse_negative(dim)
        for position, item in own.items():
            function.store(position, body.sizes.value(item))
        body.finish()

    def _print_stage(self, stage: int, function: SizeFunction) -> None:
        """Print the function that computes the entries of a stage of main.

        function: the function under construction.
        """
        known = self.symbols[: len(self.symbols) - len(self.computed) + stage]
        body = _SizeCode(function, list(enumerate(known)))
        for dim in dict.fromkeys((*self._buffer_sizes(), *self._recorded())):
            if self.iteration(dim) is None and self.stage(dim) == stage:
                body.refuse_negative(dim)
        planned = self.planned_bytes if stage == 0 else 0
        end = body.place(self._stacked(stage), planned, recorded_alignment(self._main))
        for position, item in enumerate(self._items):
            if position < len(self.symbols) or self.stage(item) != stage:
                continue
            if self.iteration(item) is not None:
                continue
            match item:
                case Dim():
                    value = body.sizes.value(item if item.value is None else item.value)
                case AllocOp():
                    value = body.offsets[item.res]
                case BlockBytes():
                    more = self.workspace_bytes if stage == 0 else 0
                    value = body.sizes.binary("add", end, str(more))
                case BuffersEnd():
                    value = end
            function.store(position, value)
        body.finish()

    def _buffer_sizes(self) -> Iterator[Dim]:
        for op in host_ops(self._main.body.block):
            for type_ in (r.type for r in op.results if isinstance(r.type, MemRefType)):
                yield from dims_of(type_)

    def _recorded(self) -> Iterator[Dim]:
        """Yield the sizes, other than buffer sizes, that must not be negative.

        ``tw_derive`` checks them.  The sizes of arguments are left out, because the entry code
        checks the arguments.
        """
        arguments = {dim for a in self._main.body.block.args for dim in dims_of(a.type)}
        yield from (d for d in recorded_not_negative(self._main) if d not in arguments)

    def _stacked(self, stage: int) -> Iterator[AllocOp]:
        """Yield the buffers of a stage that the arena contains, in ascending order of offsets."""
        for op in host_ops(self._main.body.block):
            is_stacked = isinstance(op, AllocOp) and (op.below or op.offset is not None)
            if isinstance(op, AllocOp) and is_stacked and self.stage(op) == stage:
                yield op


class _SizeCode:
    """The code of a function that computes entries of the table of sizes.

    function: the function under construction.
    symbols: the position in the table, and the name, of each symbol that is known.
    sizes: the printed values of sizes in this function.
    offsets: the printed offset of each buffer in the arena.
    """

    def __init__(self, function: SizeFunction, symbols: Sequence[tuple[int, str]]) -> None:
        self._function = function
        self.sizes = CheckedSizeText(function.integers)
        self.offsets: dict[SSAValue, Value] = {}
        self._negative = FALSE
        for position, name in symbols:
            self.sizes.values[Dim.sym(name)] = function.load(position)

    def place(self, allocations: Iterable[AllocOp], planned_bytes: int, alignment: int) -> Value:
        """Print the computation of the offset of each buffer in the arena.

        A buffer begins at the largest end of the buffers directly below it.
        allocations: the buffers; those below a buffer come before it.
        planned_bytes: the end of the buffers whose offsets are constants.
        alignment: a divisor of all offsets.
        Returns the end of all buffers.
        """
        ends: dict[SSAValue, Value] = {}
        for op in allocations:
            start = "0" if op.offset is None else str(op.offset.value.data)
            for value in op.below:
                other = ends[value]
                start = other if start == "0" else self._larger(start, other)
            self.offsets[op.res] = start
            ends[op.res] = self._end(start, buffer_size(op.res.type), alignment)
        total = str(planned_bytes)
        for end in ends.values():
            total = self._larger(total, end)
        return total

    def _larger(self, x: Value, y: Value) -> Value:
        return self._function.integers.extremum("max", x, y)

    def refuse_negative(self, dim: Dim) -> None:
        """Print the test whether a size is negative; if it is, the function returns status 2.

        A size is negative, for example, if a window is larger than its operand.
        """
        if not dim.is_at_least(0):
            integers = self._function.integers
            wrong = integers.is_negative(self.sizes.value(dim))
            self._negative = integers.either(self._negative, wrong)

    def _end(self, start: Value, size: Extent, alignment: int) -> Value:
        """Return the printed end of a buffer, rounded up to the alignment.

        start: the printed start.  size: the size in bytes.
        """
        raised = self.sizes.binary("add", self.sizes.summand(size), str(alignment - 1))
        rounded = self._function.integers.binary("and", raised, str(-alignment))
        return self.sizes.binary("add", start, rounded)

    def finish(self) -> None:
        """Print the end of the function, which returns its status."""
        overflow = self.sizes.overflow()
        self._function.finish(self._negative, overflow)
