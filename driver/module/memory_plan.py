"""The memory plan of a program: offset and live range of each intermediate result in the arena.

    plan = mod.memory_plan()
    print(plan)                       a table: buffer, offset, bytes, first and last step

In: a module at the last level, whose main has an arena offset for each buffer
(passes/packed/plan_memory.py), and the shapes of the inputs of a call. Out: a `MemoryPlan` of plain
values, which a notebook displays as a timeline. Steps are the calls and copies in main, in textual
order; the body of a loop counts once.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.dtypes import buffer_size
from ...dialects.functions import recorded_alignment
from ...dialects.packed import AllocOp, CallOp, ConcatOp, CopyOp, ExternOp, host_ops
from ...dialects.packed.arena import aligned
from ...dialects.shape import Dim, dims_of
from ...passes.packed.plan_memory import live_ranges
from ...runtime import display
from ...runtime.display import Markup, byte_text
from ...runtime.measure import charts
from ...runtime.spelling import SuggestsNames
from ...support.entry import entry_of
from ..lowered import Lowered

_STEPS = (CallOp, ConcatOp, CopyOp, ExternOp)
_COLUMNS = ("buffer", "offset", "bytes", "first step", "last step")


@dataclass(frozen=True)
class PlannedBuffer(SuggestsNames):
    """An intermediate result, with its place in the arena and its live range.

    offset: bytes from the start of the arena.  size: bytes.
    first, last: the first and last step that use it, by index in `MemoryPlan.steps`.
    """

    name: str
    offset: int
    size: int
    first: int
    last: int


@dataclass(frozen=True)
class MemoryPlan(SuggestsNames):
    """The buffers of a call in the arena.

    steps: for each step the name of its kernel, or of its op if it calls no kernel.
    arena: the bytes of the memory that contains all buffers; buffers that are never in use at the
    same time may overlap.  left_out: the number of buffers that the plan omits because main
    computes their sizes from elements of the inputs; these buffers follow the others in the arena.
    """

    steps: tuple[str, ...]
    buffers: tuple[PlannedBuffer, ...]
    arena: int
    left_out: int = 0

    def __str__(self) -> str:
        rows = [_COLUMNS, *(_cells(buffer, self.steps) for buffer in self.buffers)]
        widths = [max(len(row[n]) for row in rows) for n in range(len(_COLUMNS))]
        lines = [
            "  ".join(
                cell.ljust(width) if n in (0, 3, 4) else cell.rjust(width)
                for n, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        return "\n".join([*lines, self.summary])

    @property
    def summary(self) -> str:
        """The sizes of the plan, as a sentence."""
        total = sum(buffer.size for buffer in self.buffers)
        text = f"arena: {byte_text(self.arena)} for buffers of {byte_text(total)} together"
        if self.left_out:
            text += f"; not shown: {self.left_out}, whose sizes the model computes"
        return text

    def _repr_html_(self) -> str:
        """Return the plan as an HTML timeline, which a notebook displays."""
        return display.fragment(*self.html_parts())

    def html_parts(self) -> list[Markup]:
        """Return the HTML of the timeline and of the sizes."""
        summary = display.paragraph(self.summary)
        if not self.buffers:
            return [summary]
        bars = [charts.Bar(b.name, b.offset, b.size, b.first, b.last) for b in self.buffers]
        return [display.scrolled(charts.timeline(self.steps, bars, self.arena)), summary]


def memory_plan(lowered: Lowered, shapes: Sequence[Sequence[int]]) -> MemoryPlan:
    """Return the memory plan of the program version that runs calls with inputs of these shapes."""
    mains = [entry_of(part.module) for part in (*lowered.parts[1:], lowered.parts[0])]
    return _plan(next(main for main in mains if _fits(main, shapes)), shapes)


def _fits(main: FuncOp, shapes: Sequence[Sequence[int]]) -> bool:
    """Return whether inputs with these shapes are valid for the input types of a main function."""
    return all(dim.value in (None, size) for dim, size in _dims(main, shapes))


def _dims(main: FuncOp, shapes: Sequence[Sequence[int]]) -> Iterator[tuple[Dim, int]]:
    """Yield each dimension of main's inputs as declared, and its size in a call.

    shapes: the shapes of the inputs in the call.
    """
    for argument, shape in zip(main.body.block.args, shapes, strict=False):
        yield from zip(dims_of(argument.type), shape, strict=True)


def _plan(main: FuncOp, shapes: Sequence[Sequence[int]]) -> MemoryPlan:
    ops = list(host_ops(main.body.block))
    steps = [(position, op) for position, op in enumerate(ops) if isinstance(op, _STEPS)]
    places = [position for position, _ in steps]
    sizes, ends = _sizes(main, shapes), dict[SSAValue, int]()
    alignment = recorded_alignment(main)
    buffers: list[PlannedBuffer] = []
    left_out = 0
    for op, (first, last) in live_ranges(main).items():
        size = Dim.of(buffer_size(op.res.type))
        if not size.symbols() <= sizes.keys():
            left_out += 1
            continue
        offset = max((ends[below] for below in op.below), default=0)
        if op.offset is not None:
            offset = op.offset.value.data
        taken = size.evaluate(sizes)
        ends[op.res] = offset + aligned(taken, alignment)
        begin = min(bisect_left(places, first), max(0, len(places) - 1))
        end = max(begin, bisect_right(places, last) - 1)
        buffers.append(PlannedBuffer(_name(op), offset, taken, begin, end))
    names = tuple(_step_name(op) for _, op in steps)
    return MemoryPlan(names, tuple(buffers), max(ends.values(), default=0), left_out)


def _sizes(main: FuncOp, shapes: Sequence[Sequence[int]]) -> Mapping[str, int]:
    """Return the values of symbolic sizes by name, read from the shapes of the inputs.

    Only a dimension that is a single symbol determines a value, not an expression such as 2 * n.
    """
    return {str(dim): size for dim, size in _dims(main, shapes) if str(dim) in dim.symbols()}


def _name(op: AllocOp) -> str:
    return op.res.name_hint or "a buffer"


def _step_name(op: Operation) -> str:
    return op.kernel_name if isinstance(op, CallOp) else op.name.removeprefix("packed.")


def _cells(buffer: PlannedBuffer, steps: Sequence[str]) -> tuple[str, ...]:
    ends = (f"{n + 1} {steps[n]}" if steps else "-" for n in (buffer.first, buffer.last))
    return (buffer.name, str(buffer.offset), str(buffer.size), *ends)
