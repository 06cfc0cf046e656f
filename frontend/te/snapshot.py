"""Freeze a function: copy the variables that its closure captures.

    A = te.placeholder((n,), name="A")
    C = te.compute((n,), lambda i: A[i] + 1.0)
    A = te.placeholder((n, m), name="A")

When C is described again for the sizes of a call, the function still reads the first A.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CellType, CodeType, FunctionType
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


class Freezable:
    """An object that holds functions, which can be frozen."""

    def frozen(self, freeze: Callable[[Any], Any]) -> Any:
        """Return a copy with each function replaced by ``freeze(function)``."""
        raise NotImplementedError


def snapshot(function: F) -> F:
    """Return a copy of a function with the current values of its closure and global variables.

    Functions of the same file that it refers to are frozen too, also inside reducers.  Functions of
    other files, and mutable objects, are shared and may change before a call.
    """
    if not isinstance(function, FunctionType):
        return function
    return cast(F, _Snapshot(function.__globals__).of(function))


@dataclass
class _Snapshot:
    """The frozen objects; home: the globals of the file whose functions are frozen."""

    home: dict[str, Any]
    made: dict[int, Any] = field(default_factory=dict[int, Any])

    def of(self, value: Any) -> Any:
        """Return the frozen copy of a value; a value that is no function of the file itself."""
        if id(value) in self.made:
            return self.made[id(value)]
        if isinstance(value, Freezable):
            self.made[id(value)] = value
            self.made[id(value)] = value.frozen(self.of)
        elif isinstance(value, FunctionType) and value.__globals__ is self.home:
            self._function(value)
        else:
            return value
        return self.made[id(value)]

    def _function(self, function: FunctionType) -> None:
        known: dict[str, Any] = {"__builtins__": function.__builtins__}
        cells = [(cell, _empty(cell)) for cell in function.__closure__ or ()]
        made = FunctionType(
            function.__code__,
            known,
            function.__name__,
            function.__defaults__,
            tuple(copy for _, copy in cells),
        )
        made.__kwdefaults__ = function.__kwdefaults__
        made.__dict__.update(function.__dict__)
        # Register before the recursion: functions may refer to one another.
        self.made[id(function)] = made
        for name in ("__name__", *_names(function.__code__)):
            if name in self.home:
                known[name] = self.of(self.home[name])
        for cell, copy in cells:
            if copy is not cell:
                copy.cell_contents = self.of(cell.cell_contents)


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names of globals and attributes used in a function and its nested functions."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _empty(cell: CellType) -> CellType:
    """Return a new cell for the copy; the old cell if its variable has no value yet."""
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return cell
    return CellType()
