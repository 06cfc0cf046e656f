"""Attention of every length: plans are legal for any divisors of the length."""

from __future__ import annotations

import pytest

from .attention_lengths import FORMS, TARGETS, draws, lower, plan

SAMPLE = (2, 3, 17, 22, 33, 50, 131, 200, 201, 500, 997, 1000, 1499, 1500, 2053, 2250, 3000)
"""Primes, lengths that blocks do not divide, and lengths of well-known networks."""

CAUSAL = [(200, TARGETS[5]), (1000, TARGETS[2]), (22, TARGETS[0]), (33, TARGETS[7])]
LONG = [(1500, TARGETS[5]), (1499, TARGETS[1])]


@pytest.mark.parametrize("form", FORMS)
def test_a_sample_of_lengths_plans_on_every_target(form: str) -> None:
    for length in SAMPLE:
        plan(form, length, TARGETS)


@pytest.mark.parametrize(
    ("form", "length", "target"),
    [
        *(("causal", *case) for case in CAUSAL),
        *(("square", *case) for case in LONG),
        *draws(6, 3000),
    ],
)
def test_a_sample_of_lengths_lowers(form: str, length: int, target: str) -> None:
    lower(form, length, target)
