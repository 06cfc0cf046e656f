"""Names of kernels in the symbol tables of libraries and objects, for profilers and debuggers.

In machine code a kernel has a private symbol (`tw.k.0`). For the symbol table that tools read, the
linker appends the model nodes that the kernel computes: ``tw.k.0:encoder/MatMul_3+encoder/Add``.
The prefix keeps these names apart from all names of C programs. The symbols are local, so no other
object refers to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from ..lowering.loop_to_llvm import kernel_symbol

Named: TypeAlias = tuple[str, Sequence[str]]
"""The symbol of a kernel with its name and model nodes."""

_MOST_CHARACTERS = 200


def shown_symbols(kernels: Iterable[Named]) -> dict[str, str]:
    """Return the symbol that tools show for each kernel, by the kernel's private symbol.

    kernels: the name and the model nodes of all kernels, in program order.  The shown symbol
    contains the nodes, or the name of a kernel without nodes.
    """
    rows = ((kernel_symbol(number), *row) for number, row in enumerate(kernels))
    return {symbol: shown_symbol(symbol, name, nodes) for symbol, name, nodes in rows}


def shown_symbol(symbol: str, name: str, nodes: Sequence[str]) -> str:
    """Return the symbol that tools show for one kernel: its private symbol and its model nodes.

    The result is printable and short, and has no spaces and no ``@``, which starts a version.
    symbol: the private symbol.
    name: the kernel's name, which is shown if there are no nodes.
    nodes: the names of the model nodes that the kernel computes.
    """
    whole = f"{symbol}:{'+'.join(nodes or [name])}"
    visible = "".join(c if c.isprintable() and c not in " @" else "_" for c in whole)
    return visible if len(visible) <= _MOST_CHARACTERS else f"{visible[: _MOST_CHARACTERS - 3]}..."
