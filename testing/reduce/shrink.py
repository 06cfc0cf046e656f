"""Greedy reduction: smaller candidates are tried until none has the property."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Candidate: TypeAlias = Callable[[], T | None]
"""Makes a smaller program; None if its change does not apply."""
Rule: TypeAlias = Callable[[T], Iterable[Candidate[T]]]


def shrink(
    program: T,
    rules: Iterable[Rule[T]],
    keeps: Callable[[T], bool],
    progress: Callable[[T], object] | None = None,
) -> T:
    """Return a program that no rule makes smaller without losing a property.

    rules: each returns candidates for smaller programs, large steps first.  keeps: tests whether a
    program has the property.
    progress: called with each smaller program that has the property.
    Cost: one call of ``keeps`` per candidate.  After a success, the search continues at the same
    part of the new list of candidates, because the candidates before that part failed just now.
    """
    known = list(rules)
    exhausted = 0  # rules in a row whose candidates all fail
    for rule in cycle(known):
        if exhausted == len(known):
            break
        candidates, start = list(rule(program)), 0
        while (found := _first(candidates, start, keeps)) is not None:
            program, exhausted = found[1], 0
            if progress is not None:
                progress(program)
            count, candidates = len(candidates), list(rule(program))
            start = found[0] * len(candidates) // count
        exhausted += 1
    return program


def _first(
    candidates: Sequence[Candidate[T]], start: int, keeps: Callable[[T], bool]
) -> tuple[int, T] | None:
    """Return the first candidate with a property, and its position; None if no candidate has it.

    start: the position of the candidate that is tried first; those before it are tried last.
    """
    for position in (*range(start, len(candidates)), *range(start)):
        smaller = candidates[position]()
        if smaller is not None and keeps(smaller):
            return position, smaller
    return None


def chunks(count: int) -> Iterator[range]:
    """Yield ranges of the indices below ``count``: halves, quarters, down to single ones.

    Ranges of one length are in reverse order.
    """
    size = count
    while size > 0:
        for start in reversed(range(0, count, size)):
            yield range(start, min(start + size, count))
        size = size // 2 if size > 1 else 0
