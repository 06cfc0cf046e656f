"""Unique names within a scope; only this module creates them.

Names are for readers only: passes refer to ops, values, handles, and axes of a view. A pass that
creates an axis, a compute or a kernel requests an unused name from the ``Names`` of the scope.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count

from xdsl.dialects.builtin import ModuleOp, StringAttr


class Names:
    """The names that are in use in one scope.

    A scope is a compute with its axes, a kernel with its computes, or a module with its kernels.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def fresh(self, wanted: str) -> str:
        """Reserve and return a name: the wanted name or, if it is taken, one with a number."""
        name = wanted
        numbers = count(self._next.get(wanted, 1))
        while name in self._taken:
            number = next(numbers)
            self._next[wanted] = number + 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name


def symbol_names(module: ModuleOp) -> Names:
    """Return the names that a module's symbols use, as the scope for further symbols."""
    found = (op.get_attr_or_prop("sym_name") for op in module.ops)
    return Names(name.data for name in found if isinstance(name, StringAttr))


def value_hint(name: str) -> str:
    """Convert a name to a valid SSA name hint, which has letters, digits and a few signs."""
    text = re.sub(r"[^A-Za-z0-9_$.-]", "_", name)
    return text if re.match(r"[A-Za-z]", text) else f"v{text}"
