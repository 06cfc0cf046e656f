"""Texts of kernels: the model nodes of each line, and the line of the loop program behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from ...support.locations import node_names
from ...support.source_lines import SourceLines


@dataclass(frozen=True)
class Listing:
    """The text of a kernel at one level.

    nodes: for each line, the names of the model nodes that it computes.  lines: for each line, the
    number of the line in the printed loop program from which it comes; 0 if there is none.
    """

    text: str
    nodes: Sequence[tuple[str, ...]] = ()
    lines: Sequence[int] = ()


def listing_of(op: Operation, printed: SourceLines, *, has_lines: bool = False) -> Listing:
    """Return the lines of an op in a printed program, with the model nodes that each line computes.

    has_lines: whether line numbers in ``printed`` are those of the line tables; only then does the
    listing have ``lines``.
    """
    first = printed.lines[op]
    inside = [inner for inner in op.walk() if inner in printed.lines]
    starts = {printed.lines[inner]: node_names(inner.location) for inner in inside}
    rows = printed.text.splitlines()
    last, depth = first, 0
    for last in range(first, len(rows) + 1):
        depth += _depth_change(rows[last - 1])
        if depth <= 0 and last >= max(starts, default=first):
            break
    # Rows without an op, such as the operands of an op or a closing brace, belong to the op above.
    nodes: list[tuple[str, ...]] = []
    for number in range(first, last + 1):
        nodes.append(starts.get(number) or (nodes[-1] if nodes else ()))
    return Listing(
        "\n".join(rows[first - 1 : last]), nodes, range(first, last + 1) if has_lines else ()
    )


def _depth_change(row: str) -> int:
    return row.count("{") - row.count("}")


_DIRECTIVE = re.compile(r"\s*\.loc\s+\d+\s+(\d+)")
_NOISE = re.compile(
    r"\s*$|!|; ModuleID|\s*\.(?:cfi_\w+|file|section|size|type|hidden|globl|ident|text)\b"
    r"|\.L(?:tmp|func)"
)
"""Rows of assembly and LLVM IR that say nothing about instructions."""
_DEBUG = re.compile(r", !dbg !(\d+)| !dbg !(\d+)")
_LOCATION = re.compile(r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+)")


def located(text: str) -> Listing:
    """Return assembly or LLVM IR without debug data, and the source line of each of its lines.

    The source lines come from directives (``.loc 1 8 0``) or from metadata (``!dbg !8``).
    """
    rows = text.splitlines()
    places = {m[1]: int(m[2]) for row in rows if (m := _LOCATION.match(row))}
    kept: list[str] = []
    lines: list[int] = []
    current = 0
    for row in rows:
        if (found := _DIRECTIVE.match(row)) is not None:
            current = int(found[1])
        elif (found := _DEBUG.search(row)) is not None:
            kept.append(_DEBUG.sub("", row))
            lines.append(places.get(found[1] or found[2], 0))
        elif not _NOISE.match(row):
            kept.append(row)
            lines.append(current if row[:1] == "\t" else 0)
    return Listing("\n".join(kept), (), lines)
