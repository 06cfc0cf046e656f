"""Functions as they are now: what they read from around them stays as it is.

    A = te.placeholder((n,), name="A")
    C = te.compute((n,), lambda i: A[i] + 1.0)
    A = te.placeholder((n, m), name="A")

The function reads the first A also when C is described again for the sizes of a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


def snapshot(function: F) -> F:
    """Return a function for which the variables around it keep the values that they have now.

    Only its own: functions that it calls, and objects that change, are as they are at a call.
    """
    if not isinstance(function, FunctionType):
        return function
    known, names = function.__globals__, {"__builtins__", "__name__", *_names(function.__code__)}
    made = FunctionType(
        function.__code__,
        {name: known[name] for name in names if name in known},
        function.__name__,
        function.__defaults__,
        tuple(_copied(cell) for cell in function.__closure__ or ()),
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return cast(F, made)


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names of variables and attributes of a function and those inside of it."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _copied(cell: CellType) -> CellType:
    try:
        return CellType(cell.cell_contents)
    except ValueError:
        # The variable has no value yet.
        return cell
