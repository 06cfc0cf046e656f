"""Properties of random operators that hold for any draw, and detection of violations."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.testing.conformance.random_ops import random_check

X = np.float32([1, 2, 3, 4])
HALF, TRAINING = np.float32(0.5), np.bool_(True)


def test_only_operators_that_draw_have_laws():
    assert random_check("Add", [X, X]) is None
    assert random_check("Dropout", [X]) is None
    assert random_check("Dropout", [X, HALF, np.bool_(False)]) is None
    assert random_check("Dropout", [X, np.float32(0), TRAINING]) is None


@pytest.mark.parametrize(
    ("outputs", "broken"),
    [
        ([np.float32([2, 0, 6, 0])], ""),
        ([np.float32([2, 0, 6, 0]), np.array([True, False, True, False])], ""),
        ([np.float32([2, 0, 6, 0]), np.array([True, False, False, True])], "is not 0"),
        ([np.float32([1, 0, 3, 0])], "is not scaled"),
        ([np.float32([2, 4, 6, 8])], "the same fate"),
        ([np.float32([0, 0, 0, 0])], "the same fate"),
    ],
)
def test_dropout(outputs, broken):
    check_random = random_check("Dropout", [X, HALF, TRAINING])
    assert check_random is not None
    found = check_random([X, HALF, TRAINING], outputs)
    assert broken in found
    assert bool(found) == bool(broken)


@pytest.mark.parametrize(
    ("out", "broken"),
    [
        (np.float32([0, 1, 0, 1]), ""),
        (np.float32([0, 1, 1, 1]), ""),
        (np.float32([0, 1, 2, 1]), "neither 0 nor 1"),
        (np.float32([1, 1, 0, 1]), "a certain element differs"),
    ],
)
def test_bernoulli(out, broken):
    chance = np.float32([0, 1, 0.5, 0.5])
    check_random = random_check("Bernoulli", [chance])
    assert check_random is not None
    found = check_random([chance], [out])
    assert broken in found
    assert bool(found) == bool(broken)
