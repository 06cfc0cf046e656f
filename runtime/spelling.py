"""Unknown names: errors that suggest the intended name, for every module and class of the API.

The hint is the name here for a word of another library (`WORDS`: words of TVM, torch and
onnxruntime), else the names with the most similar spelling, else the list of all names.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .errors import ArgumentError, Error
from .words import WORDS

F = TypeVar("F", bound=Callable[..., Any])

_LISTED = 12
"""The most names that a hint lists."""
_NO_WORDS: Mapping[str, str] = MappingProxyType({})


class UnknownName(Error, AttributeError):
    """A module or an object of the API lacks an attribute; the hint suggests other names."""


def nearest(name: str, known: Iterable[str], count: int = 3, cutoff: float = 0.6) -> list[str]:
    """Return the known names with a similar spelling, ignoring case, the most similar first.

    count: the largest number of names.  cutoff: the least similarity, from 0 to 1, as in `difflib`.
    """
    spelled: dict[str, str] = {}
    for each in known:
        spelled.setdefault(each.lower(), each)
    return [spelled[each] for each in get_close_matches(name.lower(), spelled, count, cutoff)]


def advice(name: str, known: Iterable[str], words: Mapping[str, str] = _NO_WORDS) -> str:
    """Return a hint for an unknown name: the probably intended names, else all known names.

    name: the unknown name.  known: the existing names.  words: hints by names that other libraries
    use for the same thing.
    """
    names = list(dict.fromkeys(known))
    if name in words:
        return words[name]
    near = nearest(name, (*names, *words))
    if near and near[0] in words and near[0] not in names:
        return words[near[0]]
    if near := [each for each in near if each in names]:
        return f"did you mean {' or '.join(near)}?"
    listed = ", ".join(sorted(names)[:_LISTED])
    if not listed:
        return "none is there"
    return f"the names are {listed}{', …' if len(names) > _LISTED else ''}"


def unknown_name(owner: str, name: str, known: Iterable[str], words: str = "") -> UnknownName:
    """Return the error for an attribute that a module or class lacks.

    owner: the name of the module or class.  name: the attribute.  known: the attributes that it
    has. words: the key in `WORDS` of the hints for the owner; default: ``owner``.
    """
    hint = advice(name, known, WORDS.get(words or owner, _NO_WORDS))
    return UnknownName(f"{owner} has no attribute {name!r}", hint=hint)


class SuggestsNames:
    """A class whose error for an unknown attribute suggests the intended name.

    A subclass that computes attributes calls ``super().__getattr__(name)`` for all others.
    """

    __slots__ = ()

    if not TYPE_CHECKING:  # a type checker refuses unknown attributes itself

        def __getattr__(self, name: str) -> object:
            kind = type(self)
            if hasattr(kind, name):
                # A property has raised AttributeError: raise that one again.
                return object.__getattribute__(self, name)
            if name.startswith("_"):
                raise AttributeError(f"{kind.__name__} has no attribute {name!r}")
            owners = [base.__name__ for base in kind.__mro__]
            words = {k: v for each in reversed(owners) for k, v in WORDS.get(each, {}).items()}
            public = [each for each in dir(self) if not each.startswith("_")]
            raise UnknownName(
                f"{kind.__name__} has no attribute {name!r}", hint=advice(name, public, words)
            )


def suggests_arguments(function: F) -> F:
    """Decorate a function or class: its error for an unknown keyword argument suggests a name."""
    if isinstance(function, type):
        kind = cast("type[Any]", function)
        kind.__init__ = _with_known_arguments(kind.__init__, kind.__name__)
        return cast(F, kind)
    return cast(F, _with_known_arguments(function, function.__name__))


def _with_known_arguments(function: Callable[..., Any], owner: str) -> Callable[..., Any]:
    parameters = inspect.signature(function).parameters.values()
    names = frozenset(p.name for p in parameters if p.kind is not p.POSITIONAL_ONLY)

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        for name in options:
            if name not in names:
                shown = [each for each in names if each not in ("self", "cls")]
                raise ArgumentError(
                    f"{owner} has no argument {name!r}",
                    hint=advice(name, shown, WORDS.get(f"{owner}()", _NO_WORDS)),
                )
        return function(*args, **options)

    return call
