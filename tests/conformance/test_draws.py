"""Properties of random operators that hold for any draw, and detection of violations."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.testing.conformance.draws import law_of

X = np.float32([1, 2, 3, 4])
HALF, TRAINING = np.float32(0.5), np.bool_(True)


def test_only_operators_that_draw_have_laws():
    assert law_of("Add", [X, X]) is None
    assert law_of("Dropout", [X]) is None
    assert law_of("Dropout", [X, HALF, np.bool_(False)]) is None
    assert law_of("Dropout", [X, np.float32(0), TRAINING]) is None


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
    law = law_of("Dropout", [X, HALF, TRAINING])
    assert law is not None
    found = law([X, HALF, TRAINING], outputs)
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
    law = law_of("Bernoulli", [chance])
    assert law is not None
    found = law([chance], [out])
    assert broken in found
    assert bool(found) == bool(broken)
