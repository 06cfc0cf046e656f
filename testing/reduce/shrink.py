"""Greedy reduction: smaller candidates are tried until none has the property."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Candidates: TypeAlias = Callable[[T], Iterable[T]]


def shrink(
    program: T,
    rules: Iterable[Candidates[T]],
    keeps: Callable[[T], bool],
    progress: Callable[[T], object] | None = None,
) -> T:
    """Return a program that no rule makes smaller without losing a property.

    rules: each yields smaller programs, large steps first.  keeps: tests whether a program has the
    property.
    progress: called with each smaller program that has the property.
    Cost: one call of ``keeps`` per candidate; each success starts a new list of candidates.
    """
    known = list(rules)
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for rule in known:
            while (smaller := next(filter(keeps, rule(program)), None)) is not None:
                program, is_smaller = smaller, True
                if progress is not None:
                    progress(program)
    return program


def chunks(count: int) -> Iterator[range]:
    """Yield ranges of the indices below ``count``: halves, quarters, down to single ones.

    Ranges of one length are in reverse order.
    """
    size = count
    while size > 0:
        for start in reversed(range(0, count, size)):
            yield range(start, min(start + size, count))
        size = size // 2 if size > 1 else 0
