"""The only maker of names that must differ from others of their scope.

Names are for people: passes hold ops, values, handles, and axes of a view.  Where a pass makes an
axis, a compute or a kernel, the scope's ``Names`` gives it a name that nothing there has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count

from xdsl.dialects.builtin import ModuleOp, StringAttr


class Names:
    """The names of one scope: axes of a compute, computes of a kernel, kernels of a module."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def fresh(self, wanted: str) -> str:
        """Return the wanted name, or it with the first free number, and take it."""
        name = wanted
        numbers = count(self._next.get(wanted, 1))
        while name in self._taken:
            number = next(numbers)
            self._next[wanted] = number + 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name


def symbol_names(module: ModuleOp) -> Names:
    """Return the names of the symbols of a module."""
    found = (op.get_attr_or_prop("sym_name") for op in module.ops)
    return Names(name.data for name in found if isinstance(name, StringAttr))


def value_hint(name: str) -> str:
    """Return a name as a hint for values, which have letters, digits and few signs only."""
    text = re.sub(r"[^A-Za-z0-9_$.-]", "_", name)
    return text if re.match(r"[A-Za-z]", text) else f"v{text}"
