"""Names of kernels in the symbol tables of libraries and objects, for profilers and debuggers.

In machine code a kernel has a private symbol (`tw.k.0`). The linker appends the nodes that the
kernel computes, in the symbol table for tools: ``tw.k.0:encoder/MatMul_3+encoder/Add``. The prefix
keeps these names apart from all names of C programs, and they are local symbols, to which no other
object refers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from ..lowering.loop_to_llvm import kernel_symbol

Named: TypeAlias = tuple[str, Sequence[str]]
"""The name and the nodes of a kernel."""

_MOST_CHARACTERS = 200


def shown_symbols(kernels: Iterable[Named]) -> dict[str, str]:
    """Return the name that tools show for each symbol of a kernel.

    kernels: in the order of the program; a kernel without nodes is shown with its own name.
    """
    rows = ((kernel_symbol(number), *row) for number, row in enumerate(kernels))
    return {symbol: shown_symbol(symbol, name, nodes) for symbol, name, nodes in rows}


def shown_symbol(symbol: str, name: str, nodes: Sequence[str]) -> str:
    """Return the name that tools show for a kernel; see `shown_symbols`."""
    return _shown(f"{symbol}:{'+'.join(nodes or [name])}")


def _shown(name: str) -> str:
    """Return a printable name of limited length without spaces and ``@`` (start of a version)."""
    hidden = (c == "@" or c.isspace() or not c.isprintable() for c in name)
    visible = "".join("_" if is_hidden else c for c, is_hidden in zip(name, hidden, strict=True))
    return visible if len(visible) <= _MOST_CHARACTERS else f"{visible[: _MOST_CHARACTERS - 3]}..."
