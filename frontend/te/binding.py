"""Bind te.vars to numbers while tensors are described: sample sizes, or the sizes of a call.

A definition with dynamic shapes is recorded at once for sample sizes, which gives its types, axes
and reads.  The same calls record it again for the sizes of a call:

    with bound({"n": 7}):
        here(C)        the counterpart of C for n = 7, made of te.computes with 7 rows

Sample sizes decide nothing.  Checks that depend on sizes, such as the bounds of reads, are
repeated for the sizes of each call.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any, ParamSpec, Protocol, TypeVar, cast
from zlib import crc32

from ...dialects.shape import Dim
from ...support.diagnostics import TypeMismatch
from .snapshot import snapshot

P = ParamSpec("P")
T = TypeVar("T")


class Remade(Protocol):
    """A tensor that can be made for other sizes: the calls that make it, and its result number."""

    name: str
    recipe: Recipe | None
    place: int
    sizes: tuple[Any, ...] | None

    @property
    def extents(self) -> tuple[int, ...]:
        """The sizes as numbers."""
        ...


@dataclass(eq=False)
class Recipe:
    """The call that describes some tensors; names: the sizes that they depend on."""

    define: Callable[[], Any]
    names: frozenset[str]

    def tensors(self) -> tuple[Any, ...]:
        """Make the tensors for the current sizes."""
        return _listed(self.define())


@dataclass(eq=False)
class Binding:
    """Numbers for sizes, and the objects made for these numbers.

    sizes: sizes by name; None for samples.  names: the sizes that were used.  counted: whether a
    size was used as a number in an expression (of an extent too), not only as an extent.
    vanished: whether an extent was 0 or a recurrence had no step, so that computes are missing.
    born: the tensors made for these sizes.
    """

    sizes: Mapping[str, int] | None
    names: set[str] = field(default_factory=set[str])
    counted: bool = False
    vanished: bool = False
    born: list[Any] = field(default_factory=list[Any])
    _made: dict[object, Any] = field(default_factory=dict[object, Any])

    @property
    def is_sample(self) -> bool:
        """True while the sizes are samples, not those of a call."""
        return self.sizes is None

    def extent(self, dim: Dim) -> int:
        """Return the number for an extent; at least 1 for samples."""
        number = self._number(dim)
        self.counted |= bool(dim.symbols() - {str(dim)})
        if self.sizes is None:
            return max(number, 1)
        self.vanished |= number == 0
        return number

    def count(self, dim: Dim) -> int:
        """Return the number for a size in an expression."""
        self.counted = True
        return self._number(dim)

    def _number(self, dim: Dim) -> int:
        names = dim.symbols()
        self.names |= names
        if self.sizes is None:
            return dim.evaluate({name: sample(name) for name in names})
        missing = names - self.sizes.keys()
        if missing:
            raise TypeMismatch(f"size {min(missing)} has no value", got=dim)
        return dim.evaluate(self.sizes)

    def tensor(self, tensor: T) -> T:
        """Return the counterpart of a tensor for these sizes."""
        kept = cast(Remade, tensor)
        if kept.recipe is None:
            return tensor
        self.names |= kept.recipe.names
        if self.sizes is None:
            return tensor
        made = self.once(kept.recipe, kept.recipe.tensors)[kept.place]
        for size, extent in zip(kept.sizes or made.extents, made.extents, strict=True):
            # Result sizes of operators were inferred from sample sizes, and may be wrong for these.
            if size is not None and extent != getattr(size, "extent", size):
                raise TypeMismatch(
                    f"{kept.name} has another shape for these sizes",
                    expected=", ".join(map(str, kept.sizes or ())),
                    got=", ".join(map(str, made.extents)),
                )
        return made

    def once(self, key: object, make: Callable[[], T]) -> T:
        """Return the cached object of a key, and make it on first use."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]


def sample(name: str) -> int:
    """Return the sample of a size: an odd number from 1000 to 2000 that depends on its name."""
    return 1000 + crc32(name.encode()) % 1000 | 1


def small_sample(name: str) -> int:
    """Return a small size for test runs: an odd number from 7 to 21 that depends on its name."""
    return 7 + crc32(name.encode()) % 14 | 1


_CURRENT: ContextVar[Binding | None] = ContextVar("tilewright.te.binding", default=None)


def current_binding() -> Binding | None:
    """Return the current binding of sizes to numbers; None outside of a definition."""
    return _CURRENT.get()


@contextmanager
def bound(sizes: Mapping[str, int] | Binding | None) -> Generator[Binding]:
    """Bind sizes to numbers, or to their samples for None, within a with block."""
    binding = sizes if isinstance(sizes, Binding) else Binding(sizes)
    token = _CURRENT.set(binding)
    try:
        yield binding
    finally:
        _CURRENT.reset(token)


def remade(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function that describes tensors: its tensors can be made for other sizes.

    The function receives tensor arguments for the current sizes.  A call inside another decorated
    function belongs to the recipe of the outer call.
    """

    @wraps(function)
    def resolving(*args: P.args, **kwargs: P.kwargs) -> T:
        binding = current_binding()
        assert binding is not None, "sizes stand for numbers"
        here: Callable[..., T] = function
        return here(
            *(_resolved(binding, a) for a in args),
            **{key: _resolved(binding, value) for key, value in kwargs.items()},
        )

    return remade_as_given(resolving)


def remade_as_given(function: Callable[P, T]) -> Callable[P, T]:
    """Like `remade`, for a function that looks up its tensors for the current sizes itself."""

    @wraps(function)
    def define(*args: P.args, **kwargs: P.kwargs) -> T:
        if current_binding() is not None:
            return function(*args, **kwargs)
        again = partial(define, *map(_frozen, args), **{k: _frozen(v) for k, v in kwargs.items()})
        with bound(None) as binding:
            made = function(*args, **kwargs)
        if binding.names:
            _note(Recipe(again, frozenset(binding.names)), _listed(made))
        return made

    return define


def _resolved(binding: Binding, value: Any) -> Any:
    if hasattr(value, "recipe"):
        return binding.tensor(value)
    if type(value) in (list, tuple):
        return type(value)(_resolved(binding, v) for v in cast("list[Any]", value))
    return value


def _frozen(value: Any) -> Any:
    """Return a private copy of an argument."""
    if isinstance(value, list):
        return list(cast("list[Any]", value))
    return snapshot(value) if callable(value) else value


def _listed(made: Any) -> tuple[Any, ...]:
    return cast("tuple[Any, ...]", made) if isinstance(made, tuple) else (made,)


def _note(recipe: Recipe, tensors: tuple[Remade, ...]) -> None:
    for place, tensor in enumerate(tensors):
        if tensor.recipe is None:
            tensor.recipe, tensor.place = recipe, place
