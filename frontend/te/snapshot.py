"""Freeze a function: copy the variables that its closure captures.

    A = te.placeholder((n,), name="A")
    C = te.compute((n,), lambda i: A[i] + 1.0)
    A = te.placeholder((n, m), name="A")

The function still reads the first A when C is described again for the sizes of a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CellType, CodeType, FunctionType
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


class Keeping:
    """An object of functions, which can be kept as they are now."""

    def kept(self, keep: Callable[[Any], Any]) -> Any:
        """Return the same of what ``keep`` gives for the functions."""
        raise NotImplementedError


def snapshot(function: F) -> F:
    """Return a function for which the variables around it keep the values that they have now.

    So do those of the functions of the same file that it reads from there, also in reducers.
    Functions of other files, and objects that change, are as they are at a call.
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
        """Return a value as it is now."""
        if id(value) in self.made:
            return self.made[id(value)]
        if isinstance(value, Keeping):
            self.made[id(value)] = value
            self.made[id(value)] = value.kept(self.of)
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
        # First, for functions that call one another.
        self.made[id(function)] = made
        for name in ("__name__", *_names(function.__code__)):
            if name in self.home:
                known[name] = self.of(self.home[name])
        for cell, copy in cells:
            if copy is not cell:
                copy.cell_contents = self.of(cell.cell_contents)


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names of variables and attributes of a function and those inside of it."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _empty(cell: CellType) -> CellType:
    """Return a cell for a copy; the cell itself if its variable has no value yet."""
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return cell
    return CellType()
