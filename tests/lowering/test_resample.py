"""Affine windows of resampling tables: the same weighted sums as the table."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from xdsl.dialects.builtin import f64
from xdsl.ir import Block

from tilewright.dialects.shape import Dim
from tilewright.frontend.onnx.builder import Builder
from tilewright.frontend.onnx.converters.resize_tables import ResizedAxis, Sampling, table_of
from tilewright.lowering.graph_to_te.resample import AffineWindow, fit_window

COORDINATES = ("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel")
SIZES = [(4, 8), (5, 15), (6, 4), (7, 12), (12, 5), (3, 1), (1, 4), (65, 513)]


def dense(indices: np.ndarray, weights: np.ndarray, size: int) -> np.ndarray:
    out = np.zeros((len(indices), size))
    for column, weight in zip(indices.T, weights.T, strict=True):
        np.add.at(out, (np.arange(len(indices)), column), weight)
    return out


def dense_window(window: AffineWindow, rows: int, size: int) -> np.ndarray:
    """Return the dense weights of a window; positions outside the operand must have weight 0."""
    out = np.zeros((rows, size))
    weights = np.ones((rows, 1)) if window.weights is None else window.weights
    for j in range(rows):
        first = (j * window.step + window.offset) // window.divisor
        for t in range(window.taps):
            if 0 <= first + t < size:
                out[j, first + t] = weights[j, t]
            else:
                assert weights[j, t] == 0
    return out


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize(("size", "out"), SIZES)
def test_a_resize_follows_a_line(mode, coordinates, size, out) -> None:
    nearest = "floor" if coordinates == "asymmetric" else "round_prefer_floor"
    sampling = Sampling(mode, coordinates, nearest, antialias=out < size)
    axis = ResizedAxis(0, Dim.const(size), Dim.const(out), Fraction(out, size))
    table = table_of(Builder(Block()), axis, sampling, f64)
    indices = table.indices.values()
    assert indices is not None
    weights = None if table.weights is None else table.weights.values()
    window = fit_window(indices, weights, size)
    assert window is not None
    given = np.ones(indices.shape) if weights is None else weights
    made = dense_window(window, out, size)
    np.testing.assert_allclose(made, dense(indices, given, size), atol=1e-12)
    assert window.taps <= max(1, int((given != 0).sum(axis=1).max())) + 1


@pytest.mark.parametrize("weights", [None, np.ones((4, 1))])
def test_a_table_without_a_line_has_no_window(weights) -> None:
    assert fit_window(np.array([[5], [0], [7], [1]]), weights, 8) is None
