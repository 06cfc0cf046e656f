"""Sums over many terms in kernels of symbolic sizes, against float64.

A single accumulator would err by 5e-6 to 6e-5 of such a sum.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
import onnx.parser
import pytest

import tilewright

MEAN = "y = ReduceMean (x, a)"
LONG = 1_000_000


def mean(*axes: int) -> tuple[str, str, Callable[[np.ndarray], np.ndarray]]:
    listed = ", ".join(str(axis) for axis in axes)
    return f"<int64[{len(axes)}] a = {{{listed}}}>", MEAN, lambda x: x.mean(axes, keepdims=True)


def deviation(x: np.ndarray) -> np.ndarray:
    wide = x - x.mean((2, 3), keepdims=True)
    return wide / np.sqrt(np.square(wide).mean((2, 3), keepdims=True) + 1e-5)


ONE_NORM = (
    "<float[4] scale = {1, 1, 1, 1}, float[4] shift = {0, 0, 0, 0}>",
    "y = InstanceNormalization (x, scale, shift)",
    deviation,
)
LENGTH = "", "y = LpNormalization <axis = 0, p = 2> (x)", lambda x: x / np.sqrt((x**2).sum(0))
SHARES = "", "y = Softmax <axis = 0> (x)", lambda x: np.exp(x) / np.exp(x).sum(0)
CASES = {
    "columns": ('"n", 16', (LONG // 4, 16), *mean(0)),
    "open_columns": ('"n", "c"', (LONG // 2, 3), *mean(0)),
    "pixels": ('"b", "h", "w", 8', (1, 400, 800, 8), *mean(1, 2)),
    "short_rows": ('"b", 4, 7', (LONG // 8, 4, 7), *mean(0, 2)),
    "rows_of_images": ('"s", 2, 1048576', (1, 2, 1 << 20), *mean(2)),
    "columns_of_images": ('"s", 262144, "c"', (2, 1 << 18, 5), *mean(1)),
    "images": ('"s", 4, 700, 701', (1, 4, 700, 701), *ONE_NORM),
    "open_images": ('"s", 4, "h", "w"', (1, 4, 700, 701), *ONE_NORM),
    "lengths_of_columns": ('"n", 16', (LONG // 4, 16), *LENGTH),
    "softmax_of_columns": ('"n", 16', (LONG // 4, 16), *SHARES),
}


def opened(inputs: str, constants: str, node: str) -> onnx.ModelProto:
    head = '<ir_version: 10, opset_import: ["": 21]>'
    made = onnx.parser.parse_model(f"{head} g ({inputs}) => (float y) {constants} {{{node}}}")
    made.graph.output[0].type.tensor_type.ClearField("shape")
    return made


def relative_error(got: np.ndarray, exact: np.ndarray) -> float:
    return float(np.abs(got - exact).max() / np.abs(exact).max())


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CASES)
def test_no_accumulator_of_an_open_kernel_gets_many_terms(name: str) -> None:
    """The terms are positive, so that the errors of one long sum add up."""
    shape, sizes, constants, node, function = CASES[name]
    model = opened(f"float[{shape}] x", constants, node)
    module = tilewright.compile(model, cache=False, strict_plan=True)
    x = np.random.default_rng(0).random(sizes, np.float32)
    (got,) = module.run([x], threads=1)
    assert relative_error(got, function(x.astype(np.float64))) < 2e-6
    np.testing.assert_array_equal(module.run([x], threads=2)[0], got)
    assert not module.reason


@pytest.mark.parametrize("rows", ['"m"', "8"])
def test_products_over_an_open_number_of_terms_are_exact(rows: str) -> None:
    model = opened(f'float[{rows}, "k"] x, float["k", 32] z', "", "y = MatMul (x, z)")
    module = tilewright.compile(model, cache=False, strict_plan=True)
    for k in (1, 1023, 1024, 1025, LONG // 8):
        rng = np.random.default_rng(k)
        x, z = rng.random((8, k), np.float32), rng.random((k, 32), np.float32)
        exact = x.astype(np.float64) @ z.astype(np.float64)
        assert relative_error(module.run([x, z], threads=1)[0], exact) < 2e-6


def test_a_lone_mean_of_rows_of_known_length_has_vectors_along_them() -> None:
    model = opened('float["s", 768] x', *mean(1)[:2])
    module = tilewright.compile(model, cache=False)
    assert "{axis = j, lanes" in module.get_source("sched")
    x = np.random.default_rng(0).random((7, 768), np.float32)
    np.testing.assert_allclose(
        module(x).numpy(), x.astype(np.float64).mean(1, keepdims=True), rtol=3e-7
    )


def test_positions_that_share_no_vector_are_no_rows_of_a_tile() -> None:
    """One row per image: the images of a batch multiply vectors of their own."""
    model = opened('float["b", 1, "k"] x, float["b", "k", 64] z', "", "y = MatMul (x, z)")
    module = tilewright.compile(model, cache=False)
    assert "{b = 1, n = 64}" in module.get_source("sched")
