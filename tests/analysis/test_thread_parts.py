"""The part of a buffer that each thread uses alone, on random accesses, against brute force."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import cast

import pytest

from tilewright.analysis.threads.thread_accesses import Accesses, Share, SingleElement, ThreadAccess
from tilewright.dialects.loop import LoadOp
from tilewright.support.affine import Index, Key, divide, variable

from .test_independence import KINDS, value_of

Element = tuple[int, ...]


def random_position(rng: random.Random, keys: Sequence[Key], accesses: Accesses) -> Index:
    found = Index(const=rng.choice([0, 0, 0, 1, 4, 8, -1]))
    for _ in range(rng.randint(1, 3)):
        term = variable(rng.choice(keys))
        if rng.random() < 0.35:
            inner = term * rng.choice([1, 2]) + variable(rng.choice(keys))
            kind, divisor = rng.choice(KINDS), rng.choice([2, 4, 8])
            term = divide(kind, inner, divisor, accesses.range_of)
        found = found + term * rng.choice([1, 1, 2, 4, 8, 16, 3, -1, 32])
    return found


def random_accesses(rng: random.Random) -> tuple[Accesses, dict[Key, int], list[ThreadAccess]]:
    """Return accesses of the loop variables 0 and 1, and the extents of these and the threads."""
    threads = {"threadIdx.x": rng.choice([2, 4, 8])}
    if rng.random() < 0.4:
        threads["threadIdx.y"] = rng.choice([2, 3, 4])
    found = Accesses(threads)
    loops: dict[Key, int] = {0: rng.choice([1, 2, 3, 4]), 1: rng.choice([1, 2, 5])}
    found._ranges |= {key: (0, n - 1) for key, n in loops.items()}  # pyright: ignore
    keys: list[Key] = [*threads, 0, *([1] if rng.random() < 0.5 else [])]
    first = [random_position(rng, keys, found) for _ in range(rng.randint(1, 2))]
    drawn: list[ThreadAccess] = []
    for _ in range(rng.randint(1, 2)):
        moved = [e + rng.choice([0, 0, 1, 2, 4, 8]) for e in first]
        indices = (
            moved if rng.random() < 0.7 else [random_position(rng, keys, found) for _ in first]
        )
        span = rng.choice([0, 0, 0, 1, 3])
        last = len(indices) - 1  # the dimension of the lanes
        op = cast(LoadOp, None)
        drawn.append(ThreadAccess(op, tuple(indices), span, lane_dimension=last))
    return found, {**threads, **loops}, drawn


def touched(
    access: ThreadAccess, extents: Mapping[Key, int]
) -> Iterator[tuple[Element, dict[Key, int], list[Element]]]:
    """Yield the threads, the values of all variables, and the elements of each access."""
    names = [key for key in extents if isinstance(key, str)]
    for numbers in product(*map(range, extents.values())):
        values = dict(zip(extents, numbers, strict=True))
        *outer, last = (value_of(e, values) for e in access.indices)
        lanes = [(*outer, last + lane) for lane in range(access.span + 1)]
        yield tuple(values[name] for name in names), values, lanes


def writes_are_independent(write: ThreadAccess, extents: Mapping[Key, int]) -> bool:
    owners: dict[Element, Element] = {}
    return all(
        owners.setdefault(element, thread) == thread
        for thread, _, elements in touched(write, extents)
        for element in elements
    )


def check_shares(
    shares: Sequence[Share], accesses: Sequence[ThreadAccess], extents: Mapping[Key, int]
) -> None:
    """Check that each element has one thread, and each position of a thread one place."""
    owners: dict[Element, Element] = {}
    places: dict[tuple[Element, Element], Element] = {}
    for access in accesses:
        for thread, values, elements in touched(access, extents):
            for element in elements:
                assert owners.setdefault(element, thread) == thread, accesses
            indices = zip(shares, access.indices, strict=True)
            place = tuple(value_of(s.place(e), values) for s, e in indices)
            assert all(0 <= p < s.extent for p, s in zip(place, shares, strict=True)), accesses
            assert places.setdefault((thread, place), elements[0]) == elements[0], accesses


def compare_with_brute_force(seed: int, draws: int) -> int:
    """Return the number of parts that are found, all of them right."""
    rng, proved = random.Random(seed), 0
    for _ in range(draws):
        found, extents, accesses = random_accesses(rng)
        shares = found.shares(accesses)
        if shares is None or any(isinstance(share, SingleElement) for share in shares):
            continue
        if writes_are_independent(accesses[0], extents):  # what independence.py guarantees
            check_shares(shares, accesses, extents)
            proved += 1
    return proved


def test_no_part_is_wrong() -> None:
    assert compare_with_brute_force(1, 1200) > 60


@pytest.mark.nightly
def test_no_part_of_many_is_wrong() -> None:
    assert compare_with_brute_force(2, 100_000) > 5000


def test_a_variable_of_one_trip_has_no_digit() -> None:
    accesses = Accesses({"threadIdx.x": 32})
    accesses._ranges |= {0: (0, 0), 1: (0, 1)}  # pyright: ignore
    index = Index({"threadIdx.x": 1, 0: 1, 1: 32})
    (share,) = accesses.shares([ThreadAccess(cast(LoadOp, None), (index,), 0)]) or [None]
    assert share is not None
    assert share.place(index) == variable(1)
