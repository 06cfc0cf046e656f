"""The table of sizes of one call: i64 values of symbols, expressions and offsets.

    define hidden i32 @tw_derive(ptr %sizes)

The entry code stores the symbols of main at the start of the table and calls ``tw_derive``, which
computes the rest: the dimensions of the arguments that are expressions, the bytes of the arena, and
every other size and offset that main uses. It returns 1 if a value leaves the 64 bits, 2 if a
buffer would have a negative size, else 0. Main and its kernels only load values, so main has few
long live ranges and each value is computed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import SSAValue

from ..dialects.dtypes import buffer_size
from ..dialects.loop import ALIGNMENT_BYTES
from ..dialects.packed import AllocOp, host_ops
from ..dialects.shape import Dim, Extent, dims_of, extent_of, size_parameters
from ..dialects.sizes import recorded_limits
from .size_text import CheckedSizeText

Item: TypeAlias = "Dim | AllocOp"
"""An expression, or a buffer, which stands for its offset in the arena."""


def signature_sizes(symbols: Iterable[str], shapes: Iterable[Sequence[Extent]]) -> list[Dim]:
    """Return the symbols, then the other distinct symbolic dimensions of the arguments."""
    dims = (size for shape in shapes for size in shape if isinstance(extent_of(size), Dim))
    return list(dict.fromkeys((*map(Dim.sym, symbols), *map(Dim.of, dims))))


class SizeTable:
    """The positions of sizes in the table; empty for a main without symbolic sizes.

    workspace_bytes: bytes of the arena behind all buffers.
    """

    def __init__(self, main: func.FuncOp, planned_bytes: int) -> None:
        self._main, self._planned_bytes = main, planned_bytes
        self.symbols = size_parameters(main)
        self.workspace_bytes = 0
        types = [cast("TensorType | MemRefType", a.type) for a in main.body.block.args]
        shapes = (*map(dims_of, types), tuple(recorded_limits(main)))
        signature = signature_sizes(self.symbols, shapes)
        self.arena_position = len(signature)
        # The first None is the size of the arena, a second one the end of all buffers.
        self._items: list[Item | None] = [*signature, None] if self.symbols else []
        self._positions: dict[Item, int] = {item: n for n, item in enumerate(signature)}
        self._end_position = -1

    def __len__(self) -> int:
        return len(self._items)

    def position(self, item: Item) -> int:
        """Return the position of a size or of a buffer's offset."""
        found = self._positions.get(item)
        if found is None:
            found = self._positions[item] = len(self._items)
            self._items.append(item)
        return found

    def run(self, sizes: Sequence[Extent]) -> int:
        """Return the position of consecutive sizes."""
        wanted = [Dim.of(size) for size in sizes]
        for start in range(len(self._items) - len(wanted) + 1):
            if self._items[start : start + len(wanted)] == wanted:
                return start
        self._items += wanted
        return len(self._items) - len(wanted)

    def end(self) -> int:
        """Return the position of the end of all buffers."""
        if self._end_position < 0:
            self._end_position = len(self._items)
            self._items.append(None)
        return self._end_position

    def definition(self, suffix: str) -> list[str]:
        """Return the lines that define ``tw_derive``, with declarations.

        suffix: what the name of the function ends in.
        """
        if not self.symbols:
            return []
        body = _Body(self.symbols)
        end = body.place(self._main, self._planned_bytes)
        for position, item in enumerate(self._items[len(self.symbols) :], len(self.symbols)):
            if isinstance(item, Dim):
                body.store(body.sizes.value(item if item.value is None else item.value), position)
            elif item is not None:
                body.store(body.offsets[item.res], position)
            elif position == self.arena_position:
                body.store(body.sizes.binary("add", end, str(self.workspace_bytes)), position)
            else:
                body.store(end, position)
        return body.definition(suffix)


class _Body:
    """The body of ``tw_derive``.

    offsets: offsets of the buffers, by value.
    """

    def __init__(self, symbols: Sequence[str]) -> None:
        self.lines: list[str] = []
        self.declarations: set[str] = set()
        self.sizes = CheckedSizeText(self)
        self.offsets: dict[SSAValue, str] = {}
        self._negative = "false"
        for position, name in enumerate(symbols):
            at = self.emit(f"getelementptr i64, ptr %sizes, i64 {position}")
            self.sizes.values[Dim.sym(name)] = self.emit(f"load i64, ptr {at}, align 8")

    def emit(self, instruction: str) -> str:
        """Append an instruction and return the name of its result."""
        self.lines.append(f" %t{len(self.lines)} = {instruction}")
        return f"%t{len(self.lines) - 1}"

    def store(self, value: str, position: int) -> None:
        """Store a value in the table."""
        at = self.emit(f"getelementptr i64, ptr %sizes, i64 {position}")
        self.lines.append(f" store i64 {value}, ptr {at}, align 8")

    def place(self, main: func.FuncOp, planned_bytes: int) -> str:
        """Compute the offset of each buffer that is stacked; return the end of all buffers."""
        ends: dict[SSAValue, str] = {}
        for op in host_ops(main.body.block):
            for result in op.results:
                if isinstance(result.type, MemRefType):
                    self._refuse_negative(result.type)
            if isinstance(op, AllocOp) and (op.below or op.offset is not None):
                start = "0" if op.offset is None else str(op.offset.value.data)
                for value in op.below:
                    other = ends[value]
                    start = other if start == "0" else self.sizes.extremum("max", start, other)
                self.offsets[op.res] = start
                ends[op.res] = self._end(start, buffer_size(op.res.type))
        total = str(planned_bytes)
        for end in ends.values():
            total = self.sizes.extremum("max", total, end)
        return total

    def _refuse_negative(self, buffer: MemRefType) -> None:
        """Report a size below 0, of a window that is larger than its operand."""
        for dim in dims_of(buffer):
            if not dim.is_at_least(0):
                wrong = self.emit(f"icmp slt i64 {self.sizes.value(dim)}, 0")
                self._negative = self.emit(f"or i1 {self._negative}, {wrong}")

    def _end(self, start: str, size: Extent) -> str:
        """Return the end of a buffer, its size rounded up to the alignment."""
        raised = self.sizes.binary("add", self.sizes.value(size), str(ALIGNMENT_BYTES - 1))
        rounded = self.emit(f"and i64 {raised}, {-ALIGNMENT_BYTES}")
        return self.sizes.binary("add", start, rounded)

    def definition(self, suffix: str) -> list[str]:
        """Return the lines of the function, with declarations."""
        return [
            *sorted(self.declarations),
            f"define hidden i32 @tw_derive{suffix}(ptr %sizes) nounwind {{",
            "entry:",
            *self.lines,
            f" %negative = select i1 {self._negative}, i32 2, i32 0",
            f" %status = select i1 {self.sizes.overflow}, i32 1, i32 %negative",
            " ret i32 %status",
            "}",
        ]


__all__ = ["SizeTable", "signature_sizes"]
