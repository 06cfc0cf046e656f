"""Printed programs with the line of each op, to which line tables in machine code refer.

In: modules of one level; each module except the first has a label. Out: their printed IR, and the
line at which each op begins. `get_source` returns this source; an export with line tables writes it
with a comment wherever the nodes of the model change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.printer import Printer

from .locations import node_names


@dataclass(frozen=True)
class SourceLines:
    """The text of printed modules.

    lines: the number of the line at which each op begins, from 1.
    """

    text: str
    lines: Mapping[Operation, int]

    def with_nodes(self) -> str:
        """Return the text with comments that name the nodes of the model.

        A line gets a comment if its op computes other nodes than the op before.
        """
        rows, shown = self.text.splitlines(), ()
        for op, line in sorted(self.lines.items(), key=lambda pair: pair[1]):
            nodes = node_names(op.location)
            if nodes and nodes != shown:
                rows[line - 1] += f"  // {', '.join(repr(node)[1:-1] for node in nodes)}"
                shown = nodes
        return "\n".join((*rows, ""))


class _LinePrinter(Printer):
    """A printer that records the line of each op."""

    def __init__(self, stream: StringIO, lines: dict[Operation, int]) -> None:
        super().__init__(stream)
        self.lines, self.first = lines, 1

    def print_op(self, op: Operation) -> None:
        self.lines[op] = self.first + self._current_line
        super().print_op(op)


def source_lines(modules: Sequence[tuple[str, ModuleOp]]) -> SourceLines:
    """Print modules one after another, each after a comment with its label.

    modules: pairs of a label and a module; an empty label prints no comment.
    """
    texts: list[str] = []
    lines: dict[Operation, int] = {}
    first = 1
    for label, module in modules:
        stream = StringIO()
        if label:
            stream.write(f"// {label}\n")
        printer = _LinePrinter(stream, lines)
        printer.first = first + bool(label)
        printer.print_op(module)
        texts.append(stream.getvalue())
        first += texts[-1].count("\n") + 1
    return SourceLines("\n".join(texts), lines)
