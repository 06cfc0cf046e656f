"""Integer inequalities: the solver against brute force."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import product

import pytest

from tilewright.support.affine import Index, variable
from tilewright.support.inequalities import has_no_solution

VALUES = range(-3, 7)
Choice = Sequence[tuple[Index, ...]]


def value_of(row: Index, point: Mapping[str, int]) -> int:
    return row.const + sum(c * point[str(key)] for key, c in row.terms.items())


def random_row(rng: random.Random, keys: str, factor: int, least: int, most: int) -> Index:
    terms = {key: rng.randint(-factor, factor) for key in keys}
    return Index({key: c for key, c in terms.items() if c}, rng.randint(least, most))


def random_system(rng: random.Random) -> tuple[str, list[Index], list[Index], list[Choice]]:
    keys = "abc"[: rng.randint(1, 3)]
    equations, rows = list[Index](), list[Index]()
    for key in keys:
        rows += [Index({key: 1}, rng.choice([0, 2])), Index({key: -1}, rng.randint(0, 5))]
    for _ in range(rng.randint(1, 4)):
        row = random_row(rng, keys, 5, -9, 6)
        (equations if rng.random() < 0.4 else rows).append(row)
    choices: list[Choice] = [
        [
            tuple(random_row(rng, keys, 3, -6, 3) for _ in range(rng.randint(1, 2)))
            for _ in range(rng.randint(1, 3))
        ]
        for _ in range(rng.randint(0, 2))
    ]
    return keys, equations, rows, choices


def compare_with_brute_force(seed: int, draws: int) -> tuple[int, int]:
    """Return the numbers of systems without a solution and of proofs; no proof is wrong."""
    rng, empty, proved = random.Random(seed), 0, 0
    for _ in range(draws):
        keys, equations, rows, choices = random_system(rng)
        points = (dict(zip(keys, v, strict=True)) for v in product(VALUES, repeat=len(keys)))
        solvable = any(
            all(value_of(e, p) == 0 for e in equations)
            and all(value_of(r, p) >= 0 for r in rows)
            and all(any(all(value_of(r, p) >= 0 for r in part) for part in c) for c in choices)
            for p in points
        )
        is_proved = has_no_solution(equations, rows, choices)
        assert not (is_proved and solvable), (equations, rows, choices)
        empty, proved = empty + (not solvable), proved + is_proved
    return empty, proved


def test_no_proof_is_wrong_and_small_systems_are_decided() -> None:
    empty, proved = compare_with_brute_force(1, 500)
    assert proved == empty > 100


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(2, 12))
def test_no_proof_of_many_is_wrong(seed: int) -> None:
    empty, proved = compare_with_brute_force(seed, 10_000)
    assert proved > 0.99 * empty


def test_wide_variables_of_an_equation_leave_one_of_few_values() -> None:
    """Both quotients are unbounded: 10 * q - 2 * r is 1 - s, whose half has few values."""
    q, r, s, n = map(variable, "qrsn")
    equations = [n + q - r * 2 + 1, n - q * 9 - s]
    rows = [n, -n + (1 << 40), s, -s]
    assert has_no_solution(equations, rows)
    assert not has_no_solution(equations, [*rows[:-1], -s + 1])


def test_a_system_beyond_the_budget_is_not_proven() -> None:
    """Sums of even numbers are even, but each variable has many values to try."""
    keys = [f"x{n}" for n in range(40)]
    equations = [Index({key: 2 * n + 3 for n, key in enumerate(keys)}, -2001)]
    rows = [row for key in keys for row in (variable(key), -variable(key) + 3)]
    odd = [(variable(key) - 3, -variable(key)) for key in keys]
    choices: list[Choice] = [[(row,) for row in pair] for pair in odd]
    assert not has_no_solution([*equations, Index(dict.fromkeys(keys, 1), -61)], rows, choices)
