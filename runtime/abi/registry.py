"""Global functions: a table of packed functions by name, for Python and compiled code.

    @register_func("demo.scale")
    def scale(x, factor): ...

    get_global_func("demo.scale")(x, 2.0)

A te.extern calls the function that is registered under this name when the module is loaded.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Literal, TypeVar, overload

from ..errors import ArgumentError, UnknownFunction
from ..spelling import nearest
from .map_function import NAME as CALL_EACH
from .map_function import call_each
from .packed import PackedFunc

F = TypeVar("F", bound=Callable[..., Any])


_MOST_SHOWN = 8
"""The most names that an error lists."""


class _FunctionTable:
    """A thread-safe table of functions by name."""

    def __init__(self) -> None:
        self.functions: dict[str, PackedFunc] = {}
        # Compiled code finds these functions, but `list_global_func_names` does not list them.
        self.own = {
            CALL_EACH: PackedFunc.of_python(_call_each, CALL_EACH, keeps_arrays=False),
            _ECHO: PackedFunc.of_python(_echo, _ECHO),
        }
        self.lock = threading.Lock()


def _call_each(name: str, *given: object) -> None:
    call_each(get_global_func(name), *given)


_ECHO = "testing.echo"


def _echo(value: Any) -> Any:
    """Return the argument: compiled code gets back the same object that it passes."""
    return value


@cache
def _table() -> _FunctionTable:
    return _FunctionTable()


@overload
def register_func(name: str, function: F, *, override: bool = False) -> F: ...


@overload
def register_func(name: str, *, override: bool = False) -> Callable[[F], F]: ...


@overload
def register_func(name: F, *, override: bool = False) -> F: ...


def register_func(name: Any, function: Any = None, *, override: bool = False) -> Any:
    """Register a function under a name (default: its own), also as a decorator.

    override: replace a registered function of the same name.
    Errors: ValueError for a name that is taken or empty, TypeError if it is not a function.

    >>> @tilewright.register_func("twice")
    ... def twice(x):
    ...     return 2 * x
    >>> tilewright.get_global_func("twice")(21)
    42
    >>> tilewright.remove_global_func("twice")
    """
    if callable(name):
        return register_func(getattr(name, "__name__", ""), name, override=override)
    if function is None:
        return lambda decorated: register_func(name, decorated, override=override)
    if not isinstance(name, str) or not name:
        raise ValueError(
            f"a global function needs a name\n    got: {name!r}\n"
            "    hint: call register_func(name, function)"
        )
    if not callable(function):
        raise TypeError(
            f"global function {name} is no function\n    got: {function!r}\n"
            "    hint: pass a function, or any object that can be called"
        )
    packed = PackedFunc.of_python(function, name)
    table = _table()
    with table.lock:
        if name in table.functions and not override:
            raise ValueError(
                f"global function {name} is registered already\n"
                "    hint: pass override=True to replace it"
            )
        table.functions[name] = packed
    return function


@overload
def get_global_func(name: str, *, allow_missing: Literal[False] = False) -> PackedFunc: ...


@overload
def get_global_func(name: str, *, allow_missing: bool) -> PackedFunc | None: ...


def get_global_func(name: str, *, allow_missing: bool = False) -> PackedFunc | None:
    """Return a registered function.

    allow_missing: return None for an unknown name.
    Errors: KeyError for an unknown name, with the most similar names or else all registered names;
    ArgumentError, a TypeError, for a name that is not a string.
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(
            "the name of a global function is a text",
            expected='a name such as "testing.echo"',
            got=f"{type(name).__name__} {name!r}",
            hint="list_global_func_names() returns the names",
        )
    table = _table()
    found = table.functions.get(name, table.own.get(name))
    if found is None and not allow_missing:
        hint = "register it with register_func"
        rule, known = f"no global function {name!r}", sorted(table.functions)
        more = f", … ({len(known)} in all)" if len(known) > _MOST_SHOWN else ""
        listed = ", ".join(known[:_MOST_SHOWN]) + more
        raise unknown_function(rule, name, known, hint, expected=listed)
    return found


def unknown_function(
    rule: str, name: str, known: Iterable[str], hint: str = "", *, expected: str = ""
) -> UnknownFunction:
    """Return an error for an unknown function name.

    rule: the first line of the error.  known: the existing names; the error suggests those similar
    to ``name``. Without a similar name the error has ``expected`` and ``hint``.
    """
    near = nearest(str(name), known, 3)
    if near:
        return UnknownFunction(rule, hint=f"did you mean {' or '.join(near)}?")
    return UnknownFunction(rule, expected=expected, hint=hint)


def remove_global_func(name: str) -> None:
    """Remove a function from the table; references to the function stay valid.

    Errors: KeyError for an unknown name, as `get_global_func`.
    """
    get_global_func(name)
    with _table().lock:
        _table().functions.pop(name, None)


def list_global_func_names() -> list[str]:
    """Return the names of all registered functions, sorted."""
    return sorted(_table().functions)
